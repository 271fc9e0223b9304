# SPDX-License-Identifier: BSD-3-Clause
"""Runs of the program by mpirun. Tests of ranks derive from OnRanks. On GPUs there are at most as many ranks as devices:
ranks that share one wait for each other in kernels that take turns."""

import functools
import itertools
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

from command import ON_DEVICE, PROGRAM, Command

MPIEXEC = os.environ.get("MINIAPP_MPIEXEC", "")


@functools.cache
def info():
    """The record of miniapp info; None where it fails, as without a device."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "info.json")
        subprocess.run([PROGRAM, "info", "--json", path], stdout=subprocess.DEVNULL, check=not ON_DEVICE, timeout=60)
        return json.loads(path.read_text()) if path.exists() else None


def has_hypre():
    """Whether the program has multigrid over ranks."""
    return info()["libraries"]["hypre"] is not None


def most_ranks():
    """As many as a test may start."""
    if not MPIEXEC:
        return 1
    return math.inf if not ON_DEVICE else len(info()["result"]["devices"]) if info() else 0


MOST = most_ranks()
needs_ranks = unittest.skipUnless(MOST > 1, f"two ranks need MPI and, on GPUs, two of them: this machine takes {MOST}")


def up_to(*counts):
    """These numbers of ranks, larger ones replaced by the most that there may be, each once."""
    return list(dict.fromkeys(max(1, min(ranks, MOST)) for ranks in counts))


FEW, = up_to(3)
COUNTS = itertools.cycle(up_to(3, 2, 7, 4))  # of ranks: each of several cases takes the next one
HALOS = ("peer", "device", "host") if ON_DEVICE else ("host",)  # what auto may choose
THROUGH_PEERS = "from GPU to GPU" if ON_DEVICE else "through shared memory"


@needs_ranks
class OnRanks(Command):
    def launcher(self, ranks):
        """The words before those of the job's parts."""
        return [MPIEXEC]

    def launch(self, *parts, timeout=120, env=None):
        """mpirun with parts (ranks, folder, arguments) of one job."""
        ranks = sum(part[0] for part in parts)
        if ranks > MOST:
            self.skipTest(f"{ranks} ranks need as many GPUs: there are {MOST}")
        words = self.launcher(ranks)
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
