# SPDX-License-Identifier: Apache-2.0
# What cycles and attractors are called, on random members of families whose answer is known.
. "$(dirname "$0")/lib.bash"
cat >check.py <<'EOF'
import json, os, random, subprocess, sys

program = os.environ["AMONTONS"]
models = os.environ["AMO_SOURCE_DIR"] + "/models/"
random.seed(7)
bad = 0

def ask(verb, text, *options):
    path = text
    if "\n" in text:
        path = "model.yaml"
        open(path, "w").write("amontons: 1\n" + text)
    p = subprocess.run([program, verb, path, "--json", *options], capture_output=True, text=True)
    return p.returncode, (json.loads(p.stdout) if p.stdout else {}), p.stderr

def check(ok, *what):
    global bad
    if not ok:
        bad += 1
        print("FAIL", *what)

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
sys.exit(bad > 0)
EOF
python3 check.py >out 2>err || fail "families of cycles"
finish
