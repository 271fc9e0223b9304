# SPDX-License-Identifier: BSD-3-Clause
"""miniapp compare: records of two states, paired by case, and what is said of their times."""

import copy
import json
import os

from command import ON_DEVICE, ORDERS, Command, tables

ORDER = ORDERS[0]
RUNS = {
    "tensor": ["--order", ORDER, "--elements", 27, "--kernel", "all", "--repeat", 3, "--no-solve"],
    "streaming": ["streaming", "--bs", "1,2", "--samples", 6, "--max-bytes", "64k", "--repeat", 2],
    "indirect": ["indirect", "--elements", 200, "--kernel", "serial,atomic" if not ON_DEVICE else "atomic,global", "--repeat", 3],
    "solver": ["solver", "--unknowns", "100,400", "--repeat", 2],
    "weakform": ["weakform", "--elements", 100, "--repeat", 2],
    "tune": ["tune", "--order", ORDER, "--elements", 8, "--repeat", 1],
}
if ORDER <= 7:
    RUNS["elasticity"] = ["elasticity", "--order", ORDER, "--elements", 2, "--kernel", "products", "--repeat", 2]


class Compare(Command):
    def setUp(self):
        super().setUp()
        self.base = {
            "schema": 1, "commit": "a" * 12, "kokkos": {"backends": ["Serial"]}, "device": "a processor", "threads": 1,
            "module": "tensor", "case": {"bp": "BP3.0", "order": 7, "kernel": "lines", "repeat": 20},
            "verification": {"passed": True}, "result": {},
            "timing": {"kernel_s": {"min": 0.9, "median": 1.0, "max": 1.1, "repetitions": 20}},
        }

    def write(self, name, *records):
        (self.folder / name).write_text("".join(json.dumps(record) + "\n" for record in records))

    def record(self, factor=1.0, **case):
        record = copy.deepcopy(self.base)
        record["case"].update(case)
        for key in "min", "median", "max":
            record["timing"]["kernel_s"][key] *= factor
        return record

    def compare(self, **options):
        return self.run_program("compare", "old.json", "new.json", **options)

    def test_slower_faster_and_the_same(self):
        self.write("old.json", *(self.record(kernel=kernel) for kernel in ("lines", "lanes", "tiles")))
        self.write("new.json", self.record(1.5, kernel="lines"), self.record(0.5, kernel="lanes"),
                   self.record(1.05, kernel="tiles"))
        done = self.compare(code=1)
        rows = {row["case"]: row for row in tables(done.output)[0]}
        self.assertEqual({case: row["verdict"] for case, row in rows.items()},
                         {"kernel lines": "SLOWER", "kernel lanes": "faster", "kernel tiles": "same"})
        self.assertEqual(rows["kernel lines"]["new/old"], "1.500")
        self.assertEqual(rows["kernel lines"]["old"], "1 s -10 +10 %")
        self.assertIn("1 faster, 1 slower, 1 the same", done.output)
        self.assertIn("new.json: kernel_s of kernel lines takes 1.5 times as long", done.errors)
        self.assertIn("all: tensor, device a processor, threads 1, backend Serial, bp BP3.0, order 7", done.output)

    def test_without_a_regression_the_exit_code_is_0(self):
        self.write("old.json", self.record())
        self.write("new.json", self.record(0.5))
        self.assertIn("1 faster, 0 slower, 0 the same", self.compare().output)

    def test_what_became_wrong_is_a_regression(self):
        wrong = self.record()
        wrong["verification"]["passed"] = False
        wrong["timing"] = {}
        self.write("old.json", self.record())
        self.write("new.json", wrong)
        done = self.compare(code=1)
        self.assertIn("WRONG: tensor is wrong, and was right in old.json", done.output)
        self.assertIn("is wrong, and was right before", done.errors)

    def test_a_record_says_in_one_place_what_is_wrong(self):
        run = ["--order", ORDER, "--elements", 64, "--repeat", 1, "--json"]
        self.run_program(*run, "old.json")
        self.run_program(*run, "new.json", "--tolerance", 1e-14, "--max-iterations", 1, code=1)
        right, wrong = (json.loads((self.folder / name).read_text()) for name in ("old.json", "new.json"))
        self.assertIsNone(right["wrong"])
        self.assertIn("stopped at ", wrong["wrong"])
        self.write("new.json", {**right, "wrong": wrong["wrong"]})
        self.assertIn(f"is wrong: {wrong['wrong'][:40]}", " ".join(self.compare(code=1).output.split()))

    def test_control_characters_are_printed_as_numbers(self):
        record = {**self.record(kernel="\x1b[2J"), "commit": "\x1b[2J\nevil", "device": "a\x07"}
        self.write("old.json", record)
        self.write("new.json", {**record, "verification": {"passed": False}})
        done = self.compare(code=1)
        self.assertNotRegex(done.output + done.errors, "[\x00-\x09\x0b-\x1f]")
        self.assertIn("\\x1b[2J\\x0aevil", done.output)

    def test_records_that_list_every_time_are_compared(self):
        arguments = ["--order", ORDER, "--elements", 8, "--repeat", 3, "--all-samples"]
        self.run_program(*arguments, "--json", "old.json")
        self.write("new.json", *map(json.loads, (self.folder / "old.json").read_text().splitlines()))
        self.assertRegex(self.compare().output, r"(?m)^0 faster, 0 slower, [1-9]\d* the same$")

    def test_unpaired_cases_are_named(self):
        self.write("old.json", self.record(order=1), self.record(order=2))
        self.write("new.json", self.record(order=2), self.record(order=3))
        output = self.compare().output
        self.assertIn("only in old.json:\n  order 1\n", output)
        self.assertIn("only in new.json:\n  order 3\n", output)

    def test_files_without_a_common_case_are_refused_with_what_differs(self):
        self.write("old.json", self.record())
        self.write("new.json", self.record(order=8))
        self.assert_refused("compare", "old.json", "new.json",
                            says="new.json: has no case of old.json: they differ in order 7 and 8")

    def test_files_without_times_to_compare_are_refused(self):
        untimed = {**self.record(), "timing": {"setup_s": {"mesh": 1.0}}}
        for before, after in ((untimed, untimed), (self.record(), untimed), (untimed, self.record())):
            self.write("old.json", before)
            self.write("new.json", after)
            self.assert_refused("compare", "old.json", "new.json",
                                says="new.json: no case has times here and in old.json; accepted are records of runs that")
        self.run_program("info", "--json", "old.json")
        self.assert_refused("compare", "old.json", "old.json", says="old.json: no case has times")

    def test_bad_files_are_refused_with_their_line(self):
        self.write("old.json", self.record())
        (self.folder / "new.json").write_text(json.dumps(self.record()) + "\n{\n")
        self.assert_refused("compare", "old.json", "new.json", says="new.json:2: no JSON; accepted is one record per line")
        self.assert_refused("compare", "none.json", "old.json", says="none.json: cannot be read: No such file")
        self.assert_refused("compare", ".", "old.json", says="OLD.json .: is a folder")
        (self.folder / "new.json").write_text("")
        self.assert_refused("compare", "old.json", "new.json", says="new.json: holds no records")

    def test_both_files_must_be_named(self):
        self.assert_refused("compare", says="OLD.json: is missing; accepted is miniapp compare OLD.json NEW.json")
        self.assert_refused("compare", "old.json", says="NEW.json: is missing")
        self.assert_refused("compare", "old.json", "new.json", "more.json", says="more.json: one word too many for compare")

    def test_it_needs_no_device(self):
        self.write("old.json", self.record())
        self.write("new.json", self.record())
        hidden = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": "", "ROCR_VISIBLE_DEVICES": ""}
        self.assertIn("0 faster, 0 slower, 1 the same", self.compare(env=hidden).output)

    def test_a_busy_machine_is_warned_of(self):
        busy = {**self.record(), "waited_fraction": 0.3}
        self.write("old.json", {**self.record(), "waited_fraction": 0.04})
        self.write("new.json", busy, {**self.record(), "waited_fraction": 0.06})
        output = self.compare().output
        self.assertIn("warning: 2 records of new.json are of a busy machine: threads waited up to 30 % of their time", output)
        self.assertNotIn("of old.json", output)

    def test_clocks_that_differ_are_warned_of(self):
        def records(*clocks):
            return [{**self.record(), "device_state": {"driver": None, "clock_mhz": c, "power_state": None}} for c in clocks]

        warning = "warning: the device's clock was 1980 MHz before and 1410 MHz after"
        self.write("old.json", *records(1980, 1980, 500))
        self.write("new.json", *records(1410))
        self.assertIn(warning, self.compare().output)
        for clocks in [[1900], [None], []]:
            self.write("new.json", *(records(*clocks) or [self.record()]))
            self.assertNotIn("clock was", self.compare().output)

    def test_long_names_stay_within_the_page(self):
        cases = [{"long_" * 6 + str(key): "value_" * 5 + str(row) for key in range(3)} | {"row": row} for row in range(2)]
        self.write("old.json", *(self.record(**case) for case in cases))
        self.write("new.json", *(self.record(1.01, **case) for case in cases))
        for line in self.compare().output.splitlines():
            self.assertLessEqual(len(line), 120, line)

    def test_records_of_every_module_are_compared(self):
        path = self.folder / "old.json"
        for module, arguments in RUNS.items():
            with self.subTest(module=module):
                path.unlink(missing_ok=True)
                self.run_program(*arguments, "--json", "old.json")
                records = [json.loads(line) for line in path.read_text().splitlines()]
                self.write("new.json", *reversed(records))
                output = self.compare().output
                self.assertRegex(output, r"(?m)^0 faster, 0 slower, [1-9]\d* the same$")
                self.assertNotIn("only in", output)
                for line in output.splitlines():
                    self.assertLessEqual(len(line), 120, line)
