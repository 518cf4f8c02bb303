# SPDX-License-Identifier: Apache-2.0
"""The same mechanism in other variables: other units, mirrored coordinates, another origin of time.

Every coordinate x of a model becomes X = a x, time T = b (t + shift), energies E -> e E and places P -> l P, by rewriting
the text of the model: leaves are replaced (x by X/a), and what the sections hold (masses, forces, gaps) is multiplied by its
factor. Parameters, definitions and outputs keep their values. The answers are then taken back (`Back`), and must agree: to
the bit where all factors are powers of two or -1.
"""
from copy import deepcopy

from expression import Rewriter, Unknown, read_reference, sides, tokens

SILENT = {"amontons", "name", "title", "doc", "units", "sizes"}  # sections without anything to change
NOTES = {"doc", "unit", "drawn", "on"}                           # keys of parts and contacts without numbers


def family(key):
    """`x[i=1..N]'` -> (x, {i}, [i=1..N], '): name, bound variables, index, primes."""
    base, rest = key, ""
    primes = len(key) - len(key.rstrip("'"))
    core = key.rstrip("'")
    if "[" in core:
        base, rest = core.split("[", 1)
        rest = "[" + rest
        variable = rest[1:].split("=")[0]
        return base, ({variable} if "=" in rest else set()), rest, primes
    return core, set(), "", primes


def number(value):
    return repr(float(value))


class Change:
    """What becomes of a model, and of what the program says about it."""

    def __init__(self, model, coordinates=None, states=None, length=1.0, time=1.0, energy=1.0, shift=0.0, slips=None,
                 gaps=None):
        self.model = model
        self.scale = dict(coordinates or {})  # coordinate -> a
        self.states = dict(states or {})      # state of the section `states` -> factor
        self.length, self.time, self.energy, self.shift = length, time, energy, shift
        self.slips = dict(slips or {})        # contact -> sign of its slip velocity, or (sign, sign)
        self.gaps = dict(gaps or {})          # contact -> sign of the gap of a guide
        self.laws = {}                        # contact -> names of the states of its law
        self.given = {family(k)[0] for k in model.get("prescribed", {})}
        self.velocity = length / time
        self.force = energy / length
        self.names = self.kinds()
        self.rewriter = Rewriter(self.leaf, self.call)
        self.law_rewriter = Rewriter(self.law_leaf, self.call)

    def kinds(self):
        """Every name of the model's shared set -> what it is."""
        kinds = {}
        for section in ("sizes", "parameters", "definitions"):
            for key in self.model.get(section, {}) or {}:
                kinds[family(key)[0]] = "value"
        for key in listed(self.model.get("coordinates", {})):
            kinds[family(key)[0]] = "coordinate"
        for key in self.model.get("states", {}) or {}:
            kinds[family(key)[0]] = "state"
        for key, contact in (self.model.get("contacts", {}) or {}).items():
            law = contact.get("law", {}) if isinstance(contact, dict) else {}
            states = law.get("states", {}) if isinstance(law, dict) else {}
            self.laws[family(key)[0]] = {family(k)[0] for k in states}
        return kinds

    def coordinate(self, name):
        return self.scale.get(name, 1.0)

    def state(self, name):
        return self.states.get(name, 1.0)

    # ---- expressions ------------------------------------------------------------------------------
    def factor(self, ref):
        """New value over old value of a leaf, apart from the shift of time."""
        kind = self.names.get(ref.base)
        if ref.base in ("t", "time") and not ref.primes:
            return self.time
        if ref.field:
            return self.quantity(ref)
        if kind == "coordinate":
            return self.coordinate(ref.base) / self.time ** ref.primes
        if kind == "state":
            return self.state(ref.base) / self.time ** ref.primes
        return self.time ** -ref.primes

    def quantity(self, ref):
        """belt.slip, rod.force, X.drive, energy.total"""
        base, field = ref.base, ref.field
        if base == "energy":
            return self.energy
        if field == "drive":
            return self.energy / self.coordinate(base)
        if base in names_of(self.model.get("constraints", {}), "constraint"):
            return self.constraint(base)
        return self.of_element(base, field) if ref.element else self.of_contact(base, field)

    def of_element(self, base, field):
        """An element of a contact has coefficients, or forces as its law."""
        law = next(c["law"] for k, c in self.model["contacts"].items() if family(k)[0] == base)
        force = self.force if law.get("in") == "force" else 1.0
        own = self.slips.get(base, 1)
        return {"force": force * own, "friction": force * own, "bound": force, "normal": 1.0, "reaction": 1.0}.get(
            field) or self.of_contact(base, field)

    def of_contact(self, base, field):
        sign = self.slips.get(base, 1)
        one, two = sign if isinstance(sign, tuple) else (sign, sign)
        own = 1 if isinstance(sign, tuple) else sign  # spatial contacts have a speed, and friction against it
        factors = {"slip": self.velocity * own, "slip1": self.velocity * one, "slip2": self.velocity * two,
                   "force": self.force * own, "force1": self.force * one, "force2": self.force * two,
                   "bound": self.force, "sigma": own, "t_stick": self.time, "pause": self.time, "z": self.velocity * self.time * own,
                   "normal": self.force * self.gaps.get(base, 1), "reaction": self.force * self.gaps.get(base, 1),
                   "gap": self.length * self.gaps.get(base, 1)}
        if field in self.laws.get(base, ()):
            return 1.0
        if field == "phi":
            return self.force if self.model["contacts"][base]["law"].get("in") == "force" else 1.0
        if field not in factors:
            raise Unknown("quantity .%s" % field)
        return factors[field]

    def pressing(self):
        """Constraints that joints name: lengths, their multipliers are forces."""
        named_ = [c.get("joint", []) for c in (self.model.get("contacts") or {}).values() if isinstance(c, dict)]
        return {family(n)[0] for names in named_ for n in (names if isinstance(names, list) else [names])}

    def constraint(self, name):
        text = constraint_texts(self.model)[name]
        if name in self.pressing():
            return self.force
        return self.energy / self.time if "'" in text or "rate(" in text else self.energy

    def leaf(self, ref):
        if ref.base in ("t", "time") and not ref.primes and self.shift:
            return "(%s*t-%s)" % (number(1 / self.time), number(self.shift))
        factor = self.factor(ref)
        return ref.text() if factor == 1 else "(%s*%s)" % (number(1 / factor), ref.text())

    def law_leaf(self, ref):
        if ref.base == "s" and not ref.primes and self.velocity != 1:
            return "(%s*s)" % number(1 / self.velocity)
        return ref.text() if ref.base == "s" else self.leaf(ref)

    def friction_leaf(self, ref):
        if ref.base != "F" or ref.primes:
            return self.leaf(ref)
        return "(%s*F)" % number(1 / self.force) if self.force != 1 else "F"

    def call(self, name, inner, ref):
        factor = 1 / self.time if name == "rate" else 1 / self.factor(ref)
        text = "rate(%s)" % inner if name == "rate" else "diff(%s,%s)" % (inner, ref.text())
        return text if factor == 1 else "(%s*%s)" % (number(1 / factor), text)

    def value(self, text, factor=1.0, bound=(), law=False):
        """An expression of the state, its value multiplied by `factor`."""
        new = (self.law_rewriter if law else self.rewriter).text(text, bound)
        return new if factor == 1 else "%s*(%s)" % (number(factor), new)

    def equation(self, text, factor, bound):
        left, sign, right = sides(text)
        if not sign:
            return self.value(text, factor, bound)
        return "%s %s %s" % (self.value(left, factor, bound), sign, self.value(right, factor, bound))

    # ---- places -------------------------------------------------------------------------------------
    def place(self, node, bound):
        """A point: [x, y], the name of a part, or {on: body, at: [a, b]}."""
        if isinstance(node, list):
            return [self.value(c, self.length, bound) for c in node]
        if isinstance(node, dict):
            unknown_keys(node, {"on", "at", "angle", "doc"})
            return {k: self.place(v, bound) if k == "at" else self.value(v, 1, bound) if k == "angle" else v
                    for k, v in node.items()}
        return node

    def part(self, node, bound):
        factors = {"mass": self.energy * self.time ** 2 / self.length ** 2, "inertia": self.energy * self.time ** 2,
                   "angle": 1.0}
        out = {}
        for key, value in node.items():
            if key == "at":
                out[key] = self.place(value, bound)
            elif key in factors:
                out[key] = self.value(value, factors[key], bound)
            elif key not in NOTES:
                raise Unknown("%s of a part" % key)
        return out

    # ---- sections -------------------------------------------------------------------------------------
    def apply(self):
        out = {}
        for section, node in self.model.items():
            if section in SILENT:
                out[section] = deepcopy(node)
            elif section in ("plot", "draw"):
                continue  # pictures change no answer
            else:
                method = getattr(self, "do_" + section, None)
                if method is None:
                    raise Unknown("section %s" % section)
                out[section] = method(node)
        if self.shift and "time" not in out.get("initial", {}):
            out.setdefault("initial", {})["time"] = number(self.time * self.shift)
        return out

    def each(self, node, change):
        """A map (or list) of named things; change(node, bound variables, name)."""
        if isinstance(node, list):
            return [change(item, frozenset(), "") for item in node]
        return {key: change(item, frozenset(family(key)[1]), family(key)[0]) for key, item in node.items()}

    def do_parameters(self, node):
        return deepcopy(node)

    def do_coordinates(self, node):
        return deepcopy(node)

    def do_definitions(self, node):
        return self.each(node, lambda item, bound, _: [self.value(i, 1, bound) for i in item]
                         if isinstance(item, list) else self.value(item, 1, bound))

    def do_particles(self, node):
        return self.each(node, lambda item, bound, _: self.part(item, bound))

    do_bodies = do_particles

    def do_points(self, node):
        return self.each(node, lambda item, bound, _: self.place(item, bound))

    def do_gravity(self, node):
        factor = self.length / self.time ** 2
        return [self.value(c, factor) for c in node] if isinstance(node, list) else self.value(node, factor)

    def element(self, item, bound, coefficient):
        factors = dict(coefficient, along=self.length, rest=self.length)
        out = {}
        for key, value in item.items():
            if key == "between":
                out[key] = [self.place(end, bound) for end in value]
            elif key in factors:
                out[key] = self.value(value, factors[key], bound)
            elif key not in NOTES:
                raise Unknown("%s of a spring" % key)
        return out

    def stiffness(self):
        return {"stiffness": self.energy / self.length ** 2}

    def damping(self):
        return {"damping": self.energy * self.time / self.length ** 2}

    def do_springs(self, node):
        return self.each(node, lambda item, bound, _: self.element(item, bound, self.stiffness()))

    def do_dampers(self, node):
        return self.each(node, lambda item, bound, _: self.element(item, bound, self.damping()))

    def do_energy(self, node):
        factors = {"kinetic": self.energy, "potential": self.energy, "dissipation": self.energy / self.time}
        unknown_keys(node, set(factors))
        return {k: self.value(v, factors[k]) for k, v in node.items()}

    def do_forces(self, node):
        return self.each(node, lambda item, bound, name: self.value(item, self.energy / self.coordinate(name), bound))

    def load(self, item, bound, _):
        out = {}
        for key, value in item.items():
            if key in ("on", "at"):
                out[key] = self.place(value, bound)
            elif key == "force":
                out[key] = [self.value(c, self.force, bound) for c in value]
            elif key == "moment":
                out[key] = self.value(value, self.energy, bound)
            elif key in ("follower", "doc"):
                out[key] = value
            else:
                raise Unknown("%s of a load" % key)
        return out

    def do_loads(self, node):
        return self.each(node, self.load)

    def do_constraints(self, node):
        lengths = self.pressing()
        return self.each(node, lambda item, bound, name: self.equation(item, self.length if name in lengths else 1.0,
                                                                       bound))

    def do_prescribed(self, node):
        return self.each(node, lambda item, bound, name: self.value(item, self.coordinate(name), bound))

    def do_states(self, node):
        def one(item, bound, name):
            unknown_keys(item, {"rate", "initial", "unit", "doc"})
            new = {"rate": self.value(item["rate"], self.state(name) / self.time, bound)}
            if "initial" in item:
                new["initial"] = self.value(item["initial"], self.state(name), bound)
            return new
        return self.each(node, one)

    def do_require(self, node):
        return [dict(item, condition=self.value(item["condition"])) if isinstance(item, dict) else self.value(item)
                for item in node]

    def do_outputs(self, node):
        def one(item, bound, _):
            if isinstance(item, dict):
                return dict(item, value=self.value(item["value"], 1, bound))
            return [self.value(i, 1, bound) for i in item] if isinstance(item, list) else self.value(item, 1, bound)
        return self.each(node, one)

    def do_initial(self, node):
        out = {}
        for key, item in node.items():
            if key == "time":
                out[key] = self.value(item, self.time) if not self.shift else \
                    "%s*(%s)" % (number(self.time), "(%s)+%s" % (item, number(self.shift)))
                continue
            bound = family(key)[1]
            factor = self.factor(named(key))
            if isinstance(item, list):
                out[key] = [self.value(i, factor, bound) for i in item]
            elif isinstance(item, dict):
                unknown_keys(item, {"guess"})
                out[key] = {"guess": self.value(item["guess"], factor, bound)}
            else:
                out[key] = self.value(item, factor, bound)
        return out

    # ---- contacts -----------------------------------------------------------------------------------
    def geometry(self, node, bound):
        unknown_keys(node, {"point", "line", "curve", "of", "segment"})
        out = {"point": self.place(node["point"], bound)}
        if "segment" in node:
            out["segment"] = [self.place(end, bound) for end in node["segment"]]
        if "line" in node:
            unknown_keys(node["line"], {"through", "along"})
            along = node["line"]["along"]
            out["line"] = {"through": self.place(node["line"]["through"], bound),
                           "along": [self.value(a, 1, bound) for a in along] if isinstance(along, list)
                           else self.value(along, 1, bound)}
        if "curve" in node:
            length = number(1 / self.length)
            places = ("X", "Y", "Z")
            inner = Rewriter(lambda ref: "(%s*%s)" % (length, ref.base) if ref.base in places and self.length != 1
                             else ref.text() if ref.base in places else self.leaf(ref), self.call)
            out["curve"] = [inner.text(n, bound) for n in node["curve"]] if isinstance(node["curve"], list) \
                else inner.text(node["curve"], bound)
        if "of" in node:
            out["of"] = node["of"]
        return out

    def gap(self, node, bound, name):
        if isinstance(node, dict):
            if self.gaps.get(name, 1) != 1:
                raise Unknown("a mirrored gap by geometry")
            return self.geometry(node, bound)
        factor = self.length * self.gaps.get(name, 1)
        if isinstance(node, list):  # along a curve in space
            return [self.equation(n, factor, bound) for n in node]
        return self.equation(node, factor, bound)

    def slip(self, node, bound, name):
        sign = self.slips.get(name, 1)
        if isinstance(node, list):
            signs = sign if isinstance(sign, tuple) else (sign, sign)
            return [self.value(n, self.velocity * s, bound) for n, s in zip(node, signs)]
        return self.value(node, self.velocity * sign, bound)

    def law(self, node, bound):
        force = self.force if node.get("in") == "force" else 1.0
        slope = force / self.velocity
        factors = {"static": force, "kinetic": force, "level": force, "mu": force, "speed": self.velocity,
                   "viscous": slope, "rate": 1 / self.time, "decay": 1 / self.time, "growth": 1.0, "height": 1.0,
                   "exponent": 1.0, "A": 1.0, "n": 1.0, "sigma1": slope, "sigma2": slope,
                   "sigma0": slope / self.time, "stiffness": slope / self.time}
        if node.get("type") == "breakaway":
            factors.update({"excess": force, "part": 1.0, "beta": self.time / self.force, "loading": self.force / self.time})
        if node.get("type") == "cubic":
            factors["slope"] = slope
        if node.get("type") == "lagged":
            factors["tau"] = self.time
        if node.get("type") == "bouc-wen":
            factors["beta"] = factors["gamma"] = (self.velocity * self.time) ** -self.plain(node.get("n", 1))
        if node.get("type") == "maxwell-slip":
            factors.update({"curve": 1.0, "attraction": force / self.time})
        own = frozenset(family(k)[0] for k in node.get("states", {})) | bound
        out = {}
        for key, value in node.items():
            if key in ("type", "in", "doc"):
                out[key] = value
            elif key == "states":
                out[key] = {k: self.law_state(v, own) for k, v in value.items()}
            elif key == "elements":
                out[key] = self.elements(value, bound, force)
            elif key in factors:
                out[key] = self.value(value, factors[key], own, law=True)
            else:
                raise Unknown("%s of a law" % key)
        return out

    def plain(self, text):
        """The number that a text is, or the parameter that it names."""
        node = (self.model.get("parameters") or {}).get(text, text)
        try:
            return float(node["value"] if isinstance(node, dict) else node)
        except ValueError:
            raise Unknown("an exponent that is no number") from None

    def law_state(self, node, bound):
        unknown_keys(node, {"stick", "slip", "initial", "reset", "doc", "unit"})
        out = {}
        for key, value in node.items():
            if key in ("stick", "slip"):
                out[key] = self.value(value, 1 / self.time, bound, law=True)
            elif key in ("initial", "reset"):
                out[key] = self.value(value, 1, bound, law=True)
        return out

    def power_law(self, node, bound):
        """k (-g)^exponent (1 - loss g')"""
        unknown_keys(node, {"k", "exponent", "loss"})
        try:
            exponent = float(node.get("exponent", 1))
        except ValueError:
            raise Unknown("an exponent that is no number") from None
        factor = {"k": self.energy / self.length ** (exponent + 1), "exponent": 1.0, "loss": self.time / self.length}
        return {key: self.value(value, factor[key], bound) for key, value in node.items()}

    def preliminary(self, node, bound):
        """Expressions of the friction F."""
        compliance = self.velocity * self.time / self.force
        factors = {"reversible": compliance, "irreversible": compliance, "above": self.force, "creep": self.velocity}
        inner = Rewriter(self.friction_leaf, self.call)
        return {key: "%s*(%s)" % (number(factors[key]), inner.text(value, bound)) for key, value in node.items()}

    def elements(self, node, bound, force):
        slope = force / self.velocity
        factors = {"stiffness": slope / self.time, "damping": slope, "limit": force, "share": 1.0}
        return {self.element_key(key): {k: self.value(v, factors[k], frozenset(family(key)[1]) | frozenset(bound))
                      for k, v in item.items() if k in factors} for key, item in node.items()}

    def element_key(self, key):
        return key

    def stick(self, node, bound, law):
        """A stick that gives: one element, or several."""
        force = self.force if law.get("in") == "force" else 1.0
        one = {k: v for k, v in node.items() if k in ("stiffness", "damping")}
        out = dict(self.elements({"stick": one}, bound, force)["stick"])
        if "elements" in node:
            out["elements"] = self.elements(node["elements"], bound, force)
        if "attraction" in node:
            out["attraction"] = self.value(node["attraction"], force / self.time, bound)
        return out

    def contact(self, node, bound, name):
        if self.slips.get(name, 1) != 1 and "slip" not in node:
            raise Unknown("mirrored slip of a contact by geometry")
        out = {}
        factors = {"pressed": self.force, "restitution": 1.0}
        factors.update(self.stiffness())
        factors.update(self.damping())
        for key, value in node.items():
            if key in ("guide", "support"):
                out[key] = self.gap(value, bound, name)
            elif key == "slip":
                out[key] = self.slip(value, bound, name)
            elif key == "while":
                out[key] = [self.value(n, 1.0, bound) for n in (value if isinstance(value, list) else [value])]
            elif key == "joint":
                out[key] = [self.reaction(n) for n in value] if isinstance(value, list) else self.reaction(value)
            elif key == "law":
                out[key] = self.law(value, bound)
            elif key == "stick":
                out[key] = self.stick(value, bound, node["law"])
            elif key == "preliminary":
                out[key] = self.preliminary(value, bound)
            elif key == "stiffness" and isinstance(value, dict):
                out[key] = self.power_law(value, bound)
            elif key in factors:
                out[key] = self.value(value, factors[key], bound)
            elif key not in NOTES:
                raise Unknown("%s of a contact" % key)
        return out

    def reaction(self, name):
        """What a joint names."""
        return name

    def do_contacts(self, node):
        return self.each(node, self.contact)


def gives_way(model, name):
    """Has the contact a law that never sticks?"""
    own = next((c for k, c in model.get("contacts", {}).items() if family(k)[0] == family(name.split(".")[0])[0]), None) or {}
    law = own.get("law") or {}
    return "stick" in own or law.get("type") in ("dahl", "lugre", "bouc-wen", "elasto-plastic", "maxwell-slip")


# ---- what a model holds ---------------------------------------------------------------------------------
def listed(node):
    """Names of `coordinates: [x, y]` or `coordinates: {x: ...}`."""
    return list(node)


def named(key):
    """The reference that a name of a state, an initial value or a column stands for."""
    return read_reference(tokens(key.replace("..", " ")), 0)[0]


def names_of(node, word):
    """Names of a section; of a list constraint1, constraint2, ..."""
    if isinstance(node, list):
        return ["%s%d" % (word, i + 1) for i in range(len(node))]
    return [family(k)[0] for k in node or {}]


def constraint_texts(model):
    node = model.get("constraints", {})
    return dict(zip(names_of(node, "constraint"), node if isinstance(node, list) else node.values()))


def unknown_keys(node, known):
    for key in node:
        if key not in known:
            raise Unknown("key %s" % key)
