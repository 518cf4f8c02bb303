#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write tests/cases/leine-*.yaml from the check values of the specification.

usage: make_cases.py CASES.json [OUTPUT FOLDER]

The output is committed; running the tests needs no Python. Cases of analyses that do not exist yet
(shooting, monodromy, Lyapunov exponents, spectra, branches) are left out.
"""
import json
import math
import random
import sys

cases = json.load(open(sys.argv[1]))
by_id = {c["id"]: c["data"] for c in cases}
out_dir = sys.argv[2] if len(sys.argv) > 2 else "tests/cases"

V = "x'"
STRING = dict(model="violin-string", contact="bow", x="x", y="y")
LENGTH = 0.32


def num(x):
    return x if isinstance(x, str) else repr(float(x)) if not isinstance(x, int) else str(x)


def quote(s):
    s = str(s)
    plain = all(ch.isalnum() or ch in "_.+-" for ch in s) and s[0] not in "-'" if s else False
    return s if plain or isinstance(s, (int, float)) else '"' + s + '"'


def flow(d):
    def val(v):
        return num(v) if isinstance(v, (int, float)) and not isinstance(v, bool) else quote(v)
    return "{" + ", ".join(f"{quote(k)}: {val(v)}" for k, v in d.items()) + "}"


class Study:
    def __init__(self, name, title, model):
        self.name, self.title, self.model = name, title, model
        self.runs, self.expect, self.remark = [], [], None

    def run(self, name, verb="simulate", options=None, set=None, over=None, model=None, text=None):
        self.runs.append((name, verb, options or {}, set, over, model))

    def check(self, value, equals=None, case=None, **more):
        self.expect.append((value, equals, case, more))

    def write(self):
        lines = ["# SPDX-License-Identifier: Apache-2.0",
                 "# Made by tests/tools/make_cases.py from the specification's check values.",
                 *([f"# ctest: {self.remark}"] if self.remark else []),
                 f"study: {self.name}", f"title: \"{self.title}\"", f"model: ../../models/{self.model}.yaml", "runs:"]
        for name, verb, options, set_, over, model in self.runs:
            lines.append(f"  {name}:")
            if model:
                lines.append(f"    model: ../../models/{model}.yaml")
            lines.append(f"    {verb}: {flow(options)}")
            if set_:
                lines.append(f"    set: {flow(set_)}")
            if over:
                lines.append("    over:")
                for item in over:
                    lines.append(f"      - {flow(item)}")
        lines.append("expect:")
        for value, equals, case, more in self.expect:
            lines.append(f"  - value: {value}")
            if equals is not None:
                lines.append(f"    equals: {equals if isinstance(equals, str) else num(equals)}")
            for k, v in more.items():
                lines.append(f"    {k}: {v if isinstance(v, str) else v if isinstance(v, list) else num(v)}")
            if case:
                lines.append(f"    case: {case}")
        open(f"{out_dir}/{self.name}.yaml", "w").write("\n".join(lines) + "\n")


def ids(prefix):
    """(id, data) of prefix-0, prefix-1, ..."""
    out, i = [], 0
    while f"{prefix}-{i}" in by_id:
        out.append((f"{prefix}-{i}", by_id[f"{prefix}-{i}"]))
        i += 1
    return out


def check_events(s, run, events, case, start=0, t0=None, names=("x",), tol=1e-9, state_abs=None, cases=None):
    """Compare a stretch of events: times (from t0), kinds, modes, positions."""
    minus = f" - {t0}" if t0 else ""
    for i, e in enumerate(events):
        at = f"{run}.events[{start + i}]"
        c = cases[i] if cases else case
        s.check(f"{at}.t{minus}", float(e["t"]), c, tolerance=tol)
        s.check(f"{at}.kind", e["kind"], c)
        if "to" in e:
            s.check(f"{at}.to", int(e["to"]), c)
        q = e.get("q") or ([float(e["x"])] if "x" in e else e.get("z"))
        for name, value in zip(names, q):
            more = dict(abs=state_abs) if state_abs else dict(rel=tol, abs=1e-12)
            s.check(f"{at}.state.{name}", float(value), c, **more)


# ---- friction, right-hand sides ------------------------------------------------------------------
s = Study("leine-friction", "Friction law (11) in slip and stick", "block-on-belt")
slip, stick = ids("leine-friction-slip"), ids("leine-friction-stick")
s.run("slip", "evaluate", over=[{"x": 0, V: f"v + ({num(d['vrel'])})"} for _, d in slip])
s.run("stick", "evaluate", over=[{"x": d["x"], V: "v"} for _, d in stick])
for i, (c, d) in enumerate(slip):
    s.check(f"slip[{i}].contacts.belt.force", d["F"], c, tolerance=1e-13)
for i, (c, d) in enumerate(stick):
    s.check(f"stick[{i}].contacts.belt.force", d["F"], c, tolerance=1e-13)
s.write()

s = Study("leine-smoothed", "Smoothed friction (12) and its slope", "block-on-belt")
sm = ids("leine-smoothed")
# The slip of a tiny speed on a moving belt would lose digits; on a belt at rest it is exact.
s.run("at", "evaluate", {"method": "smooth", "eps": 1e6}, {"v": 0}, [{"x": 0, V: d["vrel"]} for _, d in sm])
for i, (c, d) in enumerate(sm):
    s.check(f"at[{i}].contacts.belt.force", d["F"] + 0.0, c, tolerance=1e-12)
    s.check(f"at[{i}].contacts.belt.slope", d["dF"], c, tolerance=1e-12)
s.write()

s = Study("leine-switch-rhs", "Right-hand sides of the switch model (A1)", "block-on-belt")
rhs, aging = ids("leine-switch-rhs"), ids("leine-switch-rhs-tdsf")
s.run("block", "evaluate", {"method": "switch", "eta": 1e-6}, None, [{"x": d["x"], V: d["v"]} for _, d in rhs])
s.run("aging", "evaluate", {"method": "switch", "eta": 1e-6}, None,
      [{"x": d["y"][0], V: d["y"][1], "belt.t_stick": d["y"][2]} for _, d in aging], "block-aging")
for i, (c, d) in enumerate(rhs):
    s.check(f"block[{i}].rates.x", d["rhs"][0] + 0.0, c, rel=1e-13, abs=1e-15)
    s.check(f"block[{i}].rates.x'", d["rhs"][1] + 0.0, c, rel=1e-13, abs=1e-15)
for i, (c, d) in enumerate(aging):
    for name, value in zip(("x", V, "belt.t_stick"), d["rhs"]):
        s.check(f"aging[{i}].rates.{name}", value + 0.0, c, rel=1e-13, abs=1e-15)
s.write()

s = Study("leine-F-stick", "Static friction over the time of rest (18)", "block-aging")
fs = ids("leine-F-stick")
s.run("at", "evaluate", {}, None, [{"x": 0, V: "v", "belt.t_stick": d["t_stick"]} for _, d in fs])
for i, (c, d) in enumerate(fs):
    s.check(f"at[{i}].contacts.belt.bound", d["F"], c, tolerance=1e-14)
s.write()

s = Study("leine-equilibrium", "Steady sliding of the block, eigenvalues from the slope of the friction", "block-on-belt")
d = by_id["leine-equilibrium"]
s.run("at", "evaluate", {}, {"x": d["x"], V: 0})
s.check("at.rates.x'", 0.0, "leine-equilibrium", abs=1e-15)
s.check("at.contacts.belt.slope/(2*m)", d["eig"][0], "leine-equilibrium", tolerance=1e-13)
s.check("sqrt(k/m - (at.contacts.belt.slope/(2*m))^2)", d["eig"][1], "leine-equilibrium", tolerance=1e-13)
s.write()

# ---- the block: cycles and sequences -----------------------------------------------------------------
s = Study("leine-block-cycle", "Limit cycle of the block on the belt", "block-on-belt")
d = {k: float(v) for k, v in by_id["leine-block-cycle"].items()}
C = "leine-block-cycle"
s.run("run", "simulate", {"until": 40, "tol": 1e-12}, {"x": 0, V: "v"})
# One cycle, between the first two breakaways at t = 5 and t = 5 + T.
s.run("cycle", "simulate", {"until": 5 + d["T"], "after": 5, "tol": 1e-12}, {"x": 0, V: "v"})
s.check("run.events[2].t - run.events[0].t", d["T"], C, tolerance=1e-11)
s.check("run.events[4].t - run.events[2].t", d["T"], C, tolerance=1e-11)
s.check("run.events[1].t - run.events[0].t", d["t_slip"], C, tolerance=1e-11)
s.check("run.events[2].t - run.events[1].t", d["t_stick"], C, tolerance=1e-11)
s.check("run.events[1].state.x", d["x_slip_stick"], C, tolerance=1e-11)
s.check("run.events[2].state.x", d["x_stick_slip"], C, tolerance=1e-11)
s.check("cycle.extrema.x.max", d["x_max"], C, tolerance=1e-11)
s.check("cycle.extrema.x.t_max - 5", d["t_x_max_after_breakaway"], C, tolerance=1e-9)
s.check("cycle.extrema.x.min", d["x_min"], C, tolerance=1e-11)
s.check("cycle.extrema.x.t_min - 5", d["t_x_min_after_breakaway"], C, tolerance=1e-9)
s.check("cycle.extrema.x'.min", d["v_min"], C, tolerance=1e-11)
s.check("cycle.extrema.x'.t_min - 5", d["t_v_min_after_breakaway"], C, tolerance=1e-8)
s.check("(Fs - k*run.events[1].state.x)/m", d["accel_at_stick"], C, tolerance=1e-11)
s.check("run.last_return.belt", d["T"], C, tolerance=1e-11)
s.check("run.audit.ok", "true")
s.check("run.audit.energy_error", below=1e-9)
s.write()

s = Study("leine-block-events", "Events of the block from (1.1, 0)", "block-on-belt")
ev = ids("leine-block-events-from-1.1-0")
s.run("run", "simulate", {"until": 40}, {"x": 1.1, V: 0})
s.check("length(run.events)", len(ev))
check_events(s, "run", [d for _, d in ev], None, cases=[c for c, _ in ev])
s.check("run.audit.energy_error", below=1e-9)
s.write()

s = Study("leine-sequences", "Sequences of events with crossings, sticks and releases", "block-on-belt")
for i, (c, d) in enumerate(ids("leine-sequences")):
    par = {"v": d["par"]["vdr"]} if "vdr" in d["par"] else {}
    s.run(f"run{i}", "simulate", {"until": d["t_end"]}, {**par, "x": d["z0"][0], V: d["z0"][1]})
    s.check(f"length(run{i}.events)", len(d["events"]), c)
    check_events(s, f"run{i}", d["events"], c)
    s.check(f"run{i}.final.state.x", d["z_end"][0], c, tolerance=1e-9)
    s.check(f"run{i}.final.state.x'", d["z_end"][1], c, tolerance=1e-9)
    s.check(f"run{i}.final.modes.belt", d["mode"], c)
s.write()

# Other belt speeds. From stick the first breakaway is on the cycle; where the cycle has no stick it is
# reached by convergence (multiplier 0.156).
s = Study("leine-belt-speeds", "Cycles at other belt speeds", "block-on-belt")
for c, d in ids("leine-belt-speed") + [("leine-mirror", by_id["leine-mirror"])]:
    v, T, n = d["input"]["vdr"], d["T"], len(d["events"])
    run = "v" + str(v).replace("-", "m").replace(".", "_")
    first = 1 / abs(v) if d["sticks_per_period"] else None
    if first:
        s.run(run, "simulate", {"until": first + 1.5 * T, "tol": 1e-13}, {"v": v, "x": 0, V: "v"})
        s.run(run + "_cycle", "simulate", {"until": first + T, "after": first, "tol": 1e-13}, {"v": v, "x": 0, V: "v"})
        start = 0
    else:
        s.run(run, "simulate", {"until": 40 * T, "tol": 1e-13}, {"v": v, "x": 0, V: "v"})
        s.run(run + "_cycle", "simulate", {"until": 40 * T, "after": 38 * T, "tol": 1e-13}, {"v": v, "x": 0, V: "v"})
        start = 70
    base = f"{run}.events[{start}].t"
    s.check(f"{run}.events[{start}].to", d["events"][-1]["to"], c)
    s.check(f"{run}.events[{start + n}].t - {base}", T, c, tolerance=1e-9)
    check_events(s, run, d["events"], c, start + 1, base)
    for key, name, side in (("x_min", "x", "min"), ("x_max", "x", "max"), ("v_min", V, "min"), ("v_max", V, "max")):
        s.check(f"{run}_cycle.extrema.{name}.{side}", d[key], c, tolerance=1e-9)
s.write()

s = Study("leine-static-peak", "Isolated static peak: the cycle, and its closed form without weakening", "block-static-peak")
d, C = by_id["leine-static-peak"], "leine-static-peak"
s.run("peak", "simulate", {"until": 30, "tol": 1e-13}, {"Fst": 1.2, "x": 0, V: "v"})
s.run("peak_cycle", "simulate", {"until": 6 + d["T"], "after": 6, "tol": 1e-13}, {"Fst": 1.2, "x": 0, V: "v"})
s.check("peak.events[2].t - peak.events[0].t", d["T"], C, tolerance=1e-9)
check_events(s, "peak", d["events"], C, 1, "peak.events[0].t")
for key, name, side in (("x_min", "x", "min"), ("x_max", "x", "max"), ("v_min", V, "min"), ("v_max", V, "max")):
    s.check(f"peak_cycle.extrema.{name}.{side}", d[key], C, tolerance=1e-9)
d, C = by_id["leine-coulomb-stiction-closed"], "leine-coulomb-stiction-closed"
par = {"delta": 0, "Fst": 1.2, "x": 0, V: "v"}
s.run("closed", "simulate", {"until": 20, "tol": 1e-13}, par)
s.run("closed_cycle", "simulate", {"until": 6 + d["T"], "after": 6, "tol": 1e-13}, par)
s.check("closed.events[2].t - closed.events[0].t", d["T"], C, tolerance=1e-11)
s.check("closed.events[1].t - closed.events[0].t", d["t_slip"], C, tolerance=1e-11)
s.check("closed.events[2].t - closed.events[1].t", d["t_stick"], C, tolerance=1e-11)
s.check("closed.events[1].state.x", d["x_slip_stick"], C, tolerance=1e-11)
s.check("closed_cycle.extrema.x.max", d["x_max"], C, tolerance=1e-11)
s.check("closed_cycle.extrema.x.min", d["x_min"], C, tolerance=1e-11)
s.write()

s = Study("leine-fixed-belt", "Belt at rest: turning points, and rest for good", "block-on-belt")
d, C = by_id["leine-fixed-belt"], "leine-fixed-belt"
s.run("plain", "simulate", {"until": 1000}, {"v": 0, "delta": 0, "x": 5.5, V: 0})
s.check("length(plain.events)", len(d["events"]), C)
check_events(s, "plain", d["events"], C)
s.check("plain.final.state.x", d["final"][0], C, tolerance=1e-9)
s.check("plain.final.state.x'", 0.0, C, tolerance=0)
s.check("plain.final.modes.belt", d["mode"], C)
d, C = by_id["leine-fixed-belt-delta3"], "leine-fixed-belt-delta3"
s.run("weakening", "simulate", {"until": 100, "tol": 1e-13}, {"v": 0, "delta": 3, "x": 5.5, V: 0})
s.check("length(weakening.events)", d["n"], C)
check_events(s, "weakening", d["events"], C)
s.check("weakening.final.state.x", d["final"][0], C, tolerance=1e-9)
s.check("weakening.final.state.x'", 0.0, C, tolerance=0)
s.check("weakening.final.modes.belt", d["mode"], C)
s.write()

s = Study("leine-critical-speeds", "Belt speeds where crossing begins and where stick ends, bracketed by simulation", "block-on-belt")
d, C = by_id["leine-critical-speeds"], "leine-critical-speeds"
for name, v, far in (("below1", d["v_c1"] - 1e-8, 100), ("above1", d["v_c1"] + 1e-8, 100),
                     ("below2", d["v_c2"] - 1e-8, 600), ("above2", d["v_c2"] + 1e-8, 600)):
    s.run(name, "simulate", {"until": far, "after": far - 50, "tol": 1e-13}, {"v": v, "x": 0, V: "v"})
s.check("length(below1.events[kind=slip-slip])", 0, C)
s.check("length(above1.events[kind=slip-slip])", None, C, above=0)
s.check("below2.stick_fraction.belt", None, C, above=0)
s.check("above2.stick_fraction.belt", 0.0, C, tolerance=0)
s.write()

# ---- smoothing ---------------------------------------------------------------------------------------
# The period is the distance of two maxima of x, three periods apart, far from the start.
s = Study("leine-smooth-period", "Periods of the smoothed system", "block-on-belt")
for i, (c, d) in enumerate(ids("leine-smooth-period")):
    T = d["T"]
    opt = {"method": "smooth", "eps": d["eps"], "tol": 1e-13 if d["eps"] > 1e6 else 1e-11}
    # From (1, v) a breakaway is near: the maximum follows about one time unit later.
    for name, k in (("early", 3), ("late", 6)):
        s.run(f"{name}{i}", "simulate", {**opt, "after": (k - 0.3) * T, "until": (k + 0.6) * T}, {"x": 1, V: "v"})
    s.check(f"(late{i}.extrema.x.t_max - early{i}.extrema.x.t_max)/3", T, c, tolerance=1e-6)
    s.check(f"late{i}.extrema.x.max", d["x_max"], c, tolerance=1e-6)
s.write()

s = Study("leine-smooth-creep", "Creep of the smoothed law in stick (L3)", "block-on-belt")
for i, (c, d) in enumerate(ids("leine-smooth-creep")):
    s.run(f"run{i}", "simulate", {"until": 0.5, "method": "smooth", "eps": 1e6, "tol": 1e-13, "after": 0.4999},
          {"x": d["x"] - 0.1, V: "v"})
    s.check(f"run{i}.final.state.x' - v", d["vrel"], c, tolerance=1e-4)
s.write()

# ---- time-dependent static friction ------------------------------------------------------------------
s = Study("leine-tdsf-map", "Time-dependent static friction: map of the sticking position", "block-aging-ideal")
for i, (c, d) in enumerate(ids("leine-tdsf-map")):
    s.run(f"run{i}", "simulate", {"until": d["T"] + 0.01, "tol": 1e-13}, {"x": d["x"], V: "v"})
    s.check(f"run{i}.events[kind=slip-stick][0].t", d["T"], c, tolerance=1e-10)
    s.check(f"run{i}.events[kind=slip-stick][0].state.x", d["Px"], c, tolerance=1e-9)
s.write()

s = Study("leine-tdsf-events", "Time-dependent static friction: events from (1.1, 0)", "block-aging")
for run, model, prefix in (("ideal", "block-aging-ideal", "leine-tdsf-events-b-None"),
                           ("decay", "block-aging", "leine-tdsf-events-b-10.0")):
    ev = ids(prefix)
    s.run(run, "simulate", {"until": 58, "tol": 1e-13}, {"x": 1.1, V: 0}, None, model)
    s.check(f"length({run}.events)", len(ev))
    check_events(s, run, [d for _, d in ev], None, cases=[c for c, _ in ev])
    for i, (c, d) in enumerate(ev):
        if d["kind"] == "slip-stick":
            s.check(f"{run}.events[{i}].state.belt.t_stick", 0.0, c, abs=1e-12)
        if d["kind"] == "stick-slip":
            s.check(f"{run}.events[{i}].state.belt.t_stick", d["tau"], c, tolerance=1e-9)
s.write()

s = Study("leine-tdsf-cycles", "Time-dependent static friction: the unstable and the stable cycle", "block-aging-ideal")
d, C = by_id["leine-tdsf-period1"], "leine-tdsf-period1"
s.run("one", "simulate", {"until": d["T"] + 0.1, "tol": 1e-13}, {"x": d["x_slip_stick"][0], V: "v"})
check_events(s, "one", d["events"], C, tol=1e-8)
d, C = by_id["leine-tdsf-period2"], "leine-tdsf-period2"
s.run("two", "simulate", {"until": 40 * d["T"], "stop-events": 5 * 30 + 1, "tol": 1e-13}, {"x": 1.1, V: 0})
start = 145  # five events a period; every fifth, from the first, begins the longer stick
base = f"two.events[{start}].t"
s.check(f"two.events[{start}].state.x", d["x_slip_stick"][0], C, tolerance=1e-8)
check_events(s, "two", d["events"], C, start + 1, base, tol=1e-8)
s.write()

# ---- string --------------------------------------------------------------------------------------------
X, Y, BOW = STRING["x"], STRING["y"], STRING["contact"]
s = Study("leine-violin-parameters", "Parameters of the bowed string (Appendix B)", STRING["model"])
for d_mm in ("1", "0.25"):
    run = "d" + d_mm.replace(".", "_")
    c, d = f"leine-violin-par-{d_mm}", by_id[f"leine-violin-par-{d_mm}"]
    f, fc = by_id[f"leine-violin-Fex-{d_mm}"], f"leine-violin-Fex-{d_mm}"
    s.run(run, "evaluate", {}, {"d": float(d_mm) * 1e-3, X: f["x"], Y: f["phir"], X + "'": "v", Y + "'": 0})
    p = f"{run}.parameters"
    for name in ("A", "Ip", "m", "k", "kt", "J", "r"):
        s.check(f"{p}.{name}", d[name], c, tolerance=1e-12)
    s.check(f"sqrt({p}.k/{p}.m)", d["wl"], c, tolerance=1e-12)
    s.check(f"sqrt({p}.kt/{p}.J)", d["wt"], c, tolerance=1e-12)
    s.check(f"sqrt({p}.kt/{p}.J)/sqrt({p}.k/{p}.m)", d["ratio"], c, tolerance=1e-12)
    s.check(f"{p}.r^2*{p}.m/{p}.J", d["r2m_J"], c, tolerance=1e-12)
    s.check(f"sqrt(({p}.k + {p}.kt/{p}.r^2)/({p}.m + {p}.J/{p}.r^2))", d["wstick"], c, tolerance=1e-12)
    s.check(f"{run}.contacts.{BOW}.needed", f["Fex"], fc, tolerance=1e-12)
s.write()

REST = {X: 0, Y: 0, X + "'": 0, Y + "'": 0}
for d_mm in ("1", "0.25"):
    ev = ids(f"leine-violin-{d_mm}mm-from-rest")
    s = Study(f"leine-violin-{d_mm}mm-from-rest", f"String of {d_mm} mm: events from rest", STRING["model"])
    s.run("run", "simulate", {"until": float(ev[-1][1]["t"]) + 1e-6, "tol": 1e-13}, {"d": float(d_mm) * 1e-3, **REST})
    s.check("length(run.events)", len(ev))
    # Chaos amplifies rounding; up to here 1e-9 of the amplitude is kept.
    check_events(s, "run", [d for _, d in ev], None, names=(X, Y), cases=[c for c, _ in ev], state_abs=1e-12)
    s.write()

s = Study("leine-violin-1mm", "String of 1 mm: the periodic motion by long simulation", STRING["model"])
d, C = by_id["leine-violin-1mm"], "leine-violin-1mm"
one_mm = {"d": 1e-3, **REST}
start, n = 403, 10  # the long slip begins at event 13 and, ten events a period, at 403
s.run("run", "simulate", {"until": 1, "stop-events": 414, "tol": 1e-13}, one_mm)
s.run("long", "simulate", {"until": 0.5, "after": 0.5 - 20 * d["T"], "tol": 1e-13}, one_mm)
base = f"run.events[{start}].t"
s.check(f"run.events[{start + n}].t - {base}", d["T"], C, tolerance=1e-8)
s.check(f"1/(run.events[{start + n}].t - {base})", d["f0"], C, tolerance=1e-8)
s.check(f"run.events[{start}].state.{X}", d["start"]["x"], C, tolerance=1e-8)
s.check(f"run.events[{start}].state.{Y}", d["start"]["phir"], C, tolerance=1e-8)
s.check(f"run.events[{start}].state.{X}'", d["start"]["xdot"], C, tolerance=1e-8)
s.check(f"run.events[{start}].state.{Y}'", d["start"]["phirdot"], C, tolerance=1e-7)
check_events(s, "run", d["events"], C, start + 1, base, names=(X, Y), tol=1e-8)
s.check(f"long.stick_fraction.{BOW}", d["stick_fraction"], C, tolerance=1e-8)
for key, name in (("x", X), ("xdot", X + "'"), ("phir", Y), ("phirdot", Y + "'")):
    for side in ("min", "max"):
        s.check(f"long.extrema.{name}.{side}", d[f"{key}_{side}"], C, tolerance=1e-8)
s.check(f"long.episodes.{BOW}", 20 * d["sticks_per_period"], C)
# Extremes of the lateral velocity inside the five stick phases, each run from its beginning.
C, lim = "leine-violin-1mm-xdot-in-stick", by_id["leine-violin-1mm-xdot-in-stick"]
phases = []
for a, b in zip(d["events"], d["events"][1:]):
    if a["to"] != 0:
        continue
    name = f"stick{len(phases)}"
    s.run(name, "simulate", {"until": (b["t"] - a["t"]) * 0.999999},
          {"d": 1e-3, X: a["q"][0], Y: a["q"][1], X + "'": a["v"][0], Y + "'": f"v - ({num(a['v'][0])})"})
    s.check(f"{name}.stick_fraction.{BOW}", 1.0, C, tolerance=1e-12)
    phases.append(name)
s.check("min(" * (len(phases) - 1) + f"{phases[0]}.extrema.{X}'.min, " +
        ", ".join(f"{p}.extrema.{X}'.min)" for p in phases[1:]), lim[0], C, tolerance=1e-8)
s.check("max(" * (len(phases) - 1) + f"{phases[0]}.extrema.{X}'.max, " +
        ", ".join(f"{p}.extrema.{X}'.max)" for p in phases[1:]), lim[1], C, tolerance=1e-8)
s.write()

s = Study("leine-violin-1dof", "One degree of freedom in place of the string", "block-on-belt")
for d_mm in ("1", "0.25"):
    c, d = f"leine-violin-1dof-{d_mm}mm", by_id[f"leine-violin-1dof-{d_mm}mm"]
    p = by_id[f"leine-violin-par-{d_mm}"]
    par = {"m": p["m"], "k": p["k"], "delta": 0.5, "Fs": 1, "v": 1, "x": 0, V: "v"}
    run = "d" + d_mm.replace(".", "_")
    first = 1 / 625
    s.run(run, "simulate", {"until": first + 2.5 * d["T"], "tol": 1e-13}, par)
    s.run(run + "_cycle", "simulate", {"until": first + d["T"], "after": first, "tol": 1e-13}, par)
    s.check(f"{run}.events[2].t - {run}.events[0].t", d["T"], c, tolerance=1e-9)
    check_events(s, run, d["events"], c, 1, f"{run}.events[0].t")
    for key, name in (("x", "x"), ("xdot", V)):
        for side in ("min", "max"):
            s.check(f"{run}_cycle.extrema.{name}.{side}", d[f"{key}_{side}"], c, tolerance=1e-9)
s.write()

s = Study("leine-violin-random-starts", "String of 1 mm: every start ends in the same motion", STRING["model"])
s.remark = "slow"
C, d = "leine-violin-1mm-random-starts", by_id["leine-violin-1mm"]
rng = random.Random(1998)
starts = [{X: round(rng.uniform(-3e-3, 3e-3), 6), X + "'": round(rng.uniform(-3, 3), 4),
           Y: round(rng.uniform(-8e-6, 8e-6), 9), Y + "'": round(rng.uniform(-0.3, 0.3), 4)} for _ in range(200)]
s.run("starts", "simulate", {"until": 0.25, "after": 0.25 - 4 * d["T"]}, {"d": 1e-3}, starts)
s.check("length(starts)", by_id[C]["n"], C)
for side in ("min", "max"):
    s.check(f"{side}(starts[*].extrema.{X}.{side})", d[f"x_{side}"], C, tolerance=1e-7)
s.check(f"min(starts[*].extrema.{X}.max)", d["x_max"], C, tolerance=1e-7)
s.check(f"max(starts[*].extrema.{X}.min)", d["x_min"], C, tolerance=1e-7)
s.check(f"min(starts[*].stick_fraction.{BOW})", d["stick_fraction"], C, tolerance=1e-6)
s.check(f"max(starts[*].stick_fraction.{BOW})", d["stick_fraction"], C, tolerance=1e-6)
s.write()

s = Study("leine-violin-statistics", "String of 0.25 mm: statistics of the chaotic motion over 8 s", STRING["model"])
s.remark = "slow"
C, d = "leine-violin-0.25mm-statistics", by_id["leine-violin-0.25mm-statistics"]
span = 8.0
s.run("run", "simulate", {"until": span + 0.5, "after": 0.5, "max-events": 1000000, "max-steps": 100000000}, {"d": 2.5e-4, **REST})
mean = f"run.mean.{X}"
# "rms phi r" is about the mean, as phir_rms_ac of the spectra shows.
values = [mean, f"sqrt(run.rms.{X}^2 - {mean}^2)", f"run.rms.{X}'", f"sqrt(run.rms.{Y}^2 - run.mean.{Y}^2)", f"run.stick_fraction.{BOW}",
          f"run.episodes.{BOW}/{span}"]
for value, m, e in zip(values, d["mean"], d["stderr"]):
    # Four standard errors of the difference of two finite records.
    s.check(value, m, C, abs=4 * e * math.sqrt(1 + d["duration_s"] / span))
s.write()

s = Study("leine-switch-violin", "Switch model on the string: steps and error over one period", STRING["model"])
o, p = by_id["leine-violin-1mm"], by_id["leine-violin-par-1"]
z0 = {"d": 1e-3, X: o["start"]["x"], Y: o["start"]["phir"], X + "'": o["start"]["xdot"], Y + "'": o["start"]["phirdot"]}
for i, (c, d) in enumerate(ids("leine-switch-violin")):
    s.run(f"run{i}", "simulate", {"until": o["T"], "method": "switch", "eta": d["eta"], "tol": d["tol"]}, z0)
    s.check(f"run{i}.stats.steps", None, c, between=[round(d["steps"] * 0.85), round(d["steps"] * 1.15)])
    f = f"run{i}.final.state"
    errors = [f"abs({f}.{X} - ({num(o['start']['x'])}))*{num(p['wl'])}", f"abs({f}.{X}' - ({num(o['start']['xdot'])}))",
              f"abs({f}.{Y} - ({num(o['start']['phir'])}))*{num(p['wt'])}", f"abs({f}.{Y}' - ({num(o['start']['phirdot'])}))"]
    s.check(f"max(max({errors[0]}, {errors[1]}), max({errors[2]}, {errors[3]}))", None, c,
            between=[d["err"] * 0.5, d["err"] * 1.5])
s.write()

# ---- several blocks, control, hump -------------------------------------------------------------------
def check_chain(s, run, events, n, case, start=0, t0=None, tol=1e-9, cases=None):
    names = [f"x[{i + 1}]" for i in range(n)]
    check_events(s, run, events, case, start, t0, names, tol, None, cases)
    for i, e in enumerate(events):
        s.check(f"{run}.events[{start + i}].contact", f"{CHAIN_CONTACT}[{e['block'] + 1}]", cases[i] if cases else case)


CHAIN_CONTACT = "belt"
s = Study("leine-chain2", "Two coupled blocks on a belt (P10)", "two-blocks")
ev = ids("leine-chain2-from-rest")
rest = {f"x[{i}]{p}": 0 for p in ("", "'") for i in (1, 2)}
s.run("rest", "simulate", {"until": 10.3, "tol": 1e-13}, rest)
s.check("length(rest.events)", len(ev))
check_chain(s, "rest", [d for _, d in ev], 2, None, cases=[c for c, _ in ev])
d, C = by_id["leine-chain2"]["orbit"], "leine-chain2"
start = 284
s.run("orbit", "simulate", {"until": 1000, "stop-events": start + 10, "tol": 1e-13}, rest)
base = f"orbit.events[{start}].t"
s.check(f"orbit.events[{start + 9}].t - {base}", d["T"], C, tolerance=1e-8)
check_chain(s, "orbit", d["events"], 2, C, start + 1, base, 1e-8)
s.write()

s = Study("leine-chain3", "Three coupled blocks: the phase-locked wave, and the unstable unison (P11)", "chain")
d, C = by_id["leine-chain3"], "leine-chain3"
par = {"N": 3, "kc": 0.7}
z0 = {f"x[{i + 1}]": v for i, v in enumerate(d["z0"][:3])}
zero = {f"x[{i}]'": 0 for i in (1, 2, 3)}
start = 607
s.run("wave", "simulate", {"until": 2000, "stop-events": start + 7, "tol": 1e-13}, {**par, **z0, **zero})
base = f"wave.events[{start}].t"
d = d["orbit"]
s.check(f"wave.events[{start + 6}].t - {base}", d["T"], C, tolerance=1e-8)
check_chain(s, "wave", d["events"], 3, C, start + 1, base, 1e-8)
s.run("unison", "simulate", {"until": 40, "tol": 1e-12}, {**par, **{f"x[{i}]": 1.1 for i in (1, 2, 3)}, **zero})
s.check(f"unison.last_return.{CHAIN_CONTACT}[1]", 12.0010312948, C, tolerance=1e-9)
s.check("unison.final.state.x[1] - unison.final.state.x[3]", 0.0, C, abs=1e-11)
s.write()

s = Study("leine-pid", "Hunting of a PID-controlled mass, and none without static friction (P12)", "pid")
d, C = by_id["leine-pid"], "leine-pid"
start = 161
z0 = {"x": 1, V: 0, "y": 0}
s.run("hunting", "simulate", {"until": 2000, "stop-events": start + 5, "tol": 1e-13}, {"Fst": 1.5, **z0})
base = f"hunting.events[{start}].t"
s.check(f"hunting.events[{start + 4}].t - {base}", d["T"], C, tolerance=1e-9)
s.check(f"hunting.events[{start}].state.y", d["start"][2], C, tolerance=1e-9)
check_events(s, "hunting", [dict(e, z=[e["z"][0], e["z"][2]]) for e in d["events"]], C, start + 1, base, ("x", "y"))
d, C = by_id["leine-pid-no-stiction"], "leine-pid-no-stiction"
s.run("quiet", "simulate", {"until": d["events"][-1]["t"] + 0.1, "tol": 1e-13}, {"Fst": 1, **z0})
s.check("length(quiet.events)", len(d["events"]), C)
check_events(s, "quiet", [dict(e, z=[e["z"][0], e["z"][2]]) for e in d["events"]], C, 0, None, ("x", "y"), state_abs=1e-9)
s.write()

s = Study("leine-hump", "Quasi-harmonic vibration under a friction curve with a hump (P13)", "hump")
d, C = by_id["leine-hump"]["cycle"], "leine-hump"
T = d["T"]
for name, k in (("early", 80), ("late", 84)):
    s.run(name, "simulate", {"until": (k + 1) * T, "after": k * T, "tol": 1e-13})
s.check("(late.extrema.x.t_max - early.extrema.x.t_max)/4", T, C, tolerance=1e-9)
for key, name, side in (("xmax", "x", "max"), ("xmin", "x", "min"), ("vmin", V, "min"), ("vmax", V, "max")):
    s.check(f"late.extrema.{name}.{side}", d[key], C, tolerance=1e-8)
s.check("late.stick_fraction.belt", 0.0, C, tolerance=0)
s.write()
