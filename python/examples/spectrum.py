# SPDX-License-Identifier: BSD-3-Clause
"""What preconditioners do to the spectrum, and to SciPy's conjugate gradients: spectrum.py [PICTURE]"""
import sys

import matplotlib
import miniapp
import numpy as np
import scipy.linalg
import scipy.sparse.linalg

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

order = min(miniapp.built_orders()[-1], 4)
kinds = {"none": {}, "jacobi": {}, "lor-amg": {}, **({"p-multigrid": {"smoother": "jacobi"}} if order > 1 else {})}


def problem_of(cells):
    return miniapp.Problem(miniapp.Mesh.box(cells, cells, cells, deform=0.05), order, source=1, dirichlet=0)


def eigenvalues(problem, M):
    """Of M^-1 A at free nodes: those of L^T A L with M^-1 = L L^T."""
    free = np.setdiff1d(np.arange(problem.space.num_nodes), problem.space.masked)
    columns = np.eye(problem.space.num_nodes)[free]
    A, B = (np.stack([op @ e for e in columns], axis=1)[free] for op in (problem.operator, M))
    L = np.linalg.cholesky((B + B.T) / 2)
    return scipy.linalg.eigvalsh(L.T @ A @ L)


figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
small, large = problem_of(3), problem_of(8)
for kind, options in kinds.items():
    values = eigenvalues(small, small.preconditioner(kind, **options))
    left.semilogy(np.linspace(0, 1, len(values)), values / values.max(), label=kind)
    M, residuals = large.preconditioner(kind, **options), [1.0]
    norm = np.linalg.norm(large.rhs)
    scipy.sparse.linalg.cg(large.operator, large.rhs, M=M, maxiter=200, callback=lambda u: residuals.append(
        np.linalg.norm(large.rhs - large.operator @ u) / norm))
    print(f"{kind}: condition {values.max() / values.min():.1f}, {len(residuals) - 1} iterations")
    right.semilogy(residuals, label=kind)
left.set(xlabel="part of the eigenvalues", ylabel="eigenvalue / largest", title=f"M$^{{-1}}$A, 3$^3$ elements of order {order}")
right.set(xlabel="iteration of scipy.sparse.linalg.cg", ylabel="|b - A u| / |b|", title="8$^3$ elements")
left.legend()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "spectrum.png", dpi=70)
