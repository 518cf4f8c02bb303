# SPDX-License-Identifier: Apache-2.0
"""The program, asked about models that are held in memory."""
import json
import os
import subprocess
import tempfile

import yaml


def load(path):
    """A model file; every scalar stays the text it is (`on` is no truth value, 1e-3 no number)."""
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))


class Answer:
    def __init__(self, code, data, errors):
        self.code = code      # exit status; 124: out of time
        self.data = data      # the JSON object, None if there was none
        self.errors = errors  # standard error

    def why(self):
        reason = (self.data or {}).get("reason") or self.errors.strip().split("\n")[0]
        return "status %d: %s" % (self.code, reason[:200])


class Program:
    def __init__(self, path, seconds=60):
        self.path, self.seconds = path, seconds
        self.folder = tempfile.TemporaryDirectory()
        self.runs = 0  # processes started
        self.known = {}

    def write(self, model, name="model.yaml"):
        """Write a model (YAML contains JSON) and give its path."""
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(model, file)
        return path

    def run(self, arguments, folder=None):
        self.runs += 1
        try:
            done = subprocess.run([self.path] + arguments, capture_output=True, text=True, timeout=self.seconds,
                                  cwd=folder or self.folder.name, check=False)
        except subprocess.TimeoutExpired:
            return Answer(124, None, "no answer in %g s" % self.seconds)
        try:
            data = json.loads(done.stdout)
        except ValueError:
            data = None
        return Answer(done.returncode, data, done.stderr)

    def ask(self, verb, model, *options):
        """The answer of a verb as JSON; the same question is asked once."""
        key = (verb, json.dumps(model), options)
        if key not in self.known:
            if len(self.known) > 2000:
                self.known.clear()
            path = self.write(model)
            self.known[key] = self.run([verb, path, "--json", "--quiet"] + [str(o) for o in options])
        return self.known[key]
