# SPDX-License-Identifier: BSD-3-Clause
"""The same thing has the same name in all commands."""
import json
import pathlib
import unittest

from command import ORDERS, Command, tables, times_of

PRISM = next((order for order in ORDERS if order <= 7), None)

SCATTER = ["--bs", 7, "--order", ORDERS[0], "--max-bytes", "1M", "--repeat", 1]


class Boxes(Command):
    SMALL = ["--order", ORDERS[0], "--verify-only", "--quiet"]

    def box_of(self, *words):
        case = self.record_of(*self.SMALL, *words)["case"]
        return case["box"], case["elements"]

    def test_the_main_job_takes_a_box_as_other_commands_do(self):
        self.assertEqual(self.box_of("--cells", "3x2x4"), ([3, 2, 4], 24))
        self.assertEqual(self.box_of("--cells", 2), ([2, 2, 2], 8))
        (self.folder / "q.toml").write_text('cells = "3x2x4"\n')
        self.assertEqual(self.box_of("--config", "q.toml"), ([3, 2, 4], 24))

    def test_streaming_takes_a_box(self):
        p = ORDERS[0]
        result = self.record_of("streaming", *SCATTER, "--cells", "3x2x4")["result"]
        self.assertEqual(result["entries"], [(3 * p + 1) * (2 * p + 1) * (4 * p + 1)])

    def test_contradictions_are_refused(self):
        self.assert_refused("--cells", "2x2x2", "--elements", 8, says=["--elements: contradicts --cells"])
        self.assert_refused("--cells", "2x2x2", "--sweep", "elements", says=["--cells: contradicts --sweep elements"])
        self.assert_refused("tune", "--cells", "2x2x2", "--elements", 8, says=["--elements: contradicts --cells"])
        for box in ["2x2", "2x2x2x2", "0x1x1", "axbxc", "2x2x-2"]:
            for command in [], ["tune"], ["streaming"], ["elasticity", "--solve"]:
                self.assert_refused(*command, "--cells", box, says=[f"--cells {box}", "whole numbers > 0"])

    def test_tune_takes_a_box_and_units(self):
        words = ["tune", "--order", ORDERS[-1], "--repeat", 1]
        for size, box in [(["--cells", "2x3x4"], [2, 3, 4]), (["--elements", "0.024k"], [2, 3, 4])]:
            for record in self.records_of(*words, *size):
                self.assertEqual((sorted(record["case"]["box"]), record["case"]["elements"]), (box, 24))

    def test_weakform_cuts_boxes_into_simplices(self):
        for dim, box, cells, nodes in (2, "5x3", 2 * 15, 6 * 4), (2, 4, 2 * 16, 25), (3, "2x3x5", 6 * 30, 3 * 4 * 6), (3, 2, 48, 27):
            case = self.record_of("weakform", "--dim", dim, "--cells", box, "--verify-only")["case"]
            self.assertEqual((case["elements"], case["unknowns"]), (cells, nodes))

    def test_flat_boxes_of_weakform_keep_their_cells_and_agree(self):
        for precision in "double", "single":
            for dim, box in (2, "64x2"), (2, "1000x3"), (3, "64x2x2"), (3, "2x40x3"):
                words = ["weakform", "--form", "all", "--dim", dim, "--cells", box, "--precision", precision]
                for record in self.records_of(*words, "--verify-only"):
                    self.assertTrue(record["verification"]["passed"], record["case"])

    def test_indirect_makes_the_mesh_of_each_loop(self):
        for loop, box, elements, targets in (
            ("airfoil", "12x3", 12 * 3 + 12 * 2, 36),  # around and outwards: rings are closed
            ("shallow-water", "4x3", 12 + 3 * 3 + 4 * 2, 24),
            ("hydro-stress", "2x3x4", 24, 60),
            ("corner-acceleration", "4x3", 12, 20),
            ("euler-flux", "2x3x4", 1 * 12 + 2 * 8 + 3 * 6, 24),
            ("euler-flux", 2, 12, 8),
        ):
            case = self.record_of("indirect", "--loop", loop, "--cells", box, "--kernel", "atomic", "--verify-only")["case"]
            self.assertEqual((case["size"], case["targets"]), (elements, targets), loop)
        records = self.records_of("indirect", "--loop", "all", "--cells", 5, "--kernel", "atomic", "--verify-only")
        self.assertEqual([record["case"]["targets"] for record in records], [25, 50, 216, 36, 125])

    def test_boxes_of_the_wrong_dimension_are_refused(self):
        for words, says in (
            (["weakform", "--dim", 2, "--cells", "2x2x2"], "--dim 2 --cells 2x2x2: accepted are XxY or K"),
            (["weakform", "--cells", "2x2"], "--dim 3 --cells 2x2: accepted are XxYxZ or K"),
            (["indirect", "--cells", "8x8x8"], "--loop airfoil --cells 8x8x8: accepted are XxY or K"),
            (["indirect", "--loop", "all", "--cells", "8x8"], "--loop hydro-stress --cells 8x8: accepted are XxYxZ or K"),
            (["indirect", "--cells", "3x2"], "--cells 3x2: an O-grid of 3 x 2 cells: accepted are at least 4 x 1"),
            (["indirect", "--loop", "euler-flux", "--cells", 1], "--cells 1 has no elements of the loop"),
        ):
            self.assert_refused(*words, says=says)
        for command in ["weakform"], ["indirect"]:
            self.assert_refused(*command, "--cells", 4, "--elements", 8, says="--elements: contradicts --cells")
            self.assert_refused(*command, "--cells", 4, "--mesh", "a.msh", says="--cells: contradicts --mesh FILE")
            self.assert_refused(*command, "--cells", 9999999, says=["--cells 9999999: accepted are", "up to 1G"])

    @unittest.skipIf(not set(ORDERS) & {1, 2, 3}, "needs a low order of prisms")
    def test_a_cantilever_of_about_so_many_prisms_has_the_shape_of_the_usual_one(self):
        order = min(set(ORDERS) & {1, 2, 3})
        for elements, cells in ("auto", [8, 1, 2]), (1, [8, 1, 2]), (32, [8, 1, 2]), ("0.25k", [16, 2, 4]), (300, [16, 2, 4]):
            case = self.record_of("elasticity", "--solve", "--order", order, "--elements", elements, "--verify-only")["case"]
            self.assertEqual(case["cells"], cells)

    def test_sizes_of_the_main_job_take_units(self):
        self.assertEqual(self.box_of("--elements", "0.027k"), ([3, 3, 3], 27))


class Repetitions(Command):
    STREAMING = ["streaming", "--bs", "0,1,7", "--samples", 2, "--max-bytes", "1M", "--order", ORDERS[0]]

    def test_repeat_counts_readings_of_the_clock_in_streaming(self):
        for record in self.records_of(*self.STREAMING, "--repeat", 3, "--iterations", 2):
            result = record["result"]
            self.assertEqual(result["repetitions"], [3] * len(result["curve"]))
            self.assertEqual((record["case"]["repeat"], record["case"]["iterations"]), (3, 2))
        for record in self.records_of(*self.STREAMING):
            self.assertTrue(all(1 <= count <= 5 for count in record["result"]["repetitions"]), record["result"])
            self.assertEqual((record["case"]["repeat"], record["case"]["iterations"]), (5, 20))

    def test_iterations_are_runs_per_repetition(self):
        words = ["indirect", "--elements", 200, "--kernel", "serial", "--iterations", 7, "--repeat", 4]
        record = self.record_of(*words)
        self.assertEqual((record["case"]["iterations"], record["timing"]["kernel_s"]["repetitions"]), (7, 4))


class VerifyOnly(Command):
    RUNS = {
        "streaming": ["--bs", "0..8", "--samples", 2, "--max-bytes", "1M", "--order", ORDERS[0]],
        "indirect": ["--elements", 200, "--kernel", "all", "--layout", "all"],
        "solver": ["--unknowns", "100,400", "--preconditioner", "none,amg"],
        "weakform": ["--elements", 100, "--kernel", "tiles"],
        "": ["--order", ORDERS[0], "--cells", 2],
    }
    if PRISM:
        RUNS["elasticity"] = ["--order", PRISM, "--elements", 4]

    def test_it_times_nothing_in_any_command(self):
        for command, words in self.RUNS.items():
            with self.subTest(command=command):
                words = [command, *words] if command else words
                outcome = self.run_program(*words, "--verify-only", "--json", "record.json")
                self.assertGreater(len(outcome.records), 0)
                for record in outcome.records:
                    self.assertTrue(record["verification"]["passed"])
                    self.assertTrue(record["case"].get("verify_only", True))
                    self.assertEqual((record["rates"], record["roofs"]), ({}, {}))
                    self.assertLessEqual(times_of(record), {"setup_s"})
                    self.assertNotIn("curve", record["result"])
                if command in ("streaming", "indirect"):
                    self.assertNotRegex(outcome.output, "GB/s|copy roof|% copy")

    def test_what_is_wrong_is_found_as_with_times(self):
        words = self.RUNS["streaming"]
        sizes = [record["result"]["entries"] for record in self.records_of("streaming", *words, "--verify-only")]
        timed = self.records_of("streaming", *words, "--repeat", 1, "--iterations", 1)
        self.assertEqual([record["result"]["entries"] for record in timed], sizes)
        self.assertEqual([len(record["result"]["curve"]) for record in timed], [len(of_test) for of_test in sizes])
        self.assert_refused("solver", "--verify-only", "--history", "a.csv",
                            says=["--history: of solves", "--verify-only"])

    def test_every_kernel_of_auto_is_verified(self):
        words = ["indirect", "--elements", 200, "--kernel"]
        timed = self.records_of(*words, "all", "--repeat", 1)
        auto = self.records_of(*words, "auto", "--verify-only")
        self.assertEqual(len(auto), len(timed))


class Everywhere(Command):
    def test_the_table_of_options_and_commands_is_that_of_the_help(self):
        text = (pathlib.Path(__file__).parents[2] / "docs" / "commands.md").read_text()
        rows = [line for line in text.splitlines() if line.startswith("| ") and line.count("|") == 12]
        commands, *options = [[cell.strip().strip("`") for cell in line.split("|")[1:-1]] for line in rows]
        self.assertEqual(len(options), 11)
        for column, command in enumerate(commands[1:], 1):
            said = self.run_program(*([] if command == "main job" else [command]), "--help", "all").output
            names = {word for line in said.splitlines() for word in line.split()[:1]}
            for row in options:
                self.assertEqual(row[column], "yes" if row[0] in names else "", f"{command} {row[0]}")


class Lists(Command):
    WANTED = sorted({*ORDERS[:2], ORDERS[-1]})
    LIST = f"1..2,{ORDERS[-1]}" if ORDERS[:2] == [1, 2] else ",".join(map(str, WANTED))

    @unittest.skipUnless(len(ORDERS) > 1, "one order was built")
    def test_orders_of_the_main_job_make_one_table(self):
        words = ["--cells", 2, "--boundary", "neumann", "--repeat", 1, "--no-solve"]
        outcome = self.run_program("--order", self.LIST, *words, "--json", "record.json")
        self.assertEqual([record["case"]["order"] for record in outcome.records], self.WANTED)
        self.assertEqual([row["order"] for row in tables(outcome.output)[-1]], [str(order) for order in self.WANTED])
        self.assertEqual(len(tables(outcome.output)), 1)
        (self.folder / "q.toml").write_text(f'order = [{ORDERS[0]}, "{ORDERS[-1]}"]\n')
        self.assertEqual([record["case"]["order"] for record in self.records_of("--config", "q.toml", *words)],
                         [ORDERS[0], ORDERS[-1]])

    @unittest.skipUnless(len(ORDERS) > 1, "one order was built")
    def test_orders_and_sizes_of_a_sweep_are_combined(self):
        records = self.records_of("--order", f"{ORDERS[0]},{ORDERS[-1]}", "--sweep", "elements", "--elements", 8,
                                  "--repeat", 1, "--boundary", "neumann", "--no-solve")
        self.assertEqual([(record["case"]["order"], record["case"]["elements"]) for record in records],
                         [(order, elements) for order in (ORDERS[0], ORDERS[-1]) for elements in (1, 8)])

    def test_kernels_of_the_main_job_are_a_list(self):
        words = ["--order", ORDERS[0], "--cells", 2, "--repeat", 1, "--no-solve"]
        records = self.records_of("--kernel", "reference,rung2,rung1,auto", *words)
        auto = self.record_of("--kernel", "auto", *words)
        self.assertEqual([record["case"]["kernel"] for record in records],
                         ["reference", "rung2", "rung1", auto["case"]["kernel"]])
        self.assert_refused("--kernel", "rung1,rung99", *words, says="--kernel: unknown value 'rung99'")

    def test_orders_of_tune_and_solver_are_lists(self):
        tuned = self.records_of("tune", "--order", self.LIST, "--cells", 2, "--repeat", 1)
        self.assertEqual(sorted({record["case"]["order"] for record in tuned}), self.WANTED)
        solved = self.run_program("solver", "--matrix", "lor", "--order", "1,3", "--unknowns", "100,200", "--no-solve",
                                  "--repeat", 1, "--json", "record.json")
        self.assertEqual([record["case"]["order"] for record in solved.records], [1, 1, 3, 3])
        self.assertEqual([row["order"] for row in tables(solved.output)[0]], ["1", "1", "3", "3"])

    def test_block_sizes_are_lists_and_ranges_everywhere(self):
        words = ["--elements", 300, "--verify-only"]
        for command, option, value, key, wanted in (
            (["indirect", "--kernel", "hierarchical"], "--block-size", "30..32,16,0.064k", "block_size", [16, 30, 31, 32, 64]),
            (["weakform", "--kernel", "tiles"], "--block-size", "30..32,16,0.064k", "block_size", [16, 30, 31, 32, 64]),
            (["weakform", "--kernel", "transposed"], "--blocks", "2,1..3", "blocks", [1, 2, 3]),
            (["weakform", "--kernel", "transposed"], "--batches", "5,1..2", "batches", [1, 2, 5]),
        ):
            with self.subTest(command=command, option=option):
                records = self.records_of(*command, *words, option, value)
                self.assertEqual([record["case"][key] for record in records], wanted)
                (self.folder / "q.toml").write_text(f"[{command[0]}]\n{option[2:]} = [{wanted[-1]}, \"1..2\"]\n")
                records = self.records_of("--config", "q.toml", *command, *words)
                self.assertEqual([record["case"][key] for record in records], [1, 2, wanted[-1]])
                for wrong in "3..1", "1..", "0", "4097", "1k..5k", "1.5", "+3", "1,,2":
                    self.assert_refused(*command, *words, option, wrong, says=option)

    def test_what_is_no_list_of_orders_is_refused(self):
        for command in [], ["tune"], ["streaming"], ["elasticity"], ["solver", "--matrix", "lor"]:
            for orders in ["3..1", "1..", "0", "99", "1,,2", "x", "1-3"]:
                with self.subTest(command=command, orders=orders):
                    self.assert_refused(*command, "--order", orders, says="--order")


class Places(Command):
    def test_every_option_may_stand_before_the_command(self):
        options = ["--kernel", "serial,owner", "--loop", "euler-flux", "--elements", "500", "--shuffle", "--repeat", 1]
        after = self.records_of("indirect", *options)
        before = self.records_of(*options, "indirect")
        self.assertEqual([record["case"] for record in before], [record["case"] for record in after])
        self.assertEqual([record["case"]["strategy"] for record in before], ["serial", "owner"])
        between = self.records_of(*options[:4], "indirect", *options[4:])
        self.assertEqual([record["case"] for record in between], [record["case"] for record in after])

    def test_a_value_that_is_called_like_a_command_is_a_value(self):
        (self.folder / "solver").write_text("")
        self.run_program("--json", "solver", "indirect", "--elements", 200, "--kernel", "serial", "--repeat", 1)
        self.assertEqual(json.loads((self.folder / "solver").read_text())["module"], "indirect")

    def test_what_the_command_has_not_is_refused_before_it_too(self):
        self.assert_refused("--bp", "3.0", "streaming", says="--bp: no option of streaming, but of the main job")
        self.assert_refused("--order", 1, "indirect", says="--order: no option of indirect")


class Units(Command):
    def test_whole_numbers_take_units(self):
        words = ["indirect", "--elements", "0.2k", "--kernel", "serial", "--repeat"]
        self.assertEqual(self.record_of(*words, "0.002k")["timing"]["kernel_s"]["repetitions"], 2)
        (self.folder / "q.toml").write_text('[indirect]\nrepeat = "0.003k"\nelements = "0.2k"\nkernel = "serial"\n')
        self.assertEqual(self.record_of("indirect", "--config", "q.toml")["timing"]["kernel_s"]["repetitions"], 3)

    def test_a_whole_number_is_read_in_one_way_by_every_option(self):
        for value in "200", "0200", "0.2k", "0.2K", "2e2", "200.0", "200.":
            for file in '"' + value + '"', "200", "2e2", "200.0":
                (self.folder / "q.toml").write_text(f"[indirect]\nelements = {file}\nrepeat = {file}\nblock-size = {file}\n")
                words = ["indirect", "--kernel", "owner", "--verify-only"]
                of_file = self.record_of("--config", "q.toml", *words)["case"]
                line = self.record_of(*words, "--elements", value, "--repeat", value, "--block-size", value)["case"]
                self.assertEqual(line, of_file, value)
                self.assertEqual((line["block_size"], line["size"]), (200, of_file["size"]))
        for value in "8", "8e0", "0.008K":
            self.assertEqual(self.record_of("--order", ORDERS[0], "--elements", value, "--verify-only")["case"]["elements"], 8)
            self.assertEqual(self.record_of("--order", ORDERS[0], "--cells", f"{value}x2x2", "--verify-only")["case"]["box"], [8, 2, 2])

    def test_what_is_no_whole_number_is_refused(self):
        for value in ["1.5", "0.0015k", "1e-3", "1e10", "2147483648", "0x10", "k", "5G", "1kk", "1m", "nan", "infk"]:
            with self.subTest(value=value):
                self.assert_refused("indirect", "--repeat", value, says=["--repeat", value, "whole numbers"])
        self.assert_refused("weakform", "--dim", "two", says=["--dim", "'two'", "accepted are 2 and 3\n"])
        self.assert_refused("streaming", "--samples", "3.5", says=["--samples", "from 1 to 100000, also as 64k, 1.5M, 1e6\n"])
        self.assert_refused("--eps", "z", says=["--eps", "accepted are numbers from 0.05 to 1\n"])
        for value in ["100.5", "0x10", " 100", "nan", "2G", "0.4"]:
            with self.subTest(value=value):
                self.assert_refused("weakform", "--elements", value, says=["--elements", value.strip(), "720k"])


if __name__ == "__main__":
    unittest.main()
