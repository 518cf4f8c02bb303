# SPDX-License-Identifier: Apache-2.0
"""Every function of the headers with arguments that make no sense: it says so, and does not fall over. Each argument is in turn
missing (NULL, NaN, 0) and there (an object made for it, a zeroed structure, 1), in all combinations. A new function falls under this
by itself."""
import ctypes
import itertools
import os
import re
import resource

import pytest

import amontons
from conftest import ROOT

TEXT = b"""amontons: 1
parameters: {k: 2}
coordinates: {x: {}}
particles: {p: {mass: 1, at: [x, 0]}}
springs: {s: {along: x, stiffness: k}}
contacts: {c: {pressed: 1, slip: x' - 0.2, law: {type: coulomb, mu: 0.1}}}
initial: {x: 1}
"""
ROOM = 1 << 16  # no public structure is larger


class Struct(ctypes.Structure):
    """Any structure that comes back by value: large ones come through a hidden pointer, small ones do not need it."""
    _fields_ = [("room", ctypes.c_char * ROOM)]


def headers():
    return "".join(re.sub(r"//[^\n]*", "", h.read_text()) for h in sorted((ROOT / "include/amontons").glob("*.h")))


def arguments(text):
    depth, parts = 0, [""]
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == "," and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip() not in ("", "void")]


def functions():
    """{name: (type it returns, [its arguments])} of those that take neither structures by value nor lists of any length."""
    text, found = headers(), {}
    structs, opaque = set(re.findall(r"typedef struct (amo_\w+)", text)), set(re.findall(r"typedef struct (amo_\w+) \1;", text))
    for kind, name, args in re.findall(r"AMO_API\s+([^;(]*?)\b(amo_\w+)\(([^;]*)\)\s*(?:AMO_PRINTF\(4, 5\))?;", text, re.S):
        args = arguments(args)
        if not any(a == "..." or "*" not in a and set(re.findall(r"amo_\w+", a)) & structs for a in args):
            found[name] = (kind.strip(), args)
    return found, structs, opaque


class Maker:
    """Objects of the library, new ones for every call: a call may free what it gets."""

    def __init__(self, library):
        self.c = library
        self.c.amo_diags_new.restype = ctypes.c_void_p
        self.keep = []

    def made(self, call, *args):
        out = ctypes.c_void_p()
        getattr(self.c, call)(*args, ctypes.byref(out))
        return out

    def model(self):
        return self.made("amo_model_parse", b"m", TEXT, ctypes.c_size_t(len(TEXT)), None, ctypes.c_size_t(0), None)

    def of(self, kind):
        """An object of an opaque type, or a zeroed structure."""
        if kind == "amo_model":
            return self.model()
        if kind == "amo_diags":
            return ctypes.c_void_p(self.c.amo_diags_new())
        if kind == "amo_sim":
            return self.made("amo_sim_new", self.model(), None, None)
        if kind == "amo_answer":
            return self.made("amo_ask", self.model(), None, b"rest", None, None, None)
        if kind == "amo_contact_search":
            return self.made("amo_contact_search_new", self.model(), None)
        if kind == "amo_lyapunov":
            return self.made("amo_lyapunov_new", self.model(), ctypes.c_double(0), ctypes.c_double(1), ctypes.c_size_t(5))
        new = {"amo_values": "amo_values_new", "amo_sample": "amo_sample_new", "amo_brake": "amo_brake_new",
               "amo_evaluation": "amo_evaluation_new"}
        if kind in new:
            return self.made(new[kind], self.model())
        assert kind not in OPAQUE, kind
        self.keep.append(ctypes.create_string_buffer(ROOM))
        if kind.endswith(("_opts", "_settings")):  # of size 0 they are refused at once
            getattr(self.c, kind + "_init")(self.keep[-1], ctypes.c_size_t(ROOM))
        return ctypes.cast(self.keep[-1], ctypes.c_void_p)

    def argument(self, text, there):
        if "(*" in text:  # functions of the caller
            return ctypes.c_void_p(None)
        if "**" in text or "[" in text or "*" in text:
            kind = re.search(r"amo_\w+", text)
            return self.of(kind.group() if kind and "**" not in text else "") if there else ctypes.c_void_p(None)
        if "double" in text:
            return ctypes.c_double(1.0 if there else float("nan"))
        return ctypes.c_size_t(1 if there else 0)


def attempt(maker, name, kind, args, structs, tell):
    call = getattr(maker.c, name)
    call.restype = Struct if kind in structs else ctypes.c_double if kind == "double" else ctypes.c_void_p
    for there in itertools.product((False, True), repeat=len(args)):
        os.write(tell, ("%s(%s)\n" % (name, ", ".join(a if t else "none" for a, t in zip(args, there)))).encode())
        call(*(maker.argument(a, t) for a, t in zip(args, there)))
        maker.keep.clear()


FOUND, STRUCTS, OPAQUE = functions()


def test_all_functions_are_looked_at():
    inline = set(re.findall(r"^static inline .*?\b(amo_\w+)\(", headers(), re.M))  # a part of the caller
    declared = set(re.findall(r"\b(amo_\w+)\(", headers())) - inline
    assert declared - set(FOUND) <= {"amo_error", "amo_warn", "amo_braking_of"}
    assert len(FOUND) > 150 and "amo_sim" in OPAQUE


@pytest.mark.parametrize("name", FOUND)
def test_nonsense(name):
    kind, args = FOUND[name]
    read, write = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
        try:
            attempt(Maker(ctypes.CDLL(amontons.library)), name, kind, args, STRUCTS, write)
            os._exit(0)
        finally:
            os._exit(3)  # an exception
    os.close(write)
    said = b""
    while part := os.read(read, 1 << 16):
        said = (said + part)[-1000:]
    os.close(read)
    assert os.waitpid(child, 0)[1] == 0, said.decode().splitlines()[-1]
