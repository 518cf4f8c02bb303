# SPDX-License-Identifier: Apache-2.0
"""Models put otherwise without changing a value: two side by side in one file, sections in another order."""
from copy import deepcopy

from change import Change, family, names_of
from expression import Rewriter, Unknown

ORDERED = ("parameters", "definitions", "particles", "bodies", "points", "springs", "dampers", "forces", "loads",
           "constraints", "prescribed", "states", "contacts", "outputs")


class Renamed(Change):
    """The model with a prefix before every name it declares."""

    def __init__(self, model, prefix):
        super().__init__(model)
        self.prefix = prefix
        self.known = set(self.names) | set(names_of(model.get("constraints", {}), "constraint")) | set(self.laws)

    def leaf(self, ref):
        return ref.text(self.prefix + ref.base) if ref.base in self.known else ref.text()

    def law_leaf(self, ref):
        return ref.text() if ref.base == "s" else self.leaf(ref)

    def call(self, name, inner, ref):
        return "rate(%s)" % inner if name == "rate" else "diff(%s,%s)" % (inner, self.leaf(ref))

    def key(self, key):
        base, _, index, primes = family(key)
        dotted = key[len(base) + len(index):] if "." in key else "'" * primes
        return self.prefix + base + self.size(index) + (dotted if not "." in base else "")

    def size(self, index):
        """Ranges of families name sizes."""
        if not index:
            return ""
        head, sign, tail = index[1:-1].rpartition("=")
        return "[" + head + sign + self.rewriter.text(tail) + "]"

    def element_key(self, key):
        base, _, index, _ = family(key)
        return base + self.size(index)

    def each(self, node, change):
        if isinstance(node, list):
            raise Unknown("things without names")
        return {self.key(k): change(item, frozenset(family(k)[1]), family(k)[0]) for k, item in node.items()}

    def place(self, node, bound):
        if isinstance(node, str):
            return self.prefix + self.parts().text(node, bound)
        if isinstance(node, dict) and "on" in node:
            return dict(super().place(node, bound), on=self.prefix + self.parts().text(node["on"], bound))
        return super().place(node, bound)

    def reaction(self, name):
        return self.prefix + name

    def parts(self):
        """Names of parts are another set; their indices are expressions."""
        return Rewriter(lambda ref: ref.text(), None)

    def geometry(self, node, bound):
        out = super().geometry(node, bound)
        if "of" in node:
            out["of"] = self.prefix + node["of"]
        return out

    def do_parameters(self, node):
        def one(item, bound, _):
            if isinstance(item, dict):
                new = dict(item)
                value = item["value"]
                new["value"] = [self.value(v, 1, bound) for v in value] if isinstance(value, list) else \
                    self.value(value, 1, bound)
                return new
            return [self.value(v, 1, bound) for v in item] if isinstance(item, list) else self.value(item, 1, bound)
        return self.each(node, one)

    def do_coordinates(self, node):
        if isinstance(node, list):
            return {self.key(k): {} for k in node}
        return {self.key(k): deepcopy(v) for k, v in node.items()}

    def do_initial(self, node):
        return {k if k == "time" else self.key(k): v for k, v in super().do_initial(node).items()}

    def apply(self):
        out = super().apply()
        if "sizes" in out:
            out["sizes"] = {self.prefix + k: self.value(v) for k, v in self.model["sizes"].items()}
        return out


def without_gravity(model):
    """Weights as loads on the parts, so that each mechanism has its own."""
    new = deepcopy(model)
    gravity = new.pop("gravity", None)
    if gravity is None:
        return new
    loads = new.setdefault("loads", {})
    if isinstance(loads, list):
        raise Unknown("loads without names")
    for section in ("particles", "bodies"):
        for key, part in new.get(section, {}).items():
            base, bound, index, _ = family(key)
            vector = list(gravity) if isinstance(gravity, list) else ["0", "-(%s)" % gravity]
            vector += ["0"] * (len(part["at"]) - len(vector))
            on = base + ("[%s]" % list(bound)[0] if bound else "")
            if index and not bound:
                raise Unknown("a family of parts without index")
            loads["weight_" + base + index] = {"on": on, "force": ["(%s)*(%s)" % (part["mass"], g) for g in vector]}
    return new


def merged(one, two):
    """Two models with different names as one."""
    out = {"amontons": "1", "name": "side-by-side"}
    times = {m.get("initial", {}).get("time", "0") for m in (one, two)}
    if len(times) > 1:
        raise Unknown("starts at different times")
    for model in (one, two):
        for section, node in model.items():
            if section in ("amontons", "name", "title", "doc", "units"):
                continue
            if section == "require":
                out.setdefault(section, []).extend(node)
            elif section == "energy":
                for kind, text in node.items():
                    have = out.setdefault(section, {}).get(kind)
                    out[section][kind] = "%s + (%s)" % (have, text) if have else "(%s)" % text
            else:
                out.setdefault(section, {}).update(node)
    return out


def reordered(model):
    """Everything declared in the opposite order."""
    new = {}
    for section, node in model.items():
        if section in ORDERED and isinstance(node, dict):
            node = dict(reversed(list(node.items())))
        elif section == "coordinates":
            node = list(reversed(node)) if isinstance(node, list) else dict(reversed(list(node.items())))
        new[section] = node
    return new


def stated(model, description):
    """The model with every initial value as a number: nothing is left to the order of declarations."""
    new = dict(model)
    initial = {k: v for k, v in model.get("initial", {}).items() if k == "time" or "." in k}
    for name, state in description["states"].items():
        if state["kind"] in ("coordinate", "velocity"):
            initial[name] = repr(state["initial"])
    new["initial"] = initial
    return new
