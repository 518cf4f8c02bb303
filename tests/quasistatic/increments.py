# SPDX-License-Identifier: Apache-2.0
"""Slow loads by tiny increments: a judge that shares nothing with the program.

Masses on springs, each with at most one contact. In every increment each mass in turn takes the place that its own springs and its
own contact ask for, the others held, until nothing moves (Gauss-Seidel). A contact of a mass has its normal along the last
coordinate; friction opposes the increment of the others (backward Euler), so that ends are known to first order in the increment.
"""
import math


def solve(a, b):
    """a x = b of two or three unknowns"""
    n, a = len(b), [row[:] + [v] for row, v in zip(a, b)]
    for c in range(n):
        best = max(range(c, n), key=lambda i: abs(a[i][c]))
        a[c], a[best] = a[best], a[c]
        for i in range(c + 1, n):
            f = a[i][c] / a[c][c]
            for j in range(c, n + 1):
                a[i][j] -= f * a[c][j]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (a[i][n] - sum(a[i][j] * x[j] for j in range(i + 1, n))) / a[i][i]
    return x


class Mass:
    """Its coordinates, friction, and whether its normal is held on both sides."""
    def __init__(self, first, size, mu, two_sided=False):
        self.at = range(first, first + size)
        self.mu, self.two_sided = mu, two_sided
        self.mode, self.angle = "stick", None

    def place(self, k, b, old):
        """Where it goes from the tangential place `old` under the force b; k: its own stiffness."""
        n = len(b) - 1
        if not self.two_sided:
            free = solve(k, b)
            if free[n] > 0.0:
                self.mode = "open"
                return free
        need = [b[i] - sum(k[i][j] * old[j] for j in range(n)) for i in range(n)]  # friction that would hold it
        press = sum(k[n][j] * old[j] for j in range(n)) - b[n]
        size = math.hypot(*need)
        if size <= self.mu * abs(press) and (press >= 0.0 or self.two_sided):
            self.mode = "stick"
            return old + [0.0]
        self.mode = "slip"
        sign = -1.0 if press < 0.0 else 1.0
        if self.mu == 0.0:
            return solve([row[:n] for row in k[:n]], b[:n]) + [0.0]
        if n == 1:
            return self.planar(k, need[0], press, sign, old)
        return self.spatial(k, need, press, sign, old)

    def planar(self, k, need, press, sign, old):
        d = math.copysign(1.0, need)
        speed = (d * need - self.mu * sign * press) / (k[0][0] + self.mu * sign * d * k[1][0])
        return [old[0] + d * max(speed, 0.0), 0.0]

    def spatial(self, k, need, press, sign, old):
        """The direction in which nothing is left across the slip."""
        mu = self.mu * sign

        def left(angle):
            x, y = math.cos(angle), math.sin(angle)
            kx, ky = k[0][0] * x + k[0][1] * y, k[1][0] * x + k[1][1] * y
            speed = (x * need[0] + y * need[1] - mu * press) / (x * kx + y * ky + mu * (k[2][0] * x + k[2][1] * y))
            return -y * (need[0] - speed * kx) + x * (need[1] - speed * ky), speed
        a = self.angle if self.angle is not None else math.atan2(need[1], need[0])
        b, fa = a + 1e-4, left(a)[0]
        for _ in range(50):
            fb = left(b)[0]
            if fb == fa:
                break
            a, b, fa = b, b - fb * (b - a) / (fb - fa), fb
            if abs(b - a) < 1e-13:
                break
        if left(b)[1] < 0.0:  # the root behind
            b = math.atan2(need[1], need[0])
        self.angle = b
        speed = max(left(b)[1], 0.0)
        return [old[0] + speed * math.cos(b), old[1] + speed * math.sin(b), 0.0]


def end(K, masses, loads, until, parts):
    """Coordinates and modes at the end. loads: for each coordinate a list of values at whole times; parts: increments a unit of time."""
    n = len(K)
    q = [0.0] * n
    for step in range(1, int(until * parts) + 1):
        t = step / parts
        piece = min(int(t), len(loads[0]) - 2)
        force = [v[piece] + (v[piece + 1] - v[piece]) * (t - piece) for v in loads]
        old = q[:]
        for _ in range(500):
            moved = 0.0
            for m in masses:
                own = list(m.at)
                k = [[K[i][j] for j in own] for i in own]
                b = [force[i] - sum(K[i][j] * q[j] for j in range(n) if j not in m.at) for i in own]
                for i, v in zip(own, m.place(k, b, [old[i] for i in own[:-1]])):
                    moved = max(moved, abs(v - q[i]))
                    q[i] = v
            if moved <= 1e-12 * max(map(abs, q)) or len(masses) == 1:
                break
    return q, [m.mode for m in masses]
