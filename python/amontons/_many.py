# SPDX-License-Identifier: Apache-2.0
"""Many questions at once: over values of parameters, and ensembles of motions. Threads share the model; the interpreter lock
is free while the library computes."""
import ctypes
import math
import os
import warnings

from . import _errors, _verbs
from . import _library as c
from ._ask import call
from ._optional import numpy
from ._tree import _array
from ._work import Watch, in_parallel

_BLOCK = 256  # trajectories that a thread takes at once; any number gives the same bits


def _is_list(value):
    return isinstance(value, (list, tuple, range)) or getattr(value, "ndim", 0) > 0


def _threads(threads):
    return threads or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else threads or os.cpu_count() or 1


# ---- the same question for many values ----

class _Points:
    """Values of one point as the library takes them: numbers of parameters directly, anything else as settings of the model
    that is read again."""

    def __init__(self, model, swept):
        self.model, self.swept = model, swept
        names = list(model.parameters)
        numbers = all(n in names and a.dtype.kind in "fiu" for n, a in swept.items())
        self.index = [names.index(n) for n in swept] if numbers else None
        if numbers:  # bounds that only a reader of the model knows
            for i in {int(end) for a in swept.values() if a.size for end in (a.argmin(), a.argmax())}:
                model.set(self._point(i))

    def _point(self, i):
        return {n: a.flat[i].item() if hasattr(a.flat[i], "item") else a.flat[i] for n, a in self.swept.items()}

    def ask(self, i, verb, options, watch):
        values = self._values(i)
        if values is None:
            return call(self.model._model, None, verb, {**options, "set": self._point(i)}, watch)
        try:
            return call(self.model._model, values, verb, options, watch)
        finally:
            c.lib.amo_values_free(values)

    def _values(self, i):
        if self.index is None:
            return None
        values = ctypes.POINTER(c.Values)()
        if c.lib.amo_values_new(self.model._model.pointer, ctypes.byref(values)) != c.OK:
            raise MemoryError("out of memory")
        for k, a in zip(self.index, self.swept.values()):
            if c.lib.amo_values_set(values, k, float(a.flat[i])) != c.OK:
                c.lib.amo_values_free(values)
                return None  # the settings say why
        return values


def _value(result, path):
    """A number, True or False, a text, or None."""
    x = result.number(path)
    if x == x:
        return x
    text = result.text(path)
    return {"true": True, "false": False}.get(text, text)


def _check_paths(verb, paths, answers):
    """A path that no answer has and none could have is a mistake, not a number that is missing."""
    import difflib
    for k, path in enumerate(paths):
        if any(a and a[k] is not None for a in answers) or verb.knows(path):
            continue
        known = [f["path"] for f in verb.table.get("fields", [])]
        near = difflib.get_close_matches(path, known, 1)
        guess = f"; did you mean '{near[0]}'?" if near else ""
        raise _errors.InputError(f"an answer of {verb.name} has nothing at '{path}' (docs/json.md){guess}")


def sweep_over(self, ask, of=None, *, threads=None, progress=None, options=None, set=None, **values):
    """Ask the same question for many values of parameters, sizes or initial values, by several threads.

    ask      the question: "cycle"
    of       path of a value of its answer ("period", "multipliers[0].abs"), or several of them
    values   arrays are swept, together and by NumPy's rules of broadcasting (v=v[:, None], k=k makes a grid); other keywords
             are options of the question and settings, as if it were asked once
    threads  how many; all processors unless told

    Returns an array of the shape of the values, {path: array} for several paths, an array of Results for none. Where there
    is no answer it has NaN (None among texts), and a warning says how often and why first. Bit for bit what a loop gives.
    """
    np = numpy("sweep_over()")
    verb = _verbs.find(ask)
    swept = {n: np.asarray(v) for n, v in {**(set or {}), **{n: v for n, v in values.items() if self.settable(n)}}.items()
             if _is_list(v)}
    fixed = {n: v for n, v in values.items() if n not in swept}
    options, settings = _verbs.sort_keywords(
        verb, {**fixed, "options": options, "set": {n: v for n, v in (set or {}).items() if n not in swept}}, self.settable)
    self._check_names(verb, {**settings, **swept})
    if not swept:
        raise _errors.InputError("sweep_over needs an array of values: v=[0.1, 0.2, 0.3]")
    swept = dict(zip(swept, np.broadcast_arrays(*swept.values())))
    shape = next(iter(swept.values())).shape
    count = int(np.prod(shape))
    points = _Points(self.set(settings) if settings else self, swept)
    paths = [of] if isinstance(of, str) else list(of or [])
    answers, reasons, watch = [None] * count, {}, Watch(progress)

    def one(i):
        status, diags, result = points.ask(i, verb.name, options, single)
        try:
            _errors.check(status, diags, result)
        except (_errors.NoAnswer, _errors.AuditFailed, _errors.LimitReached, _errors.Unsupported) as error:
            reasons[i] = error
            if paths:
                return
        answers[i] = [_value(result, p) for p in paths] if paths else result

    single = Watch(None, watch.stop)
    try:
        in_parallel(count, _threads(threads), one, watch.stop, watch.told)
    finally:
        watch.close()
    if watch.stop.value:
        raise _errors.Interrupted("interrupted", c.EINTR)
    if reasons:
        warnings.warn(f"{len(reasons)} of {count} points have no answer; the first: {reasons[min(reasons)]}", _errors.Warning,
                      stacklevel=2)
    if not paths:
        out = np.empty(count, dtype=object)
        out[:] = answers
        return out.reshape(shape)
    _check_paths(verb, paths, answers)
    columns = {p: np.asarray(_array([a[k] if a else None for a in answers])).reshape(shape) for k, p in enumerate(paths)}
    return columns[of] if isinstance(of, str) else columns


# ---- many motions ----

class Ensemble:
    """Ends of many motions, as NumPy arrays.

    state   [count, states]    the last state; e["x'"] is a column of it
    mode    [count, contacts]  sign of the slip, 0 in stick, 2 open
    events  [count]            changes of modes on the way
    time    [count]            when the motion ended
    status  [count]            0: it reached its end; see ok
    fate    [count]            with settle=True: 0 undecided, 1 sticks for ever, 2 open for ever; else None
    """

    def __init__(self, model, count, settle):
        np = numpy("ensemble()")
        self.names, self.contacts = list(model.states), list(model.contacts)
        self.state = np.empty((count, len(self.names)))
        self.mode = np.zeros((count, len(self.contacts)), dtype=np.int8)
        self.events = np.zeros(count, dtype=np.dtype("l"))
        self.status = np.zeros(count, dtype=np.intc)
        self.time = np.empty(count)
        self.fate = np.zeros(count, dtype=np.uint8) if settle else None

    @property
    def ok(self):
        return self.status == c.OK

    def __len__(self):
        return len(self.status)

    def __getitem__(self, name):
        if name not in self.names:
            raise KeyError(f"there is no '{name}'; there are: {', '.join(self.names)}")
        return self.state[:, self.names.index(name)]

    def __repr__(self):
        return f"<ensemble of {len(self)} motions, {int(self.ok.sum())} of them to the end>"


def _at(array, i):
    return None if array is None else array[i:].ctypes.data


def _rows(np, given, names, base, count, what):
    """[count, names] from an array, or from {name: array or number} beside `base`."""
    if given is None:
        return None
    if not isinstance(given, dict):
        rows = np.ascontiguousarray(given, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != len(names):
            raise _errors.InputError(f"{what} must be an array [count, {len(names)}] ({', '.join(names)}), "
                                     f"got {list(rows.shape)}")
        return rows
    rows = np.tile(np.array([base[n].value for n in names]), (count, 1))
    for name, values in given.items():
        if name not in base:
            raise _errors.InputError(f"the model has no {what} '{name}'; there are: {', '.join(names)}")
        rows[:, names.index(name)] = values
    return rows


def _count(np, states, parameters):
    counts = {len(v) for group in (states, parameters) if isinstance(group, dict) for v in group.values() if _is_list(v)}
    counts |= {len(group) for group in (states, parameters) if group is not None and not isinstance(group, dict)}
    if len(counts) != 1:
        raise _errors.InputError("ensemble needs arrays of one length" +
                                 (f", got {', '.join(map(str, sorted(counts)))}" if counts else ""))
    return counts.pop()


def _say(model, opts):
    """What is wrong with the options of a run, in the words of a single one; nothing if that would start."""
    diags, sim = c.diags(), ctypes.c_void_p()
    status = c.lib.amo_sim_new(model._model.pointer, ctypes.byref(opts), diags.pointer, ctypes.byref(sim))
    if status == c.OK:
        c.lib.amo_sim_free(sim)
    _errors.check(status, diags)


def _time(name, value):
    value = float(value)
    if not math.isfinite(value):
        raise _errors.InputError(f"{name}: {value} in the place of a number")
    return value


_ENGINES = ("auto", "steps", "program", "gpu")


def ensemble(self, states=None, *, until, start=None, parameters=None, threads=None, settle=False, tol=None, max_steps=None,
             max_events=None, engine="auto", progress=None):
    """Many motions of the model in one call.

    states      [count, states] where they start, or {"x": array, "x'": 0.1}; the model's own unless told
    parameters  {"v": array} or [count, parameters], likewise
    until       end of the motions; start: their beginning (the model's unless told)
    settle      end each motion when its last state is proved to be final
    threads     how many; all processors unless told. Any number gives the same bits
    engine      "steps": that of single motions, with their bits; "program": compiled for this model alone; "gpu": the same on a
                graphics processor; "auto": a program from 10,000 motions on, where there can be one

    Returns an Ensemble.
    """
    np = numpy("ensemble()")
    count = _count(np, states, parameters)
    rows = _rows(np, states, list(self.states), self.states, count, "states")
    numbers = _rows(np, parameters, list(self.parameters), self.parameters, count, "parameters")
    out, watch = Ensemble(self, count, settle), Watch(progress)
    opts = c.default(c.SimOpts)
    for name, value in (("tol", tol), ("max_steps", max_steps), ("max_events", max_events)):
        if value is not None:
            setattr(opts, name, value)
    if engine not in _ENGINES:
        raise _errors.InputError(f"engine must be one of {', '.join(_ENGINES)}, got '{engine}'")
    opts.engine = _ENGINES.index(engine)
    opts.engine = c.lib.amo_ensemble_engine(self._model.pointer, ctypes.byref(opts), count)
    size = {1: _BLOCK, 2: 16 * _BLOCK}.get(opts.engine, count)
    begin = c.lib.amo_model_values(self._model.pointer).contents.t0 if start is None else _time("start", start)
    end = _time("until", until)
    if end <= begin:
        raise _errors.InputError(f"until must be later than the start: until = {end:g}, start = {begin:g}")

    def block(k):
        i = k * size
        e = c.Ensemble(count=min(size, count - i), state=_at(rows, i), parameter=_at(numbers, i), t0=begin,
                       t_end=end, final_state=_at(out.state, i), final_mode=_at(out.mode, i),
                       events=_at(out.events, i), status=_at(out.status, i), fate=_at(out.fate, i),
                       final_time=_at(out.time, i), stop=ctypes.pointer(watch.stop))
        status = c.lib.amo_ensemble_run(self._model.pointer, ctypes.byref(opts), ctypes.byref(e))
        if status not in (c.OK, c.EINTR):
            _say(self, opts)
            raise _errors.of(status)

    try:
        in_parallel(-(-count // size), _threads(threads), block, watch.stop, watch.told)
    finally:
        watch.close()
    if watch.stop.value:
        raise _errors.Interrupted("interrupted", c.EINTR)
    return out
