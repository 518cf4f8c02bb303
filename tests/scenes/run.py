#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# ctest: slow timeout 900
"""Random scenes of boxes and discs, run to the end: the record against the laws, the end against a time stepper.

    run.py --stepper FILE [--count N] [--seed S] [--samples DIR] [--accept] [--program FILE]

Exit status 1 where a scene fails that is not listed in expected.yaml.
"""
import argparse
import os
import subprocess
import sys
import time
from collections import Counter

sys.dont_write_bytecode = True  # the source folder stays clean
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [os.path.join(HERE, "..", "relations"), os.path.join(HERE, "..", "coulomb")]

from laws import Record, broken
from program import Program
from sample import random_scene
from tally import Tally

STEP = 1e-4      # of the time stepper [s]
STEPS = 20000    # at most, of the program
# A support that opened into its own surface; forces of the size of rounding; a disc that only touches a wall; friction of boxes that
# fall side by side, which is rounding; a corner that slides off an edge; bounces that end in flights as low as gaps are known.
MENDED = [4284, 2028, 4155, 20242, 20014, 20051]
SECONDS = 120    # at most, of one run: an emergency, since machines differ


class Stepper:
    """Where the bodies are at the end, by the time stepper; None where that depends on its steps or on the last digits of
    the start."""

    def __init__(self, path):
        self.path = path

    def end(self, scene, step, scale=1.0):
        done = subprocess.run([self.path], input=scene.stepped(step, scale), capture_output=True, text=True, check=True)
        return [[float(v) for v in line.split()][:3] for line in done.stdout.splitlines()]

    def settled(self, scene):
        """(places, how well they are known), or None"""
        fine = self.end(scene, STEP / 2)
        spread = max(apart(fine, other) for other in (self.end(scene, STEP), self.end(scene, STEP / 1.7),
                                                      self.end(scene, STEP / 2, 1 + 1e-5)))
        return (fine, spread) if spread < 0.05 * scene.size else None

    def agrees(self, scene, end, known):
        """With steps so fine, or ever finer ones: coarse ones miss the order of what happens at nearly one time, and may tend
        elsewhere."""
        fine, spread = known
        for part in (10, 50):
            if apart(end, fine) <= 0.02 * scene.size + 5 * spread:
                return True
            last, fine = fine, self.end(scene, STEP / part)
            spread = max(spread, apart(fine, last))
        return apart(end, fine) <= 0.02 * scene.size + 5 * spread


def apart(one, other):
    return max(abs(a - b) for p, q in zip(one, other) for a, b in zip(p, q))


def judge(program, stepper, scene):
    """(complaints, was the end comparable)"""
    got = program.ask("simulate", scene.model(), "--until", scene.until, "--points", 200, "--steps", "--samples",
                      "--max-steps", STEPS)
    data = got.data or {}
    complaints, known = [], stepper.settled(scene)
    if data.get("ended") != "until":
        reason = (data.get("reason") or got.errors.strip() or "out of time").split("\n")[0]
        words = [w for w in reason.split() if not any(c.isdigit() for c in w) and w not in ("t", "(t", "=", "at", "error:")]
        complaints.append(("stops: " + " ".join(words)[:70], reason))
    elif not data["audit"]["ok"]:
        complaints.append(("fails its audit", str(data["audit"])))
    if data.get("samples", {}).get("t"):
        complaints += broken(Record(scene, data["samples"], data["events"]))
    if data.get("ended") == "until" and known:
        final = data["final"]["state"]
        end = [[final["%s%d" % (k, i)] for k in "xyp"] for i in range(len(scene.bodies))]
        if not stepper.agrees(scene, end, known):
            complaints.append(("another end than the time stepper", "by %.3g, steps differ by %.2g" % (
                apart(end, known[0]), known[1])))
    return complaints, known is not None


def main():
    parser = argparse.ArgumentParser(description="random scenes against the laws and a time stepper")
    parser.add_argument("--program", default=os.environ.get("AMONTONS", "amontons"))
    parser.add_argument("--stepper", required=True, help="the program made of stepper.c")
    parser.add_argument("--count", type=int, default=32, help="number of scenes")
    parser.add_argument("--seed", type=int, default=0, help="of the first scene")
    Tally.options(parser)
    arguments = parser.parse_args()
    program, stepper = Program(os.path.abspath(arguments.program), SECONDS), Stepper(os.path.abspath(arguments.stepper))
    tally, begin, good, comparable, kinds = Tally(HERE), time.monotonic(), 0, 0, Counter()
    seeds = list(range(arguments.seed, arguments.seed + arguments.count)) + (MENDED if arguments.seed == 0 else [])
    for seed in seeds:
        scene = random_scene(seed)
        complaints, settled = judge(program, stepper, scene)
        good += not complaints
        comparable += settled
        kinds[scene.kind] += not complaints
        tally.add(seed, scene.model(), complaints, (len(scene.touches), len(scene.bodies), seed),
                  ["%s until %g" % (scene.kind, scene.until)])
    status = tally.finish(arguments)
    print("good: " + ", ".join("%s %d" % item for item in sorted(kinds.items())))
    print("%d scenes: %d good; the time stepper is sure of %d (%d runs of the program, %.0f s)" % (
        len(seeds), good, comparable, program.runs, time.monotonic() - begin))
    return status


if __name__ == "__main__":
    sys.exit(main())
