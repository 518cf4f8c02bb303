# SPDX-License-Identifier: Apache-2.0
"""Does a value conform to a JSON Schema (draft 7)? As much of it as our schemas use; anything else in a schema is an error.

errors(schema, value) -> list of "path: what is wrong", empty if it conforms.
seen: a set that gets the place in the schema of every property that a value had.
"""
import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
KNOWN = {"$schema", "$id", "title", "description", "unit", "default", "examples", "definitions", "type", "enum", "const", "properties",
         "patternProperties", "additionalProperties", "required", "items", "anyOf", "oneOf", "allOf", "not", "$ref", "minItems",
         "maxItems", "minProperties", "maxProperties", "pattern", "minimum", "maximum", "exclusiveMinimum", "if", "then", "else",
         "propertyNames", "minLength"}


def is_type(value, name):
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if name == "integer":
        return is_type(value, "number") and float(value).is_integer()
    return isinstance(value, TYPES[name])


class Check:
    def __init__(self, root, seen=None):
        self.root, self.seen = root, seen

    def target(self, ref):
        node = self.root
        for part in ref.lstrip("#/").split("/"):
            node = node[part]
        return node

    def group(self, s, value, path, place):
        for key in s.get("required", []):
            if key not in value:
                yield "%s: '%s' is missing" % (path, key)
        if not s.get("minProperties", 0) <= len(value) <= s.get("maxProperties", 1e9):
            yield "%s: number of entries" % path
        for key, item in value.items():
            inner, known = "%s.%s" % (path, key), False
            if "propertyNames" in s:
                yield from self.errors(s["propertyNames"], key, inner, place)
            if key in s.get("properties", {}):
                known = True
                yield from self.errors(s["properties"][key], item, inner, place + "." + key)
            for pattern, of in s.get("patternProperties", {}).items():
                if re.search(pattern, key):
                    known = True
                    yield from self.errors(of, item, inner, place + "." + pattern)
            rest = s.get("additionalProperties", True)
            if not known and rest is False:
                yield "%s: unknown key" % inner
            elif not known and rest is not True:
                yield from self.errors(rest, item, inner, place + ".*")

    def errors(self, s, value, path="", place=""):
        if s is True or s is False:
            if s is False:
                yield "%s: nothing may stand here" % path
            return
        strange = set(s) - KNOWN
        if strange:
            raise ValueError("the schema has %s" % ", ".join(sorted(strange)))
        if self.seen is not None:
            self.seen.add(place)
        if "$ref" in s:
            yield from self.errors(self.target(s["$ref"]), value, path, place)
            return
        types = s.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(is_type(value, t) for t in types):
            yield "%s: %s is not %s" % (path, repr(value)[:60], " or ".join(types))
            return
        if "enum" in s and not any(value == e and isinstance(value, bool) == isinstance(e, bool) for e in s["enum"]):
            yield "%s: %r is none of %s" % (path, value, s["enum"])
        if "const" in s and value != s["const"]:
            yield "%s: %r is not %r" % (path, value, s["const"])
        for of in s.get("allOf", []):
            yield from self.errors(of, value, path, place)
        for some in ("anyOf", "oneOf"):
            if some in s:
                tries = [list(self.errors(of, value, path, place)) for of in s[some]]
                good = sum(not t for t in tries)
                if good < 1 or (some == "oneOf" and good > 1):
                    yield "%s: %s" % (path, "; ".join(min(tries, key=len)) if good < 1 else "several ways to read it")
        if "if" in s:
            way = "else" if list(self.errors(s["if"], value, path, place)) else "then"
            yield from self.errors(s.get(way, True), value, path, place)
        if "not" in s and not list(self.errors(s["not"], value, path, place)):
            yield "%s: is what it must not be" % path
        if isinstance(value, dict):
            yield from self.group(s, value, path, place)
        elif isinstance(value, list):
            if not s.get("minItems", 0) <= len(value) <= s.get("maxItems", 1e9):
                yield "%s: number of items" % path
            for i, item in enumerate(value):
                yield from self.errors(s.get("items", True), item, "%s[%d]" % (path, i), place + "[]")
        elif isinstance(value, str):
            if "pattern" in s and not re.search(s["pattern"], value):
                yield "%s: %r does not look like %s" % (path, value, s["pattern"])
            if len(value) < s.get("minLength", 0):
                yield "%s: it is empty" % path
        elif is_type(value, "number"):
            if not s.get("minimum", value) <= value <= s.get("maximum", value) or value <= s.get("exclusiveMinimum", -float("inf")):
                yield "%s: %r is out of range" % (path, value)


def errors(schema, value, seen=None):
    return list(Check(schema, seen).errors(schema, value))


def places(schema, place=""):
    """Every place of a schema without references that a property or item can stand at."""
    for key, of in schema.get("properties", {}).items():
        yield place + "." + key
        yield from places(of, place + "." + key)
    rest = schema.get("additionalProperties")
    if isinstance(rest, dict):
        yield from places(rest, place + ".*")
    if "items" in schema:
        yield from places(schema["items"], place + "[]")
