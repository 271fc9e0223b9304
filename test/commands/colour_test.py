# SPDX-License-Identifier: BSD-3-Clause
"""Verdicts and bars have colours on a terminal only, and not where NO_COLOR asks for none."""

import json
import os
import re
import unittest

from command import ON_DEVICE, ORDERS, Command

SMALL = ["--order", ORDERS[0], "--elements", 27, "--repeat", 1]
GREEN, RED, CYAN, END = "\x1b[32m", "\x1b[1;31m", "\x1b[36m", "\x1b[0m"
TERMINAL = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": "xterm"}


class Colour(Command):
    def test_verdicts_and_bars_have_colours_on_a_terminal(self):
        text = self.on_terminal("stdout", *SMALL, "--json", "record.json", env=TERMINAL)
        self.assertRegex(text, rf"verified .*: {re.escape(GREEN)}right{re.escape(END)}")
        fraction = json.loads((self.folder / "record.json").read_text())["roofs"]["fraction_of_bound"]
        filled = round(20 * fraction)
        if not ON_DEVICE:  # so few elements may fill no place of a GPU's bar
            self.assertGreater(filled, 0)
        bar = (f"{CYAN}{'#' * filled}{END}" if filled else "") + "." * (20 - filled)
        self.assertRegex(text, "bound +" + re.escape(f"[{bar}] {100 * fraction:.0f} % of "))
        self.assertNotIn(RED, text)
        unsolved = self.on_terminal("stdout", *SMALL, "--max-iterations", 1, "--rhs", "random", env=TERMINAL, code=1)
        self.assertIn(f"{RED}NOT CONVERGED{END}", unsolved)

    def test_other_commands_have_colours_too(self):
        text = self.on_terminal("stdout", "weakform", "--elements", 500, "--repeat", 1, env=TERMINAL)
        self.assertRegex(text, rf"{re.escape(GREEN)}right{re.escape(END)}")

    def test_there_are_none_elsewhere(self):
        for environment in [TERMINAL | {"NO_COLOR": "1"}, TERMINAL | {"TERM": "dumb"}, TERMINAL | {"TERM": ""}]:
            text = self.on_terminal("stdout", *SMALL, env=environment)
            self.assertIn(": right", text)
            self.assertNotIn("\x1b", text)
        self.assertNotIn("\x1b", self.run_program(*SMALL, env=TERMINAL).output)


if __name__ == "__main__":
    unittest.main()
