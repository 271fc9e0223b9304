# SPDX-License-Identifier: BSD-3-Clause
"""What --solve of elasticity says is right: element matrices, CG's verdict, and beam theory where it has a limit."""

import unittest

from command import ORDERS, Command, tables

ORDER = next((order for order in ORDERS if 2 <= order <= 4), None)
THEORY = ["--poisson", 0, "--perturb", 0]


@unittest.skipIf(ORDER is None, "needs an order of 2 to 4")
class Beam(Command):
    def solve(self, *arguments, order=ORDER, cells="4x1x1", repeat=2, **options):
        return self.record_of(*["elasticity", "--solve", "--order", order, "--cells", cells, "--repeat", repeat],
                              *arguments, **options)

    def test_theory_limits_the_error_where_its_assumptions_hold(self):
        for cells, length in ("4x1x1", 10), ("2x1x2", 2), ("8x1x1", 0.5):
            comparison = self.solve(*THEORY, "--length", length, cells=cells)["result"]["comparison"]
            self.assertEqual((comparison["against"], comparison["passed"]), ("Timoshenko's beam", True))
            self.assertTrue(0.01 * comparison["tolerance"] < comparison["error"] <= comparison["tolerance"])

    def test_elsewhere_it_is_only_compared(self):
        for arguments in (
            ["--perturb", 0],  # nu is 0.3
            ["--poisson", 0],  # vertices are moved
            [*THEORY, "--length", 60],  # rounding shows
            [*THEORY, "--tolerance", 1e-6],
            [*THEORY, "--length", 1, "--precision", "single", "--tolerance", 1e-4],
        ):
            record = self.solve(*arguments)
            comparison = record["result"]["comparison"]
            self.assertGreater(comparison["error"], 0)
            self.assertEqual((comparison["tolerance"], comparison["passed"]), (None, None))
            self.assertTrue(record["verification"]["passed"] and record["result"]["converged"])

    @unittest.skipIf(1 not in ORDERS, "needs order 1")
    def test_order_1_locks_and_says_nothing_of_theory(self):
        record = self.solve(*THEORY, order=1)
        comparison = record["result"]["comparison"]
        self.assertGreater(comparison["error"], 0.3)
        self.assertEqual((comparison["tolerance"], comparison["passed"]), (None, None))
        self.assertEqual((record["verification"]["against"], record["verification"]["passed"]), ("reference", True))

    def test_matrices_are_verified_before_they_are_assembled(self):
        record = self.solve("--precision", "single", "--tolerance", 1e-3, "--length", 1)
        double = self.solve()
        for case, epsilon in (record, 2.0**-23), (double, 2.0**-52):
            verification = case["verification"]
            self.assertEqual(verification["against"], "reference")
            self.assertTrue(0.1 * epsilon < verification["error"] <= verification["tolerance"] < 400 * epsilon)
            self.assertTrue(verification["passed"])
            phases = list(case["timing"]["setup_s"])
            self.assertLess(phases.index("integration"), phases.index("verification"))
            self.assertLess(phases.index("verification"), phases.index("assembly"))

    def test_verify_only_stops_there(self):
        record = self.solve("--verify-only")
        self.assertTrue(record["case"]["verify_only"] and record["verification"]["passed"])
        self.assertNotIn("iterations", record["result"])
        self.assertNotIn("CG", record["timing"]["setup_s"])
        self.assertFalse(record["rates"] or record["roofs"])

    def test_a_solve_that_ends_early_fails_and_is_not_compared(self):
        outcome = self.run_program("elasticity", "--solve", "--order", ORDER, *THEORY, "--max-iterations", 4, "--json",
                                   "record.json", code=1)
        self.assertIn("--max-iterations 4: ", outcome.errors)
        record = outcome.record
        self.assertEqual((record["result"]["verdict"], record["result"]["converged"]), ("unconverged", False))
        self.assertEqual(record["case"]["max_iterations"], 4)
        self.assertIsNone(record["result"]["comparison"]["passed"])
        self.assertTrue(record["verification"]["passed"])  # matrices were right
        self.assertIn("NOT CONVERGED", tables(outcome.output)[0][0]["iterations"])

    def test_rates_and_roofs_follow_from_times(self):
        record = self.solve("--tolerance", 1e-7, repeat=3)
        case, result, timing, rates, roofs = (record[k] for k in ("case", "result", "timing", "rates", "roofs"))
        self.assertEqual((case["tolerance"], case["repeat"], case["max_iterations"]), (1e-7, 3, 20000))
        self.assertLessEqual(result["true_relative_residual"], 2e-7)
        self.assert_sample(timing["operator_s"], 3)
        rows = case["cells"][0] * case["order"]  # of nodes that are free, along x; those that are held are stored as well
        nodes = case["dofs"] // 3 * (rows + 1) // rows
        self.assertEqual(roofs["model_bytes"], result["blocks"] * (9 * 8 + 4) + nodes * (8 + 2 * 3 * 8))
        self.assertEqual(roofs["copied_bytes"], roofs["model_bytes"])
        gbytes = roofs["model_bytes"] * 1e-9 / timing["operator_s"]["median"]
        self.assert_close(rates["operator_gbytes"], gbytes)
        self.assert_close(rates["operator_gdofs"], case["dofs"] * 1e-9 / timing["operator_s"]["median"])
        self.assert_close(roofs["fraction_of_copy_roof"], gbytes / roofs["copy_gbytes"])
        self.assertEqual((roofs["least_bytes"], roofs["bound_by"]), (roofs["model_bytes"], "memory"))
        self.assert_close(roofs["bound_s"], roofs["model_bytes"] * 1e-9 / roofs["memory_gbytes"])
        self.assert_close(roofs["fraction_of_bound"], roofs["bound_s"] / timing["operator_s"]["median"])
        self.assert_close(rates["cg_gdofs"], case["dofs"] * 1e-9 / timing["cg_iteration_s"]["median"])
        for key in "expected_bytes", "peak_bytes":
            self.assertGreater(result[key], roofs["model_bytes"])

    def test_cycles_are_in_double_precision_where_single_does_not_suffice(self):
        # nearly incompressible: condition grows with 1 / (1 - 2 nu)
        outcome = self.run_program("elasticity", "--solve", "--order", ORDER, "--cells", "4x1x1", "--poisson", 0.4999999,
                                   "--preconditioner", "amg", "--repeat", 1, "--json", "record.json")
        result = outcome.record["result"]
        self.assertTrue(result["converged"])
        self.assertIn("CG broke down in iteration", result["single_breakdown"])
        self.assertIn("cycles in double precision, since with those in single precision " + result["single_breakdown"],
                      " ".join(outcome.output.split()))
        self.assertNotIn("single_breakdown", self.solve("--preconditioner", "amg")["result"])

    def test_the_page_says_how_far_a_right_answer_may_be(self):
        outcome = self.run_program("elasticity", "--solve", "--order", ORDER, "--cells", "4x1x1", *THEORY, "--json",
                                   "record.json")
        comparison, row = outcome.record["result"]["comparison"], tables(outcome.output)[0][0]
        self.assertEqual((row["apart"], row["at most"]),
                         (f"{comparison['error']:.1e}", f"{comparison['tolerance']:.1e}"))

    def test_progress_counts_the_runs(self):
        arguments = ["elasticity", "--solve", "--order", ORDER, "--kernel", "reg-jac,products", "--cells", "2x1x1"]
        shown = self.progress_of(*arguments)
        self.assertIn(f"1 of 2: order {ORDER}, reg-jac; ", shown)
        self.assertRegex(shown, rf"2 of 2: order {ORDER}, products; \d+ s so far, about \d+ s left")
        self.assertNotIn("left", shown[: shown.index("2 of 2")])
        self.assertEqual(self.progress_of(*arguments, "--quiet"), "")


@unittest.skipIf(ORDER is None, "needs an order of 2 to 4")
class Defaults(Command):
    def test_without_options_only_what_is_fast_is_timed(self):
        records = self.records_of("elasticity", "--order", ORDER, "--elements", 2, "--repeat", 1)
        self.assertEqual([record["case"]["variant"] for record in records], ["products", "split"])
        self.assertEqual(records[0]["result"]["plan"]["elements_per_kernel"], 2)

    def test_verify_only_takes_no_more_elements_than_auto(self):
        auto, many = (
            self.record_of("elasticity", "--order", ORDER, "--verify-only", "--kernel", "products", "--elements",
                           elements)
            for elements in ("auto", "1G")
        )
        self.assertEqual(many["case"]["elements"], auto["case"]["elements"])
