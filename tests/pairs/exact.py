# SPDX-License-Identifier: Apache-2.0
"""All solutions of R + A|R| = r in rational numbers: a judge that shares nothing with the program.

Every pattern of signs is solved by elimination in fractions. Regular ones give at most one solution; singular ones that are
consistent give a polyhedron, described by its corners and rays.
"""
import itertools
from fractions import Fraction


def eliminate(rows, columns):
    """Reduced echelon form in place; the pivot columns among the first `columns`, and the determinant's factor."""
    pivots, sign, at = [], Fraction(1), 0
    for c in range(columns):
        best = next((i for i in range(at, len(rows)) if rows[i][c] != 0), None)
        if best is None:
            continue
        if best != at:
            rows[at], rows[best] = rows[best], rows[at]
            sign = -sign
        sign *= rows[at][c]
        rows[at] = [x / rows[at][c] for x in rows[at]]
        for i in range(len(rows)):
            if i != at and rows[i][c] != 0:
                f = rows[i][c]
                rows[i] = [x - f * y for x, y in zip(rows[i], rows[at])]
        pivots.append(c)
        at += 1
    return pivots, sign


def solve_set(a, b):
    """(point, directions) of a x = b; None: no solution."""
    n = len(a[0])
    rows = [list(row) + [v] for row, v in zip(a, b)]
    pivots, _ = eliminate(rows, n)
    if any(row[n] != 0 for row in rows[len(pivots):]):
        return None
    point = [Fraction(0)] * n
    for i, c in enumerate(pivots):
        point[c] = rows[i][n]
    directions = []
    for free in (c for c in range(n) if c not in pivots):
        d = [Fraction(0)] * n
        d[free] = Fraction(1)
        for i, c in enumerate(pivots):
            d[c] = -rows[i][free]
        directions.append(d)
    return point, directions


def determinant(a):
    rows = [list(row) for row in a]
    pivots, det = eliminate(rows, len(a))
    return det if len(pivots) == len(a) else Fraction(0)


def polyhedron(point, directions, signs):
    """Corners and rays of {point + directions z: signs x >= 0}, which holds no line."""
    n, k, corners, rays = len(point), len(directions), set(), set()
    for zero in itertools.combinations(range(n), k):
        found = solve_set([[d[i] for d in directions] for i in zero], [-point[i] for i in zero])
        if found is None or found[1]:
            continue
        x = tuple(p + sum(z * d[i] for z, d in zip(found[0], directions)) for i, p in enumerate(point))
        if all(s * v >= 0 for s, v in zip(signs, x)):
            corners.add(x)
    if not corners:
        return corners, rays
    for zero in itertools.combinations(range(n), k - 1):
        found = solve_set([[d[i] for d in directions] for i in zero], [0] * (k - 1)) if zero else ([0], [[1]])
        if len(found[1]) != 1:
            continue
        x = [sum(z * d[i] for z, d in zip(found[1][0], directions)) for i in range(n)]
        for way in (1, -1):
            if all(s * way * v >= 0 for s, v in zip(signs, x)):
                size = max(abs(v) for v in x)
                rays.add(tuple(way * v / size for v in x))
    return corners, rays


class Problem:
    def __init__(self, a, r):
        m = len(r)
        self.points, self.continua, self.determinants = set(), [], {}
        for signs in itertools.product((1, -1), repeat=m):
            b = [[(i == j) + a[i][j] * signs[j] for j in range(m)] for i in range(m)]
            name = "".join("+" if s > 0 else "-" for s in signs)
            self.determinants[name] = determinant(b)
            found = solve_set(b, r)
            if found is None:
                continue
            point, directions = found
            if not directions:
                if all(s * v >= 0 for s, v in zip(signs, point)):
                    self.points.add(tuple(point))
                continue
            corners, rays = polyhedron(point, directions, signs)
            if len(corners) + len(rays) > 1:
                self.continua.append((name, corners, rays))
            else:
                self.points |= corners
        self.points = {p for p in self.points if not any(p in c for _, c, _ in self.continua)}

    def touching(self, point):
        return [d for name, d in self.determinants.items()
                if all(v == 0 or (v > 0) == (s == "+") for v, s in zip(point, name))]

    def kind(self, point):
        dets = self.touching(point)
        if any(d == 0 for d in dets):
            return "degenerate"
        if any(d > 0 for d in dets) and any(d < 0 for d in dets):
            return "fold"
        return "grazing" if len(dets) > 1 else "regular"

    def degree(self):
        """Of the solutions, if none lies on a border; None where a determinant vanishes or where this load does not tell."""
        if any(d == 0 for d in self.determinants.values()):
            return None
        if any(self.kind(p) != "regular" for p in self.points):
            return None
        return sum(1 if self.touching(p)[0] > 0 else -1 for p in self.points)
