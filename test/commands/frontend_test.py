# SPDX-License-Identifier: BSD-3-Clause
"""The command line itself: help, versions, names, empty values, where common options may stand."""
import os
import re
import unittest

from command import ON_DEVICE, ORDERS, Command, times_of

SMALL = ["--order", ORDERS[0], "--elements", 8, "--repeat", 1, "--verify-only"]
COMMANDS = ["info", "tune", "streaming", "indirect", "elasticity", "solver", "weakform", "report"]


class Texts(Command):
    def test_version_names_the_commit(self):
        for words in [[]] + [[command] for command in COMMANDS]:
            self.assertRegex(self.run_program(*words, "--version").output, r"\A\d+\.\d+\.\d+, commit \S+\n\Z")

    def test_help_of_every_command_lists_the_options_of_its_own(self):
        text = self.run_program("--help").output
        for word in ["--bp", "--kokkos-help", "--kokkos-device-id", "may stand before"]:
            self.assertIn(word, text)
        for command in COMMANDS:
            text = self.run_program(command, "--help", "all").output
            self.assertIn("--config", text)
            self.assertNotIn("--bp", text)

    def test_help_shows_commands_and_usual_options_first_and_all_when_asked(self):
        for command in ["", *COMMANDS]:
            words = [command] if command else []
            usual, all_of_them = (
                re.findall(r"(?m)^  (--[\w-]+)", self.run_program(*words, "--help", *more).output) for more in ([], ["all"])
            )
            self.assertLessEqual(len(usual), 17, command)
            self.assertLessEqual(set(usual), {*all_of_them, "--help"}, command)
            self.assertEqual("--help" in usual, len(all_of_them) > 15, command)
            self.assertEqual(self.run_program("help", *words, "all").output, self.run_program(*words, "--help", "all").output)
        text = self.run_program("--help").output
        self.assertLess(text.index("\n  streaming "), text.index("\n  --bp "))
        self.assert_refused("all", says="all: unknown")

    def test_help_of_a_command_is_its_help(self):
        for command in [*COMMANDS, "compare"]:
            self.assertEqual(self.run_program("help", command).output, self.run_program(command, "--help").output)
        self.assertEqual(self.run_program("help").output, self.run_program("--help").output)
        self.assert_refused("help", "streamin", says=["help streamin: unknown", "did you mean streaming?", "info, tune"])

    def test_help_fits_the_page(self):
        for command in [[]] + [[command] for command in [*COMMANDS, "compare"]]:
            for line in self.run_program(*command, "--help").output.splitlines():
                self.assertLessEqual(len(line), 120, line)

    def test_help_has_two_examples_whose_options_are_known(self):
        for command in [""] + COMMANDS + ["compare"]:
            text = self.run_program(*command.split(), "--help", "all").output
            examples = re.findall(r"^  ((?:mpirun .* )?miniapp.*)$", text.split("Examples:\n")[1], re.MULTILINE)
            self.assertEqual(len(examples), 2, text)
            for example in examples:
                words = example.split("miniapp", 1)[1].split()
                self.assertTrue(words[:1] == [command] if command else words[0].startswith("--"), example)
                for option in re.findall(r"--[a-z-]+", example):
                    self.assertRegex(text, f"(?m)^  {option}\\b", example)

    def test_help_of_kokkos_runs_nothing(self):
        outcome = self.run_program("--kokkos-help", "--json", "record.json", timeout=20)
        self.assertIn("--kokkos-", outcome.output)
        self.assertNotIn("BP3.0", outcome.output)
        self.assertIsNone(outcome.records)

    def test_options_that_kokkos_does_not_know_are_refused(self):
        done = self.start("--kokkos-num-thread=2", *SMALL)  # newer versions add a warning of their own
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        self.assertIn("miniapp: --kokkos-num-thread=2: unknown to Kokkos", done.stderr)
        for known in ["--kokkos-num-threads=1", "--kokkos-disable-warnings"]:
            if known in self.run_program("--kokkos-help").output:
                self.run_program(known, *SMALL)

    def test_texts_and_refusals_need_no_kokkos(self):
        wrong = "--kokkos-threads=many"  # Kokkos would refuse it, or end the program
        self.assertIn("commit", self.run_program("--version", wrong).output)
        self.assertIn("--bp", self.run_program(wrong, "--help").output)
        self.assert_refused(wrong, "--ordr", 3, says="--ordr: unknown")
        self.assert_refused(wrong, "--json", "", says="--json")

    def test_variables_of_kokkos_without_a_sensible_value_are_bad_input(self):
        wrong = {**os.environ, "KOKKOS_NUM_THREADS": "abc"}
        self.assert_refused(*SMALL, says=["KOKKOS_NUM_THREADS", "accepted are"], env=wrong)


@unittest.skipUnless(ON_DEVICE, "runs on hosts")
class WrongDevice(Command):
    def test_a_device_that_is_not_there_is_refused(self):
        accepted = "99: no such device; accepted is 0 to "
        self.assert_refused("--kokkos-device-id=99", *SMALL, says="--kokkos-device-id: " + accepted)
        self.assert_refused(*SMALL, says="KOKKOS_DEVICE_ID: " + accepted, env={**os.environ, "KOKKOS_DEVICE_ID": "99"})


@unittest.skipUnless(ON_DEVICE, "runs on hosts")
class WithoutDevice(Command):
    def setUp(self):
        super().setUp()
        self.hidden = {"env": {**os.environ, "CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": "",
                               "ROCR_VISIBLE_DEVICES": ""}}

    def test_texts_and_refusals_come_all_the_same(self):
        for command in [[]] + [[command] for command in COMMANDS]:
            self.run_program(*command, "--help", **self.hidden)
        self.run_program("--version", **self.hidden)
        for words in [["--order", 99], ["--bp", 2], ["streaming", "--bs", 9], ["indirect", "--loop", "x"],
                      ["elasticity", "--order", 99], ["tune", "--repeat", 0], ["solver", "--preconditioner", "x"],
                      ["weakform", "--form", "x"]]:
            self.assert_refused(*words, says=words[-2], **self.hidden)

    def test_a_run_says_which_device_it_looked_for(self):
        for words in [SMALL, ["info"], ["streaming", "--bs", 1], ["indirect", "--elements", 100],
                      ["elasticity", "--verify-only"], ["weakform", "--elements", 100]]:
            errors = self.run_program(*words, code=1, **self.hidden).errors
            self.assertRegex(errors, "found no (NVIDIA|AMD) GPU")


class Names(Command):
    def test_unknown_options_get_the_nearest(self):
        for word, near in [("--elemnts", "--elements"), ("--elemnts=8", "--elements"), ("--kernal", "--kernel"),
                           ("--jsno", "--json"), ("--presicion", "--precision")]:
            self.assert_refused(word, 8, says=[word.split("=")[0] + ": unknown", f"did you mean {near}?", "--help"])
        self.assert_refused("streaming", "--max-byte", 8, says=["--max-byte: unknown", "did you mean --max-bytes?",
                                                                "miniapp streaming --help"])
        self.assertNotIn("mean", self.assert_refused("--zzzzzzz", 1, says="--zzzzzzz: unknown").errors)

    def test_unknown_values_get_the_nearest(self):
        for words, near in [(["--kernel", "lane"], "lanes"), (["streaming", "--boundary", "dirichlt"], "dirichlet"),
                            (["indirect", "--kernel", "all,hierarchial"], "hierarchical"),
                            (["elasticity", "--kernel", "product"], "products"), (["solver", "--preconditioner", "jaccobi"], "jacobi"),
                            (["weakform", "--form", "poison"], "poisson"), (["tune", "--precision", "singel"], "single")]:
            self.assert_refused(*words, says=["unknown value '" + words[-1].split(",")[-1], f"(did you mean {near}?)"])
        self.assertNotIn("mean", self.assert_refused("--kernel", "x", says="unknown value 'x'").errors)

    def test_unknown_commands_get_the_nearest(self):
        self.assert_refused("streamin", says=["streamin: unknown", "did you mean streaming?"])
        self.assert_refused("nonsense", says=["nonsense: unknown", "info, tune, streaming"])

    def test_an_option_of_another_command_is_named_so(self):
        self.assert_refused("--bs", 1, says=["--bs: no option of the main job, but of streaming"])
        self.assert_refused("streaming", "--bp", 1, says=["--bp: no option of streaming, but of the main job"])

    def test_flags_take_no_value(self):
        for value in ["2", "false", ""]:
            self.assert_refused(*SMALL[:-1], f"--verify-only={value}", says="--verify-only")


class Places(Command):
    def test_common_options_may_stand_before_the_command(self):
        options = ["--json", "record.json", "--repeat", 3, "--precision", "single", "--quiet"]
        streaming = ["--bs", 1, "--samples", 2, "--max-bytes", "64k"]
        before = self.run_program(*options, "streaming", *streaming).record
        after = self.run_program("streaming", *options, *streaming).record
        self.assertEqual(before["case"], after["case"])
        self.assertEqual((before["case"]["repeat"], before["case"]["precision"]), (3, "single"))
        elasticity = self.run_program("--verify-only", "--json", "record.json", "elasticity", "--order",
                                      ORDERS[0], "--elements", 8, "--kernel", "split").record
        self.assertEqual(times_of(elasticity), set())

    def test_what_a_command_does_not_know_is_refused_before_it_too(self):
        self.assert_refused("--precision", "single", "info", says=["--precision: no option of info"])
        self.assert_refused("--bp", 2, "streaming", says=["--bp: no option of streaming, but of the main job"])
        self.assert_refused("--json", "a", "streaming", "--json", "b", says=["--json", "one value"])


class Cores(Command):
    @unittest.skipUnless(hasattr(os, "sched_setaffinity"), "no affinity here")
    def test_the_page_and_the_record_say_how_many_cores_there_are(self):
        own = os.sched_getaffinity(0)
        for processors in [own, {min(own)}]:
            outcome = self.run_program(*SMALL, "--json", "record.json",
                                       preexec_fn=lambda: os.sched_setaffinity(0, processors))
            cores = outcome.record["cores"]
            self.assertEqual(cores, 1 if len(processors) == 1 else cores)
            self.assertTrue(1 <= cores <= len(processors))
            if not ON_DEVICE and outcome.record["threads"] <= cores:
                text = f"{outcome.record['threads']} of {cores} core"
                self.assertIn(text, outcome.output)


class Shapes(Command):
    def shape(self, elements):
        """What the page says of the shape: numbers in its order, none where it says nothing."""
        output = self.run_program("--order", ORDERS[0], "--elements", elements, "--verify-only", "--repeat", 1,
                                  "--boundary", "neumann").output
        lines = [line for line in output.splitlines() if line.startswith("  shape ")]
        return [int(number) for line in lines for number in re.findall(r"\d+", line)]

    def test_a_needle_is_told_with_the_nearest_number_that_makes_none(self):
        self.assertEqual(self.shape(4099), [4099, 4099, 1, 1, 4096, 16, 16, 16])
        self.assertEqual(self.shape(4097), [4097, 241, 17, 1, 4096, 16, 16, 16])
        self.assertEqual(self.shape(7), [7, 7, 1, 1, 8, 2, 2, 2])

    def test_what_is_no_needle_is_not_told(self):
        for elements in [8, 12, 64, 60, 100]:
            self.assertEqual(self.shape(elements), [])


class Values(Command):
    def test_empty_values_are_refused(self):
        for option in ["--json", "--tuning", "--config", "--bp", "--order", "--elements", "--boundary", "--sweep",
                       "--deform", "--kernel", "--tolerance"]:
            for words in [[option, ""], [option + "="]]:
                with self.subTest(words=words):
                    self.assert_refused(*words, says=option)
        for command, options in {"indirect": ["--mesh", "--save-plan", "--load-plan", "--loop", "--in-block", "--json",
                                              "--block-size", "--kernel", "--elements"],
                                 "streaming": ["--bs", "--cells", "--order", "--max-bytes", "--json"],
                                 "elasticity": ["--order", "--kernel", "--elements", "--json"],
                                 "solver": ["--matrix", "--unknowns", "--cg", "--preconditioner", "--history", "--json"],
                                 "weakform": ["--form", "--kernel", "--mesh", "--elements", "--blocks", "--json"],
                                 "tune": ["--tune", "--order"], "info": ["--json", "--csv"]}.items():
            for option in options:
                with self.subTest(command=command, option=option):
                    self.assert_refused(command, option, "", says=option)

    def test_an_empty_word_in_a_list_is_refused(self):
        self.assert_refused("indirect", "--loop", "airfoil,,euler-flux", says="--loop")
        self.assert_refused("streaming", "--bs", "1,", says="--bs")

    def test_names_that_no_file_can_have_are_refused(self):
        names = ["n" * 256, "d/" * 2100 + "f", "."]
        for command, option in [([], "--json"), ([], "--tuning"), (["indirect"], "--save-plan"),
                                (["indirect"], "--load-plan"), (["indirect"], "--mesh"), (["weakform"], "--mesh"), (["tune"], "--tune")]:
            for name in names:
                with self.subTest(option=option, name=name[:10]):
                    errors = self.assert_refused(*command, option, name, says=option).errors
                    self.assertLess(len(errors), 1200)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_rubbish_is_shown_in_a_printable_line(self):
        rubbish = b"\x1b[31m\n\xff\x80"
        for option in ["--order", "--bp", "--kernel", "--json", "--rubbish"]:
            done = self.start(option, os.fsdecode(rubbish) + "/")
            self.assertEqual(done.returncode, 2, done)
            self.assertTrue(done.stderr.endswith("\n") and done.stderr[:-1].isprintable(), repr(done.stderr))
            if option != "--rubbish":
                self.assertIn(r"\x1b[31m\x0a\xff\x80", done.stderr)
        self.assertIn("größe", self.start("--bp", "größe").stderr)

    def test_numbers_of_tune_are_decimal(self):
        self.assert_refused("tune", "--elements", "0x10", says="--elements")
        self.assert_refused("tune", "--order", 0, says="--order 0")


if __name__ == "__main__":
    unittest.main()
