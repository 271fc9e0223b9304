# SPDX-License-Identifier: BSD-3-Clause
"""The pages say what the program takes: tables of options, commands in README and docs, files that links name."""

import pathlib
import re
import subprocess
import sys

from command import PROGRAM, Command

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("**/*.md"))]
COMMANDS = ("info", "tune", "streaming", "indirect", "elasticity", "solver", "weakform", "report", "compare")
IN_FENCE = re.compile(r"^(?:\$ )?(\./miniapp .*)$", re.MULTILINE)
IN_PROSE = re.compile(r"`((?:\./)?miniapp [^`]*)`")


def options_of(help_text):
    return set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", help_text, re.MULTILINE))


class Pages(Command):
    def require_known_help(self):
        """CLI11 2.4 and newer lay help out in columns, which nothing here reads."""
        if "\nUsage: miniapp" not in self.start("--help").stdout:
            self.skipTest("help is laid out by another CLI11 than that of docs/commands.md")

    def test_tables_of_options_are_what_help_says(self):
        self.require_known_help()
        done = subprocess.run(
            [sys.executable, "-B", ROOT / "scripts" / "options_page", "--program", PROGRAM, "--check"],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_commands_that_pages_show_have_their_options(self):
        self.require_known_help()
        known = {name: options_of(self.start(name, "--help", "all").stdout) for name in COMMANDS}
        known[""] = options_of(self.start("--help", "all").stdout)
        known["help"] = {"--completion", "--man"}
        checked = 0
        for page in PAGES:
            text = page.read_text()
            for line in IN_FENCE.findall(text) + IN_PROSE.findall(text.replace("\n", " ")):
                words = re.split(r"[#|;&>]", line)[0].split()[1:]
                named = [word for word in words if word in [*COMMANDS, "help"]]
                for word in words:
                    option = re.match(r"--[a-z][\w-]*", word)
                    if option and not option[0].startswith("--kokkos-"):
                        checked += 1
                        self.assertIn(option[0], known[named[0] if named else ""], f"{page.name}: {line}")
        self.assertGreater(checked, 50)

    def test_pages_show_what_commands_print(self):
        for page in PAGES:
            for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.DOTALL):
                command, _, output = block.replace("\\\n", " ").partition("\n")
                self.assertTrue(command.startswith("$ "), f"{page.name}: {command}")
                self.assertTrue(output.strip(), f"{page.name}: no output of {command}; run scripts/rerun_pages")
                for line in output.splitlines():
                    self.assertLessEqual(len(line), 120, f"{page.name}: {line}")

    def test_links_lead_to_files(self):
        for page in PAGES:
            prose = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)  # a lambda of C++ is no link
            for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", prose):
                if not re.match(r"[a-z]+:", link):
                    self.assertTrue((page.parent / link).exists(), f"{page.name}: {link}")
