#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write tests/cases/self-*.yaml from the check values of Le xuan Anh, section 1.5 and chapters 6 and 8.

usage: make_cases_self.py FOLDER OF anh-self-excited.json [OUTPUT FOLDER]

The output is committed; running the tests needs no Python. Everything is computed by the program: cycles, motions of drive
programs, critical speeds as the values at which a verdict changes. The source's approximations that only evaluate a
formula (v_star_formula, refined_*) are not repeated here; those that follow from averaging are, by the averaged model.
"""
import json
import math
import sys

from case_file import CaseFile, is_, near

src = sys.argv[1]
out_dir = sys.argv[2] if len(sys.argv) > 2 else "tests/cases"
cases = {c["id"]: c for c in json.load(open(src + "/anh-self-excited.json"))}
STOPS = {"of": "simulate.ended"}           # "stop-events": the slider stops again; "until": it does not


def File(name, title, model, note=None):
    return CaseFile(out_dir, "make_cases_self.py", name, title, model, note)


def kind(*names):
    return [c for c in cases.values() if c["kind"] in names]


def span(name, a, b):
    return f"{name}={a!r}:{b!r}"


def listed(name, values):
    return "{" + f'"{name}": [' + ", ".join(repr(v) for v in values) + "]}"


# --- laws -----------------------------------------------------------------------------------------
f = File("self-laws", "Break-away and sliding friction", "drive-program")
TIGHT = {"y0": 1e-6}                       # pulled forwards, so that the drive loads the contact
c = cases["self-anh-fplus"]
i, r = c["in"], c["out"]
stiff = 7e5
f.case(c["id"], {"at": ("evaluate", {}, TIGHT, listed("speed[1]", [x / stiff for x in i["f"]]))},
       [(f"at[{k}].contacts.guide.bound", near(b, 1e-10)) for k, b in enumerate(r["F"])] +
       [(f"at[{k}].outputs.rate", near(b, 1e-10)) for k, b in enumerate(i["f"])])
c = cases["self-anh-fplus-fT"]
i, r = c["in"], c["out"]
f.case(c["id"], {"at": ("evaluate", {}, dict(TIGHT, **{"speed[1]": i["f"] / stiff, "kappa": i["kappa"], "dT": i["dT"]}),
                        listed("guide.t_stick", i["T"]))},
       [(f"at[{k}].contacts.guide.bound", near(b, 1e-10)) for k, b in enumerate(r["F"])])
c = cases["self-anh-apparent-T"]
i, r = c["in"], c["out"]
runs, ex, d = {"never": ("evaluate", {}, dict(TIGHT, **{"speed[1]": 0.05}))}, [("never.contacts.guide.bound", near(450, 1e-10))], {}
for k, (T, F) in list(enumerate(zip(i["T"], r["F"])))[1:]:
    v = 2 * (F - 450) / (stiff * T)
    runs[f"v{k}"] = ("limits", {"vary": span("speed[1]", 0.7 * v, 1.4 * v), "points": 3, "of": "simulate.final.state.guide.t_stick",
                                "level": T, "with": {"until": 100.0, "stop-events": 3, "tol": 1e-13}},
                     {"y0": "(F0 + A*exp(-beta*c*speed[1]))/c"})
    ex.append((f"450 + 0.5*700000*{T!r}*v{k}.values[0].at", near(F, 1e-10)))
f.case(c["id"], runs, ex, note="The speed at which the cycle rests for T; the pull then grows by c*v*T from F0 - J to F0 + J. At once: the quickest drive.")
c = cases["self-anh-fc"]
i, r = c["in"], c["out"]
W = [max(w, 1e-13) for w in i["w"]]
f.case(c["id"], {"at": ("evaluate", {}, {"eps": i["alpha"] / 1.5, "gam": i["gamma"]}, listed("x'", W))},
       [(f"0 - at[{k}].contacts.guide.force", near(b, 1e-10)) for k, b in enumerate(r["F"])])
c = cases["self-anh-fc-panovko"]
i, r = c["in"], c["out"]
f.case(c["id"], {"at": ("evaluate", {}, {"Fs": i["Fmin"], "gam": i["gamma"], "v": 0.01}, listed("y'", [0.01 - max(w, 1e-16) for w in i["w"]]))},
       [(f"0 - at[{k}].contacts.guide.force", near(b, 1e-10)) for k, b in enumerate(r["F"])], path="drive-spring-slider")
c = cases["self-anh-f-cross"]
i, r = c["in"], c["out"]
f.case(c["id"], {"at": ("limits", {"vary": "speed[1]=1e-4:1e-3", "points": 5, "of": "evaluate.contacts.guide.bound", "level": i["Fc0"]}, TIGHT)},
       [("at.values[0].at*700000", near(r["f"], 1e-10)), ("at.count", is_(1))])
c = cases["self-anh-threshold-below-Fc0"]
i, r = c["in"], c["out"]
f.case(c["id"], {"law": ("evaluate", {}, dict(TIGHT, **{"speed[1]": i["f"] / stiff})),
                 "held": ("evaluate", {}, dict(TIGHT, **{"speed[1]": i["f"] / stiff, "Fc": i["Fc0"]}))},
       [("law.contacts.guide.bound", near(r["F_plus"])), ("held.contacts.guide.bound", near(r["threshold"])),
        ("length(law.warnings)", is_(0)), ("held.warnings[0]", {"contains": "static friction of contact guide is below its kinetic friction"})])
f.write()

# --- friction with a delay ------------------------------------------------------------------------
f = File("self-lag", "Onset of oscillation with friction that follows its curve with a delay", "drive-spring-slider-lag")
for c in kind("lag_onset"):
    i, r = c["in"], c["out"]
    s = {"c": i["c"], "m": i["m"]}
    if i["tau"] > 0:
        s.update({"d": i["delta"], "tau": i["tau"]})
        f.case(c["id"], {"onset": ("limits", {"vary": span("k", 0.3 * r["slope"], 2 * r["slope"]), "points": 9, "of": "steady.stable"}),
                         "at": ("steady", {}, {"k": r["slope"]})},
               [("onset.values[0].at", near(r["slope"], 1e-10)), ("onset.count", is_(1)), ("at.frequency", near(r["omega"], 1e-10))], set=s)
    else:
        s.update({"lam": i["delta"] / i["m"], "gam": 1.0, "v": 1e-4, "A": 0})
        f.case(c["id"], {"onset": ("limits", {"vary": "eps=1.0:6.0", "points": 9, "of": "steady.stable"}),
                         "at": ("steady", {}, {"eps": r["slope"] / i["m"]})},
               [("100*onset.values[0].at*(1 - 1e-8)", near(r["slope"], 1e-10)), ("at.frequency", near(r["omega"], 1e-10))],
               set=s, path="drive-spring-slider-jump", note="Without delay: the slope m*eps*(1 - v^2/gam^2) of the cubic curve.")
f.write()

# --- forces from the extrema of a record ----------------------------------------------------------
f = File("self-extrema", "Forces at break-away and at the stop from the extrema of a slip", "drive-spring-slider-jump",
         "Sliding begins at the largest pull at the speed of the drive and ends where the slider stops; the force at break-away is the one from which the largest pull is reached.")
for c in kind("forces_from_extrema"):
    i, r = c["in"], c["out"]
    s = {"c": i["c"], "m": i["m"], "v": i["v"], "eps": 0, "lam": 0, "beta": 0, "F0": 0.5 * (i["F_max"] + i["F_min"]), "A": 1}
    runs = {"slip": ("simulate", {"until": 1.0, "tol": 1e-13, "stop-events": 1}, {"z": f"-({i['F_max']!r})/c", "z'": 0})}
    if "error" in r:
        f.case(c["id"], runs, [("slip.ended", is_("until")), ("slip.stats.events", is_(0))], set=s, note="no stop: half range < v/omega")
        continue
    half = 0.5 * (i["F_max"] - i["F_min"])
    runs["up"] = ("limits", {"vary": span("A", 0.5 * half, 1.2 * half), "points": 3, "of": "simulate.extrema.z.min", "level": -i["F_max"] / i["c"],
                             "with": {"until": 0.2, "tol": 1e-13}}, {"z": "release"})
    d = {"Fp": f"{s['F0']!r} + up.values[0].at", "Fm": "0 - slip.events[kind=slip-stick][0].force"}
    f.case(c["id"], runs, [("Fp", near(r["Fp"], 1e-10)), ("Fm", near(r["Fm"], 1e-10)), (f"{i['F_max']!r} - Fp", near(r["Dp"], 1e-8)),
                           (f"{i['F_min']!r} - Fm", near(r["Dm"], 1e-8))], set=s, define=d)
f.write()

# --- cycles ---------------------------------------------------------------------------------------
JUMP = ("A", "beta", "F0", "c", "m")
CYCLE = {"at": ("cycle", {}, {"z": "release"})}
f = File("self-cycles", "Stick-slip with a jump of friction, without damping", "drive-spring-slider-jump")


def times(run="at"):
    return {"rest": f"{run}.stick_fraction.guide*{run}.period", "slip": f"{run}.period - rest"}


for c in kind("cycle"):
    i, r = c["in"], c["out"]
    s = {k: i[k] for k in JUMP + ("v",)}
    s.update({"eps": 0, "lam": 0})
    d = times()
    d["F"] = "0 - c*at.events[kind=stick-slip][0].state.z"
    ex = [("at.amplitude.z", near(r["a"])), ("at.period", near(r["T"])), ("rest", near(r["T_stick"])),
          ("slip", near(r["T_slip"])), ("F", near(r["sim"]["F_plus"])), ("F - F0", near(r["J"], 1e-8)),
          ("0 - c*at.events[kind=slip-stick][0].state.z", near(r["sim"]["F_minus"])),
          ("v*at.period", near(r["slip_distance"])), ("at.extrema.speed.max", near(r["vmax"])),
          ("0 - pi + acos(v*sqrt(m/c)/at.amplitude.z)", near(r["phi"])), ("at.zeros", is_(1)), ("at.stable", is_(True))]
    f.case(c["id"], CYCLE, ex, set=s, define=d)
for c in kind("v_m"):
    i, r = c["in"], c["out"]
    s = {k: i[k] for k in ("A", "beta", "c", "m")}
    s.update({"eps": 0, "lam": 0})
    if r["v_m"]:
        at = ("limits", {"vary": span("v", 0.3 * r["v_m"], 3 * r["v_m"]), "points": 9, "of": "cycle.amplitude.z", "extrema": "true",
                         "with": {"tol": 1e-13}}, {"z": "release"})
        f.case(c["id"], {"at": at}, [("at.extrema[kind=least][0].at", near(r["v_m"], 1e-10)), ("length(at.extrema)", is_(1)),
                                     ("at.extrema[0].value", near(r["a_min"], 1e-10)),
                                     ("sqrt(c/m)/(2*pi)*ln(1 + 1/(beta*c*at.extrema[0].at))", near(r["lam_max_short_stop"]))], set=s)
    else:
        slow = ("simulate", {"until": 2e-2 if i["A"] == 0 else 1300.0, "tol": 1e-13}, {"v": 1e-6, "z": "release"})
        at = ("limits", {"vary": "v=1e-4:1e-2", "points": 9, "of": "simulate.extrema.z.max", "extrema": "true",
                         "with": {"until": 0.02, "tol": 1e-13}}, {"z": "release"})
        f.case(c["id"], {"slow": slow, "at": at},
               [("(slow.extrema.z.max - slow.extrema.z.min)/2", near(r["a_min"], 1e-9, None if i["A"] else 2e-9)), ("length(at.extrema)", is_(0))], set=s,
               note="The amplitude falls with the speed to its value at vanishing speed.")
f.write()

# --- damping --------------------------------------------------------------------------------------
f = File("self-damped", "Stick-slip with damping, and the speed at which it is lost", "drive-spring-slider-jump",
         "v_*: released from rest, the slider just fails to stop again. It breaks away by the force on the contact, or (elastic) by that of the spring.")


def lost(v, low=0.7, high=1.3, until=0.2, **more):
    """The speed at which the slider, released from rest, stops no more."""
    return ("limits", dict(STOPS, vary=span("v", low * v, high * v), points=4, **{"with": {"until": until, "stop-events": 2}}),
            dict({"z": "release"}, **more))


for c in kind("damped"):
    i, r = c["in"], c["out"]
    s = {k: i[k] for k in JUMP + ("lam",)}
    s["eps"] = 0
    a = r["at_v"]
    w = math.sqrt(i["c"] / i["m"])
    top = i["F0"] / i["c"]
    h = r["hard_threshold_at_v"]
    runs = {"star": lost(r["v_star_exact_contact"]), "elastic": lost(r["v_star_exact_elastic"], elastic=1),
            "below": ("simulate", {"until": 1.0}, {"v": r["v_star_exact_contact"] * 0.9999, "z": "release"}),
            "above": ("simulate", {"until": 20.0}, {"v": r["v_star_exact_contact"] * 1.0001, "z": "release"}),
            "at": ("cycle", {}, {"v": a["v"], "z": "release"}),
            "hard": ("limits", dict(STOPS, vary=span("z", -top - 2 * h, -top - 0.5 * h), points=3, tol=1e-15, **{"with": {"until": 0.2, "stop-events": 1}}),
                     {"v": a["v"], "z'": 0})}
    d = times()
    ex = [("star.values[0].at", near(r["v_star_exact_contact"], 1e-8)), ("star.count", is_(1)),
          ("elastic.values[0].at", near(r["v_star_exact_elastic"], 1e-8)),
          ("length(below.events[kind=slip-stick])", {"at_least": r["cycles_below"]}),
          ("above.stats.events", is_(1)), ("at.amplitude.z", near(a["half_range"], 1e-8)), ("rest", near(a["T_stick"], 1e-8)),
          ("slip", near(a["T_slip"], 1e-8)), ("0 - at.events[kind=slip-stick][0].state.z*c + lam*m*at.parameters.v", near(a["F_minus"], 1e-8)),
          ("0 - hard.values[0].at - F0/c", near(h, 1e-8))]
    f.case(c["id"], runs, ex, set=s, define=d)
c = cases["self-anh-beta0"]
i, r = c["in"], c["out"]
runs, ex = {}, []
for k, row in enumerate(r["rows"]):
    lam = 2 * row["zeta"]
    runs[f"c{k}"] = lost(row["contact"], until=20.0, lam=lam)
    runs[f"e{k}"] = lost(row["elastic"], until=20.0, lam=lam, elastic=1)
    ex += [(f"c{k}.values[0].at", near(row["contact"])), (f"e{k}.values[0].at", near(row["elastic"]))]
f.case(c["id"], runs, ex, set={"c": i["c"], "m": i["m"], "A": i["A"], "F0": i["F0"], "beta": 0, "eps": 0})
c = cases["self-anh-lam0-vstar"]
i = c["in"]
f.case(c["id"], {"at": ("limits", dict(STOPS, vary="v=1e-4:8e-3", points=40, **{"with": {"until": 0.1, "stop-events": 2}}), {"z": "release"})},
       [("at.count", is_(0)), ("at.first", is_("stop-events"))], set={"A": i["A"], "beta": i["beta"], "c": i["c"], "m": i["m"], "lam": 0, "eps": 0},
       note="It stops at every speed; at 8 mm/s the jump of friction is 2e-5 N.")
f.write()

# --- jump and falling characteristic --------------------------------------------------------------
f = File("self-falling", "Jump and falling curve of friction: critical speeds, cycles, regimes", "drive-spring-slider-jump",
         "v_** is v_* without the jump: the motion that grazes rest comes back to it.")
REGIME = {"relaxation": ("cycle", 1), "quasi-harmonic": ("cycle", 0), "uniform": ("sliding", None)}


def averaged(i, **more):
    """Settings of the averaged model; a friction curve of the same slopes."""
    s = {"m": i.get("m", 100.0), "c": i.get("c", 1e6), "gam": i["gamma"], "Fs": f"{i['eps']!r}*gam*m/3", "lam": i["lam"]}
    s.update(more)
    return s


def averaged_star(i, v):
    jump = f"{i['A']!r}/c*exp(-{i['beta']!r}*c*v)"
    return ("limits", {"vary": span("v", 0.95 * v, 1.05 * v), "points": 3, "of": "simulate.final.outputs.spare",
                       "with": {"until": "2*pi/w", "tol": 1e-13}}, averaged(i, a0=f"sqrt(v^2/w^2 + ({jump})^2)"))


for c in kind("soft"):
    i, r = c["in"], c["out"]
    s = {k: i[k] for k in JUMP + ("eps", "lam")}
    s["gam"] = i["gamma"]
    zs = "-(F0 - m*eps*v + m*eps*v^3/(3*gam^2))/c"
    runs = {"star": lost(r["v_star_exact"], 0.9, 1.1)}
    ex = [("star.values[0].at", near(r["v_star_exact"], 1e-7)), ("star.count", is_(1))]
    if r["v_H"]:
        runs["hopf"] = ("limits", {"vary": span("v", 0.8 * r["v_H"], 1.2 * r["v_H"]), "points": 5, "of": "steady.stable"})
        ex += [("hopf.values[0].at", near(r["v_H"], 1e-9)), ("2/sqrt(5)*hopf.values[0].at", near(r["v_2star"], 1e-9))]
    else:
        runs["hopf"] = ("limits", {"vary": "v=1e-6:5e-3", "points": 20, "of": "steady.stable"})
        ex += [("hopf.count", is_(0)), ("hopf.first", is_(True))]
    if "v_2star_exact" in r:
        runs["graze"] = lost(r["v_2star_exact"], 0.98, 1.02, 0.1, A=0)
        ex += [("graze.values[0].at", near(r["v_2star_exact"], 1e-7)), ("graze.count", is_(1))]
    for k, x in enumerate(r.get("smooth", [])):
        runs[f"smooth{k}"] = ("cycle", {"period-guess": x["T_exact"]}, {"v": x["v"], "z": f"{zs} + {x['a_formula']!r}", "z'": 0})
        ex += [(f"smooth{k}.amplitude.z", near(x["a_exact"], 1e-7)), (f"smooth{k}.period", near(x["T_exact"], 1e-7)),
               (f"smooth{k}.extrema.speed.min", near(x["min_speed"], 1e-7)), (f"smooth{k}.stable", is_(True)),
               (f"2*sqrt((hopf.values[0].at^2 - smooth{k}.parameters.v^2)*m/c)", near(x["a_formula"], 1e-9))]
    d = {}
    for k, x in enumerate(r["relaxation"]):
        runs[f"jerky{k}"] = ("cycle", {}, {"v": x["v"], "z": "release"})
        d.update({f"stuck{k}": f"jerky{k}.stick_fraction.guide*jerky{k}.period"})
        ex += [(f"jerky{k}.amplitude.z", near(x["half_range"], 1e-7)), (f"stuck{k}", near(x["T_stick"], 1e-7)),
               (f"jerky{k}.period - stuck{k}", near(x["T_slip"], 1e-7)),
               (f"0 - jerky{k}.events[kind=slip-stick][0].state.z*c + lam*m*jerky{k}.parameters.v", near(x["F_minus"], 1e-7))]
    for k, x in enumerate(r["regimes"]):
        for name, start in (("rest", {"z": "release"}), ("uniform", {"z": zs, "z'": 1e-5})):
            want, sticks = REGIME[x[name]]
            runs[f"{name}{k}"] = ("attractor", {"until": 1500.0, "quick": "true"}, dict(start, v=x["v"]))
            ex.append((f"{name}{k}.kind", is_(want)))
            if sticks is not None:
                ex.append((f"{name}{k}.sticks", is_(sticks)))
    f.case(c["id"], runs, ex, set=s, define=d)
for c in kind("kaidanovsky_khaikin"):
    i, r = c["in"], c["out"]
    s = {"A": 0, "F0": i["F0"], "c": i["c"], "m": i["m"], "eps": i["eps"], "lam": 0, "gam": i["gamma"]}
    runs = {"graze": lost(r["v_2star_exact"], 0.97, 1.03, 0.1),
            "hopf": ("limits", {"vary": "v=0.0015:0.0025", "points": 5, "of": "steady.stable"})}
    ex = [("graze.values[0].at", near(r["v_2star_exact"], 1e-7)), ("2/sqrt(5)*hopf.values[0].at", near(r["v_2star"], 1e-9))]
    d = {}
    for k, x in enumerate(r["rows"]):
        runs[f"jerky{k}"] = ("cycle", {}, {"v": x["v"], "z": "release"})
        d.update({f"stuck{k}": f"jerky{k}.stick_fraction.guide*jerky{k}.period"})
        ex += [(f"jerky{k}.amplitude.z", near(x["half_range"], 1e-7)), (f"stuck{k}", near(x["T_stick"], 1e-7)),
               (f"jerky{k}.period - stuck{k}", near(x["T_slip"], 1e-7)),
               (f"0 - jerky{k}.events[kind=slip-stick][0].state.z*c", near(x["F_minus"], 1e-7))]
    f.case(c["id"], runs, ex, set=s, define=d)
c = cases["self-anh-lam-eq-eps"]
i = c["in"]
f.case(c["id"], {"hopf": ("limits", {"vary": "v=1e-7:5e-3", "points": 30, "of": "steady.stable"})},
       [("hopf.count", is_(0)), ("hopf.first", is_(True))], set={"eps": i["eps"], "lam": i["lam"], "gam": i["gamma"]})
f.write()

f = File("self-averaged", "What averaging gives: critical speed from rest, growth and decay", "drive-spring-slider-averaged")
for c in kind("soft", "v_star_soft"):
    i, r = c["in"], c["out"]
    runs = {"star": averaged_star(i, r["v_star"])}
    ex = [("star.values[0].at", near(r["v_star"], 1e-8)), ("star.count", is_(1))]
    if "transient" in r:
        x = r["transient"]
        runs["run"] = ("simulate", {"until": x["t"], "tol": 1e-13}, averaged(i, v=x["v"], a0=x["a0"]))
        ex.append(("run.final.state.a", near(x["a"], 1e-9)))
    f.case(c["id"] + ("-averaged" if c["kind"] == "soft" else ""), runs, ex)
c = cases["self-anh-at-vH"]
i, r = c["in"], c["out"]
f.case(c["id"], {"run": ("simulate", {"until": i["t"], "tol": 1e-13}, averaged(i, v=i["v"], a0=i["a0"]))},
       [("run.final.state.a", near(r["a"], 1e-9)), ("run.final.outputs.growth*0 + run.parameters.vH", near(i["v"], 1e-10))])
f.write()

# --- braking --------------------------------------------------------------------------------------
f = File("self-braking", "Where the slider stays when the drive brakes to a stop", "drive-program",
         "v_stop: the least speed at which it breaks away when the pull has just reached the bound. Limiting cases: at that speed the pull is a trace below or above it.")
BOUND = "(F0 + A*exp(-beta*c*speed[1]))/c"


def last(u, v):
    return ("limits", dict(STOPS, vary=span("speed[1]", 0.8 * v, 1.2 * v), points=3, **{"with": {"until": 1e-3 * v / u, "stop-events": 1}}),
            {"y0": BOUND, "accel[1]": -u, "duration[1]": f"speed[1]/{u!r}"})


def limiting(u, v, sign):
    end = v / u
    return ("simulate", {"until": end + 0.1, "tol": 1e-13},
            {"speed[1]": v, "accel[1]": -u, "duration[1]": end, "y0": f"{BOUND}*(1 {sign} 1e-10)"})


def offsets(v, u, i):
    """The source's limits of the offset, from the last speed of break-away."""
    J = f"{i['A']!r}*exp(-({i['beta']!r})*({i['c']!r})*{v})"
    common = f"{i['F0']!r} + {i['c']!r}*{v}^2/(2*{u!r})"
    return f"{common} + {J}", f"{common} - {J} - pi*{v}*sqrt({i['m']!r}*{i['c']!r})"


for c in kind("accuracy"):
    i, r = c["in"], c["out"]
    s = {k: i[k] for k in JUMP}
    u = i["u"]
    b = r["brake_runs"]
    v0 = b["v0"]
    runs = {"last": last(u, r["v_stop"]), "high": limiting(u, r["v_stop"], "-"), "low": limiting(u, r["v_stop"], "+"),
            "run": ("simulate", {"until": v0 / u + 1, "tol": 1e-13}, {"speed[1]": v0, "accel[1]": -u, "duration[1]": v0 / u},
                    listed("y0", [x["y0"] for x in b["runs"]]))}
    hi, lo = offsets("v", u, i)
    d = {"v": "last.values[0].at", "Fhigh": hi, "Flow": lo}
    ex = [("v", near(r["v_stop"], 1e-8)), ("Fhigh", near(r["F_max"], 1e-8)), ("Flow", near(r["F_min"], 1e-8)),
          ("(Fhigh - Flow)/c", near(r["dx"], 1e-8)), ("Fhigh - Flow", near(r["dF"], 1e-8)),
          ("high.final.outputs.offset", near(r["refined"]["d_min"], 1e-8)), ("high.final.outputs.pull", near(r["F_max"], 1e-8)),
          ("low.final.outputs.offset", near(r["refined"]["d_max"], 1e-8)),
          ("low.events[kind=slip-stick][0].t", near(r["refined"]["T_last"], 1e-8)),
          ("low.final.outputs.offset - high.final.outputs.offset", near(r["refined"]["dx"], 1e-8)),
          ("length(high.events[kind=stick-slip])", is_(0)), ("low.initial.modes.guide", is_("slip+")), ("length(low.events[kind=stick-slip])", is_(0))]
    for k, x in enumerate(b["runs"]):
        ex += [(f"length(run[{k}].events[kind=stick-slip])", is_(x["n_breakdowns"])),
               (f"run[{k}].final.outputs.pull", near(x["residual_force"], 1e-8)), (f"run[{k}].final.outputs.offset", near(x["offset"], 1e-8))]
    f.case(c["id"], runs, ex, set=s, define=d)
for c in kind("accuracy_limit"):
    i, r = c["in"], c["out"]
    s = {k: i[k] for k in JUMP}
    v = r["v_stop"] or 1e-9
    runs = {"high": limiting(i["u"], v, "-"), "low": limiting(i["u"], v, "+")}
    ex = [("high.final.outputs.pull", near(r["F_max"], 1e-9)), ("low.final.outputs.pull", near(r["F_min"], 1e-6)),
          ("low.final.outputs.offset - high.final.outputs.offset", near(r["dx"], 1e-9))]
    f.case(c["id"], runs, ex, set=s)
for c in kind("displacement_error"):
    i, r = c["in"], c["out"]
    s = {k: i[k] for k in JUMP}
    known = {x["in"]["u"]: x["out"]["v_stop"] for x in kind("accuracy")}
    runs, d = {}, {}
    for name in ("alpha", "beta"):
        u = i["u_" + name]
        runs[name] = last(u, known[u])
        d[f"v{name}"] = f"{name}.values[0].at"
        d[f"high{name}"], d[f"low{name}"] = offsets(f"v{name}", u, i)
    ex = [("(highalpha - lowbeta)/c", near(r["P1"], 1e-10)), ("(lowalpha - highbeta)/c", near(r["P2"], 1e-10)),
          ("(lowalpha + lowbeta)/c", near(r["opp_min"], 1e-10)), ("(highalpha + highbeta)/c", near(r["opp_max"], 1e-10))]
    f.case(c["id"], runs, ex, set=s, define=d)
c = cases["self-anh-c700-u-at-least-dx"]
i, r = c["in"], c["out"]
model = ["amontons: 1", "name: scatter", f"parameters: {{m: {i['m']!r}, c: {i['c']!r}, A: {i['A']!r}, beta: {i['beta']!r}, v: 0.001}}",
         "coordinates: [x]", "particles: {slider: {mass: m, at: [x, 0]}}",
         "outputs: {dx: 2*A*exp(-beta*c*v)/c + pi*v*sqrt(m/c)}"]
f.case(c["id"], {"least": ("limits", {"vary": "v=0.001:0.008", "points": 8, "of": "evaluate.outputs.dx", "extrema": "true"})},
       [("least.extrema[0].at", near(r["v_stop"], 1e-10)), ("least.extrema[0].at/(beta*A*exp(-beta*c*least.extrema[0].at))", near(r["u"], 1e-9))],
       model=model, note="The source's width, least over the deceleration; the last speed of break-away grows with it.")
f.write()

# --- growth with the time of rest -----------------------------------------------------------------
f = File("self-aging", "Break-away friction that grows with the time of rest: jumps one after the other", "drive-spring-slider-aging")


def vanishing(v_k):
    """The speed at which a small jump J is followed by an equal one, for three J, and its limit for J = 0."""
    runs = {f"j{k}": ("limits", {"vary": span("v", 0.9 * v_k, 1.1 * v_k), "points": 3, "of": "simulate.final.outputs.excess",
                                 "level": J, "with": {"until": 10.0, "stop-events": 1, "tol": 1e-13}},
                      {"y": f"(F0 - {J!r})/c", "y'": "v"}) for k, J in enumerate((0.1, 0.2, 0.4))}
    return runs, "(8*j0.values[0].at - 6*j1.values[0].at + j2.values[0].at)/3"


for c in kind("contact_time_law"):
    i, r = c["in"], c["out"]
    s = {"c": i["c"], "m": i["m"], "F0": i["F0"], "Finf": i["F0"] + i["J_inf"], "delta": i["dT"]}
    runs, v_k = vanishing(r["v_k"])
    runs["run"] = ("simulate", {"until": sum(r["T"]) + 0.2, "tol": 1e-13}, {"v": i["v"], "y": 0, "y'": "v"})
    ex = [(v_k, near(r["v_k"], 1e-9))]
    for k in range(len(r["T"])):
        ex += [(f"run.events[kind=stick-slip][{k}].state.guide.t_stick", near(r["T"][k])), (f"c*run.events[kind=stick-slip][{k}].state.y - F0", near(r["J"][k]))]
    if r["steady_J"]:
        runs["at"] = ("cycle", {}, {"v": i["v"], "y": "0.9*Finf/c", "y'": "v"})
        ex += [("at.stick_fraction.guide*at.period", near(r["steady_T"])), ("c*at.events[kind=stick-slip][0].state.y - F0", near(r["steady_J"])),
               ("at.multipliers[1].re", near(r["multiplier"], 1e-8))]
    else:
        runs["long"] = ("simulate", {"until": 60.0, "after": 55.0}, {"v": i["v"], "y": 0, "y'": "v"})
        ex += [("c*long.extrema.y.max - F0", {"below": 2.5, "note": "v*sqrt(m*c) = 0.68 N of free oscillation remains"})]
    f.case(c["id"], runs, ex, set=s)
c = cases["self-anh-combined-vk"]
i, r = c["in"], c["out"]
runs, v_k = vanishing(r["v_k"])
f.case(c["id"], runs, [(v_k, near(r["v_k"], 1e-9))],
       set={"c": i["c"], "m": 1.5, "F0": 450.0, "Finf": 450.0 + i["J_inf"], "delta": i["dT"], "beta": i["beta"]})
f.write()

# --- drive programs -------------------------------------------------------------------------------
f = File("self-programs", "Drive programs: pauses, reversals, ramps, the guide driven", "drive-program")
for c in kind("drive_program"):
    i, r = c["in"], c["out"]
    s = {k: i[k] for k in JUMP}
    s.update({"N": len(i["segments"]), "y0": i["y0"], "moving": 1 if i["scheme"] == "b" else 0})
    if "kappa" in i:
        s.update({"kappa": i["kappa"], "dT": i["dT"]})
    for k, x in enumerate(i["segments"]):
        s.update({f"duration[{k + 1}]": x["duration"], f"speed[{k + 1}]": x["v"], f"accel[{k + 1}]": x["accel"]})
    begins = [sum(x["duration"] for x in i["segments"][:k]) for k in range(len(i["segments"]))]
    runs, ex = {}, []
    end = r["breakdowns"][-1]["t_stop"]
    runs["run"] = ("simulate", {"until": end + 0.01, "tol": 1e-13})
    for k, b in enumerate(r["breakdowns"]):
        runs[f"b{k}"] = ("simulate", {"until": end, "tol": 1e-13, "stop-events": 2 * k + 1})
        ex += [(f"b{k}.final.t", near(b["t"], 1e-8)), (f"b{k}.final.outputs.demand", near(b["F"], 1e-8)),
               (f"b{k}.final.state.guide.t_stick", near(b["T"], 1e-8)),
               (f"b{k}.final.outputs.pull/c", near(b["y"], 1e-8)),
               (f"run.events[kind=slip-stick][{k}].t", near(b["t_stop"], 1e-8)),
               (f"0 - run.events[kind=slip-stick][{k}].force", near(b["F_set"], 1e-8))]
        if b["t"] not in begins:           # else the rate jumps at that very moment
            ex.append((f"b{k}.final.outputs.rate", near(abs(b["f"]), 1e-8)))
    ex.append(("run.audit.ok", is_(True)))
    f.case(c["id"], runs, ex, set=s)
f.write()

# --- small displacement, creep, shear ---------------------------------------------------------------
f = File("self-small-displacement", "What a contact yields before it breaks away", "small-displacement",
         "Programmes of forces are drives through a very soft spring; times and speeds are those of 10 s a stretch.")
for c in kind("small_displacement"):
    i, r = c["in"], c["out"]
    soft = 1e-6
    s = {"c": soft, "F0": i["F_plus"], "A": 0, "saturates": 1, "Fs": i["F_star"], "Fp": i["F_plus"], "xa": 1e-6 * i["x_alpha"],
         "xb": 1e-6 * i["x_beta"], "n": i["exponent"]}

    def programme(*forces):
        out, last = {"N": len(forces)}, 0.0
        for k, F in enumerate(forces):
            out[f"speed[{k + 1}]"] = (F - last) / (10 * soft)
            out[f"duration[{k + 1}]"] = 10
            last = F
        return out

    def at(t, *forces):
        return ("simulate", {"until": float(t), "tol": 1e-13}, programme(*forces))

    top, up, low = i["F_plus"], i["F1_above"], i["F1_reverse_below"]
    turn = 10 + 10 * (low + i["F_star"]) / (low + top)
    runs = {"a": at(10, top), "b1": at(10, up, 0), "b3": at(20, up, 0), "c": at(30, low, low, top), "d1": at(20, up, up, top),
            "d": at(30, up, up, top), "e1": at(10, low, -top), "e2": at(turn, low, -top), "e3": at(20, low, -top),
            "f1": at(10, -up, up), "f2": at(20, -up, up)}
    um = "final.outputs.um"
    ex = [(f"a.{um}", near(r["a_total"], 1e-9)), (f"b1.{um}", near(r["b_x1"], 1e-9)), (f"b3.{um}", near(r["b_x3"], 1e-9)),
          (f"c.{um}", near(r["c_total"], 1e-9)), (f"d1.{um}", near(r["d_x1"], 1e-9)), (f"d.{um}", near(r["d_total"], 1e-9)),
          (f"e1.{um} - e2.{um}", near(r["e_reversible"], 1e-9)), (f"e2.{um} - e3.{um}", near(r["e_irreversible"], 1e-9)),
          (f"f2.{um} - f1.{um}", near(r["f_forward"], 1e-9))]
    f.case(c["id"], runs, ex, set=s)
for c in kind("compliant_stick"):
    i, r = c["in"], c["out"]
    s = {"c": i["c"], "F0": i["F0"], "A": i["A"], "beta": i["beta"], "Fs": i["Fstar"], "xa": i["xa"], "xb": i["xb"], "n": 2,
         "saturates": 0, "speed[1]": i["v"]}
    stop = {"until": 20.0, "stop-events": 1, "tol": 1e-13}
    runs = {"agree": ("limits", {"vary": span("Fp", 0.97 * r["F_plus"], 1.03 * r["F_plus"]), "points": 4, "of": "simulate.extrema.miss.max",
                                 "level": 0, "with": stop}),
            "run": ("simulate", stop, {"Fp": r["F_plus"]})}
    ex = [("agree.values[0].at", near(r["F_plus"])), ("run.extrema.rate.min", near(r["f"])),
          ("run.extrema.rate.max", near(r["f_reversible_only"])), ("run.final.t - run.events[0].t", near(r["time_irreversible"])),
          ("(run.extrema.pull.max - Fs)/(run.final.t - run.events[0].t)", near(r["f_mean"])),
          ("run.extrema.x.max", near(r["x_total"]))]
    f.case(c["id"], runs, ex, set=s, note="The irreversible displacement is complete at break-away: Fp is the force for which both agree.")
f.write()
f = File("self-creep", "Creep of a polymer contact at a stop", "polymer-creep")
for c in kind("creep"):
    i, r = c["in"], c["out"]
    runs = {f"t{k}": ("simulate", {"until": p["t"], "tol": 1e-13}) for k, p in enumerate(r["points"]) if p["t"] > 0}
    ex = [(f"t{k}.final.{what}", near(p[key], 1e-10)) for k, p in enumerate(r["points"]) if p["t"] > 0
          for what, key in (("state.x", "x"), ("outputs.pull", "F"))]
    ex.append(("t1.final.t/ln((17.5 - Finf)/(t1.final.outputs.pull - Finf))", near(r["tau"])))
    f.case(c["id"], runs, ex, set={"c": i["c"], "h": i["h"], "Finf": i["F_inf"], "F1": i["F1"], "xs": i["x1"]})
f.write()
f = File("self-shear", "Elastic shear of guide and slider", "shear-rig")
for c in kind("shear"):
    i, r = c["in"], c["out"]
    s = {"tau": i["tau"], "h1": i["h"][0], "h2": i["h"][1], "G1": i["G"][0], "G2": i["G"][1]}
    f.case(c["id"], {"at": ("steady", {}), "thin": ("steady", {}, {"h2": 0.1 * i["h"][1]})},
           [("at.state.u2", near(r["u"], 1e-10)), ("thin.state.u2", near(r["u_h2_1p2mm"], 1e-10))], set=s)
f.write()
