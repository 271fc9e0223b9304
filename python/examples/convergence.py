# SPDX-License-Identifier: BSD-3-Clause
"""Errors of a known solution over the mesh size, for each order: convergence.py [PICTURE]"""
import sys

import matplotlib
import miniapp
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
for order in miniapp.built_orders():
    if order > 8:  # rounding is all that is left
        continue
    cells = np.array([2, 3, 4, 6, 8, 12])[: 6 if order < 4 else 4]
    errors = []
    for n in cells:
        mesh = miniapp.Mesh.box(n, n, n, deform=0.05)
        problem = miniapp.Problem(mesh, order, source="3*pi^2*sin(pi*x)*sin(pi*y)*sin(pi*z)", dirichlet=0,
                                  exact="sin(pi*x)*sin(pi*y)*sin(pi*z)")
        solution = problem.solve(tolerance=1e-12)
        errors.append([problem.l2_error(solution.values), problem.h1_error(solution.values)])
    errors = np.array(errors)
    slopes = np.log(errors[-1] / errors[-2]) / np.log(cells[-2] / cells[-1])
    print(f"order {order}: the error of u falls as h^{slopes[0]:.2f}, of its gradient as h^{slopes[1]:.2f}")
    (line,) = axes.loglog(1 / cells, errors[:, 0], marker="o", label=f"order {order}")
    axes.loglog(1 / cells, errors[:, 1], marker="x", linestyle="--", color=line.get_color())
axes.set(xlabel="size of an element [m]", ylabel="relative error", title="u (solid) and its gradient (dashed), in L2")
axes.grid(alpha=0.3)
axes.legend()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "convergence.png", dpi=70)
