# SPDX-License-Identifier: Apache-2.0
"""The smallest model found that still fails: things are left out, numbers made simple, one at a time."""
import json
import time
from copy import deepcopy

import yaml

from change import family

KEPT = {"amontons", "coordinates"}
SIMPLE = ("0", "1", "2", "0.5")


def paths(node, at=()):
    """Every place in a model that may be left out, large things first."""
    if isinstance(node, dict):
        keys = list(node)
    elif isinstance(node, list) and at and at[0] in ("coordinates", "require", "constraints", "loads", "springs"):
        keys = list(range(len(node)))
    else:
        return
    for key in keys:
        if not (at == () and key in KEPT):
            yield at + (key,)
    for key in keys:
        yield from paths(node[key], at + (key,))


def without(model, path):
    new = deepcopy(model)
    node = new
    for key in path[:-1]:
        node = node[key]
    del node[path[-1]]
    return new


def scalars(node, at=()):
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        if isinstance(value, (dict, list)):
            yield from scalars(value, at + (key,))
        elif at or key not in ("amontons", "name"):
            yield at + (key,), value


def replaced(model, path, value):
    new = deepcopy(model)
    node = new
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return new


def fewer(model):
    for path in list(paths(model)):
        yield lambda m, path=path: without(m, path)


def simpler(model):
    for path, value in list(scalars(model)):
        if path[0] in ("parameters", "initial") or str(value) not in SIMPLE:
            for simple in SIMPLE:
                if value != simple:
                    yield lambda m, path=path, simple=simple: replaced(m, path, simple)


def reduce_model(model, fails, seconds=20.0):
    """fails(model) says whether the relation still fails; a model that is no model any more does not."""
    end = time.monotonic() + seconds
    small, seen = model, set()
    for kind in (fewer, simpler, fewer):
        changed = True
        while changed and time.monotonic() < end:
            changed = False
            for step in kind(small):
                if time.monotonic() > end:
                    break
                try:
                    candidate = step(small)
                except (KeyError, IndexError, TypeError):
                    continue  # left out already, with what held it
                text = json.dumps(candidate)
                if text in seen or len(text) > len(json.dumps(small)) + 2:
                    continue
                seen.add(text)
                if fails(candidate):
                    small, changed = candidate, True
    return small


def show(model):
    return yaml.safe_dump(model, sort_keys=False, default_flow_style=None, width=160, allow_unicode=True)


def names(model, section):
    return [family(key)[0] for key in model.get(section, {})]
