# SPDX-License-Identifier: Apache-2.0
"""Models."""
import ctypes
import json
import os
from collections.abc import Mapping
from typing import NamedTuple, Optional

from . import _errors, _many, _verbs
from . import _library as c
from ._ask import _json_default, ask, setting_pairs, setting_text


class Symbol(NamedTuple):
    """A name of a model. `value`: of a parameter, or the initial one of a state; None of contacts and outputs."""
    name: str
    unit: str
    doc: str
    value: Optional[float] = None


class Symbols(Mapping):
    """Names of a model, in its order: `m.parameters["v"].value`, `.unit`, `.doc`."""

    def __init__(self, symbols):
        self._symbols = {s.name: s for s in symbols}

    def __getitem__(self, name):
        try:
            return self._symbols[name]
        except KeyError:
            raise KeyError(f"there is no '{name}'; there are: {', '.join(self)}") from None

    def __iter__(self):
        return iter(self._symbols)

    def __len__(self):
        return len(self._symbols)

    def __repr__(self):
        return "\n".join(f"{s.name}" + (f" = {s.value:g}" if s.value is not None else "") + (f" {s.unit}" if s.unit else "") +
                         (f"  ({s.doc})" if s.doc else "") for s in self._symbols.values())


def _symbols(pointer, count, symbol, values=None):
    return Symbols([Symbol(c.words(s.name), c.words(s.unit), c.words(s.doc), values[i] if values else None)
                    for i in range(count(pointer)) for s in [symbol(pointer, i)]])


class Model:
    """A mechanism, read from a file, a YAML text or a dictionary. It never changes; threads may share it.

    source  a path (str or os.PathLike), a text (a str with a line break, or one that begins with "{"), or a dictionary
    set     {name: value}: parameters, sizes and initial values to change; a text is an expression, "2*k0"
    name    what stands for the file in messages, of texts and dictionaries

    Every question of the command line is a method: m.simulate(until=50, v=0.3). A keyword that is an option of the question
    goes there, any other is a parameter, size or initial value of the model; set={"x'": 0.1} for names that are no
    Python names.
    """

    def __init__(self, source, set=None, name="model"):
        self._how = (source, dict(set or {}), name)
        pairs = setting_pairs(set)
        diags, out = c.diags(), ctypes.c_void_p()
        if isinstance(source, Mapping):
            source = json.dumps(source, default=_json_default, indent=1, ensure_ascii=False)
        elif isinstance(source, os.PathLike):
            source = os.fspath(source)
        elif not isinstance(source, str):
            raise TypeError(f"a model is read from a path, a text or a dictionary, not from {type(source).__name__}")
        elif "\n" not in source and not source.lstrip().startswith("{"):
            source = os.path.expanduser(source)
        if "\n" in source or source.lstrip().startswith("{"):
            text = source.encode()
            status = c.lib.amo_model_parse(name.encode(), text, len(text), *pairs, diags.pointer, ctypes.byref(out))
        else:
            status = c.lib.amo_model_load(os.fsencode(source), *pairs, diags.pointer, ctypes.byref(out))
        self._take(out, status, diags)

    def _take(self, out, status, diags):
        self._model = c.model(out.value)
        _errors.check(status, diags)
        self._settable, self._kept = {}, {}

    def __reduce__(self):
        return Model, self._how

    def set(self, set=None, **values):
        """The same model with other parameters, sizes or initial values."""
        values = {**(set or {}), **values}
        diags, out = c.diags(), ctypes.c_void_p()
        pairs = setting_pairs(values)
        status = c.lib.amo_model_with(self._model.pointer, *pairs, diags.pointer, ctypes.byref(out))
        other = object.__new__(Model)
        source, earlier, name = self._how
        other._how = (source, {**earlier, **values}, name)
        other._take(out, status, diags)
        return other

    # ---- names ----
    def _names(self, what, make):
        if what not in self._kept:
            self._kept[what] = make(self._model.pointer)
        return self._kept[what]

    @property
    def name(self):
        return c.words(c.lib.amo_model_name(self._model.pointer))

    @property
    def title(self):
        return c.words(c.lib.amo_model_title(self._model.pointer))

    @property
    def parameters(self):
        """Parameters with values, units and what they are; derived ones too."""
        return self._names("parameters", lambda p: _symbols(p, c.lib.amo_model_parameters, c.lib.amo_model_parameter,
                                                            c.lib.amo_model_parameter_values(p)))

    @property
    def states(self):
        """Coordinates, velocities, further states; `value` is the initial one."""
        return self._names("states", lambda p: _symbols(p, c.lib.amo_model_states, c.lib.amo_model_state,
                                                        c.lib.amo_model_initial(p)))

    @property
    def coordinates(self):
        return self._names("coordinates", lambda p: _symbols(p, c.lib.amo_model_coordinates, c.lib.amo_model_state,
                                                             c.lib.amo_model_initial(p)))

    @property
    def contacts(self):
        return self._names("contacts", lambda p: _symbols(p, c.lib.amo_model_contacts, c.lib.amo_model_contact))

    @property
    def outputs(self):
        return self._names("outputs", lambda p: _symbols(p, c.lib.amo_model_outputs, c.lib.amo_model_output))

    def settable(self, name):
        """Is it the name of a parameter, a size or an initial value?"""
        if name not in self._settable:
            self._settable[name] = c.lib.amo_model_settable(self._model.pointer, name.encode())
        return self._settable[name]

    def __repr__(self):
        counts = ((len(self.coordinates), "coordinate"), (len(self.contacts), "contact"))
        return f"<model {self.name or 'without a name'}: " + ", ".join(f"{n} {what}{'s' if n != 1 else ''}" for n, what in counts) + ">"

    def __str__(self):
        return str(self.ask("describe"))

    def _repr_html_(self):
        return self.ask("describe")._repr_html_()

    # ---- questions ----
    def ask(self, verb, *, progress=None, motion=True, **keywords):
        """Ask a question by its name; the methods of the same names say what they take."""
        verb = _verbs.find(verb)
        options, settings = _verbs.sort_keywords(verb, keywords, self.settable)
        self._check_names(verb, settings)
        if settings:
            options["set"] = {n: setting_text(n, v) for n, v in settings.items()}
        return ask(self._model, verb.name, options, progress, motion and verb.records_motion)

    sweep_over = _many.sweep_over
    ensemble = _many.ensemble

    def _check_names(self, verb, settings):
        for name in settings:
            if not self.settable(name):
                raise _errors.InputError(_unknown(self, verb, name))


def _unknown(model, verb, name):
    import difflib
    near = difflib.get_close_matches(name, [*verb.options, *model.parameters, *model.states], 1)
    guess = f"; did you mean '{near[0]}'?" if near else ""
    return f"'{name}' is neither an option of {verb.name} nor a name of the model {model.name} that can be set{guess}"
