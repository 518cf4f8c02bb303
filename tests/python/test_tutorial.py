# SPDX-License-Identifier: Apache-2.0
"""docs/python.md is run like a notebook: its Python blocks in order, in one namespace; the block after `<!-- output -->` is
what the block before it shows (what it prints, and the value of its last line). A line "..." stands for any lines; in a
line, ... stands for any text."""
import ast
import contextlib
import io
import re

import pytest

from conftest import ROOT

pytest.importorskip("matplotlib")
DOCUMENT = ROOT / "docs" / "python.md"


def cells(text):
    """(line, code, expected output or None)"""
    blocks = re.finditer(r"^(<!-- output -->\n|<!-- not run -->\n)?```(\w*)\n(.*?)^```$", text, re.M | re.S)
    found = []
    for b in blocks:
        if b.group(1) == "<!-- output -->\n":
            found[-1][2] = b.group(3)
        elif b.group(2) == "python" and not b.group(1):
            found.append([text[:b.start()].count("\n") + 2, b.group(3), None])
    return found


def show(code, line, names):
    """What a notebook would show."""
    tree = ast.parse("\n" * (line - 1) + code, str(DOCUMENT))
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(tree, str(DOCUMENT), "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), str(DOCUMENT), "eval"), names)
            if value is not None:
                print(repr(value))
    return out.getvalue()


def pattern(expected):
    lines = [".*" if line.strip() == "..." else re.escape(line).replace(r"\.\.\.", ".*") for line in expected.splitlines()]
    return "\n".join(lines) + r"\n?"


def test_the_tutorial(tmp_path, monkeypatch, models):
    monkeypatch.chdir(tmp_path)
    text, names = DOCUMENT.read_text(), {}
    for file, content in re.findall(r"^<!-- file: (\S+) -->\n```\w*\n(.*?)^```$", text, re.M | re.S):
        (tmp_path / file).write_text(content)
    (tmp_path / "models").symlink_to(ROOT / "models")
    count = 0
    for line, code, expected in cells(text):
        shown = show(code, line, names)
        count += 1
        if expected is not None and not re.fullmatch(pattern(expected), shown, re.S):
            pytest.fail(f"docs/python.md:{line}: shown\n{shown}\nexpected\n{expected}")
    assert count > 10
