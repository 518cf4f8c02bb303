#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write tests/cases/anh-*.yaml from the check values of Le xuan Anh, chapters 1 to 3.

usage: make_cases_anh.py FOLDER OF anh-single-dof.json AND anh-mechanisms.json [OUTPUT FOLDER]

The output is committed; running the tests needs no Python. Left out: cases of analyses that do not exist
(surface kinematics, one-sided contacts, averages) and those that other files name. In
plateP-B only `brake` is asked: the verb `rest` counts the slip without reaction that begins exactly on the border
of Theorem 3 beside rest (with R = 0 it satisfies every condition), the reference counts rest only.
L is compared by size: the engine gives it for the sign of the slip, the cases for that of the coordinate.
"""
import json
import math
import sys

from case_file import CaseFile, flow, is_, near, val

src = sys.argv[1]
out_dir = sys.argv[2] if len(sys.argv) > 2 else "tests/cases"
cases = json.load(open(src + "/anh-single-dof.json")) + json.load(open(src + "/anh-mechanisms.json"))


def kind(*names):
    return [c for c in cases if c["kind"] in names and "error" not in c["out"]]


def File(name, title, model, note=None):
    return CaseFile(out_dir, "make_cases_anh.py", name, title, model, note)



# --- coefficients of removed contacts -------------------------------------------------------------
f = File("anh-coefficients", "Coefficients of the equations with the contact removed, from what the engine answers",
         None, "Kinetic energy, accelerations without friction and R0 at two speeds give A, hdA, A12, B, Q1 and Q2.")
for c in kind("coeffs"):
    i, r = c["in"], c["out"]
    def vec(a, cc, b):
        return "[" + ", ".join(f"({x!r})*q + ({z!r})*q^2/2 + ({y!r})*h" for x, z, y in zip(a, cc, b)) + "]"
    model = ["amontons: 1", "name: removed", "coordinates: [q, h]", "parameters: {mu: 0}", "particles:"]
    model += [f"  P{k + 1}: {{mass: {i['M'][k]!r}, at: \"{vec(i['a'][k], i['c'][k], i['b'][k])}\"}}".replace('"[', "[").replace(']"', "]")
              for k in range(len(i["M"]))]
    model += ["loads:"] + [f"  F{k + 1}: {{on: P{k + 1}, force: {i['F'][k]!r}}}" for k in range(len(i["M"]))]
    p = math.sqrt(sum(x * x for x in i["aT"]))
    across = sum(x * y for x, y in zip(i["aT"], i["bT"])) / p
    model += ["contacts:", f"  T: {{guide: h, slip: \"{p!r}*q' + ({across!r})*h'\", law: {{type: coulomb, mu: mu}}}}"]
    d = {"A": "2*e.kinetic", "a1": "c1.solutions[0].accelerations.q", "a2": "c2.solutions[0].accelerations.q",
         "A12": "c1.contacts.T.L*A/e.contacts.T.slip",
         "Y1": "A12*a1 - c1.contacts.T.R0", "Y2": "A12*a2 - c2.contacts.T.R0"}
    ex = [("A", near(r["A"])), ("e.contacts.T.slip", near(r["p"])), ("c1.contacts.T.L", near(r["L"])), ("A12", near(r["A12"])),
          ("A*(a1 - a2)/3", near(r["hdA"])), ("A*(4*a1 - a2)/3", near(r["Q1"])),
          ("(4*Y1 - Y2)/3", near(r["Q2"])), ("(Y1 - Y2)/3", near(r["B"]))]
    f.case(c["id"], {"e": ("evaluate", {}, {"q'": 1}), "c1": ("contact", {}, {"q'": 1}), "c2": ("contact", {}, {"q'": 2})},
           ex, define=d, model=model)
f.write()

# --- Painleve-Klein motion ------------------------------------------------------------------------
f = File("anh-pk-motion", "Painlevé–Klein scheme: motion through stop, restart, rest and impact", "painleve-klein")
for c in kind("pk-motion"):
    i, r = c["in"], c["out"]
    s = {k: i[k] for k in ("M1", "M2", "phi", "P1", "P2", "mu")}
    s.update({"q": i["q0"], "q'": i["qd0"]})
    ex = [("simulate.final.state.q", near(r["q"])), ("simulate.final.state.q'", near(r["qd"])), ("simulate.audit.ok", is_(True))]
    stops = [e for e in r["log"] if e[0] == "stop"]
    impact = [e for e in r["log"] if e[0] == "impact"]
    if not impact:
        ex.append(("simulate.stats.events", is_(len(stops))))
    for k, e in enumerate(stops):
        ex += [(f"simulate.events[{k}].t", near(e[1])), (f"simulate.events[{k}].state.q", near(e[2]))]
    if any(e[0] == "rest" for e in r["log"]):
        ex.append(("simulate.final.modes.I", is_("stick")))
    runs = {"simulate": ("simulate", {"until": i["t"], "tol": 1e-13})}
    if impact:
        runs["before"] = ("contact", {})
        ex += [("before.class", is_("none")), ("simulate.events[kind=impact][0].t", near(0))]
    f.case(c["id"], runs, ex, set=s)
f.write()

def braking(where, r, kind="coulomb"):
    """What `brake` says of a point."""
    ex = [(f"{where}.class", is_(r[kind])), (f"{where}.source", is_(r["source"]))]
    for k in ("psi", "phi", "psi_sure", "psi_ambiguous", "cos_psi"):
        ex.append((f"{where}.{k}", is_("null") if r[k] is None else {"equals": r[k], "rel": 1e-9, "abs": 1e-11}))
    for k in ("n_plus", "n_minus"):
        if k in r:
            ex += [(f"{where}.{k}[{j}]", {"equals": v, "rel": 1e-9, "abs": 1e-11}) for j, v in enumerate(r[k])]
    return ex


# --- plate on the Painleve-Klein scheme -----------------------------------------------------------
f = File("anh-plate", "Painlevé–Klein scheme with a plate: which forces at a point can move it", "painleve-klein-plate",
         "The borders of the stagnation angle are the directions of force for which the margin of rest is zero.")
for c in kind("pk-plate"):
    i, r = c["in"], c["out"]
    s = {k: i[k] for k in ("M1", "M2", "l", "phi", "mu", "xi", "y")}
    lc = i["l"] * math.cos(i["phi"])
    n = [(1 + e * i["mu"] * i["y"] / lc, -e * i["mu"] * i["xi"] / lc) for e in (1, -1)]
    ex = [("at.contacts.I.mu_L", near(r["muL"]))]
    runs = {"at": ("contact", {}, {"q'": 1}), "field": ("brake", {"field": "plate", "size": "2x2"})}
    ex += braking("field.points.F", r) + [("field.mu_L", near(r["muL"]))]
    ex += [(f"field.field.poles.{k}.at[1]", {"equals": r[v], "rel": 1e-9, "abs": 1e-11})
           for k, v in (("A_plus", "y_Aplus"), ("A_minus", "y_Aminus"), ("B", "y_B"))]
    define = {}
    if c["id"].endswith("plateP-B"):
        pass
    elif abs(r["psi"] - math.pi) < 1e-9:      # the same for every direction of force
        word = {"self-braking": "holds", "ambiguous": "several"}[r["coulomb"]]
        for k, w in enumerate((0.1, 0.9, 2.5, -1.2, -2.0)):
            runs[f"F{k}"] = ("rest", {}, {"Fx": math.cos(w), "Fy": math.sin(w)})
            # a force across a (Q1 = 0) would not tell; where Q2 has the other sign the slips are absent
            ex.append((f"F{k}.verdict", is_(word)))
    elif r["psi"] > 1e-9:
        F = [(-ny, nx) for nx, ny in n]     # across n+ and n-: |Q1| = mu p |Q2|
        for name, (x, y) in zip(("plus", "minus"), F):
            runs[name] = ("rest", {}, {"Fx": x, "Fy": y})
            ex.append((name + ".margin", {"equals": 0, "abs": 1e-9}))
        # the plane across a = (1, 0), force (0, 1), lies inside the angle: rest; force (1, 0) direction of n+ + n- outside
        runs["across"] = ("rest", {}, {"Fx": 0, "Fy": 1})
        ex.append(("across.verdict", is_("holds")))
        define["dot"] = "plus.parameters.Fx*minus.parameters.Fx + plus.parameters.Fy*minus.parameters.Fy"
        define["cross"] = "plus.parameters.Fx*minus.parameters.Fy - plus.parameters.Fy*minus.parameters.Fx"
        define["psi"] = "atan2(abs(cross), dot)"
        ex.append(("psi", near(r["psi"])))
        u = [(x / math.hypot(x, y), y / math.hypot(x, y)) for x, y in n]
        out = (u[0][0] + u[1][0], u[0][1] + u[1][1])     # F.n+ and F.n- of one sign: motion
        runs["along"] = ("rest", {}, {"Fx": out[0], "Fy": out[1]})
        ex.append(("along.verdict", is_("starts")))
    else:                                   # no stagnation angle: everything but the direction across a moves it
        for k, w in enumerate((0.1, 1.5, 2.5, -1.2)):
            runs[f"F{k}"] = ("rest", {}, {"Fx": math.cos(w), "Fy": math.sin(w)})
            ex.append((f"F{k}.verdict", is_("starts")))
    f.case(c["id"], runs, ex, set=s, define=define or None)
f.write()

# --- points of application of a force, by their vectors a and b ------------------------------------
f = File("anh-brake", "Which forces at a point with given displacements can move a mechanism", None,
         "The engine forms the generalised forces from the load on the point; margins of zero are the borders of the stagnation angle.")
for c in kind("brake"):
    i, r = c["in"], c["out"]
    a, b = [list(map(float, i[k])) + [0.0] * (3 - len(i[k])) for k in "ab"]
    p, mu, L = i["p"], i["mu"], i["L"]
    model = ["amontons: 1", "name: point", "coordinates: [q, h]",
             f"parameters: {{p: {p!r}, mu: {mu!r}, A12: {L / p!r}, A22: {(L / p) ** 2 + 1!r}, Fx: 0, Fy: 0, Fz: 0}}",
             "energy: {kinetic: (q'^2 + 2*A12*q'*h' + A22*h'^2)/2}",
             "loads: {F: {on: [" + ", ".join(f"({x!r})*q + ({y!r})*h" for x, y in zip(a, b)) + "], force: [Fx, Fy, Fz]}}",
             "contacts: {T: {guide: h, slip: p*q', law: {type: coulomb, mu: mu}}}"]

    def push(v):
        return ("rest", {}, dict(zip(("Fx", "Fy", "Fz"), v)))

    def dot(x, y):
        return sum(s * t for s, t in zip(x, y))

    def unit(x):
        return [s / math.sqrt(dot(x, x)) for s in x]

    n = [[x + e * mu * p * y for x, y in zip(a, b)] for e in (1, -1)]
    some = [[0.9, 0.3, 0.2], [-0.4, 1.0, 0.1], [-1.0, -0.7, 0.4], [0.5, -1.2, -0.3]]
    runs, ex, define = {"at": ("contact", {}, {"q'": 1})}, [("at.contacts.T.mu_L", near(mu * abs(L)))], None
    runs["point"] = ("brake", {})
    ex += braking("point.points.F", r)
    if r["psi"] is None or abs(r["psi"] - math.pi) < 1e-9 or r["psi"] < 1e-9:
        word = {"self-braking": "holds", "ambiguous": "several", "debraking": "starts"}[r["coulomb"]]
        for k, v in enumerate(some):
            runs[f"F{k}"] = push(v)
            ex.append((f"F{k}.verdict", is_(word)))
    else:
        e1 = unit(a)
        e2 = unit([s - dot(b, e1) * t for s, t in zip(b, e1)])

        def turned(m):      # m turned by 90 degrees in that plane
            return [-dot(m, e2) * s + dot(m, e1) * t for s, t in zip(e1, e2)]
        for name, m in zip(("plus", "minus"), n):
            runs[name] = push(turned(m))
            ex.append((name + ".margin", {"equals": 0, "abs": 1e-9}))
        u = [unit(m) for m in n]
        runs["along"] = push([s + 0.8 * t for s, t in zip(*u)])
        runs["across"] = push(turned(a))
        ex += [("along.verdict", is_("starts")), ("across.verdict", is_("holds"))]
        def prod(x, y):
            return " + ".join(f"{x}.parameters.F{k}*{y}.parameters.F{k}" for k in "xyz")
        define = {"pm": prod("plus", "minus"), "pp": prod("plus", "plus"), "mm": prod("minus", "minus")}
        ex.append(("acos(pm/sqrt(pp*mm))", near(r["psi"])))
        if mu * abs(L) > 1:     # from rest only to rest and two slips: across a - sign(L) p b/|L|
            sg = 1 if L > 0 else -1
            ns = [x - sg * p * y / abs(L) for x, y in zip(a, b)]
            runs["sure"] = push(turned(ns))
            other = "plus" if sg > 0 else "minus"
            define.update({"so": prod("sure", other), "ss": prod("sure", "sure"), "oo": prod(other, other)})
            ex.append(("acos(so/sqrt(ss*oo))", near(r["psi_sure"])))
            for name, d in (("one", 1e-3), ("two", -1e-3)):
                w, z = turned(ns), ns
                runs[name] = push([s + d * t for s, t in zip(w, z)])
            ex.append(("length(one.solutions) + length(two.solutions)", is_(4)))
    f.case(c["id"], runs, ex, define=define, model=model)
f.write()

# --- trammel --------------------------------------------------------------------------------------
f = File("anh-trammel", "Trammel: region of paradoxes, and runs through stops, zero reaction and impact", "trammel")
for c in kind("trammel-region"):
    i, r = c["in"], c["out"]
    s = {k: i[k] for k in ("m1", "m2", "l", "g", "mu")}
    runs = {"worst": ("contact", {}, {"theta": f"atan({r['tan_worst']})", "theta'": 1}),
            "before": ("contact", {}, {"theta": f"atan({r['tan_worst']}*0.99)", "theta'": 1}),
            "after": ("contact", {}, {"theta": f"atan({r['tan_worst']}*1.01)", "theta'": 1}),
            "zero": ("contact", {}, {"theta": i["theta"], "theta'": r["thetad_R0"]})}
    ex = [("worst.contacts.I.mu_critical", near(r["mu_min"])),
          ("before.contacts.I.mu_critical - worst.contacts.I.mu_critical", {"above": 0}),
          ("after.contacts.I.mu_critical - worst.contacts.I.mu_critical", {"above": 0}),
          ("zero.contacts.I.R0", {"equals": 0, "abs": 1e-9})]
    if r["interval"]:
        for k, t in enumerate(r["interval"]):
            runs[f"end{k}"] = ("contact", {}, {"theta": f"atan({t!r})", "theta'": 1})
            ex.append((f"end{k}.contacts.I.mu_L", near(1)))
        ex.append(("worst.contacts.I.mu_L", {"above": 1}))
    else:
        ex.append(("worst.contacts.I.mu_L", {"below": 1}))
    f.case(c["id"], runs, ex, set=s)
for c in kind("trammel-run"):
    i, r = c["in"], c["out"]
    s = {k: i[k] for k in ("m1", "m2", "l", "g", "mu")}
    s.update({"theta": i["theta0"], "theta'": i["thetad0"]})
    runs = {"run": ("simulate", {"until": i["tmax"]})}
    ex = [("run.audit.ok", is_(True))]
    end = r["log"][-1]
    ex += [("run.final.state.theta", near(end[2], 1e-8)), ("run.final.state.theta'", near(0)), ("run.final.modes.I", is_("stick"))]
    stops = [e for e in r["log"] if e[0] == "stop"]
    zero = [e for e in r["log"] if e[0] == "R0=0"]
    if stops:
        ex.append(("run.events[-1].t", near(stops[-1][1], 1e-8)))
        # the extreme angles between the stops
        ex.append(("run.extrema.theta.min", near(min([e[2] for e in stops] + [i["theta0"]]), 1e-8)))
    if zero:
        ex += [("run.events[kind=reaction][0].t", near(zero[0][1], 1e-8)), ("run.events[kind=reaction][0].state.theta", near(zero[0][2], 1e-8)),
               ("run.events[kind=reaction][0].state.theta'", near(zero[0][3], 1e-8))]
    if any(e[0] == "impact" for e in r["log"]):
        runs["before"] = ("contact", {})
        ex += [("before.class", is_("none")), ("run.events[kind=impact][0].t", near(0))]
    f.case(c["id"], runs, ex, set=s)
f.write()

# --- oscillators of 1.5 ---------------------------------------------------------------------------
f = File("anh-oscillator-cubic", "Slider on a spring, cubic falling friction: limit cycles with stops", "drive-spring-slider")
for c in kind("cubic-cycle"):
    i, r = c["in"], c["out"]
    runs = {"run": ("simulate", {"until": 60, "after": 30, "tol": 1e-13})}
    ex = [("run.events[1].t - run.events[0].t", near(r["t_slip"], 1e-8)), ("run.events[1].state.y", near(r["y_end"], 1e-8)),
          ("(run.extrema.y.max - run.extrema.y.min)/2", near(r["amp"], 1e-8)), ("run.extrema.w.max", near(r["wmax"], 1e-8))]
    note = None
    if i["c"] * abs(r["y_end"]) <= 3 * i["Fs"]:
        ex += [("run.events[1].kind", is_("slip-stick")), ("run.last_return.guide", near(r["period"], 1e-8)),
               ("run.events[kind=stick-slip][1].t - run.events[kind=slip-stick][0].t", near(r["t_stick"], 1e-8))]
    else:
        note = "the spring pushes back by more than the friction 3*Fs can hold: the slider turns instead of stopping; period and time of rest of the check value assume a stop"
        ex += [("run.events[1].kind", is_("slip-slip")), ("-run.events[1].state.y*c/(3*Fs)", {"above": 1}),
               ("run.last_return.guide", {"below": r["period"]})]
    f.case(c["id"], runs, ex, set={k: i[k] for k in ("m", "c", "Fs", "gam", "v")}, note=note)
f.write()

f = File("anh-oscillator-aging", "Slider on a spring, break-away friction growing with the time of rest: jumps and their limit",
         "drive-spring-slider-aging")
for c in kind("ik"):
    i, r = c["in"], c["out"]
    s = {k: i[k] for k in ("m", "c", "F0", "Finf", "delta", "v")}
    runs = {"run": ("simulate", {"until": 120 if i["v"] < 0.2 else 10, "after": 60 if i["v"] < 0.2 else 0, "tol": 1e-13}, {"y": "Finf/c", "y'": "v"}),
            "stuck": ("evaluate", {}, {"guide.t_stick": i["T"]})}
    ex = [("stuck.contacts.guide.bound", near(r["Fplus_T"]))]
    for k, dlt in enumerate(r["first_jumps"][1:]):
        ex.append((f"run.events[kind=stick-slip][{k}].state.y - F0/c", near(dlt)))
    if r["D"]:
        ex += [("run.events[kind=stick-slip][-1].state.y - F0/c", near(r["D"])),
               ("run.extrema.y.max - F0/c", near(r["a"]))]
        ex += [("run.last_return.guide", near(r["t_slip"] + r["t_stick"])),
               ("run.stick_fraction.guide", {"equals": r["t_stick"] / (r["t_slip"] + r["t_stick"]), "tolerance": "5 %"}),
               ("v*run.last_return.guide", near(r["jump"]))]
    f.case(c["id"], runs, ex, set=s)
f.write()

# --- wheels ---------------------------------------------------------------------------------------
for which, model in (("epi", "epicyclic-pair"), ("gear", "gear-pair")):
    f = File(f"anh-{which}", ("Planet wheel on a sun wheel" if which == "epi" else "Two gears on fixed axes") + ": rest, uniform motion, motion", model)
    keys = ("r1", "r2", "mu") + (("m",) if which == "epi" else ("J1", "J2"))
    q = "theta"
    for c in kind(which + ".rest"):
        i, r = c["in"], c["out"]
        s = {k: i[k] for k in keys}
        s.update({"alpha": f"{i['alpha_deg']!r}*pi/180", "p0": i["p"], "M1": i["M1"], "M2": i["M2"], "w0": 0})
        runs = {"rest": ("rest", {})}
        ex = [("rest.verdict", is_("holds" if r["theorem"] == "rest" else "starts")),
              ("length(rest.solutions)", is_(len(r["modes"])))]
        for k, m in enumerate(r["modes"]):
            if "R" in m:
                ex += [(f"rest.solutions[{k}].R", near(m["R"])), (f"rest.solutions[{k}].accelerations.{q}", near(m["qdd"], 2e-9))]
        for side in ("lo", "hi"):
            if r.get("band_" + side):
                runs[side] = ("rest", {}, {"M1": r["band_" + side]})
                ex.append((f"{side}.margin", {"equals": 0, "abs": 1e-8}))
        f.case(c["id"], runs, ex, set=s)
    for c in kind(which + ".uniform"):
        i, r = c["in"], c["out"]
        s = {k: i[k] for k in keys}
        s.update({"alpha": f"{i['alpha_deg']!r}*pi/180", "p0": i["p"], "M1": r["M1"], "M2": i["M2"], "w0": 2 * i["eps2"]})
        if r["e4"] == 0:    # no slip at the pole whatever the speed: as at rest
            f.case(c["id"], {"rest": ("rest", {})},
                   [("rest.verdict", is_("holds")), ("rest.contacts.teeth.reaction", near(r["R"])), ("rest.solutions[0].friction.teeth", {"equals": 0, "abs": 1e-8})],
                   set={**s, "w0": 0}, note="the teeth roll at the pole; no friction, and no term of the equations depends on the speed")
            continue
        ideal = "M2*(1 + r1/r2)" if which == "epi" else "M2*r1/r2"
        eta = f"{ideal}/M1" if i["eps2"] > 0 else f"M1/({ideal})"
        ex = [("contact.class", is_("unique")), ("contact.solutions[0].R", near(r["R"])),
              (f"contact.solutions[0].accelerations.{q}", {"equals": 0, "abs": 1e-5}), (f"{eta} + 0*contact.count", near(r["eta"]))]
        f.case(c["id"], {"contact": ("contact", {})}, ex, set=s,
               note="the torque to 11 digits; an error of 1e-9 of it gives 1e-5 rad/s^2")
    for c in kind(which + ".motion"):
        i, r = c["in"], c["out"]
        s = {k: i[k] for k in keys}
        s.update({"alpha": f"{i['alpha_deg']!r}*pi/180", "p0": i["p0"], "M1": i["M1"], "M2": i["M2"], "w0": i["thd0"]})
        runs, ex = {}, []
        for k, m in enumerate(r["samples"]):
            n = f"s{k}"
            runs[n] = ("simulate", {"until": m["t"], "samples": True, "points": 2})
            ex += [(f"{n}.final.state.theta", near(m["theta"])), (f"{n}.final.state.theta'", near(m["thd"])),
                   (f"{n}.final.outputs.p", near(m["p"]))]
            if m["mode"] == "slip":
                ex.append((f"abs({n}.samples.teeth.force[-1])/mu", near(abs(m["R"]))))
            else:
                ex.append((f"{n}.final.modes.teeth", is_("stick")))
        for e in r["events"]:
            if e["event"] == "pole":
                runs["run"] = ("simulate", {"until": e["t"] * 1.05})
                ex += [("run.events[kind=slip-slip][0].t", near(e["t"])), ("run.events[kind=slip-slip][0].state.theta", near(e["theta"])),
                       ("run.events[kind=slip-slip][0].state.theta'", near(e["thd"]))]
            elif e["event"] in ("p_min", "p_max"):
                runs["end"] = ("simulate", {"until": e["t"]})
                ex += [("end.final.state.theta", near(e["theta"])), ("end.final.state.theta'", near(e["thd"]))]
            elif e["event"] == "stop":
                ex += [(f"s0.events[-1].t", near(e["t"])), ("s0.events[-1].state.theta", near(e["theta"]))]
        f.case(c["id"], runs, ex, set=s)
    f.write()

# --- crank and link -------------------------------------------------------------------------------
def motion(f, c, keys, q, contact, start):
    i, r = c["in"], c["out"]
    s = {k: i[k] for k in keys}
    s.update(start(i))
    runs, ex = {}, []
    jam = [e["t"] for e in r["events"] if e["event"] in ("jam", "singular")]
    for k, m in enumerate(r["samples"]):
        n = f"s{k}"
        # how close to the border a jam is called differs; the specification asks for 1e-5 after it
        tol, loose = (1e-6, 1e-6) if jam and m["t"] > jam[0] else (1e-9, 1e-8)
        runs[n] = ("simulate", {"until": m["t"], "samples": True, "points": 2})
        ex += [(f"{n}.final.state.{q}", near(m["q"], tol)), (f"{n}.final.state.{q}'", near(m["qd"], tol)), (f"{n}.audit.dissipated", near(m["W"], loose))]
        if m["mode"] == "slip":
            ex += [(f"abs({n}.samples.{contact}.force[-1])/mu", near(abs(m["R"]), loose)), (f"{n}.samples.{q}''[-1]", near(m["qdd"], loose))]
        else:
            ex.append((f"{n}.final.modes.{contact}", is_("stick")))
    if "final" in r and r["final"]["t"] == i["tend"] and not any(m["t"] == i["tend"] for m in r["samples"]):
        runs["end"] = ("simulate", {"until": i["tend"]})
        ex += [(f"end.final.state.{q}", near(r["final"]["q"])), (f"end.final.state.{q}'", near(r["final"]["qd"]))]
    whole, dead, zero = False, 0, 0
    for e in r["events"]:
        if e["event"] == "R=0":
            if any(x["event"] == "painleve-nonexistence" and x["t"] == e["t"] for x in r["events"]):
                continue
            # events at a dead point: the reaction and the slip both change sign
            ex += [(f"run.events[{dead + zero}].t", near(e["t"])), (f"run.events[{dead + zero}].state.{q}", near(e["q"])),
                   (f"run.events[{dead + zero}].kind", is_("reaction"))]
            zero += 1
        elif e["event"] == "dead-point" and q == "q":
            dead += 3
        elif e["event"] == "dead-point":
            ex += [(f"run.events[{dead + zero}].t", near(e["t"])), (f"run.events[{dead + zero}].state.{q}", near(e["q"])),
                   (f"run.events[{dead + zero}].kind", is_("slip-slip"))]
            dead += 1
        elif e["event"] == "stop":
            ex += [(f"run.events[{dead + zero}].t", near(e["t"])), (f"run.events[{dead + zero}].state.{q}", near(e["q"])),
                   (f"run.events[{dead + zero}].state.{q}'", near(0))]
            dead += 1
        elif e["event"] == "painleve-nonexistence":
            ex += [(f"run.events[{dead + zero}].t", near(e["t"])), (f"run.events[{dead + zero}].state.{q}", near(e["q"])),
                   (f"run.events[{dead + zero}].kind", is_("impact"))]
        elif e["event"] in ("jam", "singular"):
            ex += [(f"run.events[{dead + zero}].t", near(e["t"], 1e-6)), (f"run.events[{dead + zero}].state.{q}", near(e["q"], 1e-6))]
            dead += 1
        whole = True
    if whole:
        runs["run"] = ("simulate", {"until": i["tend"]})
    f.case(c["id"], runs, ex, set=s)


def rest(f, c, keys, q, start):
    i, r = c["in"], c["out"]
    s = {k: i[k] for k in keys}
    s.update(start(i))
    m = r["modes"]
    verdict = "several" if len(m) > 1 else "holds" if m[0]["mode"] == "stick" else "starts"
    con = "guide" if q == "q" else "T"
    ex = [("rest.verdict", is_(verdict)), ("length(rest.solutions)", is_(len(m))),
          ("at.contacts.%s.mu_L" % con, near(r["muL"]))]
    for k, x in enumerate(m):
        ex.append((f"rest.solutions[{k}].R", near(x["R"])))
        if "qdd" in x:
            ex.append((f"rest.solutions[{k}].accelerations.{q}", near(x["qdd"])))
    if abs(r["rTQ2"]) > 1e-9:
        ex.append((f"abs(rest.contacts.{con}.needed)/rest.contacts.{con}.bound",
                   near(abs(r["Q1"] / (i["mu"] * r["rTQ2"])))))
    f.case(c["id"], {"rest": ("rest", {}), "at": ("contact", {})}, ex, set=s)


DEG = "*pi/180"
f = File("anh-crank", "Crank and slider: influence coefficient, paradoxes, self-braking, rest, motion", "crank")
for c in kind("crank.Lmax"):
    i, r = c["in"], c["out"]
    runs = {"top": ("contact", {}, {"phi": f"{r['q_deg']!r}{DEG}"}), "mirror": ("contact", {}, {"phi": f"(360 - {r['q_deg']!r}){DEG}"}),
            "turn": ("contact", {}, None, "{phi: {from: 0.005, to: 6.275, count: 61}}")}
    f.case(c["id"], runs, [("abs(top.contacts.guide.L)", near(r["Lmax"])), ("abs(mirror.contacts.guide.L)", near(r["Lmax"])),
                           ("max(turn[*].contacts.guide.mu_L)/mu", {"at_most": r["Lmax"] * (1 + 1e-9)})],
           set={**{k: i[k] for k in ("r", "l", "m1", "m2")}, "phi'": 1, "mu": 0.2})
for c in kind("crank.l1"):
    i, r = c["in"], c["out"]
    for_l = {**{k: i[k] for k in ("r", "m1", "m2", "mu")}, "phi'": 1}
    f.case(c["id"], {"turn": ("contact", {}, {"l": r["l1"]}, "{phi: {from: 1.5, to: 2.6, count: 1101}}"),
                     "longer": ("contact", {}, {"l": r["l1"] * 1.001}, "{phi: {from: 1.5, to: 2.6, count: 111}}")},
           [("max(turn[*].contacts.guide.mu_L)", {"equals": 1, "tolerance": 1e-5}),
            ("max(longer[*].contacts.guide.mu_L)", {"below": 1})], set=for_l)
for c in kind("crank.paradox"):
    i, r = c["in"], c["out"]
    runs, ex = {}, []
    for a, (lo, hi) in enumerate(r["intervals_deg"]):
        for n, v in (("lo", lo), ("hi", hi)):
            runs[n] = ("contact", {}, {"phi": f"{v!r}{DEG}"})
            ex.append((f"{n}.contacts.guide.mu_L", near(1, 1e-8)))
        runs["inside"] = ("contact", {}, None, f"{{phi: {{from: {math.radians(lo) + 1e-3!r}, to: {math.radians(hi) - 1e-3!r}, count: 21}}}}")
        ex.append(("min(inside[*].contacts.guide.mu_L)", {"above": 1}))
        runs["outside"] = ("contact", {}, None, f"{{phi: {{from: 0.01, to: {math.radians(lo) - 1e-3!r}, count: 21}}}}")
        runs["beyond"] = ("contact", {}, None, f"{{phi: {{from: {math.radians(hi) + 1e-3!r}, to: 3.13, count: 21}}}}")
        ex += [("max(outside[*].contacts.guide.mu_L)", {"below": 1}), ("max(beyond[*].contacts.guide.mu_L)", {"below": 1})]
    if not runs:
        runs["turn"] = ("contact", {}, None, "{phi: {from: 0.005, to: 6.275, count: 201}}")
        ex.append(("max(turn[*].contacts.guide.mu_L)", {"below": 1}))
    f.case(c["id"], runs, ex, set={**{k: i[k] for k in ("r", "l", "m1", "m2", "mu")}, "phi'": 1})
for c in kind("crank.selfbrake"):
    i, r = c["in"], c["out"]
    runs = {"at": ("rest", {}, {"phi": i["q"]})}
    ex = [("abs(at.contacts.guide.needed)/at.contacts.guide.bound", near(r["gamma"])),
          ("at.verdict", is_("holds" if r["self_braking"] else "starts"))]
    for k, v in enumerate(r["q_deg"]):
        runs[f"end{k}"] = ("rest", {}, {"phi": f"{v!r}{DEG}"})
        ex.append((f"end{k}.margin", {"equals": 0, "abs": 1e-8}))
    runs["brake"] = ("brake", {}, {"phi": i["q"]})
    ex += [("abs(brake.points.crank.gamma)", near(r["gamma"])),
           ("brake.points.crank.class", is_("self-braking" if r["self_braking"] else "debraking"))]
    f.case(c["id"], runs, ex, set={**{k: i[k] for k in ("r", "l", "mu")}, "m1": 1, "m2": 1, "M": 1, "P": 0, "phi'": 0})
for c in kind("crank.point"):
    i, r = c["in"], c["out"]
    k = i.get("alpha")
    at = f"[{i['rho']!r}*cos(phi), {i['rho']!r}*sin(phi)]" if k is None else \
        f"[r*cos(phi) + {k!r}*sqrt(l^2 - (r*sin(phi) - h)^2), {1 - k!r}*r*sin(phi) + {k!r}*h]"
    ex = [(f"brake.points.B.{n}[{j}]", {"equals": v, "rel": 1e-9, "abs": 1e-11})
          for n, m in (("a", "dr"), ("b", "dh")) for j, v in enumerate(r[m])]
    ex += [("brake.points.B.a[0]*brake.points.B.b[1] - brake.points.B.a[1]*brake.points.B.b[0]",
            {"equals": r["cross"], "rel": 1e-9, "abs": 1e-11}), ("brake.points.B.psi_deg", {"equals": r["Psi_deg"], "rel": 1e-9, "abs": 1e-9})]
    f.case(c["id"], {"brake": ("brake", {"point": {"B": at}}, {"phi": i["q"]})}, ex,
           set={**{k: i[k] for k in ("r", "l", "mu")}, "m1": 1, "m2": 1, "phi'": 0})
CK = ("r", "l", "m1", "m2", "mu", "M", "P")
for c in kind("crank.rest"):
    rest(f, c, CK, "phi", lambda i: {"phi": i["q"], "phi'": 0})
for c in kind("crank.motion"):
    motion(f, c, CK, "phi", "guide", lambda i: {"phi": i["q0"], "phi'": i["qd0"]})
f.write()

f = File("anh-link", "Quick-return link: influence coefficient, paradoxes, self-braking, rest, motion", "link-mechanism")
LK = ("a", "r", "l", "m", "mu", "J")
for c in kind("link.paradox"):
    i, r = c["in"], c["out"]
    if i["J"] <= 0:
        continue
    runs, ex, before = {}, [], 0.01
    for a, (lo, hi) in enumerate(r["intervals_deg"]):
        for n, v in (("lo", lo), ("hi", hi)):
            runs[f"{n}{a}"] = ("contact", {}, {"phi0": f"{v!r}{DEG}"})
            ex.append((f"{n}{a}.contacts.T.mu_L", near(1, 1e-7)))
        runs[f"inside{a}"] = ("contact", {}, None, f"{{phi0: {{from: {math.radians(lo) + 1e-3!r}, to: {math.radians(hi) - 1e-3!r}, count: 11}}}}")
        ex.append((f"min(inside{a}[*].contacts.T.mu_L)", {"above": 1}))
        runs[f"outside{a}"] = ("contact", {}, None, f"{{phi0: {{from: {before!r}, to: {math.radians(lo) - 1e-3!r}, count: 21}}}}")
        ex.append((f"max(outside{a}[*].contacts.T.mu_L)", {"below": 1}))
        before = math.radians(hi) + 1e-3
    runs["rest_"] = ("contact", {}, None, f"{{phi0: {{from: {before!r}, to: 6.27, count: 41}}}}")
    ex.append(("max(rest_[*].contacts.T.mu_L)", {"below": 1}))
    f.case(c["id"], runs, ex, set={**{k: i[k] for k in LK}, "w0": 1})
for c in kind("link.extrema"):
    i, r = c["in"], c["out"]
    runs, ex = {}, []
    for n in ("max", "min"):
        runs[n + "i"] = ("contact", {}, {"phi0": f"{r['phi_' + n + '_deg']!r}{DEG}"})
        ex.append((f"abs({n}i.contacts.T.L)", near(abs(r["L_" + n]))))
        for side, w in (("l", -0.2), ("r", 0.2)):
            runs[n + side] = ("contact", {}, {"phi0": f"({r['phi_' + n + '_deg']!r} + {w!r}){DEG}"})
            ex.append((f"abs({n}{side}.contacts.T.L)", {"below": abs(r["L_" + n])}))
    ex.append(("maxi.contacts.T.L*mini.contacts.T.L", {"below": 0}))
    f.case(c["id"], runs, ex, set={**{k: i[k] for k in LK}, "w0": 1})
for c in kind("link.Jcrit"):
    i, r = c["in"], c["out"]
    f.case(c["id"], {"plus": ("contact", {}, {"J": r["J_plus"]}, "{phi0: {from: 2.05, to: 2.24, count: 1001}}"),
                     "minus": ("contact", {}, {"J": r["J_minus"]}, "{phi0: {from: 2.25, to: 2.55, count: 1001}}"),
                     "above": ("contact", {}, {"J": r["J_minus"] * 1.001}, "{phi0: {from: 0.01, to: 3.13, count: 201}}")},
           [("max(plus[*].contacts.T.mu_L)", {"equals": 1, "tolerance": 1e-5}), ("max(minus[*].contacts.T.mu_L)", {"equals": 1, "tolerance": 1e-5}),
            ("max(above[*].contacts.T.mu_L)", {"below": 1})], set={**{k: i[k] for k in LK if k != "J"}, "w0": 1})
for c in kind("link.selfbrake"):
    i, r = c["in"], c["out"]
    runs = {"at": ("rest", {}, {"phi0": i["phi"]}), "crank": ("rest", {}, {"phi0": i["phi"], "P": 0, "M": 1})}
    ex = [("abs(at.contacts.T.needed)/at.contacts.T.bound", near(abs(r["gamma"]))),
          ("at.verdict", is_("holds" if r["carriage_self_braking"] else "starts")), ("crank.verdict", is_("starts"))]
    runs["brake"] = ("brake", {"point": {"pin": "[r*sin(phi), r*cos(phi)]"}}, {"phi0": i["phi"]})
    ex += [("abs(brake.points.carriage.gamma)", near(abs(r["gamma"]))), ("brake.points.pin.class", is_("debraking")),
           ("brake.points.carriage.psi_deg", {"equals": r["Psi_carriage_deg"], "abs": 1e-9}),
           ("brake.points.pin.psi_deg", {"equals": r["Psi_crank_deg"], "abs": 1e-9})]
    for k, v in enumerate(v for pair in r["intervals_deg"] for v in pair):
        runs[f"end{k}"] = ("rest", {}, {"phi0": f"{v!r}{DEG}"})
        ex.append((f"end{k}.margin", {"equals": 0, "abs": 1e-8}))
    f.case(c["id"], runs, ex, set={**{k: i[k] for k in LK if k != "J"}, "J": 5, "M": 0, "P": 1, "w0": 0})
for c in kind("link.rest"):
    rest(f, c, LK + ("M", "P"), "phi", lambda i: {"phi0": i["phi"], "w0": 0})
for c in kind("link.motion"):
    motion(f, c, LK + ("M", "P"), "phi", "T", lambda i: {"phi0": i["phi0"], "w0": i["phid0"]})
f.write()

# --- stacker --------------------------------------------------------------------------------------
def cart(i):
    return {"m": i["m"], "l": i["l"], "H": i["h"], "r": i["r"], "mu": i["mu"], "g": i["g"]}


f = File("anh-stacker", "Stacker with a rigid mast: limits of rolling, reactions, start with slip", "stacker-rigid")
for c in kind("st.roll"):
    i, r = c["in"], c["out"]
    ex = [("evaluate.outputs.R1", near(r["R1"])), ("evaluate.outputs.R2", near(r["R2"])), ("evaluate.accelerations.x", near(r["xdd"])),
          ("evaluate.outputs.grip", {"below" if r["state"] == "slip" else "above": 0}),
          ("evaluate.outputs.R2", {"below" if r["state"] == "lift-wheel-2" else "above": 0})]
    f.case(c["id"], {"evaluate": ("evaluate", {})}, ex, set={**cart(i), "M": i["M"]}, path="stacker-rolling")
for c in kind("st.limits"):
    i, r = c["in"], c["out"]
    if "c" in i:
        continue
    runs = {"fwd": ("contact", {}, {"x'": 0, "omega": 1}), "star": ("contact", {}, {"H": r["h_star"], "x'": 0, "omega": 1}),
            "back": ("contact", {}, {"x'": 0, "omega": -1}), "h1": ("contact", {}, {"H": r["h_1"], "x'": 0, "omega": -1})}
    ex = [("abs(fwd.contacts.rail.L)", near(abs(r["L"]))), ("star.contacts.rail.mu_L", near(1)),
          ("fwd.solutions[stable=true][0].friction.rail*fwd.parameters.r", near(r["M2p"])),
          ("h1.solutions[0].R", near(i["m"] * i["g"]))]
    if isinstance(r["M2m"], float):
        ex.append(("back.solutions[0].friction.rail*back.parameters.r", near(r["M2m"])))
    else:
        ex += [("back.class", is_("none")), ("back.border", is_(True))]
    f.case(c["id"], runs, ex, set=cart(i))
for c in kind("st.speedup"):
    i, r = c["in"], c["out"]
    runs, ex = {"at": ("contact", {})}, [("at.solutions[0].R", near(r["R1_slip"])), ("at.solutions[0].accelerations.x", near(r["a"])),
                                        ("m*g - at.solutions[0].R", near(r["R2_slip"])), ("at.solutions[0].friction.rail*r", near(r["M_slip"]))]
    for k, x in enumerate(r["samples"]):
        runs[f"s{k}"] = ("simulate", {"until": x["t"], "samples": True, "points": 2})
        ex += [(f"s{k}.final.state.x", near(x["x"])), (f"s{k}.final.state.x'", near(x["v"])), (f"s{k}.samples.rail.force[-1]*r", near(x["M"], abs_=1e-6 if x["M"] == 0 else None))]
    runs["run"] = ("simulate", {"until": 1})
    ex += [("run.events[0].t", near(r["t1"])), ("run.stats.events", is_(1)), ("run.final.modes.rail", is_("stick"))]
    f.case(c["id"], runs, ex, set={**cart(i), "omega": i["omega"], "x'": 0})
f.write()
