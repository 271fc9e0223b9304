# SPDX-License-Identifier: BSD-3-Clause
"""Two runs of one command have the same results bit for bit, where docs/expected.md says so."""
import unittest

from command import ON_DEVICE, ONE_THREAD, ORDERS, Command

# Measured, or about the process: not about the result.
VARIES = {"peak_bytes", "level_s", "seconds", "predicted", "given_up", "times", "curve", "t0_s", "wmax_gbytes", "b80_bytes",
          "r_squared", "fits", "worst_residual", "beyond_cache", "repetitions", "remark"}
if not ONE_THREAD:
    VARIES.add("error")  # of the verification: the reference of the main job adds in any order
SMALL = "--repeat", 1


def without(value):
    """A section with all that is inside it, but for what varies; numbers of JSON have all digits of a double."""
    if isinstance(value, dict):
        return {key: without(inner) for key, inner in value.items() if key not in VARIES}
    return value


def results(record):
    return {section: without(record.get(section)) for section in ("case", "verification", "result")}


class TwoRuns(Command):
    def check(self, *words):
        words = words if words[:2] == ("weakform", "--solve") else (*words, *SMALL)  # which is timed once anyway
        first, second = self.records_of(*words), self.records_of(*words)
        for one, other in zip(first, second, strict=True):
            self.assertEqual(results(one), results(other))
        return first

    def test_the_main_job_reproducibly(self):
        for more in (), ("--preconditioner", "none", "--cg", "classic"), ("--rhs", "random", "--bp", "1.0"):
            with self.subTest(more=more):
                (record,) = self.check("--order", ORDERS[-1], "--elements", 27, "--reproducible", *more)
                self.assertTrue(record["case"]["reproducible"])
                self.assertGreater(record["result"]["iterations"], 1)

    @unittest.skipUnless(ONE_THREAD, "sums of several threads have any order")
    def test_the_main_job_with_multigrid(self):
        for preconditioner in ("p-multigrid", "lor-amg", "chebyshev"):
            with self.subTest(preconditioner=preconditioner):
                self.check("--order", ORDERS[-1], "--elements", 27, "--preconditioner", preconditioner)

    def test_loops_without_atomics(self):
        for loop in ("airfoil", "hydro-stress"):
            records = self.check("indirect", "--loop", loop, "--elements", 900, "--kernel", "staged,global,owner")
            self.assertEqual(len(records), 3)
            self.assertGreater(min(record["result"]["norm"] for record in records), 0)

    @unittest.skipUnless(ONE_THREAD, "sums of several threads have any order")
    def test_solves(self):
        for words in (("solver", "--unknowns", 900, "--preconditioner", "amg"),
                      ("elasticity", "--solve", "--order", min(ORDERS), "--cells", "2x1x2", "--preconditioner", "amg"),
                      ("weakform", "--solve", "--elements", 200)):
            with self.subTest(words=words):
                (record,) = self.check(*words)
                self.assertGreater(record["result"]["iterations"], 0)


class Refusals(Command):
    @unittest.skipIf(ONE_THREAD, "one thread adds in one order")
    def test_what_adds_in_any_order_is_replaced_or_refused(self):
        record = self.record_of("--order", ORDERS[-1], "--elements", 27, "--reproducible", *SMALL)
        self.assertEqual(record["case"]["preconditioner"], "jacobi")
        self.assertEqual(record["case"]["assembly"], "owner" if ON_DEVICE else "fused")
        for words, said in ((("--assembly", "atomic"), "--assembly atomic: adds in any order"),
                            (("--preconditioner", "chebyshev"), "--preconditioner chebyshev: adds in any order")):
            outcome = self.run_program("--order", ORDERS[-1], "--elements", 27, "--reproducible", *words, code=2)
            self.assertIn(said, outcome.errors)
