# SPDX-License-Identifier: BSD-3-Clause
"""Every option of miniapp tune changes what it says it changes, and --tuning reads what it writes."""

import re
import unittest

from command import ON_DEVICE, ORDERS, Command, accepted, tables

ORDER = ORDERS[0]
PROBLEMS = ["BP" + word for word in accepted("--bp")[:-1]]  # the last are CEED's
FASTEST = "lines" if ON_DEVICE else "lanes"


class Tune(Command):
    def lines(self, *arguments):
        """The printed table, a list of words per line."""
        output = self.run_program("tune", "--elements", 8, "--repeat", 1, *arguments).output
        return [line.split() for line in output.split("\n\n")[1].strip().split("\n")]

    def test_each_problem_and_order_has_a_line(self):
        self.assertEqual(
            [line[1:4] for line in self.lines("--order", ORDER)], [[p, "double", str(ORDER)] for p in PROBLEMS]
        )
        self.assertEqual(
            [line[1:4] for line in self.lines()], [[p, "double", str(o)] for p in PROBLEMS for o in ORDERS]
        )
        for line in self.lines("--order", ORDER):
            self.assertIn(line[4:], ([FASTEST, "computed"], [FASTEST, "stored"], ["tiles", "stored"]))

    def test_precision_is_that_of_the_lines(self):
        self.assertEqual({line[2] for line in self.lines("--order", ORDER, "--precision", "single")}, {"single"})

    def test_the_fastest_is_the_least_of_those_measured(self):
        output = self.run_program("tune", "--order", ORDER, "--elements", 27, "--repeat", 3).output
        self.assertIn(", double precision\n", output)
        scale = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
        rows = tables(output)[0]
        self.assertEqual([row["problem"] for row in rows], PROBLEMS)
        for row in rows:
            times = {
                name: float(number) * scale[unit]
                for name, number, unit in re.findall(r"(\w+, \w+) (\S+) (\w+)(?:;|$)", row["measured"])
            }
            self.assertGreaterEqual(len(times), 2)
            least = min(times.values())
            self.assertLessEqual(times[row["fastest"]], least * 1.01)  # printed with three digits
            dofs = (3 * ORDER + (1 if row["problem"] == "BP1.0" else -1)) ** 3
            self.assert_close(float(row["operator GDOF/s"]), dofs / least * 1e-9, 0.02)

    def test_elements_are_those_asked_for(self):
        for n in 27, 64:
            rows = tables(self.run_program("tune", "--order", ORDER, "--elements", n, "--repeat", 1).output)[0]
            self.assertEqual([row["elements"] for row in rows], [str(n)] * len(PROBLEMS))

    @unittest.skipIf(ON_DEVICE or not any(order > 7 for order in ORDERS), "of high orders, on hosts")
    def test_high_orders_have_fewer_elements_unless_they_are_asked_for(self):
        order = next(order for order in ORDERS if order > 7)
        rows = tables(self.run_program("tune", "--order", order, "--repeat", 1).output)[0]
        self.assertEqual({row["elements"] for row in rows}, {str(round(16 * 7 / order) ** 3)})

    def test_output_is_added_to_a_file_that_tuning_reads(self):
        for n in 1, 2:
            output = self.run_program("tune", "--order", ORDER, "--elements", 8, "--repeat", 1, "--tune",
                                      "t.txt").output
            lines = (self.folder / "t.txt").read_text().strip().split("\n")
            self.assertEqual(len(lines), 3 * n)
            self.assertNotIn(lines[0], output)
        last = [line.split() for line in lines[3:]]
        for device, problem, _, _, kernel, geometry in last:
            case = self.record_of("--bp", problem[2:], "--order", ORDER, "--elements", 27, "--tuning", "t.txt",
                                  "--verify-only")["case"]
            self.assertEqual((case["kernel"], case["geometry"]), (kernel, geometry))
