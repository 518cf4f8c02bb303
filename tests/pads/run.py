#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# ctest: timeout 300
"""Random bodies at rest on one to five pads that slide in any direction: can they rest, and what follows if not?

    run.py [--count N] [--seed S] [--program FILE]

Whether forces within all friction cones balance the loads is asked of linear programmes with polygons inside and outside of the
circles; every solution of contact and rest is held against balance, cones and directions of slip. Exit status 1 where something fails.
"""
import argparse
import itertools
import math
import os
import random
import sys

sys.dont_write_bytecode = True  # the source folder stays clean
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [os.path.join(HERE, "..", "relations"), os.path.join(HERE, "..", "coulomb")]

from exact import Programme, solve
from program import Program

CORNERS = 12  # of the polygons
SMALL = 1e-6  # of the weight
INERTIA = {"x": 2.0, "y": 2.0, "psi": 0.5, "z": 2.0, "rx": 0.4, "ry": 0.6}


class Body:
    """On a plane that may be tilted, H above it; with one or two pads its tilts are held."""

    def __init__(self, seed):
        chance = random.Random("pads-%d" % seed)
        count = chance.choice([1, 2, 3, 3, 4, 5])
        self.pads = [(round(chance.uniform(-1, 1), 2), round(chance.uniform(-1, 1), 2)) for _ in range(count)]
        self.mu = [chance.choice([0.2, 0.4, 0.6, round(chance.uniform(0.05, 1), 2)]) for _ in self.pads]
        self.kind = "guide" if count < 5 and chance.random() < 0.3 else "support"
        self.weight, slope, high = chance.uniform(5, 50), chance.choice([0.0, chance.uniform(0, 0.6)]), chance.uniform(0, 1)
        self.names = ["x", "y", "psi", "z"] + (["rx", "ry"] if count > 2 else [])
        push = [chance.gauss(0, 0.1 * self.weight) for _ in range(5)]
        load = {"x": push[0] + self.weight * math.sin(slope), "y": push[1], "psi": push[2],
                "z": -self.weight * math.cos(slope), "rx": push[3], "ry": push[4]}
        self.load = [round(load[name], 3) for name in self.names]
        rows = [({"z": 1.0, "rx": b, "ry": -a}, {"x": 1.0, "psi": -b, "ry": -high}, {"y": 1.0, "psi": a, "rx": high})
                for a, b in self.pads]
        self.rows = [[[row.get(name, 0.0) for name in self.names] for row in pad] for pad in rows]

    def model(self):
        def sum_of(row, mark):
            return " + ".join("(%r)*%s%s" % (v, name, mark) for v, name in zip(row, self.names) if v)
        contacts = {"c%d" % i: {self.kind: sum_of(n, ""), "slip": [sum_of(s, "'"), sum_of(t, "'")],
                                "law": {"type": "coulomb", "mu": repr(mu)}}
                    for i, ((n, s, t), mu) in enumerate(zip(self.rows, self.mu))}
        kinetic = " + ".join("%r*%s'^2/2" % (INERTIA[name], name) for name in self.names)
        return {"amontons": "1", "name": "pads", "coordinates": self.names, "energy": {"kinetic": kinetic},
                "forces": {name: repr(v) for name, v in zip(self.names, self.load)}, "contacts": contacts}

    def holds(self, part, signs):
        """Are there forces that balance the loads, with friction within polygons of this part of the circles' radius?"""
        columns = [row for pad in self.rows for row in pad]
        solved = solve([[c[i] for c in columns] for i in range(len(self.names))], [-v / self.weight for v in self.load],
                       len(columns), 1e-10)
        if solved is None:
            return False
        conditions = []
        for i, (mu, sign) in enumerate(zip(self.mu, signs)):
            conditions.append({3 * i: float(sign)})
            for k in range(CORNERS):
                angle = 2 * math.pi * k / CORNERS
                conditions.append({3 * i: mu * part * sign, 3 * i + 1: -math.cos(angle), 3 * i + 2: -math.sin(angle)})
        one, basis = solved
        reduced = [([sum(v * b[k] for k, v in c.items()) for b in basis], -SMALL - sum(v * one[k] for k, v in c.items()))
                   for c in conditions]
        return Programme(reduced, len(basis), 1e-12).feasible if basis else all(value <= 0 for _, value in reduced)

    def can_rest(self):
        """True, False, or None: between the polygons"""
        signs = list(itertools.product((1, -1), repeat=len(self.pads))) if self.kind == "guide" else [(1,) * len(self.pads)]
        if any(self.holds(math.cos(math.pi / CORNERS), s) for s in signs):
            return True
        return None if any(self.holds(1.0, s) for s in signs) else False

    def broken(self, solution):
        """The law that a listed solution breaks, or None."""
        motion = [solution["accelerations"][name + "''"] for name in self.names]
        left, small = [v - INERTIA[name] * a for name, v, a in zip(self.names, self.load, motion)], SMALL * self.weight
        for i, (mu, rows) in enumerate(zip(self.mu, self.rows)):
            forces = [solution["reactions"]["c%d" % i]] + solution["traction"]["c%d" % i]
            left = [v + sum(f * row[k] for f, row in zip(forces, rows)) for k, v in enumerate(left)]
            slip = [sum(a * b for a, b in zip(row, motion)) for row in rows]
            speed, bound = math.hypot(*slip[1:]), mu * abs(forces[0])
            if self.kind == "support" and (forces[0] < -small or slip[0] < -small or (forces[0] > small and slip[0] > small)):
                return "a support pulls, is penetrated, or pushes and opens"
            if math.hypot(*forces[1:]) > bound + small:
                return "friction above its bound"
            if speed > small and any(abs(f + bound * a / speed) > 10 * small for f, a in zip(forces[1:], slip[1:])):
                return "friction is not against the slip"
        return "balance of forces" if max(map(abs, left)) > small else None


def complaint(program, body):
    model = body.model()
    rest, contact = program.ask("rest", model), program.ask("contact", model)
    if not rest.data or not contact.data:
        return (rest if not rest.data else contact).why()
    for solution in rest.data["solutions"] + contact.data["solutions"]:
        if body.broken(solution):
            return body.broken(solution)
    resting = [s for s in rest.data["solutions"] if max(map(abs, s["accelerations"].values())) < SMALL * body.weight]
    expected, verdict = body.can_rest(), rest.data["verdict"]
    if expected is True and not resting and verdict != "several":  # one of many motions, by the share of the loads
        return "says %s, can rest" % verdict
    if expected is False and resting:
        return "says %s, cannot rest" % verdict
    return None if rest.data["solutions"] else "no solution"


def main():
    parser = argparse.ArgumentParser(description="random bodies on pads")
    parser.add_argument("--program", default=os.environ.get("AMONTONS", "amontons"))
    parser.add_argument("--count", type=int, default=8, help="number of bodies")
    parser.add_argument("--seed", type=int, default=0, help="of the first")
    arguments = parser.parse_args()
    program, failed = Program(os.path.abspath(arguments.program), 120), 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        body = Body(seed)
        wrong = complaint(program, body)
        if wrong:
            failed += 1
            print("%d, %d %ss: %s" % (seed, len(body.pads), body.kind, wrong))
    print("%d bodies: %d good" % (arguments.count, arguments.count - failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
