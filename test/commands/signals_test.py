# SPDX-License-Identifier: BSD-3-Clause
"""SIGINT and SIGTERM end the program by themselves, after the rows that are done and with whole records."""
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

from command import ORDERS, PROGRAM, Command


def rows_of(text, header):
    """Rows of the table whose header starts with this word."""
    lines = text.splitlines()
    start = [i for i, line in enumerate(lines) if line.split()[:1] == [header]]
    return [line for line in lines[start[-1] + 1:] if line.startswith("  ")] if start else []


def listen():
    """A shell's job in the background inherits that SIGINT is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Signals(Command):
    def interrupt(self, number, *arguments, records=0, seconds=120, **options):
        """Starts the program, sends the signal once there are that many records, and waits for its end."""
        path = self.folder / "record.json"
        words = [PROGRAM] + [str(argument) for argument in arguments]
        if records:
            words += ["--json", "record.json"]
        options.setdefault("preexec_fn", listen)
        with subprocess.Popen(words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, **options) as program:
            end = time.monotonic() + seconds
            while records and time.monotonic() < end and program.poll() is None:
                if path.exists() and path.read_text().count("\n") >= records:
                    break
                time.sleep(0.01)
            if not records:
                time.sleep(1)
            self.assertIsNone(program.poll(), "ended before the signal")
            program.send_signal(number)
            try:
                output, errors = program.communicate(timeout=120)
            finally:
                program.kill()
        if records:  # whole lines
            self.records = [json.loads(line) for line in path.read_text().splitlines()]
        return program.returncode, output, errors

    def test_threads_that_libraries_started_take_signals_too(self):
        compiler = shutil.which("cc")
        if compiler is None:
            self.skipTest("needs a compiler of C")
        (self.folder / "t.c").write_text(
            "#include <pthread.h>\n#include <unistd.h>\nstatic void *f(void *x) { for (;;) pause(); return x; }\n"
            "__attribute__((constructor)) static void c(void) { pthread_t t; pthread_create(&t, 0, f, 0); }\n")
        subprocess.run([compiler, "-shared", "-fPIC", "-pthread", "t.c", "-o", "t.so"], cwd=self.folder, check=True)
        for number in signal.SIGTERM, signal.SIGINT:
            (self.folder / "record.json").unlink(missing_ok=True)
            (self.folder / "r.csv").unlink(missing_ok=True)
            code, _, errors = self.interrupt(
                number, "indirect", "--loop", "airfoil", "--kernel", ",".join(["serial", "global"] * 400), "--elements", 20000,
                "--repeat", 10, "--csv", "r.csv", "--quiet", records=2,
                env={**os.environ, "LD_PRELOAD": str(self.folder / "t.so")})
            self.assertEqual(code, -number)
            self.assertIn(f"ended by {signal.Signals(number).name}, after what was done until then", errors)
            self.assertEqual(len((self.folder / "r.csv").read_text().splitlines()), 1 + len(self.records))

    def test_rows_that_are_done_are_printed(self):
        commands = [
            ("kernel", ["--sweep", "elements", "--order", ORDERS[0], "--elements", (128 // ORDERS[0]) ** 3,
                        "--repeat", 1, "--no-solve", "--quiet"]),
            ("kernel", ["indirect", "--loop", "airfoil", "--kernel", ",".join(["serial", "atomic", "global"] * 400),
                        "--elements", 20000, "--repeat", 10]),
            ("test", ["streaming", "--bs", "1..5", "--samples", 2, "--max-bytes", "200M", "--repeat", 30]),
        ]
        if ORDERS[0] <= 7:
            commands.append(("order", ["elasticity", "--order", ORDERS[0], "--repeat", 20, "--kernel",
                                       ",".join(["split", "products"] * 200)]))
        for (header, arguments), number in zip(commands, [signal.SIGINT, signal.SIGTERM] * 4):
            with self.subTest(command=arguments[0], signal=number):
                (self.folder / "record.json").unlink(missing_ok=True)
                code, output, errors = self.interrupt(number, *arguments, records=1)
                self.assertEqual(code, -number)
                self.assertEqual(len(rows_of(output, header)), len(self.records), output)
                self.assertEqual(errors, f"miniapp: ended by {number.name}, after what was done until then\n")

    def test_without_rows_only_the_signal_is_told(self):
        code, output, errors = self.interrupt(signal.SIGTERM, "streaming", "--repeat", 100000000, "--bs", 1)
        self.assertEqual((code, output, errors), (-signal.SIGTERM, "", "miniapp: ended by SIGTERM\n"))

    @unittest.skipUnless(shutil.which("timeout"), "no timeout here")
    def test_a_shell_sees_the_code_of_the_signal(self):
        for number, code in [("INT", 130), ("TERM", 143)]:
            words = ["timeout", "--preserve-status", "--foreground", "-s", number, "1", PROGRAM, "streaming", "--bs", "1",
                     "--repeat", "100000000"]
            self.assertEqual(subprocess.run(words, capture_output=True, timeout=60).returncode, code)

    def test_a_signal_that_is_ignored_stays_ignored(self):
        words = [PROGRAM, "--order", ORDERS[0], "--elements", 27, "--repeat", 1000000, "--no-solve"]
        ignore = lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)
        with subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              preexec_fn=ignore) as program:
            time.sleep(0.7)
            program.send_signal(signal.SIGINT)
            time.sleep(0.3)
            self.assertIsNone(program.poll())
            program.kill()

    def test_metis_swallows_no_signal(self):
        reorder = self.start("indirect", "--elements", 100, "--kernel", "serial", "--reorder", "metis", "--repeat", 1)
        if reorder.returncode == 2:
            self.skipTest(reorder.stderr)
        code, _, errors = self.interrupt(signal.SIGTERM, "indirect", "--elements", "200k", "--reorder", "metis",
                                         "--kernel", "owner", "--repeat", 1, "--block-size",
                                         ",".join(map(str, range(64, 512))))  # a partition each
        self.assertEqual(code, -signal.SIGTERM)
        self.assertIn("miniapp: ended by SIGTERM", errors)


if __name__ == "__main__":
    unittest.main()
