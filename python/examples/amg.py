# SPDX-License-Identifier: BSD-3-Clause
"""Algebraic multigrid of a matrix of SciPy, of linear elements on triangles: amg.py [PICTURE]"""
import sys
import time

import matplotlib
import miniapp
import numpy as np
import scipy.sparse
import scipy.sparse.linalg
import scipy.spatial

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


def laplacian(size):
    """-div(k grad u) + u on a disc, k = 1 and 100 in rings, by linear elements on Delaunay's triangles of Vogel's spiral."""
    radius, angle = np.sqrt((np.arange(size) + 0.5) / size), np.pi * (3 - np.sqrt(5)) * np.arange(size)
    places = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    triangles = scipy.spatial.Delaunay(places).simplices
    corners = places[triangles]
    opposite = np.roll(corners, -1, axis=1) - np.roll(corners, 1, axis=1)  # (triangle, corner): the side that it faces
    areas = abs(np.linalg.det(opposite[:, :2])) / 2
    k = np.where(np.linalg.norm(corners.mean(axis=1), axis=1) % 0.5 < 0.25, 1, 100)
    entries = (k / areas / 4)[:, None, None] * (opposite @ opposite.swapaxes(1, 2))
    rows, columns = (np.broadcast_to(t, entries.shape).ravel() for t in (triangles[:, :, None], triangles[:, None]))
    mass = scipy.sparse.diags(np.bincount(triangles.ravel(), np.repeat(areas / 3, 3), size))
    return scipy.sparse.csr_matrix(scipy.sparse.coo_matrix((entries.ravel(), (rows, columns)), (size, size)) + mass)


def timed(solve):
    begin = time.perf_counter()
    result = solve()
    return result, time.perf_counter() - begin


sizes, seconds = [3000, 10000, 30000, 100000], {"SciPy's direct solve": [], "CG, multigrid": [], "CG, the diagonal": []}
for size in sizes:
    matrix = laplacian(size)
    b = np.random.default_rng(2).standard_normal(size)
    A = miniapp.Matrix(matrix)
    x, direct = timed(lambda: scipy.sparse.linalg.spsolve(matrix.tocsc(), b))
    with_amg, multigrid = timed(lambda: A.solve(b, A.preconditioner("amg"), tolerance=1e-8))
    with_diagonal, diagonal = timed(lambda: A.solve(b, tolerance=1e-8))
    for name, time_taken in zip(seconds, (direct, multigrid, diagonal)):
        seconds[name].append(time_taken)
    print(f"{size} unknowns: {with_amg.iterations} iterations with multigrid, {with_diagonal.iterations} with the diagonal;",
          f"from the direct solve by {np.linalg.norm(with_amg.values - x) / np.linalg.norm(x):.1e}")

figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
for name, times in seconds.items():
    axes.loglog(sizes, times, marker="o", label=name)
axes.set(xlabel="unknowns", ylabel="set-up and solution to 1e-8 [s]", title="Linear elements on a disc, k = 1 and 100 in rings")
axes.grid(alpha=0.3)
axes.legend()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "amg.png", dpi=70)
