#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write tests/cases/anh-many-*.yaml from the check values of Le xuan Anh, chapter 4.

usage: make_cases_many_dof.py FOLDER OF anh-many-dof.json [OUTPUT FOLDER]

The output is committed; running the tests needs no Python. The engine gives L for positive slip, the cases for the slip that is
there: the sign of the slip stands before it. Events of the engine that are only a branch of |R| are not counted.
"""
import json
import sys

from case_file import CaseFile, is_, near

src = sys.argv[1]
out_dir = sys.argv[2] if len(sys.argv) > 2 else "tests/cases"
cases = json.load(open(src + "/anh-many-dof.json"))
CLASS = {"unique": "unique", "nonunique": "several", "nonexistent": "none", "boundary-half": "unique",
         "boundary-infinite": "none", "zero": "unique"}


def kind(*names):
    return [c for c in cases if c["kind"] in names]


def File(name, title, model, note=None):
    return CaseFile(out_dir, "make_cases_many_dof.py", name, title, model, note)


def listed(values, rel=1e-9, abs_=None):
    """A condition on a list of numbers."""
    d = {"equals": "[" + ", ".join(repr(v) for v in values) + "]"}
    d.update({"abs": abs_} if abs_ else {"tolerance": rel})
    return d


def generic(i, **more):
    """Settings of the models generic-contact*.yaml."""
    n = len(i["b"])
    s = {"N": n}
    for k in range(n):
        s[f"M[{k + 1}]"] = i["M"][k][k]
        s.update({f"K[{k * n + j + 1}]": i["M"][k][j] for j in range(k) if i["M"][k][j]})
        s[f"b[{k + 1}]"] = i["b"][k]
        s[f"w[{k + 1}]"] = i["w"][k]
    s["d"] = i.get("d", 17.0 if n == 1 else 3.0)
    s["mu"] = i["mu"]
    s.update(more)
    return s


def vector(name, values):
    return {f"{name}[{k + 1}]": v for k, v in enumerate(values)}


def forces(Q, Qh, G, Gh):
    return {**vector("Q", Q), "Qh": Qh, **vector("G", G), "Gh": Gh}


# --- contact algebra ------------------------------------------------------------------------------
f = File("anh-many-algebra", "n degrees of freedom, one contact: determinants, reactions, classes", "generic-contact",
         "F and G of (4.22) and (4.23) are accelerations times 1 + eps1 mu L under velocity terms alone and under forces alone; A_k is "
         "A times L for the unit vector k. Where forces give the other sign of the reaction, all of them are reversed.")
for c in kind("contact_algebra"):
    i, r = c["in"], c["out"]
    n = len(i["b"])
    full = forces(i["Q"], i["Qh"], i["G"], i["Gh"])
    zero = [0.0] * n
    runs = {"at": ("contact", {})}
    ex = [("at.contacts.I.L", near(r["L"])), ("at.contacts.I.R0", near(r["R0"])), ("at.contacts.I.mu_L", near(r["mu_abs_L"])),
          ("at.class", is_(CLASS[r["kind"]])), ("at.count", is_(len(r["solutions"])))]
    for k, s in enumerate(r["solutions"]):
        ex.append((f"at.solutions[{k}].R", near(s["R"])))
        ex += [(f"at.solutions[{k}].accelerations.q[{j + 1}]''", near(a)) for j, a in enumerate(s["qdd"])]
        if len(r["solutions"]) == 2:
            ex.append((f"at.solutions[{k}].stable", is_(k == 0)))
    ex.append(("at.solutions.length", is_(len(r["solutions"]))))
    runs["unit"] = ("contact", {}, {"mu": 0}, "[" + ", ".join(
        "{" + ", ".join(f'"w[{j + 1}]": {1 if j == k else 0}' for j in range(n)) + "}" for k in range(n)) + "]")
    ex += [(f"{r['A']!r}*unit[{k}].contacts.I.L", near(a)) for k, a in enumerate(r["A_k"])]
    # F: velocity terms alone; G: forces alone; of both signs
    for name, load, undo in (("F", (zero, 0.0, i["G"], i["Gh"]), "F"), ("G", (i["Q"], i["Qh"], zero, 0.0), "G")):
        bMinvX = sum(a / r["A"] * x for a, x in zip(r["A_k"], [q - g for q, g in zip(load[0], load[2])]))
        R0 = load[3] - load[1] + bMinvX
        for eps, key in ((1, "eps1=+1"), (-1, "eps1=-1")):
            want = r["determinants"][key][undo]
            if not any(want) and R0 == 0:
                continue
            factor = 1 + eps * i["mu"] * r["L"]
            turn = 1 if R0 / factor * eps > 0 else -1   # with these forces, or all reversed, R has the sign eps
            run = f"{name}{'p' if turn > 0 else 'm'}"
            runs[run] = ("contact", {}, forces(*[[turn * x for x in v] if isinstance(v, list) else turn * v for v in load]))
            which = "[R>0][0]" if eps > 0 else "[R<0][0]"
            for k, x in enumerate(want):
                ex.append((f"({turn})*{run}.solutions{which}.accelerations.q[{k + 1}]''*(1 + ({eps})*{i['mu']!r}*at.contacts.I.L)", near(x)))
            ex.append((f"-{r['A']!r}*(1 + ({eps})*{i['mu']!r}*{run}.contacts.I.L)", near(r["determinants"][key]["detD"])))
    if "lam" in i:
        runs["oblique"] = ("contact", {}, vector("lam", i["lam"]))
        ex += [("oblique.contacts.I.L", near(r["oblique"]["L"])), ("oblique.solutions[0].R", near(r["solutions"][0]["R"])),
               ("oblique.solutions[0].accelerations.q[3]''", near(r["solutions"][0]["qdd"][2]))]
    f.case(c["id"], runs, ex, set={**generic(i), **full})
f.write()

f = File("anh-many-classes", "Theorem 7 with its borders", "generic-contact", "One degree of freedom with the given L and R0")
for c in kind("classify_case"):
    i, r = c["in"], c["out"]
    L, R0 = i["L"], i["R0"]
    s = {"N": 1, "M[1]": 1, "b[1]": L, "d": L * L + 1, "w[1]": 1, "Q[1]": 0, "Qh": -R0, "mu": i["mu"]}
    ex = [("at.class", is_(CLASS[r["kind"]])), ("at.count", is_(len(r["solutions"]))),
          ("at.border", is_(r["kind"].startswith("boundary"))), ("at.zero_reaction", is_(r["kind"] == "zero"))]
    for k, (_, R) in enumerate(r["solutions"]):
        ex.append((f"at.solutions[{k}].R", near(R)))
    f.case(c["id"], {"at": ("contact", {})}, ex, set=s)
f.write()

# --- constants of the compliant contact, plane of the reaction and its rate -----------------------
f = File("anh-many-compliant", "Compliant contact: constants, impact in the limit, plane of the reaction", None,
         "Inverse masses of the contact are answers to unit forces; what follows from them is beside it.")
def inverse_masses(i):
    """Runs and definitions of Wnn, Wnt, Wtt from unit forces along h and along the slip, friction absent."""
    n = len(i["b"])
    no = {**vector("Q", [0.0] * n), "Qh": 0.0, **vector("G", [0.0] * n), "Gh": 0.0, "mu": 0, "v": 1}
    over = "[" + "{" + ", ".join([f'"Q[{k + 1}]": 0' for k in range(n)]) + ", Qh: 1}, {" + ", ".join(
        [f'"Q[{k + 1}]": {i["w"][k]!r}' for k in range(n)]) + ", Qh: 0}]"
    slip = lambda a: " + ".join(f"({w!r})*answer[{a}].accelerations.q[{k + 1}]''" for k, w in enumerate(i["w"]))
    return {"answer": ("evaluate", {}, no, over)}, {"Wnn": "answer[0].accelerations.h''", "Wnt": slip(0), "Wtt": slip(1)}



def constants(i):
    """Settings of the dimensionless plane: x = R/R0, time in units of 1/sqrt(c Wnn)."""
    L = i["m"]
    return {"N": 1, "M[1]": 1, "b[1]": L, "d": L * L + 1, "w[1]": 1, "Q[1]": 0, "Qh": -1, "mu": 1, "c": 1, "v": 1e4 if i.get("case") != "nonexistent" else -1e4,
            "alpha": 2 * i.get("zeta", 0)}


for c in kind("compliant_case"):
    i, r = c["in"], c["out"]
    runs, d = inverse_masses(i)
    d["m"] = "0.8*abs(Wnt)/Wnn"
    runs["rigid"] = ("contact", {}, generic(i, **{"Q[1]": 0, "Qh": -i["w"][0]}), None, "generic-contact")
    f.case(c["id"], runs, [
        ("Wnn", near(r["Wnn"])), ("Wnt", near(r["Wnt"])), ("Wtt", near(r["Wtt"])), ("-Wnt/Wnn", near(r["L"])), ("m", near(r["m"])),
        ("rigid.contacts.I.L", near(r["L"])), ("rigid.contacts.I.mu_L", near(r["m"])),
        ("sqrt(1e6*Wnn*(1 + m))", near(r["omega"])), ("sqrt(1e6*Wnn*(m - 1))", near(r["lam"])),
        ("rigid.solutions[stable=true][0].R/rigid.contacts.I.R0", near(r["xplus"])),
        ("rigid.solutions[stable=false][0].R/rigid.contacts.I.R0", near(r["xminus"])),
        ("0.8*Wtt - abs(Wnt)", near(r["kappa"])), ("Wnn - Wnt^2/Wtt", near(r["Weff"]))],
        set=generic(i), define=d, path="generic-contact-soft")

for c in kind("impact_map"):
    i, r = c["in"], c["out"]
    n, v0, mu, big = len(i["b"]), i["v0"], i["mu"], 1e12
    runs, d = inverse_masses(i)
    # loads under which there is no solution: R0 against L
    against = {**vector("Q", [0.0] * n), "Qh": 1.0 if n > 1 else -1.0, **vector("G", [0.0] * n), "Gh": 0.0, "v": v0}
    runs["rigid"] = ("contact", {}, generic(i, **against), None, "generic-contact")
    runs["stop"] = ("simulate", {"until": 1e-9}, generic(i, **against), None, "generic-contact")
    runs["soft"] = ("simulate", {"until": 0.01, "stop-events": 1}, {**against, "c": big})
    runs["lift"] = ("simulate", {"until": 1e-4}, generic(i, **{**against, "c": big, "side": -1 if n > 1 else 1}), None, "generic-contact-onesided")
    d.update({"m": f"{mu!r}*abs(Wnt)/Wnn", "p": f"{v0!r}/({mu!r}*Wtt - abs(Wnt))", "hs": "Wnn*(m - 1)*p", "Weff": "Wnn - Wnt^2/Wtt",
              "out": "p*sqrt(Wnn*(m - 1)*(Wnn*(m - 1) + Weff))"})
    ex = [("p", near(r["p_s"])), ("hs", near(r["hdot_s"])), ("sqrt(Wnn*(m - 1))*p", near(r["Rs_over_sqrtc"])), ("out", near(r["hdot_out"])),
          ("out/sqrt(Weff)", near(r["Fpeak_over_sqrtc"])),
          ("rigid.class", is_("none")), ("rigid.contacts.I.impact.tangent", near(r["Pt_plastic"])), ("rigid.contacts.I.impact.normal", near(r["Pn_plastic"]))]
    ex += [(f"stop.final.state.q[{k + 1}]' - ({v0 * i['w'][k] / sum(w * w for w in i['w'])!r})", near(x, rel=1e-7)) for k, x in enumerate(r["dq_plastic"])]
    ex += [("abs(soft.events[kind=slip-stick][0].state.h')", near(r["hdot_s"], rel=1e-4)),
           ("abs(soft.final.outputs.R)/1e6", near(r["Rs_over_sqrtc"], rel=1e-4)),
           ("abs(lift.final.state.h')", near(r["hdot_out"], rel=1e-3)),
           ("max(abs(lift.extrema.R.max), abs(lift.extrema.R.min))/1e6", near(r["Fpeak_over_sqrtc"], rel=1e-3))]
    f.case(c["id"], runs, ex, set=generic(i), define=d, path="generic-contact-soft")

for c in kind("separatrix_case"):
    i, r = c["in"], c["out"]
    s = constants(i)
    rigid = {k: v for k, v in s.items() if k not in ("c", "alpha")}
    eps = 1e-7
    runs = {"rigid": ("contact", {}, {**rigid, "v": 1}, None, "generic-contact"),
            "out": ("simulate", {"until": 40, "stop-events": 3}, {"X": -1 / (i["m"] - 1) + eps, "X_rate": eps * (i["m"] - 1) ** 0.5})}
    f.case(c["id"], runs, [
        ("rigid.solutions[0].R", near(r["xplus"])), ("rigid.solutions[1].R", near(r["xminus"])),
        ("-out.extrema.h.min", near(r["xmax"])), ("-out.events[kind=reaction][0].state.h'", near(r["xprime_at_0"])),
        ("-out.extrema.h'.min", near(r["xprime_at_xplus"])), ("out.events[kind=reaction][0].state.h'^2/2", near(r["E_sep"]))],
        set=s, path="generic-contact-soft",
        note="The separatrix is the motion that leaves the saddle; distances from the saddle of 1e-7 change its energy by 1e-14.")

for c in kind("phase_flow"):
    i, r = c["in"], c["out"]
    ex = [("-run.final.state.h", near(r["x"])), ("-run.final.state.h'", near(r["xprime"])), ("run.stats.events", is_(len(r["switches"]))), ("run.audit.ok", is_(True))]
    ex += [(f"run.events[{k}].t", near(s)) for k, s in enumerate(r["switches"])]
    f.case(c["id"], {"run": ("simulate", {"until": i["s_end"], "tol": 1e-13})}, ex, set={**constants(i), "X": i["x0"], "X_rate": i["v0"]}, path="generic-contact-soft")
f.write()

f = File("anh-many-basin", "Which reactions at the start lead to the stable root: grid of the plane of figure 4.1", "generic-contact-soft",
         "A start that does not lead there ends in a stop of the slip. The grid is moved by 1e-9, off the line R = 0 at the start.")
for c in kind("basin_count"):
    i, r = c["in"], c["out"]
    run = ("map", {"x": f"X={i['xmin']:g}+1e-9:{i['xmax']:g}+1e-9", "y": f"X_rate={i['vmin']:g}:{i['vmax']:g}", "size": f"{i['nx']}x{i['nv']}",
                   "of": "simulate.ended", "with": {"until": 200, "stop-events": 1}})
    f.case(c["id"], {"basin": run}, [("basin.counts.until", near(r["centre"], abs_=1)), ("basin.cells", is_(r["total"]))], set=constants(i))
f.write()

# --- Painleve-Klein scheme, compliant -------------------------------------------------------------
f = File("anh-many-pk", "Painlevé–Klein scheme with a compliant guide: stop, seizure, restart, lift-off", "generic-contact-soft",
         "Constant coefficients, (4.35); exact geometry is in the gallery.")


def klein(i):
    """Coefficients of the scheme for generic-contact*.yaml."""
    t, M1, M2 = i["tanphi"], i.get("M1", 1.0), i.get("M2", 1.0)
    return {"N": 1, "M[1]": M1 + M2, "b[1]": M2 * t, "d": M1 + M2 * t * t, "w[1]": 1, "Q[1]": i["P1"] + i["P2"], "Qh": i["P2"] * t,
            "mu": i["mu"], "v": i["qd0"]}


for c in kind("pk_stop"):
    i, r = c["in"], c["out"]
    s = klein(i)
    sigma = 1 if i["qd0"] > 0 else -1
    runs = {"rigid": ("contact", {}, s, None, "generic-contact"),
            "stop": ("simulate", {"until": 0.2, "stop-events": 1, "tol": 1e-13}, {"X": i["x0"] * r["R0"], "X_rate": i["xd0"] * r["R0"]})}
    ex = [("rigid.class", is_(CLASS[r["kind"]])), (f"({sigma})*rigid.contacts.I.L", near(r["L"])), ("rigid.contacts.I.R0", near(r["R0"])),
          ("rigid.count", is_(len(r["R_solutions"])))]
    ex += [(f"rigid.solutions[{k}].R", near(R)) for k, R in enumerate(r["R_solutions"])]
    ex += [("stop.final.t", near(r["t_stop"])), ("stop.final.outputs.R", near(r["R_at_stop"])), ("stop.final.state.h'", near(r["hdot_at_stop"])),
           ("stop.final.modes.I", is_("stick"))]
    f.case(c["id"], runs, ex, set={**s, "c": i["c"]})
for c in kind("pk_simulate"):
    i, r = c["in"], c["out"]
    s, one = klein(i), i.get("one_sided")
    Wnn = s["M[1]"] / (s["M[1]"] * s["d"] - s["b[1]"] ** 2)
    s.update({"c": i["c"], "alpha": 2 * i["zeta"] * (i["c"] / Wnn) ** 0.5})
    if not one:
        s["X"] = i["R_init"]
    ex = [("run.final.state.q[1]", near(r["q"])), ("run.final.state.q[1]'", near(r["qd"], abs_=None if r["qd"] else 1e-12)),
          ("run.final.outputs.R", near(r["R"], rel=1e-8)), ("run.final.state.h'", near(r["hdot"], rel=1e-6, abs_=1e-12 if abs(r["hdot"]) < 1e-6 else None)),
          ("run.audit.ok", is_(True)), ("run.events[t>0].length", is_(r["events"]))]
    if r["first_stop_t"]:
        ex += [("run.events[kind=slip-stick][0].t", near(r["first_stop_t"])), ("run.events[kind=slip-stick][0].state.q[1]", near(r["first_stop_q"]))]
    else:
        ex.append(("run.stick_fraction.I", is_(0)))
    if one:
        ex += [("run.events[-1].t", near(r["liftoff_t"])), ("run.events[-1].state.h'", near(r["liftoff_hdot"], rel=1e-8))]
    else:
        ex.append(("run.final.modes.I", is_(r["slip_sign"])))
    f.case(c["id"], {"run": ("simulate", {"until": i["t_end"], "tol": 1e-13})}, ex, set=s, path="generic-contact-onesided" if one else None)
for c in kind("pk_rest_test"):
    i, r = c["in"], c["out"]
    f.case(c["id"], {"rest": ("rest", {})}, [
        ("rest.contacts.I.reaction", near(r["R"])), ("rest.contacts.I.needed", near(r["T"])), 
        ("rest.contacts.I.margin", {"at_least": 0} if r["holds"] else {"below": 0})],
        set={"phi": f"atan({i['tanphi']!r})", "mu": i["mu"], "P1": i["P1"], "P2": i["P2"], "q'": 0}, path="painleve-klein")
f.write()

# --- elliptic pendulum ----------------------------------------------------------------------------
f = File("anh-many-elliptic", "Elliptic pendulum: reactions, classes, motion, impact; its spatial variant", "elliptic-pendulum")


def pendulum(i, **more):
    return {**{k: i[k] for k in ("M1", "M2", "l", "mu") if k in i}, **more}


for c in kind("elliptic_state"):
    i, r = c["in"], c["out"]
    st = r["stuck"]
    ex = [(f"({i['sigma']})*at.contacts.line.L", near(r["L"])), ("at.contacts.line.R0", near(r["R0"])), ("at.class", is_(CLASS[r["kind"]])),
          ("at.count", is_(len(r["solutions"])))]
    for k, x in enumerate(r["solutions"]):
        ex += [(f"at.solutions[{k}].R", near(x["R"])), (f"at.solutions[{k}].accelerations.x", near(x["xdd"])),
               (f"at.solutions[{k}].accelerations.theta", near(x["thetadd"]))]
    runs = {"at": ("contact", {}), "still": ("contact", {}, {"x'": 0})}
    if st["holds"]:
        ex += [("still.solutions[kind=stick][0].R", near(st["R"])), ("still.solutions[kind=stick][0].friction.line", near(st["T"])),
               ("still.solutions[kind=stick][0].accelerations.theta", near(st["thetadd"]))]
    else:
        runs["held"] = ("contact", {}, {"x'": 0, "mu": 10})
        ex += [("held.solutions[kind=stick][0].R", near(st["R"])), ("held.solutions[kind=stick][0].friction.line", near(st["T"])),
               ("held.solutions[kind=stick][0].accelerations.theta", near(st["thetadd"])), ("still.solutions[*].kind", {"equals": "[slip]"})]
    f.case(c["id"], runs, ex, set=pendulum(i, theta=i["theta"], **{"theta'": i["thetad"], "x'": i["sigma"]}))
for c in kind("elliptic_critical"):
    i, r = c["in"], c["out"]
    runs = {"least": ("limits", {"vary": "theta=0.1:1.5", "of": "contact.contacts.line.mu_critical", "extrema": True, "points": 60}),
            "border": ("limits", {"vary": "theta=0.01:1.56", "of": "contact.class", "points": 60})}
    ex = [("least.extrema[0].value", near(r["mu_star"])), ("least.extrema[0].at", near(r["theta_star"], rel=1e-5)),
          ("border.values[*].at", listed(r["interval"] or []))]
    if not r["interval"]:
        ex[-1] = ("border.values.length", is_(0))
    f.case(c["id"], runs, ex, set=pendulum(i, **{"x'": 1}))
for c in kind("elliptic_region_count"):
    i, r = c["in"], c["out"]
    n = i["ntheta"]
    t = i["thetads"]
    run = lambda sign: ("map", {"x": f"theta=pi/{n}:2*pi-pi/{n}", "y": f"theta'={t[0]:g}:{t[-1]:g}", "size": f"{n}x{len(t)}", "of": "contact.class"}, {"x'": sign})
    f.case(c["id"], {"right": run(1), "left": run(-1)}, [
        ("right.counts.unique + left.counts.unique", is_(r["unique"])), ("right.counts.several + left.counts.several", is_(r["nonunique"])),
        ("right.counts.none + left.counts.none", is_(r["nonexistent"]))], set=pendulum(i))
KIND = {"reverse": "slip-slip", "stick": "slip-stick", "slip": "stick-slip", "seizure": "impact", "cross": "slip-slip"}
for c in kind("elliptic_simulate"):
    i, r = c["in"], c["out"]
    ex = [("run.final.state." + k, near(r[v], abs_=None if r[v] else 1e-12)) for k, v in (("x", "x"), ("theta", "theta"), ("x'", "xd"), ("theta'", "thetad"))]
    ex += [("run.stats.events", is_(len(r["events"]))), ("run.events[*].kind", {"equals": "[" + ", ".join(KIND[e[1]] for e in r["events"]) + "]"}),
           ("run.audit.ok", is_(True))]
    for k, e in enumerate(r["events"]):
        ex += [(f"run.events[{k}].t", near(e[0])), (f"run.events[{k}].state.theta", near(e[3]))]
        if e[1] != "seizure":
            ex += [(f"run.events[{k}].state.x", near(e[2])), (f"run.events[{k}].state.theta'", near(e[5]))]
    if r["friction_work"]:
        ex.append(("run.audit.dissipated", near(r["friction_work"])))
    f.case(c["id"], {"run": ("simulate", {"until": i["t_end"], "tol": 1e-13})}, ex,
           set=pendulum(i, theta=i["theta0"], **{"x'": i["xd0"], "theta'": i["thetad0"]}))
for c in kind("elliptic_impact"):
    i, r = c["in"], c["out"]
    s = pendulum(i, theta=i["theta"], **{"x'": i["xd"], "theta'": i["thetad"]})
    lim = r["limit"]
    runs = {"soft": ("simulate", {"until": 1, "stop-events": 1, "tol": 1e-13}, {"c": i["c"]}),
            "hard": ("simulate", {"until": 1, "stop-events": 1, "tol": 1e-13}, {"c": 1e14}),
            "rigid": ("simulate", {"until": 1e-9}, s, None, "elliptic-pendulum")}
    f.case(c["id"], runs, [
        ("soft.final.t", near(r["t_stop"])), ("soft.final.state.theta'", near(r["thetad"])), ("soft.final.state.h'", near(r["hdot"])),
        (f"soft.final.outputs.R/sqrt({i['c']!r})", near(r["R_over_sqrtc"])),
        ("hard.final.state.theta'", near(lim["thetad"], rel=1e-6)), ("hard.final.state.h'", near(lim["hdot"], rel=1e-3)),
        ("hard.final.outputs.R/1e7", near(lim["R_over_sqrtc"], rel=1e-3)), ("rigid.final.state.theta'", near(lim["thetad_plastic"], rel=1e-7))],
        set=s, path="elliptic-pendulum-soft")
for c in kind("spatial_L"):
    i, r = c["in"], c["out"]
    ex = [("at.contacts.plane.L", near(r["L"])), ("at.contacts.plane.R0", near(r["R0"])), ("at.class", is_(CLASS[r["kind"]])), ("at.count", is_(len(r["R"])))]
    ex += [(f"at.solutions[{k}].R", near(x)) for k, x in enumerate(r["R"])]
    f.case(c["id"], {"at": ("contact", {})}, ex, set=pendulum(i, theta=i["theta"], chi=i["chi"], **{"theta'": i["thetad"], "psi'": i["psid"]}),
           path="elliptic-pendulum-spatial")
f.write()

# --- Zhukovsky-Froude pendulum --------------------------------------------------------------------
f = File("anh-many-froude", "Zhukovsky–Froude pendulum: forces, orbits, regimes", "zhukovsky-froude",
         "R is the normal force at the point of contact; the engine's reaction is the whole force of the pin.")


def froude(i, **more):
    return {**{k: i[k] for k in ("mu", "r", "l", "J", "omega") if k in i}, **more}


near0 = 1e-6
for c in kind("zf_constants"):
    i, r = c["in"], c["out"]
    s = froude(i)
    runs = {"glide": ("contact", {}, {"phi": 0.5, "phi'": 3})}
    if not r["glides"]:
        ex = [("glide.class", is_("none")), ("glide.parameters.rho", near(r["rho"])), ("sqrt(9.81/glide.parameters.rho)", near(r["omega_joint"]))]
        f.case(c["id"], runs, ex, set=s)
        continue
    runs = {**runs, "joint": ("simulate", {"until": 20}, {"phi'": 8}, "{omega: [4.69, 4.68]}"),
            "still": ("limits", {"vary": "phi=0:1", "of": "rest.verdict", "points": 20}, {"omega": 0}),
            "equilibria": ("limits", {"vary": "phi=0:pi", "of": "evaluate.accelerations.phi", "points": 40}, {"omega": 1}),
            "least": ("evaluate", {}, {**s, "phi": "beta", "omega": 10}, None, "zhukovsky-froude-glide"),
            "most": ("evaluate", {}, {**s, "phi": "pi/2", "omega": 10}, None, "zhukovsky-froude-glide"),
            "small": ("steady", {}, {**s, "omega": 10, "phi": 0.2}, None, "zhukovsky-froude-glide"),
            "loop": ("simulate", {"until": 12, "tol": 1e-13}, {"omega": 10, "phi": f"pi - asin(rho/l) - {near0!r}", "phi'": f"-{near0!r}*sqrt(g/sqrt(l^2 - rho^2))"})}
    ex = [("glide.class", is_("unique")), ("2*sin(still.values[0].at)", near(r["rho"])), ("still.values[0].at", near(r["beta"])),
          ("still.values[0].at*180/pi", near(r["beta_deg"])), ("sqrt(9.81/(2*sin(still.values[0].at)))", near(r["omega_joint"])),
          ("joint[0].final.modes.pin", is_("stick")), ("joint[0].stats.events", is_(1)), ("joint[1].stats.events", {"above": 1}),
          ("equilibria.values[0].at", near(r["phi_stable"])), ("equilibria.values[1].at", near(r["phi_unstable"])),
          ("least.outputs.C", near(r["c_min"])), ("most.outputs.C", near(r["c_max"])), ("2*pi/small.frequency", near(r["T_small"])),
          ("loop.extrema.phi'.max", near(r["omega_crit"]))]
    f.case(c["id"], runs, ex, set=s)
for c in kind("zf_acc"):
    i, r = c["in"], c["out"]
    ex = [("at.accelerations.phi", near(r["phidd"])), ("at.outputs.R", near(r["R"])), ("at.modes.pin", is_(r["eps2"])),
          ("sign(at.outputs.pull)", is_(r["eps1"]))]
    f.case(c["id"], {"at": ("evaluate", {})}, ex, set=froude(i, phi=i["phi"], **{"phi'": i["phid"]}))
for c in kind("zf_orbit"):
    i, r = c["in"], c["out"]
    s = froude(i, omega=10, phi="asin(rho/l)", **{"phi'": f"sqrt(g/sqrt(l^2 - rho^2))*sqrt({i['c']!r} + 2*(l^2 - rho^2)/(3*rho^2 + l^2))"})
    runs = {"run": ("simulate", {"until": 4, "tol": 1e-13}), "back": ("poincare", {"section": "phi' = 0", "until": 10, "tol": 1e-13}),
            "first": ("simulate", {"until": 3, "tol": 1e-13}, {**froude(i), "omega": 10, "phi": "beta", "phi'": f"sqrt(g/s_l)*sqrt({i['c']!r} + 2*s_l^2/(3*rho^2 + l^2))"}, None, "zhukovsky-froude-glide")}
    d = {"beta": "asin(run.parameters.rho/run.parameters.l)"}
    ex = [("run.extrema.phi.min - beta", near(r["Phi_left"])), ("run.extrema.phi.max - beta", near(r["Phi_right"])),
          ("run.extrema.phi'.max", near(r["phid_max"])), ("-run.extrema.phi'.min", near(r["phid_max"])),
          ("first.extrema.Psi.max", near(r["Psi_max"])), ("back.period", near(r["period"])),
          ("first.extrema.C.min", near(i["c"])), ("first.extrema.C.max", near(i["c"]))]
    f.case(c["id"], runs, ex, set=s, define=d)
for c in kind("zf_simulate"):
    i, r = c["in"], c["out"]
    ev = [e for e in r["events"] if e[1] != "eps1"]
    turn = [e for e in r["events"] if e[1] == "eps1"]
    ex = [("run.final.state.phi", near(r["phi"])), ("run.final.state.phi'", near(r["phid"])), ("run.stats.events", is_(len(ev))),
          ("run.final.modes.pin", is_(0) if r["mode"] == "stick" else {"not": 0}), ("run.audit.ok", is_(True))]
    if ev:
        ex.append(("run.events[*].kind", {"equals": "[" + ", ".join(KIND[e[1]] for e in ev) + "]"}))
    for k, e in enumerate(ev):
        ex += [(f"run.events[{k}].t", near(e[0])), (f"run.events[{k}].state.phi", near(e[2]))]
    runs = {"run": ("simulate", {"until": i["t_end"], "tol": 1e-13})}
    if turn:
        runs["turn"] = ("poincare", {"section": "pull = 0", "direction": "both", "until": i["t_end"], "tol": 1e-13})
        ex += [("turn.points[*].t", listed([e[0] for e in turn])), ("turn.points[*].state.phi", listed([e[2] for e in turn]))]
    f.case(c["id"], runs, ex, set=froude(i, phi=i["phi0"], **{"phi'": i["phid0"]}))
for c in kind("zf_physical"):
    i, r = c["in"], c["out"]
    ex = [("at.count", is_(len(r["phidd"]))), ("at.parameters.rho", near(r["rho"])), ("at.parameters.l + at.parameters.J/(at.parameters.m*at.parameters.l)", near(r["l_e"]))]
    if r["phidd"]:
        ex += [("min(at.solutions[*].accelerations.phi)", near(min(r["phidd"]))), ("max(at.solutions[*].accelerations.phi)", near(max(r["phidd"])))]
    f.case(c["id"], {"at": ("contact", {})}, ex, set=froude(i, phi=i["phi"], **{"phi'": i["phid"]}))
for c in kind("zf_negative_slope"):
    i, r = c["in"], c["out"]
    fall = -i["dmu"] / i["mu"]
    T = 6.283185307179586 / r["frequency"]
    runs = {"steady": ("steady", {}, {**froude(i), "fall": fall, "phi": 0.2}, None, "zhukovsky-froude-glide"),
            "grow": ("poincare", {"section": "phi' = 0", "direction": "down", "until": 12 * T, "tol": 1e-14})}
    d = {"beta": "asin(grow.parameters.rho/grow.parameters.l)",
         "rate": "log((grow.points[10].state.phi - beta)/(grow.points[0].state.phi - beta))/(grow.points[10].t - grow.points[0].t)"}
    f.case(c["id"], runs, [("steady.growth", near(r["growth_rate"])), ("steady.frequency", near(r["frequency"])), ("rate", near(r["growth_rate"], rel=1e-5)),
                           ("steady.growth*2/(0.05*9.81/2*cos(beta))", near(r["dtanbeta_dmu"]))],
           set=froude(i, fall=fall, phi="asin(rho/l) + 1e-5"), define=d)
f.write()

# --- boring ---------------------------------------------------------------------------------------
f = File("anh-many-cutting", "Boring spindle: coefficients, stability, motion, seizure, rigid blank", "boring-spindle-reduced",
         "k1, k2, E1, E2 are read off the accelerations without cut and at the nominal depth.")
NAMES = ("mu", "M", "r", "r1", "a", "beta", "c", "c1", "tau0", "w0", "b", "alpha", "B")


def cut(i, **more):
    return {**{k: i[k] for k in NAMES if k in i}, **more}


for c in kind("cutting_coeff"):
    i, r = c["in"], c["out"]
    s = cut(i)
    bare = {k: i[k] for k in ("M", "r", "r1", "a", "beta", "mu")}
    runs = {"none": ("evaluate", {}, {"tau": 0}), "full": ("evaluate", {}), "smooth0": ("evaluate", {}, {"tau": 0, "mu": 0}),
            "smooth": ("evaluate", {}, {"mu": 0}), "rigid": ("contact", {}, bare, None, "boring-spindle-rigid"),
            "steady": ("steady", {}, {"B": "B0"})}
    acc = lambda run, q: f"{run}.accelerations.{q}"
    tau0, mu = i["tau0"], i["mu"]
    d = {}
    for n, q in ((1, "phi"), (2, "tau")):
        d[f"E{n}"] = acc("none", q)
        d[f"k{n}"] = f"({acc('none', q)} - {acc('full', q)})/{tau0!r}"
        d[f"s{n}"] = f"({acc('smooth0', q)} - {acc('smooth', q)})/{tau0!r}"   # without friction, the feed's part in it
        d[f"D{n}"] = f"s{n} - (k{n} - s{n})/{mu!r}*full.parameters.feed*sin(full.parameters.alpha)/full.parameters.a"
    ex = [(k, near(r[k])) for k in ("k1", "k2", "E1", "E2", "D2")]
    ex += [("D1", near(r["D1"], abs_=1e-6 if r["D1"] == 0 else None)), ("full.parameters.B0", near(r["B0"])), ("E2/k2", near(r["tau_star"])),
           ("k2/D2 - 1", near(r["muL2"], abs_=1e-9 if r["muL2"] == 0 else None)),
           ("steady.criteria.a2", near(r["k2"])), ("steady.verdict", is_("neutral" if r["stable"] else "unstable")),
           ("steady.frequency" if r["stable"] else "steady.growth", near(r["rate"]))]
    if "muL1" in r:
        ex.append(("k1/D1 - 1", near(r["muL1"])))
    if r["mu_paradox_rigid"] == "inf":
        ex.append(("rigid.contacts.edge.mu_critical", is_("null")))
    else:
        ex.append(("rigid.contacts.edge.mu_critical", near(r["mu_paradox_rigid"])))
    runs["limit"] = ("limits", {"vary": "mu=0:5", "of": "steady.criteria.a2", "points": 20}, {"B": "B0"})
    if isinstance(r["mu_crit"], float) and r["mu_crit"] > 0:
        ex.append(("limit.values[*].at", listed([r["mu_crit"]])))
    else:
        ex += [("limit.values.length", is_(0)), ("limit.first", is_("positive" if r["stable"] else "negative"))]
        if isinstance(r["mu_crit"], float):
            ex.append((f"-s2*{mu!r}/(k2 - s2)", near(r["mu_crit"])))
    f.case(c["id"], runs, ex, set=s, define=d)
for c in kind("cutting_solution"):
    i, r = c["in"], c["out"]
    f.case(c["id"], {"run": ("simulate", {"until": i["t"], "tol": 1e-13})}, [
        ("run.final.state.tau", near(r["tau"])), ("run.final.state.tau'", near(r["taud"])), ("run.final.state.phi'", near(r["phid"]))],
        set=cut(i, tau=i["tau_i"], **{"tau'": i["taud_i"], "phi'": i["w_i"]}))
for c in kind("cutting_full_roots"):
    i, r = c["in"], c["out"]
    s = cut(i, damping=i.get("d", 0.0), slope_B=i.get("dB", 0.0))
    small = 1e-5 if i["w0"] == 0 else None
    if small:
        s["w0"] = 1e-7   # steady slip of no speed at all is rest
    ex = [(f"steady.criteria.a{k}", near(a / r["poly"][0], abs_=small and abs(a) < 1 and 1e-1 or (1e-7 if a == 0 else None))) for k, a in enumerate(r["poly"][1:], 1)]
    roots = sorted(r["roots"], key=lambda z: (-round(z[0], 6), -z[1]))
    ex += [("steady.eigenvalues[*].re", listed([z[0] for z in roots], abs_=small or 1e-6)), ("steady.eigenvalues[*].im", listed([z[1] for z in roots], abs_=small or 1e-6)),
           ("steady.growth", near(r["max_real"], abs_=small))]
    if small:
        ex = [("steady.criteria.a2", near(r["poly"][2] / r["poly"][0]))] + ex[-1:] + [("steady.frequency", near(862.076647002))]
    f.case(c["id"], {"steady": ("steady", {})}, ex, set=s, path="boring-spindle",
           note="w0 = 1e-7 rad/s stands for 0: there a steady slip is rest" if small else None)
for c in kind("cutting_nonlinear"):
    i, r = c["in"], c["out"]
    f.case(c["id"], {"run": ("simulate", {"until": i["t_end"], "tol": 1e-13})}, [
        ("run.final.state.phi", near(r["phi"])), ("run.final.state.h", near(r["h"])), ("run.final.state.phi'", near(r["phid"])), ("run.final.state.h'", near(r["hd"]))],
        set=cut(i, h=i["h0"]), path="boring-spindle")
for c in kind("cutting_seizure"):
    i, r = c["in"], c["out"]
    t = i["F0"] / i["c1"]
    s = cut(i, tau0=t)
    runs = {"steady": ("steady", {}, s, None, "boring-spindle-reduced"), "run": ("simulate", {"until": 0.1, "stop-events": 1, "tol": 1e-13}),
            "linear": ("simulate", {"until": 0.1, "stop-events": 1, "tol": 1e-13}, {**s, "tau": t * (1 + i["rel"])}, None, "boring-spindle-reduced")}
    f.case(c["id"], runs, [("steady.growth", near(r["lam"])), ("run.final.t", near(r["t_stop"])), ("run.final.state.h'", near(r["hdot"])),
                           ("linear.final.t", near(r["t_stop_linear"])), ("run.final.modes.edge", is_("stick"))],
           set={**s, "h": -i["rel"] * t}, path="boring-spindle")
for c in kind("cutting_rigid"):
    i, r = c["in"], c["out"]
    ex = [("at.contacts.edge.L", near(r["L"])), ("at.contacts.edge.R0", near(r["R0"])), ("at.class", is_(CLASS[r["kind"]])), ("at.count", is_(len(r["solutions"])))]
    ex += [(f"at.solutions[{k}].R", near(x[1])) for k, x in enumerate(r["solutions"])]
    ex += [("at.solutions[R>0][0].R", near(r["one_sided_R"][0])), ("at.solutions[R>0][0].stable", is_(r["one_sided_stable"]))]
    f.case(c["id"], {"at": ("contact", {})}, ex, set={k: i[k] for k in ("mu", "F0", "M", "r", "r1", "a", "beta")}, path="boring-spindle-rigid")
f.write()
