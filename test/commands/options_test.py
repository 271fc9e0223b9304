# SPDX-License-Identifier: BSD-3-Clause
"""Options of the main job change what they say they change."""
from command import ORDERS, Command

SMALL = ["--order", ORDERS[0], "--elements", 27, "--repeat", 1]


class MainJob(Command):
    def test_a_random_right_hand_side_has_no_exact_solution(self):
        self.assertGreater(self.record_of(*SMALL)["result"]["l2_error"], 0)
        self.assertIsNone(self.record_of(*SMALL, "--rhs", "random")["result"]["l2_error"])
