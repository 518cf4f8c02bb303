# SPDX-License-Identifier: Apache-2.0
"""Random scenes, as somebody who tries the program first would write them."""
import math
import random

from scene import Scene

FLAT = 0.0


class Hand:
    """Chance, with the numbers a hand would write."""

    def __init__(self, seed):
        self.chance = random.Random("scene-%d" % seed)

    def between(self, low, high, digits=2):
        return round(self.chance.uniform(low, high), digits)

    def pick(self, *values):
        return self.chance.choice(values)

    def rough(self):
        return self.pick(0.0, 0.2, 0.4, 0.6, self.between(0, 1))

    def bounce(self):
        return self.pick(0.0, 0.0, 0.2, 0.5, self.between(0, 0.8))


def corners(width, height):
    return [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]


def thrown_box(hand):
    """A box falls on the floor; every corner may touch it."""
    scene, w, h = Scene("thrown-box", 2.0), hand.between(0.1, 0.3), hand.between(0.1, 0.3)
    mu, e = hand.rough(), hand.bounce()
    at = (0.0, hand.between(0.2, 0.5), hand.pick(0.0, hand.between(-1.5, 1.5)))
    box = scene.box(w, h, at, (hand.between(-2, 2), hand.between(-1, 1), hand.pick(0.0, hand.between(-5, 5))))
    for a, b in corners(w, h):
        scene.point(box, a, b, -1, 0.0, 0.0, FLAT, mu, e)
    return scene


def thrown_disc(hand):
    scene, r = Scene("thrown-disc", 2.0), hand.between(0.05, 0.2)
    disc = scene.disc(r, (0.0, r + hand.pick(0.0, hand.between(0, 0.5)), 0.0),
                      (hand.between(-2, 2), 0.0, hand.pick(0.0, hand.between(-20, 20))))
    scene.round(disc, r, -1, 0.0, 0.0, FLAT, hand.rough(), hand.bounce())
    return scene


def put_on(scene, upper, w, h, lower, top, mu, e):
    """The lower corners of a box above the top line of another, or above the floor."""
    for a in (-w / 2, w / 2):
        scene.point(upper, a, -h / 2, lower, 0.0, top, FLAT, mu, e)


def stack(hand):
    """2 to 5 boxes above each other, set down, dropped, slightly askew or turned."""
    scene, count, w, h = Scene("stack", 1.5), hand.pick(2, 3, 4, 5), 0.2, hand.pick(0.1, 0.2)
    mu, e = hand.pick(0.2, 0.4, 0.8), hand.pick(0.0, 0.0, 0.2, 0.5)
    gap, askew, turned = hand.pick(0.0, 0.01, 0.02), hand.pick(0.0, 0.02), hand.pick(0.0, 0.0, 0.05)
    gap += 0.0125 if turned else 0.0  # room for their corners
    for i in range(count):
        aside, turn = round(askew * hand.between(-1, 1), 4), round(turned * hand.between(-1, 1), 4)
        box = scene.box(w, h, (aside, round((i + 0.5) * h + (i + 1) * gap, 4), turn))
        put_on(scene, box, w, h, box - 1, h / 2 if box else 0.0, mu, e)
    return scene


def pushed_stack(hand):
    """A stack at rest whose uppermost or lowest box is struck."""
    scene = stack(hand)
    scene.kind = "pushed-stack"
    scene.bodies[hand.pick(0, -1)].velocity = (hand.between(-1.5, 1.5), 0.0, 0.0)
    return scene


def corner(hand):
    """A box slides or falls into a corner of floor and wall."""
    scene, w, h = Scene("corner", 1.5), hand.pick(0.2, 0.3), hand.pick(0.1, 0.2)
    mu, e = hand.rough(), hand.bounce()
    high = hand.pick(0.0, 0.0, 0.1)
    box = scene.box(w, h, (w / 2 + hand.between(0.05, 0.5), h / 2 + high + (0.0 if not high else 0.05), 0.0 if not high else
                           hand.pick(0.0, hand.between(-0.3, 0.3))), (hand.between(-3, -0.5), 0.0, 0.0))
    wall, bounce = hand.pick(0.0, mu), hand.pick(e, hand.bounce())
    for a, b in corners(w, h):
        scene.point(box, a, b, -1, 0.0, 0.0, FLAT, mu, e)
        scene.point(box, a, b, -1, 0.0, 0.0, -math.pi / 2, wall, bounce)
    return scene


def between_walls(hand):
    """A disc runs to and fro between two walls."""
    scene, r, far = Scene("between-walls", 2.0), 0.1, hand.between(0.3, 1)
    disc = scene.disc(r, (0.0, r + hand.pick(0.0, 0.2), 0.0), (hand.between(-3, 3), 0.0, 0.0))
    mu, e = hand.rough(), hand.pick(0.5, 0.8, 1.0)
    scene.round(disc, r, -1, 0.0, 0.0, FLAT, mu, hand.bounce())
    scene.round(disc, r, -1, -far, 0.0, -math.pi / 2, hand.pick(0.0, mu), e)
    scene.round(disc, r, -1, far, 0.0, math.pi / 2, hand.pick(0.0, mu), e)
    return scene


def slope(hand):
    """A box set down on, or thrown at, a slope."""
    al, w, h = hand.between(0.1, 0.6), hand.pick(0.2, 0.3), hand.pick(0.1, 0.2, 0.28)
    scene, mu, e, high = Scene("slope", 1.0), hand.between(0.1, 0.9), hand.bounce(), hand.pick(0.0, 0.01, 0.05)
    up, speed = h / 2 + high, hand.pick(0.0, hand.between(-1, 1))
    box = scene.box(w, h, (up * math.sin(al), up * math.cos(al), -al + (hand.pick(0.0, 0.1) if high == 0.05 else 0.0)),
                    (speed * math.cos(al), -speed * math.sin(al), 0.0))
    for a, b in corners(w, h):
        scene.point(box, a, b, -1, 0.0, 0.0, -al, mu, e)
    return scene


def plank(hand):
    """A plank lies on two trestles; a weight stands on it or is dropped on it."""
    scene, length, thick = Scene("plank", 1.0), 1.0, 0.04
    mu, e = hand.pick(0.3, 0.6), hand.pick(0.0, 0.0, 0.2)
    beam = scene.box(length, thick, (0.0, thick / 2, 0.0))
    for x in (-hand.between(0.1, 0.4), hand.between(0.1, 0.4)):  # the trestles are points of the ground under its lower face
        scene.point(-1, x, 0.0, beam, 0.0, -thick / 2, math.pi, mu, e)
    for a in (-length / 2, length / 2):  # the floor, far below
        for b in (-thick / 2, thick / 2):
            scene.point(beam, a, b, -1, 0.0, -0.3, FLAT, mu, e)
    w = h = 0.1
    weight = scene.box(w, h, (hand.between(-0.45, 0.45), thick + h / 2 + hand.pick(0.0, 0.05), 0.0), mass=hand.pick(1.0, 3.0))
    put_on(scene, weight, w, h, beam, thick / 2, mu, e)
    return scene


def row_of_discs(hand):
    """Discs in a row on the floor, struck at one end."""
    scene, r, count = Scene("row-of-discs", 1.0), 0.05, hand.pick(3, 4, 5)
    gap, mu, e = hand.pick(0.0, 0.001, 0.02), hand.pick(0.0, 0.0, 0.3), hand.pick(0.0, 0.5, 1.0)
    for i in range(count):
        scene.disc(r, (round(i * (2 * r + gap) - (0.1 if i == 0 else 0), 4), r, 0.0),
                   (hand.between(1, 3) if i == 0 else 0.0, 0.0, 0.0))
        scene.round(i, r, -1, 0.0, 0.0, FLAT, mu, 0.0)
        if i:
            scene.pair(i - 1, r, i, r, hand.pick(0.0, mu), e)
    return scene


def row_of_boxes(hand):
    """Boxes in a row on the floor, the first one pushed into the others."""
    scene, w, h, count = Scene("row-of-boxes", 1.0), 0.2, 0.1, hand.pick(2, 3, 4)
    gap, mu, e = hand.pick(0.0, 0.02), hand.pick(0.1, 0.3), hand.pick(0.0, 0.5, 1.0)
    for i in range(count):
        box = scene.box(w, h, (round(i * (w + gap) - (0.1 if i == 0 else 0), 4), h / 2, 0.0),
                        (hand.between(1, 3) if i == 0 else 0.0, 0.0, 0.0))
        put_on(scene, box, w, h, -1, 0.0, mu, 0.0)
        if i:
            for b in (-h / 2, h / 2):
                scene.point(i, -w / 2, b, i - 1, w / 2, 0.0, -math.pi / 2, 0.0, e)
    return scene


def shaken(hand):
    """A box or a disc on a table that is shaken."""
    scene, h = Scene("shaken", 1.0), 0.1
    scene.shake = (hand.pick(0.005, 0.01, 0.02), hand.between(10, 40, 0))
    rise = scene.shake[0] * scene.shake[1]
    mu, e = hand.pick(0.2, 0.4), hand.pick(0.0, 0.0, 0.3)
    if hand.pick(True, False):
        box = scene.box(0.2, h, (0.0, h / 2, 0.0), (hand.pick(0.0, 0.5), rise, 0.0))
        put_on(scene, box, 0.2, h, -1, 0.0, mu, e)
    else:
        disc = scene.disc(h, (0.0, h, 0.0), (hand.pick(0.0, 0.5), rise, 0.0))
        scene.round(disc, h, -1, 0.0, 0.0, FLAT, mu, e)
    return scene


def pile_of_discs(hand):
    """Discs fall on one another between two walls."""
    scene, count = Scene("pile-of-discs", 1.0), hand.pick(2, 3, 4)
    mu, e, radii = hand.pick(0.0, 0.3, 0.5), hand.pick(0.0, 0.2, 0.5), []
    for i in range(count):
        r = hand.between(0.05, 0.1)
        radii.append(r)
        scene.disc(r, (hand.between(-0.12, 0.12), round(0.12 + 0.22 * i, 4), 0.0))
        scene.round(i, r, -1, 0.0, 0.0, FLAT, mu, e)
        scene.round(i, r, -1, -0.25, 0.0, -math.pi / 2, mu, e)
        scene.round(i, r, -1, 0.25, 0.0, math.pi / 2, mu, e)
        for k in range(i):
            scene.pair(k, radii[k], i, r, mu, e)
    return scene


def pile_of_boxes(hand):
    """Boxes dropped one on the other, turned and aside."""
    scene, count, w, h = Scene("pile-of-boxes", 1.5), hand.pick(2, 3), 0.2, 0.1
    mu, e = hand.pick(0.3, 0.6), hand.pick(0.0, 0.2)
    for i in range(count):
        box = scene.box(w, h, (hand.between(-0.05, 0.05), round(0.1 + 0.2 * i, 4), hand.between(-0.4, 0.4)))
        put_on(scene, box, w, h, box - 1, h / 2 if box else 0.0, mu, e)
    return scene


def bystanders(hand):
    """Boxes at rest while a disc drops far from them."""
    scene, count, w, h = Scene("bystanders", 1.0), hand.pick(1, 2, 3, 4), 0.2, 0.1
    for i in range(count):
        put_on(scene, scene.box(w, h, (float(i), h / 2, 0.0)), w, h, -1, 0.0, 0.4, 0.0)
    disc = scene.disc(0.1, (-5.0, hand.between(0.15, 0.4), 0.0), (hand.between(-1, 1), 0.0, 0.0))
    scene.round(disc, 0.1, -1, 0.0, 0.0, FLAT, hand.rough(), hand.pick(0.0, 0.5, 0.8))
    return scene


def table_edge(hand):
    """A box slides on a table, and over its edge; the edge may hold its lower face."""
    scene, w, h = Scene("table-edge", 0.8), 0.2, hand.pick(0.1, 0.2)
    mu, e = hand.pick(0.1, 0.3, 0.5), hand.pick(0.0, 0.0, 0.2)
    box = scene.box(w, h, (hand.between(-0.5, -0.05), h / 2 + hand.pick(0.0, 0.0, 0.02), 0.0), (hand.between(0.2, 2), 0.0, 0.0))
    for a, b in corners(w, h)[:2]:
        scene.edge(box, a, b, 0.0, 0.0, mu, e)
    scene.post(box, w / 2, h / 2, 0.0, 0.0, mu, e)
    return scene


def lost_leg(hand):
    """A table on three or four legs, one of which is taken away."""
    scene, high = Scene("lost-leg", 1.2), hand.pick(0.3, 0.5)
    table = scene.box(0.8, 0.3, (0.0, high, 0.0))
    feet = sorted(hand.between(-0.4, 0.4) for _ in range(hand.pick(2, 3, 4)))
    mu, e = hand.pick(0.3, 0.6), hand.pick(0.0, 0.2)
    for a in feet:
        scene.point(table, a, -high, -1, 0.0, 0.0, FLAT, mu, e)
    scene.touches[hand.pick(0, -1)].gone = hand.pick(0.2, 0.5)
    for a in (-0.4, 0.4):  # what falls lies on the floor in the end
        scene.point(table, a, 0.15, -1, 0.0, 0.0, FLAT, mu, e)
    return scene


KINDS = [thrown_box, thrown_disc, stack, pushed_stack, corner, between_walls, slope, plank, row_of_discs, row_of_boxes, shaken,
         pile_of_discs, pile_of_boxes, bystanders, table_edge, lost_leg]


# ---- supports with ends -------------------------------------------------------------------------------------------------

def put_across(scene, upper, w, h, lower, left, right, mu, e):
    """A box (upper) whose lower face and the line from left to right of another body, or of the ground, may touch: corners of
    the box on the line, ends of the line on the face."""
    for a in (-w / 2, w / 2):
        scene.segment(upper, a, -h / 2, lower, left, right, mu, e)
    for end in (left, right):
        scene.segment(lower, end[0], end[1], upper, (w / 2, -h / 2), (-w / 2, -h / 2), mu, e)


def over_edge(hand):
    """A box slides over the end of a table, tips and falls, or stays."""
    scene, w, h = Scene("over-edge", 0.6), 0.2, hand.pick(0.1, 0.2)
    box = scene.box(w, h, (hand.between(-0.4, -0.05), h / 2 + hand.pick(0.0, 0.0, 0.02), 0.0), (hand.between(0.2, 2), 0.0, 0.0))
    put_across(scene, box, w, h, -1, (-3.0, 0.0), (0.0, 0.0), hand.pick(0.0, 0.1, 0.3, 0.5), hand.pick(0.0, 0.0, 0.2))
    return scene


def onto_table(hand):
    """A box that lies across the end of a table is pushed onto it."""
    scene, w, h = Scene("onto-table", 0.6), 0.2, hand.pick(0.1, 0.2)
    box = scene.box(w, h, (hand.between(-0.09, -0.02), h / 2, 0.0), (hand.between(-2, -0.5), 0.0, 0.0))
    put_across(scene, box, w, h, -1, (-3.0, 0.0), (0.0, 0.0), hand.pick(0.0, 0.1, 0.3), 0.0)
    return scene


def stairs(hand):
    """A box slides down a step onto a lower floor."""
    scene = over_edge(hand)
    scene.kind, scene.until, w, h = "stairs", 0.8, 0.2, -2 * scene.touches[0].b
    low, e = -hand.pick(0.3, 0.5), hand.pick(0.0, 0.2)
    for a, b in corners(w, h):
        scene.point(0, a, b, -1, 0.0, low, FLAT, scene.touches[0].mu, e)
    return scene


def narrow_post(hand):
    """A box is dropped on a post that is narrower than the box."""
    scene, w, h = Scene("narrow-post", 0.6), 0.3, 0.1
    box = scene.box(w, h, (hand.between(-0.2, 0.2), h / 2 + hand.pick(0.0, 0.05), hand.pick(0.0, hand.between(-0.3, 0.3))))
    scene.bodies[box].at = (scene.bodies[box].at[0], scene.bodies[box].at[1] + (0.06 if scene.bodies[box].at[2] else 0.0),
                            scene.bodies[box].at[2])
    put_across(scene, box, w, h, -1, (-0.05, 0.0), (0.05, 0.0), hand.pick(0.1, 0.3, 0.6), hand.pick(0.0, 0.0, 0.2))
    return scene


def from_below(hand):
    """A box is thrown up past the end of a shelf, through it where it comes from under it, and may land on it."""
    scene, w, h = Scene("from-below", 1.0), 0.2, 0.1
    box = scene.box(w, h, (hand.between(-0.4, 0.3), -0.4, hand.pick(0.0, hand.between(-0.5, 0.5))),
                    (hand.between(-1, 1), hand.between(2, 4), hand.pick(0.0, hand.between(-3, 3))))
    mu, e = hand.pick(0.1, 0.5), hand.pick(0.0, 0.3)
    for a, b in corners(w, h):
        scene.segment(box, a, b, -1, (-0.5, 0.0), (0.0, 0.0), mu, e)
    return scene


def off_plank(hand):
    """A box slides on a plank that lies on two trestles, and off its end; the plank may tip."""
    scene, length, thick, w, h = Scene("off-plank", 0.5), 1.0, 0.04, 0.1, 0.1
    mu, e = hand.pick(0.1, 0.3), 0.0
    beam = scene.box(length, thick, (0.0, thick / 2, 0.0))
    face = ((length / 2, -thick / 2), (-length / 2, -thick / 2))
    for x in (-hand.between(0.1, 0.4), hand.between(0.1, 0.4)):
        scene.segment(-1, x, 0.0, beam, *face, mu, e)
    weight = scene.box(w, h, (hand.between(-0.3, 0.4), thick + h / 2, 0.0), (hand.between(0.2, 2), 0.0, 0.0),
                       mass=hand.pick(0.5, 1.0, 3.0))
    put_across(scene, weight, w, h, beam, (-length / 2, thick / 2), (length / 2, thick / 2), mu, e)
    return scene


ENDS = [over_edge, onto_table, stairs, narrow_post, from_below, off_plank]
ENDS_FROM = 500000  # seeds from here on


def random_scene(seed):
    kinds = ENDS if seed >= ENDS_FROM else KINDS
    return kinds[seed % len(kinds)](Hand(seed))
