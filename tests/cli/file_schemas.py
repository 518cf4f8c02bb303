# SPDX-License-Identifier: Apache-2.0
"""Every model and study conforms to the schema for editors, and what is wrong in structure does not.

usage: file_schemas.py PROGRAM SOURCE_DIR
"""
import glob
import json
import re
import subprocess
import sys

import yaml

PROGRAM, ROOT = sys.argv[1:3]
sys.path.insert(0, ROOT + "/tests/tools")
import schema  # noqa: E402

# Messages of the loader about the structure of a file (all others are about what expressions and numbers mean).
STRUCTURE = re.compile(r"unknown key|unknown value|must be a (mapping|list)|must be true or false|of contact \w+ has no '")
# ... that a schema cannot know: keys of nothing, and what stands in the text of a scalar.
BEYOND = set()
BAD_STUDIES = [
    "{model: a.yaml, simulat: {until: 1}}", "{model: a.yaml, simulate: {untill: 1}}", "{simulate: {method: evnt}}",
    "{runs: {a: {simulate: {}, st: {}}}}", "{figure: {panels: [{curvs: []}]}}", "{figure: {x: {lable: t}, curves: []}}",
    "{model: [a]}", "{cases: [{id: a, contact: {att: 1}}]}", "{shown: [{wat: 1}]}", "[{modell: a}]",
]


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """YAML as editors and the program read it: on, off, yes and no are texts."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers if tag != "tag:yaml.org,2002:bool" and tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))


def read(path):
    try:
        with open(path) as f:
            return yaml.load(f, Loader=Loader)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError):
        return None


def schema_of(what):
    return json.loads(subprocess.run([PROGRAM, "schema", what], capture_output=True, text=True, check=True).stdout)


def main():
    wrong, count = [], 0
    model = schema_of("model")
    for path in sorted(glob.glob(ROOT + "/models/**/*.yaml", recursive=True)):
        count += 1
        wrong += ["%s%s" % (path, e) for e in schema.errors(model, read(path))[:3]]
    study = schema_of("study")
    for path in sorted(glob.glob(ROOT + "/gallery/**/*.yaml", recursive=True) + glob.glob(ROOT + "/tests/cases/*.yaml") + glob.glob(ROOT + "/tests/studies/*.yaml")):
        count += 1
        wrong += ["%s%s" % (path, e) for e in schema.errors(study, read(path))[:3]]
    wrong += ["a study with %s conforms" % text for text in BAD_STUDIES if not schema.errors(study, yaml.load(text, Loader=Loader))]
    if count < 500:
        wrong.append("only %d files were held against the schemas" % count)
    refused = 0
    for path in sorted(glob.glob(ROOT + "/tests/bad/*.yaml")):
        with open(path[:-5] + ".expect") as f:
            said = f.read()
        value = read(path)
        if value is None or not STRUCTURE.search(said):
            continue
        if schema.errors(model, value):
            refused += 1
        elif path.rsplit("/", 1)[1] not in BEYOND:
            wrong.append("%s: conforms, although: %s" % (path, said[:100]))
    if refused < 15:
        wrong.append("only %d faulty models are refused" % refused)
    print("\n".join(wrong[:40]))
    return 1 if wrong else 0


sys.exit(main())
