# SPDX-License-Identifier: BSD-3-Clause
"""--plot: pictures of a run, and what is told where they cannot be drawn. With a folder in front of PATH whose python3
is the test's own, with a matplotlib or without."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from command import ORDERS, PROGRAM

SMALL = ["--order", str(ORDERS[0]), "--elements", "8", "--no-solve", "--repeat", "1"]


def find_python():
    """One that has matplotlib, or None."""
    for python in sys.executable, "/usr/bin/python3":
        if subprocess.run([python, "-c", "import matplotlib"], capture_output=True).returncode == 0:
            return python
    return None


PYTHON = find_python()


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        (self.path / "bin").mkdir()
        (self.path / "tmp").mkdir()

    def python_is(self, script):
        """python3 of the run."""
        file = self.path / "bin" / "python3"
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def start(self, *words, tmp="tmp"):
        environment = os.environ | {"PATH": f"{self.path / 'bin'}:{os.environ['PATH']}", "TMPDIR": str(self.path / tmp)}
        return subprocess.run([PROGRAM, *words], cwd=self.path, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)

    def kept(self):
        return sorted((self.path / "tmp").glob("miniapp-*"))


@unittest.skipUnless(PYTHON, "no Python with matplotlib")
class Pictures(Run):
    def setUp(self):
        super().setUp()
        self.python_is(f'exec "{PYTHON}" "$@"')

    def test_a_run_draws_its_own_records_alone(self):
        old = {"schema": 1, "module": "info"}
        (self.path / "record.json").write_text(json.dumps(old) + "\n")
        done = self.start(*SMALL, "--json", "record.json", "--plot", "a.svg")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.endswith("\na.svg\n"), done.stdout)
        self.assertIn("BP3.0, 8 elements", (self.path / "a.svg").read_text())
        self.assertEqual(self.kept(), [])

    def test_several_pictures_have_their_names_added(self):
        done = self.start("indirect", "--elements", "300", "--kernel", "owner", "--block-size", "32,64", "--layout",
                          "all", "--repeat", "1", "--plot", "a.png")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(
            sorted(path.name for path in self.path.glob("*.png")), ["a-airfoil-speedup.png", "a-airfoil.png"]
        )

    def test_a_run_replaces_a_picture_and_nothing_else(self):
        (self.path / "a.svg").write_text("<?xml an old picture")
        (self.path / "b.svg").write_text("a text")
        self.assertEqual(self.start(*SMALL, "--plot", "a.svg").returncode, 0)
        self.assertIn("</svg>", (self.path / "a.svg").read_text())
        done = self.start(*SMALL, "--plot", "b.svg")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--plot b.svg: holds something else, which stays; accepted is a new file or a picture",
                      done.stderr)

    def test_further_pictures_replace_pictures_and_nothing_else(self):
        several = ["indirect", "--elements", "300", "--kernel", "owner", "--block-size", "32,64", "--layout", "all",
                   "--repeat", "1", "--plot", "a.svg"]
        (self.path / "a-airfoil.svg").write_text("a text")
        done = self.start(*several)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--plot a-airfoil.svg: holds something else, which stays; accepted is a new file or a picture",
                      done.stderr)
        self.assertEqual((self.path / "a-airfoil.svg").read_text(), "a text")
        (self.path / "a-airfoil.svg").write_text("<?xml an old picture")
        self.assertEqual(self.start(*several).returncode, 0)
        self.assertIn("</svg>", (self.path / "a-airfoil.svg").read_text())

    def test_records_with_nothing_to_draw_are_kept_and_named(self):
        done = self.start("solver", "--unknowns", "1k", "--max-iterations", "1", "--repeat", "1", "--plot", "a.svg")
        (records,) = self.kept()
        self.assertEqual(done.returncode, 1)
        self.assertIn("--plot a.svg: ", done.stderr)
        self.assertIn(f"; the records are in {records}\n", done.stderr)
        self.assertEqual(json.loads(records.read_text())["module"], "solver")

    def test_compare_draws_its_ratios(self):
        for file, seconds in (("old.json", 1.0), ("new.json", 3.0)):
            sample = {"min": seconds, "median": seconds, "max": seconds, "repetitions": 5}
            record = {"schema": 1, "module": "tensor", "case": {"kernel": "lanes"}, "timing": {"kernel_s": sample}}
            (self.path / file).write_text(json.dumps(record) + "\n")
        done = self.start("compare", "old.json", "new.json", "--plot", "a.svg")
        self.assertEqual(done.returncode, 1)
        self.assertIn("takes 3 times as long", done.stderr)
        picture = (self.path / "a.svg").read_text()
        for text in ("new.json against old.json", "kernel_s", "slower", ">3</text>"):
            self.assertIn(text, picture)


class Refusals(Run):
    def assert_refused(self, done, *says):
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)

    def test_other_formats_and_places_are_refused(self):
        self.assert_refused(self.start(*SMALL, "--plot", "a.jpg"),
                            "--plot a.jpg: no format of pictures; accepted is a file that ends with .svg, .png or .pdf")
        self.assert_refused(self.start(*SMALL, "--plot", "none/a.svg"), "--plot none/a.svg: cannot be written")

    def test_runs_with_nothing_to_draw_are_refused_before_any_work(self):
        for words in (["--bs", "0"], ["--bs", "1", "--samples", "1"], ["--bs", "6", "--cells", "3", "--order", "1"]):
            self.assert_refused(self.start("streaming", *words, "--plot", "a.svg"),
                                "--plot a.svg: draws lines over sizes, and nothing here has two; accepted are BS1 to BS8")
        self.assert_refused(self.start("solver", "--unknowns", "100", "--no-solve", "--plot", "a.svg"),
                            "--plot a.svg: draws solves, or times of two sizes; accepted are several --unknowns, or no")

    def test_a_python_without_matplotlib_is_refused_before_any_work(self):
        self.python_is(
            'echo a warning >&2; echo "scripts/plot: matplotlib is missing from here; accepted is one" >&2; exit 2'
        )
        self.assert_refused(self.start(*SMALL, "--plot", "a.svg"),
                            "--plot a.svg: matplotlib is missing from here; accepted")

    def test_a_missing_python_is_refused_before_any_work(self):
        done = subprocess.run([PROGRAM, *SMALL, "--plot", "a.svg"], cwd=self.path,
                              env={**os.environ, "PATH": str(self.path / "bin")}, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assert_refused(done, "--plot a.svg: python3, which draws, is not found")

    def test_results_are_kept_where_drawing_fails(self):
        self.python_is('[ "$2" = --check ] && exit 0; echo broken >&2; exit 3')
        done = self.start(*SMALL, "--plot", "a.svg")
        (records,) = self.kept()
        self.assertEqual((done.returncode, done.stderr),
                         (1, f"miniapp: --plot a.svg: broken; the records are in {records}\n"))
        self.assertIn("BP3.0", done.stdout)
        self.assertEqual(json.loads(records.read_text())["case"]["elements"], 8)

    def test_a_script_that_a_signal_ends_is_told(self):
        self.python_is('[ "$2" = --check ] && exit 0; kill -9 $$')
        self.assertIn("--plot a.svg: the script ended with exit code 137", self.start(*SMALL, "--plot", "a.svg").stderr)
