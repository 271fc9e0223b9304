# SPDX-License-Identifier: BSD-3-Clause
"""What the main job says of its solution: docs/verdicts.md."""
from command import ORDERS, Command


class Verdicts(Command):
    def check_honest(self, record):
        """The verdict follows from the numbers of the record."""
        result, tolerance = record["result"], record["case"]["tolerance"]
        residual, floor = result["true_relative_residual"], result["floor"]
        if result["verdict"] == "converged":
            self.assertLessEqual(residual, 2 * tolerance)
        else:
            self.assertEqual(result["verdict"], "stagnated")
            self.assertGreater(residual, 2 * tolerance)
            self.assertLessEqual(residual, 10 * floor)
        self.assertTrue(result["converged"])

    def test_a_residual_that_becomes_exactly_zero_leaves_the_solution_alone(self):
        for options in ([], ["--bp", "3.5"], ["--bp", "bp3"], ["--precision", "single"], ["--kernel", "reference"]):
            small = ["--order", 1, "--elements", 8, "--preconditioner", "jacobi", "--repeat", 1] + options
            if 1 not in ORDERS and "reference" not in options:
                continue
            with self.subTest(options=options):
                fused, classic = self.record_of(*small), self.record_of(*small, "--cg", "classic")
                self.assertEqual(fused["result"]["iterations"], 1)
                self.assertAlmostEqual(fused["result"]["l2_error"], classic["result"]["l2_error"], delta=1e-5)
                self.check_honest(fused)

    def test_a_tolerance_within_reach_is_reached_by_b_minus_a_x(self):
        for bp in ("1.0", "3.0", "3.5"):
            for cg in ("fused", "classic"):
                with self.subTest(bp=bp, cg=cg):
                    record = self.record_of("--bp", bp, "--order", ORDERS[-1], "--elements", 27, "--repeat", 1, "--cg", cg,
                                            "--tolerance", 1e-10)
                    self.check_honest(record)
                    self.assertEqual(record["result"]["verdict"], "converged")
                    self.assertLessEqual(record["result"]["relative_residual"], 1e-10)

    def test_a_tolerance_beyond_the_precision_is_not_called_reached(self):
        order = ORDERS[-1]
        record = self.record_of("--order", order, "--elements", 64 if order > 4 else 1000, "--precision", "single",
                                "--tolerance", 2e-7, "--repeat", 1)
        self.check_honest(record)
        self.assertEqual(record["result"]["verdict"], "stagnated")
        needle = self.record_of("--order", ORDERS[0], "--cells", "1x1x512", "--boundary", "neumann",
                                "--tolerance", 1e-15, "--repeat", 1)
        self.check_honest(needle)
        self.assertEqual(needle["result"]["verdict"], "stagnated")

    def test_numbers_that_overflow_are_no_solution(self):
        outcome = self.run_program("--order", ORDERS[-1], "--elements", 8, "--lambda", "1e300", "--preconditioner", "jacobi",
                                   "--repeat", 1, "--json", "record.json", code=1)
        self.assertEqual(outcome.record["result"]["verdict"], "broke down")
        self.assertFalse(outcome.record["result"]["converged"])

    def test_b_minus_a_x_is_the_recurrence_while_rounding_is_small(self):
        for cg in ("fused", "classic"):
            outcome = self.run_program("--order", ORDERS[-1], "--elements", 27, "--max-iterations", 5, "--repeat", 1,
                                       "--cg", cg, "--json", "record.json", code=1)
            result = outcome.record["result"]
            self.assertEqual(result["verdict"], "unconverged")
            self.assertFalse(result["converged"])
            self.assertEqual(result["iterations"], 5)
            self.assertAlmostEqual(result["true_relative_residual"] / result["relative_residual"], 1, delta=1e-9)
