# SPDX-License-Identifier: Apache-2.0
"""The elliptic pendulum with mu|L| > 1: stuck until it slips off with a reaction that jumps to the other sign, or slipping into a
region without solution. The compliant line has one motion always; the rigid one is its limit."""
import math
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
import ask as asking  # noqa: E402

ask, check, models = asking.ask, asking.check, asking.models


def run(kind, until, given):
    """The motion, which has to reach its end."""
    options = [f"{name}={value!r}" for name, value in given.items()]
    status, out, err = ask("simulate", models + kind + ".yaml", "--set", *options, "--until", str(until))
    check(status == 0 and out.get("ended") == "until" and out["audit"]["ok"], kind, given, err)
    return out


def motions(until, given):
    """Rigid, and over guides of growing stiffness that begin with the same reaction, their ratio of damping 0.3."""
    start = ask("contact", models + "elliptic-pendulum.yaml", "--set", *[f"{k}={v!r}" for k, v in given.items()])[1]
    reaction = start["solutions"][start["chosen"]]["R"] if start["count"] > 0 else 0.0
    yield run("elliptic-pendulum", until, given)
    for c in 1e7, 1e9:
        d = 0.6 * math.sqrt(c * 0.05 * 1.05 / (0.05 + math.cos(given["theta"]) ** 2))
        yield run("elliptic-pendulum-soft", until, {**given, "c": c, "d": d, "R_init": reaction})


CASES = [  # mu, theta, theta', until
    (2.0, -0.6, -5.0, 0.6),   # stuck after an impact, slips off
    (2.0, -2.2, 3.0, 0.5),    # the same, other direction
    (0.6, -1.6, -4.0, 0.12),  # slips until no solution is left: stops at once, slips back
    (0.6, -0.4, -6.0, 0.2),   # stuck after the barrier, slips off
    (2.0, -1.8, -4.0, 0.15),  # slips until no solution is left: stops at once, sticks
    (2.0, 0.4, -6.0, 0.25),   # the same, fast
]
for mu, theta, rate, until in CASES:
    rigid, soft, stiff = motions(until, {"M1": 0.05, "mu": mu, "x'": 1.0, "theta": theta, "theta'": rate})
    for name in ("x", "theta", "x'", "theta'"):
        exact = rigid["final"]["state"][name]
        first, last = abs(soft["final"]["state"][name] - exact), abs(stiff["final"]["state"][name] - exact)
        check(last < 0.02 and (last < 0.5 * first or first < 1e-4), mu, theta, rate, name, exact, first, last)

status, found, err = ask("map", models + "elliptic-pendulum.yaml", "--set", "M1=0.05", "mu=2", "x'=1", "--x", "theta=-3:3", "--y",
                         "theta'=-6:6", "--size", "31x13", "--of", "simulate.ended", "--with", "until=0.5")
check(status == 0 and "stopped" not in str(found), "a run stops", err)
sys.exit(asking.failures > 0)
