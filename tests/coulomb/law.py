# SPDX-License-Identifier: Apache-2.0
"""Coulomb's law on one planar rigid body, by trying every combination of modes in exact numbers.

Closed supports are open, stick or slip; guides stick or slip with a reaction of either sign; the normal force of a pressed contact
is given. For each combination the balance is linear, and its solutions are an affine set cut by inequalities (a point where the
contacts do not depend on each other).
"""
import copy
from itertools import product

from exact import ZERO, Programme, dot, solve


class Row:
    """What one contact does to the body: rows of normal and tangent, what its velocities leave in the accelerations."""

    def __init__(self, contact, velocity):
        (tx, ty), (rx, ry) = contact.along, contact.arm
        nx, ny = -ty, tx
        self.contact, self.mu, self.press = contact, contact.mu, contact.press
        self.normal, self.tangent = (nx, ny, rx * ny - ry * nx), (tx, ty, rx * ty - ry * tx)
        self.gap_rate, self.slip = dot(self.normal, velocity), dot(self.tangent, velocity) - contact.belt
        turn = velocity[2] ** 2
        self.normal_bias, self.tangent_bias = -turn * (nx * rx + ny * ry), -turn * (tx * rx + ty * ry)
        self.closed = contact.kind != "support" or (contact.gap == 0 and self.gap_rate == 0)

    def rounded(self):
        other = copy.copy(self)
        for name in ("normal", "tangent"):
            setattr(other, name, [float(v) for v in getattr(self, name)])
        for name in ("slip", "normal_bias", "tangent_bias", "mu", "press"):
            setattr(other, name, float(getattr(self, name)))
        return other

    def modes(self):
        """(what, direction of slip, sign of the reaction)"""
        found = [("open", 0, 0)] if self.contact.kind == "support" else []
        for side in (1, -1) if self.contact.kind == "guide" else (1,):
            if self.slip:
                found.append(("slip", 1 if self.slip > 0 else -1, side))
            else:
                found += [("slip", 1, side), ("slip", -1, side)] if self.contact.mu else [("smooth", 0, side)]
                found += [("stick", 0, side)] if self.contact.mu else []
        return found


class Piece:
    """Solutions of one combination of modes; `motion` is the only acceleration among them, or None."""

    def __init__(self, modes, motion, many=None, forces=None):
        self.modes, self.motion = modes, motion
        self.forces = forces  # where they are determined
        self.many = many  # (motion, changes, conditions) where there are many: motion + changes y, row y >= value

    def allows(self, motion, error):
        """Of many motions: is this one of them, but for such errors of accelerations?"""
        one, changes, conditions = self.many
        size = len(changes[0])
        rows = [([float(v) for v in row], float(value)) for row, value in conditions]
        rows = [([a / scale for a in row], (value - error) / scale) for row, value in rows
                for scale in [max([abs(a) for a in row] + [1e-9])]]
        for m, change, wanted in zip(one, changes, motion):
            row = [float(v) for v in change]
            for sign in (1, -1):
                rows.append(([sign * a for a in row], sign * (wanted - float(m)) - error))
        return Programme(rows, size, 1e-12).feasible


def narrowed(bound, one, basis):
    """A condition on unknowns x = one + basis y as (row, value): row y >= value."""
    at = [(k, v) for k, v in bound.items() if k is not None]
    return [sum(v * b[k] for k, v in at) for b in basis], -bound.get(None, 0) - sum(v * one[k] for k, v in at)


class Balance:
    """Accelerations of the body as affine functions of unknown forces, and the solutions of every combination of modes."""

    def __init__(self, state, quick):
        self.state = state
        self.rows = [Row(c, state.velocity) for c in state.contacts]
        self.closed = [row for row in self.rows if row.closed]
        self.inverse = (1 / state.mass, 1 / state.mass, 1 / state.inertia)
        self.load = state.load
        self.rough = self.rounded() if quick else None

    def rounded(self):
        """The same in floating point; what is zero stays zero."""
        other = copy.copy(self)
        other.closed = [row.rounded() for row in self.closed]
        other.inverse, other.load = [float(v) for v in self.inverse], [float(v) for v in self.load]
        return other

    def assemble(self, modes):
        """Columns of the unknowns, equations and conditions on accelerations (row, bias), conditions on unknowns (the key None
        is a constant), forces that are known."""
        columns, equations, signs, bounds, known = [], [], [], [], list(self.load)
        for row, (what, direction, side) in zip(self.closed, modes):
            if what == "open":
                signs.append((row.normal, row.normal_bias))
                continue
            mu, at = row.mu, len(columns)
            if what == "slip" and not row.slip:
                signs.append(([direction * t for t in row.tangent], direction * row.tangent_bias))
            if row.contact.kind == "pressed":
                if what == "stick":
                    columns.append(row.tangent)
                    equations.append((row.tangent, row.tangent_bias))
                    bounds += [{None: mu * row.press, at: -1}, {None: mu * row.press, at: 1}]
                else:
                    known = [k - direction * mu * row.press * t for k, t in zip(known, row.tangent)]
                continue
            equations.append((row.normal, row.normal_bias))
            bounds.append({at: side})
            if what == "stick":
                columns += [row.normal, row.tangent]
                equations.append((row.tangent, row.tangent_bias))
                bounds += [{at: mu * side, at + 1: -1}, {at: mu * side, at + 1: 1}]
            else:
                friction = -direction * mu * side
                columns.append([n + friction * t for n, t in zip(row.normal, row.tangent)])
        return columns, equations, signs, bounds, known

    def reduce(self, modes, small=0):
        """The solutions of the equations, and what is left of the conditions: None, or (motion, its changes, signs, bounds)
        with motion + changes y, and row y >= value for every (row, value)."""
        columns, equations, signs, bounds, known = self.assemble(modes)
        size, free = len(columns), [a * b for a, b in zip(known, self.inverse)]
        gain = [[column[i] * self.inverse[i] for column in columns] for i in range(3)]

        def over(row):  # row . acceleration as coefficients of the unknowns
            return [dot(row, [gain[i][k] for i in range(3)]) for k in range(size)]
        solved = solve([over(row) for row, _ in equations], [-bias - dot(row, free) for row, bias in equations], size, small)
        if solved is None:
            return None
        one, basis = solved
        motion = [f + dot(g, one) for f, g in zip(free, gain)]
        changes = [[dot(g, b) for b in basis] for g in gain]
        signs = [([dot(row, [c[k] for c in changes]) for k in range(len(basis))], -bias - dot(row, motion))
                 for row, bias in signs]
        bounds = [narrowed(bound, one, basis) for bound in bounds]
        return motion, changes, signs, bounds, one

    def forces(self, modes, unknowns):
        """Reaction and friction of every contact that presses."""
        found, left = [], list(unknowns)
        for row, (what, direction, side) in zip(self.closed, modes):
            if what == "open":
                found.append((ZERO, ZERO))
            elif row.contact.kind == "pressed":
                found.append((row.press, left.pop(0) if what == "stick" else -direction * row.mu * row.press))
            else:
                normal = left.pop(0)
                found.append((normal, left.pop(0) if what == "stick" else -direction * row.mu * side * normal))
        return tuple(found)

    def far_off(self, modes):
        """In floating point: is this combination impossible by far?"""
        reduced = self.reduce(modes, 1e-11)
        if reduced is None:
            return True
        conditions = [(row, value - 1e-6) for row, value in reduced[2] + reduced[3]]
        if any(value > 0 and all(abs(a) < 1e-9 for a in row) for row, value in conditions):
            return True
        return bool(reduced[1][0]) and not Programme(conditions, len(reduced[1][0]), 1e-12).feasible

    def piece(self, modes):
        if self.rough and self.rough.far_off(modes):
            return None
        reduced = self.reduce(modes)
        if reduced is None:
            return None
        motion, changes, signs, bounds = reduced[:4]
        size = len(changes[0])
        if any(value == 0 and not any(row) for row, value in signs):
            return None  # the same motion is found where this contact sticks, or is closed
        if any(value > 0 and not any(row) for row, value in signs + bounds):
            return None
        if not size:
            return Piece(modes, motion, forces=self.forces(modes, reduced[4]))
        programme = Programme(signs + bounds, size)
        if not programme.feasible:
            return None
        if not any(map(any, changes)):
            return Piece(modes, motion)
        if not all(programme.constant(row) for row in changes):
            return Piece(modes, None, (motion, changes, signs + bounds))
        return Piece(modes, [m + programme.largest(row) for m, row in zip(motion, changes)])

    def pieces(self):
        found = (self.piece(modes) for modes in product(*(row.modes() for row in self.closed)))
        return [piece for piece in found if piece]

    def holds(self):
        """At rest: is there a share of the load that every contact can carry?"""
        guides = [row for row in self.closed if row.contact.kind == "guide"]
        for sides in product((1, -1), repeat=len(guides)):
            chosen = iter(sides)
            modes = [("stick", 0, next(chosen) if row.contact.kind == "guide" else 1) for row in self.closed]
            columns, _, _, bounds, known = self.assemble(modes)
            solved = solve([list(line) for line in zip(*columns)] if columns else [[], [], []], [-f for f in known],
                           len(columns))
            if solved is None:
                continue
            one, basis = solved
            reduced = [narrowed(bound, one, basis) for bound in bounds]
            if Programme(reduced, len(basis)).feasible if basis else all(v <= 0 for _, v in reduced):
                return True
        return False


def impact_modes(row):
    """(what, direction of slip after it, sign of the impulse)"""
    found = [("open", 0, 0)] if row.contact.kind == "support" else []
    for side in (1, -1) if row.contact.kind == "guide" else (1,):
        found += [("stick", 0, side), ("slip", 1, side), ("slip", -1, side)]
    return found


def impact_possible(balance, rows, modes):
    """Are there impulses, each in its cone, after which contacts stand, slip and open as these modes say?"""
    columns, equations, signs, bounds = [], [], [], []
    for row, (what, direction, side) in zip(rows, modes):
        at = len(columns)
        if what == "open":
            signs.append((row.normal, ZERO))
            continue
        equations.append((row.normal, ZERO))
        bounds.append({at: side})
        if what == "stick":
            columns += [row.normal, row.tangent]
            equations.append((row.tangent, -row.contact.belt))
            bounds += [{at: row.mu * side, at + 1: -1}, {at: row.mu * side, at + 1: 1}]
        else:
            columns.append([n - direction * row.mu * side * t for n, t in zip(row.normal, row.tangent)])
            signs.append(([direction * t for t in row.tangent], -direction * row.contact.belt))

    def over(row):  # what impulses do to a rate
        return [sum(a * c * i for a, c, i in zip(row, column, balance.inverse)) for column in columns]
    before = balance.state.velocity
    solved = solve([over(row) for row, _ in equations], [-bias - dot(row, before) for row, bias in equations], len(columns))
    if solved is None:
        return False
    one, basis = solved
    left = [([dot(over(row), b) for b in basis], -bias - dot(row, before) - dot(over(row), one)) for row, bias in signs]
    left += [narrowed(bound, one, basis) for bound in bounds]
    return Programme(left, len(basis)).feasible if basis else all(value <= 0 for _, value in left)


def can_stop(state):
    """Where no acceleration exists: is there an impact in which a slip ends or turns round? Else nothing can follow: a body that is
    wedged on a belt that runs on."""
    balance = Balance(state, False)
    rows = [row for row in balance.closed if row.contact.kind != "pressed"]
    for modes in product(*(impact_modes(row) for row in rows)):
        ends = any(row.slip and what != "open" and (what == "stick" or direction * row.slip < 0)
                   for row, (what, direction, _) in zip(rows, modes))
        if ends and impact_possible(balance, rows, modes):
            return True
    return False


class Verdict:
    """Every acceleration that Coulomb's law allows. Quick: combinations of modes that are impossible by far, as floating point
    says, are not looked at again in exact numbers."""

    def __init__(self, state, quick=True):
        balance = Balance(state, quick)
        self.pieces = balance.pieces()
        self.motions = []
        for piece in self.pieces:
            if piece.motion is not None and piece.motion not in self.motions:
                self.motions.append(piece.motion)
        self.continuum = any(piece.motion is None for piece in self.pieces)
        self.ways = len({tuple(piece.motion) + piece.forces for piece in self.pieces if piece.forces}) - len(
            {tuple(piece.motion) for piece in self.pieces if piece.forces})  # other forces, the same motion
        self.at_rest = not any(state.velocity) and not any(c.belt for c in state.contacts)
        self.holds = self.at_rest and balance.holds()
        guides = [row for row in balance.closed if row.contact.kind == "guide"]  # do they contradict each other, whatever the forces?
        self.locked = solve([row.normal for row in guides], [-row.normal_bias for row in guides], 3) is None
        normals = [row.normal for row in balance.closed if row.contact.kind != "pressed"]
        self.shared = bool(solve([list(line) for line in zip(*normals)] if normals else [[]] * 3, [ZERO] * 3,
                                 len(normals))[1])  # normals depend on each other: reactions are not determined

    def kind(self):
        if self.continuum:
            return "continuum"
        return ("none", "unique", "several")[min(len(self.motions) + self.ways, 2)]

    def rest(self):
        """The verdict on a body at rest."""
        others = self.continuum or any(any(m) for m in self.motions)
        if self.holds:
            return "several" if others else "holds"
        return "several" if self.continuum or len(self.motions) > 1 else "starts" if self.motions else "none"
