# SPDX-License-Identifier: BSD-3-Clause
"""scripts/instructions: what it reads of callgrind's file, and when it fails. Its valgrind and its program are scripts here."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from fake import ROOT

CALLGRIND = """events: Ir
fn=main
1 5
cfn=Kernel::apply(int)
calls=2 7
3 600
cfn=other()
calls=1 9
4 1000000
fn=solve()
cfn=Kernel::apply(int)
calls=1 7
8 {last}
"""


class Instructions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in ("scripts", "test", "bin"):
            (self.folder / name).mkdir()
        shutil.copy(ROOT / "scripts/instructions", self.folder / "scripts")
        self.command("program", "printf '  compiler      GNU 1, -O1\\n                -march=x\\n  Kokkos 1\\n'")
        self.table("GNU 1, -O1 -march=x", "Kernel::apply\\(", 300)

    def command(self, name, says):
        file = self.folder / "bin" / name
        file.write_text(f"#!/bin/sh\n{says}\n")
        file.chmod(0o755)

    def table(self, compiler, function, count):
        (self.folder / "test/instructions.txt").write_text(f"{compiler}\n--order 2 | {function} | {count}\n")

    def run_script(self, last, *words):
        """With a file of callgrind whose last call cost so much."""
        (self.folder / "callgrind").write_text(CALLGRIND.format(last=last))
        self.command("valgrind", f"for w; do case $w in --callgrind-out-file=*) cp {self.folder}/callgrind ${{w#*=}};; esac; done")
        path = f"{self.folder}/bin:{os.environ['PATH']}"
        return subprocess.run([self.folder / "scripts/instructions", self.folder / "bin/program", *words], capture_output=True,
                              text=True, env={**os.environ, "PATH": path})

    def test_the_mean_over_all_calls_is_compared_within_three_per_cent(self):
        for last, code, verdict in ((300, 0, "the same"), (325, 0, "the same"), (330, 1, "MORE"), (200, 0, "fewer: write them")):
            done = self.run_script(last)
            self.assertEqual(done.returncode, code, done)
            self.assertIn(f"{(600 + last) / 3:.0f} instructions, ", done.stdout)
            self.assertIn(f": {verdict} ", done.stdout)
        self.assertIn("1 of 1 cases take more instructions", self.run_script(330).stderr)

    def test_counts_of_another_compiler_are_not_compared(self):
        self.table("GNU 2, -O1", "Kernel::apply\\(", 1)
        done = self.run_script(300)
        self.assertEqual((done.returncode, done.stdout), (0, "SKIPPED: counts are of GNU 2, -O1, this program is of GNU 1, -O1 -march=x\n"))

    def test_counts_are_written_with_their_compiler(self):
        self.assertEqual(self.run_script(330, "--write").returncode, 0)
        self.assertEqual((self.folder / "test/instructions.txt").read_text(),
                         "GNU 1, -O1 -march=x\n--order 2 | Kernel::apply\\( | 310\n")

    def test_a_function_that_is_not_called_is_an_error(self):
        self.table("GNU 1, -O1 -march=x", "Gone::apply", 1)
        done = self.run_script(300)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no call of Gone::apply", done.stderr)

    def test_the_table_of_the_project_has_five_cases(self):
        head, *rows = (ROOT / "test/instructions.txt").read_text().splitlines()
        self.assertRegex(head, r"^Clang [\d.]+, Release .* -march=haswell")
        self.assertEqual(len(rows), 5)
        for row in rows:
            command, function, count = row.split(" | ")
            re.compile(function)
            self.assertIn("--repeat 1", command)
            self.assertGreater(int(count), 100000)


if __name__ == "__main__":
    unittest.main()
