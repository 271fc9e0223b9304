# SPDX-License-Identifier: BSD-3-Clause
"""What completes words in bash, and the page for man: both have every option that --help shows."""
import re
import shutil
import subprocess
import unittest

from command import Command

COMMANDS = ["info", "tune", "streaming", "indirect", "elasticity", "solver", "weakform", "report", "compare"]
BASH, GROFF = shutil.which("bash"), shutil.which("groff")


class HelpFile(Command):
    def options_of(self, command):
        text = self.run_program(*([command] if command else []), "--help", "all").output
        return re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+)", text)


@unittest.skipUnless(BASH, "no bash")
class Completion(HelpFile):
    def setUp(self):
        super().setUp()
        (self.folder / "complete").write_text(self.run_program("help", "--completion").output)

    def complete(self, *words):
        """What bash offers for the last word."""
        script = 'source ./complete; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _miniapp; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run([BASH, "--norc", "-c", script, "bash", "miniapp", *words], cwd=self.folder, text=True,
                              capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_bash_reads_it(self):
        subprocess.run([BASH, "-n", "complete"], cwd=self.folder, check=True)
        said = subprocess.run([BASH, "--norc", "-c", "source ./complete; complete -p miniapp"], cwd=self.folder, text=True,
                              capture_output=True, check=True)
        self.assertEqual(said.stdout, "complete -F _miniapp miniapp\n")

    def test_every_option_of_every_command_is_offered(self):
        for command in ["", *COMMANDS]:
            with self.subTest(command=command):
                self.assertEqual(sorted(self.complete(*([command] if command else []), "--")),
                                 sorted(self.options_of(command)))

    def test_commands_are_offered_where_none_stands_yet(self):
        self.assertEqual(self.complete("s"), ["streaming", "solver"])
        self.assertEqual(self.complete("--quiet", "stre"), ["streaming"])
        self.assertEqual(self.complete("streaming", "solv"), [])
        self.assertEqual(self.complete("help", "weak"), ["weakform"])
        self.assertIn("--loop", self.complete("--json", "solver", "indirect", "--l"))

    def test_values_are_those_that_an_option_accepts(self):
        self.assertEqual(self.complete("--precision", ""), ["double", "single"])
        self.assertEqual(self.complete("indirect", "--kernel", "h"), ["hierarchical"])
        self.assertEqual(self.complete("weakform", "--kernel", "t"), ["transposed", "tiles"])
        self.assertEqual(self.complete("solver", "--preconditioner", "ilu0-l"), ["ilu0-level"])
        self.assertEqual(self.complete("--order", ""), [])

    def test_lists_and_values_behind_an_equals_sign(self):
        self.assertEqual(self.complete("indirect", "--kernel", "owner,ser"), ["owner,serial"])
        self.assertEqual(self.complete("indirect", "--kernel", "=", "ato"), ["atomic"])
        self.assertEqual(self.complete("--precision", "="), ["double", "single"])
        self.assertIn("--kernel", self.complete("indirect", "--shuffle", "--kern"))

    def test_files_are_offered_where_one_is_asked_for(self):
        (self.folder / "wing.msh").write_text("")
        self.assertEqual(self.complete("--json", "wi"), ["wing.msh"])
        self.assertEqual(self.complete("indirect", "--mesh", "wi"), ["wing.msh"])
        self.assertEqual(self.complete("indirect", "--mesh", "gen"), ["generated"])
        self.assertEqual(self.complete("compare", "wi"), ["wing.msh"])
        self.assertEqual(self.complete("--kernel", "wi"), [])

    def test_every_value_that_is_offered_is_accepted(self):
        """A word that the program does not know would be called an unknown value."""
        text = (self.folder / "complete").read_text()
        offered = re.findall(r"(?m)^    '(\w*) (--[\w-]+)'\) values='([^']*)'", text)
        self.assertGreater(len(offered), 20)
        for command, option, values in offered:
            for value in values.split():
                with self.subTest(command=command, option=option, value=value):
                    # refused for the file in any case: nothing runs
                    said = self.start(*([command] if command else []), option, value, "--json", "none/record.json")
                    self.assertNotIn("unknown value", said.stderr)


class Manual(HelpFile):
    def test_it_has_every_option_in_its_section(self):
        page = self.run_program("help", "--man").output
        self.assertTrue(page.startswith('.\\" As `miniapp help --man` prints it.\n.TH MINIAPP 1 '))
        self.assertRegex(page, r"\.TH MINIAPP 1 \"\" \"miniapp \d+\.\d+\.\d+, commit ")
        sections = dict(re.findall(r"(?ms)^\.SH OPTIONS OF (.*?)\n(.*?)(?=^\.SH)", page))
        for command in ["", *COMMANDS]:
            with self.subTest(command=command):
                section = sections[command or "THE MAIN JOB"].replace("\\-", "-")
                named = re.findall(r"(?m)^\.TP\n\\fB(--[\w-]+)\\fR", section)
                self.assertEqual(sorted(named), sorted(set(self.options_of(command)) - {"--help", "--version"}))
                self.assertEqual(section.count(".EX\n"), 2)
        self.assertIn("\\fB\\-\\-order\\fR \\fIlist\\fR [7]", page)
        self.assertNotIn("--", page.split("\n", 1)[1].replace("\\-", ""))

    @unittest.skipUnless(GROFF, "no groff")
    def test_groff_formats_it_without_a_warning(self):
        page = self.run_program("help", "--man").output
        done = subprocess.run([GROFF, "-man", "-Tutf8", "-ww"], input=page, text=True, capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        plain = re.sub(r".\x08|\x1b\[[\d;]*m", "", done.stdout)
        for words in ["OPTIONS OF indirect", "--kernel list [auto]", "--preconditioner list", "EXIT STATUS"]:
            self.assertIn(words, plain.replace("\u2010", "-").replace("\u2212", "-"))


if __name__ == "__main__":
    unittest.main()
