# SPDX-License-Identifier: BSD-3-Clause
"""miniapp weakform gives the same on any number of ranks."""

import unittest

from command import ON_DEVICE
from on_ranks import COUNTS, FEW, HALOS, OnRanks
from problem_test import MESHES, File

SOLVE = ["weakform", "--solve", "--elements", 777]
VERIFY = ["weakform", "--elements", 777, "--verify-only"]
STRATEGIES = ["cells", "points", "functions", "transposed", "tiles", "fans", "owner"]


class WeakformRanks(OnRanks):
    def assert_same(self, found, alone):
        """Figures of the whole mesh, to rounding."""
        self.assertTrue(found["verification"]["passed"])
        for what in "elements", "unknowns", "components":
            self.assertEqual(found["case"][what], alone["case"][what])
        exact = 1e-11 if alone["case"]["precision"] == "double" else 1e-4
        for what, relative in ("residual_norm", exact), ("tolerance", 1e-9), ("jacobian_tolerance", 1e-6), ("flops", 1e-12):
            value = alone["result"][what]
            self.assertLess(abs(found["result"][what] - value), relative * value, what)

    def test_residuals_do_not_depend_on_the_number_of_ranks(self):
        for dim in 2, 3:
            for form in "variable-poisson", "neo-hookean":
                way = [*VERIFY, "--dim", dim, "--form", form]
                alone = self.record_of(*way)
                self.assertGreater(alone["result"]["residual_norm"], 0)
                ranks = next(COUNTS)
                with self.subTest(dim=dim, form=form, ranks=ranks):
                    record, _ = self.on(ranks, *way)
                    self.assertEqual(record["ranks"], ranks)
                    self.assert_same(record, alone)

    def test_every_strategy_and_order_on_ranks(self):
        for way in [], ["--shuffle", "--reorder", "none,bisection"], ["--precision", "single", "--dim", 2]:
            alone = self.records_of(*VERIFY, "--kernel", "all", *way)
            ranks = next(COUNTS)
            with self.subTest(way=way, ranks=ranks):
                records, page = self.all_on(ranks, *VERIFY, "--kernel", "all", *way)
                self.assertEqual([r["case"]["strategy"] for r in records], STRATEGIES * (len(alone) // 7))
                self.assertIn(f"all {len(alone)} right", page)
                for record, expected in zip(records, alone):
                    self.assertEqual(record["case"]["shuffled"], "--shuffle" in way)
                    self.assert_same(record, expected)

    def test_partitions_give_the_same(self):
        alone = self.record_of(*VERIFY)
        self.assertNotIn("partition", alone["case"])
        self.assertNotIn("of_ranks", alone)
        neighbours = {}
        for partition in "rcb", "linear":
            record, _ = self.on(4, *VERIFY, "--partition", partition)
            self.assertEqual(record["case"]["partition"], partition)
            self.assertIn(record["case"]["halo"], HALOS)
            self.assert_same(record, alone)
            neighbours[partition] = record["of_ranks"]["neighbours"]["mean"]
        self.assertNotEqual(neighbours["rcb"], neighbours["linear"])

    @unittest.skipIf(ON_DEVICE, "of the host's memory")
    def test_memory_of_partitions_is_expected(self):
        if self.record_of("info")["libraries"]["metis"] is None:
            return
        way = ["weakform", "--dim", 2, "--elements", 80000, "--verify-only", "--partition"]
        metis, rcb = (self.on(7, *way, partition)[0] for partition in ("metis", "rcb"))
        graph = 8e6 + 170 * metis["case"]["elements"] / 2  # of all squares, on each rank
        self.assertLess(rcb["result"]["expected_bytes"], 0.9 * graph)
        self.assert_close(metis["result"]["expected_bytes"], graph, 1e-6)

    def test_records_and_pages_tell_what_ranks_have(self):
        record, page = self.on(3, "weakform", "--elements", 576, "--form", "neo-hookean", "--repeat", 2, "--partition", "linear")
        cubes, spread = record["case"]["elements"] / 6, record["of_ranks"]
        self.assertEqual(3 * spread["elements"]["mean"], record["case"]["elements"])
        self.assertLessEqual(spread["elements"]["max"] - spread["elements"]["min"], 6)
        self.assertEqual(9 * spread["owned_nodes"]["mean"], record["case"]["unknowns"])
        self.assertGreater(spread["nodes"]["mean"], spread["owned_nodes"]["mean"])
        self.assertEqual((spread["neighbours"]["min"], spread["neighbours"]["max"]), (1, 2))
        self.assertGreater(spread["exchanged_bytes"]["min"], 0)
        self.assertEqual(spread["exchanged_bytes"]["min"] % 24, 0)
        for phase in "mesh", "numbering", "plan":
            self.assertGreater(spread[phase + "_s"]["max"], 0)
        self.assertAlmostEqual(record["rates"]["residual_gcells"] * record["timing"]["residual_s"]["median"] * 1e9,
                               6 * cubes, places=3)
        self.assertIn("3 ranks, each on ", page)
        self.assertIn("ranks: 3 by linear, each: ", page)
        self.assertIn("exchanged per residual", page)
        self.assertEqual(page.count("neo-hookean: "), 1)

    def test_solutions_do_not_depend_on_the_number_of_ranks(self):
        for dim, form in (2, "poisson"), (3, "helmholtz"), (2, "nonlinear-poisson"), (3, "nonlinear-poisson"), (2, "neo-hookean"), (3, "neo-hookean"):
            way = [*SOLVE, "--dim", dim, "--form", form, "--preconditioner", "jacobi"]
            alone = self.record_of(*way)
            ranks = next(COUNTS)
            with self.subTest(dim=dim, form=form, ranks=ranks):
                record, _ = self.on(ranks, *way)
                self.assertEqual(record["ranks"], ranks)
                self.assertEqual(record["case"]["preconditioner"], "jacobi")
                self.assert_solved_alike(record, alone)

    def test_multigrid_of_all_ranks(self):
        for dim, form in (2, "poisson"), (3, "nonlinear-poisson"), (2, "neo-hookean"), (3, "neo-hookean"):
            way = [*SOLVE, "--dim", dim, "--form", form]
            plain = self.record_of(*way, "--preconditioner", "jacobi")["result"]
            ranks = next(COUNTS)
            with self.subTest(dim=dim, form=form, ranks=ranks):
                record, _ = self.on(ranks, *way)
                result = record["result"]
                self.assertEqual(record["case"]["preconditioner"], "amg")
                self.assertEqual(record["case"]["amg_precision"], "single")
                self.assertEqual(result["verdict"], "converged")
                self.assertEqual(result["iterations"], plain["iterations"])
                self.assertLess(sum(result["linear_iterations_of_steps"]), sum(plain["linear_iterations_of_steps"]))
                for error in "l2_error", "h1_error":
                    self.assertLess(abs(result[error] - plain[error]), 1e-7 * plain[error], error)

    def test_solutions_are_written_by_all_ranks(self):
        way = [*SOLVE, "--dim", 3, "--form", "neo-hookean", "--preconditioner", "jacobi", "--tolerance", 1e-12]
        self.run_program(*way, "--output", "one.vtu")
        self.on(FEW, *way, "--output", "all.pvtu")
        whole = File(self.folder / "one.vtu")
        ends = dict(zip(whole.points(), zip(*[iter(whole.arrays["u"])] * 3)))
        seen = set()
        for rank in range(FEW):
            part = File(self.folder / f"all_{rank}.vtu")
            for point, u in zip(part.points(), zip(*[iter(part.arrays["u"])] * 3)):
                seen.add(point)
                for got, expected in zip(u, ends[point]):
                    self.assertAlmostEqual(got, expected, 9)
        self.assertEqual(seen, set(ends))

    def test_a_problem_of_the_user_is_that_of_one_rank(self):
        solve = ["weakform", "--solve", "--mesh", MESHES / "bracket.msh"]
        way = [*solve, "--preconditioner", "jacobi", "--tolerance", 1e-12,
               "--dirichlet", "ground=x", "--robin", "edge=1,y", "--coefficient", "1+z", "--coefficient", "steel=2",
               "--source", "sin(x)"]
        self.run_program(*way, "--output", "one.vtu")
        whole = File(self.folder / "one.vtu")
        ends = dict(zip(whole.points(), whole.arrays["u"]))
        record, _ = self.on(FEW, *way, "--output", "all.pvtu")
        self.assertEqual(record["case"]["problem"]["natural"], "496 sides without a group")
        for rank in range(FEW):
            part = File(self.folder / f"all_{rank}.vtu")
            for point, u in zip(part.points(), part.arrays["u"]):
                self.assertAlmostEqual(u, ends[point], 9)
        self.assertIn(
            "--dirichlet tip: no group of sides; accepted are ground, edge",
            self.refused(2, (FEW, self.folder, [*solve, "--dirichlet", "tip=1"])),
        )

    def test_single_components_are_held_on_ranks_too(self):
        way = ["weakform", "--solve", "--mesh", MESHES / "bracket.msh", "--form", "neo-hookean", "--preconditioner", "jacobi",
               "--tolerance", 1e-12, "--dirichlet", "ground=0,0,0", "--dirichlet", "edge=,,-0.01"]
        self.run_program(*way, "--output", "one.vtu")
        whole = File(self.folder / "one.vtu")
        ends = dict(zip(whole.points(), zip(*[iter(whole.arrays["u"])] * 3)))
        self.assertGreater(sum(abs(z + 0.01) < 1e-15 for _, _, z in ends.values()), 1)
        self.assertEqual(sum(abs(x) < 1e-15 and abs(z + 0.01) < 1e-15 for x, _, z in ends.values()), 0)
        self.on(FEW, *way, "--output", "all.pvtu")
        for rank in range(FEW):
            part = File(self.folder / f"all_{rank}.vtu")
            for point, u in zip(part.points(), zip(*[iter(part.arrays["u"])] * 3)):
                for got, expected in zip(u, ends[point]):
                    self.assertAlmostEqual(got, expected, 9)

    def assert_solved_alike(self, found, alone, exact=1e-9):
        """The same steps to the same solution."""
        result, expected = found["result"], alone["result"]
        for what in "verdict", "iterations", "step_lengths", "remark":
            self.assertEqual(result[what], expected[what], what)
        for what in "elements", "unknowns":
            self.assertEqual(found["case"][what], alone["case"][what])
        for own, other in zip(result["linear_iterations_of_steps"], expected["linear_iterations_of_steps"]):
            self.assertLessEqual(abs(own - other), 1)
        self.assertEqual(len(result["residual_norms"]), len(expected["residual_norms"]))
        first = expected["residual_norms"][0]
        for own, other in zip(result["residual_norms"], expected["residual_norms"]):
            self.assertLess(abs(own - other), exact * first)
        for error in "l2_error", "h1_error":
            self.assertGreater(expected[error], 0)
            self.assertLess(abs(result[error] - expected[error]), exact * expected[error], error)

    def test_solutions_in_other_ways_on_ranks(self):
        for way, exact in (
            (["--preconditioner", "none"], 1e-9),
            (["--shuffle", "--kernel", "owner", "--reorder", "rcm"], 1e-9),
            (["--partition", "linear", "--kernel", "transposed"], 1e-9),
            (["--precision", "single"], 1e-3),
        ):
            with self.subTest(way=way):
                alone = self.record_of(*SOLVE, *[word for word in way if word not in ("--partition", "linear")], *([] if "none" in way else ["--preconditioner", "jacobi"]))
                record, _ = self.on(FEW, *SOLVE, *way, *([] if "none" in way else ["--preconditioner", "jacobi"]))
                self.assert_solved_alike(record, alone, exact)

    def test_pages_and_histories_of_solutions_are_written_once(self):
        way = [*SOLVE, "--form", "nonlinear-poisson", "--history", "h.csv", "--preconditioner", "jacobi"]
        record, page = self.on(FEW, *way)
        self.assertEqual(FEW * record["of_ranks"]["elements"]["mean"], record["case"]["elements"])
        self.assertEqual(record["case"]["partition"], "rcb")
        self.assertIn(record["case"]["halo"], HALOS)
        for phase in "mesh", "numbering", "plan":
            self.assertGreater(record["of_ranks"][phase + "_s"]["max"], 0)
        self.assertIn(f"{FEW} ranks, each on ", page)
        self.assertIn("linear systems with jacobi", page)
        self.assertEqual(page.count(f"ranks: {FEW} by rcb, each: "), 1)
        self.assertIn("exchanged per product", page)
        lines = (self.folder / "h.csv").read_text().splitlines()
        self.assertEqual(len(lines), 2 + record["result"]["iterations"])
        norms = record["result"]["residual_norms"]
        for line, norm in zip(lines[1:], norms):
            self.assert_close(float(line.split(",")[1]), norm / norms[0])

    def test_solves_that_fail_do_so_on_all_ranks(self):
        done = self.launch((FEW, self.folder, [*SOLVE, "--form", "nonlinear-poisson", "--max-iterations", 2]))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("did not converge after 2 steps"), 1, done.stderr)

    def test_bytes_and_roofs_are_those_of_all_ranks(self):
        way = ["weakform", "--elements", "20k", "--repeat", 2]
        alone = self.record_of(*way)
        record, _ = self.on(2, *way)
        for what in "bytes", "least_bytes":  # nodes between parts count twice
            ratio = record["result"][what] / alone["result"][what]
            self.assertTrue(1 <= ratio < 1.2, ratio)
        ratio = record["roofs"]["copied_bytes"] / alone["roofs"]["copied_bytes"]
        self.assertTrue(0.95 < ratio < 1.2, ratio)

    def test_a_mesh_from_a_file_is_distributed(self):
        for way in (["--verify-only", "--kernel", "all"], ["--solve"], ["--solve", "--partition", "linear"]):
            words = ["weakform", "--mesh", MESHES / "bracket.msh", "--dim", 3, *way]
            alone = self.records_of(*words)
            ranks = next(COUNTS)
            with self.subTest(way=way, ranks=ranks):
                records, _ = self.all_on(ranks, *words)
                self.assertEqual(len(records), len(alone))
                for record, expected in zip(records, alone):
                    self.assertEqual(record["case"]["unknowns"], expected["case"]["unknowns"])
                    if "--solve" in way:
                        self.assert_close(record["result"]["l2_error"], expected["result"]["l2_error"])
                    else:
                        self.assert_same(record, expected)

    def test_bad_input_is_refused_once(self):
        here = self.folder
        for way, says in (
            (["--mesh", "square.msh"], "--mesh square.msh: cannot be read"),
            (["--mesh", MESHES / "bracket.msh", "--dim", 2], "bracket.msh: tetrahedra; --dim 2 accepts triangles"),
            (["--tune", "fastest.txt"], "--tune: runs on one rank"),
            (["--partition", "random"], "--partition: unknown value 'random'"),
            (["--kernel", "transposed", "--blocks", 4096, "--json", "none.json"], "--blocks"),
        ):
            with self.subTest(way=way):
                self.assertIn(says, self.refused(2, (3, here, ["weakform", *way])))
        self.assertIn("--elements 4: 5 ranks for 4 squares of 2 triangles; accepted are no more ranks than these",
                      self.refused(2, (5, here, ["weakform", "--dim", 2, "--elements", 4])))
        self.assertFalse((here / "fastest.txt").exists())
        self.run_program(*VERIFY, "--partition", "rcb")  # of one rank, so that scripts need no other line for it


if __name__ == "__main__":
    unittest.main()
