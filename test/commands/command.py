# SPDX-License-Identifier: BSD-3-Clause
"""Runs the program for tests that look at values: what a command computed, recorded and left behind.

A file <topic>_test.py beside this one holds unittest.TestCase classes that derive from Command; ctest runs each file as
commands/<topic>, with the program's path in MINIAPP_PROGRAM and the orders that were built in MINIAPP_ORDERS ("1;2;7").
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["MINIAPP_PROGRAM"]
ORDERS = [int(order) for order in os.environ["MINIAPP_ORDERS"].split(";")]
ON_DEVICE = os.environ.get("MINIAPP_DEVICE_BUILD", "OFF") == "ON"


class Outcome:
    """Exit code, what was printed, and the records that --json record.json left (None where there is no such file)."""

    def __init__(self, code, output, errors, records):
        self.code, self.output, self.errors, self.records = code, output, errors, records

    @property
    def record(self):
        """The only record."""
        assert self.records is not None and len(self.records) == 1, f"not one record: {self.records}"
        return self.records[0]


class Command(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="miniapp-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def start(self, *arguments, timeout=120, **options):
        """One run in self.folder, as subprocess.run returns it. Arguments are words or numbers."""
        words = [PROGRAM] + [str(argument) for argument in arguments]
        return subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=timeout, **options)

    def run_program(self, *arguments, code=0, **options):
        """Runs the program, checks its exit code and reads record.json. A failure is one line on stderr that starts with
        the program's name; bad input (code 2) prints nothing else."""
        path = self.folder / "record.json"
        path.unlink(missing_ok=True)
        done = self.start(*arguments, **options)
        said = f"miniapp {' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}"
        self.assertEqual(done.returncode, code, said)
        if code == 0:
            self.assertEqual(done.stderr, "", said)
        else:
            self.assertRegex(done.stderr, r"\Aminiapp: [^\n]+\n\Z", said)
        if code == 2:
            self.assertEqual(done.stdout, "", said)
        records = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else None
        return Outcome(done.returncode, done.stdout, done.stderr, records)

    def record_of(self, *arguments, code=0, **options):
        """The only record of a run with --json."""
        return self.run_program(*arguments, "--json", "record.json", code=code, **options).record

    def assert_refused(self, *arguments, says, **options):
        """Exit code 2, one line that holds every word of `says`, nothing printed, no record left."""
        outcome = self.run_program(*arguments, code=2, **options)
        for word in [says] if isinstance(says, str) else says:
            self.assertIn(word, outcome.errors)
        self.assertIsNone(outcome.records)
        return outcome


