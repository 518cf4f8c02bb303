#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# ctest: slow timeout 900
"""Every pair of kinds of contacts in one file.

    run.py --stepper FILE [--count N] [--seed S] [--samples DIR] [--accept] [--program FILE]

Unrelated: accelerations at the start are the same bits; solutions are those of one times those of the other; motions have the
same events, and states to 1e-9 (steps are common to a file, so that the last digits are another path's). On one mass: the motion
against a time stepper, for N random masses of each pair. Exit status 1 where one fails that is not
listed in expected.yaml.
"""
import argparse
import itertools
import os
import subprocess
import sys

sys.dont_write_bytecode = True  # the source folder stays clean
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [os.path.join(HERE, "..", "relations"), os.path.join(HERE, "..", "coulomb")]

from beside import Pair
from mechanisms import MECHANISMS
from program import Program
from related import KINDS, NAMES, UNTIL, Mass
from tally import Tally

STEP = 1e-4  # of the time stepper [s]
# That once failed: a spatial contact that begins to slip with another one, at its limit or where others hold it to a line.
MENDED = [(("spatial pressed", "support"), 102), (("spatial support", "guide"), 100), (("spatial support", "support"), 108),
          (("spatial support", "support"), 110), (("spatial support", "compliant support"), 102)]


def beside(program, tally):
    """Unrelated mechanisms: (pairs, good ones)"""
    count = good = 0
    for names in itertools.combinations_with_replacement(MECHANISMS, 2):
        pair = Pair(program, names)
        complaints = [("beside: " + kind, detail) for kind, detail in pair.all()]
        count, good = count + 1, good + (not complaints)
        tally.add("%s beside %s" % names, pair.both, complaints, len(str(pair.both)), [])
    return count, good


def ends(stepper, mass):
    """The end by the time stepper, and how well it is known: by steps, and by the order of contacts."""
    def end(step, backwards=False):
        done = subprocess.run([stepper], input=mass.stepped(step, backwards), capture_output=True, text=True, check=True)
        return [float(v) for v in done.stdout.split()]
    fine = end(STEP / 2)
    return fine, max(abs(a - b) for other in (end(STEP), end(STEP, True)) for a, b in zip(other, fine))


def complain(program, stepper, mass):
    """(class, detail)"""
    got = program.ask("simulate", mass.model(), "--until", UNTIL, "--max-steps", 20000)
    if (got.data or {}).get("ended") != "until":
        return [("stops", got.why())]
    if not got.data["audit"]["ok"]:
        return [("fails its audit", str(got.data["audit"]))]
    known, spread = ends(stepper, mass)
    final = [got.data["final"]["state"][name + mark] for mark in ("", "'") for name in NAMES]
    apart = max(abs(a - b) for a, b in zip(final, known))
    if spread < 0.01 and apart > 1e-3 + 5 * spread:
        return [("another end than the time stepper", "by %.3g, steps differ by %.2g" % (apart, spread))]
    return []


def on_one_mass(program, stepper, tally, seeds):
    """Related contacts: (masses, good ones)"""
    count = good = 0
    masses = [(kinds, seed) for kinds in itertools.product(KINDS, repeat=2) for seed in seeds]
    for kinds, seed in masses + (MENDED if seeds[0] == 0 else []):
        mass = Mass(seed, kinds)
        complaints = [("on one mass: " + kind, detail) for kind, detail in complain(program, stepper, mass)]
        count, good = count + 1, good + (not complaints)
        tally.add("%s and %s, %d" % (kinds + (seed,)), mass.model(), complaints, len(str(mass.model())), [])
    return count, good


def main():
    parser = argparse.ArgumentParser(description="every pair of kinds of contacts in one file")
    parser.add_argument("--program", default=os.environ.get("AMONTONS", "amontons"))
    parser.add_argument("--stepper", required=True, help="the program made of stepper.c")
    parser.add_argument("--count", type=int, default=2, help="number of masses for each pair")
    parser.add_argument("--seed", type=int, default=0, help="of the first of them")
    Tally.options(parser)
    arguments = parser.parse_args()
    program, tally = Program(os.path.abspath(arguments.program), 120), Tally(HERE)
    pairs = beside(program, tally)
    masses = on_one_mass(program, os.path.abspath(arguments.stepper), tally,
                         range(arguments.seed, arguments.seed + arguments.count))
    status = tally.finish(arguments)
    print("%d pairs of unrelated mechanisms: %d good; %d masses: %d good" % (pairs + masses))
    return status


if __name__ == "__main__":
    sys.exit(main())
