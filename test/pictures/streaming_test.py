# SPDX-License-Identifier: BSD-3-Clause
"""Streaming operations over sizes."""
import unittest

from drawing import figures, labels, line, record, samples, spreads


def copied(times=None, **result):
    case = {"bs": 1, "name": "copy", "order": None, "precision": "double"}
    curve = [[1e6, 1e-3], [1e7, 5e-3]]
    sections = {"curve": curve, **({"times": times} if times else {}), **result}
    return record("streaming", case, result=sections)


class Spreads(unittest.TestCase):
    def axes(self, *arguments):
        (axes,) = figures([copied(*arguments)])["bs1"].axes
        return axes

    def test_each_size_has_a_bar_from_the_least_rate_to_the_largest(self):
        axes = self.axes([samples(1e-3, 0.5, 2), samples(5e-3, 0.8, 1)])
        self.assertEqual(line(axes, "measured"), {1e6: 1, 1e7: 2})
        self.assertEqual(spreads(axes), [(1e6, 0.5, 2), (1e7, 2, 2.5)])
        self.assertIn("bar: min to max of\nrepetitions", labels(axes))

    def test_records_without_them_have_none(self):
        for times in (None, [samples(1e-3)], [None, {"min": None}]):
            with self.subTest(times=times):
                axes = self.axes(times)
                self.assertEqual((spreads(axes), labels(axes)), ([], ["measured"]))


if __name__ == "__main__":
    unittest.main()
