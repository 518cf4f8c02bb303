#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random problems of several slipping guides against exact enumeration.

    run.py [--count N] [--seed S] [--most M] [--program FILE]

R + A|R| = r with up to M guides, A and r in eighths so that borders, folds and continua occur: the set of solutions, their
types, all determinants, the degree and the continua of `contact` against rational arithmetic.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import exact

NEAR = 1e-9


def model(a, r):
    """Coordinates x_j along guides, h_j across, with the kinetic energy of |x' + A^T h'|^2 + |h'|^2: W_nn = 1, L = A."""
    m = range(len(r))
    text = ["amontons: 1", "name: pairs", "coordinates: [%s]" % ", ".join(["x%d" % j for j in m] + ["h%d" % j for j in m])]
    text.append("particles:")
    for j in m:
        terms = "".join(" + (%s)*h%d" % (float(a[i][j]), i) for i in m if a[i][j] != 0)
        text.append("  X%d: {mass: 1, at: [x%d%s, 0]}" % (j, j, terms))
        text.append("  H%d: {mass: 1, at: [h%d, 0]}" % (j, j))
    text.append("loads:")
    text += ["  r%d: {on: H%d, force: [%s, 0]}" % (i, i, -float(r[i])) for i in m]
    text.append("contacts:")
    text += ["  c%d: {guide: h%d, slip: x%d', law: {type: coulomb, mu: 1}}" % (i, i, i) for i in m]
    text.append("initial: {%s}" % ", ".join("x%d': 1" % i for i in m))
    return "\n".join(text) + "\n"


def eighths(rng, size):
    return Fraction(rng.randint(-size, size), 8)


def sample(rng, m):
    way = rng.random()
    if way < 0.4:  # anything
        a = [[eighths(rng, 16) for _ in range(m)] for _ in range(m)]
    elif way < 0.7:  # round numbers: determinants vanish
        a = [[Fraction(rng.choice((-2, -1, -1, 0, 0, 0, 1, 1, 2))) / rng.choice((1, 1, 2)) for _ in range(m)] for _ in range(m)]
    elif way < 0.85:  # rank one
        u, w = [eighths(rng, 12) for _ in range(m)], [eighths(rng, 12) for _ in range(m)]
        a = [[x * y for y in w] for x in u]
    else:  # weak friction
        a = [[eighths(rng, 2) for _ in range(m)] for _ in range(m)]
    if rng.random() < 0.5:
        return a, [Fraction(rng.randint(-3, 3)) for _ in range(m)]
    point = [Fraction(rng.randint(-2, 2)) for _ in range(m)]  # a solution, often on a border
    return a, [p + sum(a[i][j] * abs(v) for j, v in enumerate(point)) for i, p in enumerate(point)]


def same(x, y):
    size = max([1e-300] + [abs(float(v)) for v in y] + [1.0])
    return all(abs(float(a) - float(b)) <= NEAR * size for a, b in zip(x, y))


def missing(have, want):
    return [w for w in want if not any(same(w, h) for h in have)]


def judge_block(truth, block):
    """What holds for every load, and the continua."""
    wrong, listed = [], {c["signs"]: c for c in block["continua"]}
    for x in block.get("determinants", ()):
        det = float(truth.determinants[x["signs"]])
        if abs(x["value"] - det) > NEAR * max(1.0, abs(det)):
            wrong.append("determinant %s = %g, %g is right" % (x["signs"], x["value"], det))
    if block["unique_for_all_loads"] != all(d > 0 for d in truth.determinants.values()):
        wrong.append("unique_for_all_loads")
    if truth.degree() is not None and block["degree"] != truth.degree():
        wrong.append("degree %s, %s is right" % (block["degree"], truth.degree()))
    if any(d == 0 for d in truth.determinants.values()) and block["degree"] is not None:
        wrong.append("a degree where a determinant vanishes")
    for name, corners, rays in truth.continua:
        if name not in listed:
            wrong.append("continuum %s is missing" % name)
        elif missing(listed[name]["vertices"], corners) or missing(listed[name]["rays"], rays):
            wrong.append("continuum %s: %s, right are %s %s" % (name, listed[name], corners, rays))
        elif len(listed[name]["vertices"]) != len(corners) or len(listed[name]["rays"]) != len(rays):
            wrong.append("continuum %s has too much" % name)
    if len(listed) > len(truth.continua):
        wrong.append("continua that are none: %s" % sorted(set(listed) - {c[0] for c in truth.continua}))
    return wrong


def judge(a, r, got):
    m, truth, wrong = len(r), exact.Problem(a, r), []
    names = ["c%d" % j for j in range(m)]
    have = [tuple(s["reactions"][n] for n in names) for s in got["solutions"]]
    if missing(have, truth.points):
        wrong.append("missing %s" % [tuple(map(str, p)) for p in missing(have, truth.points)])
    for x in have:
        off = max(abs(x[i] + sum(float(a[i][j]) * abs(x[j]) for j in range(m)) - float(r[i])) for i in range(m))
        if off > NEAR * max([1.0] + [abs(v) for v in x]):
            wrong.append("no solution: %s, off by %g" % (x, off))
    if not truth.continua and len(have) != len(truth.points):
        wrong.append("%d solutions, %d are right" % (len(have), len(truth.points)))
    expect = "degenerate" if truth.continua else ("none", "unique", "several")[min(2, len(truth.points))]
    if got["class"] != expect:
        wrong.append("class %s, %s is right" % (got["class"], expect))
    for block in got["pairs"]:
        at = [names.index(n) for n in block["contacts"]]
        part = exact.Problem([[a[i][j] for j in at] for i in at], [r[i] for i in at])
        wrong += judge_block(part, block)
        for point in part.points if len(at) == m else ():
            for s, x in zip(got["solutions"], have):
                if same(x, point) and s["type"] != part.kind(point):
                    wrong.append("type of %s is %s, %s is right" % (x, s["type"], part.kind(point)))
    return wrong


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--count", type=int, default=48)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--most", type=int, default=8)
    options.add_argument("--only", type=int)
    options.add_argument("--program", default=os.environ.get("AMONTONS", "build/amontons"))
    o = options.parse_args()
    failed, tally = 0, {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pairs.yaml")
        for k in range(o.count) if o.only is None else [o.only]:
            rng = random.Random("%d-%d" % (o.seed, k))
            m = 1 + k % o.most
            a, r = sample(rng, m)
            with open(path, "w", encoding="utf-8") as f:
                f.write(model(a, r))
            run = subprocess.run([o.program, "contact", path, "--json", "--quiet"], capture_output=True, text=True, check=False)
            wrong = judge(a, r, json.loads(run.stdout)) if run.returncode == 0 else [run.stderr.strip()]
            if run.returncode == 0:
                word = json.loads(run.stdout)["class"]
                tally[word] = tally.get(word, 0) + 1
            if wrong:
                failed += 1
                print("problem %d of seed %d, m = %d:" % (k, o.seed, m))
                for line in wrong[:4]:
                    print("   ", line)
    print("%d of %d problems agree: %s" % (o.count - failed, o.count, ", ".join("%s %d" % x for x in sorted(tally.items()))))
    if len(tally) < 4 and o.only is None:
        print("some class never occurred: the samples test too little")
        failed += 1
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
