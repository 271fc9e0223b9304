# SPDX-License-Identifier: BSD-3-Clause
"""Config files: each command takes its own section, the command line beats the file, errors name file and line."""
import unittest

from command import ORDERS, Command

ORDER = ORDERS[0]
SUITE = f"""
order = {ORDER}
elements = 27
repeat = 1
verify-only = true
[streaming]
bs = [1, "3..4"]
max-bytes = "64k"
samples = 2
repeat = 1
iterations = 2
[indirect]
elements = 500
kernel = "owner"
repeat = 1
"""


class Config(Command):
    def file(self, text, name="q.toml"):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def records_of(self, *arguments):
        return self.run_program(*arguments, "--json", "record.json").records

    def refused(self, text, says, *command):
        return self.assert_refused("--config", self.file(text), *command, says=says)

    def test_a_file_of_streaming_says_what_its_repeat_counts(self):
        head = '[streaming]\nbs = 1\nmax-bytes = "64k"\nsamples = 2\n'
        for text in "repeat = 3\n", "repeat = 3\nquiet = true\n":
            self.refused(head + text, ["q.toml:5: --repeat: counts repetitions, of --iterations runs each",
                                       "in files of older versions it counted these runs", "accepted is a file that has both"],
                         "streaming")
        for text, more, repeat, iterations in (
            ("repeat = 3\niterations = 2\n", [], 3, 2),
            ("repeat = 3\n", ["--iterations", 4], 3, 4),
            ("repeat = 3\n", ["--repeat", 2], 2, 20),
            ("iterations = 2\n", ["--repeat", 1], 1, 2),
        ):
            case = self.record_of("--config", self.file(head + text), "streaming", *more)["case"]
            self.assertEqual((case["repeat"], case["iterations"]), (repeat, iterations))

    def test_the_main_job_takes_the_keys_at_the_top(self):
        record = self.record_of("--config", self.file(SUITE))
        self.assertEqual((record["module"], record["case"]["order"], record["case"]["elements"]), ("tensor", ORDER, 27))
        self.assertTrue(record["case"]["verify_only"])

    def test_a_command_takes_its_section_of_a_suite(self):
        records = self.records_of("--config", self.file(SUITE), "streaming")
        self.assertEqual([r["case"]["bs"] for r in records], [1, 3, 4])
        self.assertEqual([r["module"] for r in self.records_of("--config", "q.toml", "indirect")], ["indirect"])

    def test_the_file_may_be_named_after_the_command(self):
        records = self.records_of("streaming", "--config", self.file(SUITE))
        self.assertEqual([r["case"]["bs"] for r in records], [1, 3, 4])

    def test_the_command_line_beats_the_file(self):
        self.assertEqual(self.record_of("--config", self.file(SUITE), "--elements", 8)["case"]["elements"], 8)
        records = self.records_of("--config", "q.toml", "streaming", "--bs", 5)
        self.assertEqual([r["case"]["bs"] for r in records], [5])

    def test_keys_may_be_dotted_and_numbers_may_have_separators(self):
        text = "indirect.elements = 1_000\nindirect.repeat = 1\nindirect.kernel = 'serial'\nindirect.shuffle = true\n"
        record = self.record_of("--config", self.file(text), "indirect")
        self.assertAlmostEqual(record["case"]["size"], 1000, delta=200)
        self.assertTrue(record["case"]["shuffled"])

    def test_a_number_may_stand_for_a_text(self):
        text = f"bp = 1.0\norder = {ORDER}\nelements = 8\nverify-only = true\n"
        self.assertEqual(self.record_of("--config", self.file(text))["case"]["bp"], "BP1.0")

    def test_lists_may_run_over_lines(self):
        text = "[streaming]\nbs = [1,\n  2,  # axpby\n]\nmax-bytes = '64k'\nsamples = 2\nrepeat = 1\niterations = 1\n"
        records = self.records_of("--config", self.file(text), "streaming")
        self.assertEqual([r["case"]["bs"] for r in records], [1, 2])

    def test_a_section_never_chooses_the_command(self):
        text = "[streaming]\nbs = '1'\n"
        self.refused(text, ["holds no options of the main job", "[streaming]", "miniapp --config q.toml streaming"])
        self.refused(text, ["holds no options of indirect", "[indirect]"], "indirect")
        self.refused("[tune]\nrepeat = 1\n", ["holds no options of the main job", "[tune]"])
        self.refused("[info]\n", ["holds no options of the main job", "[info]"])
        self.refused("order = 2\n", ["holds no options of streaming", "[streaming]"], "streaming")
        self.refused("# nothing\n", ["holds no options of the main job"])

    def test_what_is_no_toml_is_refused_with_its_line(self):
        for text, line in [("order = [1,2\n", 1), ("=\n", 1), ("a = 1\n[]\n", 2), ("order = 07\n", 1),
                           ("order = 1\norder = 2\n", 2), ("order\n", 1), ("order = 1_\n", 1)]:
            with self.subTest(text=text):
                self.refused(text, [f"q.toml:{line}: ", "accepted is TOML"])

    def test_binary_rubbish_is_refused_in_a_printable_line(self):
        for text in [bytes(range(256)) * 40, b"\x00" * 10, b"order = 3 \xff\n", b"\"\x1b[31m\" = 3\n", b"x" * 100000]:
            with self.subTest(text=text[:20]):
                errors = self.refused(text, ["q.toml:1: "]).errors.rstrip("\n")
                self.assertTrue(errors.isprintable(), repr(errors))
                self.assertLess(len(errors), 1100)

    def test_a_wrong_type_is_refused(self):
        for key, accepted in [("verify-only = 7", "true or false"), ("verify-only = 'yes'", "true or false"),
                              ("repeat = 'x'", "a whole number"), ("repeat = 3.5", "a whole number"),
                              ("repeat = 3000000000", "a whole number"), ("deform = '0'", "a number"),
                              ("bp = true", "a text"), ("bp = ['3.0']", "a text")]:
            with self.subTest(key=key):
                self.refused(f"quiet = true\n{key}\n", [f"q.toml:2: {key.split()[0]} = ", accepted])
        self.refused("[streaming]\nbs = [[1]]\n", ["q.toml:2: bs = ", "a text, a number, or a list"], "streaming")
        self.refused("repeat = 1979-05-27\n", ["q.toml:1: repeat = 1979-05-27"])

    def test_unknown_names_get_the_nearest(self):
        self.refused("ordr = 3\n", ["q.toml:1: ordr", "did you mean order?", "--help"])
        self.refused("[straeming]\nbs = '1'\n", ["q.toml:1: [straeming]", "did you mean streaming?"], "streaming")
        self.refused("[indirect]\nkernal = 'all'\n", ["q.toml:2: kernal", "did you mean kernel?"], "indirect")
        self.refused("config = 'q.toml'\n", ["q.toml:1: config: no option"])
        self.refused("[tensor]\norder = 3\n", ["q.toml:1: [tensor]: unknown section"])

    def test_a_wrong_key_in_the_section_of_another_command_is_refused_too(self):
        self.refused(f"order = {ORDER}\n[streaming]\nbss = '1'\n", ["q.toml:3: bss", "did you mean bs?"])

    def test_values_that_checks_refuse_later_name_the_line(self):
        self.refused("quiet = true\n\norder = 99\n", ["q.toml:3: --order 99: accepted are numbers 1..15"])
        self.refused("[streaming]\nmax-bytes = 'x'\n", ["q.toml:2: --max-bytes x"], "streaming")
        refused = self.assert_refused("--config", self.file("order = 99\n"), "--order", 98, says="--order 98")
        self.assertNotIn("q.toml", refused.errors)

    def test_values_that_the_library_refuses_name_the_line(self):
        self.refused(f"order = {ORDER}\ndeform = 5\n", ["q.toml:2: --deform 5: inverts element"])
        self.refused(f"cells = '1260x1260x1260'\norder = {ORDER}\n",
                     [f"q.toml:2: 1260 x 1260 x 1260 elements of --order {ORDER}: "])
        self.file("notes\n", "notes.txt")
        self.refused("[indirect]\nsave-plan = 'notes.txt'\n",
                     ["q.toml:2: --save-plan notes.txt: holds something else"], "indirect")
        self.refused("[weakform]\ntuning = 'none.txt'\n", ["q.toml:2: --tuning none.txt: cannot be read"], "weakform")

    def test_a_file_without_end_is_refused(self):
        self.assert_refused("--config", "/dev/zero", says=["--config /dev/zero", "longer than 1 MB"], timeout=20)
        self.assert_refused("--tuning", "/dev/zero", says=["--tuning /dev/zero", "longer than 1 MB"], timeout=20)

    def test_files_that_cannot_be_read_are_refused(self):
        self.assert_refused("--config", "none.toml", says=["--config none.toml", "readable TOML file"])
        self.assert_refused("--config", ".", says=["--config .", "folder"])
        self.assert_refused("--config", "n" * 300, says=["--config nnn", "File name too long"])
        self.assert_refused("--config", "", says=["--config", "empty"])
        self.assert_refused("--config", self.file(SUITE), "--config", "q.toml", says="--config")
        self.assert_refused("--config", "q.toml", "streaming", "--config", "q.toml", says="--config")


if __name__ == "__main__":
    unittest.main()
