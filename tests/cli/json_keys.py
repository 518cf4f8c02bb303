# SPDX-License-Identifier: Apache-2.0
"""Every key that a verb prints with --json is named in docs/json.md.

usage: json_keys.py PROGRAM SOURCE_DIR. Asks every verb of models of every kind; names that a model gives (states, contacts,
parameters, outputs, parts, points) are its own.
"""
import json
import re
import subprocess
import sys

PROGRAM, ROOT = sys.argv[1:3]
with open(ROOT + "/docs/json.md") as document:
    SECTIONS = {title: text for heading, text in re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", document.read(), re.M | re.S)
                for title in heading.split(", ")}
COUNTED = {"counts", "fractions"}  # keys are verdicts
BELT, KLEIN = "block-on-belt", "painleve-klein"
QUESTIONS = [
    ("describe", BELT), ("describe", "stacker"), ("describe", "block-aging"), ("describe", "violin-string"),
    ("describe", "klarbring-mass"), ("describe", "trammel"),
    ("simulate", BELT, "--until", "30", "--samples", "--steps"), ("simulate", BELT, "--until", "3", "--certify"),
    ("simulate", "stacker", "--until", "0.1"), ("simulate", BELT, "--settle", "--set", "v=0"),
    ("simulate", BELT, "--method", "smooth", "--until", "3"), ("simulate", BELT, "--max-steps", "1"),
    ("simulate", "klarbring-mass", "--set", "C1=1", "C2=-0.5", "--until", "9"),
    ("evaluate", BELT), ("evaluate", BELT, "--method", "switch"), ("evaluate", "trammel", "--at", "theta=1, theta'=1"),
    ("evaluate", "klarbring-mass"), ("evaluate", "block-aging"),
    ("contact", BELT), ("contact", KLEIN, "--at", "q'=1", "--set", "mu=1", "phi=1.3"), ("contact", "stacker"),
    ("contact", "klarbring-mass"),
    ("rest", BELT), ("rest", KLEIN, "--set", "P1=1", "P2=0.2"), ("rest", "link-mechanism", "--region", "M=-100:100", "P=-400:400"),
    ("rest", "link-mechanism", "--region", "M=-100:100", "--draw"),
    ("brake", "link-mechanism", "--at", "phi=1.1"), ("brake", "crank", "--at", "phi=1.2", "--set", "mu=1", "--point", "pin=crank[r/2, 0]"),
    ("brake", "crank", "--at", "phi=1.2", "--field", "crank", "--size", "4x4"),
    ("draw", BELT), ("draw", "crank", "--at", "phi=2"),
    ("limits", BELT, "--vary", "Fs=0.5:2"), ("limits", KLEIN, "--vary", "mu=0.2:3", "--of", "contact.class", "--at", "q'=1"),
    ("limits", KLEIN, "--vary", "P1=-3:3", "--of", "rest.margin", "--extrema", "--points", "40"),
    ("limits", KLEIN, "--vary", "P1=-3:3", "--of", "rest.margin", "--level", "0.5", "--points", "40"),
    ("map", "trammel", "--x", "theta=0.1:1.5", "--y", "theta'=-3:3", "--of", "contact.class", "--size", "6x5", "--contours", "all"),
    ("map", "trammel", "--x", "theta=0.1:1.5", "--y", "mu=0.1:1", "--of", "contact.mu_L.I", "--size", "6x5", "--contours", "0.5", "--draw"),
    ("map", "hump", "--of", "attractor", "--with", "until=200", "--x", "x=0.5:1.5", "--y", "x'=-0.4:0.4", "--size", "2x2"),
    ("steady", BELT), ("steady", BELT, "--all"), ("steady", "spatial-mass"),
    ("quasistatic", "klarbring-mass", "--set", "mu=1.25", "--sectors", "C1,C2"),
    ("quasistatic", "spatial-mass-load", "--set", "C1=0.5", "C2=0.3", "mu=0.5", "--until", "4"),
    ("quasistatic", "klarbring-mass", "--set", "mu=0.25", "C1=1", "C2=-1", "--until", "3"),
    ("cycle", BELT), ("cycle", BELT, "--method", "switch", "--eta", "1e-4"), ("cycle", BELT, "--set", "Fs=0"),
    ("cycle", "forced-coulomb"), ("continue", BELT, "--vary", "v=0.2:1"),
    ("continue", "drive-spring-slider", "--of", "steady", "--vary", "v=1.3:0.3", "--branches"),
    ("continue", BELT, "--vary", "v=0.2:1.5", "--locus", "m=1.5", "--locus-points", "5"),
    ("sensitivity", BELT, "--until", "8", "--for", "k, v", "--samples", "2", "--differences", "1e-6"),
    ("sensitivity", "klarbring-mass", "--set", "C1=1", "C2=-0.5", "--until", "9"),
    ("spectrum", BELT, "--after", "50", "--until", "250", "--points", "512", "--segment", "256"),
    ("poincare", BELT, "--after", "20", "--until", "100", "--section", "stick"), ("lyapunov", BELT, "--until", "60"),
    ("attractor", BELT, "--until", "200"), ("attractor", BELT, "--until", "30"), ("attractor", BELT, "--set", "v=0"),
    ("sweep", BELT, "--vary", "v=0.1:0.3", "--points", "3", "--section", "stick", "--transient", "50", "--duration", "60"),
]
# Studies: what `test --json` prints, with what goes wrong in them.
STUDY = """id: keys
model: block-on-belt.yaml
runs: {a: {simulate: {until: 2}}, b: {simulate: {until: 2, max-steps: 1}}}
define: {late: a.final.t}
expect:
  - late == 2
  - a.final.nothing == 2
  - {value: a.final.t, equals: 3, source: none, note: a}
  - a.final.t > 1 and a.final.t < 1.5
  - b.final.t == 2
"""


def known(verb):
    """Words of the section of a verb, and of those that it refers to ("as in `cycle`")."""
    audit = "\n".join(line for line in SECTIONS["simulate"].splitlines() if line.startswith("| `audit."))
    text = SECTIONS[verb] + audit  # the same fields everywhere
    for other in re.findall(r"as in `([a-z]+)`", text):
        text += SECTIONS[other]
    return set(re.findall(r"[A-Za-z_][A-Za-z_0-9]*", text)) | {"model"}


def names(model):
    """All that a model may call by a name of its own."""
    with open("%s/models/%s.yaml" % (ROOT, model)) as f:
        words = re.findall(r"[A-Za-z_][A-Za-z_0-9]*", f.read())
    return set(words)


def keys(value, own, found, path):
    """own: names of the model, of which keys may be made: x', belt.slip, x[1]."""
    if isinstance(value, dict) and path.rsplit(".", 1)[-1] not in COUNTED:
        for k, v in value.items():
            if "'" not in k and re.split(r"[\\[.]", k)[0] not in own:
                found.setdefault(k, path)
            keys(v, own, found, path + "." + k)
    elif isinstance(value, list):
        for v in value[:50]:
            keys(v, own, found, path + "[]")


def gaps(verb, result, model):
    found = {}
    words = known(verb)
    keys(result, names(model) - words | {"pin"}, found, verb)
    missing = [k for k in found if k not in words and re.sub(r"[0-9]+$", "1", k) not in words and not k.endswith("_reason")]
    return {"%s: '%s' at %s" % (verb, k, found[k]) for k in missing}


def main():
    wrong = set()
    for verb, model, *options in QUESTIONS:
        p = subprocess.run([PROGRAM, verb, "%s/models/%s.yaml" % (ROOT, model), "--json", *options], capture_output=True, text=True)
        wrong |= gaps(verb, json.loads(p.stdout), model) if p.stdout else {"no answer: %s %s %s" % (verb, model, p.stderr)}
    with open("keys.yaml", "w") as f:
        f.write(STUDY.replace("block-on-belt.yaml", ROOT + "/models/block-on-belt.yaml"))
    p = subprocess.run([PROGRAM, "test", "keys.yaml", "--json"], capture_output=True, text=True)
    wrong |= gaps("test", json.loads(p.stdout), BELT)
    print("\n".join(sorted(wrong)))
    return 1 if wrong else 0


sys.exit(main())
