# SPDX-License-Identifier: BSD-3-Clause
"""scripts/scaling: its model by hand, and its tables of two ranks."""

import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import unittest

from command import HIGH_ORDER, ORDERS, PROGRAM
from on_ranks import MPIEXEC, needs_ranks

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "scaling"


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

    def test_the_lowest_order_distributed_has_the_messages_of_its_levels(self):
        model = scaling.Iteration(fixed=0, per_element=0, lowest=1e-8, sums=0, exchanges=0, word=8, order=3, components=1,
                                  least_saved=0)
        self.assertAlmostEqual(scaling.predict(model, self.network, 4096, 1), 4096e-8, 12)
        # 64 elements of each of 64 ranks: 22 exchanges of the 6 (4 + 1)^2 nodes of a cube's surface, in single precision, with 26
        # neighbours; the next level, of 205 unknowns, takes a sum over 2^6 ranks, measured over 2^2
        by_hand = 64e-8 + 22 * (26e-6 + 150 * 4 / 1e9) + 3 * 2e-6
        self.assertAlmostEqual(scaling.predict(model, self.network, 4096, 64), by_hand, 12)
        three = scaling.predict(model._replace(components=3), self.network, 4096, 64)
        self.assertAlmostEqual(three, 3 * by_hand - 2 * 64e-8, 12)
        # 4000 elements of each: the second level of 12800 unknowns, visited twice, exchanges too
        nodes = 6 * (4000 ** (1 / 3) + 1) ** 2
        by_hand = 4000e-8 + 22 * (26e-6 + nodes * 4 / 1e9) + 2 * 22 * 26e-6 + 3 * 2e-6
        self.assertAlmostEqual(scaling.predict(model, self.network, 256000, 64), by_hand, 12)
        self.assertEqual(scaling.predict(model._replace(lowest=0), self.network, 4096, 64), 0)

    def test_the_lowest_order_is_distributed_where_the_program_does_it(self):
        model = scaling.Iteration(fixed=0, per_element=0, lowest=1e-8, sums=0, exchanges=0, word=8, order=3, components=1)
        for backend, way, elements, ranks, distributed in (
            ("Serial", None, 64000, 2, False),
            ("Serial", "auto", 64001, 2, True),
            ("OpenMP", None, 32001, 3, True),
            ("Serial", None, 8000, 100, False),
            ("Cuda", None, 256000, 2, False),
            ("Cuda", None, 256001, 2, True),
            ("Serial", "redundant", 10**6, 8, False),
            ("Serial", "distributed", 8, 2, True),
            ("Serial", "distributed", 8, 1, False),
        ):
            least = scaling.least_saved({"kokkos": {"backends": [backend, "Serial"]}}, way)
            self.assertEqual(scaling.is_distributed(model._replace(least_saved=least), elements, ranks), distributed,
                             (backend, way, elements, ranks))

    def test_models_of_p_multigrid_know_whether_ranks_distribute(self):
        case = {"elements": 8, "cg": "classic", "precision": "double", "order": 2, "components": 1}
        result = {"operator_applications": 6, "iterations": 2, "preconditioner": {"level_s": [3, 2, 1]}}
        one = {"kokkos": {"backends": ["Serial"]}, "case": case, "result": result,
               "timing": {"cg_iteration_s": {"median": 9}}}
        small = {**one, "case": {**case, "elements": 4}, "timing": {"cg_iteration_s": {"median": 5}}}
        model = scaling.make_model(one, small)
        self.assertEqual((model.fixed, model.per_element, model.lowest, model.exchanges), (1, 0.875, 0.125, 4))
        self.assertEqual((model.least_saved, model.replicated), (64e3, 4000))
        self.assertEqual(scaling.make_model(one, small, "distributed").least_saved, 0)
        one["result"] = small["result"] = {"operator_applications": 2, "iterations": 2}
        self.assertEqual(scaling.make_model(one, small, "distributed").least_saved, float("inf"))

    def test_options_of_several_ranks_are_taken_out(self):
        for words in ["--lowest-order", "distributed"], ["--lowest-order=distributed"]:
            self.assertEqual(scaling.take_out(["--bp", "3.0", *words, "--order", "2"], "--lowest-order"),
                             (["--bp", "3.0", "--order", "2"], "distributed"))
        self.assertEqual(scaling.take_out(["--order", "2"], "--lowest-order"), (["--order", "2"], None))

    def test_smaller_boxes_replace_the_given_one(self):
        for words in [["--elements", "64"], ["--cells", "4x5x1"], ["--cells=4x5x1"]]:
            self.assertEqual(scaling.smaller(["--bp", "3.0", *words, "--order", "2"], [4, 5, 1]),
                             ["--bp", "3.0", "--order", "2", "--cells", "2x2x2"])


@needs_ranks
class Tables(unittest.TestCase):
    def start(self, *words):
        return subprocess.run([sys.executable, "-B", str(SCRIPT), "--program", PROGRAM, *map(str, words)], capture_output=True, text=True)

    def test_two_ranks(self):
        done = self.start("--ranks", "1,2", "--extrapolate", 64, "--launcher", MPIEXEC + " -n {ranks}", "--", "--order", ORDERS[0],
                          "--cells", 4, "--repeat", 1, "--preconditioner", "jacobi", "--partition", "linear", "--halo=host")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.strip("| ").split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")]
        strong, weak = ([row for row in rows if row[:2] == ["2", elements]] for elements in ("64", "128"))
        self.assertEqual((len(strong), len(weak)), (1, 1), done.stdout)
        self.assertEqual([row[1] for row in rows if row[0] == "64"], ["64", "4.1e+03"])

    @unittest.skipUnless(HIGH_ORDER, "needs an order with lower ones")
    def test_the_lowest_order_distributed_on_two_ranks(self):
        done = self.start("--ranks", "1,2", "--launcher", MPIEXEC + " -n {ranks}", "--", "--order", HIGH_ORDER, "--cells", 4,
                          "--repeat", 1, "--preconditioner", "p-multigrid", "--lowest-order", "distributed")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("on the lowest order, which several ranks distribute\n", done.stdout)

    def test_bad_words_are_refused(self):
        for words, says in ((["--ranks", "0,2"], "0,2: accepted are whole numbers from 1 on"), (["--", "--weak"], "--weak is set by this script"),
                            (["--", "--order", 99], "--order 99")):
            done = self.start(*words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(says, done.stderr)
