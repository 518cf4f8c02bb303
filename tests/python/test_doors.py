# SPDX-License-Identifier: Apache-2.0
"""The same numbers, bit for bit, from all four doors (command line, C, Python, study), on ten models."""
import json
import os
import pathlib
import shutil
import subprocess

import pytest

import amontons
from conftest import ROOT

# model, question, options, the same on the command line, settings
DOORS = [
    ("block-on-belt", "simulate", {"until": 20}, ["--until", "20"], {"v": 0.3}),
    ("block-on-belt", "cycle", {}, [], {"v": 0.25}),
    ("stribeck-belt", "steady", {}, [], {}),
    ("painleve-klein", "contact", {"at": {"q'": 1}}, ["--at", "q'=1"], {"mu": 1, "phi": 1.3}),
    ("trammel", "rest", {}, [], {}),
    ("trammel", "brake", {}, [], {}),
    ("chain", "simulate", {"until": 5}, ["--until", "5"], {"N": 4}),
    ("duffing", "evaluate", {}, [], {}),
    ("ladder", "contact", {}, [], {}),
    ("bouncing-ball", "simulate", {"until": 2}, ["--until", "2"], {}),
    ("klarbring-path", "quasistatic", {}, [], {}),
    ("block-on-belt", "limits", {"vary": {"Fs": [0.5, 2]}, "of": "rest.verdict"},
     ["--vary", "Fs=0.5:2", "--of", "rest.verdict"], {"x'": 0}),
    ("two-blocks", "sensitivity", {"until": 3}, ["--until", "3"], {}),
    ("van-der-pol", "attractor", {"quick": True}, ["--quick"], {}),
]

C = r"""
#include <amontons/amontons.h>
#include <amontons/ask.h>
#include <stdio.h>
int main(int argc, char **argv)
{
  amo_model *m = NULL;
  amo_answer *a = NULL;
  if (argc < 4 || amo_model_load(argv[1], NULL, 0, NULL, &m) != AMO_OK) return 2;
  amo_ask(m, NULL, argv[2], argv[3], NULL, NULL, &a);
  if (a) fputs(amo_answer_json(a), stdout);
  amo_answer_free(a);
  amo_model_free(m);
  return a ? 0 : 1;
}
"""


@pytest.fixture(scope="module")
def through_c(tmp_path_factory):
    """A program of an embedder, on the shared library."""
    folder = tmp_path_factory.mktemp("c")
    library = pathlib.Path(amontons.library).resolve().parent
    if not shutil.which("cc"):
        pytest.skip("no compiler")
    (folder / "door.c").write_text(C)
    subprocess.run(["cc", "-std=c17", "-I", ROOT / "include", "-o", folder / "door", folder / "door.c", "-L", library,
                    "-lamontons", f"-Wl,-rpath,{library}"], check=True)

    def run(path, verb, options):
        return subprocess.run([folder / "door", path, verb, json.dumps(options)], capture_output=True, text=True,
                              check=False).stdout

    return run


def numbers(value, path):
    """(path, number) of an answer, in the language of studies."""
    if isinstance(value, dict):
        for k, v in dict.items(value):
            if k.replace("_", "").isalnum():
                yield from numbers(v, f"{path}.{k}")
    elif isinstance(value, list):
        for i, v in enumerate(value[:3]):
            yield from numbers(v, f"{path}[{i}]")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


def test_at_least_ten_models():
    assert len({d[0] for d in DOORS}) >= 10


@pytest.mark.parametrize("name, verb, options, words, settings", DOORS, ids=[f"{d[0]}-{d[1]}" for d in DOORS])
def test_one_answer(name, verb, options, words, settings, models, program, through_c, tmp_path):
    path = models / f"{name}.yaml"
    try:
        answer = amontons.Model(path).ask(verb, set=settings, options=options)
    except amontons.Error as error:
        answer = error.result
    assert answer is not None
    set_words = ["--set", *(f"{k}={v}" for k, v in settings.items())] if settings else []
    assert program(verb, path, *words, *set_words, "--json", "--quiet")[0] == answer.json
    assert through_c(path, verb, {**options, **({"set": settings} if settings else {})}) == answer.json
    found = list(numbers(answer.to_dict(), verb))[:40]
    assert found
    study = {"model": os.fspath(path), "set": settings, verb: options,
             "expect": [{"value": p, "equals": x, "tolerance": 0} for p, x in found]}
    (tmp_path / "study.yaml").write_text(json.dumps({k: v for k, v in study.items() if v != {} or k == verb}))
    out, err, status = program("test", tmp_path / "study.yaml", "--quiet")
    assert status == 0, out + err
