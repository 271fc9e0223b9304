# SPDX-License-Identifier: BSD-3-Clause
"""Runs the program for tests that look at values: what a command computed, recorded and left behind.

A file <topic>_test.py beside this one holds unittest.TestCase classes that derive from Command; ctest runs each file as
commands/<topic>, with the program's path in MINIAPP_PROGRAM and the orders that were built in MINIAPP_ORDERS ("1;2;7").
"""

import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import tempfile
import termios
import unittest

PROGRAM = os.environ["MINIAPP_PROGRAM"]
ORDERS = [int(order) for order in os.environ["MINIAPP_ORDERS"].split(";")]
HIGH_ORDER = next((order for order in ORDERS if order > 1), None)  # the lowest that has lower ones: p-multigrid
ON_DEVICE = os.environ.get("MINIAPP_DEVICE_BUILD", "OFF") == "ON"
ONE_THREAD = os.environ.get("MINIAPP_BACKEND") == "SERIAL"


def accepted(*words):
    """The words of the option that comes last, as the program names them when it refuses another one."""
    said = subprocess.run([PROGRAM, *words, "?"], capture_output=True, text=True).stderr
    return [word for word in said.strip().split("; accepted are ")[1].split(", ") if word not in ("auto", "all")]


def seconds(value):
    """A time as pages print it."""
    return _scaled(value, [(1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")])


def amount(value):
    """Bytes as pages print them."""
    return _scaled(value, [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B")])


def _scaled(value, units):
    unit, name = next(((u, n) for u, n in units[:-1] if value >= 0.9995 * u), units[-1])
    return f"{value / unit:.3g} {name}" if value / unit < 999.5 else f"{value / unit:.0f} {name}"


def tables(text):
    """The tables of a page, each a list of rows {column: cell}: runs of lines of equal length whose columns are two
    spaces apart at least."""
    found, lines = [], []
    for line in text.split("\n") + [""]:
        if line.startswith("  ") and (not lines or len(line) == len(lines[0])):
            lines.append(line)
            continue
        if len(lines) > 1:
            rows = [re.split(r"\s{2,}", row.strip()) for row in lines]
            found.append([dict(zip(rows[0], row)) for row in rows[1:]])
        lines = [line] if line.startswith("  ") else []
    return found


def pages(text):
    """Blocks of named lines below a title: [(title, {name: text})]; a text that goes on below itself is one."""
    found, last = [], None
    for line in text.split("\n"):
        if last and re.match(r" {6,}\S", line):
            found[-1][1][last] += " " + line.strip()
            continue
        named = re.match(r"  (\S+(?: \S+)*) {2,}(\S.*)", line)
        last = named[1] if named and found else None
        if last:
            found[-1][1][last] = named[2]
        elif line and not line.startswith(" "):
            found.append((line, {}))
    return [page for page in found if page[1]]


def device_of(record):
    """What pages say of the device."""
    threads, cores = record["threads"], record["cores"]
    if ON_DEVICE:
        return record["device"]
    registers = f"{record['register_bits']}-bit registers"
    if threads > cores:
        return f"{record['device']}, {threads} threads on {cores} cores, {registers}"
    return f"{record['device']}, {threads} of {cores} core{'' if cores == 1 else 's'}, {registers}"


def times_of(record):
    """The times that a record has but for those of the run as a whole, which all have."""
    whole = {"wall_s", "verification_s"}
    assert whole <= set(record["timing"]), record["timing"]
    assert 0 <= record["timing"]["verification_s"] <= record["timing"]["wall_s"], record["timing"]
    return set(record["timing"]) - whole


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
        """Runs the program, checks its exit code and reads record.json. A failure is one line on stderr that starts
        with the program's name; bad input (code 2) prints nothing else."""
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

    def records_of(self, *arguments, code=0, **options):
        """All records of a run with --json."""
        return self.run_program(*arguments, "--json", "record.json", code=code, **options).records

    def record_of(self, *arguments, code=0, **options):
        """The only record of a run with --json."""
        return self.run_program(*arguments, "--json", "record.json", code=code, **options).record

    def most_memory_of(self, *arguments):
        """Peak resident bytes of a run."""
        words = [PROGRAM] + [str(argument) for argument in arguments]
        process = subprocess.Popen(words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return 1024 * usage.ru_maxrss

    def progress_of(self, *arguments, columns=0):
        """The progress that a run shows if stderr is a terminal."""
        return self.on_terminal("stderr", *arguments, columns=columns)

    def on_terminal(self, stream, *arguments, env=None, code=0, columns=0):
        """What a run writes to stdout or stderr if that is a terminal, the other goes nowhere; `stream` "both": to one."""
        try:
            ours, terminal = pty.openpty()
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        except OSError as error:  # a container without /dev/pts
            self.skipTest(f"no terminal to be had: {error}")
        shown = b""
        try:
            words = [PROGRAM] + [str(argument) for argument in arguments]
            streams = {name: terminal if stream in (name, "both") else subprocess.DEVNULL for name in ("stdout", "stderr")}
            process = subprocess.Popen(words, cwd=self.folder, stdin=subprocess.DEVNULL, env=env, **streams)
            os.close(terminal)
            while True:
                try:
                    some = os.read(ours, 65536)
                except OSError:  # the other side is closed
                    break
                if not some:
                    break
                shown += some
            self.assertEqual(process.wait(120), code)
        finally:
            os.close(ours)
        return shown.decode(errors="replace")

    def assert_sample(self, sample, repetitions):
        """Times of so many repetitions: positive and in order."""
        self.assertEqual(sample["repetitions"], repetitions)
        self.assertGreater(sample["min"], 0)
        self.assertLessEqual(sample["min"], sample["median"])
        self.assertLessEqual(sample["median"], sample["max"])
        if repetitions == 1:
            self.assertEqual(sample["min"], sample["max"])

    def assert_bound(self, roofs, sample):
        """The bound of a time is the longest of those that rates allow: docs/conventions.md."""
        times = {"memory": roofs["least_bytes"] / roofs["memory_gbytes"] * 1e-9}
        if "multiplications" in roofs:
            times["multiplications"] = 2 * roofs["multiplications"] / roofs["fma_gflops"] * 1e-9
        self.assertEqual(roofs["bound_by"], max(times, key=times.get))
        self.assert_close(roofs["bound_s"], max(times.values()))
        self.assert_close(roofs["fraction_of_bound"], roofs["bound_s"] / sample["median"])
        self.assertLessEqual(roofs["fraction_of_bound"], 1 + 1e-12)

    def assert_close(self, value, expected, part=1e-9):
        """Checks that a value is within the fraction `part` of the expected one."""
        self.assertAlmostEqual(value, expected, delta=part * abs(expected))

    def assert_repeated(self, value, expected):
        """Compares two equal runs: identical with one thread; several add in any order, which CG amplifies. Of objects
        each value."""
        if isinstance(value, dict) and isinstance(expected, dict):
            self.assertEqual(list(value), list(expected))
            for key in value:
                self.assert_repeated(value[key], expected[key])
        elif not ONE_THREAD and isinstance(value, float) and isinstance(expected, float):
            self.assert_close(value, expected, 1e-6)
        else:
            self.assertEqual(value, expected)

    def assert_same_iterations(self, result, expected):
        """Compares iterations of one method on one problem: rounding may shift the last one, the more the longer the solve."""
        self.assertAlmostEqual(result["iterations"], expected["iterations"], delta=1 + 0.05 * expected["iterations"])

    def assert_refused(self, *arguments, says, **options):
        """Exit code 2, one line that holds every word of `says`, nothing printed, no record left."""
        outcome = self.run_program(*arguments, code=2, **options)
        for word in [says] if isinstance(says, str) else says:
            self.assertIn(word, outcome.errors)
        self.assertIsNone(outcome.records)
        return outcome
