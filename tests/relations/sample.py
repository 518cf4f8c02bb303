# SPDX-License-Identifier: Apache-2.0
"""Small random mechanisms: blocks on belts and floors, slopes, guides, chains, shaken and forced."""
import random


def number(r, low, high):
    return "%.4g" % r.uniform(low, high)


def law(r, force):
    static = r.uniform(0.2, 0.8)
    kinetic = static * r.uniform(0.5, 1.0)
    kinds = [{"type": "coulomb", "mu": "%.4g" % static},
             {"type": "stiction", "static": "%.4g" % static, "kinetic": "%.4g" % kinetic},
             {"type": "curve", "static": "%.4g" % static, "kinetic": "%.4g/(1 + %s*s)" % (static, number(r, 0.1, 3))},
             {"type": "stribeck", "static": "%.4g" % static, "kinetic": "%.4g" % kinetic, "speed": number(r, 0.2, 1)}]
    chosen = r.choice(kinds if force else kinds[:3])
    return chosen


def blocks(r):
    """One to three blocks in a row, on belts."""
    count = r.randint(1, 3)
    model = {"coordinates": {}, "particles": {}, "springs": {}, "contacts": {}, "initial": {}}
    for i in range(count):
        x = "x%d" % i
        model["coordinates"][x] = {"unit": "m"}
        model["particles"]["m%d" % i] = {"mass": number(r, 0.5, 2), "at": [x, "0"]}
        model["springs"]["k%d" % i] = {"along": x if i == 0 else "%s - x%d" % (x, i - 1), "stiffness": number(r, 0.5, 5)}
        model["contacts"]["c%d" % i] = {"pressed": number(r, 0.5, 3), "law": law(r, True),
                                        "slip": "%s' - %s" % (x, number(r, 0.05, 0.5)) if r.random() < 0.6 else x + "'"}
        model["initial"][x] = number(r, -1, 1)
    if r.random() < 0.5:
        model["forces"] = {"x0": "%s*cos(%s*t)" % (number(r, 0.2, 2), number(r, 0.4, 3))}
    if r.random() < 0.5:
        model["dampers"] = {"d": {"along": "x0", "damping": number(r, 0.01, 0.3)}}
    return model


def slope(r):
    """A block on a slope, held by it or resting on it."""
    kind = r.choice(("guide", "support"))
    model = {"parameters": {"a": number(r, 0.05, 0.6)}, "coordinates": {"x": {"unit": "m"}, "y": {"unit": "m"}},
             "particles": {"block": {"mass": number(r, 0.5, 2), "at": ["x*cos(a) - y*sin(a)", "x*sin(a) + y*cos(a)"]}},
             "gravity": "9.81", "initial": {"x'": number(r, -2, 2)},
             "contacts": {"floor": {kind: "y", "slip": "x'", "law": law(r, False)}}}
    if r.random() < 0.5:
        model["springs"] = {"k": {"along": "x", "stiffness": number(r, 1, 20)}}
    if kind == "support" and r.random() < 0.5:
        model["initial"]["y"] = number(r, 0.1, 1)
        model["contacts"]["floor"]["restitution"] = number(r, 0, 0.6)
    return model


def random_model(seed):
    r = random.Random(seed)
    model = r.choice((blocks, blocks, slope))(r)
    return "random-%d" % seed, dict({"amontons": "1", "name": "random-%d" % seed}, **model), 4.0
