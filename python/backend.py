# SPDX-License-Identifier: Apache-2.0
"""What `pip install .` asks for (PEP 517 and 660), with nothing but Python: no build tool has to be fetched or installed first.

The wheel holds the modules of python/amontons, the licence, and build/libamontons.so where it was built: then it is for this
machine only, else it finds the library as docs/python.md says."""
import base64
import hashlib
import pathlib
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "amontons"
LIBRARY = ROOT / "build" / "libamontons.so"
SUFFIXES = (".py", ".pyi", ".typed")


def version():
    told = {}
    exec((PACKAGE / "_version.py").read_text(encoding="utf-8"), told)
    return told["version"]


def metadata():
    extras = {"all": ("numpy", "matplotlib", "pandas"), "numpy": ("numpy",), "plot": ("matplotlib",), "pandas": ("pandas",)}
    lines = ["Metadata-Version: 2.1", "Name: amontons", f"Version: {version()}",
             "Summary: Workbench for mechanical systems with dry friction", "License: Apache-2.0", "Requires-Python: >=3.9",
             "Description-Content-Type: text/markdown"]
    for extra, needs in extras.items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {need}; extra == "{extra}"' for need in needs]
    return "\n".join(lines) + "\n\n" + (ROOT / "README.md").read_text(encoding="utf-8")


def platform():
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def write_wheel(folder, files, tag):
    """files: [(name in the wheel, bytes)]. Names and times are always the same, so the wheel is, too."""
    info = f"amontons-{version()}.dist-info"
    pure = "true" if tag.endswith("-any") else "false"
    files = files + [(f"{info}/METADATA", metadata().encode()), (f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes()),
                     (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: amontons\nRoot-Is-Purelib: {pure}\nTag: {tag}\n".encode())]
    record = "".join(f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
                     for name, data in files)
    name = f"amontons-{version()}-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files + [(f"{info}/RECORD", (record + f"{info}/RECORD,,\n").encode())]:
            entry = zipfile.ZipInfo(path)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


# ---- the hooks ----

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = [(f"amontons/{path.name}", path.read_bytes()) for path in sorted(PACKAGE.iterdir()) if path.suffix in SUFFIXES]
    tag = "py3-none-any"
    if LIBRARY.exists():
        files.append(("amontons/libamontons.so", LIBRARY.read_bytes()))
        tag = f"py3-none-{platform()}"
    else:
        print(f"{LIBRARY} is not built (make): the package will look for an installed library", file=sys.stderr)
    return write_wheel(wheel_directory, files, tag)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, [("amontons.pth", f"{ROOT / 'python'}\n".encode())], "py3-none-any")


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the source of the package is the checkout")
