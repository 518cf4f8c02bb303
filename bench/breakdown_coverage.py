#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often do the 95 % intervals of a break-down law hold the truth? Noise is added to a clean record many times; each time the way from
the record to the law is gone anew (amontons fit --breakdowns).

usage: bench/breakdown_coverage.py [--count N] [--seed S] [--noise N] [--unknown]   with AMONTONS, from the project's root
--unknown: mass and drive are not told.
"""
import argparse, json, os, random, subprocess, tempfile

TRUE = {"A": 420.0, "beta": 0.003, "F0": 450.0}


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--count", type=int, default=500)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--noise", type=float, default=0.5)
    a.add_argument("--unknown", action="store_true")
    a = a.parse_args()
    program = os.environ.get("AMONTONS", "build/amontons")
    rows = [line.split(",") for line in open("gallery/records/anh-R0.csv").read().split("\n")[1:] if line]
    rng = random.Random(a.seed)
    inside, z2, failed = dict.fromkeys(TRUE, 0), dict.fromkeys(TRUE, 0.0), 0
    known = ["stiffness=7e5"] + ([] if a.unknown else ["mass=100", "drive=v"])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "r.csv")
        for _ in range(a.count):
            with open(path, "w") as f:
                f.write("t [s],F [N],v [m/s]\n")
                f.writelines("%s,%.4f,%s\n" % (t, float(x) + rng.gauss(0, a.noise), v) for t, x, v in rows)
            r = subprocess.run([program, "fit", "--record", path, "--breakdowns", *known, "--relation", "rate", "--json"],
                               capture_output=True, text=True)
            if r.returncode:
                failed += 1
                continue
            p = json.loads(r.stdout)["parameters"]
            for name, true in TRUE.items():
                inside[name] += p[name]["low"] <= true <= p[name]["high"]
                z2[name] += ((p[name]["value"] - true) / p[name]["se"]) ** 2
    n = a.count - failed
    print("%d records, noise %g N, %d failed" % (a.count, a.noise, failed))
    for name in TRUE:
        print("%-5s %6.2f %% inside, rms of (value - truth)/se %.3f" % (name, 100 * inside[name] / n, (z2[name] / n) ** 0.5))


main()
