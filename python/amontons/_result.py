# SPDX-License-Identifier: Apache-2.0
"""Answers."""
import ctypes
import html
from collections.abc import Mapping

from . import _library as c
from ._optional import numpy, pandas
from ._tree import plain, tree


def _view(pointer, count, owner):
    """Numbers of the library without a copy: a read-only NumPy array, or a memoryview where there is no NumPy. Either keeps
    the owner alive."""
    if not count:
        buffer = (ctypes.c_double * 0)()
    else:
        buffer = (ctypes.c_double * count).from_address(ctypes.addressof(pointer.contents))
    buffer.owner = owner
    np = numpy()
    if np is None:
        return memoryview(buffer).toreadonly().cast("B").cast("d")
    array = np.frombuffer(buffer, dtype=np.float64) if count else np.empty(0)
    array.flags.writeable = False
    return array


class Motion(Mapping):
    """A recorded motion or path: columns by name, `motion["x'"]`, without copies. `motion.t` is the time, `motion.units`
    the units. Points at events appear twice: just before and just after."""

    def __init__(self, owner):
        self._columns, self.units = {}, {}
        for i in range(c.lib.amo_answer_columns(owner.pointer)):
            column = c.lib.amo_answer_column_at(owner.pointer, i)
            name = c.words(column.name)
            self._columns[name] = _view(column.value, column.rows, owner)
            self.units[name] = c.words(column.unit)
        self.rows = len(next(iter(self._columns.values()), ()))

    def __getitem__(self, name):
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f"there is no column '{name}'; there are: {', '.join(self)}") from None

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)

    def __repr__(self):
        return f"<motion of {self.rows} rows: {', '.join(self)}>"

    @property
    def t(self):
        return self["t"]

    def to_pandas(self):
        """A pandas.DataFrame; the time is its index."""
        frame = pandas().DataFrame(dict(self))
        return frame.set_index("t") if "t" in self else frame

    def plot(self, *names, ax=None):
        """Columns over time (the coordinates and their velocities unless told otherwise); returns the axes."""
        from . import _plot
        return _plot.motion(self, names, ax)


class Result:
    """An answer. Its values go by the names of docs/json.md, as attributes and as items: `r.events[0].t`,
    `r["final"]["state"]["x'"]`. str(r) is what the command line prints."""

    def __init__(self, pointer, verb):
        self._answer = c.answer(pointer)
        self._values = self._motion = None
        self.verb = verb

    # ---- values ----
    @property
    def _root(self):
        if self._values is None:
            self._values = tree(self.json)
        return self._values

    def __getitem__(self, name):
        try:
            return dict.__getitem__(self._root, name)
        except KeyError:
            raise KeyError(f"{self.verb} has no '{name}' here; there are: {', '.join(self)}") from None

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._root, name)

    def __contains__(self, name):
        return dict.__contains__(self._root, name)

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        return len(self.keys())

    def keys(self):
        return list(dict.keys(self._root))

    def __dir__(self):
        return list(super().__dir__()) + [k for k in self if k.isidentifier()]

    def number(self, path):
        """One number by its path, "final.state.x'"; NaN where there is none."""
        return c.lib.amo_answer_number(self._answer.pointer, path.encode())

    def text(self, path):
        """One text by its path ("true" and "false" for truth); None where there is none."""
        found = c.lib.amo_answer_text(self._answer.pointer, path.encode())
        return None if found is None else c.words(found)

    def numbers(self, path):
        """A list of numbers by its path, "events[*].t", as an array without a copy; null is NaN."""
        pointer, count = ctypes.POINTER(ctypes.c_double)(), ctypes.c_size_t()
        status = c.lib.amo_answer_numbers(self._answer.pointer, path.encode(), ctypes.byref(pointer), ctypes.byref(count))
        if status == c.ENOMEM:
            raise MemoryError("out of memory")
        if status != c.OK:
            raise KeyError(f"'{path}' is no list of numbers of this answer")
        return _view(pointer, count.value, self._answer)

    @property
    def motion(self):
        """The recorded motion of simulate, the path of quasistatic."""
        if self._motion is None:
            if not c.lib.amo_answer_columns(self._answer.pointer):
                raise AttributeError("motion")
            self._motion = Motion(self._answer)
        return self._motion

    # ---- the whole ----
    @property
    def json(self):
        """The text of `amontons ... --json`, bit for bit."""
        text = c.lib.amo_answer_json(self._answer.pointer)
        if text is None:
            raise MemoryError("out of memory")
        return c.words(text)

    def to_dict(self):
        """Everything in dictionaries and lists."""
        return plain(self._root)

    def __str__(self):
        return c.taken(c.lib.amo_answer_print(self._answer.pointer, 0)).rstrip("\n")

    def __repr__(self):
        return f"<{self.verb} of {dict.get(self._root, 'model') or dict.get(self._root, 'name') or 'a record'}>"

    def _repr_html_(self):
        svg = dict.get(self._root, "svg")
        picture = f"<div>{svg}</div>" if isinstance(svg, str) else ""
        return picture if self.verb == "draw" and picture else picture + f"<pre>{html.escape(str(self))}</pre>"

    def plot(self, *names, ax=None):
        """A figure of the answer by matplotlib: the motion, the spectrum, the branch, the diagram, the map. Returns the axes."""
        from . import _plot
        return _plot.result(self, names, ax)
