# SPDX-License-Identifier: BSD-3-Clause
"""miniapp elasticity --solve gives the same on any number of ranks."""

import json
import os
import unittest

from command import ON_DEVICE, ORDERS
from on_ranks import COUNTS, FEW, HALOS, OnRanks, up_to

SOLVED = [order for order in ORDERS if order <= 3]  # higher ones take long on a host
SOLVE = ["elasticity", "--solve", "--length", 2, "--repeat", 2]
CELLS = ["--cells", "4x2x3", "--perturb", 0.1]


@unittest.skipIf(not SOLVED, "needs an order up to 3")
class ElasticityRanks(OnRanks):
    def assert_same(self, found, alone, exact=1e-9):
        """The same beam, deflection and figures of the whole."""
        self.assertTrue(found["verification"]["passed"])
        for what in "elements", "dofs", "cells":
            self.assertEqual(found["case"][what], alone["case"][what])
        result, expected = found["result"], alone["result"]
        self.assertEqual(result["verdict"], "converged")
        self.assertGreater(expected["tip_deflection_m"], 0)
        self.assert_close(result["tip_deflection_m"], expected["tip_deflection_m"], exact)
        self.assert_close(result["beam_deflection_m"], expected["beam_deflection_m"], 0)
        self.assertEqual(result["comparison"]["tolerance"], expected["comparison"]["tolerance"])
        self.assertEqual(result["comparison"]["passed"], expected["comparison"]["passed"])

    def test_deflections_do_not_depend_on_the_number_of_ranks(self):
        for order in SOLVED:
            for preconditioner in "jacobi", "block-jacobi", "amg":
                way = [*SOLVE, *CELLS, "--order", order, "--preconditioner", preconditioner]
                alone = self.record_of(*way)
                ranks = next(COUNTS)
                with self.subTest(order=order, preconditioner=preconditioner, ranks=ranks):
                    record, _ = self.on(ranks, *way)
                    self.assertEqual(record["ranks"], ranks)
                    self.assert_same(record, alone)
                    self.assertLess(record["result"]["true_relative_residual"], 2e-10)

    def test_iterations_are_those_of_one_rank(self):
        for preconditioner in "jacobi", "block-jacobi":  # down to 1e-4: rounding moves long solves by more
            way = [*SOLVE, *CELLS, "--order", SOLVED[-1], "--preconditioner", preconditioner, "--tolerance", 1e-4]
            alone = self.record_of(*way)["result"]
            for ranks in up_to(3, 7):
                with self.subTest(preconditioner=preconditioner, ranks=ranks):
                    result = self.on(ranks, *way)[0]["result"]
                    self.assertLessEqual(abs(result["iterations"] - alone["iterations"]), 1)
                    self.assertGreater(result["iterations"], 20)

    def test_multigrid_of_all_ranks(self):
        order = 2 if 2 in SOLVED else SOLVED[-1]  # order 3 takes eight times as long
        way = [*SOLVE, "--cells", "12x3x4", "--order", order, "--preconditioner"]
        alone, plain = self.record_of(*way, "amg"), self.record_of(*way, "block-jacobi")
        counts = [alone["result"]["iterations"]]
        for ranks in up_to(2, 3):
            with self.subTest(ranks=ranks):
                record, _ = self.on(ranks, *way, "amg")
                self.assert_same(record, alone)
                counts.append(record["result"]["iterations"])
                levels = record["result"]["preconditioner"]["levels"]
                self.assertGreater(levels, 1)
                self.assertGreater(record["timing"]["setup_s"]["amg"], 0)
        self.assertLess(max(counts), plain["result"]["iterations"] / 2)
        self.assertLess(max(counts) - min(counts), 0.4 * min(counts) + 2)

    def test_other_ways_on_ranks(self):
        order = SOLVED[0]
        for way, exact in (
            (["--kernel", "reg-jac", "--length", 2], 1e-9),
            (["--kernel", "shm-nojac", "--poisson", 0, "--perturb", 0, "--length", 2], 1e-9),
            (["--precision", "single", "--tolerance", 1e-4, "--length", 1], 1e-3),
        ):
            with self.subTest(way=way):
                words = ["elasticity", "--solve", "--repeat", 2, "--cells", "3x2x2", "--order", order, *way]
                alone, (record, _) = self.record_of(*words), self.on(FEW, *words)
                self.assertEqual(record["case"]["variant"], alone["case"]["variant"])
                self.assert_same(record, alone, exact)

    def test_beam_theory_is_held_against_all_ranks(self):
        order = SOLVED[-1]
        way = ["elasticity", "--solve", "--cells", "8x1x2", "--order", order, "--poisson", 0, "--perturb", 0, "--repeat", 1]
        alone, (record, _) = self.record_of(*way), self.on(FEW, *way)
        self.assertEqual(record["result"]["comparison"]["passed"], None if order == 1 else True)
        self.assert_close(record["result"]["comparison"]["error"], alone["result"]["comparison"]["error"], 1e-5)

    def test_records_and_pages_tell_what_ranks_have(self):
        words = [*SOLVE, "--cells", "6x1x1", "--order", ",".join(map(str, SOLVED)), "--partition", "linear"]
        records, page = self.all_on(3, *words)
        self.assertEqual([record["case"]["order"] for record in records], SOLVED)
        for record in records:
            order, spread = record["case"]["order"], record["of_ranks"]
            self.assertEqual(record["case"]["partition"], "linear")
            self.assertIn(record["case"]["halo"], HALOS)
            self.assertEqual(spread["elements"], {"min": 4, "mean": 4, "max": 4})
            self.assertEqual(3 * spread["owned_nodes"]["mean"], (6 * order + 1) * (order + 1) ** 2)
            self.assertEqual((spread["neighbours"]["min"], spread["neighbours"]["max"]), (1, 2))
            one = 3 * 8 * (order + 1) ** 2  # a cross-section
            self.assertEqual((spread["exchanged_bytes"]["min"], spread["exchanged_bytes"]["max"]), (one, 2 * one))
            for phase in "mesh", "numbering", "pattern", "integration", "assembly":
                self.assertGreater(spread[phase + "_s"]["max"], 0)
            self.assertGreater(record["rates"]["cg_gdofs"], 0)
            self.assertIn(f"ranks, order {order}: 3 by linear, each: 4 to 4 elements, 1 to 2 neighbours", page)
        self.assertIn("3 ranks, each on ", page)
        self.assertEqual(page.count("Cantilever of "), 1)

    def test_bytes_are_those_of_all_ranks(self):
        way = [*SOLVE, "--cells", "8x4x4", "--order", SOLVED[0]]
        alone, (record, _) = self.record_of(*way), self.on(2, *way)
        for section, what in ("roofs", "model_bytes"), ("result", "blocks"), ("roofs", "copied_bytes"):
            ratio = record[section][what] / alone[section][what]
            self.assertTrue(1 <= ratio < 1.3, (what, ratio))
        self.assertLess(record["result"]["expected_bytes"], alone["result"]["expected_bytes"])
        self.assertNotIn("of_ranks", alone)
        self.assertNotIn("partition", alone["case"])

    def test_solves_that_fail_do_so_on_all_ranks(self):
        done = self.launch((FEW, self.folder, [*SOLVE, "--order", SOLVED[0], "--max-iterations", 3]))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("--max-iterations 3: CG of order"), 1, done.stderr)

    @unittest.skipUnless(os.environ.get("MINIAPP_TOOL") and not ON_DEVICE, "the tool was not built, or cannot write to a GPU")
    def test_matrices_that_are_wrong_on_one_rank_are_wrong_on_all(self):
        tool = os.environ["MINIAPP_TOOL"]
        words = [*SOLVE, *CELLS, "--order", SOLVED[0], "--kernel", "reg-jac", "--json", "record.json"]
        for rank, code in (0, 1), (2, 1), (3, 0):  # there is no rank 3
            with self.subTest(rank=rank):
                (self.folder / "record.json").unlink(missing_ok=True)
                done = self.launch((3, self.folder, words), timeout=60, env=os.environ | {
                    os.environ["MINIAPP_TOOL_VARIABLE"]: tool,
                    "MINIAPP_TOOL_SPOIL": "solver/element matrices", "MINIAPP_TOOL_SPOIL_AT": "verification",
                    "MINIAPP_TOOL_SPOIL_RANK": str(rank),
                })
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                record = json.loads((self.folder / "record.json").read_text())
                self.assertEqual(record["verification"]["passed"], code == 0)
                self.assertEqual("iterations" in record["result"], code == 0)
                if code == 1:
                    self.assertEqual(done.stderr.count("miniapp: "), 1, done.stderr)
                    self.assertGreater(record["verification"]["error"], record["verification"]["tolerance"])

    def test_bad_input_is_refused_once(self):
        order = ["--order", SOLVED[0]]
        for way, says in (
            (order, f"{FEW} ranks: matrices of single prisms take one; accepted with more is elasticity --solve"),
            (["--plan", "h200"], f"{FEW} ranks: matrices of single prisms take one"),
            (
                [*order, "--solve", "--cells", f"{FEW - 1}x1x1"],
                f"--cells {FEW - 1}x1x1: {FEW} ranks for {FEW - 1} cells; accepted are no more ranks than cells",
            ),
            ([*order, "--solve", "--elements", "1G"], f"--elements 1000000000, --order {SOLVED[0]}: "),
            (
                ["--order", SOLVED[-1], "--solve", "--cells", "4000x1000x1000"],
                "nodes of a rank; accepted are fewer than 7e8",
            ),
            ([*order, "--solve", "--partition", "random"], "--partition: unknown value 'random'"),
        ):
            with self.subTest(way=way):
                self.assertIn(says, self.refused(2, (FEW, self.folder, ["elasticity", *way])))
        self.run_program(*SOLVE, *order, "--partition", "rcb")  # of one rank, so that scripts need no other line for it


if __name__ == "__main__":
    unittest.main()
