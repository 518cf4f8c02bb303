# SPDX-License-Identifier: Apache-2.0
"""One mass with contacts of two or three kinds at once: random ones, as model file and as input of the time stepper."""
import math
import random

KINDS = ("pressed", "guide", "support", "spatial pressed", "spatial support", "compliant guide", "compliant support")
UNTIL = 1.0
NAMES = "xyz"


class Contact:
    def __init__(self, chance, kind, normal, tangents, alone):
        self.kind = kind.split()[-1]
        self.normal = normal
        # Beside another normal only x is free: friction along that normal would be a share of its load that nothing determines.
        self.slips = tangents if kind.startswith("spatial") else [chance.choice(tangents) if alone else tangents[0]]
        self.mu = chance.choice([0.1, 0.3, 0.5, round(chance.uniform(0, 1), 2)])
        self.restitution = chance.choice([0.0, 0.3]) if self.kind == "support" else 0.0
        self.press = round(chance.uniform(0.5, 5), 1) if self.kind == "pressed" else 0.0
        compliant = kind.startswith("compliant")
        self.stiffness, self.damping = (chance.choice([500.0, 2000.0]), 20.0) if compliant else (0.0, 0.0)
        self.restitution *= not compliant

    def written(self):
        out = {"law": {"type": "coulomb", "mu": repr(self.mu)}}
        slips = [along(row, "'") for row in self.slips]
        out["slip"] = slips if len(slips) > 1 else slips[0]
        out[self.kind] = repr(self.press) if self.kind == "pressed" else along(self.normal, "")
        if self.stiffness:
            out.update(stiffness=repr(self.stiffness), damping=repr(self.damping))
        elif self.kind == "support":
            out["restitution"] = repr(self.restitution)
        return out

    def stepped(self):
        rows = self.slips + [[0.0] * 3] * (2 - len(self.slips))
        numbers = self.normal + [0.0], [len(self.slips)], rows[0] + rows[1], [self.mu, self.restitution, self.press,
                                                                             self.stiffness, self.damping]
        return " ".join([self.kind] + [repr(v) for part in numbers for v in part])


def along(row, mark):
    return " + ".join("(%r)*%s%s" % (v, name, mark) for v, name in zip(row, NAMES) if v) or "0*x" + mark


class Mass:
    """In x, y, z. The first contact faces up (+y), the second across (+z, or tilted)."""

    def __init__(self, seed, kinds):
        chance = random.Random("mass-%d-%s" % (seed, kinds))
        tilt = chance.choice([0.0, 0.3, round(chance.uniform(-0.5, 0.5), 2)])
        c, s = math.cos(tilt), math.sin(tilt)
        frames = [([0.0, 1.0, 0.0], [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
                  ([0.0, s, c], [[1.0, 0.0, 0.0], [0.0, c, -s]])]
        alone = any(kind.endswith("pressed") for kind in kinds)
        self.contacts = [Contact(chance, kind, normal, tangents, alone) for kind, (normal, tangents) in zip(kinds, frames)]
        self.mass = round(chance.uniform(0.5, 2), 1)
        self.force = [[round(chance.uniform(-3, 3), 1), round(chance.uniform(0, 4), 1), round(chance.uniform(2, 9), 1)],
                      [round(chance.uniform(-9, -3), 1), chance.choice([0.0, round(chance.uniform(0, 4), 1)]), 5.0],
                      [round(chance.uniform(-6, -1), 1), round(chance.uniform(0, 3), 1), 3.0]]
        held = [c.normal for c in self.contacts if c.kind != "pressed"]
        free = [i for i in range(3) if not any(n[i] for n in held)]
        self.at = [0.0, 0.0, 0.0]
        self.velocity = [round(chance.uniform(-1, 1), 1) if i in free else 0.0 for i in range(3)]
        if held and not any(c.kind == "guide" and not c.stiffness for c in self.contacts):
            self.at[1] = self.at[2] = chance.choice([0.0, 0.05])  # supports may be open at the start

    def model(self):
        initial = {name: repr(v) for name, v in zip(NAMES, self.at)}
        initial.update({name + "'": repr(v) for name, v in zip(NAMES, self.velocity)})
        forces = {name: "%r + %r*sin(%r*t)" % tuple(f) for name, f in zip(NAMES, self.force)}
        return {"amontons": "1", "name": "mass", "coordinates": list(NAMES),
                "particles": {"m": {"mass": repr(self.mass), "at": list(NAMES)}}, "forces": forces,
                "contacts": {"c%d" % i: c.written() for i, c in enumerate(self.contacts)}, "initial": initial}

    def stepped(self, step, backwards=False):
        """Input of the time stepper; backwards: contacts in the opposite order, which finds another share where there
        are many."""
        contacts = [c.stepped() for c in self.contacts]
        numbers = [self.mass] * 3 + self.force[0] + self.force[1] + self.force[2] + self.at + self.velocity
        return "\n".join([" ".join(map(repr, numbers)), str(len(contacts))] + contacts[::-1 if backwards else 1] +
                         ["%r %r" % (UNTIL, step)]) + "\n"
