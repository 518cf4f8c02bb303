# SPDX-License-Identifier: Apache-2.0
"""Values of an answer: groups with attributes, tables of groups."""
import json

from ._optional import numpy, pandas


class Group(dict):
    """A group of values: `g.name` and `g["name"]` are the same. Names that are no Python names (x') need the second."""
    __slots__ = ()

    def __getattribute__(self, name):
        if not name.startswith("__") and dict.__contains__(self, name):
            return dict.__getitem__(self, name)
        return dict.__getattribute__(self, name)

    def __getattr__(self, name):
        known = ", ".join(map(str, dict.keys(self)))
        raise AttributeError(f"there is no '{name}' here; there are: {known}")

    def __setattr__(self, name, value):
        raise AttributeError("answers are read only; dict(...) makes a copy")

    def __dir__(self):
        return list(dict.__dir__(self)) + [k for k in dict.keys(self) if k.isidentifier()]


class Table(list):
    """A list of groups: `t[0]` is a row, `t["name"]` a column (an array where NumPy is there)."""
    __slots__ = ()

    def __getitem__(self, key):
        if not isinstance(key, str):
            rows = list.__getitem__(self, key)
            return Table(rows) if isinstance(key, slice) else rows
        columns = self.columns()
        if key not in columns:
            raise KeyError(f"there is no column '{key}'; there are: {', '.join(columns)}")
        return _array(columns[key])

    def columns(self):
        """{name: [value of each row]}; groups inside a row are spread out: "state.x"."""
        names = {}
        rows = [dict(_spread(row)) for row in self]
        for row in rows:
            names.update(dict.fromkeys(row))
        return {name: [row.get(name) for row in rows] for name in names}

    def to_array(self):
        """A structured NumPy array, one field for each column."""
        np = numpy("a structured array")
        columns = {name: np.asarray(_array(values)) for name, values in self.columns().items()}
        out = np.empty(len(self), dtype=[(name, a.dtype) for name, a in columns.items()])
        for name, a in columns.items():
            out[name] = a
        return out

    def to_pandas(self):
        """A pandas.DataFrame."""
        return pandas().DataFrame({name: _array(values) for name, values in self.columns().items()})


def _spread(group, prefix=""):
    for name, value in dict.items(group):
        if isinstance(value, dict):
            yield from _spread(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _array(values):
    """Numbers as float64 (None: NaN), truth as bool, texts as texts, anything else as it is."""
    np = numpy()
    if np is None:
        return values
    kinds = {type(v) for v in values if v is not None}
    if kinds <= {int, float}:
        if kinds == {int} and None not in values:
            return np.array(values, dtype=np.int64)
        return np.array([np.nan if v is None else v for v in values], dtype=np.float64)
    if kinds in ({bool}, {str}) and None not in values:
        return np.array(values)
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def _listed(values):
    first = values[0] if values else None
    if isinstance(first, dict):
        return Table(values)
    return [_listed(v) if type(v) is list else v for v in values] if type(first) is list else values


def _group(pairs):
    return Group((k, _listed(v) if type(v) is list else v) for k, v in pairs)


def tree(text):
    return json.loads(text, object_pairs_hook=_group)


def plain(value):
    """The same in dictionaries and lists of Python's own."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in dict.items(value)}
    return [plain(v) for v in value] if isinstance(value, list) else value
