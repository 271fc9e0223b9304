# SPDX-License-Identifier: BSD-3-Clause
"""Values of results/expected.json that plain Python computes too, from the formulas of docs/ alone."""
import itertools
import json
import math
import pathlib
import unittest

TABLE = json.loads((pathlib.Path(__file__).resolve().parents[2] / "results/expected.json").read_text())["entries"]


def values(module, **case):
    """The expected values of the only entry of such a case."""
    (entry,) = [e for e in TABLE if e["module"] == module and case.items() <= {k: v for k, v in e["case"].items()
                                                                               if not isinstance(v, list)}.items()]
    return entry["values"]


def cg(apply, b, tolerance):
    """The solution, and the iterations until |r| <= tolerance |b|."""
    x, r = [0.0] * len(b), list(b)
    p, rr = list(r), sum(v * v for v in r)
    least, iterations = tolerance * math.sqrt(rr), 0
    while math.sqrt(rr) > least:
        q = apply(p)
        alpha = rr / sum(map(float.__mul__, p, q))
        x = [v + alpha * w for v, w in zip(x, p)]
        r = [v - alpha * w for v, w in zip(r, q)]
        new = sum(v * v for v in r)
        p = [v + new / rr * w for v, w in zip(r, p)]
        rr, iterations = new, iterations + 1
    return x, iterations


GAUSS = [(-0.861136311594053, 0.347854845137454), (-0.339981043584856, 0.652145154862546),
         (0.339981043584856, 0.652145154862546), (0.861136311594053, 0.347854845137454)]


def quadratic(r):
    """The three polynomials of order 2 and their derivatives."""
    return (r * (r - 1) / 2, 1 - r * r, r * (r + 1) / 2), (r - 0.5, -2 * r, r + 0.5)


class Line:
    """Quadratic elements on [0, 1], zero at its ends: mass, stiffness and the load of sin(pi x), by four Gauss points."""

    def __init__(self, cells):
        self.cells, self.n = cells, 2 * cells - 1
        self.mass = [[0.0] * self.n for _ in range(self.n)]
        self.stiffness = [[0.0] * self.n for _ in range(self.n)]
        self.load = [0.0] * self.n
        for cell, (r, w) in itertools.product(range(cells), GAUSS):
            value, slope = quadratic(r)
            for i, j in itertools.product(range(3), range(3)):
                a, b = self.node(cell, i), self.node(cell, j)
                if a is not None and b is not None:
                    self.mass[a][b] += w * value[i] * value[j] / (2 * cells)
                    self.stiffness[a][b] += w * slope[i] * slope[j] * 2 * cells
            for i in range(3):
                if self.node(cell, i) is not None:
                    self.load[self.node(cell, i)] += w * value[i] * math.sin(math.pi * self.x(cell, r)) / (2 * cells)

    def node(self, cell, i):
        at = 2 * cell + i - 1
        return at if 0 <= at < self.n else None

    def x(self, cell, r):
        return (cell + (r + 1) / 2) / self.cells


def along(matrix, axis, n, u):
    stride = n**axis
    return [sum(matrix[i // stride % n][k] * u[i + (k - i // stride % n) * stride] for k in range(n)) for i in range(n**3)]


def l2_error(cells):
    """Of -lap u + u = (3 pi^2 + 1) sin sin sin on the unit cube, relative."""
    line = Line(cells)
    n, M, K, f = line.n, line.mass, line.stiffness, line.load
    cube = list(itertools.product(range(n), repeat=3))

    def apply(u):
        m = along(M, 0, n, u)
        kmm, mkm = along(M, 1, n, along(K, 0, n, u)), along(K, 1, n, m)
        mm = along(M, 1, n, m)
        inner = [a + b + c for a, b, c in zip(kmm, mkm, mm)]
        return [a + b for a, b in zip(along(M, 2, n, inner), along(K, 2, n, mm))]

    u, _ = cg(apply, [(3 * math.pi**2 + 1) * f[i] * f[j] * f[k] for i, j, k in cube], 1e-13)
    error = norm = 0.0
    for cell in itertools.product(range(cells), repeat=3):
        for point in itertools.product(GAUSS, repeat=3):
            bases = [quadratic(r)[0] for r, _ in point]
            exact = math.prod(math.sin(math.pi * line.x(c, r)) for c, (r, _) in zip(cell, point))
            found = 0.0
            for local in itertools.product(range(3), repeat=3):
                nodes = [line.node(c, i) for c, i in zip(cell, local)]
                if None not in nodes:
                    found += u[nodes[0] + n * (nodes[1] + n * nodes[2])] * math.prod(b[i] for b, i in zip(bases, local))
            weight = math.prod(w for _, w in point)
            error += weight * (found - exact) ** 2
            norm += weight * exact**2
    return math.sqrt(error / norm)


class Independent(unittest.TestCase):
    def test_errors_of_bp3(self):
        for cells in (2, 4):
            expected, deviation = values("tensor", bp="BP3.0", order=2, elements=cells**3, deform=0)["result.l2_error"]
            self.assertAlmostEqual(l2_error(cells), expected, delta=1e-4 * expected)
            self.assertGreater(deviation, 0)

    def test_iterations_of_cg_on_the_poisson_matrix(self):
        n = 20

        def apply(x):
            y = [6 * v for v in x]
            for stride in (1, n, n * n):
                for i in range(n**3):
                    if i // stride % n > 0:
                        y[i] -= x[i - stride]
                    if i // stride % n < n - 1:
                        y[i] -= x[i + stride]
            return y

        _, iterations = cg(apply, [1.0] * n**3, 1e-8)
        expected, deviation = values("solver", matrix="poisson3d", unknowns=n**3, pc="none")["result.iterations"]
        self.assertAlmostEqual(iterations, expected, delta=1)
        self.assertLessEqual(deviation, max(1, 0.1 * expected + 0.5))


if __name__ == "__main__":
    unittest.main()
