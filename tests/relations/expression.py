# SPDX-License-Identifier: Apache-2.0
"""Expressions of model files as text: what they name, and the same text with other names.

Only leaves are replaced, by text in parentheses, so the order of operations needs no parsing.
"""
import re

TOKEN = re.compile(r"""
    (?P<space>\s+)
  | (?P<number>(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?)
  | (?P<name>[^\W\d]\w*)
  | (?P<mark>\.\.|<=|>=|.)
""", re.X)

WORDS = {"and", "or", "not", "pi"}


class Unknown(Exception):
    """The transformation does not know this construct; it does not apply."""


class Reference:
    """x, x', x[i+1]', belt.slip, belt[2].force, belt.force[2], belt.e[2].z: a leaf of an expression."""

    def __init__(self, base, index="", field="", primes=0):
        self.base = base      # name before index and field
        self.index = index    # "[...]" or ""
        self.field = field    # name after the dot, or ""
        self.primes = primes  # number of primes
        self.element = ""     # ".e[2]", the part of a contact that the field is of

    def text(self, base=None, index=None):
        at = self.index if index is None else index
        dot = "." + self.field if self.field else ""
        return (base or self.base) + at + self.element + dot + "'" * self.primes


def tokens(text):
    return [(m.lastgroup, m.group()) for m in TOKEN.finditer(text) if m.lastgroup != "space"]


def closing(list_, start):
    """Index of the bracket that closes the one at `start`."""
    depth = 0
    for i in range(start, len(list_)):
        mark = list_[i][1]
        depth += (mark in ("(", "[")) - (mark in (")", "]"))
        if depth == 0:
            return i
    raise Unknown("unbalanced brackets")


def arguments(list_):
    """Tokens between the parentheses of a call, split at its own commas."""
    parts, depth = [[]], 0
    for token in list_:
        if token[0] == "mark":
            depth += (token[1] in ("(", "[")) - (token[1] in (")", "]"))
            if token[1] == "," and depth == 0:
                parts.append([])
                continue
        parts[-1].append(token)
    return parts


def read_reference(list_, at):
    """The reference that begins with the name at index `at`, and the index after it."""
    ref, i = Reference(list_[at][1]), at + 1

    def index(i):
        if i < len(list_) and list_[i][1] == "[":
            end = closing(list_, i)
            ref.index = "[" + join(list_[i + 1:end]) + "]"
            return end + 1
        return i

    i = index(i)
    if i + 1 < len(list_) and list_[i][1] == "." and list_[i + 1][0] == "name":
        ref.field = list_[i + 1][1]
        before, ref.index = ref.index, ""
        i = index(i + 2)
        if i + 1 < len(list_) and list_[i][1] == "." and list_[i + 1][0] == "name":
            ref.element, ref.index = "." + ref.field + ref.index, before
            ref.field = list_[i + 1][1]
            i += 2
        ref.index = ref.index or before
    while i < len(list_) and list_[i][1] == "'":
        ref.primes += 1
        i += 1
    return ref, i


def join(list_):
    text = ""
    for kind, value in list_:
        glue = text and kind != "mark" and (text[-1].isalnum() or text[-1] == "_")
        text += (" " if glue else "") + value
    return text


def sides(text):
    """`a = b` or `a >= b` -> (a, sign, b); (text, "", "") where there is one side."""
    depth = 0
    for match in TOKEN.finditer(text):
        mark = match.group() if match.lastgroup == "mark" else ""
        depth += (mark in ("(", "[")) - (mark in (")", "]"))
        if depth == 0 and mark in ("=", ">="):
            return text[:match.start()].strip(), mark, text[match.end():].strip()
        if depth == 0 and mark in ("<", "<=", ">"):
            raise Unknown("a gap with %s" % mark)
    return text, "", ""


class Rewriter:
    """Replaces the leaves of expressions.

    leaf(reference) gives the new text of a leaf; call(name, arguments, reference) that of rate(f) and
    diff(f, x), whose value may change with the unit of time or of x.
    """

    def __init__(self, leaf, call=None):
        self.leaf, self.call = leaf, call

    def text(self, text, bound=()):
        return self.tokens(tokens(str(text)), frozenset(bound))

    def tokens(self, list_, bound):
        out, i = "", 0
        while i < len(list_):
            kind, value = list_[i]
            if kind == "name" and i + 1 < len(list_) and list_[i + 1][1] == "(" and value not in WORDS:
                end = closing(list_, i + 1)
                out += self.function(value, arguments(list_[i + 2:end]), bound)
                i = end + 1
            elif kind == "name":
                ref, i = read_reference(list_, i)
                new = ref.text() if ref.base in WORDS else self.reference(ref, bound)
                out += (" " if out[-1:].isalnum() else "") + new + (" " if ref.base in WORDS else "")
            else:
                out += value
                i += 1
        return out

    def reference(self, ref, bound):
        if ref.index:
            ref.index = "[" + self.text(ref.index[1:-1], bound) + "]"
        return ref.text() if ref.base in bound else self.leaf(ref)

    def function(self, name, args, bound):
        if name in ("sum", "product"):
            variable = args[0][0][1]
            span = join(args[0][:2]) + self.tokens(args[0][2:], bound)
            return "%s(%s,%s)" % (name, span, self.tokens(args[1], bound | {variable}))
        if name in ("diff", "rate") and self.call:
            ref = read_reference(args[1], 0)[0] if name == "diff" else None
            return self.call(name, self.tokens(args[0], bound), ref)
        return "%s(%s)" % (name, ",".join(self.tokens(a, bound) for a in args))
