# SPDX-License-Identifier: Apache-2.0
"""What all tests of the package share."""
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Models:
    """The models that come with the program: models / "block-on-belt.yaml", in whatever folder it is."""

    def __truediv__(self, name):
        return next((ROOT / "models").rglob(name))


@pytest.fixture(scope="session")
def models():
    return Models()


@pytest.fixture(scope="session")
def belt(models):
    import amontons
    return amontons.Model(models / "block-on-belt.yaml")


@pytest.fixture(scope="session")
def program():
    """What the program prints: program("rest", "model.yaml", "--json") -> (stdout, stderr, exit status)."""
    path = os.environ.get("AMONTONS", str(ROOT / "build" / "amontons"))

    def run(*words):
        done = subprocess.run([path, *map(str, words)], capture_output=True, text=True, check=False)
        return done.stdout, done.stderr, done.returncode

    return run
