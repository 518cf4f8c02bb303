#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write tests/cases/cb-*.yaml on steady slip, rate problems and quasi-static paths from the check values of Cho and
Barber.

usage: make_cases_cho_barber_steady.py FOLDER OF cho-barber.json [OUTPUT FOLDER]

The output is committed; running the tests needs no Python. Simulations of the same source are made by another tool.
A chart point that lies on a border to rounding is compared by its numbers, not by its code.
"""
import json
import math
import sys

out_dir = sys.argv[2] if len(sys.argv) > 2 else "tests/cases"
cases = json.load(open(sys.argv[1] + "/cho-barber.json"))
K41 = [[1.0, 1.0], [1.0, 2.0]]
K49 = [[1.0, 1.0, -1.0], [1.0, 2.0, -2.0], [-1.0, -2.0, 3.0]]
WORD = {"stick": "stick", "forward": "slip+", "backward": "slip-", "separation": "open", "slip": "slip"}


def kind(name):
    return [c for c in cases if c["kind"] == name]


def num(x):
    return repr(x)


class File:
    def __init__(self, name, title, model, slow=None):
        self.name = name
        self.lines = ["# SPDX-License-Identifier: Apache-2.0",
                      "# Made by tests/tools/make_cases_cho_barber_steady.py from the check values of the specification."]
        if slow:
            self.lines.append(f"# ctest: slow timeout {slow}")
        self.lines.append(f"title: {title}")
        if model:
            self.lines.append(f"model: ../../models/{model}.yaml")
        self.lines.append("cases:")

    def case(self, id, runs, expect, set=None, model=None, fails=None):
        o = self.lines
        o.append(f"  - case: {id}")
        if model:
            o.append("    model:")
            o.extend("      " + line for line in model)
        if set:
            o.append("    set: {" + ", ".join(f"{k}: {v}" for k, v in set.items()) + "}")
        o.append("    runs:")
        for name, text in runs.items():
            o.append(f"      {name}: {{{text}{', ' + fails if fails else ''}}}")
        o.append("    expect:" if expect else "    expect: []")
        o.extend("      - {" + e + "}" for e in expect)

    def write(self):
        with open(f"{out_dir}/{self.name}.yaml", "w") as f:
            f.write("\n".join(self.lines) + "\n")


def eq(path, value, tol="1e-09", abs_tol=None):
    quoted = f'"{path}"' if any(ch in path for ch in "[]\",") and '"' not in path else f"'{path}'" if '"' in path else path
    if isinstance(value, (bool, str)):
        return f"value: {quoted}, equals: {str(value).lower() if isinstance(value, bool) else value}"
    if abs_tol or value == 0:
        return f"value: {quoted}, equals: {num(value)}, abs: {abs_tol or '1e-11'}"
    return f"value: {quoted}, equals: {num(value)}, tolerance: {tol}"


def k2(K):
    return {"k11": K[0][0], "k12": K[0][1], "k22": K[1][1]}


def k3(K):
    return {"k11": K[0][0], "k22": K[1][1], "k33": K[2][2], "k12": K[0][1], "k13": K[0][2], "k23": K[1][2]}


# ---- planar: critical coefficient, rate problems ----
f = File("cb-rate-planar", "Planar rate problem of Klarbring's model", "klarbring-mass")
for c in kind("fstar"):
    out, s = c["out"], k2(c["in"]["K"])
    if isinstance(out, dict):
        f.case(c["id"], {"quasistatic": "quasistatic: {rate: true}"}, [], s, fails="error: " + out["error"])
        continue
    runs = {"limits": 'limits: {vary: "mu=0.01:100", of: quasistatic.X_min}'}
    f.case(c["id"], runs, [eq("limits.count", 0)] if out == "inf" else
           [eq("limits.count", 1), eq("limits.values[0].at", out, "1e-12")], s)
for c in kind("qs_states"):
    i = c["in"]
    s = {**k2(i.get("K", K41)), "mu": i["f"], "C1": i["C"][0], "C2": i["C"][1]}
    f.case(c["id"], {"quasistatic": "quasistatic: {rate: true}"},
           [eq("answers", "+".join(WORD[x] for x in c["out"]) or "none")], s)
for c in kind("rate"):
    i = c["in"]
    side = 1.0 if i["at"] == "fwd-edge" else -1.0
    s = {**k2(K41), "mu": i["f"], "F1": side * i["f"], "F2": -1.0, "C1": i["dF"][0], "C2": i["dF"][1]}
    f.case(c["id"], {"quasistatic": "quasistatic: {rate: true}"},
           [eq("contacts.plane.place", "edge"), eq("answers", "+".join(WORD[x] for x in c["out"] if x != "none") or "none")], s)
f.write()


# ---- paths ----
def table(points, column):
    return "table(t, " + ", ".join(f"{p[0]!r}, {p[column]!r}" for p in points) + ")"


f = File("cb-quasistatic", "Quasi-static paths with jumps, in the plane and in space", None)
for c in kind("qs2"):
    i, out = c["in"], c["out"]
    K, load = i.get("K", K41), i["load"]["polyline"]
    model = ["amontons: 1", "coordinates: [u1, u2]", "particles: {mass: {mass: 1, at: [u1, u2]}}",
             f"energy: {{potential: ({K[0][0]}*u1^2 + {K[1][1]}*u2^2)/2 + {K[0][1]}*u1*u2}}",
             f'loads: {{F: {{on: mass, force: ["{table(load, 1)}", "{table(load, 2)}"]}}}}',
             f"contacts: {{plane: {{support: u2, slip: u1', law: {{type: coulomb, mu: {i['f']}}}}}}}"]
    e = [eq("status", "ok"), eq("audit.ok", True), eq("length(events)", len(out["events"]))]
    for n, (t, a, b, u1, u2, how) in enumerate(out["events"]):
        e += [eq(f"events[{n}].t", t, "1e-10"), eq(f"events[{n}].from", WORD[a]), eq(f"events[{n}].to", WORD[b]),
              eq(f"events[{n}].state.u1", u1, "1e-10"), eq(f"events[{n}].state.u2", u2, "1e-10"),
              eq(f"events[{n}].jump", how == "jump")]
    e += [eq("final.modes.plane", WORD[out["final"]["state"]]), eq("final.state.u1", out["final"]["u"][0], "1e-10"),
          eq("final.state.u2", out["final"]["u"][1], "1e-10")]
    f.case(c["id"], {"quasistatic": f"quasistatic: {{until: {i['t_end']}}}"}, e, model=model)
for c in kind("qs3"):
    i, out = c["in"], c["out"]
    K, load = i.get("K", K49), i["polyline"]
    model = ["amontons: 1", "coordinates: [u1, u2, u3]", "particles: {mass: {mass: 1, at: [u1, u2, u3]}}",
             f"energy: {{potential: ({K[0][0]}*u1^2 + {K[1][1]}*u2^2 + {K[2][2]}*u3^2)/2 + {K[0][1]}*u1*u2 + "
             f"{K[0][2]}*u1*u3 + {K[1][2]}*u2*u3}}",
             "loads: {F: {on: mass, force: [" + ", ".join('"' + table(load, k) + '"' for k in (1, 2, 3)) + "]}}",
             f"contacts: {{plane: {{support: u3, slip: [u1', u2'], law: {{type: coulomb, mu: {i['f']}}}}}}}"]
    e = [eq("status", out["status"]), eq("audit.ok", True), eq("length(events)", len(out["events"]))]
    for n, ev in enumerate(out["events"]):
        e += [eq(f"events[{n}].t", ev[0], "1e-8"), eq(f"events[{n}].from", WORD[ev[1]]), eq(f"events[{n}].to", WORD[ev[2]])]
        e += [eq(f"events[{n}].state.u{k + 1}", ev[3 + k], None, "1e-8") for k in range(2)]
    final = out["final"]
    if final:
        e += [eq("final.t", final.get("t", load[-1][0]), "1e-8"), eq("final.modes.plane", WORD[final.get("state", final.get("mode", "slip"))])]
        e += [eq(f"final.state.u{k + 1}", final["u"][k], None, "1e-8") for k in range(3)]
    f.case(c["id"], {"quasistatic": f"quasistatic: {{until: {load[-1][0]}}}"}, e, model=model)
f.write()

# ---- in space: vertex, equilibrium set, slip rule, geometry ----
f = File("cb-rate-spatial", "Spatial rate problem, equilibrium set and critical coefficients", "spatial-mass-load")
for c in kind("vertex"):
    i = c["in"]
    s = {**k3(i.get("K", K49)), "mu": i["f"], "C1": i["C"][0], "C2": i["C"][1], "C3": i["C"][2]}
    order = {"stick": 0, "slip": 1, "separation": 2}
    answers = sorted(c["out"], key=lambda a: (order[a[0]], a[1][0] if a[1] else 0))
    e = [eq("answers", "+".join(WORD[a[0]] for a in answers))]
    for n, (name, v) in enumerate(answers):
        if v:
            e += [eq(f"solutions[{n}].angle", v[0]), eq(f"solutions[{n}].speed", v[1]), eq(f"solutions[{n}].R", v[2])]
    f.case(c["id"], {"quasistatic": "quasistatic: {rate: true}"}, e, s)
for c in kind("eqset"):
    i, out = c["in"], c["out"]
    s = {**k3(K49), "mu": i["f"], "C3": 0, "F1": i["F"][0], "F2": i["F"][1], "F3": i["F"][2]}
    p = "contacts.plane.equilibria."
    e = [eq(p + "R0", out["R0"]), eq(p + "eccentricity", out["e"]), eq(p + "empty", out["empty"])]
    e += [eq(f"{p}focus[{k}]", out["focus"][k]) for k in range(2)]
    if out["area"] != "inf":
        e += [eq(p + "area", out["area"])]
    else:
        e += [f"value: {p}area, equals: null"]
    if out.get("centre"):
        e += [eq(f"{p}centre[{k}]", out["centre"][k]) for k in range(2)]
    f.case(c["id"], {"quasistatic": "quasistatic: {rate: true}"}, e, s)
for c in kind("sliprule"):
    i, out = c["in"], c["out"]
    a = math.radians(i["theta_deg"])
    s = {**k3(K49), "mu": i["f"], "F1": i["f"] * i["R3"] * math.cos(a), "F2": i["f"] * i["R3"] * math.sin(a), "F3": -i["R3"],
         "C1": i["dF"][0], "C2": i["dF"][1], "C3": i["dF"][2]}
    p = "contacts.plane."
    f.case(c["id"], {"quasistatic": "quasistatic: {rate: true}"},
           [eq(p + "place", "edge"), eq(p + "drive", out["num"]), eq(p + "X", out["den"]), eq(p + "speed", out["du"]),
            eq(p + "turn", out["eps"])], s)
for c in kind("geometry"):
    i, out = c["in"], c["out"]
    runs = {"cone": 'limits: {vary: "mu=0.01:100", of: quasistatic.D_min}',
            "slip": 'limits: {vary: "mu=0.01:100", of: quasistatic.X_min}'}
    e = []
    for run, value in (("cone", out["fcr"]), ("slip", out["f_ss"])):
        e += [eq(run + ".count", 0)] if value == "inf" else [eq(run + ".values[0].at", value)]
    f.case(c["id"], runs, e, k3(i.get("K", K49)))
f.write()

# ---- steady slip ----
f = File("cb-steady", "Steady slip of a mass on a plane, eigenvalues and criteria", "spatial-mass")
for c in kind("stab"):
    i, out = c["in"], c["out"]
    K, B = i.get("K", K49), i.get("B")
    s = {**k3(K), "mu": i["f"], "m": i.get("M", 1.0), "theta": math.radians(i["theta_deg"]), "N": i["N_over_V"], "V": 1.0}
    if B:
        s.update({k.replace("k", "b"): v for k, v in k3(B).items()})
    e = [eq("criteria." + k, out[k]) for k in "XGD"]
    e += [eq(f"criteria.a{n + 1}", v) for n, v in enumerate(out["a"])]
    e += [eq(f"criteria.H{n + 1}", v) for n, v in enumerate(out["H"])]
    for n, (re, im) in enumerate(sorted(([z, 0.0] if isinstance(z, float) else z for z in out["eig"]),
                                        key=lambda z: (-z[0], -z[1]))):
        e += [eq(f"eigenvalues[{n}].re", re, "1e-8"), eq(f"eigenvalues[{n}].im", im, "1e-8")]
    e += [eq("stable", out["stable"])]
    p = out["params"]
    runs = {"steady": "steady: {}"}
    if not B and p.get("khat"):  # the dimensionless groups say the same
        runs["chart"] = (f"steady: {{}}, model: ../../models/spatial-mass-chart.yaml, set: {{psi: {p['psi']!r}, phi3: {p['phi3']!r}, "
                         f"ft: {p['ftil']!r}, rho: {p['rho']!r}, Nt: {p['Ntil']!r}}}")
        e = [x.replace("value: ", "value: steady.").replace('steady."', '"steady.') for x in e]
        e += [eq(f"chart.criteria.D*{p['khat']!r}^2", out["D"], None, "1e-9"), eq(f"chart.criteria.G*{p['khat']!r}^2", out["G"], None, "1e-9"),
              eq(f"chart.criteria.X*{p['khat']!r}", out["X"], None, "1e-9"), eq("chart.stable", out["stable"])]
    f.case(c["id"], runs, e, s)
for c in kind("sectors"):
    names = {"osc": "G", "stickslip": "X", "nonunique": "D"}
    runs, e = {}, []
    for which, field in names.items():
        edges = sorted(x % 360.0 for name, a, b in c["out"] if name == which for x in (a, b))
        run = which.replace("-", "")
        runs[run] = f'limits: {{vary: "theta=0:2*pi", of: steady.criteria.{field}, points: 241}}'
        e += [eq(run + ".count", len(edges))]
        e += [eq(f"{run}.values[{n}].at*180/pi", x) for n, x in enumerate(edges)]
    f.case(c["id"], runs, e, {"mu": c["in"]["f"], "N": 1.0, "V": 1.0})
for c in kind("iso_limit"):
    s = {"k11": 1.5, "k22": 1.5, "k33": 3.0, "k12": c["in"]["eps"], "k13": -0.3, "k23": -0.6, "mu": 0.9, "N": 1.0, "V": 1.0}
    f.case(c["id"], {"map": 'map: {x: "theta=0:2*pi*719/720", y: "m=1:1.0000001", of: steady.growth, size: 720x2}'},
           [eq("map.max", c["out"], "1e-5")], s)
f.write()

f = File("cb-chart", "Stability charts, points", "spatial-mass-chart")
for c in kind("chart"):
    i, out = c["in"], c["out"]
    s = {"psi": i["psi"], "phi3": i["phi3"], "ft": i["ftil"], "rho": i["rho"], "Nt": i.get("Ntil", 1.0), "b": i.get("bstar", 0.0)}
    e = [eq("criteria." + k, out[k], "1e-9", "1e-12" if abs(out[k]) < 1e-12 else None) for k in "GDX"]
    e += [eq("criteria." + k, out[k]) for k in ("H1", "H2", "H3") if k in out]
    if min(abs(out[k]) for k in "GDX") > 1e-12:
        e += [eq("criteria.code", out["code"])]
    if "Omega" in out:
        e += [eq("criteria.H3 - Nt^2*criteria.G", out["Omega"], None, "1e-9")]
    f.case(c["id"], {"steady": "steady: {}"}, e, s)
f.write()

f = File("cb-chart-counts", "Stability charts, cells counted (half of each chart; the other half is the same, moved by pi in both angles)",
         "spatial-mass-chart", slow=900)
for c in kind("chart_counts"):
    i = c["in"]
    n = i.get("n", 360)
    s = {"ft": i["ftil"], "rho": i["rho"], "Nt": i.get("Ntil", 1.0), "b": i.get("bstar", 0.0)}
    half = f"pi/{n}"
    runs = {"map": f'map: {{x: "psi={half}:2*pi-{half}", y: "phi3={half}:pi-{half}", of: steady.criteria.code, size: {n}x{n // 2}}}'}
    e = [f"value: 'map.counts.\"{code}\"', equals: {int(count) // 2}, abs: 2" for code, count in c["out"].items() if int(count) > 4]
    if i["ftil"] == 1.0:  # 3 psi + phi3 = pi runs through cell centres: what rounding makes of a zero is no result
        e = ["value: 'map.counts.\"1\"', between: [16020, 16380], note: 360 cell centres lie exactly on a border; 16020 are inside"]
    f.case(c["id"], runs, e, s)
for c in kind("fraction"):
    i = c["in"]
    s = {"ft": i["ftil"], "rho": 1000, "Nt": 1.0, "b": 0, "phi3": i["phi3"]}
    runs = {"map": 'map: {x: "psi=pi/3600:2*pi-pi/3600", y: "Nt=1:1.0000001", of: steady.criteria.oscillates, size: 3600x2}'}
    f.case(c["id"], runs, [f"value: map.counts.true/7200, equals: {c['out']!r}, abs: 1e-3"], s)
f.write()
