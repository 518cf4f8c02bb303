# SPDX-License-Identifier: Apache-2.0
"""A recorded motion held against the laws: balance of forces, gaps, Coulomb's friction, impacts, energy. It reads the samples that
the program wrote and nothing else; rows of contacts are written here once more."""
import math

from exact import Programme, solve
from scene import GRAVITY

SMALL = 1e-7  # relative, of lengths, speeds and forces in the record
CLOSED = 1e-9  # a gap that may be closed [m]; one that is not and stays behind is penetrated, and seen so, later


class Rows:
    """One contact at one instant: gap, and what gap rate and slip are made of."""

    def __init__(self, scene, touch, q, u, t):
        lift, rate, self.torn = 0.0, 0.0, False  # torn: at this very instant the contact changes its face, or goes
        if scene.shake:
            a, w = scene.shake
            lift, rate = a * math.sin(w * t), a * w * math.cos(w * t)
        place = [self.point(q, touch.one, touch.a, touch.b, lift), None]
        if touch.shape == "pair":
            dx, dy = (q[3 * touch.one + k] - q[3 * touch.two + k] for k in (0, 1))
            far = math.hypot(dx, dy)
            n = (dx / far, dy / far)
            self.tangent = (n[1], -n[0])
            self.gap = far - touch.a - touch.px
            place[0] = [q[3 * touch.two + k] + touch.px * n[k] for k in (0, 1)]
        elif touch.shape == "edge":
            far, high = place[0][0] - touch.px, place[0][1] - touch.py
            n = (0.0, 1.0) if high >= far else (1.0, 0.0)
            self.gap, self.tangent, self.torn = max(far, high), (n[1], -n[0]), abs(far - high) < SMALL
        elif touch.shape == "post":
            x, y, p = q[3 * touch.one:3 * touch.one + 3]
            place[0], c, s = [touch.px, touch.py], math.cos(p), math.sin(p)
            along, across = c * (touch.px - x) + s * (touch.py - y), c * (touch.py - y) - s * (touch.px - x)
            aside, above = abs(along) - touch.a, abs(across) - touch.b
            out = math.copysign(1.0, along if aside > above else across)
            n = (-out * c, -out * s) if aside > above else (out * s, -out * c)
            self.gap, self.tangent, self.torn = max(aside, above), (n[1], -n[0]), abs(aside - above) < SMALL
        else:
            turn = touch.angle + (q[3 * touch.two + 2] if touch.two >= 0 else 0.0)
            self.tangent = (math.cos(turn), math.sin(turn))
            n = (-self.tangent[1], self.tangent[0])
            taken, self.torn = touch.gone is not None and t >= touch.gone, t == touch.gone
            base = self.point(q, touch.two, touch.px, touch.py - (10 if taken else 0), lift)
            if touch.shape == "disc":
                place[0] = [q[3 * touch.one + k] - touch.a * n[k] for k in (0, 1)]
            self.gap = sum(n[k] * (place[0][k] - base[k]) for k in (0, 1))
            if touch.shape == "segment":
                along = sum(self.tangent[k] * (place[0][k] - base[k]) for k in (0, 1))
                room = min(along, math.hypot(touch.qx - touch.px, touch.qy - touch.py) - along)
                self.torn = abs(room) < SMALL
                if room < -SMALL or self.gap < -CLOSED:  # beside it, or under it: the end of the motion tells whether it may be
                    self.gap = max(abs(self.gap), 2 * SMALL)
        self.normal_row = self.row(q, touch, place[0], n)
        self.slip_row = self.row(q, touch, place[0], self.tangent)
        ground = ((touch.one < 0) - (touch.two < 0)) * rate
        self.rate = sum(a * b for a, b in zip(self.normal_row, u)) + ground * n[1]
        self.slip = sum(a * b for a, b in zip(self.slip_row, u)) + ground * self.tangent[1]

    @staticmethod
    def point(q, body, a, b, lift):
        if body < 0:
            return [a, b + lift]
        x, y, p = q[3 * body:3 * body + 3]
        return [x + math.cos(p) * a - math.sin(p) * b, y + math.sin(p) * a + math.cos(p) * b]

    @staticmethod
    def row(q, touch, place, direction):
        """d (direction . velocity of `one` at the place against `two` there) / d velocities"""
        out = [0.0] * len(q)
        for body, sign in ((touch.one, 1.0), (touch.two, -1.0)):
            if body >= 0:
                arm = [place[k] - q[3 * body + k] for k in (0, 1)]
                out[3 * body:3 * body + 3] = [sign * direction[0], sign * direction[1],
                                              sign * (arm[0] * direction[1] - arm[1] * direction[0])]
        return out


class Record:
    """The samples of a run, and which contacts were struck when."""

    def __init__(self, scene, samples, events):
        self.scene, self.struck = scene, {}
        for event in events:
            if event.get("contact") and event["kind"] in ("closing", "touch", "accumulation"):
                self.struck.setdefault(event["t"], {})[int(event["contact"][1:])] = event["kind"]
        names = [k + str(i) for i in range(len(scene.bodies)) for k in "xyp"]
        self.t = samples["t"]
        self.q, self.u, self.a = ([list(v) for v in zip(*(samples[n + mark] for n in names))] for mark in ("", "'", "''"))
        count = range(len(scene.touches))
        self.normal, self.gap = ([list(v) for v in zip(*(samples["%s%d" % (k, i)] for i in count))] for k in "ng")
        self.slip, self.friction = ([list(v) for v in zip(*(samples["c%d.%s" % (i, k)] for i in count))]
                                    for k in ("slip", "force"))
        self.masses = [m for b in scene.bodies for m in (b.mass, b.mass, b.inertia)]
        self.weight = sum(b.mass for b in scene.bodies) * GRAVITY

    def rows(self, k):
        return [Rows(self.scene, touch, self.q[k], self.u[k], self.t[k]) for touch in self.scene.touches]

    def seen_closed(self, number, k):
        """The last time before sample k at which a contact may have been closed."""
        return max((t for t, gap in zip(self.t[:k], self.gap[:k]) if t < self.t[k] and gap[number] <= CLOSED), default=self.t[0])

    def energy(self, k):
        kinetic = sum(m * v * v for m, v in zip(self.masses, self.u[k])) / 2
        return kinetic + sum(b.mass * GRAVITY * self.q[k][3 * i + 1] for i, b in enumerate(self.scene.bodies))


def instant(record, k):
    """The first law that is broken at sample k, or None."""
    rows = record.rows(k)
    if any(row.torn for row in rows):
        return None
    speed = SMALL * (1 + max(map(abs, record.u[k])))
    force = SMALL * (record.weight + max(record.normal[k], default=0.0))
    left = [m * a for m, a in zip(record.masses, record.a[k])]
    for i, body in enumerate(record.scene.bodies):
        left[3 * i + 1] += body.mass * GRAVITY
    for touch, row, n, f in zip(record.scene.touches, rows, record.normal[k], record.friction[k]):
        if row.gap < -SMALL:
            return "a support is penetrated by %.2g" % -row.gap
        if n < -force:
            return "a support pulls with %.2g" % -n
        if row.gap > SMALL and (n > force or abs(f) > force):
            return "an open support pushes"
        if n > force and abs(row.rate) > speed:
            return "a support that pushes has the gap rate %.2g" % row.rate
        if abs(f) > touch.mu * n + force:
            return "friction above its bound by %.2g" % (abs(f) - touch.mu * n)
        if abs(row.slip) > speed and abs(f + math.copysign(touch.mu * n, row.slip)) > force:
            return "friction of slip is not its bound"
        left = [v - a * n - b * f for v, a, b in zip(left, row.normal_row, row.slip_row)]
    return "balance of forces, by %.2g" % max(map(abs, left)) if max(map(abs, left)) > 10 * force else None


def impact(record, k):
    """Velocities jump between samples k and k + 1: which law of impact is broken, or None. Are there impulses, each in its cone,
    with Newton's law where they act?"""
    before, after = record.rows(k), record.rows(k + 1)
    speed = SMALL * (1 + max(map(abs, record.u[k])))
    if any(row.torn for row in before + after):
        return None
    jump = [m * (v - u) for m, u, v in zip(record.masses, record.u[k], record.u[k + 1])]
    if max(abs(v - u) for u, v in zip(record.u[k], record.u[k + 1])) <= 100 * speed:
        return None  # too small to be judged by the digits of the record
    columns, conditions = [], []
    doubt = 1e-5  # of the largest impulse
    struck = record.struck.get(record.t[k], {})
    alone = record.t[max(k - 1, 0):k + 3].count(record.t[k]) == 2  # else others follow at the same instant
    for number, (touch, old, new) in enumerate(zip(record.scene.touches, before, after)):
        if old.gap > CLOSED:
            continue
        target = -touch.restitution * min(old.rate, 0)
        if struck.get(number) == "accumulation":  # no rebound after a flight as low as gaps are known
            height = -old.rate * (record.t[k] - record.seen_closed(number, k))
            if height > CLOSED:
                return "bounces end early: after a flight of some %.2g" % height
            target = 0.0
        if alone and number in struck and new.rate < target - speed:
            return "Newton: gap rate %.3g after %.3g, restitution %g" % (new.rate, old.rate, touch.restitution)
        if abs(new.rate - target) > speed:
            continue  # it may not act; one that was leaving and acts is held
        at = len(columns)
        columns += [new.normal_row, new.slip_row]
        conditions.append({at: 1.0})
        if abs(new.slip) > speed:
            sense = math.copysign(1.0, new.slip)
            conditions += [{at: touch.mu, at + 1: sense}, {at: -touch.mu, at + 1: -sense}]
        else:
            conditions += [{at: touch.mu, at + 1: 1.0}, {at: touch.mu, at + 1: -1.0}]
    return None if possible(columns, jump, conditions, doubt) else "no impulses within their cones give this jump"


def possible(columns, right, conditions, doubt):
    """Is there x with columns x = right and every condition (coefficients by number) not negative, all but `doubt`?"""
    size, scale = len(columns), max(map(abs, right))
    solved = solve([[c[i] for c in columns] for i in range(len(right))], [v / scale for v in right], size, 1e-10)
    if solved is None:
        return False
    one, basis = solved
    reduced = [([sum(v * b[k] for k, v in c.items()) for b in basis], -doubt - sum(v * one[k] for k, v in c.items()))
               for c in conditions]
    if not basis:
        return all(value <= 0 for _, value in reduced)
    return Programme(reduced, len(basis), 1e-12).feasible


def broken(record):
    """Complaints (class, detail) about the whole record, one of each class."""
    found, gained = {}, 0.0
    size = max(abs(record.energy(0)), record.weight * 0.1)
    for k, t in enumerate(record.t):
        what = instant(record, k)
        if what:
            found.setdefault("law: " + what.split(" by ")[0].split(" with ")[0].split(" has ")[0], "%s at t = %.9g" % (what, t))
        if k + 1 == len(record.t):
            break
        if record.t[k + 1] == t:
            what = impact(record, k)
            if what:
                found.setdefault("impact: " + what.split(":")[0], "%s at t = %.9g" % (what, t))
        elif not record.scene.shake:
            gained = max(gained, (record.energy(k + 1) - record.energy(k)) / size)
    if gained > 1e-7:
        found["law: energy is gained in motion"] = "%.2g of it" % gained
    return list(found.items())
