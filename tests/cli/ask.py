# SPDX-License-Identifier: Apache-2.0
"""For the Python parts of the tests of the command line: ask the program, count what is wrong."""
import json
import os
import subprocess
import sys

program = os.environ["AMONTONS"]
models = os.environ["AMO_SOURCE_DIR"] + "/models/"
failures = 0


def ask(verb, model, *options):
    """Exit status, JSON and messages. `model`: a path, or the text of a model without its first line."""
    path = model
    if "\n" in model:
        path = "model.yaml"
        with open(path, "w") as f:
            f.write("amontons: 1\n" + model)
    p = subprocess.run([program, verb, path, "--json", *options], capture_output=True, text=True)
    return p.returncode, (json.loads(p.stdout) if p.stdout else {}), p.stderr


def check(ok, *what):
    global failures
    if not ok:
        failures += 1
        print("FAIL", *what)


def finish():
    sys.exit(failures > 0)
