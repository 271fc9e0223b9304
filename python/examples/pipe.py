# SPDX-License-Identifier: BSD-3-Clause
"""Poisson's equation in a bent pipe, and u on its surface: pipe.py [MESH [PICTURE]]"""
import pathlib
import sys

import matplotlib
import miniapp
import numpy as np
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

repository = pathlib.Path(__file__).parents[2]
mesh = miniapp.Mesh.read(sys.argv[1] if len(sys.argv) > 1 else str(repository / "inputs/meshes/pipe.msh"))
order = miniapp.built_orders()[-1]
problem = miniapp.Problem(mesh, order, coefficient=lambda x, y, z: 1 + x / 2, dirichlet={"inlet": 1, "outlet": 0},
                          robin={"walls": (0.2, "0.2*(y > 0 ? 1 : 0)")})
solution = problem.solve(tolerance=1e-8)
print(solution, f"{problem.space.num_unknowns} unknowns of order {order},",
      f"u from {solution.values.min():.3f} to {solution.values.max():.3f}")

# A side of a cell is a slice of its nodes (k, j, i); each of its p x p pieces is a flat quadrilateral.
n = order + 1
nodes, cells = problem.space.nodes, problem.space.cell_nodes.reshape(-1, n, n, n)
cells = np.where(cells < 0, ~cells, cells)
slices = [np.s_[:, :, 0], np.s_[:, :, -1], np.s_[:, 0, :], np.s_[:, -1, :], np.s_[0], np.s_[-1]]
sides, _ = problem.mesh.surface()
faces = np.stack([cells[cell][slices[side]] for cell, side in sides])
pieces = np.stack([faces[:, :-1, :-1], faces[:, 1:, :-1], faces[:, 1:, 1:], faces[:, :-1, 1:]], axis=-1).reshape(-1, 4)

figure = pyplot.figure(figsize=(6, 5))
axes = figure.add_subplot(projection="3d")
surface = Poly3DCollection(nodes[pieces], array=solution.values[pieces].mean(axis=1), cmap="viridis")
axes.add_collection3d(surface)
low, high = nodes.min(axis=0), nodes.max(axis=0)
axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]), xlabel="x [m]", ylabel="y [m]",
         zlabel="z [m]", title=f"u, order {order}")
axes.set_box_aspect(high - low)
axes.locator_params(nbins=3)
figure.colorbar(surface, shrink=0.7)
figure.savefig(sys.argv[2] if len(sys.argv) > 2 else "pipe.png", dpi=70)
