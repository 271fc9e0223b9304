# SPDX-License-Identifier: BSD-3-Clause
"""Every option of the main job changes what it says it changes: the case and what is solved."""

import math
import unittest

from command import ORDERS, Command, pages

ORDER = ORDERS[0]
BOX = (2, 3, 4)  # elements along x, y, z: 24
SIDES = ["--cells", "x".join(map(str, BOX))]
PROBLEMS = {"1.0": "BP1.0", "3.0": "BP3.0", "3.5": "BP3.5", "bp1": "BP1.0", "bp3": "BP3.0", "bp5": "BP3.5"}


def small(order=ORDER):
    return ["--order", order, *SIDES, "--repeat", 1]


class MainJob(Command):
    def result_of(self, *arguments, **options):
        return self.record_of(*arguments, **options)["result"]

    def iterations_of(self, *arguments):
        return self.result_of(*arguments)["iterations"]

    def masked(self, output):
        """Free and masked nodes as the page counts them."""
        text = pages(output)[0][1]["dofs"].split(";")[0].replace(" ", "")
        free, masked = text.replace("masked", "").split("free,")
        return int(free), int(masked)


class Case(MainJob):
    def test_dofs_follow_from_order_box_and_boundary(self):
        for order in ORDERS:
            nodes = math.prod(n * order + 1 for n in BOX)
            inner = math.prod(n * order - 1 for n in BOX)
            for boundary, free in ("neumann", nodes), ("dirichlet", inner):
                outcome = self.run_program(*small(order), "--boundary", boundary, "--verify-only", "--json",
                                           "record.json")
                case = outcome.record["case"]
                self.assertEqual(case["dofs"], free)
                self.assertEqual(self.masked(outcome.output), (free, nodes - free))
                self.assertEqual((case["order"], case["box"], case["elements"]), (order, list(BOX), 24))
                self.assertEqual(case["boundary"], boundary)
                self.assertIn(f"{order + 1} nodes per direction", outcome.output)

    def test_elements_make_a_box_as_cubical_as_their_number_allows(self):
        for elements, sides in (27, [3, 3, 3]), (24, [2, 3, 4]), (26, [1, 2, 13]):
            case = self.record_of("--bp", "1.0", "--order", ORDER, "--elements", elements, "--verify-only")["case"]
            self.assertEqual(sorted(case["box"]), sides)
            self.assertEqual(case["elements"], elements)
            self.assertEqual(case["dofs"], math.prod(n * ORDER + 1 for n in sides))

    def test_problems_have_their_boundary_and_lambda(self):
        for bp, name in PROBLEMS.items():
            record = self.record_of(*small(), "--bp", bp)
            mass = name == "BP1.0"
            self.assertEqual(record["case"]["bp"], name)
            self.assertEqual(record["case"]["boundary"], "neumann" if mass else "dirichlet")
            self.assertEqual(record["case"]["lambda"], 0 if mass or bp.startswith("bp") else 1)
            self.assertTrue(record["result"]["converged"])

    def test_problems_of_one_name_are_one_problem_and_others_are_not(self):
        results = {bp: self.result_of(*small(), "--bp", bp) for bp in PROBLEMS}
        self.assert_repeated(results["1.0"]["l2_error"], results["bp1"]["l2_error"])
        for bp, other in ("3.0", "bp3"), ("3.5", "bp5"):
            self.assertNotEqual(results[bp]["l2_error"], results[other]["l2_error"])
            zero = self.result_of(*small(), "--bp", bp, "--lambda", 0)
            self.assert_repeated(zero["l2_error"], results[other]["l2_error"])
            self.assert_same_iterations(zero, results[other])
        self.assertEqual(len({results[bp]["l2_error"] for bp in ("1.0", "3.0", "3.5")}), 3)

    def test_work_and_traffic_are_those_of_the_papers(self):
        for order in ORDERS:
            n, m = order + 1, order + 2
            interpolations = 4 * (m * n**3 + m**2 * n**2 + m**3 * n)
            words = {"1.0": 2 * n**3 + m**3, "3.0": 2 * n**3 + 7 * m**3, "3.5": 9 * n**3}
            flops = {
                "1.0": interpolations + m**3, "3.0": interpolations + 12 * m**4 + 20 * m**3,
                "3.5": 12 * n**4 + 20 * n**3,
            }
            for bp in words:
                for precision, word in ("double", 8), ("single", 4):
                    record = self.record_of(*small(order), "--bp", bp, "--no-solve", "--precision", precision)
                    seconds = record["timing"]["kernel_s"]["median"]
                    self.assertEqual(record["roofs"]["model_bytes"], 24 * word * words[bp])
                    self.assert_close(record["rates"]["kernel_gflops"], 24 * flops[bp] / seconds * 1e-9)
                    self.assert_close(record["rates"]["kernel_gbytes"], 24 * word * words[bp] / seconds * 1e-9)

    def test_the_quadrature_is_that_of_the_problem(self):
        for bp, points in (
            ("1.0", f"{ORDER + 2} Gauss "),
            ("3.0", f"{ORDER + 2} Gauss "),
            ("3.5", f"{ORDER + 1} Gauss-Lobatto "),
        ):
            page = pages(self.run_program(*small(), "--bp", bp, "--verify-only").output)[0]
            self.assertEqual(page[0], f"BP{bp}, order {ORDER}")
            self.assertTrue(page[1]["quadrature"].startswith(points), page)
            self.assertEqual(page[1].get("lambda"), None if bp == "1.0" else "1")

    def test_lambda_weighs_the_mass_term(self):
        at = {value: self.record_of(*small(), "--lambda", value) for value in (0.001, 1, 10000)}
        for value, record in at.items():
            self.assertEqual(record["case"]["lambda"], value)
        self.assertEqual(len({record["result"]["l2_error"] for record in at.values()}), 3)
        # without a boundary condition, nothing but lambda holds a constant: the smaller, the worse conditioned
        few, many = (
            self.iterations_of(*small(), "--boundary", "neumann", "--lambda", value, "--preconditioner", "none")
            for value in (1, 0.001)
        )
        self.assertLess(few, many)

    def test_lambda_and_boundary_reach_the_right_hand_side(self):
        # the manufactured solution stays the same, so the error of the discretisation stays about the same
        errors = [
            self.result_of(*small(), "--lambda", value, "--boundary", boundary)["l2_error"]
            for value in (0.5, 50)
            for boundary in ("dirichlet", "neumann")
        ]
        self.assertLess(max(errors), 4 * min(errors))
        self.assertEqual(len(set(errors)), 4)

    def test_a_deformation_makes_the_error_and_the_iterations_grow(self):
        way = [*small(), "--preconditioner", "jacobi"]
        plain, default, bent = (self.record_of(*way, "--deform", value) for value in (0, 0.08, 0.12))
        self.assertEqual((plain["case"]["deform"], bent["case"]["deform"]), (0, 0.12))
        errors = [record["result"]["l2_error"] for record in (plain, default, bent)]
        self.assertEqual(errors, sorted(errors))
        self.assertLess(errors[0], errors[2])
        self.assertLess(plain["result"]["iterations"], bent["result"]["iterations"])
        self.assert_repeated(self.result_of(*way)["l2_error"], errors[1])

    def test_kershaws_map_shears_the_more_the_smaller_eps(self):
        way = [*small(), "--preconditioner", "jacobi"]  # what auto takes depends on the shear
        plain = self.result_of(*way, "--deform", 0)
        records = [self.record_of(*way, "--mesh-map", "kershaw", "--eps", eps) for eps in (1, 0.7, 0.3, 0.05)]
        self.assertEqual([record["case"]["eps"] for record in records], [1, 0.7, 0.3, 0.05])
        self.assertEqual({record["case"]["mesh_map"] for record in records}, {"kershaw"})
        self.assertIsNone(records[0]["case"]["deform"])
        iterations = [record["result"]["iterations"] for record in records]
        self.assertEqual(iterations, sorted(iterations))
        self.assertLess(1.2 * iterations[0], iterations[-1])
        self.assert_close(records[0]["result"]["l2_error"], plain["l2_error"], 1e-6)
        self.assertEqual(self.record_of(*small(), "--mesh-map", "kershaw")["case"]["eps"], 0.3)
        smooth = self.record_of(*small())["case"]
        self.assertEqual((smooth["mesh_map"], smooth["eps"]), ("smooth", None))

    def test_the_error_falls_with_the_order(self):
        errors = [self.result_of(*small(order))["l2_error"] for order in sorted(ORDERS) if order <= 8]
        if len(errors) < 2:
            self.skipTest("needs two orders up to 8")
        for coarse, fine in zip(errors, errors[1:]):
            self.assertLess(fine, coarse / 2)

    def test_the_error_falls_with_the_element(self):
        order = min(ORDERS)
        if order > 4:
            self.skipTest("needs an order up to 4: the error of higher ones is rounding")
        coarse, fine = (
            self.result_of("--order", order, "--elements", n**3, "--deform", 0, "--bp", "1.0")["l2_error"]
            for n in (4, 8)
        )
        self.assertAlmostEqual(math.log2(coarse / fine), order + 1, delta=0.5)

    def test_single_precision_halves_the_words_and_loosens_tolerances(self):
        double, single = (self.record_of(*small(), "--precision", precision) for precision in ("double", "single"))
        self.assertEqual((double["case"]["precision"], single["case"]["precision"]), ("double", "single"))
        self.assertEqual((double["case"]["tolerance"], single["case"]["tolerance"]), (1e-12, 1e-5))
        self.assertEqual(double["roofs"]["model_bytes"], 2 * single["roofs"]["model_bytes"])
        self.assertGreater(single["verification"]["error"], 1e-9)
        self.assertLess(double["verification"]["error"], 1e-13)
        self.assert_close(single["verification"]["tolerance"] / double["verification"]["tolerance"], 2**29, 1e-6)
        self.assertLess(single["result"]["iterations"], double["result"]["iterations"])
        self.assertLess(single["result"]["memory_bytes"], double["result"]["memory_bytes"])
        self.assert_close(single["result"]["l2_error"], double["result"]["l2_error"], 1e-2 if ORDER <= 4 else 1e9)


class RightHandSide(MainJob):
    def test_a_random_one_is_rough_and_has_no_exact_solution(self):
        known, random = (self.record_of(*small(), "--deform", 0, "--rhs", rhs) for rhs in ("manufactured", "random"))
        self.assertEqual((known["case"]["rhs"], random["case"]["rhs"]), ("manufactured", "random"))
        self.assertGreater(known["result"]["l2_error"], 0)
        self.assertIsNone(random["result"]["l2_error"])
        # the plain box's symmetries leave few of its modes in the smooth one
        self.assertLess(known["result"]["iterations"], random["result"]["iterations"])

    def test_the_nodal_one_has_no_exact_solution_and_is_no_multiple_of_the_others(self):
        known, random, nodal = (
            self.record_of(*small(), "--bp", "3.5", "--rhs", rhs) for rhs in ("manufactured", "random", "nodal")
        )
        self.assertEqual(nodal["case"]["rhs"], "nodal")
        self.assertIsNone(nodal["result"]["l2_error"])
        self.assertTrue(nodal["result"]["converged"])
        residuals = {record["result"]["relative_residual"] for record in (known, random, nodal)}
        self.assertEqual(len(residuals), 3)

    def test_the_default_is_manufactured(self):
        self.assertEqual(self.record_of(*small())["case"]["rhs"], "manufactured")
        default, named = self.result_of(*small()), self.result_of(*small(), "--rhs", "manufactured")
        self.assert_repeated(default["l2_error"], named["l2_error"])


class Reorder(MainJob):
    def test_it_numbers_anew_and_leaves_the_solution(self):
        plain = self.record_of(*small())
        self.assertEqual(plain["case"]["reorder"], "none")
        self.assertNotIn("reorder", plain["timing"]["setup_s"])
        for reorder in "rcm", "gps", "metis", "blocks", "bisection":
            outcome = self.start(*small(), "--reorder", reorder, "--verify-only")
            if outcome.returncode == 2:  # a build without the library says so
                self.assertIn(f"--reorder {reorder}: ", outcome.stderr)
                continue
            record = self.record_of(*small(), "--reorder", reorder)
            self.assertEqual(record["case"]["reorder"], reorder)
            self.assertGreater(record["timing"]["setup_s"]["reorder"], 0)
            self.assert_close(record["result"]["l2_error"], plain["result"]["l2_error"], 1e-6)
            self.assert_same_iterations(record["result"], plain["result"])
            # A vector that is random by the number of a node is another one then. METIS makes parts of 64 elements.
            few = [
                "--order", ORDER, "--elements", 144, "--bp", "1.0", "--rhs", "random", "--max-iterations", 2,
                "--repeat", 1,
            ]
            residuals = [
                self.result_of(*few, "--reorder", order, code=1)["relative_residual"] for order in ("none", reorder)
            ]
            self.assertGreater(abs(residuals[0] - residuals[1]), 1e-6)


if __name__ == "__main__":
    unittest.main()
