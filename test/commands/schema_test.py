# SPDX-License-Identifier: BSD-3-Clause
"""docs/record.schema.json describes the records of every module, and refuses what is none."""

import copy
import json
import os
import pathlib
import socket

from command import HIGH_ORDER, ON_DEVICE, ORDERS, Command
from json_schema import Schema
from records_test import ALL

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = Schema(json.loads((ROOT / "docs" / "record.schema.json").read_text()))
ORDER = ORDERS[0]
TENSOR = ["--order", ORDER, "--elements", 27, "--repeat", 1]
RUNS = {
    **{f"{module}, shortly": arguments for module, arguments in ALL.items()},
    "tensor, all kernels": [*TENSOR, "--kernel", "all"],
    "tensor, low-order matrix": [*TENSOR, "--preconditioner", "lor-amg"],
    "tensor, low-order factors": [*TENSOR, "--preconditioner", "lor-ilu"],
    "streaming, on meshes": ["streaming", "--bs", "1,6,7", "--order", ORDER, "--max-bytes", "64k", "--samples", 3],
    "indirect, all strategies": ["indirect", "--elements", 200, "--kernel", "all", "--repeat", 1],
    "solver": ["solver", "--unknowns", 400, "--preconditioner", "none,jacobi,amg,ilu0-chow-patel", "--repeat", 1],
    "weakform": ["weakform", "--elements", 200, "--kernel", "all", "--repeat", 1],
    "weakform, solved": ["weakform", "--elements", 200, "--solve"],
    "tune": ["tune", "--order", ORDER, "--elements", 8, "--repeat", 1],
    "info": ["info"],
    "report": ["report", "--size", "smoke", "--only", "bs1,solve"],
}
if HIGH_ORDER:
    solver = ["--preconditioner", "p-multigrid", "--compare-jacobi"]
    RUNS["tensor, multigrid over orders"] = ["--order", HIGH_ORDER, "--elements", 27, "--repeat", 1, *solver]
if ORDER <= 7:
    RUNS["elasticity"] = ["elasticity", "--order", ORDER, "--elements", 2, "--kernel", "products", "--repeat", 1]
    wing = pathlib.Path(__file__).resolve().parents[2] / "inputs" / "meshes" / "wing.msh"
    RUNS["body"] = ["elasticity", "--solve", "--order", ORDER, "--mesh", wing, "--held", "root", "--pressure", "tip=1", "--repeat", 1]
    RUNS["cantilever"] = ["elasticity", "--solve", "--order", ORDER, "--cells", "2x1x1", "--preconditioner", "amg"]


class Schemas(Command):
    def test_records_of_every_module_are_valid(self):
        modules = set()
        for name, arguments in RUNS.items():
            with self.subTest(run=name):
                for record in self.records_of(*arguments):
                    self.assertEqual(SCHEMA.errors(record), [])
                    modules.add(record["module"])
        known = set(SCHEMA.root["properties"]["module"]["enum"])
        self.assertEqual(modules, known if ORDER <= 7 else known - {"elasticity"})

    def test_what_is_no_record_is_not_valid(self):
        record = self.record_of(*TENSOR)

        def errors(change):
            changed = copy.deepcopy(record)
            change(changed)
            return SCHEMA.errors(changed)

        self.assertEqual(errors(lambda r: None), [])
        for change in [lambda r: r.pop("hostname"), lambda r: r.pop("case"), lambda r: r["case"].pop("kernel"),
                       lambda r: r.update(date="today"), lambda r: r.update(schema=1), lambda r: r.update(more=1),
                       lambda r: r["timing"]["setup_s"].update({"right-hand side": 1.0}),
                       lambda r: r["timing"].update(kernel=1.0), lambda r: r["timing"]["kernel_s"].pop("median"),
                       lambda r: r["timing"]["kernel_s"].update(min=-1), lambda r: r["rates"].update(kernel_gflops="1"),
                       lambda r: r["verification"].update(passed=None), lambda r: r.update(waited_fraction=2),
                       lambda r: r["result"].update({"A b": 1})]:
            self.assertEqual(len(errors(change)), 1, errors(change))

    def test_records_name_the_host_and_the_libraries(self):
        record = self.record_of(*TENSOR, "--no-solve")
        self.assertEqual(record["hostname"], socket.gethostname())
        has_metis = self.start(*TENSOR, "--reorder", "metis", "--verify-only").returncode == 0
        self.assertRegex(record["libraries"]["metis"] or "none", r"^\d+\.\d+\.\d+$" if has_metis else "^none$")
        says_nothing = "" if pathlib.Path("/usr/include/trilinos/Trilinos_version.h").exists() else "|unknown"
        self.assertRegex(record["libraries"]["kokkos_kernels"] or "none", rf"^((of Trilinos )?\d+\.\d+.*|none{says_nothing})$")
        self.assertRegex(record["libraries"]["mpi"] or "none", r"\d+\.\d+" if os.environ["MINIAPP_MPIEXEC"] else "^none$")

    def test_records_name_the_runtime_of_a_gpu(self):
        record = self.record_of(*TENSOR, "--no-solve")
        runtime = record["device_state"]["runtime"]
        self.assertRegex(runtime or "none", r"^(CUDA|HIP) \d+\.\d+$" if ON_DEVICE else "^none$")

    def test_the_affinity_is_that_of_the_process(self):
        if not hasattr(os, "sched_getaffinity"):
            self.skipTest("no affinity here")
        own = min(os.sched_getaffinity(0))
        record = self.record_of(*TENSOR, "--no-solve", preexec_fn=lambda: os.sched_setaffinity(0, {own}))
        self.assertEqual(record["affinity"], str(own))

    def test_each_record_has_its_own_date(self):
        first, second = self.records_of("solver", "--unknowns", "100,1M", "--no-solve", "--repeat", 300)
        self.assertLess(first["date"], second["date"])  # the second takes more than a second
