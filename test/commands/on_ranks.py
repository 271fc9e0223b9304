# SPDX-License-Identifier: BSD-3-Clause
"""Runs of the program by mpirun. Tests of ranks derive from OnRanks."""

import functools
import itertools
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from command import ON_DEVICE, PROGRAM, Command

MPIEXEC = os.environ.get("MINIAPP_MPIEXEC", "")
COUNTS = itertools.cycle((3, 2, 7, 4))  # of ranks: each of several cases takes the next one


@functools.cache
def has_hypre():
    """Whether the program has multigrid over ranks."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "info.json")
        subprocess.run([PROGRAM, "info", "--json", path], stdout=subprocess.DEVNULL, check=True, timeout=60)
        return json.loads(path.read_text())["libraries"]["hypre"] is not None


@unittest.skipUnless(MPIEXEC and not ON_DEVICE, "a build without MPI, or for a GPU")
class OnRanks(Command):
    def launch(self, *parts, timeout=120, env=None):
        """mpirun with parts (ranks, folder, arguments) of one job."""
        words = [MPIEXEC]
        for i, (ranks, folder, arguments) in enumerate(parts):
            words += [":"] * (i > 0) + ["-n", str(ranks), "-wdir", str(folder), PROGRAM, *map(str, arguments)]
        return subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=timeout, env=env)

    def all_on(self, ranks, *arguments):
        """The records of a run on so many ranks, and its page."""
        path = self.folder / "record.json"
        path.unlink(missing_ok=True)
        done = self.launch((ranks, self.folder, [*arguments, "--json", "record.json"]))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [json.loads(line) for line in path.read_text().splitlines()], done.stdout

    def on(self, ranks, *arguments):
        """The only record of a run on so many ranks, and its page."""
        records, page = self.all_on(ranks, *arguments)
        self.assertEqual(len(records), 1)
        return records[0], page

    def refused(self, code, *parts):
        """What the only line of the program says; mpirun adds lines of its own."""
        done = self.launch(*parts)
        own = [line for line in done.stderr.splitlines() if line.startswith("miniapp: ")]
        self.assertEqual(len(own), 1, done.stdout + done.stderr)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return own[0]
