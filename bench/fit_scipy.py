#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Four parameters of a stick-slip record of 10^4 samples: `amontons fit` beside SciPy's least_squares with finite differences around
solve_ivp with events, written by hand for this one block (stick in closed form). Same record, same run, both on one core.

  bench/fit_scipy.py [PROGRAM]

Amontons starts 25 % off and finds its way through the valleys of the sum of squares; SciPy would stop in the wrong one from there, so it is
given a start that is 1 % off, and again the start that Amontons had, to show what it makes of it."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/amontons")
MODEL = str(ROOT / "models/block-on-belt.yaml")
NAMES, TRUE, OFF = ["k", "Fs", "delta", "v"], np.array([1.0, 1.0, 3.0, 0.2]), np.array([1.25, 0.8, 0.75, 1.2])
UNTIL, SAMPLES, NOISE = 120.0, 10000, 0.01
T = np.linspace(0.0, UNTIL, SAMPLES)


def motion(p, rtol=1e-8):
    """x at the times T: slip by solve_ivp up to x' = v, stick in closed form up to k x = Fs."""
    k, fs, delta, v = p
    x, t, y = np.empty(SAMPLES), 0.0, [1.1, 0.0]

    def rates(_, y):
        return [y[1], -k * y[0] + fs / (1.0 + delta * abs(v - y[1]))]

    def stop(t, y):
        return y[1] - v
    stop.terminal, stop.direction = True, 1.0
    i = 0
    while t < UNTIL:
        s = solve_ivp(rates, (t, UNTIL), y, method="DOP853", rtol=rtol, atol=1e-10, events=stop, dense_output=True)
        j = np.searchsorted(T, s.t[-1], side="right")
        if j > i:
            x[i:j] = s.sol(T[i:j])[0]
        i, t, y = j, s.t[-1], s.y[:, -1]
        if t >= UNTIL:
            break
        leave = max(t + (fs / k - y[0]) / v, t)  # the spring pulls it off
        j = np.searchsorted(T, min(leave, UNTIL), side="right")
        x[i:j] = y[0] + v * (T[i:j] - t)
        i, y, t = j, [fs / k, v * (1 - 1e-12)], leave
    return x


def by_scipy(data, start):
    begin = time.process_time()
    r = least_squares(lambda p: motion(p) - data, start, x_scale=np.abs(start), method="trf", xtol=1e-8)
    return time.process_time() - begin, r.x, np.sqrt(2 * r.cost / (SAMPLES - 4)), r.nfev


def by_amontons(path, start):
    best, out = np.inf, None
    for _ in range(5):
        begin = os.times()
        vary = ", ".join(f"{n}={x:.17g}" for n, x in zip(NAMES, start))
        out = subprocess.run([PROGRAM, "fit", MODEL, "--record", path, "--vary", vary, "--json", "--quiet"],
                             capture_output=True, check=True, text=True).stdout
        end = os.times()
        best = min(best, end.children_user + end.children_system - begin.children_user - begin.children_system)
    r = json.loads(out)
    return best, np.array([r["parameters"][n]["value"] for n in NAMES]), r["residual"], r["evaluations"]


def tell(what, seconds, p, residual, looks, first=None):
    ratio = f"  {seconds / first:8.1f} times" if first else ""
    print(f"{what:34s} {seconds:9.3f} s  residual {residual:.6f}  {looks:4d} motions  {np.array2string(p, precision=6)}{ratio}")


def main():
    data = motion(TRUE, 1e-12) + NOISE * np.random.default_rng(1).standard_normal(SAMPLES)
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/record.csv"
        np.savetxt(path, np.column_stack([T, data]), delimiter=",", header="t [s],x [m]", comments="", fmt="%.17g")
        ours = by_amontons(path, TRUE * OFF)
    tell("amontons fit, start 25 % off", *ours)
    tell("SciPy, start 1 % off", *by_scipy(data, TRUE * (1 + 0.04 * (OFF - 1))), ours[0])
    tell("SciPy, start 25 % off", *by_scipy(data, TRUE * OFF), ours[0])


main()
