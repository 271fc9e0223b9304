# SPDX-License-Identifier: BSD-3-Clause
"""What miniapp tune measured."""
import unittest

from drawing import figures, labels, line, record, samples, spreads


def tuned(order, **seconds):
    case = {"bp": "BP3.0", "order": order, "elements": 8, "dofs": 2 * 10**9 * order, "precision": "double"}
    measured = [
        {"kernel": kernel, "geometry": "stored", "operator_s": samples(time, 0.5, 2)}
        for kernel, time in seconds.items()
    ]
    return record("tune", case, result={"measured": measured})


class Kernels(unittest.TestCase):
    def test_each_has_its_rate_over_the_order(self):
        (axes,) = figures([tuned(1, lanes=0.5, rung8=2), tuned(2, lanes=0.5)])["bp3.0-tune"].axes
        self.assertEqual(line(axes, "lanes, stored"), {1: 4, 2: 8})
        self.assertEqual(line(axes, "rung8, stored")[1], 1)
        self.assertEqual(labels(axes), ["lanes, stored", "rung8, stored", "bar: min to max of\nrepetitions"])
        self.assertEqual(spreads(axes), [(1, 0.5, 2), (1, 2, 8), (2, 4, 16)])
