#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random ramps of load, quasi-statically.

    run.py [--count N] [--seed S] [--program FILE] [--keep DIR]

N masses on springs of each family (planar, spatial, several; some with guides, some in round numbers) follow random polylines of load. Ends and modes against
tiny increments; the laws from the recorded path: equilibrium, cone, complementarity, what sticks stays, what slips is opposed; and
what may not matter: units, mirrors, the order of contacts.
"""
import argparse
import collections
import copy
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source folder stays clean

from increments import end
from sample import Sample

FAMILIES = {"planar": [2], "spatial": [3], "two planar": [2, 2], "two spatial": [3, 3], "mixed": [2, 3, 2]}
KINDS = "", " with guides", " in round numbers"
PARTS = 60, 100, 170  # increments in a unit of time


def ask(program, sample, folder):
    path, table = os.path.join(folder, "m.yaml"), os.path.join(folder, "m.csv")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(sample.model(), file)
    done = subprocess.run([program, "quasistatic", path, "--until", repr(sample.until * sample.units[2]), "--csv", table, "--json"],
                          capture_output=True, text=True, check=False, timeout=60)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return None, done.stderr.strip(), []
    with open(table, encoding="utf-8") as file:
        rows = [{name: float(v) for name, v in row.items()} for row in csv.DictReader(file)]
    return answer, "", rows if done.returncode == 0 else None


def laws(sample, rows):
    """What the recorded path breaks."""
    names, force = sample.names(), max(abs(v) for row in sample.loads for v in row)
    for a, b in zip([None] + rows, rows):
        q, piece = [b[n] for n in names], min(int(b["t"]), sample.until - 1)
        for m, (first, size, mu, guide) in enumerate(sample.masses):
            tag, n = "c%d." % m, size - 1
            L = [b[tag + "force1"], b[tag + "force2"]] if size == 3 else [b[tag + "force"]]
            R, gap, mode = b[tag + "normal"], q[first + n], b[tag + "mode"]
            for i, reaction in enumerate(L + [R]):
                v = sample.loads[first + i]
                rest = v[piece] + (v[piece + 1] - v[piece]) * (b["t"] - piece) + reaction - sum(
                    k * x for k, x in zip(sample.K[first + i], q))
                if abs(rest) > 1e-9 * force:
                    return "no equilibrium at t = %g: %g" % (b["t"], rest)
            if math.hypot(*L) > mu * abs(R) + 1e-9 * force:
                return "outside its cone at t = %g" % b["t"]
            if gap < -1e-9 * sample.size() or not guide and R < -1e-9 * force or abs(R * gap) > 1e-9 * force * sample.size():
                return "gap %g with reaction %g at t = %g" % (gap, R, b["t"])
            if a is None or a["t"] == b["t"]:
                continue
            step = [b[names[first + i]] - a[names[first + i]] for i in range(n)]
            moved = math.hypot(*step)
            if mode == 0 and a[tag + "mode"] == 0 and moved > 1e-9 * sample.size():
                return "sticks and moves by %g at t = %g" % (moved, b["t"])
            if abs(mode) == 1 and a[tag + "mode"] == mode and moved > 1e-6 * sample.size() and math.hypot(*L) > 1e-9 * force:
                before = [a[tag + "force1"], a[tag + "force2"]] if size == 3 else [a[tag + "force"]]
                if all(sum(f * s for f, s in zip(x, step)) > -0.5 * math.hypot(*x) * moved for x in (L, before)):
                    return "friction does not oppose the slip at t = %g" % b["t"]
    return None


def ends(sample):
    """By increments, and how well they are known."""
    places, modes = zip(*(end(sample.K, sample.judged(), sample.loads, sample.until, parts) for parts in PARTS))
    spread = max(abs(a - b) for other in places[:-1] for a, b in zip(other, places[-1]))
    return places[-1], modes[-1], 3.0 * spread + 3e-4 * sample.size()


def differs(answer, other, sample, changed):
    """The same question in other units, in a mirror, in another order."""
    a, b = sample.read(answer["final"]["state"]), changed.read(other["final"]["state"])
    if max(abs(x - y) for x, y in zip(a, b)) > 1e-7 * sample.size():
        return "end"
    planar = {"c%d" % m for m, one in enumerate(sample.masses) if one[1] == 2}
    story = [sorted((e["contact"], e["kind"]) for e in x["events"] if e["t"] < 0.999 * x["final"]["t"] and
                    (e["contact"] not in planar or e["kind"] != "slip-slip")) for x in (answer, other)]
    return "events" if story[0] != story[1] else None


def complaint(program, sample, draw, folder):
    answer, why, rows = ask(program, sample, folder)
    if answer is None:
        return "refused: " + why
    if answer["status"] != "ok":
        return "%s: %s" % (answer["status"], answer.get("reason", ""))
    if rows is None:
        return "fails its audit: %g" % answer["audit"]["violation"]
    broken = laws(sample, rows)
    if broken:
        return broken
    known, modes, spread = ends(sample)
    got = sample.read(answer["final"]["state"])
    far = max(abs(a - b) for a, b in zip(known, got))
    if far > spread:
        return "ends %g from the increments, which are known to %g; they say %s" % (far, spread, modes)
    for name, change in (("units", lambda x: setattr(x, "units", [10.0 ** draw.randint(-14, 14) for _ in range(3)])),
                         ("mirror", lambda x: setattr(x, "mirror", mirrored(x, draw))),
                         ("order", lambda x: x.order.reverse())):
        changed = copy.deepcopy(sample)
        change(changed)
        other, why, rows = ask(program, changed, folder)
        if other is None or other["status"] != "ok" or rows is None:
            return "%s %s: %s" % (name, changed.units, why or other.get("reason") or other["audit"])
        what = differs(answer, other, sample, changed)
        if what:
            return "%s: another %s" % (name, what)
    return None


def mirrored(sample, draw):
    """One tangential axis of some masses turned round."""
    side = [1.0] * len(sample.K)
    for first, _, _, _ in sample.masses:
        side[first] = draw.choice([1.0, -1.0])
    return side


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=1)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--program", default=os.environ.get("AMONTONS", "amontons"))
    options.add_argument("--keep", help="folder for the models that fail")
    o = options.parse_args()
    bad, kinds = 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number, (family, sizes) in enumerate(FAMILIES.items()):
            for i in range(o.count):
                kind = KINDS[(number + i) % len(KINDS)]
                name = "%s%s %d" % (family, kind, i)
                draw = random.Random("%d %s" % (o.seed, name))
                sample = Sample(draw, sizes, "guides" in kind, round_numbers="round" in kind)
                wrong = complaint(o.program, sample, draw, folder)
                kinds[(wrong or "right").split(":")[0].split(" at t")[0].split(" 0.")[0]] += 1
                if wrong is None:
                    continue
                bad += 1
                print("%s: %s" % (name, wrong), flush=True)
                if o.keep:
                    os.makedirs(o.keep, exist_ok=True)
                    with open(os.path.join(o.keep, name.replace(" ", "-") + ".yaml"), "w", encoding="utf-8") as file:
                        json.dump(sample.model(), file)
    print(", ".join("%s %d" % kv for kv in kinds.most_common()))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
