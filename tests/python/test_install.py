# SPDX-License-Identifier: Apache-2.0
"""The package as a user gets it: pip install . without a network and without any other package."""
import subprocess
import sys
import zipfile

import pytest

from conftest import ROOT


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, **more)
    return done.returncode, done.stdout + done.stderr


def test_the_wheel_is_what_the_checkout_holds(tmp_path):
    code, said = run(sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '{ROOT / 'python'}'); import backend; "
                     f"print(backend.build_wheel('{tmp_path}'))")
    assert code == 0, said
    (wheel,) = tmp_path.glob("amontons-*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    package = {f"amontons/{p.name}" for p in (ROOT / "python/amontons").iterdir() if p.suffix in (".py", ".pyi", ".typed")}
    assert package <= names
    assert names - package - {"amontons/libamontons.so"} == {
        n for n in names if ".dist-info/" in n and n.rsplit("/", 1)[1] in ("METADATA", "LICENSE", "WHEEL", "RECORD")}
    assert ("amontons/libamontons.so" in names) == (ROOT / "build/libamontons.so").exists() == (not wheel.name.endswith("-any.whl"))


def test_pip_without_a_network(tmp_path, monkeypatch):
    code, said = run(sys.executable, "-m", "venv", tmp_path / "venv")
    if code:
        pytest.skip("this Python makes no environments (package python3-venv)")
    python = tmp_path / "venv/bin/python"
    for how in ([], ["-e"]):
        code, said = run(python, "-I", "-m", "pip", "install", "--no-index", "--force-reinstall", *how, ROOT)
        assert code == 0, said
        code, said = run(python, "-I", "-c", "import amontons; print(amontons.Model('''amontons: 1\ncoordinates: [x]\n"
                         "particles: {p: {mass: 2, at: [x, 0]}}\ninitial: {x': 3}\n''').simulate(until=2).final.state.x)", cwd=tmp_path)
        assert code == 0 and said.strip() == "6", said
