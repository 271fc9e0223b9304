# SPDX-License-Identifier: BSD-3-Clause
"""Expressions of benchpark's and ReFrame's recipes, applied to pages of the program, give the values of its records."""
import json
import os
import re
import subprocess
import tempfile
import types
import unittest

from fake import PACKAGING, execute, ramble_application

PROGRAM = os.environ["MINIAPP_PROGRAM"]
ORDER = os.environ["MINIAPP_ORDERS"].split(";")[-1]
SOLVE = ("--bp", "3.0", "--order", ORDER, "--elements", "27", "--preconditioner", "auto", "--repeat", "2")
STREAM = ("streaming", "--bs", "1..5", "--samples", "3", "--max-bytes", "100k", "--repeat", "1")


def run(*words):
    """(page, records)"""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "records.json")
        page = subprocess.run([PROGRAM, *words, "--json", file], capture_output=True, text=True, check=True).stdout
        with open(file, encoding="utf-8") as lines:
            return page, [json.loads(line) for line in lines]


HAS_REPORT = "  report " in subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=True).stdout


def figures(page):
    """(figure of merit): its text, found line by line, as Ramble does."""
    found = {}
    for (name,), options in ramble_application()["figure_of_merit"]:
        for line in page.splitlines():
            match = re.match(options["fom_regex"], line)
            if match:
                assert name not in found, name
                found[name] = match["fom"]
    return found


def of_record(r, stream):
    """(figure of merit): its value in the records of both pages."""
    rates, result = r["rates"], r["result"]
    return {
        "unknowns solved": r["case"]["dofs"] / r["timing"]["solve_s"]["median"] / 1e6,
        "operator": rates["operator_gdofs"],
        "fraction of the bound": 100 * r["roofs"]["fraction_of_bound"],
        "CG iteration": rates["cg_gdofs"],
        "kernel": rates["kernel_gflops"],
        "iterations": result["iterations"],
        "L2 error": result["l2_error"],
        "copy": stream["roofs"]["copy_gbytes"],
    }


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (cls.solve, (record,)), (cls.stream, (first, *_)) = run(*SOLVE), run(*STREAM)
        cls.values = of_record(record, first)

    def assert_value(self, name, text, expected):
        half_of_last = 0.5 if re.fullmatch(r"\d+", text) else 0.006 * abs(expected)  # of whole numbers, of three digits
        self.assertAlmostEqual(float(text), expected, delta=half_of_last, msg=name)

    def test_benchparks_figures_of_merit(self):
        calls, found = ramble_application(), figures(self.solve + self.stream)
        self.assertEqual({name for (name,), _ in calls["figure_of_merit"] if not name.startswith("FOM")}, self.values.keys())
        self.assertEqual(found.keys(), self.values.keys())
        for name, text in found.items():
            self.assert_value(name, text, self.values[name])

    @unittest.skipUnless(HAS_REPORT, "this program has no report")
    def test_benchparks_figures_of_the_report(self):
        with tempfile.TemporaryDirectory() as folder:
            page = subprocess.run([PROGRAM, "report", "--size", "smoke", "--output", f"{folder}/report.html"],
                                  capture_output=True, text=True, check=True).stdout
        (line,) = re.findall("^FOM .*", page, re.MULTILINE)
        values = dict(re.findall(r"; ([\w-]+) ([-.e+\d]+)", line)) | {"": line.split()[1]}
        self.assertNotEqual(values[""], "-")
        self.assertEqual({name[4:]: value for name, value in figures(page).items() if name.startswith("FOM")},
                         {name: value for name, value in values.items() if value != "-"})  # a part that was left out

    def test_benchparks_criterion_of_success(self):
        match = re.compile(ramble_application()["success_criteria"][0][1]["match"])
        for page in (self.solve, self.stream):
            self.assertTrue(any(match.search(line) for line in page.splitlines()))
        self.assertFalse(any(match.search(line.replace("right", "WRONG")) for line in self.solve.splitlines()))

    def test_benchparks_commands_are_those_of_the_program(self):
        calls = ramble_application()
        defaults = {args[0]: options["default"] for args, options in calls["workload_variable"]}
        for (name, command), _ in calls["executable"]:
            if name == "report" and not HAS_REPORT:
                continue
            words = command.format(experiment_run_dir="/nowhere", **defaults).split()
            refused = subprocess.run([PROGRAM, *words[1:]], capture_output=True, text=True)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("/nowhere/", refused.stderr)  # the last thing that is wrong

    def test_reframes_expressions(self):
        test = reframe_test(self.solve)
        self.assertTrue(test.is_right())
        for name, key in (("solution", "unknowns solved"), ("operator", "operator"), ("bound", "fraction of the bound")):
            value = getattr(test, name)()
            self.assertAlmostEqual(value, self.values[key], delta=max(0.5 if name == "bound" else 0, 0.006 * self.values[key]))
        self.assertFalse(reframe_test(self.solve.replace(": right", ": WRONG")).is_right())


def reframe_test(page):
    """The test of ReFrame's recipe with this output, by the functions of its deferrable library that it uses."""
    plain = {
        "all": all,
        "assert_found": lambda regex, text: re.search(regex, text, re.MULTILINE) is not None,
        "assert_lt": lambda a, b: a < b,
        "extractsingle": lambda regex, text, group, kind: kind(re.search(regex, text, re.MULTILINE)[group]),
    }
    same = lambda *_, **__: lambda function: function
    names = {"parameter": list, "variable": lambda kind, value: value, "performance_function": same, "run_before": same,
             "sanity_function": lambda function: function}
    found = execute(PACKAGING / "reframe/miniapp_check.py", {
        "reframe": {"simple_test": lambda kind: kind, "RunOnlyRegressionTest": object},
        "reframe.utility": {"sanity": types.SimpleNamespace(**plain)},
        "reframe.utility.sanity": plain,
        "reframe.core.builtins": names,
    })
    test = found["MiniappSolve"]()
    test.stdout, test.order = page, 1
    return test


if __name__ == "__main__":
    unittest.main()
