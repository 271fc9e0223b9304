# SPDX-License-Identifier: BSD-3-Clause
"""Weak forms: ways to compute a residual, transposed threads, Newton's method."""
import unittest

from drawing import figures, labels, line, record, samples, spreads

FORM = {"form": "poisson", "dim": 2, "elements": 100, "mesh": "generated", "reorder": "none", "shuffled": False}


def residual(strategy, seconds, low=1, high=1, **case):
    return record("weakform", {**FORM, "strategy": strategy, **case}, rates={},
                  timing={"residual_s": samples(seconds, low, high)}, roofs={"bound_s": 0.5})


def transposed(batches, gflops, low=1, high=1, reorder="none"):
    return record("weakform", {**FORM, "strategy": "transposed", "batches": batches, "blocks": 2, "reorder": reorder},
                  rates={"kernel_gflops": gflops}, timing={"residual_s": samples(5), "kernel_s": samples(1, low, high)})


class Ways(unittest.TestCase):
    def test_a_bar_per_way_under_the_bound(self):
        figure = figures([residual("owner", 4, block_size=32, reorder="rcm"), residual("cells", 1, low=0.8, high=2)])
        (axes,) = figure["poisson-residual"].axes
        self.assertEqual([bar.get_width() for bar in axes.patches], [100, 25])
        self.assertEqual(
            [text.get_text() for text in axes.get_yticklabels()], ["cells", "owner, reorder rcm, blocks of 32"]
        )
        self.assertEqual(set(line(axes, "bound; number:\nrate, % of the bound")), {200})
        self.assertEqual(axes.texts[0].get_text(), "100.0, 50 %")
        ((low, _), (high, _)) = axes.collections[0].get_segments()[0]
        self.assertEqual((low, high), (50, 125))


class Transposed(unittest.TestCase):
    def test_batches_have_their_spread(self):
        drawn = figures([transposed(1, 4, low=0.5, high=2), transposed(2, 5)])
        self.assertEqual(list(drawn), ["poisson"])
        self.assertEqual(spreads(drawn["poisson"].axes[0]), [(1, 2, 8)])
        self.assertEqual(line(drawn["poisson"].axes[0], "2 blocks"), {1: 4, 2: 5})

    def test_orders_have_lines_of_their_own(self):
        (axes,) = figures([transposed(1, 4), transposed(1, 6, reorder="rcm")])["poisson"].axes
        self.assertEqual((line(axes, "2 blocks"), line(axes, "2 blocks, reorder rcm")), ({1: 4}, {1: 6}))

    def test_one_among_other_strategies_is_a_bar(self):
        self.assertEqual(list(figures([transposed(1, 4), residual("cells", 1)])), ["poisson-residual"])
        several = [transposed(1, 4), transposed(2, 4), residual("cells", 1)]
        self.assertEqual(list(figures(several)), ["poisson", "poisson-residual"])


class Newton(unittest.TestCase):
    def test_residuals_over_steps_are_over_the_first(self):
        solved = record("weakform", {**FORM, "strategy": "cells", "preconditioner": "amg"},
                        result={"residual_norms": [4, 2, 0.04, 0]})
        (axes,) = figures([solved])["poisson-newton"].axes
        self.assertEqual(line(axes, "cells, amg"), {0: 1, 1: 0.5, 2: 0.01})
        self.assertEqual((axes.get_yscale(), labels(axes)), ("log", ["cells, amg"]))
