# SPDX-License-Identifier: BSD-3-Clause
"""Rows of a table are printed as they finish, through a pipe too, and stay where the program ends before its time."""

import os
import re
import resource
import signal
import subprocess

from command import ORDERS, PROGRAM, Command, tables

ORDER = ORDERS[0]
# of each command a run of many rows, and the first word of their headings
RUNS = {
    "the main job": ("kernel", 5, ["--sweep", "elements", "--order", ORDER, "--elements", (64 // ORDER) ** 3,
                                   "--repeat", 20, "--no-solve"]),
    "streaming": ("test", 5, ["streaming", "--bs", "1..5", "--samples", 2, "--max-bytes", "200M", "--repeat", 20]),
    "indirect": ("kernel", 400, ["indirect", "--elements", 20000, "--repeat", 50, "--kernel",
                                   ",".join(["atomic", "global"] * 200)]),
    "solver": ("matrix", 400, ["solver", "--unknowns", ",".join(["10k"] * 400), "--repeat", 5]),
    "weakform": ("kernel", 200, ["weakform", "--elements", 20000, "--repeat", 50, "--kernel",
                                   ",".join(["cells"] * 200)]),
    "weakform, solved": ("kernel", 200, ["weakform", "--elements", 20000, "--solve", "--kernel",
                                           ",".join(["cells"] * 200)]),
    "tune": ("problem", 3 * len(ORDERS), ["tune", "--elements", 1000, "--repeat", 100]),
}
if ORDER <= 7:
    methods = ",".join(["split", "products"] * 100)
    RUNS["elasticity"] = ("order", 200, ["elasticity", "--order", ORDER, "--repeat", 20, "--kernel", methods])
    RUNS["cantilevers"] = ("order", 200, ["elasticity", "--solve", "--order", ORDER, "--cells", "30x4x4", "--kernel",
                                          methods])


def listen():
    """A shell's job in the background inherits that SIGINT is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class LiveRows(Command):
    def start_reading(self, arguments):
        words = [PROGRAM, *map(str, arguments), "--json", "record.json"]
        return subprocess.Popen(words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, preexec_fn=listen)

    def read_first_row(self, program, heading):
        """Lines up to the first row of the table whose headings begin with this word."""
        lines = []
        for line in program.stdout:
            lines.append(line)
            if len(lines) > 1 and lines[-2].split()[:1] == [heading] and lines[-2].startswith("  "):
                return lines
        self.fail("no row in " + "".join(lines) + program.stderr.read())

    def records_so_far(self):
        return (self.folder / "record.json").read_text().count("\n")

    def test_the_first_row_is_there_before_the_second_is_measured(self):
        for name, (heading, rows, arguments) in RUNS.items():
            with self.subTest(command=name):
                (self.folder / "record.json").unlink(missing_ok=True)
                with self.start_reading(arguments) as program:
                    try:
                        first = self.read_first_row(program, heading)
                        done = self.records_so_far()
                        self.assertIsNone(program.poll(), "ended before its first row was read")
                        program.send_signal(signal.SIGINT)
                        rest = program.stdout.read()
                    finally:
                        program.kill()
                self.assertLess(done, rows)
                self.assertEqual(program.returncode, -signal.SIGINT)
                # what was printed stays as it was: one row per record, in line with the headings
                table = re.split(r"\n(?=\S|\n)", first[-1] + rest)[0].strip("\n").split("\n")
                self.assertEqual(len(table), self.records_so_far(), first[-1] + rest)
                self.assertEqual({len(line) for line in table} | {len(first[-2]) - 1}, {len(first[-2]) - 1}, rest)

    def test_rows_and_progress_share_a_terminal(self):
        arguments = ["indirect", "--elements", 2000, "--repeat", 3, "--kernel", "atomic,global,staged,atomic,global,staged"]
        shown = self.on_terminal("both", *arguments, "--json", "record.json", env={**os.environ, "TERM": "dumb"})
        self.assertIn("2 of 6: airfoil: global, none; ", shown)
        lines = []
        for line in shown.split("\r\n"):  # what is seen of it: a carriage return goes back, what follows covers what was
            seen = ""
            for part in line.split("\r"):
                seen = part + seen[len(part):]
            lines.append(seen.rstrip())
        self.assertNotIn("so far", "\n".join(lines))
        rows = tables("\n".join(lines))[0]
        self.assertEqual([row["kernel"] for row in rows], ["atomic", "global", "staged"] * 2)

    def test_a_long_run_says_each_second_what_it_does(self):
        # at least a millisecond per repetition
        long = ["--order", ORDER, "--elements", 27, "--no-solve", "--repeat", 2500]
        shown = self.progress_of(*long)
        what = rf"1 of 1: order {ORDER}, 27 elements, [^\r]*: timing; (\d+) s so far"
        times = [int(time) for time in re.findall(what, shown)]
        self.assertGreater(len(times), 1, shown)
        self.assertGreater(times[-1], times[0])
        lines = [line.strip() for line in self.progress_of(*long[:-1], 1200, columns=50).split("\r")]
        self.assertLess(max(map(len, lines)), 50, lines)
        self.assertTrue(any(line.startswith(f"1 of 1: order {ORDER}") and line.endswith(" s so far") for line in lines))

    def test_rows_stay_where_a_command_fails(self):
        solver = ["solver", "--unknowns", "100,200,300", "--repeat", 1]
        self.records_of(*solver)
        of_one = (self.folder / "record.json").stat().st_size // 3

        def limit():  # the second record does not fit the file
            resource.setrlimit(resource.RLIMIT_FSIZE, (3 * of_one // 2, 3 * of_one // 2))

        done = self.run_program(*solver, "--json", "other.json", code=1, preexec_fn=limit)
        self.assertIn("other.json", done.errors)
        self.assertEqual([row["unknowns"] for row in tables(done.output)[0]], ["100"])
