# SPDX-License-Identifier: Apache-2.0
"""Scenes of planar bodies: what they are, as a model file, and as input of the time stepper."""
import math

GRAVITY = 9.81


class Body:
    def __init__(self, mass, inertia, at, velocity=(0, 0, 0)):
        self.mass, self.inertia = mass, inertia
        self.at = tuple(at)              # x, y, angle
        self.velocity = tuple(velocity)


class Touch:
    """A one-sided contact. Bodies are numbered from 0; -1 is the ground, whose axes are those of space."""

    def __init__(self, shape, one, a, b, two, px, py, angle, mu, restitution):
        self.shape = shape                         # point, disc (above a line), pair (of discs), edge, post, segment: see stepper.c
        self.one, self.a, self.b = one, a, b       # the body above: its point, or radius a about its centre
        self.two, self.px, self.py = two, px, py   # the base: a point of its line, or radius px
        self.angle = angle                         # of the line in the axes of the base; the normal is +90 degrees from it
        self.mu, self.restitution = mu, restitution
        self.qx = self.qy = 0.0                    # the other end of a segment that begins at px, py
        self.gone = None                           # the time at which a line of the ground is taken away


def edge(touch):
    """Gap and slip of a point above a table with an end, or beside its face."""
    i, a, b = touch.one, touch.a, touch.b
    dx, dy = "(%r*cos(p%d) - %r*sin(p%d))" % (a, i, b, i), "(%r*sin(p%d) + %r*cos(p%d))" % (a, i, b, i)
    high, far = "(y%d + %s - %r)" % (i, dy, touch.py), "(x%d + %s - %r)" % (i, dx, touch.px)
    return {"support": "max(%s, %s)" % (high, far),
            "slip": "if(%s >= %s, x%d' - p%d'*%s, -(y%d' + p%d'*%s))" % (high, far, i, i, dy, i, i, dx)}


def post(touch):
    """Gap and slip of a box above a fixed point: which of its faces is the nearest?"""
    i = touch.one
    dx, dy = "(%r - x%d)" % (touch.px, i), "(%r - y%d)" % (touch.py, i)
    u, v = "(cos(p%d)*%s + sin(p%d)*%s)" % (i, dx, i, dy), "(cos(p%d)*%s - sin(p%d)*%s)" % (i, dy, i, dx)
    vx, vy = "(x%d' - p%d'*%s)" % (i, i, dy), "(y%d' + p%d'*%s)" % (i, i, dx)
    aside, above = "abs(%s) - %r" % (u, touch.a), "abs(%s) - %r" % (v, touch.b)
    return {"support": "max(%s, %s)" % (aside, above),
            "slip": "if(%s > %s, sign(%s)*(cos(p%d)*%s - sin(p%d)*%s), -sign(%s)*(cos(p%d)*%s + sin(p%d)*%s))" % (
                aside, above, u, i, vy, i, vx, v, i, vx, i, vy)}


EXPRESSIONS = {"edge": edge, "post": post}


class Scene:
    def __init__(self, kind, until):
        self.kind, self.until = kind, until
        self.bodies, self.touches = [], []
        self.shake = None  # (amplitude, frequency): the ground moves up by amplitude sin(frequency t)
        self.size = 0.2    # of a body, to compare places by

    # ---- building ------------------------------------------------------------------------------------------------
    def box(self, width, height, at, velocity=(0, 0, 0), mass=1.0):
        self.bodies.append(Body(mass, mass * (width**2 + height**2) / 12, at, velocity))
        return len(self.bodies) - 1

    def disc(self, radius, at, velocity=(0, 0, 0), mass=1.0):
        self.bodies.append(Body(mass, mass * radius**2 / 2, at, velocity))
        return len(self.bodies) - 1

    def point(self, one, a, b, two, px, py, angle, mu, restitution):
        self.touches.append(Touch("point", one, a, b, two, px, py, angle, mu, restitution))

    def round(self, one, radius, two, px, py, angle, mu, restitution):
        self.touches.append(Touch("disc", one, radius, 0, two, px, py, angle, mu, restitution))

    def pair(self, one, radius, two, other, mu, restitution):
        self.touches.append(Touch("pair", one, radius, 0, two, other, 0, 0, mu, restitution))

    def edge(self, one, a, b, px, py, mu, restitution):
        """A point of a body outside the table x <= px, y <= py."""
        self.touches.append(Touch("edge", one, a, b, -1, px, py, 0, mu, restitution))

    def post(self, one, a, b, px, py, mu, restitution):
        """A box of half sizes a and b outside the point px, py of the ground."""
        self.touches.append(Touch("post", one, a, b, -1, px, py, 0, mu, restitution))

    def segment(self, one, a, b, two, p, q, mu, restitution):
        """A point of a body above the line from p to q of another, the normal to the left of it."""
        touch = Touch("segment", one, a, b, two, p[0], p[1], math.atan2(q[1] - p[1], q[0] - p[0]), mu, restitution)
        touch.qx, touch.qy = q
        self.touches.append(touch)

    # ---- writing -------------------------------------------------------------------------------------------------
    def lift(self):
        return "%r*sin(%r*t)" % self.shake if self.shake else ""

    def model(self):
        """The model file as a tree; gap and normal force of every contact are outputs."""
        names = [k + str(i) for i in range(len(self.bodies)) for k in "xyp"]
        contacts, outputs = {}, {}
        for i, touch in enumerate(self.touches):
            contacts["c%d" % i] = dict(self.written(touch), restitution=repr(touch.restitution),
                                       law={"type": "coulomb", "mu": repr(touch.mu)})
            outputs["g%d" % i], outputs["n%d" % i] = "c%d.gap" % i, "c%d.normal" % i
        initial = {}
        for i, body in enumerate(self.bodies):
            for k, q, u in zip("xyp", body.at, body.velocity):
                initial["%s%d" % (k, i)], initial["%s%d'" % (k, i)] = repr(q), repr(u)
        return {"amontons": "1", "name": self.kind, "coordinates": names, "gravity": repr(GRAVITY),
                "bodies": {"b%d" % i: {"mass": repr(b.mass), "inertia": repr(b.inertia), "at": ["x%d" % i, "y%d" % i],
                                       "angle": "p%d" % i} for i, b in enumerate(self.bodies)},
                "contacts": contacts, "initial": initial, "outputs": outputs}

    def written(self, touch):
        """The gap, and the slip where geometry does not give it."""
        if touch.shape == "pair":
            one, two = touch.one, touch.two
            dx, dy = "(x%d - x%d)" % (one, two), "(y%d - y%d)" % (one, two)
            far = "hypot(%s, %s)" % (dx, dy)
            slip = "((x%d' - x%d')*%s - (y%d' - y%d')*%s)/%s + %r*p%d' + %r*p%d'" % (
                one, two, dy, one, two, dx, far, touch.a, one, touch.px, two)
            return {"support": "%s - %r" % (far, touch.a + touch.px), "slip": slip}
        if touch.shape == "disc":  # the ground only
            c, s, i = math.cos(touch.angle), math.sin(touch.angle), touch.one
            lift = " - " + self.lift() if self.shake else ""
            gap = "%r*(x%d - %r) + %r*(y%d - %r%s) - %r" % (-s, i, touch.px, c, i, touch.py, lift, touch.a)
            rate = " - %r*cos(%r*t)" % (self.shake[0] * self.shake[1], self.shake[1]) if self.shake else ""
            return {"support": gap, "slip": "%r*x%d' + %r*(y%d'%s) + %r*p%d'" % (c, i, s, i, rate, touch.a, i)}
        if touch.shape in ("edge", "post"):
            return EXPRESSIONS[touch.shape](touch)
        if touch.shape == "segment":
            ends = [self.place(touch.two, touch.px, touch.py), self.place(touch.two, touch.qx, touch.qy)]
            return {"support": {"point": self.place(touch.one, touch.a, touch.b), "segment": ends}}
        line = {"through": self.place(touch.two, touch.px, touch.py),
                "along": repr(touch.angle) if touch.two < 0 else "p%d + %r" % (touch.two, touch.angle)}
        if touch.gone is not None:
            line["through"][1] = "if(t < %r, %r, %r)" % (touch.gone, touch.py, touch.py - 10)
        return {"support": {"point": self.place(touch.one, touch.a, touch.b), "line": line}}

    def place(self, body, a, b):
        if body >= 0:
            return {"on": "b%d" % body, "at": [repr(a), repr(b)]}
        return [repr(a), repr(b) + (" + " + self.lift() if self.shake else "")]

    def stepped(self, step, scale=1.0):
        """Input of the time stepper; velocities at the start are scaled."""
        lines = ["gravity 0 %r" % -GRAVITY] + (["shake %r %r" % self.shake] if self.shake else [])
        for b in self.bodies:
            lines.append("body %r %r %s %s" % (b.mass, b.inertia, " ".join(map(repr, b.at)),
                                               " ".join(repr(v * scale) for v in b.velocity)))
        for t in self.touches:
            if t.shape in ("edge", "post"):
                lines.append("%s %d %r %r %r %r %r %r" % (t.shape, t.one, t.a, t.b, t.px, t.py, t.mu, t.restitution))
            elif t.shape == "segment":
                lines.append("segment %d %r %r %d %r %r %r %r %r %r" % (t.one, t.a, t.b, t.two, t.px, t.py, t.qx, t.qy, t.mu,
                                                                        t.restitution))
            elif t.shape == "point":
                lines.append("point %d %r %r %d %r %r %r %r %r" % (t.one, t.a, t.b, t.two, t.px, t.py, t.angle, t.mu,
                                                                   t.restitution))
            elif t.shape == "disc":
                lines.append("disc %d %r %d %r %r %r %r %r" % (t.one, t.a, t.two, t.px, t.py, t.angle, t.mu, t.restitution))
            else:
                lines.append("pair %d %r %d %r %r %r" % (t.one, t.a, t.two, t.px, t.mu, t.restitution))
            if t.gone is not None:
                lines.append("gone %r" % t.gone)
        return "\n".join(lines + ["run %r %r" % (self.until, step)]) + "\n"
