# SPDX-License-Identifier: BSD-3-Clause
"""What every record holds, whichever command wrote it; and options in a file are options of the command line."""

import contextlib
import datetime
import json
import os
import re
import threading
import time
import unittest

from command import ON_DEVICE, ORDERS, Command, device_of, pages, tables
from on_ranks import OnRanks

ORDER = ORDERS[0]
COMMANDS = {
    "tensor": ["--order", ORDER, "--elements", 27, "--verify-only"],
    "streaming": ["streaming", "--bs", 1, "--max-bytes", "4k", "--samples", 2, "--repeat", 1],
    "solver": ["solver", "--unknowns", 100, "--repeat", 1],
    "indirect": ["indirect", "--elements", 100, "--kernel", "atomic", "--repeat", 1, "--iterations", 1],
    "weakform": ["weakform", "--elements", 100, "--verify-only"],
}
ALL = dict(COMMANDS)
if ORDER <= 7:  # measures roofs, which takes a while
    ALL["elasticity"] = ["elasticity", "--order", ORDER, "--elements", 2, "--verify-only", "--kernel", "products"]


class Provenance(Command):
    def test_a_record_says_what_ran_where_and_when(self):
        version, commit = self.run_program("--version").output.strip().split(", commit ")
        for module, arguments in ALL.items():
            begin = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
            record = self.record_of(*arguments)
            end = datetime.datetime.now(datetime.timezone.utc)
            self.assertEqual(record["schema"], 2)
            self.assertEqual(record["module"], module)
            self.assertEqual(record["command"], " ".join(map(str, ["miniapp", *arguments, "--json", "record.json"])))
            self.assertEqual((record["version"], record["commit"]), (version, commit))
            self.assertRegex(record["commit"], r"^[0-9a-f]{7,40}|unknown")
            self.assertGreaterEqual(record["threads"], 1)
            self.assertEqual(record["ranks"], 1)
            date = datetime.datetime.strptime(record["date"], "%Y-%m-%dT%H:%M:%S%z")
            self.assertTrue(begin <= date <= end, (begin, date, end))
            for key in "compiler", "flags", "device":
                self.assertTrue(record[key])
            self.assertTrue(record["kokkos"]["version"])
            self.assertTrue(record["kokkos"]["backends"])
            for key in "case", "verification":
                self.assertTrue(record[key])

    def test_the_page_names_the_same_device(self):
        outcome = self.run_program(*COMMANDS["tensor"], "--json", "record.json")
        record = outcome.record
        self.assertEqual(
            pages(outcome.output)[0][1]["device"],
            f"{device_of(record)}, {record['kokkos']['backends'][0]}, Kokkos {record['kokkos']['version']}, "
            "double precision",
        )

    def test_records_are_added_to_a_file(self):
        for module, arguments in COMMANDS.items():
            for _ in range(2):
                self.assertEqual(self.start(*arguments, "--json", "all.json").returncode, 0)
        lines = (self.folder / "all.json").read_text().split("\n")
        self.assertEqual(lines.pop(), "")
        self.assertEqual(
            [re.search(r'"module":"(\w+)"', line)[1] for line in lines], [m for m in COMMANDS for _ in range(2)]
        )

    def test_a_run_without_json_leaves_no_file(self):
        for arguments in COMMANDS.values():
            self.run_program(*arguments)
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_words_of_a_shell_are_quoted(self):
        record = self.start(*COMMANDS["tensor"], "--json", "it's a file.json")
        self.assertEqual(record.returncode, 0)
        self.assertIn(r"--json 'it'\''s a file.json'",
                      (self.folder / "it's a file.json").read_text().replace("\\\\", "\\"))


class ConfigFile(Command):
    def same(self, options, section=None, repeat=()):
        """A file of options gives what the command line gives; returns the record."""
        words = [
            word for key, value in options.items() for word in ([f"--{key}"] if value is True else [f"--{key}", value])
        ]
        by_words = self.record_of(*([section] if section else []), *words)
        text = f"[{section}]\n" if section else ""
        for key, value in options.items():
            text += f"{key} = {str(value).lower() if isinstance(value, (bool, int, float)) else repr(value)}\n"
        (self.folder / "run.toml").write_text(text + ('json = "record.json"\n' if section else ""))
        by_file = self.run_program(
            "--config", "run.toml", *([section] if section else ["--json", "record.json"])
        ).record
        self.assertEqual(by_file["case"], by_words["case"])
        for key in "iterations", "l2_error", "relative_residual", "entries", "block_colours", "reuse_factor", "plan":
            self.assert_repeated(by_file.get("result", {}).get(key), by_words.get("result", {}).get(key))
        return by_file

    def test_the_main_job(self):
        options = {
            "bp": "3.5", "order": ORDER, "cells": "2x3x4", "deform": 0.05, "lambda": 2.5, "rhs": "random",
            "boundary": "neumann", "tolerance": 1e-6, "max-iterations": 500, "preconditioner": "jacobi",
            "cg": "classic", "assembly": "staged", "geometry": "stored", "precision": "double", "repeat": 2,
            "quiet": True,
        }
        case = self.same(options)["case"]
        self.assertEqual((case["box"], case["lambda"], case["rhs"], case["boundary"]),
                         ([2, 3, 4], 2.5, "random", "neumann"))
        self.assertEqual((case["deform"], case["tolerance"], case["max_iterations"]), (0.05, 1e-6, 500))
        self.assertTrue(self.same({"order": ORDER, "elements": 27, "verify-only": True})["case"]["verify_only"])
        self.assertTrue(self.same({"order": ORDER, "elements": 27, "no-solve": True})["case"]["no_solve"])

    def test_streaming(self):
        case = self.same(
            {
                "bs": "8", "order": 2, "cells": "2x3x1", "boundary": "dirichlet", "indexing": "nodes",
                "numbering": "random", "precision": "single", "repeat": 3, "iterations": 2,
            },
            "streaming",
        )["case"]
        self.assertEqual(
            (case["bs"], case["mask"], case["layout"], case["numbering"], case["precision"], case["repeat"]),
            (8, "dirichlet", "nodes", "random", "single", 3),
        )

    def test_solver(self):
        case = self.same(
            {
                "matrix": "poisson3d", "unknowns": "1k", "cg": "fused", "preconditioner": "amg", "rhs": "random",
                "precision": "double", "tolerance": 1e-6, "max-iterations": 200, "amg-aggregation": "mis2",
                "amg-cycle": "v", "amg-strength": 0.1, "amg-precision": "double", "smoother": "jacobi",
                "smoother-sweeps": 1, "repeat": 1,
            },
            "solver",
        )["case"]
        self.assertEqual(
            (case["matrix"], case["unknowns"], case["pc"], case["rhs"], case["smoother"], case["amg_strength"]),
            ("poisson3d", 1000, "amg", "random", "jacobi", 0.1),
        )

    def test_indirect(self):
        case = self.same(
            {
                "loop": "euler-flux", "elements": "300", "shuffle": True, "kernel": "hierarchical", "reorder": "gps",
                "layout": "soa", "block-size": 64, "in-block": "gather", "write-back": "atomic",
                "staging": "increments", "iterations": 2, "repeat": 1,
            },
            "indirect",
        )["case"]
        self.assertEqual((case["loop"], case["shuffled"], case["strategy"], case["block_size"]),
                         ("euler-flux", True, "hierarchical", 64))

    def test_weakform(self):
        case = self.same(
            {
                "form": "neo-hookean", "dim": 2, "elements": "300", "shuffle": True, "kernel": "transposed",
                "precision": "single", "reorder": "rcm", "blocks": 2, "batches": 3, "repeat": 1,
            },
            "weakform",
        )["case"]
        self.assertEqual(
            (case["form"], case["dim"], case["shuffled"], case["strategy"], case["blocks"], case["batches"]),
            ("neo-hookean", 2, True, "transposed", 2, 3),
        )

    def test_elasticity(self):
        if ORDER > 7:
            self.skipTest("needs an order up to 7")
        case = self.same(
            {
                "order": ORDER, "elements": 3, "young": 2.0, "poisson": 0.25, "vary": True, "perturb": 0.05,
                "kernel": "products", "precision": "single", "verify-only": True,
            },
            "elasticity",
        )["case"]
        self.assertEqual((case["young"], case["poisson"], case["vary"], case["precision"]), (2, 0.25, True, "single"))
        self.assertEqual((case["deform"], case["variant"]), (0.05, "products"))

    def test_the_command_line_goes_before_the_file(self):
        (self.folder / "run.toml").write_text(f"order = {ORDER}\nelements = 27\ndeform = 0.03\nverify-only = true\n")
        case = self.record_of("--config", "run.toml", "--deform", 0.06)["case"]
        self.assertEqual((case["deform"], case["elements"]), (0.06, 27))


class Samples(Command):
    RUNS = {
        "tensor": (["--order", ORDER, "--elements", 27, "--repeat", 4], ["kernel_s", "operator_s"], 4),
        "solver": (["solver", "--unknowns", 100, "--repeat", 3], ["solve_s", "spmv_s"], 3),
        "indirect": (["indirect", "--elements", 100, "--repeat", 3], ["kernel_s"], 3),
        "weakform": (["weakform", "--elements", 100, "--repeat", 3], ["residual_s", "jacobian_s"], 3),
    }

    def test_all_samples_are_in_records_on_request(self):
        for name, (arguments, keys, repetitions) in self.RUNS.items():
            with self.subTest(command=name):
                timing = self.record_of(*arguments, "--all-samples")["timing"]
                for key in keys:
                    times = timing[key]["all"]
                    self.assertEqual(len(times), repetitions)
                    self.assertEqual((min(times), max(times)), (timing[key]["min"], timing[key]["max"]))
                    middle = sorted(times)[(repetitions - 1) // 2 : repetitions // 2 + 1]
                    self.assert_close(timing[key]["median"], sum(middle) / len(middle))
                timing = self.record_of(*arguments)["timing"]
                for key in keys:
                    self.assertNotIn("all", timing[key])

    def test_those_of_each_kernel_are_in_records_of_tune_on_request(self):
        arguments = ["tune", "--order", ORDER, "--elements", 8, "--repeat", 2]
        for options, listed in ([], 0), (["--all-samples"], 2):
            for record in self.records_of(*arguments, *options):
                for kernel in record["result"]["measured"]:
                    self.assertEqual(len(kernel["operator_s"].get("all", [])), listed)


@contextlib.contextmanager
def powercap(folder):
    """The environment of a run beside a counter that grows by 40 W."""
    zone = folder / "powercap" / "intel-rapl:0"
    zone.mkdir(parents=True, exist_ok=True)
    (zone / "name").write_text("package-0\n")
    (zone / "max_energy_range_uj").write_text("262143328850\n")
    counter = zone / "energy_uj"
    counter.write_text("0\n")
    done = threading.Event()

    def count():
        start = time.monotonic()
        while not done.wait(0.01):
            new = zone / "new"
            new.write_text(f"{40e6 * (time.monotonic() - start):.0f}\n")
            new.replace(counter)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        yield {**os.environ, "MINIAPP_POWERCAP": str(zone.parent)}
    finally:
        done.set()
        thread.join()


@unittest.skipIf(ON_DEVICE, "a GPU has its own counter")
class EnergyOnRanks(OnRanks):
    def test_joules_are_those_of_all_ranks(self):
        with powercap(self.folder) as environment:
            done = self.launch((2, self.folder, ["--order", ORDER, "--elements", 64, "--no-solve", "--repeat", 3,
                                                 "--energy", "--json", "record.json"]), env=environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        record = json.loads((self.folder / "record.json").read_text())
        times = record["timing"]["operator_s"]
        self.assertTrue(4 * times["min"] < times["joules"] < 800 * times["max"], times)
        self.assertIn(f"{record['rates']['operator_dofs_per_joule']:.3g} DOF/J", pages(done.stdout)[1][1]["energy"])


@unittest.skipIf(ON_DEVICE, "a GPU has its own counter")
class Energy(Command):
    def with_counter(self, *arguments):
        with powercap(self.folder) as environment:
            return self.run_program(*arguments, "--energy", "--json", "record.json", env=environment)

    def test_joules_are_those_of_the_packages(self):
        outcome = self.with_counter("--order", ORDER, "--elements", 64, "--repeat", 3, "--rhs", "random")
        record, page = outcome.record, pages(outcome.output)[1][1]
        dofs, rates, timing = record["case"]["dofs"], record["rates"], record["timing"]
        for sample in "kernel_s", "operator_s", "cg_iteration_s":
            self.assertGreater(timing[sample]["joules"], 0)
        self.assert_close(rates["operator_dofs_per_joule"], dofs / timing["operator_s"]["joules"])
        self.assert_close(rates["cg_dofs_per_joule"], dofs / timing["cg_iteration_s"]["joules"])
        solution = record["result"]["iterations"] * timing["cg_iteration_s"]["joules"]
        self.assertIn(f"; {solution:.3g} J for the solution", page["energy"])
        self.assertIn(f"{rates['operator_dofs_per_joule']:.3g} DOF/J", page["energy"])

    def test_every_module_has_the_joules_of_what_it_times(self):
        runs = {
            "the main job": (["--order", ORDER, "--elements", 64, "--no-solve", "--repeat", 5],
                             ["kernel_s", "operator_s"]),
            "indirect": (["indirect", "--elements", 100, "--kernel", "serial", "--repeat", 5], ["kernel_s"]),
            "weakform": (["weakform", "--elements", 100, "--kernel", "transposed", "--repeat", 5],
                         ["residual_s", "jacobian_s", "kernel_s"]),
            "solver": (["solver", "--unknowns", 400, "--repeat", 5], ["spmv_s", "iteration_s", "solve_s"]),
            "multigrid": (["solver", "--unknowns", 400, "--preconditioner", "amg", "--repeat", 5],
                          ["spmv_s", "iteration_s", "solve_s"]),
        }
        if ORDER <= 7:
            prisms = ["--order", ORDER, "--repeat", 5, "--kernel", "products"]
            runs["elasticity"] = (["elasticity", "--elements", 4, *prisms], ["kernel_s"])
            runs["cantilever"] = (["elasticity", "--solve", "--cells", "2x1x1", *prisms], ["operator_s", "cg_iteration_s"])
        for name, (arguments, samples) in runs.items():
            with self.subTest(run=name):
                for record in self.with_counter(*arguments).records:
                    for sample in samples:
                        times = record["timing"][sample]  # with 40 W, on a machine that may be busy meanwhile
                        self.assertTrue(4 * times["min"] < times["joules"] < 800 * times["max"], (sample, times))

    def test_those_of_streaming_are_of_the_largest_size(self):
        arguments = ["streaming", "--bs", "0,1,7", "--order", 1, "--max-bytes", "64k", "--samples", 3, "--repeat", 1]
        outcome = self.with_counter(*arguments, "--wide")
        for record, row in zip(outcome.records, tables(outcome.output)[0], strict=True):
            result, rates = record["result"], record["rates"]
            self.assertEqual(["joules" in times for times in result["times"]], [False] * (len(result["times"]) - 1) + [True])
            per_joule = 1e-9 * result["curve"][-1][0] / result["times"][-1]["joules"]
            self.assert_close(rates["largest_gbytes_per_joule"], per_joule)
            self.assertEqual(row["GB/J"], f"{per_joule:.3g}" if per_joule > 0 else "-")

    def test_without_a_counter_nothing_is_said_of_energy(self):
        environment = {**os.environ, "MINIAPP_POWERCAP": str(self.folder)}
        outcome = self.run_program("--order", ORDER, "--elements", 64, "--repeat", 1, "--json", "record.json", env=environment)
        self.assertNotIn("energy", pages(outcome.output)[1][1])
        self.assertNotIn("joules", outcome.record["timing"]["operator_s"])
        self.assertNotIn("operator_dofs_per_joule", outcome.record["rates"])
