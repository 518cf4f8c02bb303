# SPDX-License-Identifier: Apache-2.0
"""What the program says, as a flat list of values in the variables of the original model, and how two lists differ."""
from change import family, gives_way, named

SKIP = object()  # a value that is no part of the answer (effort, texts)


class Value:
    def __init__(self, value, scale=None):
        self.value = value  # number, text, truth value or None
        self.scale = scale  # size against which a difference counts; None: the value's own


class Back:
    """Takes answers about a changed model back to the variables of the original one."""

    def __init__(self, change, contacts=None):
        self.change = change
        self.at_rest = False  # contacts that give way have the modes of those that stick
        self.contacts = contacts  # names in order of the strings of modes; None: as the model has them

    # ---- factors --------------------------------------------------------------------------------------
    def of_name(self, name, outputs=()):
        """Factor of a state, column or output by its name."""
        if name in outputs and not self.prescribed(name):
            return 1.0
        return self.change.factor(named(name))

    def prescribed(self, name):
        """X, X', X.drive of a prescribed coordinate are outputs that nobody wrote."""
        return named(name).base in self.change.given

    def time(self, t):
        return t / self.change.time - self.change.shift

    def mode(self, contact, mode):
        sign = self.change.slips.get(family(contact.split(".")[0])[0], 1)
        if self.at_rest == ("." in contact) and gives_way(self.change.model, contact):
            return mode  # it has one, and at rest its elements have
        return mode * sign if mode in (-1, 0, 1) and not isinstance(sign, tuple) else mode

    def side(self, contact, sign):
        return sign * self.change.gaps.get(family(contact)[0], 1)

    def of_contact(self, contact, field, value):
        if value is None or isinstance(value, str):
            return value
        change = self.change.of_element if "." in contact else self.change.of_contact
        return value / change(family(contact.split(".")[0])[0], field)

    # ---- verbs ----------------------------------------------------------------------------------------
    def states(self, out, path, states, scale=None):
        for name, value in states.items():
            old = None if value is None else value / self.of_name(name)
            out[path + name] = Value(old, (scale or {}).get(name))

    def output(self, name, value, scale=None):
        return Value(None if value is None else value / self.of_name(name, {name}), scale)

    def simulate(self, data):
        out, outputs = {}, set(data["final"].get("outputs", {}))
        scale = self.scales(data, outputs)
        out["ended"] = Value(data["ended"])
        out["audit.ok"] = Value(data["audit"]["ok"])
        for contact, mode in data["initial"]["modes"].items():
            out["initial.modes." + contact] = Value(self.mode(contact, mode))
        span = self.time(data["final"]["t"]) - self.time(data["start"])
        events = self.distinct(data["events"], span)
        for i, event in enumerate(events):
            self.event(out, "events[%d]." % i, event, scale, span)
        out["events.count"] = Value(len(events))
        out["final.t"] = Value(self.time(data["final"]["t"]), span)
        self.states(out, "final.", data["final"]["state"], scale)
        for contact, mode in data["final"]["modes"].items():
            out["final.modes." + contact] = Value(self.mode(contact, mode))
        for name, value in data["final"].get("outputs", {}).items():
            out["final.outputs." + name] = self.output(name, value, scale.get(name))
        for name in ("stick_fraction", "open_fraction"):
            for contact, value in data[name].items():
                out["%s.%s" % (name, contact)] = Value(value, 1.0)
        for contact, value in data["episodes"].items():
            out["episodes." + contact] = Value(value)
        self.extrema(out, data, outputs, scale)
        return out

    def scales(self, data, outputs):
        """Largest size of every quantity over the run."""
        scale = {}
        for name, range_ in data["extrema"].items():
            if range_.get("min") is not None and range_.get("max") is not None:
                scale[name] = max(abs(range_["min"]), abs(range_["max"])) / abs(self.of_name(name, outputs))
        span = self.time(data["final"]["t"]) - self.time(data["start"])
        places = [n for n in scale if n + "'" in scale]
        largest = max([scale[n] for n in places] + [0.0])
        for name in places:  # a coordinate that does not move: rounding of the others
            scale[name] = max(scale[name], 1e-6 * largest)
        for name in list(scale):  # a velocity that vanishes: rounding of the place over the run
            if name + "'" in scale and span > 0:
                scale[name + "'"] = max(scale[name + "'"], scale[name] / span)
        fastest = max([v for n, v in scale.items() if n.endswith("'")] + [0.0])
        for name in scale:  # a slip that vanishes is the difference of speeds that do not
            if name.split(".")[-1] in ("slip", "slip1", "slip2"):
                scale[name] = max(scale[name], fastest)
        forces = [n for n in scale if n.split(".")[-1] in ("force", "force1", "force2")]
        strongest = max([scale[n] for n in forces] + [0.0])
        for name in forces:  # a force that vanishes: rounding of the others
            scale[name] = max(scale[name], 1e-6 * strongest)
        return scale

    def extrema(self, out, data, outputs, scale):
        for name, range_ in data["extrema"].items():
            factor = self.of_name(name, outputs)
            ends = [range_.get("min"), range_.get("max")]
            if None not in ends:
                ends = sorted(e / factor for e in ends)
            out["extrema.%s.min" % name] = Value(ends[0], scale.get(name))
            out["extrema.%s.max" % name] = Value(ends[1], scale.get(name))
        for kind in ("mean", "rms"):
            for name, value in data[kind].items():
                factor = self.of_name(name, outputs)
                value = None if value is None else value / (abs(factor) if kind == "rms" else factor)
                out["%s.%s" % (kind, name)] = Value(value, scale.get(name))

    def distinct(self, events, span):
        """Branches of expressions that change together are one event, whatever rounding makes of their times."""
        kept = []
        for event in events:
            near = kept and abs(event["t"] - kept[-1]["t"]) <= 1e-9 * span * self.change.time
            if event["contact"] is not None or not (near and kept[-1]["contact"] is None):
                kept.append(event)
        # what happens together has no order
        return sorted(kept, key=lambda e: (round(e["t"] / (1e-9 * span * self.change.time)) if span > 0 else 0,
                                           e["contact"] or ""))

    def event(self, out, path, event, scale, span):
        contact = event["contact"]
        out[path + "t"] = Value(self.time(event["t"]), span)
        out[path + "contact"] = Value(contact)
        out[path + "kind"] = Value(event["kind"])
        if contact is not None:
            # from and to are signs: of the reaction of a guide where that changes, else of the slip
            turn = self.side if event["kind"] == "reaction" else self.mode
            out[path + "from"] = Value(turn(contact, event["from"]))
            out[path + "to"] = Value(turn(contact, event["to"]))
            for field in ("slip", "force"):
                if field in event:
                    out[path + field] = Value(self.of_contact(contact, field, event[field]),
                                              scale.get(contact + "." + field))
        self.states(out, path + "state.", event.get("state", {}), scale)

    def evaluate(self, data):
        out = {}
        self.states(out, "state.", data["state"])
        for contact, mode in data["modes"].items():
            out["modes." + contact] = Value(self.mode(contact, mode))
        rate = {n: v * self.change.time / self.of_name(n) for n, v in data["rates"].items() if v is not None}
        size = max([abs(v) for v in rate.values()] + [1e-5])  # forces that balance leave rounding
        for name, value in rate.items():
            out["rates." + name] = Value(value, size)
        forces = [1e-300]
        for contact, values in data["contacts"].items():
            for field in ("force", "bound", "normal"):
                value = self.of_contact(contact, field, values[field])
                if isinstance(value, float):
                    forces.append(abs(value))
                    out["contacts.%s.%s" % (contact, field)] = Value(value)
            out["contacts.%s.slip" % contact] = Value(self.of_contact(contact, "slip", values["slip"]))
        for name, value in out.items():
            if name.startswith("contacts.") and not name.endswith(".slip"):
                value.scale = max(forces)
        outputs = {n: self.output(n, v) for n, v in data["outputs"].items()}
        largest = max([abs(o.value) for o in outputs.values() if o.value is not None] + [0.0])
        for name, value in outputs.items():
            value.scale = max(abs(value.value or 0.0), 1e-3 * largest)
            out["outputs." + name] = value
        for name in ("kinetic", "potential", "energy"):
            out[name] = Value(data[name] / self.change.energy, abs(data["kinetic"]) + abs(data["potential"]))
        return out

    def solution(self, out, path, solution):
        out[path + "kind"] = Value(solution["kind"])
        out[path + "stable"] = Value(solution["stable"])
        for contact, mode in solution["modes"].items():
            out[path + "modes." + contact] = Value(self.mode(contact, mode))
        loose = solution.get("indeterminate", {})
        size = self.sizes(solution)
        for kind, field in (("reactions", "reaction"), ("friction", "force")):
            for contact, value in solution[kind].items():
                if contact not in loose and not isinstance(value, (list, dict)):
                    out[path + kind + "." + contact] = Value(self.of_contact(contact, field, value), size)
        accelerations = {n: v / self.of_name(n) for n, v in solution["accelerations"].items() if v is not None}
        largest = max([abs(v) for v in accelerations.values()] + [1e-300])
        for name, value in accelerations.items():
            out[path + "accelerations." + name] = Value(value, largest)

    def sizes(self, solution):
        forces = [v for k in ("reactions", "friction") for v in solution[k].values() if isinstance(v, (int, float))]
        return max([abs(v) for v in forces] + [1e-300]) / abs(self.change.force)

    def solutions(self, out, data):
        def key(solution):
            return sorted((c, str(self.mode(c, m))) for c, m in solution["modes"].items())
        for i, solution in enumerate(sorted(data["solutions"], key=key)):
            self.solution(out, "solutions[%d]." % i, solution)

    def contact(self, data):
        out = {name: Value(data[name]) for name in ("class", "border", "count", "zero_reaction")}
        self.solutions(out, data)
        if data["chosen"] is not None:
            for contact, mode in data["solutions"][data["chosen"]]["modes"].items():
                out["chosen." + contact] = Value(self.mode(contact, mode))
        return out

    def rest(self, data):
        out = {"verdict": Value(data["verdict"]), "margin": Value(data["margin"], 1.0)}
        for contact, values in data["contacts"].items():
            out["contacts.%s.margin" % contact] = Value(values.get("margin"), 1.0)
        self.at_rest = True
        self.solutions(out, data)
        self.at_rest = False
        return out

    def steady(self, data):
        out = {name: Value(data[name]) for name in ("verdict", "order", "neutral", "locked", "frozen")}
        for contact, mode in data["modes"].items():
            out["modes." + contact] = Value(self.mode(contact, mode))
        eigenvalues = [(e["re"] * self.change.time, abs(e["im"]) * self.change.time) for e in data["eigenvalues"]]
        size = max([abs(complex(*e)) for e in eigenvalues] + [1e-300])
        order = sorted(eigenvalues, key=lambda e: (round(e[1] / size, 7), round(e[0] / size, 7)))
        for i, (real, imaginary) in enumerate(order):
            out["eigenvalues[%d].re" % i] = Value(real, size)
            out["eigenvalues[%d].im" % i] = Value(imaginary, size)
        return out

    def cycle(self, data):
        out = {"verdict": Value(data["verdict"]), "multiple": Value(data["multiple"])}
        out["period"] = Value(data["period"] / self.change.time)
        size = max([m["abs"] for m in data["multipliers"]] + [1.0])
        for i, multiplier in enumerate(data["multipliers"]):
            out["multipliers[%d].abs" % i] = Value(multiplier["abs"], size)
        out["events.count"] = Value(len(data["events"]))
        return out

    def verb(self, verb, data):
        return getattr(self, verb)(data)


def chosen(values, wanted):
    """The values whose paths the function `wanted` accepts."""
    return {path: value for path, value in values.items() if wanted(path)}


def differences(one, two, tolerance):
    """(path, value, other value) of everything that differs; tolerance 0 wants equal bits."""
    found = []
    for path in list(one) + [p for p in two if p not in one]:
        a, b = one.get(path), two.get(path)
        if a is None or b is None:
            found.append((path, a and a.value, b and b.value))
        elif not same(a, b, tolerance):
            found.append((path, a.value, b.value))
    return found


def same(a, b, tolerance):
    x, y = a.value, b.value
    numbers = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in (x, y))
    if not numbers or tolerance == 0:
        return x == y
    scale = max(a.scale or 0.0, b.scale or 0.0, 0.0 if a.scale else max(abs(x), abs(y)))
    return abs(x - y) <= tolerance * scale or x == y
