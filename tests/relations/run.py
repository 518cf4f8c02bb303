#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# ctest: slow
"""Run relations over the models of the project and over random ones.

    run.py [RELATION ...] [--models DIR] [--only MODEL ...] [--random N] [--seed S] [--all] [--list]

Exit status 1 where a relation fails that is not listed in expected.yaml. Each failure is printed with the smallest model
that it could be reduced to. What does not apply is counted and told.
"""
import argparse
import fnmatch
import glob
import os
import sys
import time

sys.dont_write_bytecode = True  # the source folder stays clean

from expression import Unknown
from program import Program, load
from reduce import reduce_model, show
from relations import RELATIONS, Context
from sample import random_model

HERE = os.path.dirname(os.path.abspath(__file__))


class Expected:
    """Failures that are known: expected.yaml."""

    def __init__(self, relation):
        path = os.path.join(HERE, "expected.yaml")
        self.items = [item for item in load(path) or [] if fnmatch.fnmatchcase(relation, item["relation"])]
        self.met = set()

    def reason(self, model):
        for i, item in enumerate(self.items):
            if fnmatch.fnmatchcase(model, item["model"]):
                self.met.add(i)
                return item["reason"]
        return None

    def passed(self, models):
        """Entries about models that were tried and hold now."""
        return [item["model"] for i, item in enumerate(self.items)
                if i not in self.met and any(fnmatch.fnmatchcase(m, item["model"]) for m in models)]


def cases(arguments):
    """(name, model, how long to simulate)"""
    settings = load(os.path.join(HERE, "horizons.yaml"))
    for path in sorted(glob.glob(os.path.join(arguments.models, "*.yaml"))):
        name = os.path.splitext(os.path.basename(path))[0]
        yield name, load(path), float(settings.get(name, 10))
    for seed in range(arguments.seed, arguments.seed + arguments.random):
        yield random_model(seed)


def check(function, context, model):
    """What differs; an empty list where the relation holds, None where it does not apply."""
    try:
        return function(context, model), ""
    except Unknown as why:
        return None, str(why)


def report(name, function, context, model, found, seconds):
    print("FAILS %s on %s" % (name, context.name))
    for line in found:
        print("    " + line)
    if seconds <= 0:
        return

    def fails(candidate):
        try:
            return bool(check(function, context, candidate)[0])
        except (KeyError, TypeError):  # a model reduced so far that the program has no answer
            return False
    small = reduce_model(model, fails, seconds)
    print("    smallest model found (simulated until %r):" % context.until)
    for line in show(small).splitlines():
        print("      " + line)
    for line in check(function, context, small)[0] or []:
        print("    " + line)


def run(name, arguments, program):
    """Number of unexpected failures of one relation."""
    function, expected = RELATIONS[name], Expected(name)
    counts = {"hold": 0, "fail": 0, "expected": 0}
    left_out, tried, begin = {}, [], time.monotonic()
    everything = list(cases(arguments))
    for model_name, model, until in everything:
        if arguments.only and not any(fnmatch.fnmatchcase(model_name, o) for o in arguments.only):
            continue
        context = Context(program, model_name, until, arguments.all, [c for c in everything if "random" not in c[0]])
        found, why = check(function, context, model)
        if found is None:
            left_out.setdefault(why, []).append(model_name)
            continue
        tried.append(model_name)
        reason = expected.reason(model_name) if found else None
        counts["hold" if not found else "expected" if reason else "fail"] += 1
        if reason:
            print("expected failure of %s on %s: %s (%s)" % (name, model_name, reason, found[0]))
        elif found:
            report(name, function, context, model, found, arguments.reduce)
    for why, models in left_out.items():
        print("does not apply to %s: %s" % (", ".join(models), why))
    for model_name in expected.passed(tried):
        print("HOLDS NOW: %s on %s is listed as an expected failure; take it off the list" % (name, model_name))
    print("%s: %d hold, %d expected failures, %d failures, %d do not apply (%d runs of the program, %.1f s)" % (
        name, counts["hold"], counts["expected"], counts["fail"], sum(map(len, left_out.values())), program.runs,
        time.monotonic() - begin))
    return counts["fail"]


def main():
    parser = argparse.ArgumentParser(description="relations that hold for every mechanism")
    parser.add_argument("relations", nargs="*", metavar="RELATION", help="all if none is named")
    parser.add_argument("--program", default=os.environ.get("AMONTONS", "amontons"))
    parser.add_argument("--models", default=os.path.join(HERE, "..", "..", "models"), help="folder of models")
    parser.add_argument("--only", nargs="*", default=[], help="models by name or pattern")
    parser.add_argument("--random", type=int, default=12, help="number of random models")
    parser.add_argument("--seed", type=int, default=1, help="of the first random model")
    parser.add_argument("--reduce", type=float, default=15, help="seconds spent to make a failing model small")
    parser.add_argument("--all", action="store_true", help="every verb, every pair")
    parser.add_argument("--list", action="store_true", help="names of the relations")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(RELATIONS))
        return 0
    failed = 0
    for name in arguments.relations or RELATIONS:
        failed += run(name, arguments, Program(os.path.abspath(arguments.program)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
