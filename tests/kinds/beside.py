# SPDX-License-Identifier: Apache-2.0
"""Two mechanisms in one file that have nothing to do with each other: what each does there against what it does alone."""
from mechanisms import model, named

UNTIL = 3


def share(values, prefix):
    return {k[len(prefix):]: v for k, v in values.items() if k.startswith(prefix)}


def near(one, other, tolerance):
    return set(one) == set(other) and all(
        v == other[k] or (isinstance(v, (int, float)) and isinstance(other[k], (int, float)) and
                          abs(v - other[k]) <= tolerance * max(1.0, abs(v))) for k, v in one.items())


class Pair:
    def __init__(self, program, names):
        self.program, self.names = program, names
        self.alone = [model(named(name, prefix)) for name, prefix in zip(names, "ab")]
        self.both = model(*(named(name, prefix) for name, prefix in zip(names, "ab")))
        self.complaints = []

    def complain(self, kind, detail=""):
        self.complaints.append((kind, detail))

    def evaluate(self):
        single = [self.program.ask("evaluate", m).data for m in self.alone]
        both = self.program.ask("evaluate", self.both)
        if None in single:
            return
        if both.data is None:
            self.complain("evaluate: no answer", both.why())
            return
        for prefix, one in zip("ab", single):
            for what in ("rates", "accelerations"):
                if share(both.data[what], prefix) != share(one[what], prefix):
                    self.complain("evaluate: other bits", prefix)

    def contact(self):
        single = [self.program.ask("contact", m).data for m in self.alone]
        both = self.program.ask("contact", self.both)
        if None in single or any("class" not in s for s in single):
            return
        if both.data is None or "class" not in both.data:
            self.complain("contact: no answer", both.why())
            return
        if both.data["count"] != single[0]["count"] * single[1]["count"]:
            self.complain("contact: another number of solutions", "%d" % both.data["count"])
            return
        for prefix, one in zip("ab", single):
            known = [share(s["accelerations"], prefix) for s in one["solutions"]]
            if any(share(s["accelerations"], prefix) not in known for s in both.data["solutions"]):
                self.complain("contact: other bits", prefix)

    def simulate(self):
        single = [self.program.ask("simulate", m, "--until", UNTIL).data for m in self.alone]
        both = self.program.ask("simulate", self.both, "--until", UNTIL)
        if any(s is None or s["ended"] != "until" for s in single):
            return
        if both.data is None or both.data["ended"] != "until":
            self.complain("simulate: stops", both.why())
            return
        if all(s["audit"]["ok"] for s in single) and not both.data["audit"]["ok"]:
            self.complain("simulate: fails its audit", str(both.data["audit"]))
        for prefix, one in zip("ab", single):
            events = [[(e["contact"], e["kind"], e["from"], e["to"], e["t"]) for e in data["events"]
                       if (e["contact"] or "").startswith(prefix)] for data in (both.data, one)]
            same = len(events[0]) == len(events[1]) and all(
                a[:4] == b[:4] and abs(a[4] - b[4]) <= 1e-9 for a, b in zip(*events))
            ends = [share(data["final"]["state"], prefix) for data in (both.data, one)]
            if not same:
                self.complain("simulate: other events", prefix)
            elif not near(ends[0], ends[1], 1e-9):
                self.complain("simulate: another end", prefix)
            elif ends[0] != ends[1] and "far-support" in self.names:
                self.complain("simulate: other bits beside a support that stays open", prefix)

    def all(self):
        self.evaluate()
        self.contact()
        self.simulate()
        return self.complaints
