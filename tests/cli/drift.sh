# SPDX-License-Identifier: Apache-2.0
# Cycles of what moves on: against the same motion in coordinates that come back, and against another method.
. "$(dirname "$0")/lib.bash"
cat >check.py <<'EOF'
import math

from ask import ask, check, finish, models

def near(a, b, tol=1e-8):
    return abs(a - b) <= tol * max(1, abs(b))

def own(r):
    return sorted((m["abs"] for m in r["multipliers"] if "of" not in m), reverse=True)

def of(r, kind):
    return sum(m.get("of") == kind for m in r["multipliers"])

# a pendulum that goes over: w(phi) by another variable, dw/dphi = (M - sin phi - c w)/w, until it comes back
def over(M, c):
    f = lambda phi, w: (M - math.sin(phi) - c * w) / w
    n = 4000
    h = 2 * math.pi / n
    def turn(w):
        time = 0.0
        for i in range(n):
            phi = i * h
            a = f(phi, w); b = f(phi + h / 2, w + h / 2 * a)
            d = f(phi + h / 2, w + h / 2 * b); e = f(phi + h, w + h * d)
            time += h / 6 * (1 / w + 2 / (w + h / 2 * a) + 2 / (w + h / 2 * b) + 1 / (w + h * d))
            w += h / 6 * (a + 2 * b + 2 * d + e)
        return w, time
    w = M / c
    for _ in range(60):
        w, time = turn(w)
    return time, math.exp(-c * time)

pendulum = """name: over
coordinates: {phi: {}}
particles: {bob: {mass: 1, at: [sin(phi), -cos(phi)]}}
gravity: 1
dampers: {air: {along: phi, damping: %g}}
forces: {phi: %s}
initial: {phi: 0, phi': %g}
"""
for M, c in ((1.5, 0.3), (-2.2, 0.6)):
    rc, r, err = ask("cycle", pendulum % (c, M, M / c))
    time, mu = over(abs(M), c)
    check(rc == 0 and near(r["period"], time) and near(r["drift"]["phi"], math.copysign(2 * math.pi, M), 1e-14)
          and len(own(r)) == 1 and near(own(r)[0], mu) and r["stable"], "goes over", M, c, rc, err, time, mu)

# driven in time, and in Cartesian coordinates, which come back
force = "0.9 + 1.2*cos(1.5*t)"
rc, r, err = ask("cycle", pendulum % (0.5, force, 1.5), "--at", "phi=0.3,phi'=1.5")
rc2, s, err2 = ask("cycle", """name: over
coordinates: {x: {}, y: {}}
particles: {bob: {mass: 1, at: [x, y]}}
gravity: 1
constraints: {rod: x^2 + y^2 = 1}
forces: {x: -(%s)*y - 0.5*x', y: (%s)*x - 0.5*y'}
initial: {x: sin(0.3), y: -cos(0.3), x': 1.5*cos(0.3), y': 1.5*sin(0.3)}
""" % (force, force))
check(rc == 0 and rc2 == 0 and near(r["period"], s["period"]) and "drift" not in s and
      near(r["drift"]["phi"] / (2 * math.pi), round(r["drift"]["phi"] / (2 * math.pi)), 1e-14) and
      r["drift"]["phi"] != 0 and all(near(a, b, 1e-6) for a, b in zip(own(r), own(s))),
      "driven", rc, err, rc2, err2)

# stick-slip of a rotor drawn by a drive that turns on, and as seen from the drive
law = "law: {type: curve, static: 1, kinetic: 1/(1 + 3*s)}"
rc, r, err = ask("cycle", """name: drawn
parameters: {v: 0.2}
coordinates: {x: {}}
energy: {kinetic: 0.5*x'^2, potential: 0.5*(x - v*t)^2}
contacts: {floor: {pressed: 1, slip: x', %s}}
initial: {x: -1.1}
""" % law)
rc2, s, _ = ask("cycle", models + "block-on-belt.yaml")
check(rc == 0 and near(r["period"], s["period"], 1e-10) and near(r["drift"]["x"], 0.2 * r["period"], 1e-12) and
      of(r, "phase") == 1 and r["zeros"] == s["zeros"], "drawn", rc, err)

# two rotors on a shaft, one on a turning drive: where they begin does not matter
rotors = """name: rotors
coordinates: {a: {}, b: {}}
energy: {kinetic: 0.5*a'^2 + b'^2, potential: 0.5*(a - b)^2}
dampers: {bearing: {along: b, damping: 6}}
contacts: {clutch: {pressed: 1, slip: a' - 0.2, %s}}
initial: {a: %g, b: %g}
"""
rc, r, err = ask("cycle", rotors % (law, 0, 0))
rc2, s, _ = ask("cycle", rotors % (law, 1000, 1000))
check(rc == 0 and rc2 == 0 and near(r["period"], s["period"]) and near(r["drift"]["a"], r["drift"]["b"], 1e-12) and
      of(r, "shift") == 1 and of(r, "phase") == 1 and r["stable"] and
      near(r["drift"]["b"], r["mean"]["b'"] * r["period"]), "rotors", rc, err)
# bound to the ground they do not drift
rc, r, err = ask("cycle", rotors.replace("(a - b)^2", "(a - b)^2 + 0.5*b^2") % (law, 0, 0))
check(rc != 0 or "drift" not in r, "bound rotors")

# a carriage with a shaken mass walks down; its multiplier is that of the velocity alone
carriage = """name: carriage
coordinates: {x: {}}
particles: {body: {mass: 3, at: [x, 0]}, inner: {mass: 1, at: [x + 1.5*sin(2*t), 0]}}
forces: {x: 0.1}
contacts: {floor: {pressed: 4, slip: x', law: {type: coulomb, mu: 0.3}}}
"""
rc, r, err = ask("cycle", carriage)
check(rc == 0 and near(r["period"], math.pi) and r["drift"]["x"] > 0.1 and of(r, "shift") == 1 and r["stable"] and
      near(r["drift"]["x"], r["mean"]["x'"] * r["period"]), "carriage", rc, err)

# a rack on a pinion: the two move on together, though products of both coordinates are written out
rc, g, err = ask("cycle", """name: rack
parameters: {r: 0.37}
coordinates: {a: {}, x: {}}
energy: {kinetic: "0.5*a'^2 + x'^2", potential: "0.5*r^2*a^2 - r*a*x + 0.5*x^2"}
dampers: {bearing: {along: x, damping: 6}}
contacts: {clutch: {pressed: 1, slip: r*a' - 0.2, %s}}
""" % law)
check(rc == 0 and of(g, "shift") == 1 and near(0.37 * g["drift"]["a"], g["drift"]["x"], 1e-12) and
      near(g["drift"]["x"], g["mean"]["x'"] * g["period"]), "rack", rc, err)

# what they tend to
for text, period, drift in ((pendulum % (0.3, 1.5, 1), over(1.5, 0.3)[0], 2 * math.pi),
                            (carriage, math.pi, r["drift"]["x"]), (rotors % (law, 0, 0), s["period"], s["drift"]["a"])):
    rc, a, err = ask("attractor", text)
    check(rc == 0 and a["kind"] == "cycle" and near(a["period"], period, 1e-6) and
          near(list(a["drift"].values())[0], drift, 1e-6), "attractor", text, rc, err, a)
rc, a, err = ask("attractor", rotors.replace("6}", "0.01}") % (law, 0, 0), "--until", "100")
check(rc == 0 and a["kind"] != "rest", "attractor of rotors that are carried along", a)

# along a parameter, and not of drives in time
rc, b, err = ask("continue", (pendulum % (0.3, "M", 1)).replace("coord", "parameters: {M: 1.5}\ncoord"), "--vary", "M=1.5:1.7")
check(rc == 0 and near(b["branch"][-1]["period"], over(1.7, 0.3)[0]), "branch", rc, err)

# steady rotation is no cycle
rc, r, err = ask("cycle", "name: spin\ncoordinates: {a: {}}\nenergy: {kinetic: 0.5*a'^2}\nforces: {a: 1 - 0.5*a'}\ninitial: {a: 0, a': 0.1}\n")
check(rc != 0, "spin", rc, err)
finish()
EOF
PYTHONPATH=$source_dir/tests/cli PYTHONDONTWRITEBYTECODE=1 python3 check.py >out 2>err || fail "motion that moves on"
finish
