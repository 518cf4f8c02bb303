# SPDX-License-Identifier: Apache-2.0
"""What pyproject.toml cannot say: the library that was built here goes beside the package, and the wheel says so."""
import pathlib
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = HERE / "build" / "libamontons.so"


class WithLibrary(build_py):
    def run(self):
        super().run()
        if LIBRARY.exists():
            shutil.copyfile(LIBRARY.resolve(), pathlib.Path(self.build_lib) / "amontons" / "libamontons.so")


class Binary(Distribution):
    def has_ext_modules(self):
        return LIBRARY.exists()


setup(cmdclass={"build_py": WithLibrary}, distclass=Binary,
      options={"build": {"build_base": "build-python"}, "egg_info": {"egg_base": "python"}})
