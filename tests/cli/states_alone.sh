# SPDX-License-Identifier: Apache-2.0
# Models of states alone: every verb answers as for the same motion written with a coordinate, or says why it does not.
. "$(dirname "$0")/lib.bash"
cat >check.py <<'EOF'
from ask import ask, check, finish

law = "(mu - x^2)*{v} - x - 0.2*x^2"
oscillator = "name: m\nparameters: {mu: 0.5}\ncoordinates: [x]\nparticles: {p: {mass: 1, at: [x, 0]}}\nforces: {x: \"" + \
    law.format(v="x'") + "\"}\ninitial: {x: 1}\n"
plane = "name: m\nparameters: {mu: 0.5}\nstates: {x: {rate: y, initial: 1}, y: {rate: \"" + law.format(v="y") + "\"}}\n"


def near(a, b, tol=1e-8):
    return abs(a - b) <= tol * max(1, abs(b))


def both(verb, *options):
    one, two = ask(verb, oscillator, *options), ask(verb, plane, *options)
    check(one[0] == two[0] == 0, verb, one[0], two[0], one[2], two[2])
    return one[1], two[1]


a, b = both("simulate", "--until", "20")
check(near(a["final"]["state"]["x"], b["final"]["state"]["x"]), "simulate")
check(near(a["extrema"]["x'"]["max"], b["extrema"]["y"]["max"]), "extrema")
a, b = both("evaluate")
check(near(a["rates"]["x'"], b["rates"]["y"]), "evaluate")
a, b = both("steady")
check(all(near(p["re"], q["re"]) and near(p["im"], q["im"]) for p, q in zip(a["eigenvalues"], b["eigenvalues"])), "steady")
a, b = both("cycle")
check(near(a["period"], b["period"]) and near(a["amplitude"]["x"], b["amplitude"]["x"]), "cycle", a["period"], b["period"])
check(near(a["multipliers"][1]["re"], b["multipliers"][1]["re"]), "multipliers")
a, b = both("continue", "--vary", "mu=0.5:0.8", "--points", "5")
check(near(a["branch"][0]["amplitude"]["x"], b["branch"][0]["amplitude"]["x"]), "continue")
check(near(b["branch"][0]["max"]["y"], ask("cycle", plane)[1]["extrema"]["y"]["max"]), "range of the second state")
a, b = both("continue", "--vary", "mu=0.5:-0.5")
check(len(a["special"]) == len(b["special"]) == 1 and b["special"][0]["type"] == "hopf" and abs(b["special"][0]["at"]) < 1e-6,
      "cycles shrink to the Hopf point", b["special"])
a, b = both("continue", "--of", "steady", "--vary", "mu=-0.5:0.5")
check(near(a["special"][0]["lyapunov"], b["special"][0]["lyapunov"]), "lyapunov coefficient")
a, b = both("sensitivity", "--until", "5")
check(all(near(p, q) for u, v in zip(a["matrix"], b["matrix"]) for p, q in zip(u, v)), "sensitivity")
a, b = both("poincare", "--section", "x = 0", "--returns", "6")
check(all(near(p["t"], q["t"]) for p, q in zip(a["points"], b["points"])) and b["count"] == 6, "poincare")
a, b = both("attractor", "--until", "300")
check(a["kind"] == b["kind"] == "cycle" and near(a["period"], b["period"], 1e-6) and b["range"]["of"] == "x", "attractor", b)
a, b = both("sweep", "--vary", "mu=0.4:0.6", "--points", "3", "--section", "x = 0", "--way", "up")
check(b["up"][1]["kind"] == "cycle" and near(a["up"][1]["period"], b["up"][1]["period"], 1e-6), "sweep")
a, b = both("lyapunov", "--until", "60")
check(near(a["exponents"][1]["value"], b["exponents"][1]["value"], 1e-6), "lyapunov")
a, b = both("spectrum", "--until", "60", "--points", "1024")
check(near(a["strongest"], b["strongest"], 1e-6), "spectrum")
a, b = both("limits", "--vary", "mu=-0.5:0.4", "--of", "steady.stable", "--points", "9")
check(near(a["values"][0]["at"], b["values"][0]["at"]), "limits")
a, b = both("map", "--x", "x=-1:1", "--y", "mu=-0.3:0.3", "--of", "steady.stable", "--size", "3x3")
check(a["counts"] == b["counts"], "map")
check(ask("describe", plane)[1]["states"]["y"]["kind"] == "extra", "describe")
# a state that only counts is no part of what must come back
turning = plane.replace("states: {", "states: {n: {rate: 1 + x^2}, ")
code, r, said = ask("cycle", turning)
check(code == 0 and near(r["period"], b and ask("cycle", plane)[1]["period"]) and r["drift"]["n"] > 1, "moves on", code, said)
for verb, word in (("rest", "no contact"), ("quasistatic", "states only"), ("brake", "no part"), ("draw", "nothing to draw")):
    code, r, said = ask(verb, plane)
    check(code != 0 and word in said, verb, code, said)
code, r, said = ask("simulate", "name: m\nparameters: {a: 1}\n")
check(code == 2 and "neither coordinates nor states" in said, "nothing", code, said)
finish()
EOF
PYTHONPATH=$source_dir/tests/cli PYTHONDONTWRITEBYTECODE=1 python3 check.py >out 2>err || fail "models of states alone"
finish
