# SPDX-License-Identifier: BSD-3-Clause
"""Solvers and the cantilever: iterations and solves, with their spread."""
import unittest

from drawing import Refused, figures, line, record, samples, spreads, texts


def solve(pc, unknowns, seconds, low=1, high=1):
    case = {"matrix": "poisson2d", "unknowns": unknowns, "order": None, "method": "cg", "pc": pc, "tolerance": 1e-8}
    return record("solver", case, result={"converged": True, "comparison": {"passed": True}},
                  timing={"setup_s": {"matrix": 9, "amg": 2}, "iteration_s": samples(seconds / 10, low, high),
                          "solve_s": samples(seconds, low, high)})


class Solves(unittest.TestCase):
    def test_iterations_and_solves_have_their_spread(self):
        drawn = figures([solve("amg", 100, 4, low=0.5, high=2), solve("amg", 1000, 40)])
        self.assertEqual(spreads(drawn["poisson2d-iteration"].axes[0]), [(100, 0.2, 0.8)])
        setup, of_solve = drawn["poisson2d-time"].axes
        self.assertEqual((spreads(setup), spreads(of_solve)), ([], [(100, 2, 8)]))
        self.assertEqual(line(of_solve, "preconditioner amg"), {100: 4, 1000: 40})

    def test_bars_end_at_set_up_and_solve_and_their_numbers_beyond_the_spread(self):
        (axes,) = figures([solve("none", 100, 4), solve("amg", 100, 4, low=0.5, high=2)])["poisson2d-time"].axes
        self.assertEqual([bar.get_x() + bar.get_width() for bar in axes.patches], [2, 2, 6, 6])
        (bar,) = axes.collections
        self.assertEqual([point[0] for point in bar.get_segments()[0]], [4, 10])
        self.assertEqual([(text.get_position(), text.get_text()) for text in axes.texts[:2]],
                         [((6, 0), " 6 s"), ((10, 1), " 6 s")])


def beam(order, dofs, converged=True, right=None):
    case = {"problem": "cantilever", "variant": "split", "order": order, "dofs": dofs, "preconditioner": "amg",
            "elements": 9, "tolerance": 1e-8}
    return record("elasticity", case, timing={"setup_s": {"mesh": 1, "amg": 2, "verification": 99},
                                              "cg_iteration_s": samples(0.5, 0.5, 2)},
                  result={"iterations": 8, "converged": converged, "comparison": {"passed": right}})


class Cantilever(unittest.TestCase):
    def test_a_solve_is_a_bar_of_set_up_and_iterations(self):
        (axes,) = figures([beam(1, 30), beam(2, 90), beam(3, 99, converged=False)])["cantilever-time"].axes
        self.assertEqual([bar.get_x() + bar.get_width() for bar in axes.patches], [3, 3, 7, 7])
        names = [text.get_text() for text in axes.get_yticklabels()]
        self.assertEqual(names, ["order 1, 30 unknowns", "order 2, 90 unknowns"])
        self.assertIn("Cantilever, set-up and solve", texts(axes.get_figure()))

    def test_several_sizes_are_lines(self):
        setup, of_solve = figures([beam(2, 90), beam(2, 900)])["cantilever-time"].axes
        self.assertEqual([axes.get_title(loc="left") for axes in (setup, of_solve)], ["set-up", "solve"])
        self.assertEqual(spreads(of_solve), [(90, 2, 8), (900, 2, 8)])

    def test_a_body_has_a_picture_of_its_own(self):
        body = beam(2, 90)
        body["case"] |= {"problem": "body", "mesh": "wing.msh"}
        del body["result"]["comparison"]
        drawn = figures([beam(2, 90), body])
        self.assertEqual(set(drawn), {"cantilever-time", "body-time"})
        self.assertIn("Elastic body, set-up and solve", texts(drawn["body-time"]))

    def test_a_wrong_deflection_is_not_drawn(self):
        with self.assertRaises(Refused):
            figures([beam(1, 30, right=False)])
