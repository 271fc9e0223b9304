# SPDX-License-Identifier: BSD-3-Clause
"""Every option of miniapp solver changes what it says it changes."""

import csv
import math

from command import ON_DEVICE, Command, seconds, tables

GRID = ["solver", "--repeat", 1, "--unknowns"]


class Solver(Command):
    def solve(self, *arguments, unknowns=900, **options):
        return self.record_of(*GRID, unknowns, *arguments, **options)

    def solves(self, *arguments, unknowns=900, **options):
        return self.records_of(*GRID, unknowns, *arguments, **options)


class Matrices(Solver):
    def test_a_grid_has_the_nearest_number_of_points(self):
        for dim, asked, side in (2, "900", 30), (2, "1k", 32), (2, "1e3", 32), (3, "1k", 10), (3, 1100, 10), (2, 1, 1):
            record = self.solve("--matrix", f"poisson{dim}d", unknowns=asked)
            n = side**dim
            self.assertEqual(record["case"]["unknowns"], n)
            self.assertEqual(record["case"]["entries"], (2 * dim + 1) * n - 2 * dim * n // side)
            self.assertEqual((record["case"]["matrix"], record["case"]["order"]), (f"poisson{dim}d", None))

    def test_low_order_matrices_have_the_nodes_of_a_cube_of_elements(self):
        for order, asked, side in (2, 900, 4), (3, 900, 3), (7, 3000, 2):
            record = self.solve("--matrix", "lor", "--order", order, unknowns=asked)
            n, inside = (side * order + 1) ** 3, (side * order - 1) ** 3
            self.assertEqual((record["case"]["unknowns"], record["case"]["order"]), (n, order))
            self.assertTrue(n < record["case"]["entries"] <= n + 18 * inside)
        self.assertEqual(self.solve("--matrix", "lor", unknowns=500)["case"]["order"], 7)

    def test_sizes_methods_and_preconditioners_have_a_row_each(self):
        records = self.solves("--cg", "fused,pipelined", "--preconditioner", "none,jacobi", unknowns="100,900")
        found = [(r["case"]["unknowns"], r["case"]["pc"], r["case"]["method"]) for r in records]
        self.assertEqual(
            found, [(n, pc, cg) for n in (100, 900) for pc in ("none", "jacobi") for cg in ("cg", "pipelined-cg")]
        )

    def test_products_are_verified(self):
        for precision in "double", "single":
            record = self.solve("--matrix", "lor", "--order", 2, "--precision", precision, "--tolerance", 1e-3)
            self.assertEqual(record["case"]["precision"], precision)
            self.assertTrue(record["verification"]["passed"])
            self.assertTrue(0 < record["verification"]["error_over_tolerance"] <= 1)

    def test_ones_are_not_random(self):
        ones, random = (self.solve("--rhs", rhs)["result"] for rhs in ("ones", "random"))
        self.assertNotEqual(ones["relative_residual"], random["relative_residual"])

    def vector(self, name, values):
        (self.folder / name).write_text("%%MatrixMarket matrix array real general\n" + f"{len(values)} 1\n" +
                                        "".join(f"{value!r}\n" for value in values))
        return name

    def test_a_right_hand_side_from_a_file_and_its_solution(self):
        n, head = 40, "%%MatrixMarket matrix coordinate real symmetric\n"
        entries = [(i, i, 2.5) for i in range(1, n + 1)] + [(i + 1, i, -1.0) for i in range(1, n)]
        (self.folder / "a.mtx").write_text(head + f"{n} {n} {len(entries)}\n" + "".join(f"{i} {j} {v}\n" for i, j, v in entries))
        x = [(7 * i % 11) / 3 - 1.5 for i in range(n)]
        b = [2.5 * x[i] - (x[i - 1] if i else 0) - (x[i + 1] if i + 1 < n else 0) for i in range(n)]
        words = ["solver", "--matrix", "a.mtx", "--rhs", self.vector("b.mtx", b), "--repeat", 1, "--tolerance", 1e-13]
        for more in [], ["--preconditioner", "amg"], ["--output", "x.mtx"]:
            record = self.record_of(*words, *more, *([] if "--output" in more else ["--output", "x.mtx"]))
            self.assertEqual(record["case"]["rhs"], "b.mtx")
            lines = (self.folder / "x.mtx").read_text().splitlines()
            self.assertEqual(lines[:2], ["%%MatrixMarket matrix array real general", f"{n} 1"])
            for got, expected in zip(map(float, lines[2:]), x):
                self.assertAlmostEqual(got, expected, 10)
        self.vector("short.mtx", b[1:])
        (self.folder / "mine.mtx").write_text("mine")
        for more, says in ((["--rhs", "short.mtx"], "--rhs short.mtx: 39 numbers; accepted is one for each of 40 rows"),
                           (["--rhs", "a.mtx"], "--rhs a.mtx: line 1: 'coordinate'"),
                           (["--rhs", "none.mtx"], "--rhs"), (["--rhs", "one"], "did you mean ones"),
                           (["--output", "mine.mtx"], "--output mine.mtx"),
                           (["--output", "a.mtx"], "a.mtx"),
                           (["--output", "x.mtx", "--no-solve"], "--output: of solves"),
                           (["--output", "x.mtx", "--preconditioner", "none,jacobi"], "2 solves for one file")):
            with self.subTest(more=more):
                self.assert_refused("solver", "--matrix", "a.mtx", *more, says=says)
        self.assert_refused("solver", "--unknowns", 100, "--rhs", "b.mtx", says="--rhs b.mtx: 40 numbers; accepted is one for each of 100 rows")
        self.assertEqual((self.folder / "mine.mtx").read_text(), "mine")


class Solves(Solver):
    def test_iterations_of_poisson_problems_are_known(self):
        for method in "fused", "pipelined":
            for pc in "none", "jacobi":
                for matrix, unknowns, iterations in ("poisson2d", 10000, 187), ("poisson3d", 22**3, 54):
                    result = self.solve("--matrix", matrix, "--cg", method, "--preconditioner", pc, unknowns=unknowns)["result"]
                    self.assertEqual((result["iterations"], result["verdict"]), (iterations, "converged"))

    def test_the_true_residual_is_below_the_tolerance(self):
        for tolerance in 1e-3, 1e-10:
            for pc in "none", "amg":
                record = self.solve("--tolerance", tolerance, "--preconditioner", pc)
                result = record["result"]
                self.assertEqual(record["case"]["tolerance"], tolerance)
                self.assertLessEqual(result["relative_residual"], tolerance)
                self.assertLessEqual(result["true_relative_residual"], 2 * tolerance)
                comparison = result["comparison"]
                self.assertTrue(comparison["passed"])
                self.assertLessEqual(comparison["relative_residual"], 2 * tolerance)
                self.assertLessEqual(comparison["error"], comparison["tolerance"])

    def test_what_does_not_converge_fails(self):
        record = self.solve("--max-iterations", 5, code=1)
        self.assertEqual(record["case"]["max_iterations"], 5)
        self.assertEqual((record["result"]["iterations"], record["result"]["verdict"]), (5, "unconverged"))
        self.assertFalse(record["result"]["converged"])

    def test_a_history_has_the_residual_of_each_iteration(self):
        record = self.solve("--history", "h.csv")
        rows = list(csv.DictReader((self.folder / "h.csv").read_text().splitlines()))
        self.assertEqual([int(row["iteration"]) for row in rows], list(range(record["result"]["iterations"] + 1)))
        residuals = [float(row["relative_residual"]) for row in rows]
        self.assertEqual((residuals[0], residuals[-1]), (1, record["result"]["relative_residual"]))
        self.assertTrue(all(value > record["case"]["tolerance"] for value in residuals[:-1]))

    def test_no_solve_times_iterations_only(self):
        for pc in "none", "amg":
            record = self.solve("--no-solve", "--preconditioner", pc)
            self.assertTrue(record["case"]["no_solve"])
            self.assertNotIn("iterations", record["result"])
            self.assertNotIn("solve_s", record["timing"])
            self.assert_sample(record["timing"]["iteration_s"], 1)


class Multigrid(Solver):
    def amg(self, *arguments, unknowns=2500, **options):
        return self.solve("--preconditioner", "amg", *arguments, unknowns=unknowns, **options)

    def test_iterations_that_are_timed_do_not_judge_the_matrix(self):
        for unknowns in 1, 4, 9, 25, 100:  # solved exactly after fewer iterations than are timed otherwise
            for more in [], ["--precision", "single"], ["--preconditioner", "amg"], ["--cg", "pipelined"]:
                with self.subTest(unknowns=unknowns, more=more):
                    record = self.record_of("solver", "--unknowns", unknowns, "--no-solve", "--repeat", 1, *more)
                    self.assertTrue(record["verification"]["passed"])

    def test_levels_add_up_to_the_complexities(self):
        result = self.amg()["result"]
        levels = result["levels"]
        self.assertGreater(len(levels), 1)
        self.assertEqual((levels[0]["unknowns"], levels[0]["entries"]), (2500, 5 * 2500 - 4 * 50))
        for kind, key in ("grid", "unknowns"), ("operator", "entries"):
            self.assertGreater(result[f"{kind}_complexity"], 1)
            self.assert_close(result[f"{kind}_complexity"], sum(level[key] for level in levels) / levels[0][key])
        for level in levels:
            self.assert_close(level["entries_per_row"], level["entries"] / level["unknowns"])
        self.assertLess(result["iterations"], self.solve(unknowns=2500)["result"]["iterations"] / 3)

    def test_every_option_is_recorded_and_changes_the_solve(self):
        plain = self.amg("--amg-aggregation", "mis2")
        for option, key, value in (
            ("--amg-aggregation", "amg_aggregation", "greedy"),
            ("--amg-cycle", "amg_cycle", "v"),
            ("--amg-strength", "amg_strength", 0.3),
            ("--smoother", "smoother", "jacobi"),
            ("--smoother", "smoother", "l1-jacobi"),
            ("--smoother-sweeps", "smoother_sweeps", 3),
            ("--amg-precision", "amg_precision", "double"),
        ):
            more = [] if option == "--amg-aggregation" else ["--amg-aggregation", "mis2"]
            record = self.amg(option, value, *more, unknowns=10000 if option == "--amg-cycle" else 2500)
            self.assertNotEqual(plain["case"][key], value)
            self.assertEqual(record["case"][key], value)
            self.assertNotEqual(record["result"]["relative_residual"], plain["result"]["relative_residual"], option)

    def test_cycles_are_in_single_precision_unless_asked_for(self):
        self.assertEqual(self.amg()["case"]["amg_precision"], "single")
        single, double = (self.amg("--amg-precision", name)["result"]["pc_bytes"] for name in ("single", "double"))
        self.assertLess(single, 0.75 * double)

    def test_phases_of_the_set_up_are_timed(self):
        phases = self.amg()["timing"]["setup_s"]
        for phase in "matrix", "slices", "smoother", "coarsest", "aggregation", "interpolation", "coarse_matrix":
            self.assertGreater(phases[phase], 0)
        self.assertNotIn("", phases)
        self.assertGreater(self.solve("--preconditioner", "jacobi")["timing"]["setup_s"]["diagonal"], 0)


class Automatic(Solver):
    """--preconditioner auto, the default: what converges soon is not given up, and what would take longer is."""

    def test_small_systems_keep_the_diagonal(self):
        for more in [], ["--preconditioner", "auto"]:
            record = self.solve(*more)
            self.assertEqual((record["case"]["pc"], record["case"]["pc_asked"]), ("none", "auto"))
            self.assertEqual([one["preconditioner"] for one in record["result"]["predicted"]], ["none", "amg"])
            self.assertNotIn("given_up", record["result"])
            self.assertIn("choice", record["timing"]["setup_s"])
        self.assertEqual(self.solve("--preconditioner", "none")["case"]["pc_asked"], "none")

    def test_large_planes_take_multigrid_after_a_trial(self):
        outcome = self.run_program(*GRID, 90000, "--json", "record.json")
        result, case = outcome.record["result"], outcome.record["case"]
        self.assertEqual((case["pc"], case["pc_asked"]), ("amg", "auto"))
        amg, none = result["predicted"]
        self.assertEqual((amg["preconditioner"], none["preconditioner"]), ("amg", "none"))
        self.assert_close(none["jacobi_iterations"], 0.9 * 2 * 299)
        [tried] = result["given_up"]
        self.assertEqual((tried["preconditioner"], tried["error"]), ("none", None))
        self.assertTrue(amg["jacobi_iterations"] / 8 <= tried["iterations"] < 0.3 * none["jacobi_iterations"])
        self.assertGreater(outcome.record["timing"]["setup_s"]["given_up"], 0)
        self.assert_close(outcome.record["timing"]["setup_s"]["given_up"], tried["seconds"])
        words = " ".join(outcome.output.split())
        self.assertIn("auto on poisson2d, 90 000 unknowns: amg; expected, in iterations with Jacobi: amg", words)
        self.assertIn(f"given up: none, {seconds(tried['seconds'])}: after {tried['iterations']} iterations |r| =", words)
        self.assertEqual(self.solve("--preconditioner", "amg", unknowns=90000)["result"]["iterations"], result["iterations"])

    def test_a_dominant_diagonal_needs_no_multigrid(self):
        n, head = 2000, "%%MatrixMarket matrix coordinate real symmetric\n"
        lines = [f"{i} {i} {4 + i % 3}\n" for i in range(1, n + 1)] + [f"{i + 1} {i} -1\n" for i in range(1, n)]
        (self.folder / "a.mtx").write_text(head + f"{n} {n} {len(lines)}\n" + "".join(lines))
        record = self.record_of("solver", "--matrix", "a.mtx", "--repeat", 1)
        self.assertEqual(record["case"]["pc"], "jacobi")
        self.assertLess(record["result"]["predicted"][0]["jacobi_iterations"], 20)  # eigenvalues from 1/2 to 3/2

    def test_what_solves_nothing_has_none(self):
        for more in ["--no-solve"], ["--verify-only"], ["--cg", "pipelined"]:
            self.assertEqual(self.solve(*more)["case"]["pc"], "none")
        for more in "--no-solve", "--verify-only":
            self.assert_refused(*GRID, 900, "--preconditioner", "auto", more, says="--preconditioner auto: chooses for a solve")
        self.assert_refused(*GRID, 900, "--preconditioner", "auto", "--cg", "pipelined", says="needs a pointwise preconditioner")


class Factors(Solver):
    def test_sweeps_and_terms_are_recorded_and_change_the_solve(self):
        for pc in "ilu0-chow-patel", "ic0-chow-patel":
            plain, swept, longer = (
                self.solve("--preconditioner", pc, *more) for more in ([], ["--sweeps", 1], ["--neumann", 5])
            )
            self.assertEqual((plain["case"]["sweeps"], plain["case"]["neumann"]), (3, 2))
            self.assertEqual((swept["case"]["sweeps"], longer["case"]["neumann"]), (1, 5))
            self.assertNotEqual(swept["result"]["relative_residual"], plain["result"]["relative_residual"])
            self.assertLess(longer["result"]["iterations"], plain["result"]["iterations"])
            self.assertLess(plain["result"]["iterations"], self.solve()["result"]["iterations"])
            for phase in "factors", "application":
                self.assertGreater(plain["timing"]["setup_s"][phase], 0)
            self.assertGreater(plain["result"]["pc_bytes"], 0)

    def test_substitution_is_by_levels(self):
        done = self.start(*GRID, 900, "--preconditioner", "ilu0-level", "--json", "record.json")
        if "no Kokkos Kernels" in done.stderr:
            self.assertEqual(done.returncode, 2)
            self.skipTest("this build has no Kokkos Kernels")
        result = self.solve("--preconditioner", "ilu0-level")["result"]
        self.assertEqual(result["launch_levels"], 2 * 29 + 1)
        series = self.solve("--preconditioner", "ilu0-chow-patel", "--sweeps", 60, "--neumann", 60)["result"]
        self.assert_same_iterations(series, result)


class Files(Solver):
    def matrix(self, rows, name="a.mtx"):
        """A file of a symmetric matrix, {(row, column): value} from 1 on, on and below the diagonal."""
        lines = [f"{i} {j} {value}" for (i, j), value in rows.items()]
        n = max(i for i, _ in rows)
        header = ["%%MatrixMarket matrix coordinate real symmetric", f"{n} {n} {len(rows)}"]
        (self.folder / name).write_text("\n".join(header + lines) + "\n")
        return name

    def line(self, n, diagonal):
        return {(i, i): diagonal for i in range(1, n + 1)} | {(i, i - 1): -1 for i in range(2, n + 1)}

    def test_a_file_is_solved(self):
        file = self.matrix(self.line(20, 2))
        for pc in "none", "amg", "ic0-chow-patel":
            record = self.record_of("solver", "--matrix", file, "--repeat", 1, "--preconditioner", pc)
            self.assertEqual([record["case"][key] for key in ("matrix", "unknowns", "entries")], [file, 20, 58])
            self.assertTrue(record["verification"]["passed"])
            self.assertLessEqual(record["result"]["comparison"]["relative_residual"], 2e-8)
        self.assertEqual(self.record_of("solver", "--matrix", file, "--repeat", 1)["result"]["iterations"], 10)

    def test_any_name_of_a_file_that_is_there_is_one(self):
        file = self.matrix(self.line(3, 2), "poisson")
        self.assertEqual(self.record_of("solver", "--matrix", file, "--repeat", 1)["case"]["unknowns"], 3)

    def test_an_indefinite_matrix_breaks_down(self):
        file = self.matrix(self.line(20, 0.5))
        outcome = self.run_program("solver", "--matrix", file, "--repeat", 1, "--json", "record.json", code=1)
        self.assertIn("CG broke down in iteration", outcome.errors)
        self.assertIn("is not positive", outcome.errors)
        self.assertEqual(outcome.record["result"]["verdict"], "broke down")
        self.assertIsNone(outcome.record["result"]["iterations"])
        self.assertFalse(outcome.record["result"]["converged"])

    def test_a_matrix_that_cannot_be_positive_definite_is_refused(self):
        self.assert_refused("solver", "--matrix", self.matrix(self.line(4, 2) | {(3, 3): 0}),
                            says="--matrix a.mtx: row 3 has 0 on its diagonal")
        (self.folder / "b.mtx").write_text(
            "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n2 2 2\n1 2 1\n"
        )
        self.assert_refused("solver", "--matrix", "b.mtx", says="--matrix b.mtx: (1, 2) is 1 and (2, 1) is 0; accepted are")
        self.assert_refused("solver", "--matrix", "none.mtx", says="none.mtx")
        self.assert_refused("solver", "--matrix", "b.mtx", "--unknowns", 2, says="--unknowns: contradicts the file")


    def test_files_that_hold_no_square_matrix_of_numbers_are_refused(self):
        for text, says in (
            ("2 3 2\n1 1 2\n2 2 2", "--matrix a.mtx: 2 x 3; accepted are square matrices"),
            ("2 2 3\n1 1 2.00000\n2 2 2.00000", "a.mtx: line 5: the file ends after 2 of 3 entries; accepted is a whole file"),
            ("2 2 2\n1 1 2\n2 2 nan", "a.mtx: line 4: nan is not finite; accepted is a finite number"),
            ("2 2 2\n1 1 2.0000000\n2 2", "a.mtx: line 4: the line ends; accepted is a line `row column value`"),
        ):
            (self.folder / "a.mtx").write_text(f"%%MatrixMarket matrix coordinate real general\n{text}\n")
            self.assert_refused("solver", "--matrix", "a.mtx", says=says)

    def test_a_pivot_that_is_not_positive_breaks_down(self):
        if "no Kokkos Kernels" in self.start(*GRID, 900, "--preconditioner", "ilu0-level").stderr:
            self.skipTest("this build has no Kokkos Kernels")
        file = self.matrix({(1, 1): 1, (2, 1): 1, (2, 2): 1, (3, 2): 0.5, (3, 3): 1})
        self.assert_outcome(["broke down"], "ILU(0): row 2 breaks down: its pivot is not positive",
                            "--matrix", file, "--preconditioner", "ilu0-level")

    def assert_outcome(self, verdicts, says, *arguments):
        """A run that fails with these words, and the verdicts of its rows: not converged but by that word."""
        outcome = self.run_program("solver", "--repeat", 1, *arguments, "--json", "record.json", code=1)
        self.assertIn(says, outcome.errors)
        self.assertEqual([record["result"]["verdict"] for record in outcome.records], verdicts)
        for record in outcome.records:
            self.assertEqual(record["result"]["converged"], record["result"]["verdict"] == "converged")
        return outcome

    def grid(self, n, diagonal, periodic=False):
        """The five-point stencil on n x n points."""
        rows = {}
        for i in range(n):
            for j in range(n):
                rows[n * i + j + 1, n * i + j + 1] = diagonal
                for k, l in ((i + 1, j), (i, j + 1)):
                    if periodic or max(k, l) < n:
                        one, other = n * i + j + 1, n * (k % n) + l % n + 1
                        rows[max(one, other), min(one, other)] = -1
        return rows

    def test_cycles_are_in_double_precision_where_single_does_not_suffice(self):
        n = 30  # a path plus 1e-8: definite, of condition 4e8
        entries = [(i, i, (1 if i in (1, n) else 2) + 1e-8) for i in range(1, n + 1)]
        entries += [(i + 1, i, -1) for i in range(1, n)]
        (self.folder / "path.mtx").write_text(f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {len(entries)}\n" +
                                              "".join(f"{i} {j} {value!r}\n" for i, j, value in entries))
        outcome = self.run_program("solver", "--matrix", "path.mtx", "--preconditioner", "amg", "--rhs", "random", "--json",
                                   "record.json")
        self.assertTrue(outcome.record["result"]["converged"])
        self.assertEqual(outcome.record["case"]["amg_precision"], "double")
        self.assertTrue(outcome.record["result"]["single_breakdown"])
        self.assertIn("--amg-precision double, cycles in double precision, since with those in single precision CG broke down",
                      " ".join(outcome.output.split()))

    def test_multigrid_on_an_indefinite_matrix_breaks_down_and_other_rows_run(self):
        file = self.matrix(self.grid(60, 3))
        outcome = self.assert_outcome(3 * ["broke down"], "is not positive",
                                      "--matrix", file, "--preconditioner", "none,amg,ic0-chow-patel")
        self.assertEqual([row["iterations"] for row in tables(outcome.output)[0]], 3 * ["BROKE DOWN"])
        self.assert_outcome(["broke down"], "AMG: the matrix is not positive definite, since on level 1, coarser, row",
                            "--matrix", file, "--preconditioner", "amg")

    def test_a_singular_system_without_a_solution_is_not_solved(self):
        for name, rows, options in (
            ("periodic", self.grid(40, 4, True), ["--preconditioner", "ic0-chow-patel"]),
            ("periodic", self.grid(40, 4, True), ["--preconditioner", "amg"]),
            ("periodic", self.grid(40, 4, True), ["--rhs", "random"]),
            ("free", self.line(500, 2) | {(1, 1): 1, (500, 500): 1}, ["--rhs", "random", "--cg", "pipelined"]),
            ("free", self.line(500, 2) | {(1, 1): 1, (500, 500): 1}, ["--preconditioner", "amg"]),
        ):
            with self.subTest(name=name, options=options):
                outcome = self.run_program("solver", "--matrix", self.matrix(rows), "--repeat", 1, *options,
                                           "--json", "record.json", code=1)
                result, cell = outcome.record["result"], tables(outcome.output)[0][0]["iterations"]
                self.assertFalse(result["converged"])
                says, mark = {
                    "unconverged": ("since x is so large that rounding leaves about", " NOT CONVERGED"),
                    "diverged": (" diverged: |b - A x| = ", " DIVERGED"),
                    "broke down": ("CG broke down in iteration", "BROKE DOWN"),
                }[result["verdict"]]
                self.assertIn(says, outcome.errors)
                self.assertTrue(cell.endswith(mark), cell)
                if result["verdict"] == "diverged":
                    self.assertGreater(result["true_relative_residual"], 9e7)
                if result["verdict"] != "broke down":
                    self.assertGreater(result["true_relative_residual"], 0.01)
                    self.assertLess(result["iterations"], 5000)

    def test_matrices_of_any_scale_are_solved(self):
        for scale in 1e-300, 1e-40, 1e40, 1e300:
            file = self.matrix({place: scale * value for place, value in self.grid(30, 4).items()})
            result = self.record_of("solver", "--matrix", file, "--repeat", 1, "--preconditioner", "amg")["result"]
            self.assertEqual(result["iterations"], self.solve("--preconditioner", "amg")["result"]["iterations"])

    def test_a_level_that_does_not_coarsen_is_remarked(self):
        file = self.matrix({place: value if value > 0 else 1e-3 * value for place, value in self.line(3000, 2).items()})
        outcome = self.run_program("solver", "--matrix", file, "--repeat", 1, "--preconditioner", "amg", "--json", "record.json")
        remark = "the coarsest level of 3000 unknowns does not coarsen further: it is smoothed, not solved"
        self.assertIn(remark, " ".join(outcome.output.split()))
        self.assertEqual(outcome.record["result"]["remark"], remark)
        self.assertEqual(self.solve("--preconditioner", "amg")["result"]["remark"], "")


class Model(Solver):
    def test_it_is_launches_reads_and_bytes(self):
        for precision, word in ("double", 8), ("single", 4):
            for method, pc, launches, words in (
                ("fused", "none", 3, 9),
                ("fused", "jacobi", 3, 11),
                ("pipelined", "none", 2, 7),
                ("pipelined", "jacobi", 2, 9),
            ):
                record = self.solve("--cg", method, "--preconditioner", pc, "--precision", precision, "--tolerance", 1e-3)
                model, roofs, case = record["model"], record["roofs"], record["case"]
                reads = 1 / 25 if ON_DEVICE else 1
                self.assertEqual((model["launches"], model["reads"]), (launches, reads))
                self.assert_close(model["moved_bytes"], roofs["spmv_bytes"] + words * word * case["unknowns"])
                bandwidth = 1e9 * roofs["copy_gbytes"]
                expected = launches * model["launch_s"] + reads * model["read_s"] + model["moved_bytes"] / bandwidth
                self.assert_close(model["iteration_s"], expected)
                self.assert_close(model["fraction_of_iteration"], expected / record["timing"]["iteration_s"]["median"])
                words = case["entries"] + 15 * case["unknowns"]
                self.assert_close(model["textbook_iteration_s"], 12e-6 + words * word / bandwidth)

    def test_products_have_rates_of_stored_bytes(self):
        record = self.solve()
        product, roofs = record["timing"]["spmv_s"]["median"], record["roofs"]
        self.assert_close(record["rates"]["spmv_gbytes"], 1e-9 * roofs["spmv_bytes"] / product)
        self.assert_close(roofs["fraction_of_copy_roof"], record["rates"]["spmv_gbytes"] / roofs["copy_gbytes"])
        self.assertEqual(roofs["copied_bytes"], roofs["spmv_bytes"])
        self.assertEqual(roofs["least_bytes"], record["model"]["moved_bytes"])
        self.assert_bound(roofs, record["timing"]["iteration_s"])
        self.assertGreater(roofs["spmv_bytes"], 8 * (record["case"]["entries"] + 2 * 900))

    def test_other_preconditioners_have_none(self):
        for pc in "amg", "ilu0-chow-patel":
            record = self.solve("--preconditioner", pc)
            self.assertNotIn("iteration_s", record["model"])
            self.assertNotIn("bound_s", record["roofs"])
            timing, iterations = record["timing"], record["result"]["iterations"]
            self.assert_close(timing["iteration_s"]["median"], timing["solve_s"]["median"] / iterations)


class Pages(Solver):
    def test_the_tables_say_what_the_records_say(self):
        outcome = self.run_program(*GRID, 2500, "--preconditioner", "none,amg", "--wide", "--json", "record.json")
        solves, setup, model, levels = tables(outcome.output)
        for record, row, phases, modelled in zip(outcome.records, solves, setup, model, strict=True):
            case, result, timing = record["case"], record["result"], record["timing"]
            expected = {
                "matrix": "poisson2d",
                "unknowns": "2 500",
                "per row": "4.92",
                "cg": {"none": "fused", "amg": "classic"}[case["pc"]],
                "preconditioner": case["pc"],
                "iterations": str(result["iterations"]),
                "residual": f"{result['relative_residual']:.1e}",
                "true": f"{result['true_relative_residual']:.1e}",
                "solve": seconds(timing["solve_s"]["median"]),
                "iteration": seconds(timing["iteration_s"]["median"]),
                "A x": seconds(timing["spmv_s"]["median"]),
                "GB/s": f"{record['rates']['spmv_gbytes']:.4g}",
                "set-up": seconds(math.fsum(t for name, t in timing["setup_s"].items() if name != "matrix")),
            }
            self.assertEqual(row | expected, row)
            self.assertEqual(phases["slices"], seconds(timing["setup_s"]["slices"]))
            self.assertEqual(modelled["textbook"], seconds(record["model"]["textbook_iteration_s"]))
        self.assertEqual(setup[1]["levels"], str(len(levels)))
        self.assertEqual(setup[0]["levels"], "-")
        self.assertEqual([row["unknowns"].replace(" ", "") for row in levels],
                         [str(level["unknowns"]) for level in outcome.records[1]["result"]["levels"]])

    def test_repetitions_are_as_asked_for(self):
        record = self.record_of("solver", "--unknowns", 900, "--repeat", 2)
        for key in "solve_s", "iteration_s", "spmv_s":
            self.assert_sample(record["timing"][key], 2)
