# SPDX-License-Identifier: BSD-3-Clause
"""Indirect loops: panels over block sizes, speed-ups."""
import unittest

from drawing import figures, labels, record, samples, spreads, texts


def loop(strategy, reorder, gbytes, block_size=None, low=1, high=1, copy_gbytes=9):
    case = {
        "loop": "airfoil", "strategy": strategy, "reorder": reorder, "layout": "aos", "size": 9, "mesh": "generated",
        "shuffled": False, "staging": "all", "block_size": block_size,
    }
    return record("indirect", case, rates={"kernel_gbytes": gbytes}, timing={"kernel_s": samples(1, low, high)},
                  roofs={"copy_gbytes": copy_gbytes})


def records(**roof):
    return [loop("owner", "none", 4, 32, **roof), loop("owner", "none", 6, 64, low=0.5, high=2, **roof),
            loop("global", "rcm", 3, **roof), loop("global", "none", 2, low=0.8, high=1.25, **roof)]


class Sizes(unittest.TestCase):
    def test_each_order_has_its_panel_and_all_the_copy_roof(self):
        none, rcm = figures(records())["airfoil"].axes
        self.assertEqual([axes.get_title(loc="left") for axes in (none, rcm)], ["reorder none", "reorder rcm"])
        lines = [sorted(map(list, (line.get_ydata() for line in axes.lines if line.get_label() != "_copy roof")))
                 for axes in (none, rcm)]
        self.assertEqual(lines, [[[2, 2], [4, 6]], [[3, 3]]])
        for axes in none, rcm:
            (roof,) = [line for line in axes.lines if line.get_label() == "_copy roof"]
            self.assertEqual(set(roof.get_ydata()), {9})
        self.assertGreater(none.get_ylim()[1], 9)
        self.assertEqual(spreads(none), [(64, 1.6, 2.5), (64, 3, 12)])
        self.assertIn("copy roof", labels(rcm))

    def test_a_roof_far_above_makes_the_scale_logarithmic(self):
        near, far = (figures(records(copy_gbytes=roof))["airfoil"].axes[0] for roof in (9, 99))
        self.assertEqual((near.get_yscale(), far.get_yscale()), ("linear", "log"))
        self.assertGreater(far.get_ylim()[1], 99)


class SpeedUps(unittest.TestCase):
    def test_bars_are_over_global_colouring_and_say_which_block_size_was_best(self):
        (axes,) = figures(records())["airfoil-speedup"].axes
        self.assertEqual([bar.get_width() for bar in axes.patches], [1, 1.5, 3])
        names = [text.get_text() for text in axes.get_yticklabels()]
        self.assertEqual(names, ["global, none, aos", "global, rcm, aos", "owner, none, aos, blocks of 64"])
        self.assertEqual(texts(axes.get_figure())[:3], ["1.00", "1.50", "3.00"])

    def test_spreads_and_bounds_are_marked(self):
        (axes,) = figures(records())["airfoil-speedup"].axes
        ends = sorted(bar.get_segments()[0][1][0] for bar in axes.collections)
        self.assertEqual(ends, [1.25, 6])
        self.assertNotIn("bound; number:\nrate, % of the bound", [line.get_label() for line in axes.lines])
        with_bound = records()
        for record in with_bound:
            record["roofs"]["fraction_of_bound"] = 0.25
        (axes,) = figures(with_bound)["airfoil-speedup"].axes
        marks = next(line for line in axes.lines if line.get_label().startswith("bound"))
        self.assertEqual(list(marks.get_xdata()), [4, 6, 12])
        with_bound[0]["roofs"]["fraction_of_bound"] = with_bound[1]["roofs"]["fraction_of_bound"] = 0.1
        (far,) = figures(with_bound)["airfoil-speedup"].axes
        marks = next(line for line in far.lines if line.get_label().startswith("bound"))
        self.assertEqual(list(marks.get_xdata())[:2], [4, 6])
        self.assertLess(far.get_xlim()[1], 30)
        self.assertIn("3.00, 10 %", texts(far.get_figure()))
        self.assertGreater(axes.get_xlim()[1], 12)
        self.assertEqual(texts(axes.get_figure())[:3], ["1.00, 25 %", "1.50, 25 %", "3.00, 25 %"])
