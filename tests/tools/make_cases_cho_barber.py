#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write tests/cases/cho-barber-*.yaml from the check values of Cho and Barber: what moves in time.

usage: make_cases_cho_barber.py FOLDER OF cho-barber.json [OUTPUT FOLDER]

The output is committed; running the tests needs no Python. Steady sliding, charts and quasi-static cases are elsewhere.
Times and positions in the plane are printed to 13 and 12 digits, in space to 10 and 9.
"""
import json
import math
import sys

src = sys.argv[1]
out_dir = sys.argv[2] if len(sys.argv) > 2 else "tests/cases"
cases = json.load(open(src + "/cho-barber.json"))
MODE = {"stick": "stick", "forward": "slip+", "backward": "slip-", "separation": "open", "slip": "slip"}


def kind(name):
    return [c for c in cases if c["kind"] == name]


def val(v):
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, (int, float)):
        return repr(v)
    s = str(v)
    return '"' + s + '"' if any(ch in s for ch in ",[]{}:'#<>=*") else s


def flow(d):
    def key(k):
        return '"' + k + '"' if "'" in k or "." in k else k
    return "{" + ", ".join(f"{key(k)}: {val(v)}" for k, v in d.items()) + "}"


class File:
    def __init__(self, name, title, model, note=None, slow=False):
        self.lines = ["# SPDX-License-Identifier: Apache-2.0",
                      "# Made by tests/tools/make_cases_cho_barber.py from the check values of the specification.",
                      *(["# ctest: slow"] if slow else []), f"title: {val(title)}", f"model: ../../models/{model}.yaml"]
        if note:
            self.lines.append(f"note: {val(note)}")
        self.lines.append("cases:")
        self.name = name

    def case(self, id, runs, expect, set=None, define=None, model=None, note=None):
        o = self.lines
        o.append(f"  - case: {val(id)}")
        if note:
            o.append(f"    note: {val(note)}")
        if model:
            o.append(f"    model: ../../models/{model}.yaml")
        if set:
            o.append("    set: " + flow(set))
        o.append("    runs:")
        for name, (verb, opts) in runs.items():
            o.append(f"      {name}: {{{verb}: {flow(opts)}}}")
        if define:
            o.append("    define:")
            o.extend(f"      {k}: {val(v)}" for k, v in define.items())
        o.append("    expect:")
        for value, cond in expect:
            o.append(f"      - {{value: {val(value)}, " + ", ".join(
                f"{k}: {v if isinstance(v, str) and v.startswith('[') else val(v)}" for k, v in cond.items()) + "}")

    def write(self):
        with open(f"{out_dir}/{self.name}.yaml", "w") as f:
            f.write("\n".join(self.lines) + "\n")


def near(b, abs_, rel=0.0):
    return {"equals": b, "abs": max(abs_, rel * abs(b))}


def is_(x):
    return {"equals": x}


def planar(i):
    """Settings of klarbring-mass (or klarbring-path) for a case, and the model."""
    s = {"mu": i["f"]}
    if "K" in i:
        (s["k11"], s["k12"]), (_, s["k22"]) = i["K"]
    if "B" in i:
        (s["b11"], s["b12"]), (_, s["b22"]) = i["B"]
    if "M" in i:
        s["m"] = i["M"]
    load = i["load"] if "load" in i else {"C": i["C"]}
    model = None
    if "polyline" in load:
        model = "klarbring-path"
        for name, (t, f1, f2) in zip("abd", load["polyline"]):
            s["t" + {"d": "c"}.get(name, name)], s[name.upper() + "1"], s[name.upper() + "2"] = t, f1, f2
    else:
        s["C1"], s["C2"] = load["C"]
        if "F0" in load:
            s["F1"], s["F2"] = load["F0"]
        for a1, a2, w, p in load.get("harm", []):
            model = "klarbring-vibration"
            s["a1"], s["a2"], s["w"] = a1, a2, w
    for n, v in zip(("u1'", "u2'"), i.get("v", ())):
        s[n] = v
    return s, model


E = "simulate.events[contact=plane]"

# --- motion in the plane --------------------------------------------------------------------------
f = File("cho-barber-planar", "Klarbring's mass in motion: events, states after them, final states", "klarbring-mass")
for c in kind("sim2"):
    i, r = c["in"], c["out"]
    s, model = planar(i)
    x = [("simulate.initial.modes.plane", is_(MODE[r["initial"]])), (f"length({E})", is_(r["n_events"]))]
    for k, (t, a, b, u1, u2, v1, v2) in enumerate(r["events"]):
        e = f"{E}[{k}]"
        x += [(e + ".t", near(t, 1e-9)), (e + ".from", is_(MODE[a])), (e + ".to", is_(MODE[b])),
              (e + ".state.u1", near(u1, 1e-9, 1e-10)), (e + ".state.u2", near(u2, 1e-9)),
              (e + ".state.u1'", near(v1, 1e-9, 1e-10))]
    fin = r["final"]
    x += [("simulate.final.modes.plane", is_(MODE[fin["mode"]]))]
    x += [(f"simulate.final.state.{n}", near(b, 1e-8, 1e-9)) for n, b in zip(("u1", "u2", "u1'", "u2'"), fin["u"] + fin["v"])]
    f.case(c["id"], {"simulate": ("simulate", {"until": i["t_end"]})}, x, s, model=model)
for c in kind("count"):
    s, _ = planar(c["in"])
    r = c["out"]
    f.case(c["id"], {"simulate": ("simulate", {"until": 1.5 * r["last"] + 20})},
           [(f"length({E}) - length({E}[kind=touch])", is_(r["mode_changes"])), (f"length({E}[kind=touch])", is_(r["touches"])),
            (f"length({E}) + length({E}[kind=touch])", is_(r["euler_count"])), (f"{E}[-1].t", near(r["last"], 1e-8))], s)
for c in kind("dyn_state"):
    s, _ = planar(c["in"])
    f.case(c["id"], {"simulate": ("simulate", {"until": 0.01})}, [("simulate.initial.modes.plane", is_(MODE[c["out"]]))], s)
for c in kind("exit_backward"):
    i, r = c["in"], c["out"]
    s, _ = planar(i)
    (k11, k12), f_ = (1.0, 1.0), i["f"]
    s["u1'"] = f"({i['C'][0]!r} - mu*({i['C'][1]!r}))/(k11 - mu*k12) + ({i['delta']!r})"
    f.case(c["id"], {"simulate": ("simulate", {"until": r["t"] + 1})},
           [(f"{E}[0].t", near(r["t"], 1e-9 / abs(i["delta"]) * 1e-3)), (f"{E}[0].to", is_(MODE[r["to"]])),
            ("sqrt((mu*k12 - k11)/m)", near(r["b"], 1e-12)), ("(C1 - mu*C2)/(k11 - mu*k12)", near(r["Vb"], 1e-11))], s)
for c in kind("first_sep"):
    i, r = c["in"], c["out"]
    s, model = planar(i)
    x = [("simulate.final.modes.plane", is_(MODE[r["final_mode"]]))]
    if r["first_motion"] is None:
        x.append((f"length({E})", is_(0)))
    else:
        x.append((f"{E}[0].t", near(r["first_motion"], 1e-8)))
    if r["first_separation"] is None:
        x.append((f"length({E}[to=open])", is_(0)))
        x.append(("simulate.final.state.u1", near(r["u1"], 1e-8)))
    else:
        x.append((f"{E}[to=open][0].t", near(r["first_separation"], 1e-7)))
    f.case(c["id"], {"simulate": ("simulate", {"until": i["t_end"]})}, x, s, model=model)
f.write()

# --- the published scheme, impulses and pulses ---
f = File("cho-barber-more", "The published explicit scheme; impulses and pulses on a sticking mass", "klarbring-mass")
for c in kind("euler2"):
    i, r = c["in"], c["out"]
    s, _ = planar(i)
    f.case(c["id"], {"simulate": ("simulate", {"until": i["t_end"], "method": "euler", "max-step": i["dt"]})},
           [(f"length({E})", is_(r["n_events"])), (f"{E}[0].t", near(r["first"][0], 1e-6)), (f"{E}[0].from", is_(MODE[r["first"][1]])),
            (f"{E}[0].to", is_(MODE[r["first"][2]]))], s)
for c in kind("creep"):
    i, r = c["in"], c["out"]
    s = {"mu": i["f"], "C1": 0, "C2": 0, "F1": i["F"][0], "F2": i["F"][1]}
    runs, x, at = {}, [], 0.0
    for k, du in enumerate(r["first_du"]):
        runs[f"r{k}"] = ("simulate", {"until": 50, "at": f"u1 = {at!r}, u2' = {i['v0']!r}"})
        at += du
        x += [(f"r{k}.final.state.u1", near(at, 1e-9)), (f"r{k}.final.modes.plane", is_("stick"))]
    runs["last"] = ("simulate", {"until": 100, "at": f"u1 = {r['u1_before']!r}, u2' = {i['v0']!r}"})
    x.append(("last.final.modes.plane", is_("open")))
    f.case(c["id"], runs, x, s, note=f"the first impulses, and number {r['n_to_separation']}, which separates")
for c in kind("threshold"):
    i, r = c["in"], c["out"]
    F1, F2 = i["F"]
    s = {"mu": i["f"], "ta": 0, "A1": F1, "A2": F2, "tb": 1, "B1": F1, "tc": 2, "D1": F1, "D2": F2}
    runs = {}
    for name, p in (("quiet", r["motion"] - 1e-8), ("moves", r["motion"] + 1e-8), ("stays", r["separation"] - 1e-8), ("parts", r["separation"] + 1e-8)):
        runs[name] = ("simulate", {"until": 200}, {"B2": F2 + p})
    o = f.lines
    o.append(f"  - case: {c['id']}")
    o.append("    model: ../../models/klarbring-path.yaml")
    o.append("    set: " + flow(s))
    o.append("    runs:")
    for name, (verb, opts, own) in runs.items():
        o.append(f"      {name}: {{{verb}: {flow(opts)}, set: {flow(own)}}}")
    o.append("    expect:")
    o.append('      - {value: "length(quiet.events[contact=plane])", equals: 0}')
    o.append('      - {value: "length(moves.events[contact=plane])", at_least: 1}')
    o.append("      - {value: stays.final.modes.plane, equals: stick}")
    o.append("      - {value: parts.final.modes.plane, equals: open}")
f.write()

# --- impacts and rest -----------------------------------------------------------------------------
f = File("cho-barber-states", "Long-time states of Klarbring's mass from given velocities", "klarbring-mass",
         "settle ends the run when the state is final; events are counted up to then")
for c in kind("final2"):
    i, r = c["in"], c["out"]
    s, _ = planar(i)
    x = [("simulate.long_time", is_({"stick": "stick", "separation": "open"}[r["state"]]))]
    if r["n_events"]:
        x += [(f"length({E})", is_(r["n_events"])), (f"{E}[-1].t", near(r["t"], 2e-8))]
    else:
        x.append((f"length({E})", is_(0)))
    f.case(c["id"], {"simulate": ("simulate", {"until": 1000, "settle": True})}, x, s)
for c in kind("boundaries"):
    i, r = c["in"], c["out"]
    s, _ = planar(i)
    s["u2'"] = i["v2"]
    del s["mu"]
    for n, (v1, change) in enumerate(r):
        left, right = ({"stick": "stick", "separation": "open"}[w] for w in change.split("|"))
        f.case(c["id"] if n == 0 else f"{c['id']}-at{n}",
               {"left": ("simulate", {"until": 1000, "settle": True, "at": f"u1' = {v1 - 2e-8!r}, u2' = {i['v2']!r}"}),
                "right": ("simulate", {"until": 1000, "settle": True, "at": f"u1' = {v1 + 2e-8!r}, u2' = {i['v2']!r}"})},
               [("left.long_time", is_(left)), ("right.long_time", is_(right))], {**s, "mu": i["f"]})
for c in kind("map6"):
    i, r = c["in"], c["out"]
    s, _ = planar(i)
    o = f.lines
    o.append(f"  - case: {c['id']}")
    o.append("    set: " + flow(s))
    o.append("    runs:")
    first, last, n = i["v1"][0], i["v1"][-1], len(i["v1"])
    for k, v2 in enumerate(i["v2"]):
        o.append(f"      row{k}: {{simulate: {{until: 1000, settle: true}}, set: {{\"u2'\": {v2!r}}}, "
                 f"over: {{\"u1'\": {{from: {first!r}, to: {last!r}, count: {n}}}}}}}")
    o.append("    expect:")
    for k, row in enumerate(r):
        o.append(f"      - {{value: \"row{k}[*].long_time\", equals: [" + ", ".join("open" if ch == "#" else "stick" for ch in row) + "]}")
f.write()

# --- motion in space ------------------------------------------------------------------------------
DEG = math.pi / 180


def spatial(i):
    s = {"mu": i["f"]}
    if "theta_deg" in i:
        s.update({"theta": f"{i['theta_deg']!r}*pi/180", "N": i["N"], "V": i["V"]})
    if "C" in i:
        s.update({"N": 0, "V": 0, "C1": i["C"][0], "C2": i["C"][1], "C3": i["C"][2]})
    if "B" in i:
        b = i["B"]
        s.update({"b11": b[0][0], "b12": b[0][1], "b22": b[1][1], "b13": b[0][2], "b23": b[1][2], "b33": b[2][2]})
    for n, v in zip(("u1'", "u2'", "u3'"), i.get("v", ())):
        s[n] = v
    if "delta" in i:
        s["u1'"] = f"V*c*(1 + {i['delta']!r})"
        s["u2'"] = f"V*s*(1 + {i['delta']!r})"
    return s


f = File("cho-barber-spatial", "The spatial mass in motion", "spatial-mass")
for c in kind("sim3"):
    i, r = c["in"], c["out"]
    x = [("simulate.initial.modes.plane", is_(MODE[r["initial"]])), (f"length({E})", is_(r["n_events"]))]
    for k, row in enumerate(r["events"]):
        t, a, b, u1, u2 = row[:5]
        e = f"{E}[{k}]"
        x += [(e + ".t", near(t, 1e-6, 1e-8)), (e + ".from", is_(MODE[a])), (e + ".to", is_(MODE[b])),
              (e + ".state.u1", near(u1, 1e-6, 1e-7)), (e + ".state.u2", near(u2, 1e-6, 1e-7))]
    fin = r["final"]
    x.append(("simulate.final.modes.plane", is_(MODE[fin["mode"]])))
    x += [(f"simulate.final.state.{n}", near(b, 1e-6, 1e-7)) for n, b in zip(("u1", "u2"), fin["u"])]
    x += [(f"simulate.final.state.{n}", near(b, 1e-6, 1e-6)) for n, b in zip(("u1'", "u2'"), fin["v"])]
    if r["maxima"]:
        t, s_ = max(r["maxima"], key=lambda m: m[1])
        x.append(("simulate.extrema.speed.max", {"at_least": s_ * (1 - 1e-6)}))
    f.case(c["id"], {"simulate": ("simulate", {"until": i["t_end"]})}, x, spatial(i))
for c in kind("stickslip"):
    i, r = c["in"], c["out"]
    start, stop = "simulate.events[kind=stick-slip]", "simulate.events[kind=slip-stick]"
    k = r["n_cycles"]
    f.case(c["id"], {"simulate": ("simulate", {"until": i["t_end"]})},
           [("period", near(r["period"], 0, 1e-7)), ("step1", near(r["du"][0], 0, 1e-7)), ("step2", near(r["du"][1], 0, 1e-7)),
            ("step1/period/V", near(r["drift_check"][0], 2e-8)), ("step2/period/V", near(r["drift_check"][1], 2e-8)),
            ("stick", near(r["stick_duration"], 0, 1e-6)), ("simulate.extrema.speed.max/V", {"at_least": r["smax_over_V"] * (1 - 1e-6)})],
           spatial(i),
           {"period": f"{start}[{k}].t - {start}[{k - 1}].t", "step1": f"{start}[{k}].state.u1 - {start}[{k - 1}].state.u1",
            "step2": f"{start}[{k}].state.u2 - {start}[{k - 1}].state.u2", "stick": f"{start}[{k}].t - {stop}[{k - 1}].t"})
for c in kind("lateral"):
    i, r = c["in"], c["out"]
    f.case(c["id"], {"simulate": ("simulate", {"until": i["t_end"]})},
           [("simulate.extrema.lateral.min", near(r["lateral"][0], 1e-3)), ("simulate.extrema.lateral.max", near(r["lateral"][1], 1e-3)),
            ("-simulate.extrema.lag.max", near(r["along"][0], 1e-3)), ("-simulate.extrema.lag.min", near(r["along"][1], 1e-3))], spatial(i))
for c in kind("limitcycle"):
    i, r = c["in"], c["out"]
    x = [("simulate.extrema.speed.max/V", near(r["smax_over_V"], 0, 1e-5))]
    if r["kind"] == "with-stick":
        x += [("simulate.last_return.plane", near(r["period"], 0, 1e-5)),
              ("simulate.stick_fraction.plane*simulate.last_return.plane", near(r["stick_duration"], 0, 2e-2))]
    else:
        x += [("simulate.extrema.speed.min/V", near(r["smin_over_V"], 0, 1e-5)), ("simulate.stick_fraction.plane", is_(0.0))]
    f.case(c["id"], {"simulate": ("simulate", {"until": i["t_end"], "after": 0.8 * i["t_end"]})}, x, spatial(i))
for c in kind("growth"):
    i, r = c["in"], c["out"]
    turn, early = 2 * math.pi / r["eigen"][1], 0.5 * i["t_end"]
    f.case(c["id"], {"early": ("simulate", {"until": early}), "late": ("simulate", {"until": early + turn})},
           [(f"log((late.final.outputs.speed - V)/(early.final.outputs.speed - V))/{turn!r}", near(r["measured_rate"], 5e-5))],
           spatial(i), note="the deviation one turn later, with the frequency of the eigenvalue")
for c in kind("final3"):
    i, r = c["in"], c["out"]
    f.case(c["id"], {"simulate": ("simulate", {"until": 400, "settle": True})},
           [("simulate.long_time", is_({"stick": "stick", "separation": "open"}[r["state"]]))], spatial(i))
for c in kind("impact"):
    i, r = c["in"], c["out"]
    s = {"mu": i["f"], "N": 1, "V": 0, "theta": 0, "m": 1}
    for n, v in zip(("u1'", "u2'", "u3'"), i["v"]):
        s[n] = v
    # from the plane itself: the impact is over before the first step
    x = [(f"simulate.extrema.{n}.{'max' if v >= 0 else 'min'}", near(v, 1e-9, 1e-9)) for n, v in zip(("u1'", "u2'"), r["v"])]
    x.append(("simulate.initial.modes.plane", is_("slip")) if r["state"] == "slip" else ("simulate.extrema.speed.max", near(0.0, 1e-6)))
    f.case(c["id"], {"simulate": ("simulate", {"until": 1e-9})}, x, {**s, "N": 1})
f.write()

f = File("cho-barber-regimes", "Regimes of sliding from rest by direction and speed", "spatial-mass",
         "shares over the last 40 % of the time, to 5 % or 0.005", slow=True)
for c in kind("regime"):
    i, r = c["in"], c["out"]
    f.case(c["id"], {"simulate": ("simulate", {"until": i["t_end"], "after": 0.6 * i["t_end"]})},
           [("simulate.stick_fraction.plane", near(r["stick_fraction"], 0.005, 0.05)),
            ("simulate.open_fraction.plane", near(r["separation_fraction"], 0.005, 0.05))]
           + ([("(simulate.extrema.speed.max - simulate.extrema.speed.min)/V", {"below": 0.02})] if r["label"] == "steady" else
              [("(simulate.extrema.speed.max - simulate.extrema.speed.min)/V", {"above": 0.02})] if r["label"] == "oscillation" else []),
           spatial(i))
f.write()

f = File("cho-barber-turn", "A tight turn at several speeds", "spatial-turn",
         "The largest speed at V = 1 is that just before the impact; the check value lies 1e-3 above it.")
for c in kind("turn"):
    i, r = c["in"], c["out"]
    x = [("simulate.extrema.distance.max", near(r["max_path_dev"], 1e-3)), ("simulate.extrema.u3.max", near(r["max_u3"], 1e-4)),
         ("simulate.extrema.speed.min/V", near(r["smin_over_V"], 1e-4)), ("simulate.extrema.speed.max/V", near(r["smax_over_V"], 1e-3, 2e-3)),
         (f"length({E})", is_(len(r["events"])))]
    for k, (l, a, b) in enumerate(r["events"]):
        x += [(f"{E}[{k}].t", near(l, 2e-5)), (f"{E}[{k}].to", is_(MODE[b]))]
    f.case(c["id"], {"simulate": ("simulate", {"until": (2 * i["L1"] + math.pi / 2 * i["a"]) / i["V"]})}, x,
           {"mu": i["f"], "L": i["L1"], "a": i["a"], "N": i["N"], "V": i["V"]})
f.write()

f = File("cho-barber-circle", "The circle: first events and deviation", "spatial-circle",
         "226 events at tolerances from 1e-11 to 1e-14; the check value says 230: brief touches of stick near the limit count as one likes")
for c in kind("circle"):
    i, r = c["in"], c["out"]
    x = [("simulate.extrema.deviation.min", near(r["dev_min"], 1e-4)), ("simulate.extrema.deviation.max", near(r["dev_max"], 1e-4)),
         (f"length({E})", near(r["n_events"], 6))]
    for k, (t, angle, a, b) in enumerate(r["events"]):
        x += [(f"{E}[{k}].t", near(t, 0.02)), (f"{E}[{k}].from", is_(MODE[a])), (f"{E}[{k}].to", is_(MODE[b]))]
    f.case(c["id"], {"simulate": ("simulate", {"until": f"{i['revs']!r}*2*pi*a/V"})}, x,
           {"mu": i["f"], "a": i["a"], "V": i["V"], "N": i["N"]})
f.write()
