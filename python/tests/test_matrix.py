# SPDX-License-Identifier: BSD-3-Clause
"""Sparse matrices of SciPy."""
import gc
import unittest

import miniapp
import numpy as np
import scipy.sparse
import scipy.sparse.linalg


def poisson(n):
    line = scipy.sparse.diags([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], [-1, 0, 1])
    return scipy.sparse.csr_matrix(scipy.sparse.kronsum(line, line))


class MatrixTest(unittest.TestCase):
    def test_products_are_those_of_scipy(self):
        for rows in poisson(13), poisson(13).tocoo(), poisson(13).tocsc():
            x = np.random.default_rng(2).standard_normal(169)
            A = miniapp.Matrix(rows)
            np.testing.assert_allclose(A @ x, rows @ x, atol=1e-13)
            np.testing.assert_array_equal(A.diagonal(), rows.diagonal())
            self.assertEqual((A.shape, A.nnz, A.dtype), ((169, 169), rows.nnz, np.float64))

    def test_arrays_are_taken_without_a_copy_where_their_types_agree(self):
        rows = poisson(5)
        A = miniapp.Matrix(rows)
        at = rows.indices.__array_interface__["data"][0]
        self.assertEqual(A._columns_at, at)
        wide = rows.copy()
        wide.indices, wide.indptr = rows.indices.astype(np.int64), rows.indptr.astype(np.int64)
        self.assertNotEqual(miniapp.Matrix(wide)._columns_at, wide.indices.__array_interface__["data"][0])
        b = np.ones(25)
        expected = scipy.sparse.linalg.spsolve(rows.tocsc(), b)
        del rows
        gc.collect()
        np.testing.assert_allclose(A.solve(b, A.preconditioner()).values, expected, atol=1e-9)

    def test_columns_in_any_order_and_twice_are_put_in_order(self):
        rows = scipy.sparse.csr_matrix(([1.0, 2.0, 1.0, 5.0], [1, 0, 1, 0], [0, 2, 4]), shape=(2, 2))
        twice = scipy.sparse.csr_matrix(([1.0, 4.0, 1.0, 3.0], [0, 0, 1, 1], [0, 2, 4]), shape=(2, 2))
        for matrix in rows, twice:
            np.testing.assert_array_equal(miniapp.Matrix(matrix) @ np.array([1.0, 10.0]), matrix @ np.array([1.0, 10.0]))

    def test_cg_with_amg_equals_a_direct_solve_in_few_iterations(self):
        rows = poisson(60)
        b = np.random.default_rng(3).standard_normal(3600)
        expected = scipy.sparse.linalg.spsolve(rows.tocsc(), b)
        A = miniapp.Matrix(rows)
        for options in {}, {"precision": "double", "cycle": "v"}, {"smoother": "l1-jacobi", "sweeps": 3}:
            M = A.preconditioner("amg", **options)
            self.assertEqual(M.levels[0], (3600, rows.nnz))
            self.assertGreater(len(M.levels), 1)
            solution = A.solve(b, M, tolerance=1e-11)
            np.testing.assert_allclose(solution.values, expected, rtol=1e-8, atol=1e-8)
            self.assertLess(solution.iterations, 25)
            counted = []
            x, info = scipy.sparse.linalg.cg(rows, b, M=M.as_linear_operator(), atol=1e-9, callback=counted.append)
            self.assertEqual(info, 0)
            self.assertLess(len(counted), 25)
        self.assertGreater(A.solve(b).iterations, 60)

    def test_bad_input_is_refused_by_name(self):
        rows = poisson(4)
        skew = rows.copy()
        skew[0, 1] = 3
        for make, words in (
                (lambda: miniapp.Matrix(rows[:3]), "matrix 3 x 16: accepted are square ones"),
                (lambda: miniapp.Matrix(skew).solve(np.ones(16)), "symmetric"),
                (lambda: miniapp.Matrix(-rows).preconditioner(), "matrix"),
                (lambda: miniapp.Matrix(rows).preconditioner("ilu"), "preconditioner ilu: accepted are amg, jacobi, none"),
                (lambda: miniapp.Matrix(rows).preconditioner(sweeps=0), "sweeps 0"),
                (lambda: miniapp.Matrix(rows).solve(np.ones(16), miniapp.Matrix(poisson(5)).preconditioner()),
                 "preconditioner 25: unknowns; accepted are those of the operator, 16")):
            with self.assertRaises(miniapp.InputError) as caught:
                make()
            self.assertIn(words, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
