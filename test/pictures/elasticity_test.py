# SPDX-License-Identifier: BSD-3-Clause
"""Element matrices of prisms: times by phases, rates."""
import unittest

from drawing import figures, line, record, samples, spreads, texts

PHASES = {"preparation": 1, "allocation": 2, "transfer_in": 3, "kernel": 4, "transfer_out": 10}


def variant(name, order, paper_gflops, gflops, low=1, high=1):
    case = {
        "variant": name, "order": order, "elements": 2, "precision": "double", "output_matrices": "host", "vary": False,
    }
    return record("elasticity", case, rates={"paper_gflops": paper_gflops, "kernel_gflops": gflops},
                  timing={"kernel_s": samples(4, low, high), "phases": PHASES}, roofs={"fma_gflops": 50})


RECORDS = [variant("reg-jac", 1, 10, 10, low=0.5, high=2), variant("split", 1, 400, 20), variant("split", 2, 400, 20)]


class Times(unittest.TestCase):
    def test_bars_end_at_the_sums_of_their_parts_on_one_logarithmic_scale(self):
        figure = figures(RECORDS)["elasticity-times"]
        first, second = figure.axes
        ends = sorted((bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in first.patches)
        self.assertEqual(ends, [(0, 2), (0, 5), (0, 10), (1, 2), (1, 5), (1, 10)])
        self.assertEqual((first.get_yscale(), first.get_ylim()), ("log", second.get_ylim()))
        self.assertEqual([text for text in texts(figure) if text.endswith(" s")], ["10 s"] * 3)
        self.assertEqual(spreads(first), [(0, 1, 4)])  # of the kernel


class Rates(unittest.TestCase):
    def test_the_roof_is_over_flops_that_are_done_alone(self):
        papers, done = figures(RECORDS)["elasticity-gflops"].axes
        self.assertEqual((line(papers, "split"), line(done, "split")), ({1: 400, 2: 400}, {1: 20, 2: 20}))
        self.assertEqual(set(line(done, "FMA roof").values()), {50})
        self.assertNotIn("FMA roof", [line.get_label() for line in papers.lines])
        self.assertEqual(spreads(papers), [(1, 5, 20)])
        for axes in papers, done:
            self.assertEqual(axes.get_yscale(), "log")

    def test_each_variant_has_its_bound(self):
        records = [variant("split", order, 400, 90) for order in (1, 2)]
        for one, fraction in zip(records, (0.5, 0.25)):
            one["rates"]["done_gflops"] = 20  # beside 90 with padding
            one["roofs"]["fraction_of_bound"] = fraction
        papers, done = figures(records)["elasticity-gflops"].axes
        self.assertEqual((line(done, "split"), line(done, "_bound of split")), ({1: 20, 2: 20}, {1: 40, 2: 80}))
        self.assertNotIn("_bound of split", [line.get_label() for line in papers.lines])
