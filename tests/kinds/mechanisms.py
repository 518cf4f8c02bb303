# SPDX-License-Identifier: Apache-2.0
"""Small mechanisms, one or two of every kind of contact. `@` stands before every name, so that two fit into one file."""
import json

LAW = {"type": "coulomb", "mu": "0.3"}

MECHANISMS = {
    "pressed": {
        "coordinates": {"@x": {}}, "particles": {"@b": {"mass": "1", "at": ["@x", "0"]}},
        "springs": {"@s": {"along": "@x", "stiffness": "1"}},
        "contacts": {"@c": {"pressed": "1", "slip": "@x' - 0.2", "law": dict(LAW, mu="1")}},
        "initial": {"@x": "1.1"}},
    "pressed-memory": {
        "coordinates": {"@x": {}}, "particles": {"@b": {"mass": "1", "at": ["@x", "0"]}},
        "springs": {"@s": {"along": "@x", "stiffness": "1"}},
        "contacts": {"@c": {"pressed": "1", "slip": "@x' - 0.2", "law": {"type": "aging", "static": "1", "kinetic": "1/(1+3*s)",
                                                                         "growth": "1.5", "rate": "2"}}},
        "initial": {"@x": "0.5"}},
    "guide": {
        "coordinates": {"@q": {}, "@h": {}},
        "particles": {"@m": {"mass": "1", "at": ["@q", "@h"]}},
        "forces": {"@q": "2*cos(3*t)", "@h": "-4 + sin(2*t)"},
        "contacts": {"@c": {"guide": "@h", "slip": "@q'", "law": LAW}},
        "initial": {"@q'": "0.4"}},
    "guide-turning": {
        "coordinates": {"@x": {}, "@y": {}},
        "particles": {"@m": {"mass": "1", "at": ["@x", "@y"]}},
        "forces": {"@y": "-3"},
        "contacts": {"@c": {"guide": "@x^2 + @y^2 = 1", "slip": "@x*@y' - @y*@x'", "law": LAW}},
        "initial": {"@x": "1", "@y": "0"}},
    "guide-paradox": {  # a rod past its critical friction: two solutions, one of them a saddle
        "coordinates": {"@q": {}, "@h": {}},
        "particles": {"@m": {"mass": "1", "at": ["@q", "@h"]},
                      "@n": {"mass": "1", "at": ["@q + sqrt(1 - (sin(1.3) - @h)^2)", "sin(1.3)"]}},
        "forces": {"@q": "1"},
        "contacts": {"@c": {"guide": "@h", "slip": "@q'", "law": dict(LAW, mu="1")}},
        "initial": {"@q'": "-1"}},
    "support": {
        "coordinates": {"@x": {}, "@y": {}}, "particles": {"@b": {"mass": "1", "at": ["@x", "@y"]}},
        "forces": {"@x": "0.5*sin(5*t)", "@y": "-9.81"},
        "contacts": {"@c": {"support": "@y", "slip": "@x'", "restitution": "0.4", "law": LAW}},
        "initial": {"@y": "0.1", "@x'": "0.5"}},
    "support-box": {
        "coordinates": {"@x": {}, "@y": {}, "@p": {}},
        "bodies": {"@b": {"mass": "1", "inertia": "0.01", "at": ["@x", "@y"], "angle": "@p"}},
        "forces": {"@x": "4*sin(5*t)", "@y": "-9.81"},
        "contacts": {"@c": {"support": "@y - 0.05 - 0.1*@p", "slip": "@x' + 0.05*@p'", "law": LAW},
                     "@d": {"support": "@y - 0.05 + 0.1*@p", "slip": "@x' + 0.05*@p'", "law": LAW}},
        "initial": {"@y": "0.05", "@x'": "0.5"}},
    "spatial-pressed": {
        "coordinates": {"@x": {}, "@y": {}}, "particles": {"@b": {"mass": "1", "at": ["@x", "@y"]}},
        "forces": {"@x": "2*sin(4*t)", "@y": "-@y"},
        "contacts": {"@c": {"pressed": "3", "slip": ["@x'", "@y'"], "law": LAW}},
        "initial": {"@x'": "0.7", "@y'": "0.3"}},
    "spatial-support": {
        "coordinates": {"@x": {}, "@y": {}, "@z": {}}, "particles": {"@b": {"mass": "1", "at": ["@x", "@y", "@z"]}},
        "forces": {"@x": "1.5*sin(4*t)", "@z": "-5"},
        "contacts": {"@c": {"support": "@z", "slip": ["@x'", "@y'"], "law": LAW}},
        "initial": {"@x'": "0.7", "@y'": "0.3"}},
    "compliant-guide": {
        "coordinates": {"@q": {}, "@h": {}}, "particles": {"@m": {"mass": "1", "at": ["@q", "@h"]}},
        "forces": {"@q": "1.5*cos(3*t)", "@h": "-4"},
        "contacts": {"@c": {"guide": "@h", "stiffness": "1000", "damping": "20", "slip": "@q'", "law": LAW}},
        "initial": {"@q'": "0.4", "@h": "-0.004"}},
    "compliant-support": {
        "coordinates": {"@x": {}, "@y": {}}, "particles": {"@b": {"mass": "1", "at": ["@x", "@y"]}},
        "forces": {"@x": "1.5*cos(3*t)", "@y": "-5"},
        "contacts": {"@c": {"support": "@y", "stiffness": "1000", "damping": "20", "slip": "@x'", "law": LAW}},
        "initial": {"@x'": "0.4", "@y": "0.02"}},
    "far-support": {  # an open support 50 m away; nothing moves there
        "coordinates": {"@z": {}}, "particles": {"@b": {"mass": "1", "at": ["100", "@z"]}},
        "contacts": {"@c": {"support": "@z"}}, "initial": {"@z": "50"}},
}


def named(name, prefix):
    """The mechanism with a prefix before its names."""
    return json.loads(json.dumps(MECHANISMS[name]).replace("@", prefix))


def model(*mechanisms):
    """One file of all of them."""
    out = {"amontons": "1", "name": "kinds"}
    for mechanism in mechanisms:
        for section, node in mechanism.items():
            out.setdefault(section, {}).update(node)
    return out
