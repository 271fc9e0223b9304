# SPDX-License-Identifier: BSD-3-Clause
"""Values at both sides of what each option accepts."""

import os
import unittest

from command import ON_DEVICE, ORDERS, Command, amount

ORDER = ORDERS[0]
MAIN = ["--order", ORDER, "--verify-only"]
STREAMING = ["streaming", "--repeat", 1]
INDIRECT = ["indirect", "--kernel", "owner", "--repeat", 1, "--iterations", 1]
TUNE = ["tune", "--order", ORDER, "--repeat", 1]
ELASTICITY = ["elasticity", "--order", ORDER, "--kernel", "products"]
MATRICES = [*ELASTICITY, "--elements", 1, "--verify-only"]


class Limits(Command):
    def accepts(self, *arguments):
        self.run_program(*arguments)

    def refuses(self, *arguments, says):
        self.assert_refused(*arguments, says=says)


class MainJob(Limits):
    def test_tolerances_reach_from_rounding_to_one(self):
        small = [*MAIN, "--elements", 27, "--tolerance"]
        for tolerance in 0.999, 2.3e-16:
            self.accepts(*small, tolerance)
        for tolerance in 1, 2.2e-16:
            self.refuses(*small, tolerance, says=f"--tolerance {tolerance}: accepted are numbers from")
        self.accepts(*small, 1.2e-7, "--precision", "single")
        self.refuses(*small, 1.1e-7, "--precision", "single",
                     says="--tolerance 1.1e-07: accepted are numbers from 1.2e-07")

    def test_eps_reaches_from_a_twentieth_to_one(self):
        kershaw = [*MAIN, "--elements", 216, "--mesh-map", "kershaw", "--eps"]
        for eps in 0.05, 1:
            self.accepts(*kershaw, eps)
        for eps in 0.049, 1.01, "nan":
            self.refuses(*kershaw, eps, says=f"--eps {eps}: accepted are numbers from 0.05 to 1")

    def test_smoothers_have_degrees_from_1_to_20(self):
        if max(ORDERS) == 1:
            self.skipTest("needs an order above 1")
        words = ["--order", max(ORDERS), "--elements", 1, "--verify-only", "--preconditioner", "p-multigrid"]
        for degree in 1, 20:
            self.accepts(*words, "--smoother-degree", degree)
        for degree in 0, 21:
            self.refuses(*words, "--smoother-degree", degree, says=f"--smoother-degree {degree}: accepted are 1..20")
            self.refuses(*[*words[:-1], "chebyshev", "--smoother-degree", degree],
                         says=f"--smoother-degree {degree}: accepted are 1..20")

    def test_one_is_the_least_of_what_is_counted(self):
        for option in "--max-iterations", "--repeat":
            self.accepts(*MAIN, "--elements", 27, option, 1)
            self.refuses(*MAIN, "--elements", 27, option, 0, says=f"{option} 0: accepted are whole numbers > 0")
        self.accepts(*MAIN, "--bp", "1.0", "--elements", 1)

    def test_order_1_needs_an_inner_node_in_each_direction(self):
        if 1 not in ORDERS:
            self.skipTest("needs order 1")
        for thin in range(3):
            words = ["--cells", "x".join("1" if d == thin else "2" for d in range(3))]
            self.refuses("--order", 1, *words, says="has no free node")
            self.accepts("--order", 1, *words, "--boundary", "neumann", "--verify-only")
        self.accepts("--order", 1, "--elements", 8, "--verify-only")

    def test_whole_numbers_of_a_file_reach_as_far_as_those_of_the_command_line(self):
        for number, says in (
            (2147483647, "2147483647 x 1 x 1 elements"),
            (2147483648, "2147483648"),
            (0, "--elements 0: "),
        ):
            (self.folder / "run.toml").write_text(f"bp = '1.0'\norder = {ORDER}\nelements = {number}\n")
            refused = self.assert_refused("--config", "run.toml", says=says)
            self.assertEqual("nodes; accepted are up to" in refused.errors, number == 2147483647)
            self.assert_refused("--bp", "1.0", "--order", ORDER, "--elements", number, says=says)

    def test_lambda_is_at_least_zero_and_regular(self):
        small = [*MAIN, "--elements", 27]
        self.accepts(*small, "--lambda", 0)
        self.accepts(*small, "--lambda", 1e-9, "--boundary", "neumann")
        self.refuses(*small, "--lambda", 0, "--boundary", "neumann", says="singular")
        self.refuses(*small, "--bp", "bp3", "--boundary", "neumann", says="singular")
        self.accepts(*small, "--bp", "1.0", "--boundary", "neumann")
        self.refuses(*small, "--lambda", -1e-9, says="--lambda -1e-09: accepted are numbers >= 0")


class Streaming(Limits):
    def test_each_operation_has_as_many_sizes_as_entries(self):
        for bs, words in (1, 2), (2, 3), (3, 1), (4, 2), (5, 6):
            entry = 8 * words
            sizes = [*STREAMING, "--bs", bs, "--min-bytes", entry, "--max-bytes", 3 * entry]
            self.accepts(*sizes, "--samples", 3)
            self.refuses(*sizes, "--samples", 4, says=f"--samples 4: BS{bs} has 3 sizes between")
            few = [*STREAMING, "--bs", bs, "--min-bytes", 1, "--samples", 1, "--max-bytes"]
            self.accepts(*few, entry)
            self.refuses(*few, entry - 1, says=f"--max-bytes {entry - 1}: BS{bs} moves {entry} bytes")
            self.refuses(*STREAMING, "--bs", bs, "--max-bytes", "1000T", says=f"--max-bytes 1000T: BS{bs} needs about")

    @unittest.skipIf(ON_DEVICE, "of the host's memory")
    def test_meshes_that_memory_cannot_hold_are_refused_with_what_they_need(self):
        if os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") > 80e9:
            self.skipTest("needs a machine of at most 80 GB")
        side = 640
        local, globals_ = 8 * side**3, (side + 1) ** 3  # values, Z and Z^T in 64 bits, expected results
        for bs, times in (6, 1), (7, 1), (8, 2):
            needed = (local + globals_) * 8 * times + 32 * local + 24 * globals_
            self.refuses(
                *STREAMING,
                "--bs",
                bs,
                "--order",
                1,
                "--cells",
                side,
                "--max-bytes",
                "1k",
                says=f"--cells {side}: BS{bs} of order 1 on 640 x 640 x 640 elements needs about {amount(needed)},",
            )

    def test_samples_are_counted_from_1_to_100000(self):
        vectors = [*STREAMING, "--bs", 1, "--max-bytes", 1600, "--min-bytes", 1600, "--samples"]
        self.accepts(*vectors, 1)
        self.refuses(*vectors, 0, says="accepted are whole numbers from 1 to 100000")
        self.refuses(*vectors, 100001, says="accepted are whole numbers from 1 to 100000")
        self.refuses(*vectors, 100000, says="--samples 100000: BS1 has 1 sizes")

    def test_lists_and_boxes(self):
        meshes = [*STREAMING, "--bs", 7, "--max-bytes", "64k"]
        self.accepts(*meshes, "--cells", "1", "--order", 15)
        for order in 0, 16, "3..2", "2..", "..2", "1,,2":
            self.refuses(*meshes, "--cells", 2, "--order", order, says="--order")
        self.accepts(*meshes, "--cells", "1x2x1", "--order", "2..2")
        for mesh in "0", "1x0x1", "2x2", "1x1x1x1", "x", "1x", "12345678":
            self.refuses(*meshes, "--cells", mesh, says=f"--cells {mesh}: accepted are XxYxZ or K")
        self.accepts(*meshes, "--order", 1, "--elements", 8)
        self.refuses(*meshes, "--order", 1, "--elements", 7, says="--elements 7: accepted are whole numbers >= 8")
        self.refuses(*meshes, "--order", 1, "--elements", 8, "--cells", 2, says="--elements: contradicts --cells")

    def test_amounts_have_units_of_a_thousand(self):
        def largest(text):
            record = self.record_of(*STREAMING, "--bs", 1, "--min-bytes", 16, "--samples", 1, "--max-bytes", text)
            return record["result"]["curve"][-1][0]

        for text in "64k", "64K", "64000", "0.064M", "6.4e4", "0.000064G":
            self.assertEqual(largest(text), 64000)
        for text in "0", "-1k", "64Ki", "64kk", "k", "nan", "inf":
            self.refuses(*STREAMING, "--bs", 1, "--max-bytes", text, says="accepted are bytes > 0")


class Indirect(Limits):
    def test_sizes_of_blocks_and_meshes(self):
        for size in 1, 4096:
            self.accepts(*INDIRECT, "--elements", 50, "--block-size", size)
        for size in 0, 4097, "10000", "100000", "", "1.5":
            if size != "":
                self.refuses(*INDIRECT, "--block-size", size, says=f"--block-size {size}: accepted are numbers 1..4096")
        for size in "0.5k", "500", "5e2":
            self.assertEqual(self.record_of(*INDIRECT, "--elements", size)["case"]["size"], 460)
        self.accepts(*INDIRECT, "--elements", 1)
        for size in "0.9", "1.1G", "1000000001":
            self.refuses(*INDIRECT, "--elements", size, says=f"--elements {size}: accepted are 1 to 1G")
        for option in "--iterations", "--repeat":
            base = ["indirect", "--kernel", "owner", "--elements", 50]
            self.refuses(*base, option, 0, says=f"{option} 0: accepted are whole numbers > 0")

    def test_a_plan_of_one_combination_is_saved(self):
        base = ["indirect", "--elements", 50, "--repeat", 1, "--iterations", 1, "--save-plan", "a.plan"]
        self.accepts(*base, "--kernel", "owner", "--layout", "all")
        for more in (["--kernel", "all"], ["--kernel", "owner,staged"], ["--kernel", "owner", "--block-size", "8,9"]):
            self.refuses(*base, *more, says="plans for one file")
        self.refuses(*base, "--kernel", "owner", "--loop", "airfoil,euler-flux", says="--save-plan a.plan: 2 plans")


class Elasticity(Limits):
    def setUp(self):
        super().setUp()
        if ORDER > 7:
            self.skipTest("needs an order up to 7")

    def test_materials_and_deformation(self):
        for more in (
            ["--poisson", 0.499],
            ["--poisson", -0.99],
            ["--poisson", 0.449, "--vary"],
            ["--poisson", -0.909, "--vary"],
            ["--perturb", 0.12],
            ["--perturb", 0],
            ["--young", 1e-300],
        ):
            self.accepts(*MATRICES, *more)
        for more in (
            ["--poisson", 0.5],
            ["--poisson", -1],
            ["--poisson", 0.45, "--vary"],
            ["--poisson", -0.91, "--vary"],
            ["--perturb", 0.121],
            ["--perturb", -0.01],
            ["--young", 0],
            ["--repeat", 0],
            ["--elements", 0],
        ):
            self.refuses(*ELASTICITY, *more, says=f"{more[0]} {more[1]}")

    def test_options_of_single_prisms_and_of_the_cantilever_exclude_each_other(self):
        for option in (["--output-matrices", "none"], ["--plan", "h200"], ["--vary"]):
            self.refuses(*ELASTICITY, "--solve", *option, says=f"{option[0]}: contradicts --solve")
        for option in (
            ["--cells", "2x1x1"],
            ["--length", 3],
            ["--preconditioner", "jacobi"],
            ["--tolerance", 0.1],
            ["--max-iterations", 9],
        ):
            self.refuses(*MATRICES, *option, says=f"{option[0]}: of the cantilever; accepted with --solve")

    def test_a_cantilever(self):
        beam = [*ELASTICITY, "--solve", "--cells", "2x1x1", "--length", 2]
        self.accepts(*beam, "--tolerance", 0.999)
        self.refuses(*beam[:-2], "--length", 0, says="--length 0: accepted are lengths > 0")
        self.refuses(*beam, "--max-iterations", 0, says="--max-iterations 0: accepted are whole numbers > 0")
        for tolerance in 0, 1:
            self.refuses(*beam, "--tolerance", tolerance, says=f"--tolerance {tolerance}: accepted are numbers")

    def test_auto_stands_alone_and_plans_write_nothing(self):
        self.refuses("elasticity", "--order", ORDER, "--kernel", "auto,products", says="--kernel auto: stands for all")
        for more in ["--output-matrices", "none"], ["--json", "a.json"]:
            self.refuses("elasticity", "--plan", "h200", *more, says="--plan h200: prints a plan only")


class Tune(Limits):
    def test_elements_have_a_free_node(self):
        self.accepts(*TUNE, "--elements", 8)
        if ORDER > 1:
            self.accepts(*TUNE, "--elements", 1)
        else:
            self.refuses(*TUNE, "--elements", 7, says="--elements 7: 7 x 1 x 1 elements of order 1 have no free node")
        for option in "--elements", "--repeat":
            self.refuses("tune", option, 0, says=f"{option} 0: accepted are whole numbers > 0")
