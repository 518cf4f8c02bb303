# SPDX-License-Identifier: Apache-2.0
"""What is used where it is there: NumPy, pandas, matplotlib."""
import importlib


def _find(name, package, purpose):
    try:
        return importlib.import_module(name)
    except ImportError as why:
        if purpose is None:
            return None
        raise ImportError(f"{purpose} needs {name.split('.')[0]} (Debian: {package}; pip install {name.split('.')[0]})") from why


def numpy(purpose=None):
    """NumPy; None where it is missing and no purpose is told."""
    return _find("numpy", "python3-numpy", purpose)


def pandas(purpose="to_pandas()"):
    return _find("pandas", "python3-pandas", purpose)


def pyplot():
    return _find("matplotlib.pyplot", "python3-matplotlib", "plot()")
