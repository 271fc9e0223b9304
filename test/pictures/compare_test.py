# SPDX-License-Identifier: BSD-3-Clause
"""What miniapp compare --plot hands over."""
import unittest

from drawing import Refused, figures, texts


def row(case, change, old, new, ratio=1.5):
    ends = [dict(zip(("low", "median", "high", "file"), [*interval, file])) for interval, file in
            ((old, "a/old.json"), (new, "new.json"))]
    return {"schema": 1, "module": "compare", "case": case, "time": "kernel_s", "change": change, "ratio": ratio,
            "common": "tensor, order 7", "old": ends[0], "new": ends[1]}


ROWS = [row("rung1", "slower", (1, 2, 4), (5, 6, 8), 3), row("rung2", "same", (1, 2, 4), (2, 3, 5)),
        row("lanes", "faster", (4, 5, 8), (1, 2, 2), 0.4)]


class Compared(unittest.TestCase):
    def setUp(self):
        self.figure = figures(ROWS)["compare"]
        (self.axes,) = self.figure.axes

    def test_ratios_and_what_both_intervals_allow_are_on_a_logarithmic_scale(self):
        self.assertEqual(self.axes.get_xscale(), "log")
        bars = {float(bar[0][1]): (float(bar[0][0]), float(bar[1][0])) for lines in self.axes.collections
                for bar in lines.get_segments()}
        self.assertEqual(bars, {0: (1.25, 8), 1: (0.5, 5), 2: (0.125, 0.5)})
        ratios = {line.get_label(): list(line.get_xdata()) for line in self.axes.lines if line.get_marker() == "o"}
        self.assertEqual(ratios, {"slower": [3], "same": [1.5], "faster": [0.4]})
        self.assertEqual([text for text in texts(self.figure) if text[0].isdigit()], ["3", "1.5", "0.4"])

    def test_rows_and_title_say_what_is_compared(self):
        names = [text.get_text() for text in self.axes.get_yticklabels()]
        self.assertEqual(names, ["rung1, kernel_s", "rung2, kernel_s", "lanes, kernel_s"])
        self.assertIn("new.json against old.json", texts(self.figure))
        self.assertIn("tensor, order 7", texts(self.figure))

    def test_a_row_without_its_interval_is_refused(self):
        with self.assertRaisesRegex(Refused, "of module compare without new.low"):
            figures([row("rung1", "slower", (1, 2, 4), (None, 6, 8))])
