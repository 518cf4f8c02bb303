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


def text_of(options):
    """Options as the library reads them. Numbers keep all their bits."""
    try:
        return json.dumps(options, default=_json_default, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError) as why:
        raise _errors.InputError(f"options: {why}") from None


def setting_text(value):
    """A setting as a text: numbers keep all their bits, texts are expressions."""
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Real) and not math.isfinite(value):
        raise _errors.InputError(f"a model cannot be asked with {value} in the place of a number")
    return text_of(value)


def call(model, values, verb, options, watch, motion=False):
    """In this thread. Raises what is wrong; `model` and `values` may be None."""
    opts = c.lib.amo_ask_opts_default()
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
