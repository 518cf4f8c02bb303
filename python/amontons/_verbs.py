# SPDX-License-Identifier: Apache-2.0
"""Methods and functions for all questions, made from the library's own tables: those behind --help."""
import inspect
import json
import keyword
import re
import textwrap

from . import _errors
from . import _library as c
from ._ask import ask

OWN = ("set", "options", "progress", "motion")  # keywords of this package, beside the options of a verb


def identifier(name):
    """max-step -> max_step, from -> from_"""
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def _pattern(path):
    """What paths a field stands for: events[].t has events[0].t, events[*].t and events[kind=stick-slip][-1].t; a part in
    capitals stands for any name."""
    parts = []
    for part in path.split("."):
        name = part.rstrip("[]")
        name = "[^.]+" if re.fullmatch(r"[A-Z]{4,}", name) else re.escape(name).replace("\\#", "[0-9]+")
        parts.append(name + r"(\[[^\]]*\])*")
    return r"\.".join(parts)


class Verb:
    """A question: its name, and its options by their Python names."""

    def __init__(self, table):
        self.table, self.name = table, table["name"]
        self.python = identifier(self.name)
        self.of = table["of"]
        files = tuple(o["name"] + "-" for o in table["options"] if o["type"] == "file")
        self.options = {identifier(o["name"]): o for o in table["options"]
                        if o["type"] != "file" and o["name"] != "set" and not o["name"].startswith(files)}
        self.records_motion = self.name in ("simulate", "quasistatic")

    def knows(self, path):
        """Could an answer have a value at this path?"""
        return any(re.fullmatch(_pattern(f["path"]), path) for f in self.table.get("fields", []))

    def signature(self, first):
        keywords = [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=default(o))
                    for n, o in self.options.items() if n != first]
        own = [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=None) for n in ("set", "options", "progress")]
        if self.records_motion:
            own.append(inspect.Parameter("motion", inspect.Parameter.KEYWORD_ONLY, default=True))
        begin = [inspect.Parameter(first, inspect.Parameter.POSITIONAL_OR_KEYWORD,
                                   default=inspect.Parameter.empty if first == "self" else None)]
        rest = [] if self.of == "record" else [inspect.Parameter("values", inspect.Parameter.VAR_KEYWORD)]
        return inspect.Signature(begin + keywords + own + rest)

    def doc(self):
        lines = [self.table["summary"], "", *_paragraphs(self.table["description"]), "", "Options:"]
        for name, o in self.options.items():
            given = f" (default {o['default']})" if o.get("default") else ""
            choices = f": {o['choices'].replace('|', ', ')}" if o.get("choices") and o["type"] == "choice" else ""
            lines += textwrap.wrap(f"{name}: {o['help']}{choices}{given}", 100, initial_indent="    ",
                                   subsequent_indent="        ", break_long_words=False)
        lines += ["", "Answer (docs/json.md):"]
        for f in self.table.get("fields", []):
            if re.fullmatch(r"\w+", f["path"]):
                unit = f" [{f['unit']}]" if f.get("unit") else ""
                lines += textwrap.wrap(f"{f['path']}: {f.get('doc', '')}{unit}", 100, initial_indent="    ",
                                       subsequent_indent="        ", break_long_words=False)
        if self.table.get("example"):
            lines += ["", "On the command line:", *("    " + s for s in self.table["example"].splitlines())]
        return "\n".join(lines)


def _paragraphs(text):
    out = []
    for paragraph in text.split("\n\n"):
        out += textwrap.wrap(paragraph, 104, break_long_words=False, break_on_hyphens=False) + [""]
    return out[:-1]


def default(option):
    """The default of an option as a Python value; None where there is none."""
    text = option.get("default")
    if option["type"] == "flag":
        return text == "true"
    if text is None:
        return None
    try:
        return int(text) if option["type"] == "integer" else float(text) if option["type"] == "number" else text
    except ValueError:
        return text  # an expression


def tables():
    """{name: Verb} in the order of the command line."""
    return {t["name"]: Verb(t) for t in json.loads(c.taken(c.lib.amo_verbs_json()))}


VERBS = tables()


def find(name):
    verb = VERBS.get(name) or VERBS.get(name.rstrip("_").replace("_", "-"))
    if verb is None:
        raise _errors.InputError(f"there is no question '{name}'; there are: {', '.join(VERBS)}")
    return verb


def _may_be_setting(value):
    return not isinstance(value, (dict, list, tuple, bool)) and not (isinstance(value, str) and re.search("[=:]", value))


def sort_keywords(verb, keywords, settable):
    """Keywords into (options, settings). What could be both must say which it is; a list, a mapping, a truth value or a text
    that is no expression ("v=0.1:1") can only be an option."""
    options, settings = dict(keywords.pop("options", None) or {}), keywords.pop("set", None)
    if isinstance(settings, str):  # "k=2, m=3": as it is
        options["set"], settings = settings, None
    settings = dict(settings or {})
    for name, value in keywords.items():
        option = verb.options.get(name)
        if option is None:
            settings[name] = value
            continue
        if value is None:
            continue
        if _may_be_setting(value) and settable(name):
            raise _errors.InputError(
                f"'{name}' is an option of {verb.name} and a name of the model; write options={{'{name}': {value!r}}} or "
                f"set={{'{name}': {value!r}}}")
        options[option["name"]] = value
    options = {verb.options[k]["name"] if k in verb.options else k: v for k, v in options.items()}
    return options, settings


def _unknown(verb, settings):
    names = ", ".join(settings)
    return _errors.InputError(f"{verb.name} has no option {names}; there are: {', '.join(verb.options)}")


def as_method(verb):
    def method(self, **keywords):
        return self.ask(verb.name, **keywords)

    method.__name__, method.__qualname__ = verb.python, "Model." + verb.python
    method.__doc__, method.__signature__ = verb.doc(), verb.signature("self")
    return method


def as_function(verb):
    """Of a verb that needs no model."""
    def function(record=None, **keywords):
        progress = keywords.pop("progress", None)
        if record is not None:
            keywords["record"] = record
        options, settings = sort_keywords(verb, keywords, lambda name: False)
        if settings:
            raise _unknown(verb, settings)
        return ask(None, verb.name, options, progress)

    function.__name__ = function.__qualname__ = verb.python
    function.__doc__, function.__signature__ = verb.doc(), verb.signature("record")
    return function
