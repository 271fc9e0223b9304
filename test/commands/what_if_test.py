# SPDX-License-Identifier: BSD-3-Clause
"""miniapp report --what-if and --check: other devices by the records of this one, and values that are expected."""
import json
import pathlib
import re

from command import ORDERS, Command, seconds
from report_test import Balance

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "results"
SMALL = "--bp", "3.5", "--order", ORDERS[-1], "--elements", 8, "--no-solve", "--repeat", 1


def projected(record, memory, fma):
    """Seconds there, by docs/what_if.md: the part of the bound is kept. GB/s and GFLOP/s."""
    roofs = record["roofs"]
    bound = max(roofs["least_bytes"] / memory * 1e-9, 2 * roofs["multiplications"] / fma * 1e-9)
    return bound / roofs["fraction_of_bound"]


def rows(text):
    """{operation: cells} of the table."""
    lines = [re.split(r"\s{2,}", line.strip()) for line in text.split("\n") if re.match(r"  \S", line)]
    return {line[0]: dict(zip(lines[0], line)) for line in lines[1:] if len(line) >= 6}


class Elsewhere(Command):
    def setUp(self):
        super().setUp()
        self.kept = [self.record_of(*SMALL, "--geometry", geometry) for geometry in ("computed", "stored")]
        (self.folder / "kept.jsonl").write_text("".join(json.dumps(record) + "\n" for record in self.kept))

    def on(self, device):
        return self.run_program("report", "--what-if", device, "--records", "kept.jsonl").output

    def test_times_follow_from_rates_that_are_given(self):
        text = self.on("bandwidth=1000,fma=300")
        for record in self.kept:
            case = record["case"]
            (row,) = [row for name, row in rows(text).items() if name.endswith(f"{case['kernel']}, {case['geometry']}")]
            self.assertEqual(row["there"], seconds(projected(record, 1000, 300)))
            self.assertEqual(row["% bound"], f"{100 * record['roofs']['fraction_of_bound']:.0f}")
        self.assertIn("as given: bandwidth=1000, fma=300", " ".join(text.split()))

    def test_a_device_has_a_share_of_its_sheet(self):
        table = json.loads((RESULTS / "devices.json").read_text())
        sheet = next(device for device in table["devices"] if device["name"] == "grace")
        memory, fma = table["shares"]["memory"] * sheet["memory_gbytes"][0], table["shares"]["arithmetic"] * sheet["fp64_gflops"][0]
        found = {row["there"] for row in rows(self.on("grace")).values()}
        self.assertEqual(found, {seconds(projected(record, memory, fma)) for record in self.kept})

    def test_what_saves_multiplications_wins_where_they_are_slow(self):
        memory, arithmetic = self.on("bandwidth=1,fma=1e9"), self.on("bandwidth=1e9,fma=1")
        self.assertIn("by the bound alone computed", " ".join(memory.split()))
        self.assertIn("by the bound alone stored", " ".join(arithmetic.split()))

    def test_a_report_says_it_on_its_page(self):
        done = self.run_program("report", "--size", "smoke", "--only", "bs1,cg,airfoil", "--what-if", "h200")
        self.assertRegex(done.output, r"(?m)^projected FOM - MDOF/s solve; .*indirect [\d.]+")
        self.assertEqual(done.output.strip().split("\n")[-1][:4], "FOM ")
        page = (self.folder / "miniapp-report.html").read_text()
        balance = Balance(page)
        self.assertEqual(balance.wrong, [])
        self.assertIn("what-if", balance.ids)
        self.assertIn("What if: NVIDIA H200 141GB SXM", page)


class Expected(Command):
    TABLE = json.loads((RESULTS / "expected.json").read_text())["entries"]

    def test_every_command_of_the_table_is_run(self):
        for size in "small", "medium":
            listed = self.run_program("report", "--check", "--size", size, "--list").output
            commands = dict.fromkeys(entry["command"] for entry in self.TABLE if entry["size"] == size)
            self.assertEqual(re.findall(r"    miniapp (.*)", listed), list(commands))

    def test_named_inputs_are_as_expected(self):
        done = self.run_program("report", "--check", "--only", "indirect-1,solver-1,weakform-2")
        self.assertEqual(len(re.findall(r"right$", done.output, flags=re.MULTILINE)), 3, done.output)
        self.assertNotIn("FOM", done.output)
        self.assertIn("Expected values", (self.folder / "miniapp-check.html").read_text())

    def test_a_changed_value_is_named(self):
        command = "solver --matrix poisson2d --unknowns 10k --preconditioner none,jacobi --repeat 1"
        records = self.records_of(*command.split())
        (entry,) = [entry for entry in self.TABLE if entry["command"] == command and entry["case"]["pc"] == "jacobi"]
        expected, deviation = entry["values"]["result.iterations"]
        for change, code in ((deviation, 0), (deviation + 1, 1)):
            records[1]["result"]["iterations"] = round(expected + change)
            (self.folder / "changed.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
            done = self.start("report", "--check", "--records", "changed.jsonl")
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertIn(f"of 2 records compared, {code} not as expected", done.stdout)
        message = f"{entry['name']}: result.iterations is {round(expected + deviation + 1)}, expected {expected} +- {deviation:.3g}"
        self.assertIn(message, done.stdout)
        self.assertIn(message, done.stderr)
