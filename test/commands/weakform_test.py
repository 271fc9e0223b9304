# SPDX-License-Identifier: BSD-3-Clause
"""What miniapp weakform says of forms: sizes, counts, agreement of all strategies, rates, and what options change."""

import math

from command import Command, accepted, tables, times_of
from problem_test import MESHES, File

FORMS = accepted("weakform", "--form")
STRATEGIES = "cells", "points", "functions", "transposed", "tiles", "fans", "owner"


class Weakform(Command):
    def runs(self, *arguments):
        return self.records_of("weakform", "--verify-only", *arguments)

    def one(self, *arguments):
        return self.record_of("weakform", "--verify-only", *arguments)

    def assert_tiles_on_hosts(self, record):
        """Where fans do not pay on hosts; on GPUs auto is fans everywhere."""
        on_host = set(record["kokkos"]["backends"]) <= {"Serial", "OpenMP", "Threads"}
        self.assertEqual(record["case"]["strategy"], "tiles" if on_host else "fans")


class Counts(Weakform):
    def test_meshes_are_about_as_large_as_asked(self):
        for dim, elements, cells, nodes in (
            (2, 200, 2 * 10 * 10, 11 * 11),
            (3, 200, 6 * 3 * 3 * 4, 4 * 4 * 5),
            (2, 1, 2 * 2 * 2, 3 * 3),  # the smallest with an inner node
            (3, 1, 6 * 2 * 2 * 2, 3 * 3 * 3),
            (3, "1.5k", 6 * 6 * 6 * 7, 7 * 7 * 8),
        ):
            case = self.one("--dim", dim, "--elements", elements)["case"]
            self.assertEqual((case["dim"], case["elements"], case["unknowns"]), (dim, cells, nodes))
            self.assertEqual((case["mesh"], case["shuffled"]), ("generated", False))

    def test_vector_forms_have_an_unknown_per_dimension(self):
        for dim, nodes in (2, 121), (3, 80):
            case = self.one("--form", "neo-hookean", "--dim", dim, "--elements", 200)["case"]
            self.assertEqual((case["components"], case["unknowns"]), (dim, dim * nodes))

    def test_the_model_of_the_paper(self):
        result = self.one("--form", "poisson", "--dim", 2, "--precision", "single", "--elements", 50)["result"]
        self.assert_close(result["model_intensity"], 41 / 22)
        self.assertEqual((result["model_flops"], result["model_words"]), (82, 11))
        double = self.one("--form", "poisson", "--dim", 2, "--elements", 50)["result"]
        self.assert_close(double["model_intensity"], 41 / 44)

    def test_points_follow_the_degree_of_a_form(self):
        points = {r["case"]["form"]: r["case"]["points"] for r in self.runs("--form", "all", "--elements", 50)}
        expected = {"poisson": 1, "variable-poisson": 1, "helmholtz": 4, "nonlinear-poisson": 4, "neo-hookean": 1}
        self.assertEqual(points, points | expected)

    def test_bytes_are_those_of_the_data_model(self):
        cells, nodes = 216, 80
        for precision, word in ("double", 8), ("single", 4):
            for record in self.runs("--elements", 200, "--precision", precision, "--kernel", "all"):
                result = record["result"]
                least = 4 * 4 * cells + word * nodes * (4 + 2)  # the map; vertices and kappa, u, r
                self.assertEqual(result["least_bytes"], least)
                # transposed: 10 of geometry, 4 of a point, 4 coefficients and 4 results; else r is read too
                bytes_of = {"transposed": word * 22 * cells}
                # a fan of six cells has 8 nodes
                bytes_of["fans"] = least + word * nodes + 4 * (8 * cells // 6 - 4 * cells)
                self.assertEqual(result["bytes"], bytes_of.get(record["case"]["strategy"], least + word * nodes))
                self.assert_close(result["intensity"], result["flops"] / result["bytes"])

    def test_flops_are_of_every_cell_once_whatever_computes_them(self):
        small, large = (
            {r["case"]["strategy"]: r["result"]["flops"] for r in self.runs("--elements", n, "--kernel", "all")}
            for n in (200, "1.5k")
        )
        self.assertEqual(len(set(small.values())), 1)
        self.assert_close(large["tiles"] / small["tiles"], 7)
        self.assertGreater(small["tiles"] / 216, 50)


class Agreement(Weakform):
    def test_every_strategy_agrees_with_the_reference_and_with_the_others(self):
        for dim, precision, part in (2, "double", 1e-12), (3, "single", 1e-5):
            records = self.runs(
                *["--form", "all", "--dim", dim, "--precision", precision, "--elements", 500, "--shuffle"],
                *["--kernel", "all", "--reorder", "none,rcm,blocks,bisection"],
            )
            self.assertEqual(len(records), len(FORMS) * 4 * len(STRATEGIES))
            norms = {}
            for record in records:
                case, result = record["case"], record["result"]
                self.assertTrue(record["verification"]["passed"] and result["verified"], case)
                self.assertLess(result["max_error"], result["tolerance"], case)
                self.assertLess(result["jacobian_max_error"], result["jacobian_tolerance"], case)
                self.assertLess(result["tolerance"], 0.02 * result["residual_norm"], case)
                self.assert_close(result["residual_norm"], norms.setdefault(case["form"], result["residual_norm"]), part)
            self.assertEqual(set(norms), set(FORMS))

    def test_precision_shows_in_the_error(self):
        double, single = (self.one("--elements", 2000, "--precision", p)["result"] for p in ("double", "single"))
        self.assertLess(double["max_error"], 1e-6 * single["max_error"])
        self.assert_close(double["residual_norm"], single["residual_norm"], 1e-5)

    def test_large_meshes_pass_in_single_precision(self):
        for form in FORMS:
            record = self.one("--form", form, "--dim", 2, "--elements", "200k", "--precision", "single")
            self.assertLess(record["verification"]["error_over_tolerance"], 0.7, form)

    def test_meshes_of_files_may_lie_anywhere_and_be_of_any_size(self):
        for shift, side in (0, 1e-6), (300, 1), (-5, 1e5):
            nodes = "".join(
                f"{8 * y + x + 1} {shift + side * x} {shift + side * (y + 0.1 * (x % 2))} 0\n"
                for y in range(8)
                for x in range(8)
            )
            corners = [(8 * y + x + 1) for y in range(7) for x in range(7)]
            cells = [t for c in corners for t in ((c, c + 1, c + 9), (c, c + 9, c + 8))]
            lines = "".join(f"{i + 1} 2 2 1 1 {a} {b} {c}\n" for i, (a, b, c) in enumerate(cells))
            (self.folder / "grid.msh").write_text(
                f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n64\n{nodes}$EndNodes\n"
                f"$Elements\n{len(cells)}\n{lines}$EndElements\n"
            )
            for precision in "double", "single":
                mesh = ["--mesh", "grid.msh", "--dim", 2, "--precision", precision]
                for record in self.runs(*mesh, "--form", "all", "--kernel", "tiles,transposed"):
                    self.assertEqual((record["case"]["elements"], record["case"]["mesh"]), (98, "grid.msh"))
                    self.assertTrue(record["verification"]["passed"], record["case"])
                self.assert_tiles_on_hosts(self.one(*mesh))


class Ways(Weakform):
    def test_auto_is_fans_and_on_hosts_tiles_for_solutions(self):
        self.assertEqual(self.one("--elements", 100)["case"]["strategy"], "fans")
        self.assert_tiles_on_hosts(self.record_of("weakform", "--solve", "--elements", 100))

    def test_all_is_a_row_per_strategy_and_order(self):
        records = self.runs("--elements", 100, "--kernel", "all", "--reorder", "none,gps")
        self.assertEqual(
            [(r["case"]["reorder"], r["case"]["strategy"]) for r in records],
            [(order, strategy) for order in ("none", "gps") for strategy in STRATEGIES],
        )

    def test_a_strategy_has_what_tunes_it_and_nothing_else(self):
        for record in self.runs("--elements", 100, "--kernel", "all", "--block-size", 32, "--blocks", 2, "--batches", 3):
            case = record["case"]
            blocks, transposed = case["strategy"] in ("tiles", "owner"), case["strategy"] == "transposed"
            self.assertEqual(case["block_size"], 32 if blocks else None)
            self.assertEqual((case["blocks"], case["batches"]), (2, 3) if transposed else (None, None))

    def test_what_is_fastest_is_measured_and_auto_goes_by_it(self):
        arguments = ["--form", "poisson,helmholtz", "--dim", 2, "--elements", 200, "--tune", "fastest.txt"]
        records = self.records_of("weakform", "--repeat", 1, *arguments)
        lines = [line.split() for line in (self.folder / "fastest.txt").read_text().splitlines()]
        self.assertEqual([line[1:4] for line in lines], [[form, "2", "double"] for form in ("poisson", "helmholtz")])
        for line in lines:
            times = {
                (c["strategy"], c["block_size"] or 128, c["blocks"] or 0, c["batches"] or 4): r["timing"]["residual_s"]
                for r in records
                for c in [r["case"]]
                if c["form"] == line[1]
            }
            self.assertEqual(set(strategy for strategy, *_ in times), set(STRATEGIES))
            fastest = (line[4], *map(int, line[5:]))
            self.assertEqual(times[fastest]["median"], min(time["median"] for time in times.values()))
        device = lines[0][0]
        (self.folder / "table.txt").write_text(f"{device} poisson 2 double transposed 128 3 2  # not the fastest\n")
        by_table = ["--dim", 2, "--elements", 200, "--form", "poisson,helmholtz", "--tuning", "table.txt"]
        tuned, other = (record["case"] for record in self.runs(*by_table))
        self.assertEqual((tuned["strategy"], tuned["blocks"], tuned["batches"]), ("transposed", 3, 2))
        self.assertEqual(other["strategy"], "fans")
        for strategy, asked in (("points", ["--kernel", "points"]), ("tiles", ["--block-size", 32])):
            self.assertEqual(self.runs(*by_table, *asked)[0]["case"]["strategy"], strategy)
        single = self.one("--dim", 2, "--elements", 200, "--form", "poisson", "--tuning", "table.txt", "--precision", "single")
        self.assertEqual(single["case"]["strategy"], "fans")

    def test_larger_blocks_share_more(self):
        for strategy in "tiles", "owner":
            results = [r["result"] for r in self.runs("--elements", "3k", "--kernel", strategy, "--block-size", "8,64,256")]
            reuse = [result["reuse_factor"] for result in results]
            self.assertTrue(1 < reuse[0] < reuse[1] < reuse[2], reuse)
            redundancy = [result["redundancy"] for result in results]
            if strategy == "tiles":
                self.assertEqual(redundancy, [1, 1, 1])
            else:
                self.assertTrue(redundancy[0] > redundancy[1] > redundancy[2] > 1, redundancy)

    def test_orders_recover_what_shuffling_lost(self):
        arguments = ["--elements", "3k", "--block-size", 64]
        for strategy in "tiles", "owner":
            way = [*arguments, "--kernel", strategy]
            plain, shuffled = (self.one(*way, *more)["result"]["reuse_factor"] for more in ([], ["--shuffle"]))
            self.assertLess(shuffled, 0.8 * plain)
            for record in self.runs(*way, "--shuffle", "--reorder", "rcm,gps,blocks,bisection"):
                self.assertGreater(record["result"]["reuse_factor"], 1.2 * shuffled, record["case"])
                self.assertTrue({"order", "shuffle"} <= set(record["timing"]["setup_s"]))


class Timing(Command):
    def test_times_rates_roofs_and_the_tables(self):
        outcome = self.run_program(
            *["weakform", "--elements", 2000, "--kernel", "all", "--repeat", 3, "--json", "record.json"]
        )
        times, traffic = tables(outcome.output)
        for record, row, moved in zip(outcome.records, times, traffic, strict=True):
            case, result, rates = record["case"], record["result"], record["rates"]
            timing, roofs, cells = record["timing"], record["roofs"], record["case"]["elements"]
            self.assertEqual(set(timing["setup_s"]), {"mesh", "numbering", "plan"})
            residual, jacobian = timing["residual_s"], timing["jacobian_s"]
            for sample in residual, jacobian:
                self.assert_sample(sample, 3)
            self.assert_close(rates["residual_gcells"], 1e-9 * cells / residual["median"])
            self.assert_close(rates["residual_gflops"], 1e-9 * result["flops"] / residual["median"])
            self.assert_close(rates["jacobian_gcells"], 1e-9 * cells / jacobian["median"])
            self.assert_bound(roofs, residual)
            self.assertEqual(roofs["least_bytes"], result["least_bytes"])
            self.assert_close(roofs["multiplications"], result["flops"] / 2)
            kernel = residual
            self.assertEqual("kernel_s" in timing, case["strategy"] == "transposed")
            if "kernel_s" in timing:
                kernel = timing["kernel_s"]
                self.assert_sample(kernel, 3)
                self.assert_close(rates["kernel_gcells"], 1e-9 * cells / kernel["median"])
                self.assert_close(rates["kernel_gflops"], 1e-9 * result["flops"] / kernel["median"])
                self.assertEqual(moved["kernel ms"], f"{1e3 * kernel['median']:.4g}")
                self.assertEqual(moved["kernel GFLOP/s"], f"{rates['kernel_gflops']:.3g}")
            self.assert_close(rates["kernel_gbytes"], 1e-9 * result["bytes"] / kernel["median"])
            self.assert_close(roofs["fraction_of_copy_roof"], rates["kernel_gbytes"] / roofs["copy_gbytes"])
            self.assertEqual(
                (row["kernel"], row["ms"], row["min"], row["max"], row["Jacobian ms"]),
                (case["strategy"], *(f"{1e3 * s:.4g}" for s in (residual["median"], residual["min"], residual["max"],
                                                                jacobian["median"]))),
            )
            self.assertEqual(row["% bound"], f"{100 * roofs['fraction_of_bound']:.0f}")
            self.assertEqual((row["Gcells/s"], moved["kernel"]), (f"{rates['residual_gcells']:.3g}", case["strategy"]))
            self.assertEqual(moved["flop/B"], f"{result['intensity']:.2f}")
            self.assertEqual(moved["beta"], f"{result['model_intensity']:.2f}")

    def test_pages_are_narrow(self):
        outcome = self.run_program("weakform", "--form", "all", "--elements", 500, "--kernel", "all", "--repeat", 1)
        for line in outcome.output.splitlines():
            self.assertLessEqual(len(line), 120, line)

    def test_without_timing_there_are_no_rates(self):
        record = self.record_of("weakform", "--elements", 100, "--verify-only")
        self.assertEqual((record["rates"], record["roofs"], times_of(record)), ({}, {}, {"setup_s"}))


def volume(corners):
    """Of a triangle in a plane or of a tetrahedron."""
    first, *others = corners
    a, b, *c = ([x - y for x, y in zip(other, first)] for other in others)
    cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    return sum(x * y for x, y in zip(cross, c[0])) / 6 if c else cross[2] / 2


class Solutions(Weakform):
    def solved(self, *arguments, code=0):
        return self.record_of("weakform", "--solve", *arguments, code=code)

    def test_errors_fall_with_the_mesh_size(self):
        for form in FORMS:
            for dim, coarse, fine in (2, 32**2 * 2, 64**2 * 2), (3, 6 * 8**3, 6 * 16**3):
                first, second = (
                    self.solved("--form", form, "--dim", dim, "--elements", elements, "--shuffle")["result"]
                    for elements in (coarse, fine)
                )
                for error, order in ("l2_error", 2), ("h1_error", 1):
                    rate = math.log2(first[error] / second[error])
                    self.assertLess(abs(rate - order), 0.35, (form, dim, error))

    def test_linear_forms_take_one_step_and_others_converge_faster_and_faster(self):
        for form in FORMS:
            result = self.solved("--form", form, "--elements", 2000)["result"]
            norms = result["residual_norms"]
            self.assertEqual(result["verdict"], "converged")
            self.assertEqual(len(norms), result["iterations"] + 1)
            self.assertEqual(len(result["step_lengths"]), result["iterations"])
            self.assertEqual(sum(result["linear_iterations_of_steps"]), result["linear_iterations"])
            self.assert_close(result["relative_residual"], norms[-1] / norms[0])
            self.assertLessEqual(result["relative_residual"], 1e-9)
            if form in ("poisson", "variable-poisson", "helmholtz"):
                self.assertEqual(result["iterations"], 1)
            elif form in ("nonlinear-poisson", "neo-hookean"):
                self.assertGreater(result["iterations"], 1)
                self.assertLess(norms[-1] / norms[-2], 0.1 * norms[1] / norms[0])

    def test_single_precision_solves_as_exactly_as_the_mesh_allows(self):
        for form in FORMS:
            double, single = (
                self.solved("--form", form, "--elements", 3000, "--precision", precision)
                for precision in ("double", "single")
            )
            self.assertEqual((double["case"]["tolerance"], single["case"]["tolerance"]), (1e-9, 1e-5))
            self.assertEqual(single["result"]["verdict"], "converged")
            for error in "l2_error", "h1_error":
                self.assert_close(single["result"][error], double["result"][error], 0.01)
        asked = self.solved("--elements", 300, "--precision", "single", "--tolerance", 1e-3)
        self.assertEqual(asked["case"]["tolerance"], 1e-3)

    def test_multigrid_is_kept_from_step_to_step(self):
        for form in "nonlinear-poisson", "neo-hookean":
            result = self.solved("--form", form, "--elements", 3000)["result"]
            self.assertTrue(1 <= result["preconditioner_set_ups"] < result["iterations"], result)
        jacobi = self.solved("--elements", 300, "--preconditioner", "jacobi")["result"]
        self.assertEqual(jacobi["preconditioner_set_ups"], 0)

    def test_ways_agree_on_the_solution(self):
        records = self.records_of("weakform", "--solve", "--elements", 1000, "--kernel", "all")
        self.assertEqual([r["case"]["strategy"] for r in records], list(STRATEGIES))
        for record in records:
            for error in "l2_error", "h1_error":
                self.assert_close(record["result"][error], records[0]["result"][error], 1e-6)

    def test_preconditioners_save_iterations(self):
        iterations = {
            kind: self.solved("--dim", 2, "--elements", "20k", "--preconditioner", kind)["result"]["linear_iterations"]
            for kind in ("none", "jacobi", "amg")
        }
        self.assertLess(iterations["jacobi"], iterations["none"])
        self.assertLess(5 * iterations["amg"], iterations["jacobi"])

    def test_solutions_are_written(self):
        for form, dim, components in ("poisson", 2, 1), ("neo-hookean", 2, 2), ("neo-hookean", 3, 3):
            with self.subTest(form=form, dim=dim):
                record = self.solved("--form", form, "--dim", dim, "--elements", 3000, "--reorder", "rcm", "--output", "u.vtu")
                written = File(self.folder / "u.vtu")
                self.assertEqual(len(written.cells()), record["case"]["elements"])
                self.assertEqual(set(written.arrays["types"]), {{2: 5, 3: 10}[dim]})
                self.assert_close(sum(abs(volume([written.points()[i] for i in cell])) for cell in written.cells()), 1)
                stored = {1: 1, 2: 3, 3: 3}[components]  # vectors of VTK have three
                self.assertEqual(written.components["u"], stored)
                largest = max(map(abs, written.arrays["u"]))
                for i, point in enumerate(written.points()):
                    u, error, residual = (written.arrays[name][stored * i:stored * (i + 1)] for name in ("u", "error", "residual"))
                    self.assertEqual(u[components:], (0,) * (stored - components))
                    self.assertLess(max(map(abs, residual)), 1e-8)
                    is_outside = any(x in (0, 1) for x in point[:dim])
                    self.assertLess(max(map(abs, error)), 1e-14 if is_outside else 0.1 * largest)

    def test_the_solution_on_a_mesh_from_a_file_is_written(self):
        record = self.solved("--dim", 3, "--mesh", MESHES / "bracket.msh", "--output", "u.vtu")
        written = File(self.folder / "u.vtu")
        self.assertEqual(len(written.cells()), record["case"]["elements"])
        self.assertGreater(max(map(abs, written.arrays["error"])), 0)
        for words, says in ((["--elements", 100, "--output", "u.vtu"], "--output: of Newton's method; accepted with --solve"),
                            (["--solve", "--elements", 100, "--form", "all", "--output", "u.vtu"], "5 solves for one file"),
                            (["--solve", "--elements", 100, "--output", "u.txt"], "--output u.txt: ends in another way")):
            self.assert_refused("weakform", *words, says=says)

    def test_cycles_are_in_the_precision_that_is_asked_for(self):
        words = ["--elements", 3000]
        usual, single, double = (self.solved(*words, *more) for more in
                                 ([], ["--amg-precision", "single"], ["--amg-precision", "double"]))
        self.assertEqual([record["case"]["amg_precision"] for record in (usual, single, double)], ["single", "single", "double"])
        norms = [record["result"]["residual_norms"][-1] for record in (usual, single, double)]
        self.assertNotEqual(norms[1], norms[2])  # other roundings
        self.assert_close(double["result"]["l2_error"], single["result"]["l2_error"], 1e-6)
        self.assertIsNone(self.solved(*words, "--preconditioner", "jacobi")["case"]["amg_precision"])
        for more, says in ((["--preconditioner", "jacobi", "--amg-precision", "single"], "of --preconditioner amg; accepted with it"),
                           (["--precision", "single", "--amg-precision", "double"],
                            "--amg-precision double: finer than --precision single; accepted is single")):
            self.assert_refused("weakform", "--solve", *words, *more, says=says)
        self.assert_refused("weakform", "--amg-precision", "single", says="accepted with --solve")

    def test_a_problem_of_the_user_is_solved(self):
        bracket = ["--dim", 3, "--mesh", MESHES / "bracket.msh", "--tolerance", 1e-12]

        def u_of(*words):
            record = self.solved(*bracket, *words, "--output", "u.vtu")
            written = File(self.folder / "u.vtu")
            return record, dict(zip(written.points(), zip(*[iter(written.arrays["u"])] * written.components["u"])))

        # u = 7 whatever kappa is
        record, constant = u_of("--dirichlet", "ground=7", "--robin", "edge=2+x, 14+7*x", "--coefficient", "1+x",
                                "--coefficient", "steel=2", "--exact", "7")
        self.assertEqual(record["verification"]["passed"], True)
        self.assertLess(record["result"]["l2_error"], 1e-10)
        self.assertEqual(record["case"]["problem"], {
            "coefficient": ["1+x", "steel=2"], "dirichlet": ["ground=7"], "robin": ["edge=2+x, 14+7*x"], "exact": ["7"],
            "natural": "496 sides without a group"})
        self.assertLess(max(abs(u - 7) for u, in constant.values()), 1e-10)
        # kappa, f and g of twice the size: the same u, at the prescribed nodes exactly
        record, once = u_of("--dirichlet", "ground=x", "--neumann", "edge=y", "--source", "sin(x)", "--coefficient", "1+z")
        self.assertIsNone(record["result"]["l2_error"])
        _, twice = u_of("--dirichlet", "ground=x", "--neumann", "edge=2*y", "--source", "2*sin(x)", "--coefficient", "1+z",
                        "--coefficient", "steel=2")
        for point, (u,) in once.items():
            self.assertAlmostEqual(twice[point][0], u, 10)
            if point[2] == 0:
                self.assertEqual(u, point[0])
        # numbers of cells, in the order of the file, of a group and of all
        (self.folder / "k.txt").write_text("\n".join("100" if cell % 2 else "1" for cell in range(1248)))
        data = ["--dirichlet", "ground=0", "--source", "1"]
        _, of_group = u_of(*data, "--coefficient", "steel=@k.txt")
        _, of_all = u_of(*data, "--coefficient", "@k.txt")
        self.assertEqual(list(of_group), list(of_all))
        for point, (u,) in of_group.items():  # several threads add in any order
            self.assertAlmostEqual(of_all[point][0], u, 12)
        _, constant = u_of(*data, "--coefficient", "1")
        self.assertLess(max(u for u, in of_all.values()), 0.5 * max(u for u, in constant.values()))
        # scikit-fem 12 (MeshTet, ElementTetP1, the same interpolation of kappa and f, the rule of degree 2 on sides)
        _, found = u_of("--robin", "ground=10,1+x", "--neumann", "edge=1+y", "--coefficient", "1+x", "--coefficient",
                        "steel=2", "--source", "sin(x)")
        values = [u for u, in found.values()]
        self.assert_close(min(values), 0.19848043317876143, 1e-10)
        self.assert_close(max(values), 0.8972647710273305, 1e-10)
        # a traction on neo-hookean: the edge goes where it is drawn
        record, moved = u_of("--form", "neo-hookean", "--dirichlet", "ground=0,0,0", "--neumann", "edge=0,0,-1e-6")
        self.assertLess(sum(z for _, _, z in moved.values()), 0)
        self.assertEqual(record["case"]["problem"]["neumann"], ["edge=0,0,-1e-6"])

    def test_too_few_steps_are_an_error_and_leave_their_history(self):
        arguments = ["--form", "nonlinear-poisson", "--elements", 500, "--max-iterations", 2, "--history", "r.csv"]
        outcome = self.run_program("weakform", "--solve", *arguments, "--json", "record.json", code=1)
        result = outcome.record["result"]
        self.assertEqual((result["verdict"], result["iterations"]), ("unconverged", 2))
        self.assertIn("did not converge after 2 steps", outcome.errors)
        lines = (self.folder / "r.csv").read_text().splitlines()
        self.assertEqual(lines[0], "iteration,relative_residual")
        self.assertEqual(len(lines), 4)
        for line, norm in zip(lines[1:], result["residual_norms"]):
            self.assert_close(float(line.split(",")[1]), norm / result["residual_norms"][0])
