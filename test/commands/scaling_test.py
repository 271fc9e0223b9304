# SPDX-License-Identifier: BSD-3-Clause
"""scripts/scaling: its model by hand, and its tables of two ranks."""

import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import unittest

from command import ON_DEVICE, ORDERS, PROGRAM

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "scaling"
MPIEXEC = os.environ.get("MINIAPP_MPIEXEC", "")


def load():
    loader = importlib.machinery.SourceFileLoader("scaling", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("scaling", loader))
    loader.exec_module(module)
    return module


scaling = load()


class Model(unittest.TestCase):
    network = scaling.Network(latency=1e-6, bandwidth=1e9, sum_s=2e-6, ranks=4)

    def test_lines_have_no_negative_coefficient(self):
        self.assertEqual(scaling.fit_line([(1, 3), (3, 7)]), (1, 2))
        a, b = scaling.fit_line([(1, 1), (2, 4)])
        self.assertEqual((a, round(b, 12)), (0, 1.8))
        self.assertEqual(scaling.fit_line([(1, 4), (2, 2)]), (3, 0))

    def test_the_network_by_its_smallest_and_largest_message(self):
        messages = [{"bytes": 1e6, "seconds": 1e-3}, {"bytes": 8, "seconds": 1e-6}]
        network = scaling.fit_network({"network": {"messages": messages, "sum_s": 3e-6}, "ranks": 2})
        self.assertEqual((network.latency, network.bandwidth, network.sum_s, network.ranks), (1e-6, 1e9, 3e-6, 2))

    def test_times_by_hand(self):
        model = scaling.Iteration(fixed=1e-5, per_element=1e-7, lowest=0, sums=1, exchanges=1, word=8, order=3, components=1)
        self.assertAlmostEqual(scaling.predict(model, self.network, 512, 1), 1e-5 + 512e-7, 12)
        # 64 ranks of 8 cubes: 6 (2 * 3 + 1)^2 = 294 nodes, 26 messages; sums over 2^6 ranks, measured over 2^2
        self.assertAlmostEqual(scaling.predict(model, self.network, 512, 64), 1e-5 + 8e-7 + 26e-6 + 294 * 8 / 1e9 + 3 * 2e-6, 12)
        # 2 ranks of 256: one message of a seventh of the surface
        nodes = 6 * (256 ** (1 / 3) * 3 + 1) ** 2 / 7
        self.assertAlmostEqual(scaling.predict(model, self.network, 512, 2), 1e-5 + 256e-7 + 1e-6 + nodes * 8 / 1e9 + 1e-6, 12)

    def test_the_lowest_order_is_on_every_rank(self):
        model = scaling.Iteration(fixed=0, per_element=0, lowest=1e-8, sums=0, exchanges=0, word=4, order=3, components=1)
        self.assertAlmostEqual(scaling.predict(model, self.network, 1000, 10), 1e-5, 12)

    def test_smaller_boxes_replace_the_given_one(self):
        for words in [["--elements", "64"], ["--cells", "4x5x1"], ["--cells=4x5x1"], ["--nx=3"]]:
            self.assertEqual(scaling.smaller(["--bp", "3.0", *words, "--order", "2"], [4, 5, 1]),
                             ["--bp", "3.0", "--order", "2", "--cells", "2x2x2"])


@unittest.skipUnless(MPIEXEC and not ON_DEVICE, "a build without MPI, or for a GPU")
class Tables(unittest.TestCase):
    def start(self, *words):
        return subprocess.run([sys.executable, "-B", str(SCRIPT), "--program", PROGRAM, *map(str, words)], capture_output=True, text=True)

    def test_two_ranks(self):
        done = self.start("--ranks", "1,2", "--extrapolate", 64, "--launcher", MPIEXEC + " -n {ranks}", "--", "--order", ORDERS[0],
                          "--cells", 4, "--repeat", 1, "--preconditioner", "jacobi")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.strip("| ").split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")]
        strong, weak = ([row for row in rows if row[:2] == ["2", elements]] for elements in ("64", "128"))
        self.assertEqual((len(strong), len(weak)), (1, 1), done.stdout)
        self.assertEqual([row[1] for row in rows if row[0] == "64"], ["64", "4.1e+03"])

    def test_bad_words_are_refused(self):
        for words, says in ((["--ranks", "0,2"], "0,2: accepted are whole numbers from 1 on"), (["--", "--weak"], "--weak is set by this script"),
                            (["--", "--order", 99], "--order 99")):
            done = self.start(*words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(says, done.stderr)
