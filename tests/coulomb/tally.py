# SPDX-License-Identifier: Apache-2.0
"""Complaints by class: how many, the smallest sample of each, and how many are expected."""
import os
from collections import Counter

import yaml


class Tally:
    def __init__(self, folder):
        self.counts, self.smallest = Counter(), {}
        with open(os.path.join(folder, "expected.yaml"), encoding="utf-8") as file:
            self.expected = yaml.safe_load(file)

    def add(self, kind, size, seed, model, remarks):
        self.counts[kind] += 1
        if kind not in self.smallest or size < self.smallest[kind][0]:
            self.smallest[kind] = (size, seed, model, remarks)

    def listed(self, arguments):
        """Is this run (count, seed) the one whose numbers are expected?"""
        return all(self.expected[k] == getattr(arguments, k) for k in ("count", "seed"))

    def report(self, listed):
        """Prints every class; gives the number of those that have grown, where this run is the listed one."""
        expected, worse = (self.expected["classes"] or {}) if listed else {}, 0
        for kind, count in sorted(self.counts.items()):
            limit, note = expected.get(kind, 0), ""
            if kind.startswith("on a border"):  # rounding decides there: told, not judged
                limit = count
            if listed and count != limit:
                note = " (%s than the %d expected)" % ("MORE" if count > limit else "fewer", limit)
            worse += listed and count > limit
            print("%6d  %s%s; smallest: seed %d" % (count, kind, note, self.smallest[kind][1]))
        for kind in sorted(set(expected) - set(self.counts)):
            print("     0  %s: no longer met; take it off the list" % kind)
        return worse

    def write(self, folder):
        for kind, (_, seed, model, remarks) in self.smallest.items():
            place = os.path.join(folder, "".join(c if c.isalnum() else "-" for c in kind).replace("--", "-"))
            os.makedirs(place, exist_ok=True)
            with open(os.path.join(place, "seed-%d.yaml" % seed), "w", encoding="utf-8") as file:
                for line in [kind + ", seed %d" % seed] + remarks:
                    file.write("# %s\n" % line.replace("\n", " "))
                yaml.safe_dump(model, file, sort_keys=False, default_flow_style=None, width=200)
