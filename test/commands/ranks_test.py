# SPDX-License-Identifier: BSD-3-Clause
"""The main job and the solver give the same on any number of ranks, and no failure of a rank leaves the others waiting."""

import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

from command import HIGH_ORDER, ON_DEVICE, ORDERS, PROGRAM, pages
from on_ranks import COUNTS, FEW, HALOS, MPIEXEC, THROUGH_PEERS, OnRanks, has_hypre, up_to

ORDER = HIGH_ORDER or 1
SMALL = ["--order", ORDER, "--cells", "3x4x5", "--repeat", 1, "--bp", "3.0", "--tolerance", 1e-10]


class Ranks(OnRanks):
    def test_solutions_do_not_depend_on_the_number_of_ranks(self):
        ways = [["--preconditioner", "jacobi"], ["--preconditioner", "chebyshev"], ["--preconditioner", "none"]]
        if ORDER > 1:
            ways.append(["--preconditioner", "p-multigrid", "--lowest-order", "redundant"])
        for way in ways:
            alone = self.record_of(*SMALL, *way[:2])
            ranks = next(COUNTS)
            with self.subTest(way=way, ranks=ranks):
                record, _ = self.on(ranks, *SMALL, *way)
                self.assertEqual(record["ranks"], ranks)
                self.assertEqual(record["case"]["dofs"], alone["case"]["dofs"])
                self.assertLessEqual(abs(record["result"]["iterations"] - alone["result"]["iterations"]), 1)
                error = alone["result"]["l2_error"]
                self.assertLess(abs(record["result"]["l2_error"] - error), 1e-6 * error + 1e-10)
                self.assertLess(record["result"]["true_relative_residual"], 2e-10)
                self.assertTrue(record["verification"]["passed"])

    def test_problems_components_and_partitions(self):
        for problem, partition in ("1.0", "linear"), ("3.5", "rcb"), ("bp4", "linear"):
            with self.subTest(problem=problem, partition=partition):
                way = [*SMALL, "--bp", problem, "--preconditioner", "jacobi"]
                way.remove("3.0")
                way.remove("--bp")
                alone = self.record_of(*way)
                record, _ = self.on(FEW, *way, "--partition", partition)
                self.assertEqual(record["case"]["partition"], partition)
                self.assertIn(record["case"]["halo"], HALOS)
                self.assertEqual(record["case"]["dofs"], alone["case"]["dofs"])
                self.assertLessEqual(abs(record["result"]["iterations"] - alone["result"]["iterations"]), 1)

    def test_ranks_that_store_into_each_other_solve_alike(self):
        for preconditioner in ("jacobi", "p-multigrid") if ORDER > 1 else ("jacobi",):
            with self.subTest(preconditioner=preconditioner):
                way = [*SMALL, "--preconditioner", preconditioner]
                messages, _ = self.on(FEW, *way, "--halo", "host")
                peers, page = self.on(FEW, *way, "--halo", "peer")
                self.assertEqual(peers["case"]["halo"], "peer")
                self.assertIn(THROUGH_PEERS, " ".join(page.split()))
                self.assertAlmostEqual(peers["result"]["iterations"], messages["result"]["iterations"], delta=1 if ON_DEVICE else 0)
                error = messages["result"]["l2_error"]
                self.assertLess(abs(peers["result"]["l2_error"] - error), 1e-6 * error + 1e-10)
                self.assertTrue(peers["verification"]["passed"])

    @unittest.skipIf(ON_DEVICE, "of hosts")
    def test_ways_between_gpus_are_refused_on_processors(self):
        for halo in "device", "nccl":
            self.assertIn(f"--halo {halo}: of GPUs; accepted on processors are auto, host, peer",
                          self.refused(2, (2, self.folder, [*SMALL, "--halo", halo])))

    @unittest.skipIf(ORDER == 1, "needs an order with lower ones")
    def test_the_lowest_order_of_multigrid_is_redundant_or_distributed(self):
        way = [*SMALL, "--preconditioner", "p-multigrid"]
        alone = self.record_of(*way)
        self.assertNotIn("lowest_order", alone["case"])
        for words, ranks, chosen in (
            ([], 2, "redundant"),
            ([], 7, "redundant"),
            (["--lowest-order", "redundant"], 7, "redundant"),
            (["--lowest-order", "distributed"], 2, "distributed"),
            (["--lowest-order", "distributed"], 3, "distributed"),
            (["--lowest-order", "distributed"], 7, "distributed"),
        ):
            with self.subTest(words=words, ranks=ranks):
                record, page = self.on(ranks, *way, *words)
                self.assertEqual(record["case"]["lowest_order"], chosen)
                self.assertIn(f"1 ({chosen})", page)
                error = alone["result"]["l2_error"]
                self.assertLess(abs(record["result"]["l2_error"] - error), 1e-6 * error + 1e-10)
                self.assertLess(record["result"]["true_relative_residual"], 2e-10)
                iterations = [run["result"]["iterations"] for run in (record, alone)]
                self.assertLessEqual(abs(iterations[0] - iterations[1]), 1 if chosen == "redundant" else 2)
        self.run_program(*way, "--lowest-order", "redundant")  # of one rank, so that scripts need no other line for it
        self.assertIn(
            "--lowest-order: of multigrid over orders; accepted with --preconditioner p-multigrid",
            self.refused(2, (2, self.folder, [*SMALL, "--preconditioner", "jacobi", "--lowest-order", "redundant"])),
        )

    @unittest.skipIf(HIGH_ORDER is None, "needs an order above 1")
    def test_ranks_fall_back_to_jacobi_where_single_precision_breaks_down(self):
        record, page = self.on(2, "--bp", "3.0", "--order", HIGH_ORDER, "--cells", 6, "--boundary", "neumann", "--lambda",
                               1e-10, "--rhs", "random", "--tolerance", 1e-8, "--repeat", 1, "--preconditioner", "auto")
        self.assertTrue(record["result"]["converged"])
        self.assertEqual(record["result"]["fallback"], "jacobi")
        self.assertIn("jacobi, since with multigrid in single precision CG broke down in iteration", " ".join(page.split()))

    def test_records_and_pages_tell_what_ranks_have(self):
        record, page = self.on(3, *SMALL[:2], "--cells", "3x4x9", *SMALL[4:], "--preconditioner", "jacobi")
        spread = record["of_ranks"]
        self.assertEqual((spread["elements"]["min"], spread["elements"]["max"]), (36, 36))
        self.assertEqual(3 * spread["owned_nodes"]["mean"], (3 * ORDER + 1) * (4 * ORDER + 1) * (9 * ORDER + 1))
        self.assertGreater(spread["nodes"]["mean"], spread["owned_nodes"]["mean"])
        self.assertEqual((spread["neighbours"]["min"], spread["neighbours"]["max"]), (1, 2))
        self.assertEqual(spread["exchanged_bytes"]["max"], 2 * spread["exchanged_bytes"]["min"])
        self.assertEqual(page.count("Kernel "), 1)
        kernel = dict(pages(page))[next(title for title, _ in pages(page) if title.startswith("Kernel"))]
        self.assertTrue(kernel["ranks"].startswith("3 by rcb, each: 36 to 36 elements, 1 to 2 neighbours"), kernel)

    def test_weak_multiplies_elements_by_ranks(self):
        for ranks, sides, lengths in (1, [3, 3, 4], [1, 1, 1]), (3, [3, 9, 4], [1, 3, 1]), (4, [6, 6, 4], [2, 2, 1]):
            with self.subTest(ranks=ranks):
                record, page = self.on(ranks, "--order", ORDER, "--cells", "3x3x4", "--weak", "--verify-only")
                self.assertEqual((record["case"]["box"], record["case"]["lengths"]), (sides, lengths))
                self.assertIn(f"hexahedra of {'a box of ' + ' x '.join(map(str, lengths)) + ' m' if ranks > 1 else 'the unit cube'}",
                              page)
                if ranks > 1:
                    self.assertEqual(record["of_ranks"]["elements"], {"min": 36, "mean": 36, "max": 36})

    def test_a_sweep_begins_where_each_rank_has_an_element(self):
        words = ["--sweep", "elements", "--elements", 64, "--order", ORDER, "--bp", "1.0", "--verify-only"]
        for ranks, sizes in (1, [1, 8, 64]), (2, [8, 64]):
            self.assertEqual([r["case"]["elements"] for r in self.all_on(ranks, *words)[0]], sizes)
        self.assertEqual([r["case"]["elements"] for r in self.all_on(2, *words, "--weak")[0]], [2, 16, 128])
        self.assertIn("accepted are no more ranks than elements",
                      self.refused(2, (2, self.folder, [*words[:3], 1, *words[4:]])))

    def test_streaming_counts_the_bytes_of_all_ranks(self):
        sizes = ["streaming", "--bs", "1,3,4,5,6", "--order", ORDER, "--min-bytes", "8k", "--max-bytes", "64k", "--samples", 3]
        self.run_program(*sizes, "--json", "alone.json")
        self.launch((FEW, self.folder, [*sizes, "--json", "few.json"]))
        alone, few = ([json.loads(line) for line in (self.folder / name).read_text().splitlines()] for name in ("alone.json", "few.json"))
        self.assertEqual(len(few), 5)
        for one, all_few in zip(alone, few):
            self.assertEqual(all_few["ranks"], FEW)
            self.assertTrue(all_few["verification"]["passed"])
            self.assertLessEqual(all_few["roofs"]["fraction_of_bound"], 1 + 1e-12)  # although ranks disturb each other
            for what in "entries", "moved_bytes":
                self.assertEqual(all_few["result"][what], [FEW * value for value in one["result"][what]])

    def test_info_measures_the_network(self):
        record, page = self.on(FEW, "info", "--network")
        messages = record["network"]["messages"]
        self.assertEqual([m["bytes"] for m in messages], [8 ** k for k in range(1, 8)])
        self.assertTrue(all(0 < m["seconds"] < 1 for m in messages))
        self.assertLess(0, record["network"]["sum_s"])
        self.assertIn(f"sum over {FEW} ranks", page)
        self.assert_refused("info", "--network", says="--network: one rank has no other; accepted with mpirun -n 2")

    def test_solver_takes_as_many_iterations_on_any_number_of_ranks(self):
        for matrix, unknowns in ("poisson2d", 33**2), ("poisson3d", 11**3):
            words = ["solver", "--matrix", matrix, "--unknowns", unknowns, "--rhs", "random", "--repeat", 1]
            for way in ["--preconditioner", "none"], ["--preconditioner", "jacobi", "--cg", "pipelined"]:
                alone = self.record_of(*words, *way)
                ranks = next(COUNTS)
                with self.subTest(matrix=matrix, way=way, ranks=ranks):
                    record, _ = self.on(ranks, *words, *way)
                    self.assertEqual(record["ranks"], ranks)
                    self.assertEqual(record["case"]["unknowns"], unknowns)
                    self.assertEqual(record["case"]["entries"], alone["case"]["entries"])
                    self.assertTrue(record["verification"]["passed"])
                    self.assert_solved_alike(record["result"], alone["result"])
                    self.assertNotIn("pc_of", record["case"])

    def assert_solved_alike(self, result, alone):
        """After as many iterations, with the same residual where they are equal."""
        self.assertLessEqual(abs(result["iterations"] - alone["iterations"]), 1)
        self.assertLessEqual(result["true_relative_residual"], 2e-8)
        self.assertTrue(result["comparison"]["passed"])
        if result["iterations"] == alone["iterations"]:
            self.assert_close(result["true_relative_residual"], alone["true_relative_residual"], 1e-6)

    def test_solver_writes_the_same_solution(self):
        words = ["solver", "--matrix", "poisson3d", "--unknowns", 1331, "--repeat", 1, "--rhs", "random", "--tolerance", 1e-12]
        self.run_program(*words, "--output", "one.mtx")
        self.on(3, *words, "--output", "three.mtx")
        one, three = ((self.folder / f"{name}.mtx").read_text().splitlines() for name in ("one", "three"))
        self.assertEqual(one[:2], three[:2])
        self.assertEqual(len(one), 1333)
        for a, b in zip(map(float, one[2:]), map(float, three[2:])):
            self.assertAlmostEqual(a, b, 8)
        alone = self.record_of(*words[:6], 1, "--rhs", "one.mtx")
        record, _ = self.on(3, *words[:6], 1, "--rhs", "one.mtx")
        self.assertEqual(record["result"]["iterations"], alone["result"]["iterations"])

    def test_solver_writes_the_same_history_once(self):
        words = ["solver", "--matrix", "poisson3d", "--unknowns", 1331, "--repeat", 1, "--history", "h.csv"]
        self.run_program(*words)
        alone = [float(line.split(",")[1]) for line in (self.folder / "h.csv").read_text().splitlines()[1:]]
        self.on(FEW, *words)
        few = [float(line.split(",")[1]) for line in (self.folder / "h.csv").read_text().splitlines()[1:]]
        self.assertEqual(len(few), len(alone))
        for one, other in zip(alone, few):
            self.assertAlmostEqual(other, one, delta=1e-11)

    def test_solver_in_single_precision(self):
        words = ["solver", "--unknowns", 1089, "--repeat", 1, "--precision", "single", "--tolerance", 1e-4]
        alone = self.record_of(*words)
        record, _ = self.on(FEW, *words)
        self.assertLessEqual(abs(record["result"]["iterations"] - alone["result"]["iterations"]), 1)
        self.assertTrue(record["verification"]["passed"])
        self.assertEqual(2 * record["of_ranks"]["exchanged_bytes"]["max"],
                         self.on(FEW, *words[:-4])[0]["of_ranks"]["exchanged_bytes"]["max"])

    def test_solver_preconditions_with_what_each_rank_has(self):
        words = ["solver", "--matrix", "poisson3d", "--unknowns", 1331, "--repeat", 1, "--preconditioner"]
        plain = self.record_of(*words, "none")["result"]["iterations"]
        for pc in "block-amg", "ilu0-chow-patel", "ic0-chow-patel":
            with self.subTest(pc=pc):
                alone = self.record_of(*words, pc)
                self.assertNotIn("pc_of", alone["case"])
                record, page = self.on(FEW, *words, pc)
                self.assertEqual(record["case"]["pc_of"], "own rows of each rank")
                self.assertIn(f"\n{pc}: each rank's of its own rows", page)
                self.assertNotIn("hypre's", page)
                self.assertGreater(record["result"]["iterations"], alone["result"]["iterations"])
                self.assertLess(record["result"]["iterations"], plain)
                self.assertLessEqual(record["result"]["true_relative_residual"], 2e-8)
                if pc == "block-amg":
                    self.assertEqual(record["case"]["smoother"], "chebyshev")
                    self.assertIn(record["result"]["levels"][0]["unknowns"], [11 * 11 * 4] if FEW == 3 else [11 * 11 * 5, 11 * 11 * 6])
                    self.assertIn("rank 0's rows of poisson3d", page)

    def test_solver_has_multigrid_of_all_ranks(self):
        for matrix, n, most in ("poisson2d", 61, 12), ("poisson3d", 17, 11):
            unknowns = n ** 2 if matrix == "poisson2d" else n ** 3
            words = ["solver", "--matrix", matrix, "--unknowns", unknowns, "--rhs", "random", "--repeat", 1, "--preconditioner"]
            alone = self.record_of(*words, "amg")
            self.assertNotIn("pc_of", alone["case"])
            for pc in "amg", *(["boomer-amg"] if has_hypre() else []):
                ranks = next(COUNTS)
                with self.subTest(matrix=matrix, ranks=ranks, pc=pc):
                    record, page = self.on(ranks, *words, pc)
                    result = record["result"]
                    self.assertNotIn("own rows", page)
                    if pc == "amg":
                        self.assertEqual(record["case"]["pc_of"], "all rows")
                        self.assertEqual(record["case"]["smoother"], "chebyshev")
                        self.assertNotIn("hypre's", page)
                        self.assertLessEqual(abs(result["iterations"] - alone["result"]["iterations"]), 3)
                        self.assertGreater(result["operator_complexity"], 1.2)
                        phases = "aggregation_s", "interpolation_s", "coarse_matrix_s"
                    else:
                        self.assertEqual(record["case"]["pc_of"], "all rows, by hypre")
                        self.assertNotIn("smoother", record["case"])
                        self.assertIn("\nboomer-amg: a V-cycle of hypre's BoomerAMG on the rows of all ranks", page)
                        self.assertGreater(result["operator_complexity"], 1.3)
                        phases = "rows_s", "hypre_s"
                    self.assertLessEqual(result["iterations"], most)
                    for phase in phases:
                        self.assertGreater(record["of_ranks"][phase]["max"], 0)
                    self.assertEqual(result["levels"][0]["unknowns"], unknowns)
                    self.assertEqual(result["levels"][0]["entries"], record["case"]["entries"])
                    self.assertGreater(result["pc_bytes"], 4 * record["case"]["entries"])
                    self.assertLessEqual(result["true_relative_residual"], 2e-8)
                    self.assertTrue(result["comparison"]["passed"])

    def test_hypre_s_multigrid_is_of_several_ranks(self):
        words = ["solver", "--preconditioner", "boomer-amg"]
        if has_hypre():
            self.assertIn("of the program's own algebraic multigrid; accepted with --preconditioner amg",
                          self.refused(2, (2, self.folder, [*words, "--smoother", "jacobi"])))
        else:
            self.assertIn("--preconditioner boomer-amg: it is hypre's, which this build has not (Debian: libhypre-dev); "
                          "accepted are none, jacobi, amg, block-amg,", self.refused(2, (2, self.folder, words)))

    def test_solver_through_shared_memory_is_the_same(self):
        words = ["solver", "--matrix", "poisson3d", "--unknowns", 1331, "--repeat", 1, "--rhs", "random"]
        for cg in "fused", "pipelined":
            with self.subTest(cg=cg):
                messages, page = self.on(FEW, *words, "--cg", cg, *(["--halo", "host"] if ON_DEVICE else []))
                self.assertEqual(messages["case"]["halo"], "host")
                self.assertNotIn(THROUGH_PEERS, page)
                peers, page = self.on(FEW, *words, "--cg", cg, "--halo", "peer")
                self.assertEqual(peers["case"]["halo"], "peer")
                self.assertIn(f"exchanged per product {THROUGH_PEERS}", " ".join(page.split()))
                self.assertTrue(peers["verification"]["passed"])
                self.assert_solved_alike(peers["result"], messages["result"])

    def test_solver_tells_what_ranks_have(self):
        words = ["solver", "--matrix", "poisson3d", "--unknowns", 12**3, "--repeat", 1, "--preconditioner", "jacobi"]
        record, page = self.on(3, *words)
        spread = record["of_ranks"]
        self.assertEqual(spread["rows"], {"min": 12 * 12 * 4, "mean": 12 * 12 * 4, "max": 12 * 12 * 4})
        self.assertEqual(3 * spread["entries"]["mean"], record["case"]["entries"])
        self.assertEqual(record["case"]["entries"], 7 * 12**3 - 6 * 12**2)
        self.assertEqual(spread["neighbours"], {"min": 2, "mean": 2, "max": 2})
        # 4 layers of 12 x 12 points, and 8 layers of 12 x 6 twice
        self.assertEqual(spread["exchanged_bytes"], {"min": 8 * 144, "mean": 8 * 160, "max": 8 * (72 + 12 * 8)})
        for phase in "matrix_s", "slices_s", "diagonal_s":
            self.assertGreater(spread[phase]["min"], 0)
        self.assertIn("576 to 576 rows, 3 696 to 3 768 entries, 2 to 2 neighbours, 1.15 kB to 1.34 kB exchanged",
                      " ".join(page.split()))
        self.assertIn("3 ranks, each on", page)
        self.assertEqual(page.count("CG on sparse matrices"), 1)
        self.assertNotIn("of_ranks", self.record_of(*words))

    def test_solver_distributes_a_file(self):
        n = 41  # row 1 is coupled to all: ranks want other numbers of rows than they are asked for
        entries = [(i, i, 3 + i) for i in range(2, n + 1)] + [(1, 1, 50)] + [(i, 1, -1) for i in range(2, n + 1)]
        text = f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {len(entries)}\n"
        (self.folder / "a.mtx").write_text(text + "".join(f"{i} {j} {value}\n" for i, j, value in entries))
        words = ["solver", "--matrix", "a.mtx", "--rhs", "random", "--repeat", 1, "--preconditioner", "none"]
        alone = self.record_of(*words)
        for ranks in up_to(3, 7):
            with self.subTest(ranks=ranks):
                record, _ = self.on(ranks, *words)
                self.assertEqual((record["case"]["unknowns"], record["case"]["entries"]), (n, 3 * n - 2))
                self.assertTrue(record["verification"]["passed"])
                self.assert_solved_alike(record["result"], alone["result"])

    def test_solver_breaks_down_on_all_ranks(self):
        # the whole is indefinite: CG finds it on all ranks; with factors the set-up of one rank may find it alone
        rows = ["1 1 1", "2 2 1", "2 1 3", "3 3 1", "4 4 1"]
        text = f"%%MatrixMarket matrix coordinate real symmetric\n4 4 {len(rows)}\n" + "\n".join(rows) + "\n"
        (self.folder / "a.mtx").write_text(text)
        for pc in "none", "block-amg", "amg":
            with self.subTest(pc=pc):
                start = time.monotonic()
                said = self.refused(1, (2, self.folder, ["solver", "--matrix", "a.mtx", "--rhs", "random", "--preconditioner", pc]))
                self.assertIn("CG with " + pc, said)
                self.assertLess(time.monotonic() - start, 60)

    def test_solver_refuses_what_ranks_do_not_take(self):
        here = self.folder
        (here / "small.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n")
        (here / "wrong.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 -1\n")
        for words, says in (
            (["--matrix", "lor"], "--matrix lor: runs on one rank; accepted on 3 are poisson2d, poisson3d, FILE.mtx"),
            (["--unknowns", 1], "--unknowns 1: 3 ranks for 1 unknowns; accepted are no more ranks than unknowns"),
            (["--matrix", "small.mtx"], "--matrix small.mtx: 3 ranks for 2 rows; accepted are no more ranks than rows"),
            (["--matrix", "wrong.mtx"], "row 2 has -1 on its diagonal"),
            (["--matrix", "none.mtx"], "none.mtx: cannot be read"),
            *([] if ON_DEVICE else [(["--halo", "nccl"], "--halo nccl: of GPUs; accepted on processors are auto, host, peer")]),
        ):
            with self.subTest(words=words):
                said = self.refused(2, (3, here, ["solver", *words]))
                self.assertIn(says, said)
                self.assertNotIn("rank 0:", said)

    def test_bad_input_is_refused_once(self):
        here = self.folder
        self.assertIn(f"{FEW} ranks for {FEW - 1} elements; accepted are no more ranks than elements",
                      self.refused(2, (FEW, here, ["--order", ORDER, "--elements", FEW - 1])))
        self.assertIn("--preconditioner lor-amg: runs on one rank",
                      self.refused(2, (2, here, [*SMALL, "--preconditioner", "lor-amg"])))
        self.assertIn("2 ranks: tune runs on one", self.refused(2, (2, here, ["tune"])))
        self.assertIn("--ordre", self.refused(2, (2, here, ["--ordre", 3])))
        self.assertIn("inverts element", self.refused(2, (2, here, [*SMALL, "--deform", 2])))
        self.run_program(*SMALL, "--partition", "rcb")  # of one rank, so that scripts need no other line for it

    def test_ranks_with_other_words_are_named(self):
        said = self.refused(2, (1, self.folder, SMALL), (1, self.folder, [*SMALL, "--no-solve"]))
        self.assertIn("rank 1: the command line of rank 0 is another", said)

    def test_ranks_with_other_values_or_files_are_named(self):
        other = self.folder / "other"
        other.mkdir()
        for words, says in (
            ("elements = 27", "rank 1: --elements is 27, but 8 on rank 0; accepted is one value for all"),
            ("elements = 8\nlambda = 1000.0", "rank 1: --lambda is 1000, but not given on rank 0"),
            ("elements = 8\npreconditioner = 'jacobi'", "rank 1: --preconditioner is jacobi, but not given on rank 0"),
            ("elements = 8\ntolerance = 1e-3", "rank 1: --tolerance is 0.001, but not given on rank 0"),
            ("elements = 8 # of another host", "rank 1: --config c.toml: the file of rank 0 is another"),
        ):
            with self.subTest(words=words):
                for folder, text in (self.folder, "elements = 8"), (other, words):
                    (folder / "c.toml").write_text(f"order = {ORDER}\nrepeat = 1\n{text}\n")
                run = ["--config", "c.toml"]
                self.assertIn(says, self.refused(2, (1, self.folder, run), (1, other, run)))
        run = ["solver", "--matrix", "a.mtx"]
        for folder, entry in (self.folder, 1), (other, 2):
            (folder / "a.mtx").write_text(f"%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 {entry}\n")
        self.assertIn("rank 1: --matrix a.mtx: the file of rank 0 is another; accepted is the same on all ranks",
                      self.refused(2, (1, self.folder, run), (1, other, run)))

    def test_processes_that_are_each_alone_are_refused(self):
        for name in "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE":
            outcome = self.run_program("--elements", 8, code=2, env={**os.environ, name: "3"})
            self.assertIn("started as 3 processes, of which each is alone: the launcher is another MPI's; accepted are",
                          outcome.errors)

    def test_a_file_that_one_rank_lacks_ends_all(self):
        other = self.folder / "other"
        other.mkdir()
        (self.folder / "here.toml").write_text(f"order = {ORDER}\n")
        for parts, lacks in ((self.folder, other), 1), ((other, self.folder), 0):
            for words in [*SMALL, "--tuning", "here.toml"], ["--config", "here.toml"]:
                with self.subTest(words=words, lacks=lacks):
                    start = time.monotonic()
                    said = self.refused(2, *((1, folder, words) for folder in parts))
                    self.assertTrue(said.startswith(f"miniapp: rank {lacks}: {words[-2]} here.toml: cannot be read"), said)
                    self.assertLess(time.monotonic() - start, 60)

    def test_a_rank_that_is_killed_ends_all(self):
        words = [MPIEXEC, "-n", FEW, PROGRAM, "--order", ORDER, "--elements", 4096, "--repeat", 1000000, "--no-solve"]
        with subprocess.Popen(list(map(str, words)), cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as job:
            try:
                end = time.monotonic() + 60
                ranks = []
                while len(ranks) < FEW and time.monotonic() < end:
                    time.sleep(0.2)
                    ranks = self.descendants(job.pid)
                self.assertEqual(len(ranks), FEW)
                time.sleep(1)
                os.kill(ranks[1], signal.SIGKILL)
                self.assertNotEqual(job.wait(60), 0)
                end = time.monotonic() + (20 if ON_DEVICE else 0.5)  # a driver takes back its memory before a process ends
                while any(map(self.is_running, ranks)) and time.monotonic() < end:
                    time.sleep(0.1)
                self.assertEqual([pid for pid in ranks if self.is_running(pid)], [])
            finally:
                job.kill()

    @staticmethod
    def descendants(ancestor):
        """Processes of the program below `ancestor`."""
        parents, found = {}, []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                stat = (folder / "stat").read_text()
                parents[int(folder.name)] = int(stat[stat.rindex(")") + 2:].split()[1])
                if os.readlink(folder / "exe") == os.path.realpath(PROGRAM):
                    found.append(int(folder.name))
            except OSError:
                continue
        def below(pid):
            return pid == ancestor or (pid in parents and below(parents[pid]))
        return sorted(pid for pid in found if below(pid))

    @staticmethod
    def is_running(pid):
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return False
        return state[state.rindex(")") + 2] != "Z"


if __name__ == "__main__":
    unittest.main()
