#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Type stubs of the package, from the tables behind --help and docs/json.md. Writes python/amontons/__init__.pyi; --check: only
says whether it is what it should be."""
import keyword
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from amontons import _verbs  # noqa: E402

STUB = HERE / "amontons" / "__init__.pyi"

HEAD = '''# SPDX-License-Identifier: Apache-2.0
# Made by python/stubs.py from the library's tables; do not edit.
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, Literal, NamedTuple, SupportsIndex, TypeVar, overload

import numpy as np
import numpy.typing as npt

Number = float | str  # a text is an expression of the model's parameters: "2*pi/w"
Whole = int | str
Settings = Mapping[str, Any] | str
Words = str | Mapping[str, Any] | Sequence[Any]
Files = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
Lines = str | Sequence[str]
Progress = bool | Callable[[float], Any] | None

__version__: str
library: str

class Diagnostic:
    severity: Literal["note", "warning", "error"]
    message: str
    hint: str
    file: str
    line: int
    column: int

class Error(Exception):
    status: str
    result: Result | None
    diagnostics: list[Diagnostic]

class InputError(Error, ValueError): ...
class NoAnswer(Error): ...
class AuditFailed(Error): ...
class LimitReached(Error): ...
class Interrupted(Error): ...
class Unsupported(Error): ...
class FileError(Error, OSError): ...
class Warning(UserWarning): ...

class Symbol(NamedTuple):
    name: str
    unit: str
    doc: str
    value: float | None

class Symbols(Mapping[str, Symbol]):
    def __getitem__(self, name: str) -> Symbol: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...

class Group(dict[str, Any]):
    def __getattr__(self, name: str) -> Any: ...

Row = TypeVar("Row")

class Names(dict[str, Row], Generic[Row]):  # values by names of the model; a Group when it runs
    def __getattr__(self, name: str) -> Row: ...

class Table(list[Row], Generic[Row]):
    @overload  # type: ignore[override]
    def __getitem__(self, key: SupportsIndex) -> Row: ...
    @overload
    def __getitem__(self, key: slice) -> Table[Row]: ...
    @overload
    def __getitem__(self, key: str) -> npt.NDArray[Any]: ...
    def columns(self) -> dict[str, list[Any]]: ...
    def to_array(self) -> npt.NDArray[Any]: ...
    def to_pandas(self) -> Any: ...

class Motion(Mapping[str, npt.NDArray[np.float64]]):
    rows: int
    units: dict[str, str]
    @property
    def t(self) -> npt.NDArray[np.float64]: ...
    def __getitem__(self, name: str) -> npt.NDArray[np.float64]: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def to_pandas(self) -> Any: ...
    def plot(self, *names: str, ax: Any = None) -> Any: ...

class Result:
    verb: str
    @property
    def motion(self) -> Motion: ...
    @property
    def json(self) -> str: ...
    def __getitem__(self, name: str) -> Any: ...
    def __getattr__(self, name: str) -> Any: ...
    def __contains__(self, name: str) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def keys(self) -> list[str]: ...
    def number(self, path: str) -> float: ...
    def text(self, path: str) -> str | None: ...
    def numbers(self, path: str) -> npt.NDArray[np.float64]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def plot(self, *names: str, ax: Any = None) -> Any: ...

class Ensemble:
    names: list[str]
    contacts: list[str]
    state: npt.NDArray[np.float64]
    mode: npt.NDArray[np.int8]
    events: npt.NDArray[np.int_]
    status: npt.NDArray[np.int32]
    time: npt.NDArray[np.float64]
    fate: npt.NDArray[np.uint8] | None
    @property
    def ok(self) -> npt.NDArray[np.bool_]: ...
    def __getitem__(self, name: str) -> npt.NDArray[np.float64]: ...
    def __len__(self) -> int: ...

class Model:
    def __init__(self, source: str | os.PathLike[str] | Mapping[str, Any], set: Mapping[str, Any] | None = None,
                 name: str = "model") -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def parameters(self) -> Symbols: ...
    @property
    def states(self) -> Symbols: ...
    @property
    def coordinates(self) -> Symbols: ...
    @property
    def contacts(self) -> Symbols: ...
    @property
    def outputs(self) -> Symbols: ...
    def settable(self, name: str) -> bool: ...
    def set(self, set: Mapping[str, Any] | None = None, **values: Number) -> Model: ...
    def ask(self, verb: str, *, progress: Progress = None, motion: bool = True, **keywords: Any) -> Result: ...
    def sweep_over(self, ask: str, of: str | Sequence[str] | None = None, *, threads: int | None = None,
                   progress: Progress = None, options: Mapping[str, Any] | None = None,
                   set: Mapping[str, Any] | None = None, **values: Any) -> Any: ...
    def ensemble(self, states: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None, *, until: float,
                 start: float | None = None, parameters: Mapping[str, npt.ArrayLike] | None = None,
                 threads: int | None = None, settle: bool = False, tol: float | None = None,
                 max_steps: int | None = None, max_events: int | None = None, progress: Progress = None) -> Ensemble: ...
'''

TYPES = {"flag": "bool", "number": "Number | None", "integer": "Whole | None", "text": "Words | None",
         "settings": "Settings | None", "input": "Files | None", "lines": "Lines | None"}


def annotation(option):
    if option["type"] != "choice":
        return TYPES[option["type"]]
    return "Literal[" + ", ".join(f'"{word}"' for word in option["choices"].split("|")) + "] | None"


# ---- answers: a class for each, and for each group inside ----

class Node:
    """A value of an answer: its field, what is in it by name, what stands for any name, what its items are."""

    def __init__(self):
        self.field, self.named, self.any, self.item = {}, {}, None, None

    def step(self, part):
        if part == "[]":
            self.item = self.item or Node()
            return self.item
        if "#" in part or re.fullmatch(r"[A-Z]{4,}", part):
            self.any = self.any or Node()
            return self.any
        return self.named.setdefault(part, Node())


def grown(fields):
    root = Node()
    for field in fields:
        node = root
        for part in re.findall(r"\[\]|[^.\[\]]+", field["path"]):
            node = node.step(part)
        node.field = field
    return root


def camel(*parts):
    return "".join(word[:1].upper() + word[1:] for part in parts for word in re.split(r"[^A-Za-z0-9]+", part))


def type_of(node, name, classes):
    """Annotation of a value; classes that it needs are put into `classes` by name."""
    plain = {"number": "float", "integer": "int", "text": "str", "boolean": "bool", "null": "None", "any": "Any",
             "mode": 'int | Literal["open"]'}
    types = (node.field.get("type") or ("list" if node.item else "group")).split("|")
    out = []
    for kind in types:
        if kind == "word":
            words = node.field.get("words")
            out.append("Literal[" + ", ".join(f'"{w}"' for w in words.split("|")) + "]" if words else "str")
        elif kind == "list":
            inner = type_of(node.item, name + "Item", classes) if node.item else "Any"
            out.append(f"Table[{inner}]" if node.item and (node.item.named or node.item.any) else f"list[{inner}]")
        elif kind == "group" and node.named:
            out.append(name)
            classes[name] = class_of(node, name, "Group", classes)
        elif kind == "group":
            out.append(f"Names[{type_of(node.any, name + 'Value', classes) if node.any else 'Any'}]")
        else:
            out.append(plain[kind])
    return " | ".join(dict.fromkeys(out))


def class_of(node, name, base, classes):
    lines, classes[name] = [], None  # its place among the classes
    for key, child in node.named.items():
        note = child.field.get("unit") or ""
        note = f"  # {note}" if note else ""
        if not key.isidentifier() or keyword.iskeyword(key):
            lines.append(f"    # [{key!r}]: {type_of(child, name + camel(key), classes)}{note}")
        elif not (base == "Result" and key in ("motion", "plot")):  # names of Result itself
            lines.append(f"    {key}: {type_of(child, name + camel(key), classes)}{note}")
    return f"class {name}({base}):\n" + ("\n".join(lines) if any(not x.startswith("    #") for x in lines) else
                                        "\n".join(lines + ["    ..."])) + "\n"


def answers():
    classes = {}
    for verb in _verbs.VERBS.values():
        name = answer_name(verb)
        classes[name] = class_of(grown(verb.table.get("fields", [])), name, "Result", classes)
    return "\n".join(classes.values())


def answer_name(verb):
    return camel(verb.name) + "Result"


# ---- questions ----

def definition(verb, first, indent):
    begin = "self" if first == "self" else "record: Files | None = None"
    lines = [f"{name}: {annotation(o)} = {_verbs.default(o)!r}" for name, o in verb.options.items() if name != first]
    lines += ["set: Settings | None = None", "options: Mapping[str, Any] | None = None", "progress: Progress = None"]
    if verb.records_motion:
        lines.append("motion: bool = True")
    if verb.of != "record":
        lines.append("**values: Number")
    body = "".join(f"{indent}    {line},\n" for line in [begin, "*", *lines[:-1]]) + f"{indent}    {lines[-1]}\n"
    return (f'{indent}def {verb.python}(\n{body}{indent}) -> {answer_name(verb)}:\n'
            f'{indent}    """{verb.table["summary"]}"""\n')


def text():
    methods = "".join(definition(v, "self", "    ") for v in _verbs.VERBS.values() if v.of != "record")
    functions = "\n".join(definition(v, "record", "") for v in _verbs.VERBS.values() if v.of != "model")
    return HEAD + methods + "\n" + functions + "\n" + answers()


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        if STUB.read_text() != text():
            sys.exit("python/amontons/__init__.pyi is not what the tables say: run python/stubs.py")
    else:
        STUB.write_text(text())
