# SPDX-License-Identifier: BSD-3-Clause
"""Pages of all commands fit 120 columns, or those of a narrower terminal; --wide prints all columns."""

import os

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

    def test_pages_fit_the_80_columns_of_a_terminal(self):
        plain = {**os.environ, "TERM": "dumb"}
        pages = {**PAGES, "help": ["--help", "all"], "help of solver": ["solver", "--help", "all"]}
        for name, arguments in pages.items():
            with self.subTest(page=name):
                for line in self.on_terminal("stdout", *arguments, columns=80, env=plain).splitlines():
                    self.assertLessEqual(len(line), 80, line)
        wide, narrow = (self.on_terminal("stdout", *PAGES["all kernels"], columns=c, env=plain) for c in (200, 80))
        self.assertGreater(max(map(len, wide.splitlines())), 100)
        for text, leaves_out in [(wide, False), (narrow, True)]:  # columns that do not fit have their names below the table
            left_out = text.split("more with --wide: ")[1]
            self.assertEqual("operator GDOF/s" in left_out, leaves_out, text)

    def test_pages_fit_120_columns_that_have_names_of_their_own_and_values(self):
        pages = {**PAGES, "two orders": ["solver", "--matrix", "lor", "--order", "1,2", "--unknowns", 200, "--repeat", 2]}
        pages |= {f"{name}, verified": [*PAGES[name], "--verify-only"] for name in ("streaming", "elasticity") if name in PAGES}
        for name, arguments in pages.items():
            with self.subTest(page=name):
                page = self.run_program(*arguments).output
                self.assertLessEqual(max(map(len, page.splitlines())), 120, page)
                for table in tables(page):
                    for column in table[0]:
                        self.assertNotEqual({row.get(column) for row in table}, {"-"}, column)
                        if name.endswith(", verified"):  # where nothing was timed
                            self.assertNotEqual({row.get(column) for row in table}, {"0"}, column)
        headings = [list(table[0]) for table in tables(self.run_program(*pages["two orders"]).output)]
        for heading in headings:
            self.assertEqual(len(heading), len(set(heading)), heading)

    def test_a_sweep_says_what_its_cases_have_in_common(self):
        arguments = ["--bp", "3.5", "--elements", 64, "--sweep", "elements", "--order", ORDER, "--tolerance", 1e-14]
        done = self.run_program(*arguments, "--max-iterations", 1, "--json", "record.json", code=1)
        first, second, third = done.output.split("\n")[:3]
        least = done.records[0]["case"]["elements"]
        self.assertEqual(first, f"BP3.5, order {ORDER}; {least} to 64 hexahedra of the unit cube, deformed by 0.08")
        self.assertIn("CG, a preconditioner (by auto), tolerance 1e-14, manufactured right-hand side, ", second)
        self.assertIn(f"Kokkos {done.records[0]['kokkos']['version']}, double precision", third)
        self.assertRegex(done.errors, rf"CG of order {ORDER} on (8|64) elements with \S+, \S+ stopped at ")

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
