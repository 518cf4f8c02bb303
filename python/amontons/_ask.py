# SPDX-License-Identifier: Apache-2.0
"""One question: options to text, the call, the answer."""
import ctypes
import json
import math
import numbers
import os

from . import _errors
from . import _library as c
from ._result import Result
from ._work import Watch, stoppable


def _json_default(value):
    if hasattr(value, "tolist"):  # NumPy
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{type(value).__name__} is neither a number, a text, a list nor a mapping")


def _bare(value):
    return value.item() if getattr(value, "ndim", None) == 0 and hasattr(value, "item") else value  # a scalar of NumPy


def _refuse_unusable(name, value):
    """Numbers that are none, wherever they stand."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, (list, tuple)) else ()
    for _, x in inside:
        _refuse_unusable(name, x)
    value = _bare(value)
    if isinstance(value, numbers.Real) and not math.isfinite(value):
        raise _errors.InputError(f"{name}: {value} in the place of a number")


def text_of(options):
    """Options as the library reads them. Numbers keep all their bits."""
    for name, value in options.items():
        _refuse_unusable(name, value)
    try:
        return json.dumps(options, default=_json_default, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError) as why:
        raise _errors.InputError(f"options: {why}") from None


def setting_text(name, value):
    """A setting as a text: numbers keep all their bits, texts are expressions."""
    value = _bare(value)
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        many = "; sweep_over asks with each of many values" if getattr(value, "ndim", 0) or isinstance(value, (list, tuple)) else ""
        raise _errors.InputError(f"{name} of a model is one number or an expression as a text, not {type(value).__name__}{many}")
    _refuse_unusable(name, value)
    return json.dumps(value if isinstance(value, int) else float(value))


def setting_pairs(settings):
    """{name: value} as the library takes it."""
    return c.settings((n, setting_text(n, v)) for n, v in (settings or {}).items())


def call(model, values, verb, options, watch, motion=False):
    """In this thread. Raises what is wrong; `model` and `values` may be None."""
    opts = c.default(c.AskOpts)
    opts.stop = ctypes.pointer(watch.stop)
    opts.record = bool(motion)
    if watch.callback:
        opts.progress = ctypes.cast(watch.callback, ctypes.c_void_p)
    diags, out = c.diags(), ctypes.c_void_p()
    status = c.lib.amo_ask(model.pointer if model else None, values, verb.encode(),
                           text_of(options).encode() if options else None, ctypes.byref(opts), diags.pointer,
                           ctypes.byref(out))
    result = Result(out.value, verb) if out.value else None
    return status, diags, result


def ask(model, verb, options, progress=None, motion=False):
    """Ask, stoppable; warnings and exceptions as the command line would say them."""
    watch = Watch(progress)
    try:
        status, diags, result = stoppable(lambda: call(model, None, verb, options, watch, motion), watch.stop)
    finally:
        watch.close()
    _errors.check(status, diags, result)
    return result
