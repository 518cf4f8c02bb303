# SPDX-License-Identifier: Apache-2.0
# What cycles and attractors are called, on random members of families whose answer is known.
. "$(dirname "$0")/lib.bash"
cat >check.py <<'EOF'
import math
import random

from ask import ask, check, finish, models

random.seed(7)
# conservative motion is neutral, however it is written
for i in range(6):
    a = random.uniform(0.2, 2.5)
    l = 10 ** random.uniform(-2, 2)
    ways = {
        "angle": f"coordinates: [p]\nenergy: {{kinetic: \"{l}^2*p'^2/2\", potential: -9.81*{l}*cos(p)}}\ninitial: {{p: {a}}}\n",
        "xy": f"coordinates: [x, y]\ngravity: [0, -9.81]\nparticles: {{m: {{mass: 1, at: [x, y]}}}}\n"
              f"constraints: {{rod: x^2 + y^2 = {l}^2}}\ninitial: {{x: \"{l}*sin({a})\", y: \"-{l}*cos({a})\"}}\n",
        "polar": f"coordinates: [p, r]\ngravity: [0, -9.81]\nparticles: {{m: {{mass: 1, at: [r*sin(p), -r*cos(p)]}}}}\n"
                 f"contacts: {{rod: {{guide: r = {l}, slip: \"r*p'\", law: {{type: coulomb, mu: 0}}}}}}\ninitial: {{p: {a}, r: {l}}}\n",
        "tied": f"coordinates: [p, r]\ngravity: [0, -9.81]\nparticles: {{m: {{mass: 1, at: [r*sin(p), -r*cos(p)]}}}}\n"
                f"constraints: {{rod: r = {l}}}\ninitial: {{p: {a}, r: {l}}}\n"}
    period = None
    for way, text in ways.items():
        status, r, err = ask("cycle", text)
        check(status == 0 and r["verdict"] == "neutral" and not r["stable"], "pendulum", way, a, l, r.get("verdict"), err)
        if status == 0:
            period = period or r["period"]
            check(abs(r["period"] / period - 1) < 1e-9, "pendulum", way, "period", r["period"], period)
for i in range(6):
    k, c, e = random.uniform(0.1, 9), random.uniform(-0.5, 3), random.uniform(0, 1)
    text = f"coordinates: [x]\nparticles: {{b: {{mass: {random.uniform(0.1, 4)}, at: [x, 0]}}}}\n" \
           f"energy: {{potential: {k}*x^2/2 + {abs(c)}*x^3/30 + {e}*x^4/4}}\ninitial: {{x: {random.uniform(0.1, 1)}}}\n"
    status, r, err = ask("cycle", text)
    check(status == 0 and r["verdict"] == "neutral", "potential", text, r.get("verdict"), err)
status, r, err = ask("cycle", models + "block-on-belt.yaml", "--set", "Fs=0")
check(status == 0 and r["verdict"] == "neutral", "block without friction", err)

# a limit cycle of self-excitation is stable, backwards in time unstable; weak as they may be
for i in range(4):
    for sign in (1, -1):
        g = sign * 10 ** random.uniform(-4, -1)
        text = f"coordinates: [x]\nparticles: {{b: {{mass: 1, at: [x, 0]}}}}\nsprings: {{s: {{along: x, stiffness: 1}}}}\n" \
               f"forces: {{x: \"{g}*(1 - x^2)*x'\"}}\ninitial: {{x: 2}}\n"
        status, r, err = ask("cycle", text, "--period-guess", "6.3")
        check(status == 0 and r["verdict"] == ("stable" if sign > 0 else "unstable"), "van der Pol", g, r.get("verdict"), err)

# where sliding attracts and the start is near it there is no cycle
for i in range(8):
    c, v, f = 10 ** random.uniform(-2, 0), random.uniform(0.3, 3), random.uniform(0.05, 0.7)
    off = random.choice([0, 1e-12, 1e-7, 1e-3, 0.05]) * v
    text = f"coordinates: [x]\nparticles: {{b: {{mass: 1, at: [x, 0]}}}}\nsprings: {{s: {{along: x, stiffness: 1}}}}\n" \
           f"dampers: {{d: {{along: x, damping: {c}}}}}\n" \
           f"contacts: {{belt: {{pressed: 1, slip: \"x' - {v}\", law: {{type: stiction, static: {1.1*f}, kinetic: {f}}}}}}}\n" \
           f"initial: {{x: {f + off}, x': 0}}\n"
    status, r, err = ask("cycle", text)
    check(status == 1 and ("steady" in err or "rest" in err), "sliding", c, v, f, off, status, r.get("period"), err)

# events of a period, counted in a long motion; wherever the period is cut
for name, settings, options, until in (
        ("violin-string", ["d=0.0007"], ["--transient", "0.4"], 0.4),
        ("pid", ["m=2", "Kp=6", "Kd=2", "Ki=2", "Fk=0.8", "Fst=1.4"], [], 200),
        ("block-on-belt", [], [], 100), ("block-aging", [], [], 300)):
    sets = ["--set", *settings] if settings else []
    status, r, err = ask("cycle", models + name + ".yaml", *sets, *options)
    t = r["period"]
    s, m, e = ask("simulate", models + name + ".yaml", *sets, "--until", repr(until + 5 * t))
    times = [x["t"] for x in m["events"]]
    last = times[-1] - 1e-6 * t
    count = sum(last - 4 * t < x <= last for x in times)
    check(len(r["events"]) * 4 == count, name, len(r["events"]), count / 4)
    for cut in r["events"]:  # from just the event itself
        at = ", ".join(f"{k}={v!r}" for k, v in cut["state"].items() if "." not in k)
        if name == "block-aging":
            break  # its age is not a state that can be set
        s, again, e = ask("cycle", models + name + ".yaml", *sets, "--at", at, "--period-guess", repr(t))
        if s == 0:
            check(len(again["events"]) == len(r["events"]), name, "cut at", cut["t"], len(again["events"]))

# the shortest period of a forced motion, however it settles: linear, so that the response is known
block = "coordinates: [x]\nparticles: {b: {mass: 1, at: [x, 0]}}\n"
for i in range(6):
    w = random.uniform(0.5, 3)
    own, c = w * (random.randint(1, 3) + random.choice([0, 0.5, 1 / 3])), 0.02 * w * random.uniform(1, 3)
    text = block + f"springs: {{s: {{along: x, stiffness: {own**2}}}}}\ndampers: {{d: {{along: x, damping: {c}}}}}\n" \
           f"forces: {{x: cos({w}*t)}}\ninitial: {{x: 0.7}}\n"
    status, r, err = ask("attractor", text, "--until", "4000")
    check(status == 0 and r["kind"] == "cycle" and abs(r["period"] * w / 6.283185307179586 - 1) < 1e-9,
          "forced", w, own, c, r.get("period"), r.get("kind"), err)
# bounces that accumulate in every period of a table
for i in range(4):
    w, a = random.uniform(2, 6), random.uniform(1.05, 1.6)
    text = f"coordinates: [y]\ngravity: [0, -9.81]\nparticles: {{b: {{mass: 1, at: [0, y]}}}}\n" \
           f"contacts: {{table: {{support: \"y - {a * 9.81 / w**2}*sin({w}*t)\", restitution: {random.uniform(0.1, 0.4)}}}}}\ninitial: {{y: 0.5}}\n"
    status, r, err = ask("attractor", text, "--until", "400", "--quick")
    n = (r.get("period") or 0) * w / 6.283185307179586
    check(status == 0 and (r["kind"] != "cycle" or (n > 0.5 and abs(n - round(n)) < 1e-9)), "chatter", w, a, n, err)

# a seat that is struck: the period is of the forcing, the shortest, and what a stroboscope sees; and a candidate that
# turns out not to come back does not end the search
def strobe(text, t, name):
    """Shortest number of periods t after which the motion repeats, by a long run."""
    status, r, err = ask("simulate", text, "--until", repr(240 * t), "--dt", repr(t), "--samples")
    s, rows = r["samples"], {}
    for time, x, v in zip(s["t"], s[name], s[name + "'"]):
        if abs(time / t - round(time / t)) < 1e-9:
            rows[round(time / t)] = (x, v)
    size = [max(map(abs, s[name])), max(map(abs, s[name + "'"]))]
    apart = lambda i, k: max(abs(a - b) / c for a, b, c in zip(rows[i], rows[k], size))
    return next((p for p in range(1, 33) if all(apart(238 - i, 238 - i - p) < 1e-5 for i in range(2 * p))), 0)

struck = []
for form in ("%r*cos(%r*t)", "%r*sin(%r*t)^3", "%r*abs(sin(%r*t))", "%r*sin(%r*t)^2 - 0.4"):
    w = random.uniform(0.5, 2.5)
    text = block + "springs: {s: {along: x, stiffness: 1}}\ndampers: {d: {along: x, damping: %r}}\n" % random.uniform(0.1, 0.4) \
        + "forces: {x: %s}\n" % (form % (random.uniform(0.5, 3), w)) + "initial: {x: 0.5}\n" \
        + "contacts: {seat: {support: x + %r, restitution: %r}}\n" % (random.uniform(0, 0.4), random.uniform(0.1, 0.8))
    struck.append((text, 6.283185307179586 / w / (1 if "cos" in form or "3" in form else 2), "x"))
struck.append((block + "springs: {s: {along: x, stiffness: 1}}\ndampers: {d: {along: x, damping: 0.30641136777294226}}\n"
               "forces: {x: 1.3087324219506355*sin(1.2006447875251722*t) + 0.39261972658519065*sin(2.4012895750503444*t + 1)}\n"
               "initial: {x: 0.5}\ncontacts: {seat: {support: x - 0.21681935591077206, restitution: 0.41015655716707083}}\n",
               5.233175850562, "x"))
struck.append(("coordinates: [y]\ngravity: [0, -9.81]\nparticles: {b: {mass: 1, at: [0, y]}}\ninitial: {y: 5.6}\n"
               "contacts: {table: {support: y - 2.83*sin(2.52*t), restitution: 0.3443}}\n", 6.283185307179586 / 2.52, "y"))
for text, t, name in struck:
    status, r, err = ask("attractor", text, "--until", repr(200 * t), "--quick")
    check(status == 0, "struck", text, err)
    if status == 0 and r["kind"] == "cycle":
        n = strobe(text, t, name)
        check(abs(r["period"] / t - n) < 1e-6, "struck", text, r["period"] / t, n)

# all speeds at which a load moves a slider steadily, wherever the search begins: the roots of friction = load
for i in range(4):
    level, height, speed = random.uniform(0.3, 1.5), random.uniform(0.3, 2), 10 ** random.uniform(-1.5, 0.3)
    if i % 2:
        law = "{type: hump, level: %r, height: %r, speed: %r}" % (level, height, speed)
        friction = lambda s: level * (1 + height * s / speed * math.exp(1 - s / speed))
    else:
        law = "{type: stribeck, static: %r, kinetic: %r, speed: %r, viscous: 0.2}" % (level * (1 + height), level, speed)
        friction = lambda s: level * (1 + height * math.exp(-(s / speed) ** 2)) + 0.2 * s
    load = friction(speed * random.uniform(0.2, 0.8))
    grid = [1e-5 * 10 ** (7 * k / 20000) for k in range(20001)]
    roots = [a for a, b in zip(grid, grid[1:]) if (friction(a) - load) * (friction(b) - load) < 0]
    text = block + "forces: {x: %r}\ncontacts: {rail: {pressed: 1, slip: x', law: %s}}\n" % (load, law)
    for start in ("0", "0.97", "-2", "30"):
        status, r, err = ask("steady", text, "--all", "--at", "x'=" + start)
        found = sorted(s["state"]["x'"] for s in r.get("states", []) if s["modes"]["rail"] != 0)
        check(len(found) == len(roots) and all(abs(a / b - 1) < 1e-3 for a, b in zip(found, roots)), "speeds", text, start, found, roots, err)
# any speed is steady where friction does not know it: none of them is named for itself
status, r, err = ask("steady", block + "forces: {x: 0.5}\ncontacts: {rail: {pressed: 1, slip: x', law: {type: coulomb, mu: 0.5}}}\n", "--all")
check(status == 0 and r["count"] == 1, "any speed", r.get("count"), err)
status, r, err = ask("steady", models + "spatial-mass.yaml", "--modes", "plane=slip-")
check(status == 2 and "slips in a plane" in err, "a direction that is found", err)

# a sweep of the frequency keeps the phase of the drive: it jumps where the branch of cycles folds
cubic = "parameters: {w: 0.8}\n" + block + """energy: {potential: x^2/2 + 0.3*x^4/4}
dampers: {d: {along: x, damping: 0.08}}
forces: {x: 0.5*cos(w*t)}
contacts: {b: {pressed: 0.2, slip: x', law: {type: coulomb, mu: 0.5}}}
initial: {x: 0.5, x': 0}
"""
status, r, err = ask("continue", cubic, "--vary", "w=0.8:2.2")
folds = sorted(x["at"] for x in r["special"] if x["type"] == "fold")
status, r, err = ask("sweep", cubic, "--vary", "w=1.2:1.75", "--points", "56", "--section", "forcing", "--transient", "200", "--duration", "60")
h = r["hysteresis"]
check(len(folds) == 2 and h["found"] and abs(h["from"] - folds[0]) < 0.011 and abs(h["to"] - folds[1]) < 0.011, "sweep", folds, h, err)

# a table whose stroke is swept carries along what rests on it
for i in range(3):
    w, e = random.uniform(5, 40), random.uniform(0, 0.6)
    most = random.uniform(0.5, 4) * 9.81 / w**2
    text = f"parameters: {{a: 0}}\ncoordinates: [y]\ngravity: [0, -9.81]\nparticles: {{b: {{mass: 1, at: [0, y]}}}}\n" \
           f"contacts: {{table: {{support: \"y - a*sin({w}*t)\", restitution: {e}}}}}\ninitial: {{y: 0}}\n"
    status, r, err = ask("sweep", text, "--vary", f"a={most/10}:{most}", "--points", "6", "--section", "forcing", "--transient", "5", "--duration", "5")
    check(status == 0 and r["audit"]["ok"], "shaken table", w, e, most, err)

# settling with a multiplier of -0.88 is no motion of twice the period
chain = """sizes: {N: 2}
parameters: {v: 0.25, "m[1..N]": [1, 2], "kg[1..N]": [1, 1.5], "Fs[1..N]": [1, 1.5], "delta[1..N]": [3, 2], "kc[1..N-1]": [0.8]}
coordinates: ["x[1..N]"]
particles: {"block[i=1..N]": {mass: "m[i]", at: ["x[i] + 2*i", 0]}}
springs: {"ground[i=1..N]": {along: "x[i]", stiffness: "kg[i]"}, "link[i=1..N-1]": {along: "x[i+1] - x[i]", stiffness: "kc[i]"}}
contacts:
  "belt[i=1..N]": {pressed: 1, slip: "x[i]' - v", law: {type: curve, static: "Fs[i]", kinetic: "Fs[i]/(1 + delta[i]*s)"}}
"""
status, r, err = ask("poincare", chain, "--section", "slip", "--contact", "belt[2]", "--returns", "100")
check(status == 0 and r["turns"] == 1, "chain", r.get("turns"), err)
finish()
EOF
PYTHONPATH=$source_dir/tests/cli PYTHONDONTWRITEBYTECODE=1 python3 check.py >out 2>err || fail "families of cycles"
finish
