# SPDX-License-Identifier: BSD-3-Clause
"""Pages of all commands fit 120 columns; --wide prints all columns."""

from command import HIGH_ORDER, ON_DEVICE, ORDERS, Command, tables

ORDER = ORDERS[0]
TENSOR = ["--order", ORDER, "--elements", 27, "--repeat", 2]
PAGES = {
    "a kernel": TENSOR,
    "all kernels": [*TENSOR, "--kernel", "all"],
    "a sweep": ["--sweep", "order", "--elements", 27, "--repeat", 2],
    "the low-order matrix": [*TENSOR, "--preconditioner", "lor-amg"],
    "streaming": ["streaming", "--bs", "0..8", "--order", ORDER, "--max-bytes", "64k", "--samples", 4],
    "indirect": ["indirect", "--elements", 1000, "--kernel", "all", "--reorder", "all", "--layout", "all", "--repeat", 2],
    "solver": ["solver", "--unknowns", "100,1k", "--repeat", 2, "--preconditioner", "none,jacobi,amg,ilu0-chow-patel,ic0-chow-patel"],
    "weakform": ["weakform", "--elements", 1000, "--kernel", "all", "--repeat", 2],
    "weakform, solved": ["weakform", "--elements", 1000, "--solve"],
    "tune": ["tune", "--order", ORDER, "--elements", 8, "--repeat", 1],
    "info": ["info"],
}
if HIGH_ORDER:
    solver = ["--preconditioner", "p-multigrid", "--compare-jacobi"]
    PAGES["multigrid over orders"] = ["--order", HIGH_ORDER, "--elements", 27, "--repeat", 2, *solver]
if ORDER <= 7:
    PAGES["elasticity"] = ["elasticity", "--order", ORDER, "--elements", 2, "--kernel", "all", "--repeat", 2]
    PAGES["plans"] = ["elasticity", "--plan", "h200", "--order", ORDER]
    PAGES["a cantilever"] = ["elasticity", "--solve", "--order", ORDER, "--cells", "2x1x1", "--preconditioner", "amg"]


class Width(Command):
    def test_pages_fit_120_columns(self):
        for name, arguments in PAGES.items():
            with self.subTest(page=name):
                for line in self.run_program(*arguments).output.splitlines():
                    self.assertLessEqual(len(line), 120, line)

    def test_columns_that_are_left_out_are_named_and_shown_by_wide(self):
        narrow = self.run_program(*PAGES["all kernels"]).output
        wide = self.run_program(*PAGES["all kernels"], "--wide").output
        self.assertIn("more with --wide: ", narrow)
        self.assertNotIn("more with --wide: ", wide)
        left_out = narrow.split("\nmore with --wide: ")[1].split("\n")[0].split(", ")
        shown = tables(wide)[-1][0]
        self.assertIn("idea", left_out)
        for heading in left_out:
            self.assertIn(heading.strip(), shown)
        for heading in "kernel", "error", "operator GDOF/s", "CG GDOF*it/s", "iterations":
            self.assertIn(heading, tables(narrow)[-1][0])

    def test_columns_of_nothing_are_left_out(self):
        if ON_DEVICE:
            self.skipTest("all columns have values")
        arguments = ["streaming", "--bs", 1, "--samples", 2, "--max-bytes", "4k", "--repeat", 1]
        self.assertNotIn("order", tables(self.run_program(*arguments).output)[0][0])
        self.assertEqual(tables(self.run_program(*arguments, "--wide").output)[0][0]["order"], "-")
