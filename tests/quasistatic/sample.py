# SPDX-License-Identifier: Apache-2.0
"""Random masses on springs under random polylines of load, written as models; changed in ways that change nothing."""
import math

from increments import Mass

AXES = "xyz"


def least_stiffness(k, mu):
    """Least stiffness against slip over all directions: above zero, answers are unique."""
    if len(k) == 2:
        return k[0][0] - mu * abs(k[1][0])
    return min(x * (k[0][0] * x + 2 * k[0][1] * y) + y * k[1][1] * y - mu * abs(k[2][0] * x + k[2][1] * y)
               for x, y in ((math.cos(0.05 * i), math.sin(0.05 * i)) for i in range(126)))


class Sample:
    """masses: sizes 2 (planar) or 3 (spatial). round: numbers as people write them, with which many things happen on borders."""
    def __init__(self, random, sizes, guides=False, until=3, round_numbers=False):
        self.until, n = until, sum(sizes)
        g = [[random.uniform(-1, 1) for _ in range(n)] for _ in range(n)]
        self.K = [[sum(g[k][i] * g[k][j] for k in range(n)) / n + (0.4 if i == j else 0.0) for j in range(n)] for i in range(n)]
        of = [m for m, size in enumerate(sizes) for _ in range(size)]
        for i in range(n):  # weak springs between masses: one answer
            for j in range(n):
                self.K[i][j] *= 1.0 if of[i] == of[j] else 0.15
        if round_numbers:
            self.K = [[random.choice([0.0, 0.0, 0.25]) if i < j else 0.0 for j in range(n)] for i in range(n)]
            self.K = [[self.K[i][j] + self.K[j][i] if i != j else random.choice([1.0, 2.0]) for j in range(n)] for i in range(n)]
        self.masses, first = [], 0
        for size in sizes:
            k = [[self.K[first + i][first + j] for j in range(size)] for i in range(size)]
            mu = random.choice([0.05, 0.2, 0.4, 0.8] if not round_numbers else [0.25, 0.5])
            while least_stiffness(k, 1.5 * mu) < 0.1:
                mu *= 0.7
            self.masses.append((first, size, mu, guides and random.random() < 0.4))
            first += size
        self.loads = [[0.0] + [random.uniform(-1, 1) for _ in range(until)] for _ in range(n)]
        for first, size, _, _ in self.masses:  # mostly pressed
            values = self.loads[first + size - 1]
            values[1:] = [v - random.choice([0.3, 0.6, 1.2]) for v in values[1:]]
        if round_numbers:
            self.loads = [[0.0] + [random.choice([-1.0, -0.5, 0.0, 0.5, 1.0]) for _ in range(until)] for _ in range(n)]
            for first, size, _, _ in self.masses:
                self.loads[first + size - 1][1:] = [random.choice([-2.0, -1.0, -1.0, 0.0]) for _ in range(until)]
        self.units = (1.0, 1.0, 1.0)  # force, length, time
        self.mirror = [1.0] * n
        self.order = list(range(len(sizes)))

    def judged(self):
        return [Mass(*m) for m in self.masses]

    def names(self):
        return [AXES[i] + str(m) for m, (_, size, _, _) in enumerate(self.masses) for i in range(size)]

    def model(self):
        force, length, time = self.units
        names, n, s = self.names(), len(self.K), self.mirror
        potential = " + ".join("(%r)*%s*%s" % (self.K[i][j] * force / length * s[i] * s[j] / 2, names[i], names[j])
                               for i in range(n) for j in range(n))
        contacts, coordinates = {}, []
        for m in self.order:
            first, size, mu, guide = self.masses[m]
            slip = [names[first + i] + "'" for i in range(size - 1)]
            contacts["c%d" % m] = {"guide" if guide else "support": names[first + size - 1],
                                   "slip": slip if size == 3 else slip[0], "law": {"type": "coulomb", "mu": mu}}
            coordinates += names[first:first + size]
        return {"amontons": 1, "coordinates": coordinates, "energy": {
                    "kinetic": " + ".join("(%r)*%s'^2/2" % (force / length * time * time, name) for name in names),
                    "potential": potential},
                "forces": {name: "table(t, %s)" % ", ".join("%r, %r" % (t * time, v * force * s[i]) for t, v in enumerate(self.loads[i]))
                           for i, name in enumerate(names)},
                "contacts": contacts}

    def read(self, state):
        """Coordinates of an answer in the units and on the side of the sample."""
        return [state[name] / self.units[1] * s for name, s in zip(self.names(), self.mirror)]

    def size(self):
        return max(abs(v) for row in self.loads for v in row) / min(self.K[i][i] for i in range(len(self.K)))
