# SPDX-License-Identifier: BSD-3-Clause
"""Every option of the main job's solver changes what it says it changes, and what is said of the solution is so."""

import unittest

from command import ON_DEVICE, ONE_THREAD, ORDERS, Command, amount, pages
from problem_test import MESHES

ORDER = ORDERS[0]
BOX = (2, 3, 4)
SMALL = ["--order", ORDER, "--cells", "x".join(map(str, BOX)), "--repeat", 1]
WAYS = [
    [*cg, *preconditioner]
    for cg in (["--cg", "classic"], ["--cg", "fused"], ["--cg", "pipelined"])
    for preconditioner in (["--preconditioner", "none"], ["--preconditioner", "jacobi"])
]


def nodes():
    return (BOX[0] * ORDER + 1) * (BOX[1] * ORDER + 1) * (BOX[2] * ORDER + 1)


def costs_of(record):
    return {one["preconditioner"]: one["jacobi_iterations"] for one in record["result"].get("predicted", [])}


class Solver(Command):
    def result_of(self, *arguments, **options):
        return self.record_of(*SMALL, *arguments, **options)["result"]


class Preconditioner(Solver):
    def test_jacobi_saves_iterations(self):
        for cg in "classic", "fused", "pipelined":
            for boundary in "neumann", "dirichlet":
                plain, jacobi = (
                    self.record_of(*SMALL, "--bp", "1.0", "--deform", 0.1, "--boundary", boundary, "--cg", cg,
                                   "--preconditioner", preconditioner)
                    for preconditioner in ("none", "jacobi")
                )
                self.assertEqual((plain["case"]["preconditioner"], jacobi["case"]["preconditioner"]),
                                 ("none", "jacobi"))
                if boundary == "neumann":  # order 1 has six free nodes otherwise
                    self.assertLess(jacobi["result"]["iterations"], plain["result"]["iterations"])
                self.assert_close(jacobi["result"]["l2_error"], plain["result"]["l2_error"], 1e-4)
                self.assertNotIn("jacobi", plain["timing"]["setup_s"])
                self.assertGreater(jacobi["timing"]["setup_s"]["jacobi"], 0)

    def test_jacobi_serves_every_problem(self):
        for bp in "1.0", "3.0", "3.5":
            plain, jacobi = (self.result_of("--bp", bp, *more) for more in (["--preconditioner", "none"], ["--preconditioner", "jacobi"]))
            self.assertTrue(jacobi["converged"])
            self.assertNotEqual(jacobi["relative_residual"], plain["relative_residual"])
            self.assert_close(jacobi["l2_error"], plain["l2_error"], 1e-4)

    def test_the_page_names_it(self):
        for more, words in (
            ([], "CG, a preconditioner (by auto),"),
            (["--preconditioner", "none"], "fused CG, no preconditioner,"),
            (["--preconditioner", "jacobi", "--cg", "classic"], "classic CG, Jacobi,"),
        ):
            page = pages(self.run_program(*SMALL, *more, "--verify-only").output)[0][1]
            self.assertTrue(page["solve"].startswith(words), page)


class Multigrid(Solver):
    ORDER = max(order for order in ORDERS if order <= 7 or order == ORDERS[0])
    LARGE = ["--order", ORDER, "--elements", max(2, 24 // ORDER) ** 3, "--repeat", 1]

    def test_it_takes_far_fewer_iterations_to_the_same_solution(self):
        for bp in "3.0", "3.5", "bp4":
            jacobi, multigrid = (
                self.record_of(*self.LARGE, "--bp", bp, "--tolerance", 1e-10, "--preconditioner", preconditioner)
                for preconditioner in ("jacobi", "lor-amg")
            )
            self.assertEqual(multigrid["case"]["preconditioner"], "lor-amg")
            self.assertEqual((jacobi["case"]["cg"], multigrid["case"]["cg"]), ("fused", "classic"))
            fewer = 1.5 if self.ORDER > 1 else 1
            self.assertLess(fewer * multigrid["result"]["iterations"], jacobi["result"]["iterations"])
            self.assertLessEqual(multigrid["result"]["iterations"], 45)
            self.assert_close(multigrid["result"]["l2_error"], jacobi["result"]["l2_error"], 1e-4)
            for phase in "low_order_matrix", "amg":
                self.assertGreater(multigrid["timing"]["setup_s"][phase], 0)
                self.assertNotIn(phase, jacobi["timing"]["setup_s"])
            self.assertNotIn("preconditioner", jacobi["result"])

    def test_incomplete_factors_lie_between(self):
        for bp in "3.0", "3.5", "bp4":
            jacobi, factors, multigrid = (
                self.record_of(*self.LARGE, "--bp", bp, "--tolerance", 1e-10, "--preconditioner", preconditioner)
                for preconditioner in ("jacobi", "lor-ilu", "lor-amg")
            )
            self.assertEqual((factors["case"]["preconditioner"], factors["case"]["cg"]), ("lor-ilu", "classic"))
            iterations = [record["result"]["iterations"] for record in (multigrid, factors, jacobi)]
            self.assertLess(2 * iterations[1], iterations[2] * (1 if self.ORDER > 1 else 2))
            self.assertLess(iterations[0], 1.2 * iterations[1])
            self.assert_close(factors["result"]["l2_error"], jacobi["result"]["l2_error"], 1e-4)
            for phase in "low_order_matrix", "factors":
                self.assertGreater(factors["timing"]["setup_s"][phase], 0)
            self.assertNotIn("preconditioner", factors["result"])
            self.assertGreater(factors["result"]["memory_bytes"], jacobi["result"]["memory_bytes"])

    def test_the_record_has_the_hierarchy(self):
        result = self.record_of(*self.LARGE, "--preconditioner", "lor-amg")["result"]
        hierarchy = result["preconditioner"]
        self.assertGreaterEqual(hierarchy["levels"], 2)
        self.assertGreater(hierarchy["grid_complexity"], 1)
        self.assertGreater(hierarchy["operator_complexity"], 1)
        self.assertGreater(hierarchy["memory_bytes"], 4 * hierarchy["entries"])
        self.assertEqual(hierarchy["remark"], "")
        self.assertGreater(result["memory_bytes"], hierarchy["memory_bytes"])

    def test_a_mass_has_one_level(self):
        for more in [], ["--precision", "single"]:
            result = self.result_of("--bp", "1.0", "--preconditioner", "lor-amg", *more)
            self.assertTrue(result["converged"])
            hierarchy = result["preconditioner"]
            self.assertEqual((hierarchy["levels"], hierarchy["entries"]), (1, nodes()))
            self.assertEqual((hierarchy["grid_complexity"], hierarchy["operator_complexity"]), (1, 1))

    def test_single_precision_and_components(self):
        for more in ["--precision", "single"], ["--components", 2], ["--components", 3, "--precision", "single"]:
            for preconditioner in "lor-amg", "lor-ilu":
                record = self.record_of(*SMALL, "--preconditioner", preconditioner, *more)
                self.assertEqual(record["result"]["verdict"], "converged")

    def test_the_page_shows_it_in_one_line(self):
        outcome = self.run_program(*SMALL, "--preconditioner", "lor-amg", "--json", "record.json")
        hierarchy = outcome.record["result"]["preconditioner"]
        text = pages(outcome.output)[1][1]["multigrid"].replace(" ", "")
        self.assertTrue(text.startswith(f"{hierarchy['levels']}levelson{hierarchy['entries']}entries,"), text)
        self.assertIn(f"operatorcomplexity{hierarchy['operator_complexity']:.2f},", text)
        self.assertIn(amount(hierarchy["memory_bytes"]).replace(" ", ""), text)

    def test_nothing_is_set_up_where_nothing_is_solved(self):
        for more in "--verify-only", "--no-solve":
            record = self.record_of(*SMALL, "--preconditioner", "lor-amg", more)
            self.assertNotIn("amg", record["timing"]["setup_s"])
            self.assertNotIn("preconditioner", record["result"])


class Chebyshev(Solver):
    ORDER = max(order for order in ORDERS if order <= 7 or order == ORDERS[0])
    LARGE = ["--order", ORDER, "--elements", max(2, 24 // ORDER) ** 3, "--repeat", 1]

    def test_it_takes_fewer_iterations_than_jacobi_to_the_same_solution(self):
        for bp in "1.0", "3.0", "3.5", "bp4":
            case = [*self.LARGE, "--bp", bp, "--tolerance", 1e-10, "--preconditioner"]
            jacobi, chebyshev = (self.record_of(*case, preconditioner) for preconditioner in ("jacobi", "chebyshev"))
            self.assertEqual((chebyshev["case"]["preconditioner"], chebyshev["case"]["cg"]), ("chebyshev", "classic"))
            self.assertLess(2 * chebyshev["result"]["iterations"], jacobi["result"]["iterations"])
            self.assert_close(chebyshev["result"]["l2_error"], jacobi["result"]["l2_error"], 0.05)
            for phase in "polynomial", "eigenvalues":
                self.assertGreater(chebyshev["timing"]["setup_s"][phase], 0)
                self.assertNotIn(phase, jacobi["timing"]["setup_s"])

    def test_a_higher_degree_saves_iterations_and_costs_applications(self):
        iterations = []
        for degree in 1, 2, 4, 8:
            record = self.record_of(*self.LARGE, "--tolerance", 1e-8, "--preconditioner", "chebyshev",
                                    "--smoother-degree", degree)
            self.assertEqual((record["case"]["smoother"], record["case"]["smoother_degree"]), (None, degree))
            iterations.append(record["result"]["iterations"])
            self.assertEqual(record["result"]["operator_applications"], degree * iterations[-1])
        self.assertEqual(iterations, sorted(iterations, reverse=True))
        self.assertGreater(iterations[0], 1.4 * iterations[1])
        self.assertGreater(iterations[1], 1.4 * iterations[2])

    def test_single_precision_and_components(self):
        for more in ["--precision", "single"], ["--components", 2], ["--components", 3, "--precision", "single"]:
            record = self.record_of(*SMALL, "--preconditioner", "chebyshev", *more)
            self.assertEqual(record["result"]["verdict"], "converged")

    def test_the_page_and_the_record_have_degree_and_memory(self):
        words = ["--preconditioner", "chebyshev", "--json", "record.json"]
        for degree, more in (4, []), (3, ["--smoother-degree", 3]):
            outcome = self.run_program(*SMALL, *words, *more)
            record, (problem, kernel) = outcome.record, (page for _, page in pages(outcome.output)[:2])
            self.assertEqual(record["case"]["smoother_degree"], degree)
            self.assertTrue(problem["solve"].startswith(f"classic CG, Chebyshev of degree {degree} on Jacobi,"), problem)
            memory = record["result"]["preconditioner"]["memory_bytes"]
            self.assertEqual(
                kernel["polynomial"],
                f"Chebyshev of degree {degree} on Jacobi, {amount(memory)}; {degree} applications of the operator per "
                "iteration",
            )
            self.assertGreater(memory, 24 * nodes())
            self.assertGreater(record["result"]["memory_bytes"], memory)
        self.assertNotIn("preconditioner", self.record_of(*SMALL, *words[:2], "--no-solve")["result"])


@unittest.skipIf(max(order for order in ORDERS if order <= 7 or order == ORDERS[0]) == 1, "needs an order above 1")
class MultigridOverOrders(Solver):
    ORDER = max(order for order in ORDERS if order <= 7 or order == ORDERS[0])
    LARGE = ["--order", ORDER, "--elements", max(2, 24 // ORDER) ** 3, "--repeat", 1, "--preconditioner", "p-multigrid"]

    def test_it_takes_few_iterations_to_the_same_solution(self):
        for bp in "3.0", "3.5", "bp4":
            multigrid = self.record_of(*self.LARGE, "--bp", bp, "--tolerance", 1e-10)
            jacobi = self.record_of(*self.LARGE[:-1], "jacobi", "--bp", bp, "--tolerance", 1e-10)
            self.assertEqual((multigrid["case"]["preconditioner"], multigrid["case"]["cg"]), ("p-multigrid", "classic"))
            self.assertLessEqual(multigrid["result"]["iterations"], 24)
            self.assertLess(2 * multigrid["result"]["iterations"], jacobi["result"]["iterations"])
            self.assert_close(multigrid["result"]["l2_error"], jacobi["result"]["l2_error"], 1e-4)
            for phase in "levels", "smoothers", "transfers", "eigenvalues", "amg":
                self.assertGreater(multigrid["timing"]["setup_s"][phase], 0)
                self.assertNotIn(phase, jacobi["timing"]["setup_s"])
            self.assertEqual(jacobi["result"]["operator_applications"], jacobi["result"]["iterations"])

    def test_it_falls_back_where_single_precision_breaks_down(self):
        order = 2 if 2 in ORDERS else self.ORDER
        for screening in 1e-10, 5e-11, 3e-11, 1.5e-11:  # where it breaks down is a matter of rounding
            definite = ["--bp", "3.0", "--order", order, "--cells", 6, "--boundary", "neumann", "--lambda", screening,
                        "--rhs", "random", "--tolerance", 1e-8, "--repeat", 1]
            outcome = self.run_program(*definite, "--preconditioner", "p-multigrid", "--json", "record.json")
            result = outcome.record["result"]
            self.assertTrue(result["converged"])
            self.assertEqual(outcome.record["case"]["preconditioner"], "p-multigrid")
            if "fallback" in result:
                break
        self.assertEqual(result["fallback"], "lor-amg in double precision")
        self.assertIn("CG broke down in iteration", result["single_breakdown"])
        self.assertEqual(pages(outcome.output)[1][1]["fallback"],
                         f"{result['fallback']}, since with multigrid in single precision {result['single_breakdown']}")

        self.assertTrue(self.record_of(*definite, "--preconditioner", "auto")["result"]["converged"])

    def test_more_smoothing_saves_iterations_and_costs_applications(self):
        for smoother in "schwarz", "jacobi":
            case = [*self.LARGE, "--tolerance", 1e-8, "--smoother", smoother]
            records = [self.record_of(*case, "--smoother-degree", degree) for degree in (1, 3, 6)]
            iterations = [record["result"]["iterations"] for record in records]
            self.assertEqual(iterations, sorted(iterations, reverse=True))
            self.assertGreater(iterations[0], iterations[2])
            for degree, record in zip((1, 3, 6), records):
                self.assertEqual((record["case"]["smoother"], record["case"]["smoother_degree"]), (smoother, degree))
                applications = record["result"]["operator_applications"]
                self.assertEqual(applications, record["result"]["iterations"] * (2 * degree + 1))

    def test_schwarz_takes_fewer_applications_than_the_diagonal(self):
        applications = [
            self.record_of(*self.LARGE, "--tolerance", 1e-8, "--smoother", smoother)["result"]["operator_applications"]
            for smoother in ("schwarz", "jacobi")
        ]
        self.assertLess(1.5 * applications[0], applications[1])

    def test_the_page_and_the_record_name_the_orders(self):
        outcome = self.run_program(*self.LARGE, "--json", "record.json")
        orders = outcome.record["result"]["preconditioner"]["orders"]
        self.assertEqual((orders[0], orders[-1]), (self.ORDER, 1))
        text = pages(outcome.output)[1][1]["multigrid"]
        self.assertTrue(text.startswith(f"orders {', '.join(map(str, orders))}, Chebyshev of degree 1 on Schwarz"), text)
        self.assertIn("3 applications of the operator per iteration", text)
        self.assertEqual((outcome.record["case"]["smoother"], outcome.record["case"]["smoother_degree"]), ("schwarz", 1))
        jacobi = self.record_of(*self.LARGE, "--smoother", "jacobi")["case"]
        self.assertEqual((jacobi["smoother"], jacobi["smoother_degree"]), ("jacobi", 3))
        without = self.record_of(*SMALL)["case"]
        self.assertEqual((without["smoother"], without["smoother_degree"]), (None, None))

    def test_the_degree_follows_the_mesh(self):
        for more, degree in ([], 1), (["--mesh-map", "kershaw", "--eps", 0.3], 3):
            case = [*self.LARGE, "--tolerance", 1e-6, *more]
            record = self.record_of(*case)
            self.assertEqual(record["case"]["smoother_degree"], degree)
            given = self.record_of(*case, "--smoother-degree", degree)
            self.assertAlmostEqual(
                record["result"]["iterations"], given["result"]["iterations"], delta=0 if ONE_THREAD else 2
            )

    def test_levels_share_the_time_of_a_cycle(self):
        outcome = self.run_program(*self.LARGE, "--json", "record.json")
        preconditioner = outcome.record["result"]["preconditioner"]
        self.assertEqual(len(preconditioner["level_s"]), len(preconditioner["orders"]))
        self.assertGreaterEqual(min(preconditioner["level_s"]), 0)
        self.assertGreater(max(preconditioner["level_s"]), 0)
        for order in preconditioner["orders"]:
            self.assertIn(f"order {order} ", pages(outcome.output)[1][1]["cycle"])

    def test_jacobi_is_compared_where_asked(self):
        case = [*self.LARGE, "--tolerance", 1e-8]
        outcome = self.run_program(*case, "--compare-jacobi", "--json", "record.json")
        compared = outcome.record["result"]["jacobi"]
        jacobi = self.record_of(*self.LARGE[:-1], "jacobi", "--tolerance", 1e-8)["result"]
        self.assertEqual(compared["verdict"], "converged")
        self.assertAlmostEqual(compared["iterations"], jacobi["iterations"], delta=0 if ONE_THREAD else 3)
        self.assertGreater(compared["solve_s"], 0)
        self.assertTrue(pages(outcome.output)[1][1]["Jacobi"].startswith(f"{compared['iterations']} iterations in "))
        self.assertNotIn("jacobi", self.record_of(*case)["result"])

    def test_jacobi_that_does_not_converge_says_so(self):
        case = [*self.LARGE, "--tolerance", 1e-6, "--max-iterations", 16]
        outcome = self.run_program(*case, "--compare-jacobi", "--json", "record.json")
        self.assertEqual(outcome.record["result"]["verdict"], "converged")
        self.assertEqual(outcome.record["result"]["jacobi"]["verdict"], "unconverged")
        line = pages(outcome.output)[1][1]["Jacobi"]
        self.assertTrue(line.startswith("16 iterations, unconverged, in "), line)
        self.assertIn("already ", line)

    def test_jacobi_that_breaks_down_says_so(self):
        outcome = self.run_program(*SMALL, "--lambda", 1e300, "--compare-jacobi", "--json", "record.json", code=1)
        self.assertEqual(outcome.record["result"]["verdict"], "broke down")
        self.assertEqual(outcome.record["result"]["jacobi"],
                         {"iterations": None, "verdict": "broke down", "solve_s": None})
        self.assertIn("CG broke down in iteration 1: ", pages(outcome.output)[1][1]["Jacobi"])
        self.assertIn("operator", pages(outcome.output)[1][1])

    def test_kershaws_mesh_and_single_precision(self):
        single = ["--precision", "single"]
        for tolerance, more in (1e-8, ["--mesh-map", "kershaw"]), (1e-3, single), (1e-3, ["--components", 2, *single]):
            result = self.record_of(*self.LARGE, "--tolerance", tolerance, *more)["result"]
            self.assertEqual(result["verdict"], "converged")
            self.assertLessEqual(result["true_relative_residual"], tolerance)


class Automatic(Solver):
    def test_it_depends_on_the_problem_and_on_cg(self):
        order = max(ORDERS)
        for more, expected in (
            (["--bp", "3.0"], None),
            (["--bp", "bp6"], None),
            (["--bp", "1.0"], "jacobi"),
            (["--bp", "3.5", "--cg", "pipelined"], "jacobi"),
            (["--bp", "3.5", "--cg", "classic"], None),
        ):
            words = ["--order", order, "--elements", 27, "--repeat", 1, "--preconditioner"]
            outcome = self.run_program(*words, "auto", *more, "--json", "record.json")
            record = outcome.record
            case, predicted = record["case"], costs_of(record)
            self.assertEqual(not predicted, "pipelined" in more, more)
            expected = expected or min(predicted, key=predicted.get)
            self.assertEqual((case["preconditioner"], case["preconditioner_asked"]), (expected, "auto"), more)
            self.assertIn("(by auto)", pages(outcome.output)[0][1]["solve"])
            asked = self.record_of(*words, expected, *more)
            self.assertEqual(asked["case"]["preconditioner_asked"], expected)
            self.assertAlmostEqual(
                asked["result"]["iterations"], record["result"]["iterations"], delta=0 if ONE_THREAD else 3
            )

    @unittest.skipUnless(1 in ORDERS, "needs order 1")
    def test_order_1_has_algebraic_multigrid(self):
        long = ["--order", 1, "--cells", "200x10x5", "--tolerance", 1e-8]
        self.assertEqual(self.record_of(*long, "--preconditioner", "auto")["case"]["preconditioner"], "lor-amg")

    @unittest.skipUnless(3 in ORDERS, "needs order 3")
    def test_what_does_not_converge_soon_is_given_up(self):
        needle = ["--order", 3, "--cells", "100x4x2", "--tolerance", 1e-8, "--preconditioner", "auto"]
        outcome = self.run_program(*needle, "--json", "record.json")
        record = outcome.record
        result, timing = record["result"], record["timing"]
        (given_up,) = result["given_up"]
        self.assertEqual(record["case"]["preconditioner"], "lor-amg")
        self.assertEqual((given_up["preconditioner"], given_up["error"]), ("jacobi", None))
        self.assertGreater(given_up["iterations"] + 1, costs_of(record)["lor-amg"] / 4)
        self.assertGreater(given_up["relative_residual"], 1e-8)
        self.assertEqual(result["verdict"], "converged")
        self.assertLessEqual(result["true_relative_residual"], 1e-8)
        phases = ("choice", "jacobi", "given_up", "low_order_matrix", "amg")
        self.assert_close(timing["preconditioner_s"], sum(timing["setup_s"][phase] for phase in phases), 1e-9)
        self.assertGreaterEqual(timing["preconditioner_s"], given_up["seconds"])
        page = pages(outcome.output)[1][1]
        self.assertTrue(page["auto"].startswith("lor-amg;"), page["auto"])
        self.assertIn("jacobi, ", page["given up"])
        self.assertIn(f"after {given_up['iterations']} iterations", page["given up"])

        flat = self.record_of("--order", 3, "--cells", "30x30x1", "--tolerance", 1e-8, "--preconditioner", "auto")
        self.assertEqual(flat["case"]["preconditioner"], "jacobi")
        self.assertNotIn("given_up", flat["result"])
        self.assertLess(flat["result"]["iterations"], costs_of(flat)["jacobi"] / 4)

    def test_plain_cg_is_timed_beside_it(self):
        record = self.record_of(*SMALL, "--preconditioner", "auto")
        self.assert_close(
            record["rates"]["plain_cg_gdofs"],
            record["case"]["dofs"] / record["timing"]["plain_cg_iteration_s"]["median"] * 1e-9,
            1e-12,
        )
        self.assertNotIn("plain_cg_gdofs", self.record_of(*SMALL, "--preconditioner", "jacobi")["rates"])

    @unittest.skipIf(max(ORDERS) == 1, "needs an order above 1")
    def test_the_page_names_it_where_it_may_be_faster(self):
        case = ["--order", max(ORDERS), "--elements", 27, "--repeat", 1]
        for more, named in (
            ([], False),
            (["--preconditioner", "jacobi"], True),
            (["--bp", "1.0", "--preconditioner", "none"], True),
            (["--bp", "1.0", "--preconditioner", "jacobi"], False),
        ):
            self.assertEqual("faster" in pages(self.run_program(*case, *more).output)[1][1], named, more)


class Time(Solver):
    def test_the_solve_takes_its_iterations(self):
        for preconditioner in "none", "jacobi", "lor-amg":
            record = self.record_of(*SMALL, "--preconditioner", preconditioner)
            iterations, timing = record["result"]["iterations"], record["timing"]
            for which in "min", "median", "max":
                self.assert_close(timing["solve_s"][which], iterations * timing["cg_iteration_s"][which], 1e-12)
            phases = sum(timing["setup_s"].get(phase, 0) for phase in ("jacobi", "low_order_matrix", "amg"))
            self.assert_close(timing["preconditioner_s"], phases, 1e-9) if phases else self.assertEqual(
                timing["preconditioner_s"], 0
            )


class Tolerance(Solver):
    def test_the_looser_the_fewer_iterations(self):
        tolerances = 1e-1, 1e-3, 1e-6, 1e-9
        for way in WAYS:
            records = [
                self.record_of(*SMALL, "--bp", "1.0", *way, "--tolerance", tolerance) for tolerance in tolerances
            ]
            iterations = [record["result"]["iterations"] for record in records]
            self.assertEqual(iterations, sorted(set(iterations)))
            for tolerance, record in zip(tolerances, records):
                self.assertEqual(record["case"]["tolerance"], tolerance)
                self.assertLessEqual(record["result"]["relative_residual"], tolerance)
                self.assertTrue(record["result"]["converged"])

    def test_cg_stops_at_the_first_residual_below_it(self):
        for way in WAYS:
            solve = ["--bp", "1.0", *way, "--tolerance", 1e-6]
            last = self.result_of(*solve)["iterations"]
            short = last - (1 if ONE_THREAD else 3)  # several threads add in any order, which may shift the end
            before = self.result_of(*solve, "--max-iterations", short, code=1)
            self.assertGreater(before["relative_residual"], 1e-6)
            self.assertEqual(before["iterations"], short)
            self.assertFalse(before["converged"])
            if ONE_THREAD:
                self.assertEqual(self.result_of(*solve, "--max-iterations", last)["iterations"], last)

    def test_it_bounds_the_error_of_the_solution(self):
        rough, fine = (
            self.result_of("--bp", "3.0", "--tolerance", tolerance)["l2_error"] for tolerance in (0.9, 1e-10)
        )
        self.assertGreater(rough, fine)


class Iterations(Solver):
    def test_cg_gives_up_after_the_most_that_are_allowed(self):
        for way in WAYS:
            for most in 1, 2, 3:
                record = self.record_of(*SMALL, "--bp", "1.0", *way, "--max-iterations", most, code=1)
                self.assertEqual(record["case"]["max_iterations"], most)
                self.assertEqual(record["result"]["iterations"], most)
                self.assertFalse(record["result"]["converged"])

    def test_the_true_residual_is_the_recurrences_as_long_as_rounding_is_small(self):
        for way in WAYS:
            for bp in "1.0", "3.0", "3.5":
                result = self.result_of("--bp", bp, *way, "--max-iterations", 3, "--rhs", "random", code=1)
                self.assert_close(result["true_relative_residual"], result["relative_residual"], 1e-9)

    def test_all_cg_are_the_same_method(self):
        for bp in "1.0", "3.0", "3.5":
            for preconditioner in "none", "jacobi":
                classic, fused, pipelined = (
                    self.record_of(*SMALL, "--bp", bp, "--preconditioner", preconditioner, "--cg", cg)
                    for cg in ("classic", "fused", "pipelined")
                )
                self.assertEqual(classic["case"]["cg"], "classic")
                for other, cg in (fused, "fused"), (pipelined, "pipelined"):
                    self.assertEqual(other["case"]["cg"], cg)
                    self.assert_same_iterations(classic["result"], other["result"])
                    self.assert_close(classic["result"]["l2_error"], other["result"]["l2_error"], 1e-6)


class Memory(Solver):
    """x, dx, r, p, q and b; Jacobi adds the diagonal and its inverse, and z where CG keeps it."""

    def test_jacobi_and_classic_cg_keep_more_vectors(self):
        word = 8 * nodes()
        plain = self.result_of("--preconditioner", "none")["memory_bytes"]
        self.assertEqual(self.result_of("--preconditioner", "none", "--cg", "classic")["memory_bytes"], plain)
        for cg in "fused", "pipelined":
            result = self.result_of("--preconditioner", "jacobi", "--cg", cg)
            self.assertEqual(result["memory_bytes"], plain + word)
        self.assertEqual(self.result_of("--preconditioner", "jacobi", "--cg", "classic")["memory_bytes"],
                         plain + 2 * word)

    def test_the_page_says_what_takes_it(self):
        outcome = self.run_program(*SMALL, "--preconditioner", "none", "--json", "record.json")
        text = pages(outcome.output)[1][1]["memory"]
        self.assertIn(f"vectors {amount(6 * 8 * nodes())},", text)
        self.assertTrue(text.startswith(amount(outcome.record["result"]["memory_bytes"]) + " ("), text)
        self.assertGreater(outcome.record["result"]["peak_bytes"], outcome.record["result"]["memory_bytes"])
        self.assertIn(amount(outcome.record["result"]["peak_bytes"]), text)


class Page(Solver):
    def test_it_says_what_the_record_says(self):
        outcome = self.run_program(*SMALL, "--tolerance", 1e-7, "--json", "record.json")
        result, page = outcome.record["result"], pages(outcome.output)[1][1]
        self.assertEqual(
            page["CG"],
            f"{result['iterations']} iterations, |b - A x| = {result['true_relative_residual']:.1e} |b|: converged; "
            f"rounding to double precision leaves about {result['floor']:.0e}",
        )
        self.assertIn(f"{result['l2_error']:.2e} relative to the exact solution", page["L2 error"])
        self.assertIn("tolerance 1e-07, manufactured right-hand side, u = 0 on the surface", outcome.output)
        random = self.run_program(*SMALL, "--rhs", "random", "--boundary", "neumann").output
        self.assertNotIn("L2 error", random)
        self.assertIn("random right-hand side, natural boundary", random)

    def test_it_says_why_a_solve_failed(self):
        outcome = self.run_program(*SMALL, "--bp", "1.0", "--max-iterations", 2, "--json", "record.json", code=1)
        residual = outcome.record["result"]["true_relative_residual"]
        self.assertIn("--max-iterations 2", outcome.errors)
        self.assertIn(f"{residual:.1e}", outcome.errors)
        self.assertIn("NOT CONVERGED", outcome.output)

    def test_a_breakdown_has_a_record_without_numbers(self):
        for cg in "classic", "fused", "pipelined":
            outcome = self.run_program(*SMALL, "--lambda", 1e300, "--cg", cg, "--json", "record.json", code=1)
            result = outcome.record["result"]
            self.assertEqual((result["verdict"], result["converged"]), ("broke down", False))
            for key in "iterations", "relative_residual", "true_relative_residual", "floor", "replacements", "l2_error":
                self.assertIsNone(result[key], key)
            self.assertEqual(pages(outcome.output)[1][1]["CG"], "BROKE DOWN")
            self.assertIn("CG broke down in iteration 1: ", outcome.errors)
            self.assertNotIn("cg_iteration_s", outcome.record["timing"])

    @unittest.skipIf(ON_DEVICE, "the host looks at residuals now and then only")
    def test_progress_is_shown_on_a_terminal_unless_quiet(self):
        long = ["--order", ORDER, "--elements", max(2, 8 // ORDER) ** 3, "--bp", "1.0", "--rhs", "random", "--repeat", 1]
        shown = self.progress_of(*long)
        self.assertRegex(shown, r"1 of 1: CG iteration     10, residual \S+; \d+ s so far")
        self.assertRegex(shown, r"CG iteration +\d+, residual \S+; \d+ s so far, \d+ % done, about \d+ s more")
        sweep = self.progress_of("--order", ORDER, "--elements", 27, "--sweep", "elements", "--repeat", 1, "--no-solve")
        last = rf"([2-9]) of \1: order {ORDER}, 27 elements, \w+, \w+; \d+ s so far, about \d+ s left"
        self.assertRegex(sweep, last)
        self.assertEqual(self.progress_of(*long, "--quiet"), "")

    def test_a_mesh_that_is_read_is_named_on_a_terminal(self):
        shown = self.progress_of("--mesh", MESHES / "layers.msh", "--order", ORDER, "--verify-only")
        self.assertRegex(shown, r"reading \S+layers.msh; 0 s so far")


if __name__ == "__main__":
    unittest.main()
