# SPDX-License-Identifier: BSD-3-Clause
"""The picture of scripts/scaling, and what it needs."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from drawing import labels, line, samples, spreads, texts
from pictures import scaling

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"


class Scaling(unittest.TestCase):
    def test_measured_times_have_their_spread_and_the_model_its_line(self):
        strong = {"measured": {1: samples(8, 0.5, 2), 2: samples(5)}, "model": {1: 7, 2: 4, 100: 1}}
        weak = {"measured": {1: samples(8), 2: samples(9)}, "model": {}}
        figure = scaling.draw(strong, weak, 64, "BP3.0, Host")
        left, right = figure.axes
        self.assertEqual((line(left, "measured"), line(left, "model")), ({1: 8, 2: 5}, {1: 7, 2: 4, 100: 1}))
        self.assertIn((1, 4, 16), spreads(left))
        self.assertEqual((left.get_xscale(), left.get_yscale()), ("log", "log"))
        self.assertEqual(right.get_title(loc="left"), "weak: 64 elements per rank")
        self.assertNotIn("model", labels(right))
        self.assertIn("BP3.0, Host", texts(figure))


class Needs(unittest.TestCase):
    def run_without_matplotlib(self, script, *words, version=None):
        with tempfile.TemporaryDirectory() as folder:
            module = f"__version__ = {version!r}\n" if version else "raise ImportError('none')\n"
            pathlib.Path(folder, "matplotlib.py").write_text(module)
            return subprocess.run([sys.executable, SCRIPTS / script, *words], cwd=folder, capture_output=True,
                                  text=True, env=os.environ | {"PYTHONPATH": folder})

    def test_a_python_without_matplotlib_is_named_with_both_ways_to_get_it(self):
        for script, words in (("plot", ["--check"]), ("scaling", ["--plot", "a.svg"])):
            done = self.run_without_matplotlib(script, *words)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(f"matplotlib is missing from {sys.executable}; accepted is 3.6 or newer", done.stderr)
            self.assertIn(f"{sys.executable} -m pip install matplotlib, or apt-get install python3-matplotlib",
                          done.stderr)

    def test_an_old_matplotlib_is_refused_and_a_newer_is_not(self):
        self.assertIn("is 3.5.3; accepted is 3.6",
                      self.run_without_matplotlib("plot", "--check", version="3.5.3").stderr)
        self.assertEqual(self.run_without_matplotlib("plot", "--check", version="3.10.1").returncode, 0)

    def test_a_format_that_is_none_is_refused_before_any_run(self):
        done = subprocess.run([sys.executable, SCRIPTS / "scaling", "--program", "/bin/false", "--plot", "a.jpg"],
                              capture_output=True, text=True)
        self.assertIn("--plot a.jpg: unknown format", done.stderr)
