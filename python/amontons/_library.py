# SPDX-License-Identifier: Apache-2.0
"""libamontons by ctypes: where it is, and what its functions take. Nothing else of the package knows about C."""
import ctypes
import os
import pathlib
from ctypes import POINTER, Structure, c_bool, c_char_p, c_double, c_int, c_long, c_size_t, c_void_p

OK, EINPUT, ENOANSWER, EAUDIT, ENOMEM, EIO, ERANGE, ELIMIT, EINTR, EUNSUPPORTED = range(10)

HERE = pathlib.Path(__file__).resolve().parent


def _places():
    """Where the library may be, best first."""
    named = os.environ.get("AMONTONS_LIBRARY")
    if named:
        yield named
        return
    yield str(HERE / "libamontons.so")
    if (HERE.parents[1] / "include" / "amontons" / "ask.h").exists():  # a checkout
        yield str(HERE.parents[1] / "build" / "libamontons.so")
    yield "libamontons.so.0"
    yield "libamontons.so"


def _load():
    tried = []
    for place in _places():
        if os.path.isabs(place) and not os.path.exists(place):
            tried.append(f"  {place}: there is no such file")
            continue
        try:
            return ctypes.CDLL(place), place
        except OSError as why:
            tried.append(f"  {place}: {why}")
    raise ImportError("libamontons was not found; tried\n" + "\n".join(tried) +
                      "\nBuild it (make), install it, or name it: AMONTONS_LIBRARY=/path/to/libamontons.so")


class AskOpts(Structure):
    """amo_ask_opts"""
    _fields_ = [("size", c_size_t), ("stop", POINTER(c_int)), ("progress", c_void_p), ("ctx", c_void_p),
                ("record", c_bool)]


def default(kind):
    """Options of this kind as the library has them, as much of them as is known here."""
    options = kind()
    name = next(n for n, k in STRUCTS.items() if k is kind)
    getattr(lib, name + "_init")(ctypes.byref(options), ctypes.sizeof(options))
    return options


class Setting(Structure):
    """amo_setting"""
    _fields_ = [("name", c_char_p), ("text", c_char_p)]


class Symbol(Structure):
    """amo_symbol"""
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("doc", c_char_p)]


class At(Structure):
    """amo_at"""
    _fields_ = [("file", c_char_p), ("line", c_int), ("column", c_int), ("length", c_int)]


class Diag(Structure):
    """amo_diag"""
    _fields_ = [("severity", c_int), ("at", At), ("message", c_char_p), ("hint", c_char_p)]


class Column(Structure):
    """amo_answer_column"""
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("value", POINTER(c_double)), ("rows", c_size_t)]


class Values(Structure):
    """amo_values"""
    _fields_ = [("model", c_void_p), ("param", POINTER(c_double)), ("initial", POINTER(c_double)), ("t0", c_double)]


class SimOpts(Structure):
    """amo_sim_opts"""
    _fields_ = [("size", c_size_t), ("method", c_int), ("stepper", c_int), ("tol", c_double), ("order", c_int), ("max_step", c_double),
                ("eta", c_double), ("kappa", c_double), ("eps", c_double), ("weight", c_void_p), ("audit", c_bool),
                ("certify", c_bool), ("max_steps", c_long), ("max_events", c_long), ("values", POINTER(Values)),
                ("whole", c_bool), ("compile", c_int), ("engine", c_int)]


class Ensemble(Structure):
    """amo_ensemble"""
    _fields_ = [("count", c_size_t), ("state", c_void_p), ("parameter", c_void_p), ("t0", c_double),
                ("t_end", c_double), ("final_state", c_void_p), ("final_mode", c_void_p), ("events", c_void_p),
                ("status", c_void_p), ("fate", c_void_p), ("final_time", c_void_p), ("on_event", c_void_p),
                ("ctx", c_void_p), ("stop", POINTER(c_int))]


STRUCTS = {"amo_ask_opts": AskOpts, "amo_setting": Setting, "amo_symbol": Symbol, "amo_at": At, "amo_diag": Diag,
           "amo_answer_column": Column, "amo_values": Values, "amo_sim_opts": SimOpts, "amo_ensemble": Ensemble}

Progress = ctypes.CFUNCTYPE(c_int, c_void_p, c_double)

lib, path = _load()

_model, _diags, _answer, _size, _text = c_void_p, c_void_p, c_void_p, c_size_t, c_char_p
_PROTOTYPES = {
    "amo_status_name": (_text, [c_int]),
    "amo_status_text": (_text, [c_int]),
    "amo_diags_new": (_diags, []),
    "amo_diags_free": (None, [_diags]),
    "amo_diags_count": (_size, [_diags]),
    "amo_diags_errors": (_size, [_diags]),
    "amo_diags_get": (POINTER(Diag), [_diags, _size]),
    "amo_diags_render": (c_void_p, [_diags]),
    "amo_model_load": (c_int, [_text, POINTER(Setting), _size, _diags, POINTER(_model)]),
    "amo_model_parse": (c_int, [_text, _text, _size, POINTER(Setting), _size, _diags, POINTER(_model)]),
    "amo_model_with": (c_int, [_model, POINTER(Setting), _size, _diags, POINTER(_model)]),
    "amo_model_settable": (c_bool, [_model, _text]),
    "amo_model_free": (None, [_model]),
    "amo_model_name": (_text, [_model]),
    "amo_model_title": (_text, [_model]),
    "amo_model_parameters": (_size, [_model]),
    "amo_model_parameter": (Symbol, [_model, _size]),
    "amo_model_parameter_values": (POINTER(c_double), [_model]),
    "amo_model_states": (_size, [_model]),
    "amo_model_coordinates": (_size, [_model]),
    "amo_model_state": (Symbol, [_model, _size]),
    "amo_model_initial": (POINTER(c_double), [_model]),
    "amo_model_contacts": (_size, [_model]),
    "amo_model_contact": (Symbol, [_model, _size]),
    "amo_model_outputs": (_size, [_model]),
    "amo_model_output": (Symbol, [_model, _size]),
    "amo_model_values": (POINTER(Values), [_model]),
    "amo_values_new": (c_int, [_model, POINTER(POINTER(Values))]),
    "amo_values_free": (None, [POINTER(Values)]),
    "amo_values_set": (c_int, [POINTER(Values), _size, c_double]),
    "amo_sim_new": (c_int, [_model, POINTER(SimOpts), _diags, POINTER(c_void_p)]),
    "amo_sim_free": (None, [c_void_p]),
    "amo_sim_opts_init": (None, [POINTER(SimOpts), c_size_t]),
    "amo_ensemble_engine": (c_int, [_model, POINTER(SimOpts), c_size_t]),
    "amo_ensemble_run": (c_int, [_model, POINTER(SimOpts), POINTER(Ensemble)]),
    "amo_ask_opts_init": (None, [POINTER(AskOpts), c_size_t]),
    "amo_ask": (c_int, [_model, POINTER(Values), _text, _text, POINTER(AskOpts), _diags, POINTER(_answer)]),
    "amo_answer_free": (None, [_answer]),
    "amo_answer_json": (_text, [_answer]),
    "amo_answer_print": (c_void_p, [_answer, c_int]),
    "amo_answer_number": (c_double, [_answer, _text]),
    "amo_answer_text": (_text, [_answer, _text]),
    "amo_answer_numbers": (c_int, [_answer, _text, POINTER(POINTER(c_double)), POINTER(_size)]),
    "amo_answer_columns": (_size, [_answer]),
    "amo_answer_column_at": (Column, [_answer, _size]),
    "amo_verbs_json": (c_void_p, []),
}
for _name, (_result, _arguments) in _PROTOTYPES.items():
    try:
        _function = getattr(lib, _name)
    except AttributeError:
        raise ImportError(f"{path} has no {_name}: it is of another version than this package") from None
    _function.restype, _function.argtypes = _result, _arguments

_free = ctypes.CDLL(None).free
_free.restype, _free.argtypes = None, [c_void_p]


def taken(pointer):
    """A text that the library gave away."""
    if not pointer:
        raise MemoryError("out of memory")
    try:
        return ctypes.string_at(pointer).decode("utf-8", "replace")
    finally:
        _free(pointer)


def words(text):
    """A text that the library keeps."""
    return text.decode("utf-8", "replace") if text else ""


def settings(pairs):
    """An array of amo_setting from (name, text) pairs, and its length."""
    pairs = list(pairs)
    return (Setting * max(1, len(pairs)))(*[Setting(n.encode(), t.encode()) for n, t in pairs]), len(pairs)


class Owned:
    """A pointer of the library that is freed with this object."""
    __slots__ = ("pointer", "_release", "__weakref__")

    def __init__(self, pointer, release):
        self.pointer, self._release = pointer, release

    def __del__(self):
        if self.pointer:
            self._release(self.pointer)
            self.pointer = None


def answer(pointer):
    return Owned(pointer, lib.amo_answer_free)


def model(pointer):
    return Owned(pointer, lib.amo_model_free)


def diags():
    pointer = lib.amo_diags_new()
    if not pointer:
        raise MemoryError("out of memory")
    return Owned(pointer, lib.amo_diags_free)
