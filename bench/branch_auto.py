#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A smooth branch of cycles beside AUTO-07p: models/duffing.yaml, w from 4 to 1.2, through two folds.

usage: bench/branch_auto.py [--json FILE] [PROGRAM]       (needs gfortran and AUTO: Debian's auto-07p, or AUTO_DIR)

AUTO solves the same equations with the drive as an oscillator of its own, as its manual does it: NTST 40, NCOL 4, EPSU 1e-9, exact
Jacobians, multipliers and special points, one thread. Both run as processes, in turns; processor time (user and system), the least of
eleven. Each is also run for two points only: the difference leaves start and loading out. Amontons runs every cycle
through once more for its audit; that is in its time."""
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROUNDS = 11
EQUATIONS = """\
      subroutine func(ndim, u, icp, par, ijac, f, dfdu, dfdp)
      implicit none
      integer, intent(in) :: ndim, ijac, icp(*)
      double precision, intent(in) :: u(ndim), par(*)
      double precision, intent(out) :: f(ndim)
      double precision, intent(inout) :: dfdu(ndim, *), dfdp(ndim, *)
      double precision :: w, r
      w = par(1)
      r = u(3)**2 + u(4)**2
      f(1) = u(2)
      f(2) = -u(1)**3 - 0.2d0*u(2) + 2d0*u(3)
      f(3) = u(3) - w*u(4) - u(3)*r
      f(4) = w*u(3) + u(4) - u(4)*r
      if (ijac == 0) return
      dfdu(1:4, 1:4) = 0d0
      dfdu(1, 2) = 1d0
      dfdu(2, 1) = -3d0*u(1)**2
      dfdu(2, 2) = -0.2d0
      dfdu(2, 3) = 2d0
      dfdu(3, 3) = 1d0 - r - 2d0*u(3)**2
      dfdu(3, 4) = -w - 2d0*u(3)*u(4)
      dfdu(4, 3) = w - 2d0*u(3)*u(4)
      dfdu(4, 4) = 1d0 - r - 2d0*u(4)**2
      if (ijac == 1) return
      dfdp(1:4, 1) = (/ 0d0, 0d0, -u(4), u(3) /)
      end subroutine func
      subroutine stpnt(ndim, u, par, t)
      implicit none
      integer, intent(in) :: ndim
      double precision, intent(inout) :: u(ndim), par(*)
      double precision, intent(in) :: t
      double precision :: angle, w
      angle = 8d0*atan(1d0)*t
      w = 4d0
      par(1) = w
      par(11) = 8d0*atan(1d0)/w
      u = (/ -2d0/w**2*cos(angle), 2d0/w*sin(angle), cos(angle), sin(angle) /)
      end subroutine stpnt
      subroutine bcnd
      end subroutine bcnd
      subroutine icnd
      end subroutine icnd
      subroutine fopt
      end subroutine fopt
      subroutine pvls
      end subroutine pvls
"""
CONSTANTS = """\
ICP=[1, 11]
NDIM=4, IPS=2, IRS=0, ILP=1, NTST=40, NCOL=4, IAD=3, ISP=2, ISW=1, IPLT=0, NBC=0, NINT=0
NMX={most}, NPR=1000, MXBF=0, IID=2, ITMX=8, ITNW=7, NWTN=3, JAC=1
EPSL=1e-9, EPSU=1e-9, EPSS=1e-7, DS=-0.01, DSMIN=1e-5, DSMAX=0.05, IADS=1, RL0=1.2, RL1=4.01
THL={{11: 0.0}}
"""


def build_auto(folder):
    """The program of the equations, or None where there is no AUTO."""
    home = pathlib.Path(os.environ.get("AUTO_DIR", "/usr/lib/auto-07p"))
    objects = sorted((home / "lib").glob("*.o"))
    if not objects:
        return None
    (folder / "duffing.f90").write_text(EQUATIONS)
    made = subprocess.run(["gfortran", "-O3", "-std=legacy", "-fopenmp", "duffing.f90", "-o", "duffing", *map(str, objects)],
                          cwd=folder, capture_output=True, text=True, check=False)
    if made.returncode:
        sys.exit("AUTO's example could not be built:\n" + made.stderr)
    return str(folder / "duffing")


def seconds(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def run_auto(program, folder, most):
    (folder / "fort.2").write_text(CONSTANTS.format(most=most))
    time, out = seconds([program], folder)
    row = [line.split() for line in out.splitlines() if re.match(r"\s+\d+\s+\d+ +(LP|EP|MX)? ", line)]
    return time, int(row[-1][1]), [float(r[4]) for r in row if r[2] == "LP"]


def run_amontons(program, most):
    time, out = seconds([program, "continue", str(ROOT / "models/duffing.yaml"), "--vary", "w=4:1.2", "--points", str(most)], ROOT)
    return time, int(re.search(r"(\d+) points", out)[1]), [float(x) for x in re.findall(r"^\s*(\S+)\s+fold", out, re.M)]


def machine():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    find = lambda key: re.search(rf"^{key}\s*: (.*)$", text, re.M)[1]
    return f"{find('model name')} (family {find('cpu family')} model {find('model')})"


def main():
    args = sys.argv[1:]
    out = args.pop(args.index("--json") + 1) if "--json" in args else None
    args = [a for a in args if a != "--json"]
    program = args[0] if args else str(ROOT / "build/amontons")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        auto = build_auto(folder)
        if auto is None:
            sys.exit("no AUTO-07p here (Debian: auto-07p; elsewhere set AUTO_DIR)")
        runs = {"Amontons": lambda most: run_amontons(program, most), "AUTO-07p": lambda most: run_auto(auto, folder, most)}
        best = {name: {2: (9e9, 0, []), 400: (9e9, 0, [])} for name in runs}
        for _ in range(ROUNDS):
            for name, run in runs.items():
                for most in best[name]:
                    best[name][most] = min(best[name][most], run(most))
    result = []
    print(f"{machine()}\n\n{'':10} {'points':>6} {'all [ms]':>9} {'per point [us]':>14} {'without start':>13}   folds")
    for name, of in best.items():
        (short, few, _), (time, points, folds) = of[2], of[400]
        bare = (time - short) / (points - few)
        result.append({"machine": machine(), "entry": name, "points": points, "ms": 1e3 * time,
                       "us_per_point": 1e6 * time / points, "us_per_point_without_start": 1e6 * bare, "folds": folds})
        print(f"{name:10} {points:6} {1e3 * time:9.1f} {1e6 * time / points:14.1f} {1e6 * bare:13.1f}   "
              + ", ".join(f"{x:.8g}" for x in folds))
    ours, peer = result
    print(f"\nAUTO's time per point over Amontons': {peer['us_per_point'] / ours['us_per_point']:.2f}, without start "
          f"{peer['us_per_point_without_start'] / ours['us_per_point_without_start']:.2f}")
    if out:
        pathlib.Path(out).write_text("".join(json.dumps(r) + "\n" for r in result))


if __name__ == "__main__":
    main()
