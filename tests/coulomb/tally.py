# SPDX-License-Identifier: Apache-2.0
"""Complaints by class, the smallest sample of each, and which samples are known to fail (expected.yaml).

A sample that is not listed must not fail; one that is listed may fail otherwise than it did. `on a border` is told, not judged:
rounding decides there.
"""
import os

import yaml


def judged(kind):
    return not kind.startswith("on a border")


class Tally:
    def __init__(self, folder):
        self.path = os.path.join(folder, "expected.yaml")
        self.failing, self.smallest, self.tried = {}, {}, []  # names by class; (size, name, model, remarks) by class; names
        with open(self.path, encoding="utf-8") as file:
            self.expected = yaml.safe_load(file)

    def add(self, name, model, complaints, size, remarks):
        """What was found about a sample: complaints are (class, detail)."""
        self.tried.append(name)
        for kind, detail in dict(reversed(complaints)).items():
            self.failing.setdefault(kind, []).append(name)
            if kind not in self.smallest or size < self.smallest[kind][0]:
                self.smallest[kind] = (size, name, model, remarks + [detail])

    def report(self, run):
        """Prints every class; gives the number of samples that fail unexpectedly, where this run (count, seed) is the listed one."""
        listed = all(self.expected[k] == getattr(run, k) for k in ("count", "seed"))
        for kind, names in sorted(self.failing.items()):
            print("%6d  %s; smallest: %s" % (len(names), kind, self.smallest[kind][1]))
        if not listed:
            return 0
        expected = {name for names in (self.expected["failing"] or {}).values() for name in names}
        failing = {name for kind, names in self.failing.items() if judged(kind) for name in names}
        for name in self.tried:
            if name in failing and name not in expected:
                print("FAILS: %s (%s)" % (name, ", ".join(kind for kind, names in self.failing.items() if name in names)))
            elif name in expected and name not in failing:
                print("HOLDS NOW: %s is listed as an expected failure; take it off the list" % name)
        return len(failing - expected)

    def accept(self, run):
        """Lists what fails now as expected, each sample once, under its first class."""
        seen, out = set(), {}
        for kind, names in sorted(self.failing.items(), key=lambda item: -len(item[1])):
            new = [name for name in names if judged(kind) and name not in seen]
            seen.update(new)
            if new:
                out[kind] = new
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("# Samples that are known to fail, by what is wrong; written by run.py --accept.\n")
            yaml.safe_dump({"count": run.count, "seed": run.seed, "failing": out}, file, sort_keys=False,
                           default_flow_style=None, width=120)

    def write(self, folder):
        for kind, (_, name, model, remarks) in self.smallest.items():
            place = os.path.join(folder, plain(kind))
            os.makedirs(place, exist_ok=True)
            with open(os.path.join(place, plain(str(name)) + ".yaml"), "w", encoding="utf-8") as file:
                for line in ["%s: %s" % (name, kind)] + remarks:
                    file.write("# %s\n" % line.replace("\n", " "))
                yaml.safe_dump(model, file, sort_keys=False, default_flow_style=None, width=200)

    @staticmethod
    def options(parser):
        parser.add_argument("--samples", metavar="DIR", help="folder for the smallest model of each class")
        parser.add_argument("--accept", action="store_true", help="list what fails now as expected")

    def finish(self, run):
        """Report, samples, list; gives the exit status."""
        worse = self.report(run)
        if run.samples:
            self.write(run.samples)
        if run.accept:
            self.accept(run)
        return 1 if worse and not run.accept else 0


def plain(text):
    return "-".join("".join(c if c.isalnum() else " " for c in text).split())
