# SPDX-License-Identifier: BSD-3-Clause
"""What the main job runs, times and records: kernels, geometry, assembly, sweeps, what is left out, tables."""

import math
import unittest

from command import ON_DEVICE, ORDERS, Command, amount, pages, seconds, tables, times_of

ORDER = ORDERS[0]
BOX = (2, 3, 4) if ORDER <= 4 else (1, 2, 2)  # rungs are slow on hosts
ELEMENTS = math.prod(BOX)
SIDES = ["--cells", "x".join(map(str, BOX))]
SMALL = ["--order", ORDER, *SIDES, "--repeat", 1]
FASTEST = "lines" if ON_DEVICE else "lanes"


def kernels():
    """(kernel, geometry) of --kernel all, as far as every order has them."""
    rungs = [(f"rung{n}", "stored") for n in range(1, 9)]
    return (rungs if ORDER <= 8 else []) + [(FASTEST, "computed"), (FASTEST, "stored")]


def hexahedra(sides, place):
    """Gmsh's text of a unit cube's elements whose vertices are put elsewhere."""
    x, y, z = (side + 1 for side in sides)
    nodes = [place(i / sides[0], j / sides[1], k / sides[2]) for k in range(z) for j in range(y) for i in range(x)]
    cells = [[1 + i + a + x * (j + b + y * (k + c)) for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
             for k in range(sides[2]) for j in range(sides[1]) for i in range(sides[0])]
    return "\n".join(["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(nodes)),
                      *(f"{n} {a!r} {b!r} {c!r}" for n, (a, b, c) in enumerate(nodes, 1)), "$EndNodes", "$Elements", str(len(cells)),
                      *(f"{n} 5 2 1 1 {' '.join(map(str, cell))}" for n, cell in enumerate(cells, 1)), "$EndElements", ""])


@unittest.skipIf(ON_DEVICE or ORDER > 2, "hosts' tables have stored factors at low orders")
class Trial(Command):
    """Stored or computed, where the table has stored factors."""

    CASE = ["--order", ORDER, "--repeat", 1, "--bp", "3.0"]
    LARGE = ["--cells", math.ceil(47 / ORDER)]

    def test_the_geometry_of_a_large_case_is_the_faster_one(self):
        for often in ["--no-solve"], ["--preconditioner", "jacobi", "--tolerance", 0.5]:
            done = self.run_program(*self.CASE, *self.LARGE, *often, "--json", "record.json")
            record = done.record
            times = record["timing"]["geometry_s"]
            chosen = "computed" if times["computed"] <= 0.9 * times["stored"] else "stored"
            self.assertEqual((record["case"]["kernel"], record["case"]["geometry"]), ("lanes", chosen))
            self.assertGreater(record["timing"]["setup_s"]["geometry"], 2 * min(times.values()))
            self.assertIn(f"as measured: stored {seconds(times['stored'])}, computed {seconds(times['computed'])}",
                          " ".join(done.output.split()))

    def test_what_was_said_or_is_small_is_not_tried(self):
        for words in (["--no-solve", "--geometry", "stored", *self.LARGE], ["--no-solve", "--reproducible", *self.LARGE],
                      ["--verify-only", *self.LARGE], ["--preconditioner", "auto", *self.LARGE], ["--no-solve", "--cells", 4]):
            record = self.record_of(*self.CASE, *words)
            self.assertNotIn("geometry_s", record["timing"])
            self.assertEqual(record["case"]["geometry"], "stored")


class Kernels(Command):
    def test_all_kernels_give_the_same_solution_each_in_its_record(self):
        for bp in "1.0", "3.0", "3.5":
            records = self.records_of(*SMALL, "--bp", bp, "--kernel", "all")
            found = [(record["case"]["kernel"], record["case"]["geometry"]) for record in records]
            self.assertTrue(set(kernels()) <= set(found), found)
            self.assertEqual(
                len({record["case"]["idea"] for record in records}), len(records) - 1
            )  # one of two geometries
            for record in records:
                self.assertTrue(record["verification"]["passed"])
                self.assertLessEqual(record["verification"]["error"], record["verification"]["tolerance"])
                self.assert_close(record["result"]["l2_error"], records[0]["result"]["l2_error"], 1e-6)
                self.assert_same_iterations(record["result"], records[0]["result"])

    def test_vector_problems_have_three_unknowns_per_node_and_one_operator(self):
        for vector, scalar in ("bp2", "bp1"), ("bp4", "bp3"), ("bp6", "bp5"):
            one, three = self.record_of(*SMALL, "--bp", scalar), self.record_of(*SMALL, "--bp", vector)
            self.assertEqual((one["case"]["components"], three["case"]["components"]), (1, 3))
            self.assertEqual(three["case"]["dofs"], 3 * one["case"]["dofs"])
            self.assertEqual(three["case"]["bp"], one["case"]["bp"])
            self.assertEqual(three["case"]["lambda"], 0)
            self.assertTrue(three["verification"]["passed"])
            self.assert_close(three["result"]["l2_error"], one["result"]["l2_error"], 1e-6)
            self.assert_same_iterations(three["result"], one["result"])
            # the operator's rate counts all components
            rate = 1e-9 * three["case"]["dofs"] / three["timing"]["operator_s"]["median"]
            self.assert_close(three["rates"]["operator_gdofs"], rate, 1e-9)

    def test_every_kernel_and_assembly_takes_components(self):
        for components in 2, 3:
            words = [*SMALL, "--bp", "3.5", "--components", components, "--rhs", "random"]
            records = self.records_of(*words, "--kernel", "all")
            records += [self.record_of(*words, "--kernel", "reference")]
            records += self.records_of(*words, "--assembly", "hierarchical")
            for record in records:
                self.assertEqual(record["case"]["components"], components)
                self.assertTrue(record["verification"]["passed"])
                self.assertTrue(record["result"]["converged"])
        self.assertIn("2 components", pages(self.run_program(*SMALL, "--components", 2).output)[0][0])

    def test_components_are_checked(self):
        self.assert_refused("--components", 0, says=["--components 0", "1..3"])
        self.assert_refused("--components", 4, says=["--components 4", "1..3"])
        self.assert_refused("--bp", "bp4", "--components", 2, says=["--components 2", "bp4 has 3", "3.0"])
        self.assert_refused("--bp", "bp3", "--components", 3, says=["--components 3", "bp3 has 1"])

    def test_a_kernel_is_run_by_its_name(self):
        for kernel, geometry in kernels():
            record = self.record_of(*SMALL, "--kernel", kernel, "--geometry", geometry, "--no-solve")
            self.assertEqual((record["case"]["kernel"], record["case"]["geometry"]), (kernel, geometry))
        record = self.record_of(*SMALL, "--kernel", "reference")
        self.assertEqual((record["case"]["kernel"], record["case"]["geometry"]), ("reference", "computed"))
        self.assert_close(record["result"]["l2_error"], self.record_of(*SMALL)["result"]["l2_error"], 1e-6)
        self.assertNotIn("kernel_s", record["timing"])  # it has no kernel apart from gather and scatter
        self.assertGreater(record["timing"]["operator_s"]["median"], 0)

    def test_the_geometry_decides_what_is_stored(self):
        for bp, factors, q in ("1.0", 1, ORDER + 2), ("3.0", 7, ORDER + 2), ("3.5", 7, ORDER + 1):
            memory = []
            for geometry in "stored", "computed":
                outcome = self.run_program(*SMALL, "--bp", bp, "--geometry", geometry, "--json", "record.json")
                self.assertEqual(outcome.record["case"]["geometry"], geometry)
                memory.append(outcome.record["result"]["memory_bytes"])
                self.assertTrue(pages(outcome.output)[1][1]["geometry"].startswith(geometry), outcome.output)
            if factors == 7:
                self.assertNotEqual(*memory)
            if ORDER <= 8:
                page = pages(self.run_program(*SMALL, "--bp", bp, "--kernel", "rung8").output)[1][1]
                self.assertIn(f"factors {amount(ELEMENTS * 8 * factors * q**3)},", page["memory"])
                self.assertIn(f"E-vectors {amount(ELEMENTS * 8 * 2 * (ORDER + 1)**3)},", page["memory"])

    def test_elements_with_right_angles_are_boxes(self):
        for bp in "1.0", "3.0", "3.5":
            boxes, computed = [self.record_of(*SMALL, "--bp", bp, "--deform", 0, "--geometry", geometry)
                               for geometry in ("auto", "computed")]
            self.assertEqual((boxes["case"]["kernel"], boxes["case"]["geometry"]), (FASTEST, "boxes"))
            self.assert_close(boxes["result"]["l2_error"], computed["result"]["l2_error"], 1e-6)
            self.assert_same_iterations(boxes["result"], computed["result"])
            self.assertLess(boxes["result"]["memory_bytes"], computed["result"]["memory_bytes"])
        kershaw = self.record_of(*SMALL, "--mesh-map", "kershaw", "--eps", 1, "--no-solve")
        self.assertEqual(kershaw["case"]["geometry"], "boxes")
        found = [record["case"]["geometry"] for record in
                 self.records_of(*SMALL, "--deform", 0, "--kernel", "all", "--no-solve")]
        self.assertEqual(set(found), {"boxes", "affine", "computed", "stored"})

    def test_other_elements_are_no_boxes(self):
        self.assertNotEqual(self.record_of(*SMALL, "--deform", 1e-9, "--no-solve")["case"]["geometry"], "boxes")
        self.assert_refused(*SMALL, "--geometry", "boxes",
                            says="--geometry boxes: is of elements with right angles; accepted here are auto, stored, computed")
        varies = ["--deform", 0, "--coefficient", "1 + x", "--lambda", 1]
        self.assert_refused(*SMALL, "--geometry", "boxes", *varies,
                            says="--geometry boxes: has no coefficient; accepted here are auto, stored, computed")
        self.assertIn(self.record_of(*SMALL, *varies, "--no-solve")["case"]["geometry"], ("stored", "computed"))

    def test_elements_with_parallel_edges_are_affine(self):
        (self.folder / "sheared.msh").write_text(hexahedra(BOX, lambda x, y, z: (x + 0.4 * y, y + 0.3 * z, z - 0.1 * x)))
        words = ["--order", ORDER, "--repeat", 1, "--mesh", "sheared.msh", "--source", "cos(3*x)", "--exact", "x",
                 "--lambda", 1]
        for bp in "3.0", "3.5":
            affine, computed = [self.record_of(*words, "--bp", bp, "--geometry", geometry)
                                for geometry in ("auto", "computed")]
            self.assertEqual((affine["case"]["kernel"], affine["case"]["geometry"]), (FASTEST, "affine"))
            self.assertTrue(affine["verification"]["passed"])
            self.assert_close(affine["result"]["l2_error"], computed["result"]["l2_error"], 1e-6)
            self.assert_same_iterations(affine["result"], computed["result"])
            self.assertLess(affine["result"]["memory_bytes"], computed["result"]["memory_bytes"])
        self.assert_refused(*words, "--geometry", "boxes",
                            says="--geometry boxes: is of elements with right angles; accepted here are auto, stored, computed, affine")
        self.assert_refused(*SMALL, "--geometry", "affine",
                            says="--geometry affine: is of elements with parallel edges; accepted here are auto, stored, computed")
        self.assert_refused(*words, "--geometry", "affine", "--coefficient", "1 + x",
                            says="--geometry affine: has no coefficient; accepted here are auto, stored, computed")

    def test_the_only_geometry_of_all_kernels(self):
        for geometry in "stored", "computed":
            records = self.records_of(*SMALL, "--kernel", "all", "--geometry", geometry, "--no-solve")
            self.assertEqual({record["case"]["geometry"] for record in records}, {geometry})

    def test_auto_goes_by_the_table_of_tuning(self):
        device = (
            self.run_program("tune", "--order", ORDER, "--elements", 27, "--repeat", 1)
            .output.split("\n")[-2]
            .split()[0]
        )
        table = self.folder / "table.txt"
        for geometry, other in ("stored", "computed"), ("computed", "stored"):
            table.write_text(
                f"{device} BP3.0 double {ORDER} {FASTEST} {geometry}\n"
                f"{device} BP3.0 single {ORDER} {FASTEST} {other}\n"
                f"elsewhere BP3.0 double {ORDER} {FASTEST} {other}\n"
            )
            tuned = [*SMALL, "--tuning", table, "--verify-only"]
            self.assertEqual(self.record_of(*tuned)["case"]["geometry"], geometry)
            self.assertEqual(self.record_of(*tuned, "--kernel", FASTEST)["case"]["geometry"], geometry)
            self.assertEqual(self.record_of(*tuned, "--precision", "single")["case"]["geometry"], other)
            self.assertEqual(self.record_of(*tuned, "--geometry", other)["case"]["geometry"], other)
        if ORDER <= 8:
            table.write_text(f"{device} BP3.0 double {ORDER} rung3 stored\n")
            self.assertEqual(self.record_of(*SMALL, "--tuning", table, "--verify-only")["case"]["kernel"], "rung3")

    def test_resources_of_teams_are_recorded(self):
        if ORDER > 8:
            self.skipTest("needs an order up to 8, that has rungs")
        resources = self.record_of(*SMALL, "--bp", "1.0", "--kernel", "rung1", "--no-solve")["result"]["resources"]
        self.assertEqual(resources["scratch_bytes"], 8 * ((ORDER + 1) * (ORDER + 2)))  # I only
        if not ON_DEVICE:
            self.assertEqual(resources["threads"], 1)
            self.assertNotIn("registers", resources)


class Assembly(Command):
    def test_plans_of_indirect_add_up_the_same_operator(self):
        fused = self.record_of(*SMALL)
        self.assertEqual(fused["case"]["assembly"], "fused")
        self.assertNotIn("assembly", fused["timing"]["setup_s"])
        for strategy in "atomic", "staged", "global", "hierarchical", "owner":
            outcome = self.run_program(*SMALL, "--assembly", strategy, "--json", "record.json")
            self.assertEqual(outcome.record["case"]["assembly"], strategy)
            self.assertGreater(outcome.record["timing"]["setup_s"]["assembly"], 0)
            self.assertTrue(outcome.record["verification"]["passed"])
            self.assert_close(outcome.record["result"]["l2_error"], fused["result"]["l2_error"], 1e-6)
            self.assertGreater(outcome.record["result"]["memory_bytes"], fused["result"]["memory_bytes"])
            self.assertEqual(pages(outcome.output)[1][1]["assembly"],
                             f"from E-vectors, {strategy}, as miniapp indirect")


class Timing(Command):
    def test_times_are_as_many_as_asked_and_in_order(self):
        for repeat in 1, 3, 6:
            timing = self.record_of("--order", ORDER, *SIDES, "--repeat", repeat)["timing"]
            for sample in "kernel_s", "operator_s":
                self.assert_sample(timing[sample], repeat)
            iteration = timing["cg_iteration_s"]  # a difference of two times
            self.assertEqual(iteration["repetitions"], repeat)
            self.assertLessEqual(iteration["min"], iteration["median"])
            self.assertLessEqual(iteration["median"], iteration["max"])

    def test_without_a_number_times_are_few_and_the_solution_is_one_of_them(self):
        record = self.record_of("--order", ORDER, *SIDES)
        self.assertEqual(record["case"]["repeat"], 0)
        for sample in "kernel_s", "operator_s", "cg_iteration_s":
            self.assertTrue(3 <= record["timing"][sample]["repetitions"] <= 20, record["timing"][sample])

    def test_set_up_is_timed_by_phases(self):
        outcome = self.run_program(*SMALL, "--preconditioner", "none", "--json", "record.json")
        phases = outcome.record["timing"]["setup_s"]
        self.assertEqual(set(phases), {"mesh", "check", "numbering", "right_hand_side", "kernel"})
        for duration in phases.values():
            self.assertGreater(duration, 0)
        text = pages(outcome.output)[1][1]["set-up"]
        self.assertTrue(text.startswith(f"{seconds(sum(phases.values()))} ("), text)
        for phase, duration in phases.items():
            name = {"right_hand_side": "right-hand side"}.get(phase, phase)
            self.assertIn(f"{name} {seconds(duration)}", text)

    def test_rates_are_of_the_medians(self):
        outcome = self.run_program("--order", ORDER, *SIDES, "--repeat", 3, "--json", "record.json")
        record, page = outcome.record, pages(outcome.output)[1][1]
        timing, rates, dofs = record["timing"], record["rates"], record["case"]["dofs"] * 1e-9
        kernel, operator, iteration = (timing[name] for name in ("kernel_s", "operator_s", "cg_iteration_s"))
        self.assert_close(rates["kernel_gdofs"], dofs / kernel["median"])
        self.assert_close(rates["operator_gdofs"], dofs / operator["median"])
        self.assert_close(rates["cg_gdofs"], dofs / iteration["median"])
        moved = rates["operator_gbytes"] * operator["median"]  # GB: x and y, and the kernel's arrays
        self.assertGreater(moved, 2 * 8 * dofs)
        self.assertLess(moved, record["result"]["memory_bytes"] * 1e-9 + 2 * 8 * dofs)
        self.assertIn(f", {rates['operator_gbytes']:.3g} GB/s at least", page["operator"])
        local = ELEMENTS * (ORDER + 1) ** 3 * 1e-9
        self.assert_close(rates["kernel_gdofs_local"], local / kernel["median"])
        roofs = record["roofs"]
        self.assert_close(roofs["fraction_of_copy_roof"], rates["kernel_gbytes"] / roofs["copy_gbytes"])
        memory = roofs["least_bytes"] / roofs["memory_gbytes"] * 1e-9
        arithmetic = 2 * roofs["multiplications"] / roofs["fma_gflops"] * 1e-9
        self.assert_close(roofs["least_bytes"], moved * 1e9)
        plain = rates["kernel_gflops"] * 1e9 * kernel["median"]  # flops of the plain algorithm; most kernels do fewer
        self.assertTrue(0.2 * plain < 2 * roofs["multiplications"] < 1.5 * plain, (plain, roofs))
        if roofs["bound_by"] != "scratch":
            self.assert_close(roofs["bound_s"], max(memory, arithmetic))
            self.assertEqual(roofs["bound_by"], "memory" if memory > arithmetic else "multiplications")
        self.assert_close(roofs["fraction_of_bound"], roofs["bound_s"] / operator["median"])
        self.assert_close(rates["bound_gdofs"], dofs / roofs["bound_s"])
        filled = round(20 * roofs["fraction_of_bound"])
        self.assertTrue(page["bound"].startswith(f"[{'#' * filled}{'.' * (20 - filled)}] "), page["bound"])
        self.assertTrue(
            page["bound"][23:].startswith(f"{100 * roofs['fraction_of_bound']:.0f} % of {rates['bound_gdofs']:.3g} GDOF/s: "),
            page["bound"],
        )
        for line, sample in ("kernel alone", kernel), ("operator", operator), ("CG iteration", iteration):
            self.assertTrue(
                page[line].startswith(
                    f"{seconds(sample['median'])} (min {seconds(sample['min'])}, max "
                    f"{seconds(sample['max'])}, {sample['repetitions']} times); "
                ),
                page[line],
            )
        self.assertIn(f"; {rates['operator_gdofs']:.3g} GDOF/s with", page["operator"])
        self.assertIn(f"; {rates['cg_gdofs']:.3g} GDOF*iteration/s", page["CG iteration"])
        self.assertIn(
            f"; {rates['kernel_gflops']:.4g} GFLOP/s, {rates['kernel_gdofs_local']:.3g} GDOF/s local, "
            f"{rates['kernel_gbytes']:.3g} GB/s",
            page["kernel alone"],
        )
        self.assertTrue(
            page["copy roof"].startswith(
                f"{100 * roofs['fraction_of_copy_roof']:.0f} % of " f"{roofs['copy_gbytes']:.3g} GB/s, "
            ),
            page["copy roof"],
        )

    def test_verify_only_and_no_solve_leave_out_what_they_do_not_do(self):
        verified = self.record_of(*SMALL, "--verify-only")
        self.assertTrue(verified["case"]["verify_only"])
        self.assertEqual(times_of(verified), {"setup_s"})
        self.assertFalse(verified.get("result") or verified.get("rates") or verified.get("roofs"))
        self.assertTrue(verified["verification"]["passed"])
        unsolved = self.record_of(*SMALL, "--no-solve")
        self.assertEqual((unsolved["case"]["verify_only"], unsolved["case"]["no_solve"]), (False, True))
        self.assertEqual(times_of(unsolved), {"setup_s", "operator_s", "kernel_s"})
        self.assertNotIn("iterations", unsolved["result"])
        self.assertGreater(unsolved["rates"]["kernel_gflops"], 0)
        self.assertFalse(self.record_of(*SMALL)["case"]["no_solve"])


class Sweeps(Command):
    def test_elements_are_cubes_up_to_the_largest(self):
        sweep = ["--order", ORDER, "--sweep", "elements", "--no-solve", "--repeat", 1]
        for largest, expected in (30, [1, 8, 27 + 3]), (64, [1, 8, 64]), (1, [1]):
            records = self.records_of(*sweep, "--bp", "1.0", "--elements", largest)
            self.assertEqual([record["case"]["elements"] for record in records], expected)
        fewest = 8 if ORDER == 1 else 1  # with a free node
        records = self.records_of(*sweep, "--elements", 64)
        self.assertEqual([record["case"]["elements"] for record in records], [n for n in (1, 8, 64) if n >= fewest])

    def test_orders_are_those_of_the_build(self):
        outcome = self.run_program("--elements", 8, "--sweep", "order", "--no-solve", "--repeat", 1, "--wide", "--json",
                                   "record.json")
        self.assertEqual([record["case"]["order"] for record in outcome.records], ORDERS)
        self.check_table(outcome)

    def test_a_table_of_several_kernels_says_what_the_records_say(self):
        outcome = self.run_program(*SMALL, "--kernel", "all", "--wide", "--json", "record.json")
        self.check_table(outcome)
        for row, record in zip(tables(outcome.output)[-1], outcome.records):
            self.assertEqual(row["idea"], record["case"]["idea"])
            self.assertEqual(row["iterations"], str(record["result"]["iterations"]))
            self.assertEqual(row["CG GDOF*it/s"], f"{record['rates']['cg_gdofs']:.3g}")

    def check_table(self, outcome):
        if len(outcome.records) == 1:
            return  # a table of one row is none
        rows = tables(outcome.output)[-1]
        self.assertEqual(len(rows), len(outcome.records))
        for row, record in zip(rows, outcome.records):
            case, rates, roofs = record["case"], record["rates"], record["roofs"]
            expected = {
                "kernel": case["kernel"],
                "geometry": case["geometry"],
                "order": str(case["order"]),
                "elements": str(case["elements"]),
                "dofs": str(case["dofs"]),
                "error": f"{record['verification']['error']:.1e}",
                "kernel us": f"{1e6 * record['timing']['kernel_s']['median']:.4g}",
                "GFLOP/s": f"{rates['kernel_gflops']:.4g}",
                "GB/s": f"{rates['kernel_gbytes']:.3g}",
                "% copy": f"{100 * roofs['fraction_of_copy_roof']:.0f}",
                "% bound": f"{100 * roofs['fraction_of_bound']:.0f}",
                "GDOF/s local": f"{rates['kernel_gdofs_local']:.3g}",
                "operator GDOF/s": f"{rates['operator_gdofs']:.3g}",
            }
            resources = record["result"].get("resources")
            expected["scratch kB"] = f"{resources['scratch_bytes'] * 1e-3:.3g}" if resources else "-"
            self.assertEqual(row | expected, row)


if __name__ == "__main__":
    unittest.main()
