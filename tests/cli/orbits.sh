# SPDX-License-Identifier: Apache-2.0
# What cycles are called, on random members of families whose answer is known.
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
sys.exit(bad > 0)
EOF
python3 check.py >out 2>err || fail "families of cycles"
finish
