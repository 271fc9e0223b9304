# SPDX-License-Identifier: BSD-3-Clause
"""Operators and solutions against NumPy and SciPy."""
import gc
import pathlib
import tempfile
import unittest
import weakref
from xml.etree import ElementTree

import miniapp
import numpy as np
import scipy.sparse.linalg
from numpy.polynomial import legendre

order = max([p for p in miniapp.built_orders() if p <= 3] or miniapp.built_orders()[:1])  # SciPy's CG ends at 1e-5 of b
meshes = pathlib.Path(__file__).parents[2] / "inputs" / "meshes"


def address(array):
    return array.__array_interface__["data"][0]


def line_matrices(p):
    """Mass and stiffness of a line of length 1 on Gauss-Lobatto nodes, which come third."""
    inner = np.sort(legendre.legroots(legendre.legder([0] * p + [1]))) if p > 1 else []
    nodes = np.concatenate([[-1], inner, [1]])
    points, weights = legendre.leggauss(p + 2)
    to_nodes = np.linalg.inv(legendre.legvander(nodes, p))
    values = legendre.legvander(points, p) @ to_nodes
    slopes = np.stack([legendre.legval(points, legendre.legder(c)) for c in np.eye(p + 1)], axis=1) @ to_nodes
    return values.T * weights @ values / 2, slopes.T * weights @ slopes * 2, (nodes + 1) / 2


class OperatorTest(unittest.TestCase):
    def test_an_element_has_the_matrix_of_numpy(self):
        for p in miniapp.built_orders()[:3]:
            M, K, x = line_matrices(p)
            expected = sum(np.kron(a, np.kron(b, c)) for a, b, c in ((K, M, M), (M, K, M), (M, M, K)))
            expected += 2.5 * np.kron(M, np.kron(M, M))
            problem = miniapp.Problem(miniapp.Mesh.box(1, 1, 1), p, lambda_=2.5)
            found = np.stack([problem.operator @ e for e in np.eye(problem.space.num_nodes)], axis=1)
            nodes = problem.space.nodes
            place = np.array([[np.argmin(abs(x - c)) for c in node] for node in nodes]) @ [1, p + 1, (p + 1) ** 2]
            np.testing.assert_allclose(found, expected[np.ix_(place, place)], atol=1e-13)
            np.testing.assert_allclose(problem.operator.diagonal(), np.diag(found), atol=1e-13)

    def test_the_laplacian_is_symmetric_and_maps_constants_to_zero(self):
        problem = miniapp.Problem(miniapp.Mesh.box(3, 2, 4, deform=0.07), order)
        A = problem.operator
        x, y = np.random.default_rng(1).standard_normal((2, A.size))
        self.assertAlmostEqual(x @ (A @ y), y @ (A @ x), delta=1e-11 * abs(x) @ abs(A @ y))
        np.testing.assert_allclose(A @ np.ones(A.size), 0, atol=1e-12)

    def test_the_mass_of_a_deformed_cube_sums_to_its_volume(self):
        A = miniapp.Problem(miniapp.Mesh.box(2, 3, 2, deform=0.08), order, bp="1.0").operator
        one = np.ones(A.size)
        self.assertAlmostEqual(one @ (A @ one), 1, places=12)

    def test_apply_writes_into_the_array_that_it_is_given(self):
        A = miniapp.Problem(miniapp.Mesh.box(2, 2, 2), order, lambda_=1).operator
        x = np.linspace(0, 1, A.size)
        y = np.full(A.size, np.nan)
        at = address(y)
        A.apply(x, y)
        self.assertEqual(address(y), at)
        np.testing.assert_array_equal(y, A @ x)
        np.testing.assert_array_equal(y, A.as_linear_operator() @ x)
        np.testing.assert_array_equal(y, A.matvec(x[:, None]))
        np.testing.assert_allclose(A @ x.astype(np.float32), y, atol=1e-6)  # a copy
        np.testing.assert_array_equal(y, A @ np.repeat(x, 2)[::2])  # likewise
        for wrong in np.empty(A.size, np.float32), np.empty(2 * A.size)[::2]:
            with self.assertRaises(TypeError):
                A.apply(x, wrong)
        for arguments in (x, x), (x[1:], y), (x, y[1:]), (np.ones((2, A.size)), y):
            with self.assertRaises(miniapp.InputError):
                A.apply(*arguments)

    def test_results_and_views_outlive_what_they_came_from(self):
        def make():
            problem = miniapp.Problem(miniapp.Mesh.box(2, 2, 2), order, source=1, dirichlet={"x0": 2})
            return problem.operator, problem.rhs, problem.space, problem.preconditioner("jacobi"), problem.solve().values
        A, b, space, M, u = make()
        np.testing.assert_allclose(M @ b, b / A.diagonal())
        self.assertLess(np.linalg.norm(A @ u - b), 1e-9 * np.linalg.norm(b) + np.linalg.norm(A @ u) * 10)
        self.assertEqual(address(space.nodes), address(space.nodes))
        self.assertFalse(b.flags.writeable)


    def test_a_problem_of_an_object_that_holds_it_is_collected(self):
        class Model:
            def __init__(self):
                self.problem = miniapp.Problem(miniapp.Mesh.box(1, 1, 1), 1, lambda_=1, coefficient=self.k)

            def k(self, x, y, z):
                return 1 + x
        gone = weakref.ref(Model())
        gc.collect()
        self.assertIsNone(gone())


class SolutionTest(unittest.TestCase):
    def problem(self, **given):
        mesh = miniapp.Mesh.box(4, 3, 4, deform=0.05)
        return miniapp.Problem(mesh, order, **{"dirichlet": 0, "source": "3*pi^2*sin(pi*x)*sin(pi*y)*sin(pi*z)", **given})

    def test_a_known_solution_is_found(self):
        problem = self.problem(exact=lambda x, y, z: np.sin(np.pi * x) * np.sin(np.pi * y) * np.sin(np.pi * z))
        solution = problem.solve(tolerance=1e-9)
        self.assertTrue(solution.converged)
        self.assertEqual(len(solution.residuals), solution.iterations + 1)
        nodal = np.prod(np.sin(np.pi * problem.space.nodes), axis=1)
        self.assertLess(abs(solution.values - nodal).max(), 0.2 * 0.4 ** order)
        self.assertLess(problem.l2_error(solution.values), 0.2 * 0.4 ** order)
        self.assertLess(problem.l2_error(solution.values), problem.h1_error(solution.values))

    def test_u_equal_to_x_is_found_by_every_preconditioner_and_by_scipy(self):
        kinds = ["none", "jacobi", "chebyshev", "lor-amg"] + ["p-multigrid"] * (order > 1)
        problem = miniapp.Problem(miniapp.Mesh.box(3, 3, 3, deform=0.05), order, dirichlet={"x0": 0, "x1": 1})
        x = problem.space.nodes[:, 0]
        for kind in kinds:
            np.testing.assert_allclose(problem.solve(kind).values, x, atol=1e-8)
        M = problem.preconditioner(smoother="jacobi")
        self.assertTrue(M.is_symmetric)
        iterations = [[], []]
        for preconditioner, counted in zip((None, M), iterations):
            u, info = scipy.sparse.linalg.cg(problem.operator, problem.rhs, M=preconditioner, atol=1e-10,
                                             callback=lambda _, c=counted: c.append(1))
            self.assertEqual(info, 0)
            np.testing.assert_allclose(u + problem.prescribed, x, atol=1e-4)
        self.assertLess(len(iterations[1]), len(iterations[0]))

    def test_numbers_expressions_functions_and_arrays_mean_the_same(self):
        cells = 4 * 3 * 4
        ways = [7, 7.0, np.float32(7), "3 + 4", lambda x, y, z: 7, lambda x, y, z: 7 + 0 * x, np.full(cells, 7.0)]
        loads = [self.problem(source=way).rhs for way in ways]
        for load in loads[1:]:
            np.testing.assert_allclose(load, loads[0], rtol=1e-14)
        k = np.where(np.arange(cells) % 2, 1.0, 100.0)
        u = [self.problem(coefficient=way).operator @ np.ones(loads[0].size) for way in (k, {"": k})]
        np.testing.assert_array_equal(*u)

    def test_conditions_hold_on_their_groups(self):
        mesh = miniapp.Mesh.box(2, 2, 2)
        problem = miniapp.Problem(mesh, order, coefficient=2, neumann={"x1": 6}, robin={"x0": (4, 8)})
        np.testing.assert_allclose(problem.solve().values, 3.5 + 3 * problem.space.nodes[:, 0], atol=1e-8)
        everywhere = miniapp.Problem(mesh, order, dirichlet="y")
        np.testing.assert_allclose(everywhere.solve().values, everywhere.space.nodes[:, 1], atol=1e-8)
        self.assertEqual(everywhere.space.num_nodes - everywhere.space.num_unknowns, len(everywhere.space.masked))

    def test_what_a_function_raises_arrives(self):
        for argument in "source", "coefficient", "dirichlet":
            with self.assertRaises(ZeroDivisionError):
                self.problem(**{argument: lambda x, y, z: 1 / 0})
        calls = []

        def k(x, y, z):  # fails while levels of multigrid are made
            if len(calls) > 3 * 48:
                raise KeyError("later")
            calls.append(1)
            return 1 + x
        problem = self.problem(coefficient=k)
        if order > 1:
            calls += [1] * 1000
            with self.assertRaises(KeyError):
                problem.preconditioner("p-multigrid")
        with self.assertRaisesRegex(miniapp.InputError, "source 2: values"):
            self.problem(source=lambda x, y, z: [1, 2])

    def test_what_did_not_converge_says_how_far_it_came(self):
        with self.assertRaises(miniapp.ResultError) as caught:
            self.problem().solve("none", max_iterations=3)
        solution = caught.exception.solution
        self.assertEqual((solution.iterations, solution.verdict, solution.converged), (3, "unconverged", False))
        self.assertEqual(len(solution.values), self.problem().space.num_nodes)

    def test_bad_input_is_refused_by_name(self):
        problem = self.problem()
        mesh = miniapp.Mesh.box(1, 1, 1)
        for make, words in (
                (lambda: self.problem(source="1 +"), "source 1 +"),
                (lambda: self.problem(source=np.ones(3)), "source 3: numbers; accepted is one per element, 48"),
                (lambda: self.problem(source=float("nan")), "source"),
                (lambda: self.problem(robin=1), "robin 1"),
                (lambda: self.problem(dirichlet={"roof": 0}), "roof"),
                (lambda: self.problem(bp="1.0"), "bp 1.0"),
                (lambda: self.problem(lambda_=-1), "lambda_"),
                (lambda: miniapp.Problem(mesh, 99), "99"),
                (lambda: miniapp.Problem(mesh, 1, source=1).solve(), "lambda_ 0: leaves u open by a constant"),
                (lambda: problem.preconditioner("magic"), "preconditioner magic: accepted are none, jacobi"),
                (lambda: problem.solve(tolerance=0), "tolerance"),
                (lambda: problem.l2_error(problem.rhs), "exact"),
                (lambda: problem.operator.solve(np.ones(3)), "b 3 numbers in 1 dimensions")):
            with self.assertRaises(miniapp.InputError) as caught:
                make()
            self.assertIn(words, str(caught.exception))

    def test_a_file_holds_the_fields(self):
        problem = miniapp.Problem(miniapp.Mesh.read(str(meshes / "layers.msh")), 1, dirichlet={"bottom": "x"})
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "u.vtu")
            problem.write_vtu(file, {"the load": problem.rhs}, u=problem.prescribed)
            head = file.read_bytes().split(b"<AppendedData")[0] + b"</VTKFile>"
        root = ElementTree.fromstring(head)
        self.assertEqual([a.get("Name") for a in root.iter("DataArray")][:2], ["the load", "u"])
        self.assertEqual(root.find(".//Piece").get("NumberOfPoints"), str(problem.space.num_nodes))


if __name__ == "__main__":
    unittest.main()
