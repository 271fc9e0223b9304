# SPDX-License-Identifier: BSD-3-Clause
"""Every option of miniapp indirect changes what it says it changes."""

import time

from command import ON_DEVICE, ONE_THREAD, Command, accepted, amount, seconds, tables

LOOPS = accepted("indirect", "--loop")
STRATEGIES = ["serial", "atomic", "staged", "global", "hierarchical", "owner"][1 if ON_DEVICE else 0 :]
FIGURES = "reuse_factor", "block_colours", "thread_colours", "cache_lines_per_block", "redundancy"


class Indirect(Command):
    def runs(self, *arguments):
        return self.records_of("indirect", "--repeat", 1, "--iterations", 1, *arguments)

    def one(self, *arguments):
        return self.record_of("indirect", "--repeat", 1, "--iterations", 1, *arguments)

    def figures(self, *arguments):
        return {key: value for key, value in self.one(*arguments)["result"].items() if key in FIGURES}


class Loops(Indirect):
    def test_meshes_are_about_as_large_as_asked_and_their_sets_follow(self):
        for loop, size, elements, targets in (
            ("airfoil", 200, 12 * 8 + 12 * 7, 12 * 8),
            ("airfoil", 1, 4 * 2 + 4 * 1, 4 * 2),
            ("shallow-water", 200, 3 * 64 - 2 * 8, 2 * 64),
            ("hydro-stress", 200, 6**3, 7**3),
            ("corner-acceleration", 200, 14**2, 15**2),
            ("euler-flux", 200, 3 * 4 * 4 * 3, 4**3),
            ("hydro-stress", "1k", 10**3, 11**3),
            ("euler-flux", 1, 3 * 2 * 2, 2**3),
        ):
            case = self.one("--loop", loop, "--elements", size, "--kernel", "atomic")["case"]
            self.assertEqual((case["loop"], case["size"], case["targets"]), (loop, elements, targets))
            self.assertEqual((case["mesh"], case["shuffled"]), ("generated", False))

    def test_bytes_are_fields_once_incremented_ones_twice_and_maps_once(self):
        expected = {  # per element and per target of 200 elements; the airfoil has vertices too
            "airfoil": (180 * (2 * 4 + 2 * 4) + 96 * (32 + 8 + 2 * 32) + 12 * 9 * 16),
            "shallow-water": 176 * (2 * 4 + 3 * 4) + 128 * (4 * 4 + 2 * 3 * 4),
            "hydro-stress": 216 * (8 * 4 + 3 * 8) + 343 * (24 + 2 * 24),
            "corner-acceleration": 196 * (4 * 4 + 12 * 8) + 225 * 2 * 24,
            "euler-flux": 144 * (2 * 4 + 3 * 8) + 64 * (40 + 2 * 40),
        }
        for loop, size in expected.items():
            for record in self.runs("--loop", loop, "--elements", 200, "--kernel", "atomic,owner", "--layout", "all"):
                self.assertEqual(record["rates"]["kernel_bytes"], size)

    def test_precision_is_that_of_the_values_and_not_of_the_maps(self):
        maps = {  # bytes of maps, those of airfoil to its vertices too; values of the default
            "airfoil": (180 * (2 * 4 + 2 * 4), "double"),
            "shallow-water": (176 * 2 * 4, "single"),
            "hydro-stress": (216 * 8 * 4, "double"),
            "corner-acceleration": (196 * 4 * 4, "double"),
            "euler-flux": (144 * 2 * 4, "double"),
        }
        for loop, (of_maps, usual) in maps.items():
            words = ["--loop", loop, "--elements", 200, "--kernel", "all", "--layout", "all"]
            records = [self.runs(*words, *more) for more in (["--precision", "double"], ["--precision", "single"], [])]
            for double, single, default in zip(*records, strict=True):
                self.assertEqual([r["case"]["precision"] for r in (double, single, default)], ["double", "single", usual])
                self.assertEqual(single["rates"]["kernel_bytes"] - of_maps, (double["rates"]["kernel_bytes"] - of_maps) / 2)
                self.assertTrue(single["verification"]["passed"] and double["verification"]["passed"])
                # the rounding of its numbers shows in the norm, and no more than that
                relative = abs(single["result"]["norm"] / double["result"]["norm"] - 1)
                self.assertTrue(0 < relative < 1e-5, relative)

    def test_a_plan_serves_both_precisions(self):
        mesh = ["--elements", 800, "--shuffle"]
        self.one(*mesh, "--reorder", "blocks", "--kernel", "hierarchical", "--save-plan", "a.plan")
        loaded = self.one(*mesh, "--load-plan", "a.plan", "--precision", "single")
        self.assertEqual((loaded["case"]["precision"], loaded["verification"]["passed"]), ("single", True))

    def test_several_loops_run_one_after_another(self):
        for loops, expected in ("all", LOOPS), ("euler-flux,airfoil", ["euler-flux", "airfoil"]):
            records = self.runs("--loop", loops, "--elements", 100, "--kernel", "atomic")
            self.assertEqual([record["case"]["loop"] for record in records], expected)

    def test_a_shuffled_mesh_has_less_to_reuse(self):
        arguments = ["--elements", 2000, "--kernel", "hierarchical", "--block-size", 64]
        for loop in LOOPS:
            plain, shuffled = (self.one("--loop", loop, *arguments, *more) for more in ([], ["--shuffle"]))
            self.assertEqual((plain["case"]["shuffled"], shuffled["case"]["shuffled"]), (False, True))
            self.assertLess(shuffled["result"]["reuse_factor"], 0.8 * plain["result"]["reuse_factor"])
            self.assertEqual(plain["case"]["targets"], shuffled["case"]["targets"])
            self.assertTrue(shuffled["verification"]["passed"])


class Ways(Indirect):
    def test_all_strategies_run_each_in_its_record(self):
        for in_block, write_back in (None, None), ("gather", "colours"), ("colours", "atomic"):
            asked = ["--in-block", in_block, "--write-back", write_back] if in_block else []
            records = self.runs("--elements", 500, "--kernel", "all", *asked)
            expected = list(STRATEGIES)
            if not in_block:  # the paper's and the fastest
                expected.insert(expected.index("hierarchical"), "hierarchical")
            self.assertEqual([record["case"]["strategy"] for record in records], expected)
            ways = [
                (r["case"]["in_block"], r["case"]["write_back"])
                for r in records
                if r["case"]["strategy"] == "hierarchical"
            ]
            self.assertEqual(
                ways, [(in_block, write_back)] if in_block else [("colours", "colours"), ("gather", "atomic")]
            )
            for record in records:
                self.assertFalse(record["case"]["automatic"])
                self.assertTrue(record["verification"]["passed"])
                self.assertLessEqual(record["verification"]["error_over_tolerance"], 1)

    def test_auto_reports_the_fastest_of_each_order_and_layout(self):
        records = self.runs("--elements", 500, "--reorder", "none,blocks", "--layout", "all")
        self.assertEqual(
            [(r["case"]["reorder"], r["case"]["layout"]) for r in records],
            [(order, layout) for order in ("none", "blocks") for layout in ("aos", "soa")],
        )
        for record in records:
            self.assertTrue(record["case"]["automatic"])
            self.assertIn(record["case"]["strategy"], STRATEGIES)

    def test_strategies_have_the_figures_of_their_kind(self):
        for record in self.runs("--elements", 500, "--kernel", "all"):
            case, result = record["case"], record["result"]
            blocks = case["strategy"] in ("hierarchical", "owner")
            self.assertEqual(case["block_size"], {"hierarchical": 256, "owner": 128}.get(case["strategy"]))
            self.assertEqual(result["reuse_factor"] > 1, blocks)
            self.assertEqual(result["cache_lines_per_block"] > 0, blocks)
            self.assertEqual(result["thread_colours"] > 0,
                             case["strategy"] == "hierarchical" and case["in_block"] == "colours")
            coloured = case["strategy"] == "global" or (
                case["strategy"] == "hierarchical" and case["write_back"] == "colours"
            )
            self.assertEqual(result["block_colours"] > 1, coloured, case)
            self.assertEqual(result["redundancy"] > 1, case["strategy"] == "owner")

    def test_block_sizes_are_runs_of_their_own(self):
        records = self.runs("--elements", 2000, "--kernel", "hierarchical,owner,atomic", "--block-size", "16,64,256")
        self.assertEqual(
            [(r["case"]["strategy"], r["case"]["block_size"]) for r in records],
            [(s, size) for s in ("hierarchical", "owner") for size in (16, 64, 256)] + [("atomic", None)],
        )
        reuse = [record["result"]["reuse_factor"] for record in records]
        lines = [record["result"]["cache_lines_per_block"] for record in records]
        redundancy = [record["result"]["redundancy"] for record in records]
        for begin in 0, 3:
            self.assertTrue(reuse[begin] < reuse[begin + 1] < reuse[begin + 2], reuse)
            self.assertTrue(lines[begin] < lines[begin + 1] < lines[begin + 2], lines)
        self.assertEqual(redundancy[:3], [1, 1, 1])
        self.assertTrue(redundancy[3] > redundancy[4] > redundancy[5] > 1, redundancy)

    def test_orders_recover_what_shuffling_lost(self):
        for strategy in "hierarchical", "owner":
            records = self.runs("--elements", 2000, "--shuffle", "--kernel", strategy, "--block-size", 64, "--reorder",
                                "all")
            reuse = {record["case"]["reorder"]: record["result"]["reuse_factor"] for record in records}
            self.assertTrue({"none", "rcm", "gps", "blocks", "bisection"} <= set(reuse), reuse)
            for order, factor in reuse.items():
                if order != "none":
                    self.assertGreater(factor, 1.2 * reuse["none"], order)
            self.assertGreaterEqual(len(set(reuse.values())), len(reuse) - 1)  # rcm and gps may agree
            for record in records:
                self.assertTrue(record["verification"]["passed"])

    def test_layouts_differ_in_the_lines_of_a_block(self):
        aos, soa = self.runs("--elements", 2000, "--shuffle", "--kernel", "hierarchical", "--block-size", 32,
                             "--layout", "all")
        self.assertEqual((aos["case"]["layout"], soa["case"]["layout"]), ("aos", "soa"))
        # a shuffled target lies in four lines of SoA where it fills one of AoS, in each of two fields of four numbers
        self.assertGreater(soa["result"]["cache_lines_per_block"], 2 * aos["result"]["cache_lines_per_block"])

    def test_staging_is_recorded_and_saves_scratch(self):
        every, increments = (
            self.one("--elements", 500, "--kernel", "hierarchical", "--staging", staging)
            for staging in ("all", "increments")
        )
        self.assertEqual((every["case"]["staging"], increments["case"]["staging"]), ("all", "increments"))
        if ON_DEVICE:
            self.assertLess(increments["result"]["scratch_bytes"], every["result"]["scratch_bytes"])
        else:
            self.assertEqual(every["result"]["scratch_bytes"], 0)  # caches keep what a block shares


class ByHand(Indirect):
    """Three quadrilaterals in a row: their corners are eight nodes, their common edges two."""

    def setUp(self):
        super().setUp()
        nodes = "".join(f"{4 * y + x + 1} {x} {y} 0\n" for y in (0, 1) for x in range(4))
        cells = "".join(f"{x + 1} 3 2 1 1 {x + 1} {x + 2} {x + 6} {x + 5}\n" for x in range(3))
        (self.folder / "row.msh").write_text(
            f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n{nodes}$EndNodes\n"
            f"$Elements\n3\n{cells}$EndElements\n"
        )
        self.mesh = ["--mesh", "row.msh", "--loop", "corner-acceleration"]

    def test_its_sets(self):
        case = self.one(*self.mesh, "--kernel", "atomic")["case"]
        self.assertEqual((case["size"], case["targets"], case["mesh"]), (3, 8, "row.msh"))
        case = self.one("--mesh", "row.msh", "--loop", "airfoil", "--kernel", "atomic")["case"]
        self.assertEqual((case["size"], case["targets"]), (2, 3))

    def test_its_colours_and_reuse(self):
        self.assertEqual(self.figures(*self.mesh, "--kernel", "global")["block_colours"], 2)
        for size, reuse, block_colours, thread_colours in (1, 12 / 12, 2, 1), (2, 12 / 10, 2, 2), (3, 12 / 8, 1, 2):
            figures = self.figures(*self.mesh, "--kernel", "hierarchical", "--block-size", size)
            self.assertEqual((figures["reuse_factor"], figures["block_colours"], figures["thread_colours"]),
                             (reuse, block_colours, thread_colours))
            self.assertEqual(figures["redundancy"], 1)

    def test_its_owners(self):
        # four nodes are a row, which all elements touch; eight are all; one is touched by one element or by two
        for size, redundancy, reuse in (4, 2, 24 / 16), (8, 1, 12 / 8), (1, 12 / 3, 48 / (4 * 4 + 4 * 6)):
            figures = self.figures(*self.mesh, "--kernel", "owner", "--block-size", size)
            self.assert_close(figures["redundancy"], redundancy)
            self.assert_close(figures["reuse_factor"], reuse)

    def test_lines_of_a_block(self):
        # three numbers of eight nodes in two fields, of two and of one: 128 and 64 bytes of 32
        figures = self.figures(*self.mesh, "--kernel", "hierarchical", "--block-size", 3)
        self.assertEqual(figures["cache_lines_per_block"], 4 + 2)


class Plans(Indirect):
    def test_a_loaded_plan_is_the_one_that_was_saved(self):
        mesh = ["--elements", 800, "--shuffle"]
        for loop in "airfoil", "hydro-stress":
            for way in (
                ["hierarchical", "--block-size", 32],
                ["hierarchical", "--in-block", "gather", "--write-back", "atomic"],
                ["owner", "--block-size", 48],
                ["global"],
                ["staged"],
            ):
                made = self.one("--loop", loop, *mesh, "--reorder", "blocks", "--kernel", *way, "--save-plan", "a.plan")
                loaded = self.one("--loop", loop, *mesh, "--load-plan", "a.plan")
                self.assert_repeated(loaded["result"], made["result"])
                self.assertEqual(loaded["case"] | {"reorder": "blocks"}, made["case"])
                self.assertEqual(loaded["case"]["reorder"], "loaded")
                self.assertTrue(loaded["verification"]["passed"])
                self.assertEqual(set(loaded["timing"]["setup_s"]), {"load", "permutation", "check", "device"})
                (self.folder / "a.plan").unlink()

    def test_a_plan_serves_both_layouts(self):
        mesh, both = ["indirect", "--loop", "airfoil", "--elements", "1k", "--shuffle", "--repeat", 1], ["--layout", "all"]
        for way in (
            ["hierarchical", "--in-block", "colours"],
            ["hierarchical", "--in-block", "gather"],
            ["owner"],
            ["global"],
            ["staged"],
        ):
            made = self.records_of(*mesh, *both, "--kernel", *way, "--reorder", "blocks", "--block-size", 64,
                                   "--save-plan", "a.plan")
            loaded = self.records_of(*mesh, *both, "--load-plan", "a.plan")
            self.assertEqual(len(loaded), 2)
            for one, other in zip(made, loaded, strict=True):
                self.assert_repeated(one["result"], other["result"])
                if ONE_THREAD:
                    self.assertEqual(one["verification"], other["verification"])
                self.assertTrue(one["verification"]["passed"] and other["verification"]["passed"])
                self.assertEqual(one["case"], other["case"] | {"reorder": "blocks"})
            (self.folder / "a.plan").unlink()


class Timing(Indirect):
    def test_times_rates_and_the_table(self):
        outcome = self.run_program("indirect", "--elements", 2000, "--kernel", "all", "--reorder", "none,blocks",
                                   "--layout", "all", "--block-size", 64, "--repeat", 3, "--iterations", 2, "--wide",
                                   "--json", "record.json")
        rows = tables(outcome.output)[0]
        for record, row in zip(outcome.records, rows, strict=True):
            case, result, timing, roofs = record["case"], record["result"], record["timing"], record["roofs"]
            self.assertEqual(case["iterations"], 2)
            sample, rate = timing["kernel_s"], record["rates"]["kernel_gbytes"]
            self.assert_sample(sample, 3)
            self.assert_close(rate, record["rates"]["kernel_bytes"] / sample["median"] * 1e-9)
            self.assert_close(roofs["fraction_of_copy_roof"], rate / roofs["copy_gbytes"])
            self.assert_bound(roofs, sample)
            paper = record["rates"]["kernel_bytes"]
            if case["strategy"] == "staged":  # four numbers of an edge, written and read
                self.assertEqual(roofs["least_bytes"], paper + 2 * 4 * 8 * case["size"])
            elif not ON_DEVICE:
                self.assertEqual(roofs["least_bytes"], paper)
            self.assertEqual(set(timing["setup_s"]), {"partition", "permutation", "colouring", "check", "device"})
            colours = result["block_colours"], result["thread_colours"]
            hierarchical = f" {case['in_block']}/{case['write_back']}" if case["strategy"] == "hierarchical" else ""
            block = case["block_size"] is not None
            expected = {
                "kernel": case["strategy"] + hierarchical,
                "reorder": case["reorder"],
                "layout": case["layout"],
                "block": str(case["block_size"] or "-"),
                "time": seconds(sample["median"]),
                "min": seconds(sample["min"]),
                "max": seconds(sample["max"]),
                "GB/s": f"{rate:.4g}",
                "% bound": f"{100 * roofs['fraction_of_bound']:.0f}",
                "% copy": f"{100 * roofs['fraction_of_copy_roof']:.0f}",
                "ns/element": f"{1e9 * sample['median'] / case['size']:.3g}",
                "reuse": f"{result['reuse_factor']:.2f}" if block else "-",
                "colours": f"{colours[0]}/{colours[1]}" if colours[1] else str(colours[0]) if colours[0] > 1 else "-",
                "lines": f"{result['cache_lines_per_block']:.0f}" if block else "-",
                "set-up": seconds(sum(timing["setup_s"].values())),
                "error": f"{record['verification']['error_over_tolerance']:.2g}",
            }
            self.assertEqual(row | expected, row)
        self.assertIn("airfoil: 1 974 elements, 1 008 targets, generated, ", outcome.output)
        self.assertIn(
            f"copy roof {outcome.records[0]['roofs']['copy_gbytes']:.4g} GB/s at "
            f"{amount(outcome.records[0]['rates']['kernel_bytes'])}",
            outcome.output,
        )

    def test_time_is_that_of_one_run_of_many(self):
        start = time.monotonic()
        record = self.record_of("indirect", "--elements", 5000, "--kernel", "atomic", "--repeat", 3, "--iterations", 200)
        elapsed = time.monotonic() - start
        self.assertEqual((record["case"]["iterations"], record["timing"]["kernel_s"]["repetitions"]), (200, 3))
        self.assertGreater(elapsed, 200 * 3 * record["timing"]["kernel_s"]["min"])

    def test_progress_is_shown_on_a_terminal_unless_quiet(self):
        arguments = ["indirect", "--elements", 100, "--kernel", "owner", "--repeat", 1, "--iterations", 1]
        self.assertIn("1 of 1: airfoil: owner, none; ", self.progress_of(*arguments))
        self.assertEqual(self.progress_of(*arguments, "--quiet"), "")
