# SPDX-License-Identifier: Apache-2.0
"""Small linear systems and linear programmes, in rational numbers (nothing is rounded, zero is zero), or in floating point
with `small` for what may be rounding."""
from fractions import Fraction

ZERO, ONE = Fraction(0), Fraction(1)


def dot(a, b):
    return sum([x * y for x, y in zip(a, b) if x and y], 0)


def solve(rows, right, size, small=0):
    """All x with rows x = right: (one of them, a basis of the differences), or None if there is none."""
    table = [list(row) + [value] for row, value in zip(rows, right)]
    pivots = []
    for column in range(size):
        at = len(pivots)
        found = max(range(at, len(table)), key=lambda i: abs(table[i][column]), default=None)
        if found is None or abs(table[found][column]) <= small:
            continue
        table[at], table[found] = table[found], table[at]
        scale = ONE / table[at][column]  # exact, even of whole numbers
        table[at] = [value * scale for value in table[at]]
        for i, row in enumerate(table):
            if i != at and row[column]:
                factor = row[column]
                table[i] = [a - factor * b if b else a for a, b in zip(row, table[at])]
        pivots.append(column)
    if any(abs(row[size]) > 1000 * small for row in table[len(pivots):]):
        return None
    one = [0] * size
    for row, column in zip(table, pivots):
        one[column] = row[size]
    basis = []
    for free in (c for c in range(size) if c not in pivots):
        direction = [0] * size
        direction[free] = 1
        for row, column in zip(table, pivots):
            direction[column] = -row[free]
        basis.append(direction)
    return one, basis


class Programme:
    """The set of x (of any sign) with row x >= value for all (row, value); simplex by Bland's rule, so it ends."""

    def __init__(self, conditions, size, small=0):
        # x = x+ - x-, row x+ - row x- - slack = value, an artificial variable for each row.
        self.small, count = small, len(conditions)
        self.width = 2 * size + count
        self.table, self.basis = [], []
        for i, (row, value) in enumerate(conditions):
            sign = 1 if value >= 0 else -1
            line = [sign * a for a in row] + [-sign * a for a in row] + [0] * count
            line[2 * size + i] = -sign
            artificial = [1 if k == i else 0 for k in range(count)]
            self.table.append(line + artificial + [sign * value])
            self.basis.append(self.width + i)
        goal = [0] * self.width + [-1] * count
        most = self._climb(goal, self.width + count)
        self.feasible = most is None or most >= -1000 * small  # None: rounding has spoiled the table, nothing is told
        if self.feasible:
            self._drive_out()

    def _pivot(self, row, column):
        scale = ONE / self.table[row][column]
        self.table[row] = [a * scale if a else a for a in self.table[row]]
        for i, line in enumerate(self.table):
            factor = line[column]
            if i != row and factor:
                self.table[i] = [a - factor * b if b else a for a, b in zip(line, self.table[row])]
        self.basis[row] = column

    def _climb(self, goal, width):
        """Largest goal, None if it has no bound."""
        while True:
            enter = None
            for column in range(width):
                if column in self.basis:
                    continue
                gain = goal[column] - sum([goal[b] * line[column] for b, line in zip(self.basis, self.table)])
                if gain > self.small:
                    enter = column
                    break
            if enter is None:
                return sum([goal[b] * line[-1] for b, line in zip(self.basis, self.table)])
            ratios = [(line[-1] * (ONE / line[enter]), b, i) for i, (line, b) in enumerate(zip(self.table, self.basis))
                      if line[enter] > self.small]
            if not ratios:
                return None
            self._pivot(min(ratios)[2], enter)

    def _drive_out(self):
        for i in range(len(self.table) - 1, -1, -1):
            if self.basis[i] < self.width:
                continue
            column = next((c for c in range(self.width) if abs(self.table[i][c]) > self.small), None)
            if column is None:
                del self.table[i], self.basis[i]
            else:
                self._pivot(i, column)

    def largest(self, objective):
        """Largest objective x over the set, None if it has no bound."""
        goal = list(objective) + [-a for a in objective] + [0] * (len(self.table[0]) if self.table else 0)
        return self._climb(goal, self.width)

    def constant(self, objective):
        """Does every x of the set give the same objective x?"""
        top, bottom = self.largest(objective), self.largest([-a for a in objective])
        return top is not None and bottom is not None and top == -bottom
