# SPDX-License-Identifier: BSD-3-Clause
"""miniapp report: its suite, its figures by the records of its runs, its page, and how it goes on where it stopped."""

import html.parser
import json
import pathlib
import re
import resource
import signal
import subprocess
import time
import unittest

from command import ON_DEVICE, ONE_THREAD, PROGRAM, Command
from memory_test import at_most
from on_ranks import OnRanks

SHORT = ["--size", "smoke", "--only", "bs1,airfoil,cg"]
UNITS = {"solve": "MDOF/s", "operator": "GDOF/s", "streaming": "GB/s", "indirect": "GB/s", "element-matrices": "Mmatrices/s",
         "weak-form": "Gcells/s", "AMG": "Mnnz/s"}
VOID = {"meta", "br", "hr", "img", "link", "input"}


def figure(result):
    """The figure of a run by the record that it left, by the formulas of docs/report.md."""
    case, timing, rates = result["case"], result["timing"], result["rates"]
    if result["module"] == "tensor":
        if "solve_s" in timing:
            return case["dofs"] / timing["solve_s"]["median"] / 1e6
        return case["dofs"] / timing["operator_s"]["median"] / 1e9
    if result["module"] == "streaming":
        size, seconds = result["result"]["curve"][-1]
        return size / seconds / 1e9
    if result["module"] == "elasticity":
        return case["elements"] / timing["kernel_s"]["median"] / 1e6
    if result["module"] == "weakform":
        return case["elements"] / timing["residual_s"]["median"] / 1e9
    if result["module"] == "solver" and case["pc"] == "amg":
        set_up = sum(seconds for phase, seconds in timing["setup_s"].items() if phase not in ("matrix", "slices"))
        entries = sum(level["entries"] for level in result["result"]["levels"])
        return entries / (set_up + 3 * timing["solve_s"]["median"]) / 1e6
    if result["module"] == "solver":
        return case["unknowns"] / timing["iteration_s"]["median"] / 1e9
    return rates["kernel_gbytes"]


class Balance(html.parser.HTMLParser):
    """What is wrong with the elements of a page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.wrong, self.ids, self.links, self.text = [], [], [], [], []
        self.feed(text)
        self.close()
        self.wrong += [f"{name} is not closed" for name in self.open]

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.links += [attributes["href"]] if "href" in attributes else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass  # of SVG

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes nothing at {self.getpos()}")

    def handle_data(self, data):
        self.text.append(data)


class Report(Command):
    def report(self, *arguments, code=0):
        """Output, errors and records of a report whose page is r.html."""
        done = self.start("report", *arguments, "--output", "r.html", timeout=400)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout, done.stderr, self.records()

    def records(self):
        return [json.loads(line) for line in (self.folder / "r.jsonl").read_text().splitlines()]

    @staticmethod
    def runs(records):
        """{name: record} of runs, and the figures of merit."""
        mine = [record for record in records if record["module"] == "report"]
        return ({record["case"]["name"]: record for record in mine if "fom" not in record["result"]},
                [record["result"]["fom"] for record in mine if "fom" in record["result"]])

    @staticmethod
    def others(records):
        return [record for record in records if record["module"] != "report"]


class Suite(Report):
    """The whole suite of smoke, run once."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.kept = None

    def setUp(self):
        super().setUp()
        if Suite.kept is None:
            output, errors, records = self.report("--size", "smoke")
            Suite.kept = output, errors, records, (self.folder / "r.html").read_text()
        self.output, self.errors, self.all, self.page = Suite.kept

    def test_every_figure_is_that_of_its_record(self):
        runs, _ = self.runs(self.all)
        self.assertGreater(len(runs), 15)
        for name, run in runs.items():
            if run["result"]["outcome"] == "left out":
                self.assertRegex(run["result"]["reason"], "^this build has no kernels of order [0-9]+$")
                continue
            self.assertEqual((run["result"]["outcome"], run["wrong"]), ("right", None))
            left = [record for record in self.others(self.all) if record["command"].startswith(run["case"]["command"] + " --json")]
            self.assertEqual(len(left), 1, name)
            self.assert_close(run["result"]["figure"], figure(left[0]))
            if "low" in run["result"]:
                self.assertLessEqual(run["result"]["low"], run["result"]["figure"])
                self.assertLessEqual(run["result"]["figure"], run["result"]["high"])
            if "fraction_of_bound" in run["roofs"]:
                self.assertEqual(run["roofs"]["fraction_of_bound"], left[0]["roofs"]["fraction_of_bound"])

    def test_the_last_line_is_the_figure_of_merit_of_these_runs(self):
        runs, foms = self.runs(self.all)
        line = self.output.splitlines()[-1]
        parts = {run["case"]["part"]: run["result"].get("figure") for run in runs.values() if run["case"]["part"]}
        head, *rest = line.split("; ")
        said = [tuple(head.split()[1:]), *((number, unit, part) for part, number, unit in map(str.split, rest))]
        self.assertEqual([(part, unit) for _, unit, part in said], list(UNITS.items()))
        for number, _, part in said:
            self.assertEqual(number, "-" if parts[part] is None else f"{parts[part]:.4g}", line)
        self.assertEqual(len(foms), 1)
        self.assertEqual(self.all[-1]["result"]["fom"], foms[0])
        for (part, unit), entry in zip(UNITS.items(), foms[0].values()):
            self.assertEqual((entry["figure"], entry["unit"]), (parts[part], unit))
        self.assertEqual(self.output.count("FOM"), 1)

    def test_rows_are_the_runs(self):
        runs, _ = self.runs(self.all)
        for name, run in runs.items():
            self.assertRegex(self.output, rf"(?m)^  {re.escape(name)} .* {run['result']['outcome']}")

    def test_the_page_stands_alone_and_is_whole(self):
        self.assertLess(len(self.page), 3e6)
        self.assertTrue(self.page.startswith("<!DOCTYPE html>"))
        for word in "http:", "https:", "src=", "url(", "@import", "<script", "<link", "<object", "<iframe", "javascript:":
            self.assertNotIn(word, self.page)
        page = Balance(self.page)
        self.assertEqual((page.wrong, len(page.ids)), ([], len(set(page.ids))))
        self.assertEqual(page.links, ["#" + identifier for identifier in page.ids])
        text = " ".join(page.text)
        for name, run in self.runs(self.all)[0].items():
            for words in name, run["case"]["command"], run["case"]["question"]:
                self.assertIn(words, text)
            if "figure" in run["result"]:
                self.assertIn(f"{run['result']['figure']:.4g} {run['result']['unit']}", text)

    def test_a_parser_of_html5_finds_nothing(self):
        try:
            import html5lib
        except ImportError:
            self.skipTest("needs Python's html5lib")
        html5lib.HTMLParser(strict=True).parse(self.page)

    def test_list_has_these_runs_and_runs_nothing(self):
        listed = self.start("report", "--size", "smoke", "--list").stdout.splitlines()
        commands = dict(zip(listed[0::3], (line.strip() for line in listed[2::3])))
        self.assertEqual(commands, {name: run["case"]["command"] for name, run in self.runs(self.all)[0].items()})
        self.assertFalse((self.folder / "miniapp-report.html").exists())


class Sizes(Report):
    def commands(self, size):
        listed = self.start("report", "--size", size, "--list").stdout.splitlines()
        return dict(zip(listed[0::3], (line.strip().split() for line in listed[2::3])))

    def test_larger_sizes_have_larger_cases_and_no_run_less(self):
        before = {}
        for size in "smoke", "small", "medium", "large", "full":
            commands = self.commands(size)
            self.assertLessEqual(set(before), set(commands))
            for name, words in before.items():
                for option in "--cells", "--elements", "--unknowns", "--max-bytes":
                    if option in words:
                        place = words.index(option) + 1
                        self.assertLessEqual(int(words[place]), int(commands[name][place]), f"{size} {name}")
            before = commands

    def test_vectors_are_four_times_the_last_cache(self):
        cache = pathlib.Path("/sys/devices/system/cpu/cpu0/cache")
        sizes = [path.read_text() for path in cache.glob("index*/size")]
        if not sizes or not ONE_THREAD:
            self.skipTest("the system does not say what one thread's caches are")
        largest = max(1024 * int(text.strip()[:-1]) for text in sizes if text.strip().endswith("K"))
        words = self.commands("small")["bs1"]  # of two vectors
        self.assertGreaterEqual(int(words[words.index("--max-bytes") + 1]), 2 * 4 * largest)

    def test_files_of_papers_are_those_of_the_checkout(self):
        for words in self.commands("full").values():
            if "--config" in words:
                self.assertTrue(pathlib.Path(words[words.index("--config") + 1]).exists(), words)


class GoesOn(Report):
    def test_what_was_right_is_not_run_again(self):
        _, _, first = self.report(*SHORT)
        self.assertEqual(list(self.runs(first)[0]), ["bs1", "airfoil", "cg"])
        output, _, second = self.report(*SHORT)
        self.assertEqual(second[:len(first)], first)
        self.assertEqual([record["module"] for record in second[len(first):]], ["report"])
        self.assertEqual(second[-1]["result"]["fom"], first[-1]["result"]["fom"])
        self.assertIn("3 were right in r.jsonl and are not run again", output)
        self.assertIn("-", output.splitlines()[-1].split()[1])

    def test_what_is_missing_is_run(self):
        _, _, first = self.report(*SHORT)
        kept = [record for record in first if record["case"].get("name") != "airfoil" and "fom" not in record["result"]]
        kept = [record for record in kept if record["module"] != "indirect"]
        (self.folder / "r.jsonl").write_text("".join(json.dumps(record) + "\n" for record in kept))
        _, _, second = self.report(*SHORT)
        self.assertEqual([record["module"] for record in second[len(kept):]], ["indirect", "report", "report"])
        self.assertIn("airfoil", (self.folder / "r.html").read_text())

    def test_other_programs_and_machines_do_not_count(self):
        _, _, first = self.report(*SHORT)
        for key, value in ("commit", "0123456789ab"), ("device", "another"), ("threads", 4711), ("ranks", 5):
            others = [{**record, key: value} for record in first]
            (self.folder / "r.jsonl").write_text("".join(json.dumps(record) + "\n" for record in others))
            _, _, second = self.report(*SHORT)
            self.assertEqual(len(second), 2 * len(first), key)
            self.assertEqual(second[:len(first)], others)

    def test_restart_forgets(self):
        _, _, first = self.report(*SHORT)
        _, _, second = self.report(*SHORT, "--restart")
        self.assertEqual(len(second), len(first))
        self.assertNotEqual(second, first)

    def test_a_signal_leaves_a_page_of_what_is_done(self):
        words = [PROGRAM, "report", "--size", "small", "--only", "bs1,bs2,bs3,bs4,bs5", "--output", "r.html"]
        with subprocess.Popen(words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as program:
            end = time.monotonic() + 100
            while time.monotonic() < end and not (self.folder / "r.html").exists() and program.poll() is None:
                time.sleep(0.01)
            program.send_signal(signal.SIGINT)
            _, errors = program.communicate(timeout=100)
        self.assertEqual(program.returncode, -signal.SIGINT, errors)
        runs, _ = self.runs(self.records())
        self.assertIn(len(runs), (1, 2))
        self.assertRegex(errors, rf"r.html has {len(runs)} of 5 runs; the same command goes on with the others\n"
                                 "miniapp: ended by SIGINT, after what was done until then\n")
        page = (self.folder / "r.html").read_text()
        self.assertEqual(Balance(page).wrong, [])
        self.assertIn("--bs 1 ", page)


class Outcomes(Report):
    @unittest.skipIf(ON_DEVICE, "of the host's memory")
    def test_a_run_that_fails_ends_with_1_and_the_others_are_run(self):
        words = ["report", "--only", "solve,bp1.0-p7", "--output", "r.html"]
        done = self.start(*words, **at_most(200 * 10**6, resource.RLIMIT_DATA))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        runs, foms = self.runs(self.records())
        wrong = {name for name, run in runs.items() if run["result"]["outcome"] == "WRONG"}
        self.assertEqual(wrong, {"solve"})
        self.assertRegex(done.stderr, r"\Aminiapp: solve: [^\n]*memory ran out[^\n]+\n\Z")
        for name in wrong:
            self.assertIn("memory ran out", runs[name]["wrong"])
            self.assertNotIn("figure", runs[name]["result"])
            self.assertIn(f"<strong class=\"wrong\">WRONG</strong>: {name}: ", (self.folder / "r.html").read_text())
        self.assertIsNone(foms[0]["solve"]["figure"])
        self.assertTrue(done.stdout.splitlines()[-1].startswith("FOM "))
        _, _, again = self.report("--only", "solve,bp1.0-p7")  # with enough memory: what was wrong is run again
        runs, _ = self.runs(again)
        self.assertEqual({run["result"]["outcome"] for run in runs.values()}, {"right"})

    @unittest.skipIf(ON_DEVICE, "of the host's memory")
    def test_what_does_not_fit_is_left_out_and_nothing_is_wrong(self):
        done = self.start("report", "--size", "large", "--only", "solve,cg", "--output", "r.html", **at_most(2 * 10**9))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        runs, _ = self.runs(self.records())
        for run in runs.values():
            self.assertEqual((run["result"]["outcome"], run["wrong"]), ("left out", None))
            self.assertRegex(run["result"]["reason"], "needs about .* are free")
        self.assertTrue(done.stdout.splitlines()[-1].startswith("FOM - MDOF/s solve"))
        self.assertEqual((self.folder / "r.html").read_text().count("left out: "), 2)

    def test_figures_of_machines_are_written_as_they_are_read(self):
        self.report(*SHORT, "--figures", "f.json")
        figures = json.loads((self.folder / "f.json").read_text())
        runs, _ = self.runs(self.records())
        self.assertEqual(list(figures["figures"]), list(runs))
        for name, entry in figures["figures"].items():
            self.assertEqual((entry["figure"], entry["unit"], entry["command"]),
                             (runs[name]["result"]["figure"], runs[name]["result"]["unit"], runs[name]["case"]["command"]))
        for key in "device", "commit", "threads", "ranks":
            self.assertEqual(figures[key], runs["bs1"][key])


class KnownMachines(unittest.TestCase):
    FOLDER = pathlib.Path(__file__).resolve().parents[2] / "results"

    def test_peers_belong_to_runs_and_have_their_units(self):
        listed = subprocess.run([PROGRAM, "report", "--size", "medium", "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
        for peer in json.loads((self.FOLDER / "peers.json").read_text()):
            self.assertIn(peer["run"], listed[0::3])
            self.assertGreater(peer["figure"], 0)
            self.assertEqual(set(peer), {"run", "figure", "unit", "who", "device", "date", "source"})

    def test_files_of_machines_are_whole(self):
        for path in self.FOLDER.glob("*.json"):
            if path.name in ("peers.json", "devices.json", "expected.json"):
                continue
            machine = json.loads(path.read_text())
            self.assertRegex(machine["commit"], "^[0-9a-f]{7,40}$", path.name)
            self.assertTrue(machine["machine"] and machine["figures"] and machine["date"], path.name)
            self.assertRegex(machine["command"], "^(taskset -c [0-9,-]+ )?miniapp report ", path.name)
            for name, entry in machine["figures"].items():
                self.assertLessEqual(entry.get("low", entry["figure"]), entry["figure"], name)
                self.assertTrue(entry["command"].startswith("miniapp "))


class Ranks(OnRanks):
    def test_two_ranks_make_one_report_of_the_whole_job(self):
        words = ["report", "--size", "smoke", "--only", "bs5,airfoil,amg,elasticity-p2", "--output", "r.html"]
        for again in False, True:
            done = self.launch((2, self.folder, words))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(done.stdout.count("FOM "), 1)
            records = [json.loads(line) for line in (self.folder / "r.jsonl").read_text().splitlines()]
            runs, foms = Report.runs(records)
            self.assertEqual({record["ranks"] for record in records}, {2})
            self.assertEqual(runs["elasticity-p2"]["result"]["outcome"], "left out")
            self.assertEqual({name: len([r for r in Report.others(records) if r["command"].startswith(runs[name]["case"]["command"])])
                              for name in ("bs5", "airfoil", "amg")}, {"bs5": 1, "airfoil": 1, "amg": 1})
            self.assertEqual(len(foms), 2 if again else 1)
            for record in Report.others(records):
                run = next(r for r in runs.values() if record["command"].startswith(r["case"]["command"]))
                self.assertAlmostEqual(run["result"]["figure"], figure(record), delta=1e-9 * figure(record))
        self.assertEqual(Balance((self.folder / "r.html").read_text()).wrong, [])


if __name__ == "__main__":
    unittest.main()
