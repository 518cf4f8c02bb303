# SPDX-License-Identifier: Apache-2.0
"""What the program says about a state, held against Coulomb's law and against itself. A complaint is (class, detail)."""
from fractions import Fraction

from exact import dot
from law import Balance, Verdict, can_stop
from state import NAMES, State

ACCELERATIONS = ("x''", "y''", "f''")
ENDS = 0.01  # how long a simulation of a state lasts [s]


class Judge:
    def __init__(self, program, state, verdict):
        self.program, self.state, self.verdict = program, state, verdict
        self.balance = Balance(state, True).rough  # rows in floating point
        self.model = state.model()
        self.forces = max([1e-3] + [abs(float(v)) for v in list(state.load) + [c.press for c in state.contacts]])
        self.tolerance = 1e-6 if state.design == "tilted" or state.limit else 1e-9
        self.complaints = []
        self.chooses = False  # contact chooses a motion

    def complain(self, kind, detail=""):
        self.complaints.append((kind, detail))

    # ---- the law ------------------------------------------------------------------------------------------------
    def near(self, a, b):
        """Are these the same accelerations?"""
        size = max([self.forces / float(self.state.mass)] + [abs(float(v)) for v in list(a) + list(b)])
        return all(abs(float(x) - float(y)) <= self.tolerance * size for x, y in zip(a, b))

    def known(self, motion):
        """Is it one of the motions that the law allows?"""
        error = 1e-6 * max([self.forces / float(self.state.mass)] + [abs(float(v)) for v in motion])
        return any(self.near(motion, m) for m in self.verdict.motions) or any(
            piece.many and piece.allows(motion, error) for piece in self.verdict.pieces)

    def violation(self, solution):
        """The first condition that a listed solution does not satisfy, or None."""
        motion = [solution["accelerations"][k] for k in ACCELERATIONS]
        normal = [float(c.press) if c.kind == "pressed" else solution["reactions"].get(n)
                  for n, c in zip(NAMES, self.state.contacts)]
        friction = [solution["friction"].get(n, 0.0) for n in NAMES[:len(self.state.contacts)]]
        if None in normal + friction + motion:
            return "a value is missing"
        size = max([self.forces] + [abs(v) for v in normal + friction])
        force, speed = self.tolerance * size, self.tolerance * size * max(map(float, self.balance.inverse))
        left = [a / i - float(h) for a, i, h in zip(motion, self.balance.inverse, self.state.load)]
        active = iter(self.balance.closed)
        for row, n, f in zip(self.balance.rows, normal, friction):
            if not row.closed:
                if n or f:
                    return "an open contact carries a force"
                continue
            row = next(active)
            if row.contact.kind != "pressed":
                left = [v - a * n for v, a in zip(left, row.normal)]
            left = [v - b * f for v, b in zip(left, row.tangent)]
            broken = self.broken(row, motion, n, f, force, speed)
            if broken:
                return broken
        return "balance of forces" if max(map(abs, left)) > 10 * force else None

    @staticmethod
    def broken(row, motion, normal, friction, force, speed):
        """The condition of one closed contact that is broken, or None."""
        lift = dot(row.normal, motion) + row.normal_bias
        slide = dot(row.tangent, motion) + row.tangent_bias
        if row.contact.kind == "guide" and abs(lift) > speed:
            return "a guide is left"
        if row.contact.kind == "support":
            if normal < -force:
                return "a support pulls"
            if lift < -speed:
                return "a support is penetrated"
            if lift > speed and normal > force:
                return "a support pushes while it opens"
        bound = row.mu * abs(normal)
        if abs(friction) > bound + force:
            return "friction above its bound"
        sense = row.slip or (slide if abs(slide) > speed else 0)
        if sense and abs(friction + (bound if sense > 0 else -bound)) > force:
            return "friction of slip is not the bound against the slip"
        return None

    # ---- the verbs ----------------------------------------------------------------------------------------------
    def answer(self, verb, *options):
        got = self.program.ask(verb, self.model, *options)
        return got, got.data or {}

    def listed(self, verb, data):
        """Checks on a list of solutions; gives their motions."""
        motions = []
        for solution in data.get("solutions", []):
            broken = self.violation(solution)
            if broken:
                self.complain("%s: a listed solution breaks the law: %s" % (verb, broken), str(solution["modes"]))
            motions.append([solution["accelerations"][k] for k in ACCELERATIONS])
        missing = [m for m in self.verdict.motions if not any(self.near(m, other) for other in motions)]
        if missing and not self.verdict.continuum:
            self.complain("%s: a solution is missing" % verb, "of %d" % len(self.verdict.motions))
        return motions

    def contact(self):
        """Gives the motion that is chosen, None if none is."""
        got, data = self.answer("contact")
        if "class" not in data:
            self.complain("contact: no answer", got.why())
            return None
        motions = self.listed("contact", data)
        kind, allowed = data["class"], {"continuum": ("degenerate",)}.get(self.verdict.kind(), (self.verdict.kind(),))
        if kind not in allowed:
            self.complain("contact: class %s instead of %s" % (kind, self.verdict.kind()))
        chosen = data.get("chosen")
        self.chooses = chosen is not None
        if chosen is None and motions and kind == "unique":
            self.complain("contact: the only solution is not chosen")
        return motions[chosen] if chosen is not None else None

    def rest(self):
        if not self.verdict.at_rest:
            return
        got, data = self.answer("rest")
        if "verdict" not in data:
            self.complain("rest: no answer", got.why())
            return
        self.listed("rest", data)
        allowed = {self.verdict.rest()}
        if self.verdict.continuum:  # reactions are shared as by springs: what holds so is told to hold, others to start
            allowed.add("holds" if self.verdict.holds else "starts")
        if data["verdict"] not in allowed:
            self.complain("rest: %s instead of %s" % (data["verdict"], self.verdict.rest()))

    def evaluate(self):
        """Gives its motion, None if it has none."""
        got, data = self.answer("evaluate")
        motion = [data.get("accelerations", {}).get(k) for k in ACCELERATIONS]
        if got.code or None in motion:
            if self.verdict.kind() in ("unique", "several"):
                self.complain("evaluate: no answer", got.why())
            return None
        if self.verdict.kind() == "none":
            self.complain("evaluate: answers where no acceleration exists")
            return None
        if not self.known(motion):
            self.complain("evaluate: its acceleration is no solution", str(motion))
        contacts = data["contacts"]
        broken = self.violation({"accelerations": data["accelerations"],
                                 "reactions": {name: contacts[name]["normal"] for name in contacts},
                                 "friction": {name: contacts[name]["force"] for name in contacts}})
        if broken:
            self.complain("evaluate: its answer breaks the law: %s" % broken, str(contacts))
        return motion

    def simulate(self):
        """Gives the motion of the first instant, None if it has none."""
        got, data = self.answer("simulate", "--until", ENDS, "--points", 2, "--samples")
        samples = data.get("samples", {})
        if data.get("ended") != "until":
            excused = self.verdict.kind() == "continuum" or self.verdict.locked  # no impact unlocks guides
            if not excused and (self.verdict.kind() != "none" or can_stop(self.state)):
                self.complain("simulate: stops", got.why())
            return None
        if not data["audit"]["ok"]:
            self.complain("simulate: fails its audit", str(data["audit"]))
        motion = [samples[k][0] for k in ACCELERATIONS]
        jumped = any(e["t"] == 0 and e["kind"] in ("impact", "jam", "closing", "touch") for e in data["events"])
        if self.verdict.kind() == "none":
            if not jumped:
                self.complain("simulate: goes on where no acceleration exists")
            return None
        if jumped:  # where only a stress inside, which nothing determines, would carry on, contact chooses none
            if self.chooses or not self.verdict.continuum:
                self.complain("simulate: an impact at once, where an acceleration exists")
            return None
        if not self.known(motion):
            self.complain("simulate: its first acceleration is no solution", str(motion))
        return motion

    def agree(self, one, first, other, second):
        if first is not None and second is not None and not self.near(first, second):
            self.complain("%s and %s differ" % (one, other), "%s %s" % (first, second))

    def mirror(self):
        """The mirror image has the same verdicts."""
        image = self.state.mirrored().model()
        for verb, word in (("contact", "class"),) + ((("rest", "verdict"),) if self.verdict.at_rest else ()):
            here, there = ((self.program.ask(verb, model).data or {}).get(word) for model in (self.model, image))
            if here != there:
                self.complain("%s: the mirror image has another %s" % (verb, word), "%s, %s" % (here, there))

    def all(self):
        chosen, motion, first = self.contact(), self.evaluate(), self.simulate()
        self.rest()
        self.mirror()
        if not self.verdict.continuum:  # of many motions those that follow the instant take one that lasts; each obeys the law
            self.agree("contact", chosen, "evaluate", motion)
            self.agree("contact", chosen, "simulate", first)
        self.agree("evaluate", motion, "simulate", first)
        return self.complaints


def disturbed(state, step):
    """The same state with other loads and coefficients, by about 1e-7."""
    other = State(state.design)
    other.__dict__.update(state.__dict__)
    small = [Fraction((step * k * k + 3 * k) % 7 - 3 or 2, 3 * 10**7) for k in range(1, 12)]
    other.load = [h + s * 10 for h, s in zip(state.load, small)]
    other.contacts = [c.changed(mu=c.mu * (1 + s)) for c, s in zip(state.contacts, small[3:])]
    other.velocity = [v * (1 + small[8]) for v in state.velocity]
    return other


def on_border(state, verdict):
    """Does the verdict change when loads and coefficients change a little? Then rounding decides it."""
    for step in (1, 2, 4):
        other = Verdict(disturbed(state, step), quick=not state.limit)
        if (other.kind(), other.holds, len(other.motions)) != (verdict.kind(), verdict.holds, len(verdict.motions)):
            return True
    return False


def judge(program, state):
    """(verdict, complaints, on a border). Complaints are looked at again with nothing put aside by floating point."""
    verdict = Verdict(state, quick=not state.limit)  # floating point cannot tell lines apart that are parallel all but 1e-12
    complaints = Judge(program, state, verdict).all()
    if complaints and not state.limit:
        verdict = Verdict(state, quick=False)
        complaints = Judge(program, state, verdict).all()
    if complaints and state.limit:  # either answer will do, as long as all verbs give the same
        limit = Verdict(state.limit)
        others = Judge(program, state, limit).all()
        if len(others) < len(complaints):
            return limit, others, bool(others) and on_border(state.limit, limit)
    return verdict, complaints, bool(complaints) and on_border(state, verdict)
