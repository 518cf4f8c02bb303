# SPDX-License-Identifier: Apache-2.0
"""Random states of one planar rigid body on supports and guides, in rational numbers, and the model files of them."""
import copy
import random
from fractions import Fraction

from exact import ZERO, dot, solve

# Directions with rational sine and cosine.
TURNS = [(1, 0, 1), (0, 1, 1), (3, 4, 5), (4, 3, 5), (5, 12, 13), (12, 5, 13), (8, 15, 17), (15, 8, 17), (7, 24, 25)]
NAMES = "ABCDEF"


def number(value):
    """As it is written in a model file: a decimal where it is one, else a quotient."""
    value = Fraction(value)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest == 1 and value.denominator < 10**15:
        digits = 0
        while (value * 10**digits).denominator != 1:
            digits += 1
        whole = abs(int(value * 10**digits))
        text = str(whole).rjust(digits + 1, "0")
        text = text[:-digits] + "." + text[-digits:] if digits else text
        return ("-" if value < 0 else "") + text
    return "%d/%d" % (value.numerator, value.denominator)


class Contact:
    def __init__(self, kind, arm, along, mu, gap=ZERO):
        self.kind = kind    # guide, support or pressed
        self.arm = arm      # from the centre of mass to the point, in space [m]
        self.along = along  # unit vector along the line; the normal is it turned by +90 degrees
        self.mu = mu
        self.gap = gap      # of a support [m]; its line lies that far below the point
        self.belt = ZERO    # velocity of the line along itself [m/s]
        self.press = ZERO   # normal force of a pressed contact [N]


    def changed(self, **values):
        other = copy.copy(self)
        other.__dict__.update(values)
        return other


def slip(body, contact):
    """The slip of a point of the body as an expression."""
    (a, b), (tx, ty) = ([number(v) for v in pair] for pair in (body, contact.along))
    text = "(%s)*(x' - f'*((%s)*sin(f) + (%s)*cos(f))) + (%s)*(y' + f'*((%s)*cos(f) - (%s)*sin(f)))" % (tx, a, b, ty, a, b)
    return text + (" - (%s)" % number(contact.belt) if contact.belt else "")


class State:
    def __init__(self, design):
        self.design = design
        self.mass, self.inertia = Fraction(1), Fraction(1, 10)
        self.contacts = []
        self.load = [ZERO] * 3      # force and moment about the centre of mass
        self.velocity = [ZERO] * 3  # of the centre of mass, and rate of turning
        self.at = (ZERO, ZERO)      # centre of mass
        self.turn = (1, 0, 1)       # cosine, sine of the body's angle, times the third
        self.limit = None           # the state that this one differs from by less than can be told

    def model(self):
        """The model file as a tree of texts."""
        cosine, sine, size = self.turn
        contacts = {}
        for name, c in zip(NAMES, self.contacts):
            (rx, ry), (tx, ty) = c.arm, c.along
            body = [(cosine * rx + sine * ry) / size, (cosine * ry - sine * rx) / size]
            foot = [self.at[0] + rx + ty * c.gap, self.at[1] + ry - tx * c.gap]
            scale = tx.denominator * ty.denominator
            law = {"type": "coulomb", "mu": number(c.mu)}
            if c.kind == "pressed":
                contacts[name] = {"pressed": number(c.press), "slip": slip(body, c), "law": law}
                continue
            through = [number(v) + (" + (%s)*t" % number(c.belt * along) if c.belt else "") for v, along in zip(foot, c.along)]
            line = {"through": through, "along": [number(v * scale) for v in c.along]}
            contacts[name] = {c.kind: {"point": {"on": "b", "at": [number(v) for v in body]}, "line": line}, "law": law}
        initial = {"x": number(self.at[0]), "y": number(self.at[1])}
        if self.turn != (1, 0, 1):
            initial["f"] = "atan2(%d, %d)" % (sine, cosine)
        if any(self.velocity):
            initial.update({k: number(v) for k, v in zip(("x'", "y'", "f'"), self.velocity)})
        return {"amontons": "1", "name": "body", "coordinates": ["x", "y", "f"],
                "bodies": {"b": {"mass": number(self.mass), "inertia": number(self.inertia), "at": ["x", "y"],
                                 "angle": "f"}},
                "loads": {"P": {"on": "b", "force": [number(v) for v in self.load[:2]]},
                          "M": {"on": "b", "moment": number(self.load[2])}},
                "contacts": contacts, "initial": initial}

    def mirrored(self):
        """The mirror image, x to -x; a line keeps its free side and so turns round."""
        other = State(self.design)
        other.mass, other.inertia, other.at = self.mass, self.inertia, (-self.at[0], self.at[1])
        other.contacts = [c.changed(arm=(-c.arm[0], c.arm[1]), along=(c.along[0], -c.along[1]), belt=-c.belt)
                          for c in self.contacts]
        other.load = [-self.load[0], self.load[1], -self.load[2]]
        other.velocity = [-self.velocity[0], self.velocity[1], -self.velocity[2]]
        other.turn = (self.turn[0], -self.turn[1], self.turn[2])
        return other


def tenths(chance, low, high, parts=20):
    return Fraction(chance.randint(low * parts, high * parts), parts)


def direction(chance):
    c, s, size = chance.choice(TURNS)
    return Fraction(c * chance.choice((1, -1)), size), Fraction(s * chance.choice((1, -1)), size)


def coefficient(chance):
    return chance.choice([ZERO, Fraction(1, 10), Fraction(3, 10), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4),
                          tenths(chance, 0, 1), tenths(chance, 0, 4)])


# ---- designs: where the contacts are --------------------------------------------------------------------------------

def anywhere(chance, count):
    return [((tenths(chance, -1, 1), tenths(chance, -1, 1)), direction(chance)) for _ in range(count)]


def feet(chance, count):
    """Points in a row on one line."""
    t, low = direction(chance), tenths(chance, 0, 1) + Fraction(1, 20)
    return [((t[0] * u + t[1] * low, t[1] * u - t[0] * low), t)
            for u in (tenths(chance, -1, 1, 10) for _ in range(count))]


def opposed(chance, count):
    """A drawer: feet on two lines that face each other."""
    found, t, wide = [], direction(chance), tenths(chance, 0, 1) + Fraction(1, 20)
    for i in range(count):
        side, u = (1, -1)[i % 2], tenths(chance, -1, 1, 10)
        found.append(((t[0] * u + side * t[1] * wide, t[1] * u - side * t[0] * wide), (side * t[0], side * t[1])))
    return found


def corner(chance, count):
    """Floor and wall at a right angle."""
    t, found = direction(chance), []
    for i in range(count):
        along = t if i % 2 == 0 else (-t[1], t[0])
        found.append(((tenths(chance, -1, 1), tenths(chance, -1, 1)), along))
    return found


def turned(along, small):
    """A direction turned by a small angle, rational again."""
    small = Fraction(small) / 2
    c, s = (1 - small**2) / (1 + small**2), 2 * small / (1 + small**2)
    return c * along[0] - s * along[1], s * along[0] + c * along[1]


def tilted(chance, count):
    """Lines that are nearly parallel, by 1e-2 to 1e-7."""
    found = chance.choice([feet, opposed])(chance, count)
    for i in range(1, count):
        small = Fraction(chance.choice([-1, 1]), 10**chance.randint(2, 7))
        found[i] = (found[i][0], turned(found[i][1], small))
    return found


def doubled(chance, count):
    """The same contact twice among others."""
    found = anywhere(chance, max(count - 1, 1))
    return found + [found[0]]


DESIGNS = {f.__name__: f for f in (anywhere, feet, opposed, corner, tilted, doubled)}


def velocity(chance, state):
    """A motion that no guide and no closed support forbids: zero, along all of them, about a point that stays, or leaving."""
    how = chance.choice(["rest", "rest", "slide", "pivot", "leave"])
    if how == "rest":
        return [ZERO] * 3
    rows = []
    for c in state.contacts:
        (tx, ty), (rx, ry) = c.along, c.arm
        nx, ny = -ty, tx
        if c.kind == "guide" or (c.gap == 0 and how != "leave"):
            rows.append([nx, ny, rx * ny - ry * nx])
        if how == "pivot" and c is state.contacts[0]:
            rows.append([tx, ty, rx * ty - ry * tx])
    _, basis = solve(rows, [ZERO] * len(rows), 3)
    if not basis:
        return [ZERO] * 3
    weights = [tenths(chance, -3, 3, 4) for _ in basis]
    motion = [dot(weights, [b[i] for b in basis]) for i in range(3)]
    while max(map(abs, motion)) > 10:  # lines that are nearly parallel meet far away
        motion = [v / 10 for v in motion]
    for c in state.contacts:  # those that would penetrate are turned round by the whole motion, or it is given up
        (tx, ty), (rx, ry) = c.along, c.arm
        rate = dot([-ty, tx, rx * tx + ry * ty], motion)
        if c.kind == "support" and c.gap == 0 and rate < 0:
            return [ZERO] * 3
    return motion


def random_state(seed):
    chance = random.Random("body-%d" % seed)
    design = chance.choice(sorted(DESIGNS))
    state = State(design)
    count = chance.choice([1, 2, 2, 3, 3, 4]) if design != "doubled" else chance.choice([2, 3])
    kinds = chance.choice([("support",), ("support",), ("guide",), ("guide", "support")])
    one = chance.random() < 0.4 and coefficient(chance)
    for arm, along in DESIGNS[design](chance, count):
        kind = chance.choice(kinds)
        if kind == "guide" and sum(c.kind == "guide" for c in state.contacts) == 2:
            kind = "support"
        gap = tenths(chance, 0, 1) if kind == "support" and chance.random() < 0.1 else ZERO
        state.contacts.append(Contact(kind, arm, along, coefficient(chance) if one is False else one, gap))
    state.mass, state.inertia = tenths(chance, 0, 3) + Fraction(1, 10), tenths(chance, 0, 1, 50) + Fraction(1, 100)
    state.load = [tenths(chance, -10, 10), tenths(chance, -10, 10), tenths(chance, -3, 3)]
    if chance.random() < 0.3:  # pressed against the first line by weight
        tx, ty = state.contacts[0].along
        state.load = [10 * ty + tenths(chance, -3, 3), -10 * tx + tenths(chance, -3, 3), ZERO]
    if chance.random() < 0.4:
        state.at = (tenths(chance, -2, 2), tenths(chance, -2, 2))
    if chance.random() < 0.3:
        state.turn = chance.choice(TURNS)
    state.velocity = velocity(chance, state)
    add_others(random.Random("others-%d" % seed), state)
    return state


def add_others(chance, state):
    """Beside supports and guides: sometimes a pressed contact, lines that run along themselves, or that are parallel all but 1e-9
    to 1e-15."""
    if chance.random() < 0.2 and state.design in ("feet", "opposed") and not any(state.velocity):
        state.limit = copy.copy(state)
        small = [Fraction(chance.choice([-1, 1]), 10**chance.randint(9, 15)) for _ in state.contacts]
        state.contacts = [c.changed(along=turned(c.along, s)) for c, s in zip(state.contacts, small)]
        return
    if chance.random() < 0.2 and len(state.contacts) < 4:
        contact = Contact("pressed", (tenths(chance, -1, 1), tenths(chance, -1, 1)), direction(chance), coefficient(chance))
        contact.press = tenths(chance, 0, 5)
        state.contacts.append(contact)
    if chance.random() < 0.15:
        for contact in state.contacts:
            contact.belt = chance.choice([ZERO, tenths(chance, -1, 1)])
