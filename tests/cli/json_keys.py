# SPDX-License-Identifier: Apache-2.0
"""Every answer conforms to its schema (amontons schema results), which follows from the tables of fields: no key is
undescribed, every type as told; and what is described is seen.

usage: json_keys.py PROGRAM SOURCE_DIR [--all]. Asks every verb of models of every kind, and of every model one of the verbs
that take no time, with --all each of them.
"""
import glob
import json
import subprocess
import sys

PROGRAM, ROOT = sys.argv[1:3]
sys.path.insert(0, ROOT + "/tests/tools")
import schema  # noqa: E402

BELT, KLEIN = "block-on-belt", "painleve-klein"
QUESTIONS = [
    ("describe", BELT), ("describe", "stacker"), ("describe", "block-aging"), ("describe", "violin-string"),
    ("describe", "klarbring-mass"), ("describe", "trammel"),
    ("simulate", BELT, "--until", "30", "--samples", "--steps"), ("simulate", BELT, "--until", "3", "--certify"),
    ("simulate", "stacker", "--until", "0.1"), ("simulate", "giving-belt", "--until", "0.1"), ("simulate", "lugre-stick-slip", "--until", "0.1"), ("simulate", BELT, "--settle", "--set", "v=0"),
    ("simulate", BELT, "--method", "smooth", "--until", "3"), ("simulate", BELT, "--max-steps", "1"),
    ("simulate", "klarbring-mass", "--set", "C1=1", "C2=-0.5", "--until", "9"),
    ("evaluate", BELT), ("evaluate", BELT, "--method", "switch"), ("evaluate", "trammel", "--at", "theta=1, theta'=1"),
    ("evaluate", "klarbring-mass"), ("evaluate", "block-aging"),
    ("contact", BELT), ("contact", KLEIN, "--at", "q'=1", "--set", "mu=1", "phi=1.3"), ("contact", "stacker"),
    ("contact", "klarbring-mass"),
    ("rest", BELT), ("rest", "ladder"), ("rest", KLEIN, "--set", "P1=1", "P2=0.2"), ("rest", "link-mechanism", "--region", "M=-100:100", "P=-400:400"),
    ("rest", "link-mechanism", "--region", "M=-100:100", "--draw"),
    ("brake", "link-mechanism", "--at", "phi=1.1"), ("brake", "crank", "--at", "phi=1.2", "--set", "mu=1", "--point", "pin=crank[r/2, 0]"),
    ("brake", "crank", "--at", "phi=1.2", "--field", "crank", "--size", "4x4"),
    ("brake", "painleve-klein-plate", "--field", "plate", "--size", "2x2", "--draw"), ("brake", "block-on-plane"), ("brake", "carriage-pendulum"),
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
    ("quasistatic", "spatial-mass"), ("quasistatic", BELT), ("contact", "painleve-two-pairs"),
    ("cycle", BELT), ("cycle", BELT, "--method", "switch", "--eta", "1e-4"), ("cycle", BELT, "--set", "Fs=0"),
    ("cycle", "forced-coulomb"), ("continue", BELT, "--vary", "v=0.2:1"),
    ("continue", "drive-spring-slider", "--of", "steady", "--vary", "v=1.3:0.3", "--branches"),
    ("continue", BELT, "--vary", "v=0.2:1.5", "--locus", "m=1.5", "--locus-points", "5"),
    ("sensitivity", BELT, "--until", "8", "--for", "k, v", "--samples", "2", "--differences", "1e-6"),
    ("sensitivity", "klarbring-mass", "--set", "C1=1", "C2=-0.5", "--until", "9"),
    ("spectrum", BELT, "--after", "50", "--until", "250", "--points", "512", "--segment", "256", "--samples"),
    ("poincare", BELT, "--after", "20", "--until", "100", "--section", "stick"), ("lyapunov", BELT, "--until", "60"),
    ("attractor", BELT, "--until", "200"), ("attractor", BELT, "--until", "30"), ("attractor", BELT, "--set", "v=0"),
    ("sweep", BELT, "--vary", "v=0.1:0.3", "--points", "3", "--section", "stick", "--transient", "50", "--duration", "60"),
]
RECORDS = [  # what has no model
    ("statistics", "gallery/records/anh-table7.1.csv", "--of", "x", "--by", "v", "--units", "file"),
    ("statistics", "gallery/records/anh-hist-i.csv", "--of", "F"),
    ("breakdowns", "gallery/records/anh-R1.csv", "--stiffness", "7e5", "--mass", "100", "--drive", "v"),
    ("fit", "models/block-on-belt.yaml", "--record", ROOT + "/models/block-on-belt.csv", "--vary", "k=1.2, Fs=0.8"),
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
  - {value: a.final.t, equals: 2, case: first}
shown: [{what: end, ours: a.final.t, source: "2", note: exact}]
"""




# Fields that take an interruption, a file or a rare state to see, by the beginnings of their places: described, but in no answer
# to the questions above.
RARE = {
    "simulate": (".audit.proof.unproven[]", ".events[].impulse", ".events[].why", ".extrema.*.reason", ".left_out"),
    "contact": (".contacts.*.basin", ".pairs[].continua[]"),
    "brake": (".bound", ".contacts.*.bound", ".points.*.force_limit", ".points.*.contacts.*.force_limit"),
    "draw": (".file", ".note", ".shapes.*.force", ".shapes.*.moment"),
    "limits": (".reached", ".values[].between"),
    "map": (".contours_file", ".h5", ".part", ".plot", ".slice"),
    "steady": (".states[].contacts.*.angle",),
    "quasistatic": (".events[]", ".reason"),
    "cycle": (".drift", ".extrema.*.reason", ".grazing"),
    "attractor": (".drift",),
    "sweep": (".hysteresis.ranges[]",),
    "fit": (".bootstrap", ".parameters.*.at_bound", ".parameters.*.bootstrap", ".predictions", ".relation", ".identifiable", ".comparison",
            ".preferred", ".separable", ".tied", ".parameters.*.unit"),
    "statistics": (".sheppard", ".groups[].sheppard"),
    "test": (".studies[].expectations[].parts", ".studies[].message", ".studies[].unnoticed"),
}
CHEAP = ["describe", "contact", "rest", "evaluate"]  # asked of every model


def ask(verb, model, options=()):
    p = subprocess.run([PROGRAM, verb, model, "--json", "--quiet", *options], capture_output=True, text=True)
    return json.loads(p.stdout) if p.stdout else None, p.stderr


class Answers:
    """Held against the schema of their verb."""

    def __init__(self):
        self.schema, self.seen, self.wrong = {}, {}, []

    def hold(self, verb, answer, what):
        if verb not in self.schema:
            self.schema[verb] = json.loads(subprocess.run([PROGRAM, "schema", "results", verb], capture_output=True, text=True).stdout)
            self.seen[verb] = set()
        self.wrong += ["%s %s" % (what, e) for e in schema.errors(self.schema[verb], answer, self.seen[verb])]

    def unseen(self):
        return {verb: sorted(set(schema.places(s)) - self.seen[verb]) for verb, s in self.schema.items()}


def main():
    answers = Answers()
    for verb, model, *options in QUESTIONS:
        answer, said = ask(verb, "%s/models/%s.yaml" % (ROOT, model), options)
        if answer is None:
            answers.wrong.append("no answer: %s %s %s" % (verb, model, said))
        else:
            answers.hold(verb, answer, "%s %s" % (verb, model))
    for i, model in enumerate(sorted(glob.glob(ROOT + "/models/**/*.yaml", recursive=True))):
        for verb in CHEAP if "--all" in sys.argv else CHEAP[i % len(CHEAP):][:1]:
            answer, _ = ask(verb, model)
            if answer is not None:
                answers.hold(verb, answer, "%s %s" % (verb, model))
    for verb, file, *options in RECORDS:
        answer, said = ask(verb, ROOT + "/" + file, options)
        answers.hold(verb, answer, "%s %s %s" % (verb, file, said))
    answers.hold("statistics", json.loads(subprocess.run([PROGRAM, "statistics", "--successes", "198", "--trials", "200", "--json"],
                                                         capture_output=True, text=True).stdout), "statistics of a proportion")
    with open("keys.yaml", "w") as f:
        f.write(STUDY.replace("block-on-belt.yaml", ROOT + "/models/block-on-belt.yaml"))
    answers.hold("test", ask("test", "keys.yaml")[0], "test")
    for verb, places in answers.unseen().items():
        answers.wrong += ["%s: described, never seen: %s" % (verb, p) for p in places if not p.startswith(RARE.get(verb, ()))]
    print("\n".join(answers.wrong[:40]))
    return 1 if answers.wrong else 0


sys.exit(main())
