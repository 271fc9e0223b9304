# SPDX-License-Identifier: BSD-3-Clause
"""run.py finds in each case of wrong.txt, with a shell as the program, just what the case is called after."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent


def run(*arguments):
    environment = os.environ | {"MINIAPP_PROGRAM": "/bin/sh", "MINIAPP_ORDERS": "1"}
    return subprocess.run([sys.executable, "-B", HERE / "run.py", HERE / "wrong.txt", *arguments], env=environment,
                          capture_output=True, text=True)


class Driver(unittest.TestCase):
    def test_each_wrong_case_is_found_and_said(self):
        done = run()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        verdicts = re.findall(r"^(right|wrong): (.*)\n((?:  [^>|].*\n)*)", done.stdout, re.MULTILINE)
        self.assertGreater(len(verdicts), 30, done.stdout)
        for verdict, name, found in verdicts:
            with self.subTest(name):
                self.assertEqual(verdict == "right", re.match("(refused: )?right", name) is not None)
                self.assertEqual(found.count("\n"), verdict == "wrong", found)
                self.assertTrue(verdict == "right" or found.strip().startswith(name.split(": ")[0]), found)

    def test_a_run_of_right_cases_passes_and_one_of_none_does_not(self):
        self.assertEqual(run("--only", "right").returncode, 0)
        self.assertEqual(run("--only", "no such case").returncode, 1)

    def test_the_first_failure_ends_the_run_where_asked_to(self):
        self.assertEqual(run("-f").stdout.count("wrong: "), 1)
