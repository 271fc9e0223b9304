# SPDX-License-Identifier: BSD-3-Clause
"""miniapp from Python: commands with their records, and the library's meshes, operators and solvers on arrays.

    import miniapp
    mesh = miniapp.Mesh.box(8, 8, 8)
    problem = miniapp.Problem(mesh, order=3, source="sin(pi*x)", dirichlet=0)
    solution = problem.solve()
    problem.write_vtu("u.vtu", u=solution.values)

docs/python.md says which arrays are copied. Functions hold the interpreter's lock while they compute; the threads of a host
are Kokkos's. An object serves one thread at a time.
"""
import atexit
import gc
import pathlib

from . import _core
from ._core import InputError, LinearMap, Mesh, Operator, Preconditioner, ResultError, Solution, Space
from ._run import records, run

__all__ = ["InputError", "LinearMap", "Matrix", "Mesh", "Operator", "Preconditioner", "Problem", "ResultError", "Solution",
           "Space", "build", "built_orders", "initialize", "records", "run"]
__version__ = _core.build()["version"]

for _error in InputError, ResultError:
    _error.__module__ = __name__
InputError.__doc__ = "Bad input: the message names the argument, its value and what is accepted."
ResultError.__doc__ = """A wrong or unconverged result.

records: of run(), what the command had recorded, a list of dict. solution: of solve(), the Solution."""
ResultError.records, ResultError.solution = [], None


def initialize(*kokkos_options):
    """Starts Kokkos with options such as "--kokkos-num-threads=4", before anything else of this package.

    Without it Kokkos starts at the first use. It ends at the interpreter's exit, with the last object that needs it.
    """
    _core.initialize(list(kokkos_options))


def build():
    """What the extension was built from: version, commit, compiler, flags, kokkos, memory (where vectors live)."""
    return _core.build()


def built_orders():
    """The polynomial orders that fast kernels were built for: a list."""
    return _core.built_orders()


@atexit.register
def _end():
    gc.collect()
    _core.end_session()


def _function(value):
    """A function of space as the extension takes it: numbers and arrays of them in double precision."""
    if value is None or isinstance(value, str) or callable(value):
        return value
    import numpy
    numbers = numpy.asarray(value, dtype=numpy.float64, order="C")
    return float(numbers) if numbers.ndim == 0 else numbers


def _terms(given, everywhere):
    """(group, function) of what is given for groups, {group: function}, or for the group `everywhere` alone."""
    if given is None:
        return []
    groups = given if isinstance(given, dict) else {everywhere: given}
    return [(group, tuple(map(_function, f)) if isinstance(f, tuple) else _function(f)) for group, f in groups.items()]


class Problem(_core.Problem):
    """-div(k grad u) + lambda u = f on a mesh, by elements of polynomial order `order`; A u = b at free nodes.

    mesh: a Mesh [m]; tetrahedra and prisms are cut into hexahedra. bp: "3.0" (Gauss points), "3.5" (collocated), "1.0" (the
    mass). lambda_ [1/m^2].
    coefficient: k > 0, also {group: k}; source: f; exact: u, for l2_error().
    dirichlet: {group: u}; neumann: {group: k du/dn}; robin: {group: (alpha, g)}, k du/dn + alpha u = g; not as a dict: on
    the whole surface, which is the group "surface". Sides without a condition have k du/dn = 0.
    A function is a number; an expression, "1 + x*y" (docs/problems.md); f(x, y, z), called with arrays of coordinates of
    points in one element; or, for k and f, an array with a number per cell.
    Without data all nodes are free and b is 0: the operator of the bake-off problem alone.
    """

    def __init__(self, mesh, order, *, bp="3.0", lambda_=0.0, coefficient=None, source=None, exact=None, dirichlet=None,
                 neumann=None, robin=None):
        alone = [robin] if isinstance(robin, tuple) else list(robin.values()) if isinstance(robin, dict) else []
        if robin is not None and not (alone and all(isinstance(pair, tuple) and len(pair) == 2 for pair in alone)):
            raise InputError(f"robin {robin!r}: accepted are pairs (alpha, g), or a dict of them")
        super().__init__(mesh, order, str(bp), lambda_, _terms(coefficient, ""), _function(source), _function(exact),
                         _terms(dirichlet, "surface"), _terms(neumann, "surface"), _terms(robin, "surface"))

    def write_vtu(self, path, fields=None, *, compress=False, **more):
        """Writes fields, {name: array of nodal values}, also as keywords, for ParaView. compress: by zlib."""
        pathlib.Path(path).write_bytes(self._vtu({**(fields or {}), **more}, compress))


class Matrix(_core.Matrix):
    """A sparse symmetric matrix of SciPy as an Operator.

    Of CSR with 32-bit indices, float64, columns of a row ascending and each once, the arrays are taken without a copy and
    must not change; anything else is converted first. Products have a copy of their own, in slices of rows.
    """

    def __init__(self, matrix):
        import numpy
        import scipy.sparse
        rows = scipy.sparse.csr_matrix(matrix)  # without a copy where it is one
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
        if rows.nnz > numpy.iinfo(numpy.int32).max:
            raise InputError(f"matrix {rows.nnz}: stored entries; accepted are up to 2^31 - 1")
        arrays = (numpy.ascontiguousarray(a, dtype=t) for a, t in
                  ((rows.indptr, numpy.int32), (rows.indices, numpy.int32), (rows.data, numpy.float64)))
        super().__init__(*arrays, rows.shape[1])
