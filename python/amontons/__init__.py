# SPDX-License-Identifier: Apache-2.0
"""Amontons: mechanical systems with dry friction.

    import amontons
    m = amontons.Model("block.yaml")
    r = m.simulate(until=50, v=0.3)
    r.events[0].t, r["final"]["state"]["x'"], r.motion["x"]

Every question of the command line is a method of Model, with the same options (max-step is max_step); statistics,
breakdowns and fit are functions of this module too. Answers have the names of docs/json.md.
"""
from . import _library, _verbs
from ._errors import (AuditFailed, Diagnostic, Error, FileError, InputError, Interrupted, LimitReached, NoAnswer,
                      Unsupported, Warning)
from ._many import Ensemble
from ._model import Model, Symbol, Symbols
from ._result import Motion, Result
from ._tree import Group, Table
from ._version import version as __version__

library = _library.path  # where libamontons was found

for _verb in _verbs.VERBS.values():
    if _verb.of != "record":
        setattr(Model, _verb.python, _verbs.as_method(_verb))
    if _verb.of != "model":
        globals()[_verb.python] = _verbs.as_function(_verb)

__all__ = ["AuditFailed", "Diagnostic", "Ensemble", "Error", "FileError", "Group", "InputError", "Interrupted", "LimitReached",
           "Model", "Motion", "NoAnswer", "Result", "Symbol", "Symbols", "Table", "Unsupported", "Warning",
           *(v.python for v in _verbs.VERBS.values() if v.of != "model")]
