# SPDX-License-Identifier: BSD-3-Clause
"""What a tool of Kokkos Tools sees: regions for the phases of a run, loops with names (docs/profiling.md)."""

import os
import unittest

from command import HIGH_ORDER, ORDERS, Command

TOOL = os.environ.get("MINIAPP_TOOL", "")
TOOL_VARIABLE = os.environ.get("MINIAPP_TOOL_VARIABLE", "KOKKOS_TOOLS_LIBS")  # as this Kokkos calls it
KERNEL = "rung1, stored"
SMALL = ["--order", ORDERS[0], "--cells", "3x2x3", "--repeat", 1]


@unittest.skipUnless(TOOL, "the tool was not built")
class Profiling(Command):
    def events(self, *arguments):
        """What happened: [(regions around it, outermost first, kind, name)] with kind "region", for, reduce or scan."""
        path = self.folder / "events"
        environment = {**os.environ, "MINIAPP_TOOL_EVENTS": str(path), TOOL_VARIABLE: TOOL}
        self.run_program(*arguments, env=environment)
        found, regions = [], []
        for line in path.read_text().splitlines():
            _, kind, name = line.split("\t")
            if kind == "pop":
                regions.pop()
                continue
            found.append((tuple(regions), "region" if kind == "push" else kind, name))
            if kind == "push":
                regions.append(name)
        self.assertEqual(regions, [], "every region ends")
        return found

    def regions(self, *arguments):
        return [(*around, name) for around, kind, name in self.events(*arguments) if kind == "region"]

    def test_the_main_job_has_a_region_for_each_phase(self):
        regions = self.regions(*SMALL, "--bp", "3.0", "--kernel", "rung1", "--preconditioner", "jacobi")
        for phase in ["mesh", "check", "numbering", "right-hand side"]:
            self.assertIn((phase,), [r[-1:] for r in regions])
        for phase in ["kernel", "jacobi", "verification", "solve", "timing"]:
            self.assertIn((KERNEL, phase), regions)
        order = [r[1] for r in regions if r[0] == KERNEL and len(r) == 2]
        self.assertEqual(order[:4], ["kernel", "jacobi", "verification", "solve"])

    def test_the_loops_of_a_solve_lie_in_its_region(self):
        events = self.events(*SMALL, "--kernel", "rung1")
        names = {name for around, kind, name in events if kind != "region" and around[:2] == (KERNEL, "solve")}
        self.assertTrue(any(name.startswith("tensor/") for name in names), names)
        self.assertTrue(any("cg" in name for name in names), names)

    def test_no_loop_is_without_a_name(self):
        for command in [
            ["--order", HIGH_ORDER or 1, *SMALL[2:], "--preconditioner", "p-multigrid" if HIGH_ORDER else "lor-amg"],
            ["streaming", "--bs", "1,3", "--max-bytes", "1M", "--repeat", 1],
            ["indirect", "--loop", "airfoil", "--elements", 500, "--kernel", "all", "--repeat", 1],
            ["weakform", "--elements", 500, "--kernel", "all", "--repeat", 1],
            ["solver", "--unknowns", 500, "--preconditioner", "amg", "--repeat", 1],
            ["elasticity", "--order", ORDERS[0], "--elements", 5, "--repeat", 1],
        ]:
            with self.subTest(command=command[0]):
                events = self.events(*command)
                loops = [(around, name) for around, kind, name in events if kind != "region"]
                self.assertTrue(loops)
                self.assertEqual([e for e in loops if "/" not in e[1] and "Kokkos" not in e[1]], [])

    def test_other_commands_verify_and_time_in_regions(self):
        for command in [
            ["streaming", "--bs", "1", "--max-bytes", "1M", "--repeat", 1],
            ["indirect", "--loop", "airfoil", "--elements", 500, "--kernel", "atomic", "--repeat", 1],
            ["elasticity", "--order", ORDERS[0], "--elements", 5, "--repeat", 1],
            ["solver", "--unknowns", 500, "--preconditioner", "amg", "--repeat", 1],
            ["weakform", "--elements", 500, "--kernel", "tiles", "--repeat", 1],
        ]:
            with self.subTest(command=command[0]):
                regions = [r[-1] for r in self.regions(*command)]
                self.assertLess(regions.index("verification"), regions.index("timing"))

    def test_loops_lie_in_regions(self):
        """But those that fill new arrays."""
        for command in [
            ["--order", ORDERS[0], *SMALL[2:], "--kernel", "all"],
            ["tune", "--order", ORDERS[0], "--elements", 8, "--repeat", 1],
            ["info"],
            ["streaming", "--bs", "1..8", "--order", ORDERS[0], "--max-bytes", "1M", "--repeat", 1],
            ["indirect", "--loop", "airfoil", "--elements", 500, "--kernel", "all", "--repeat", 1],
            ["weakform", "--elements", 500, "--kernel", "all", "--repeat", 1],
            ["weakform", "--elements", 500, "--solve"],
            ["solver", "--unknowns", 500, "--preconditioner", "none,amg", "--repeat", 1],
            ["elasticity", "--order", ORDERS[0], "--elements", 5, "--repeat", 1],
            ["elasticity", "--solve", "--order", ORDERS[0], "--cells", "4x1x1", "--repeat", 1],
        ]:
            with self.subTest(command=command):
                outside = {name for around, kind, name in self.events(*command) if kind != "region" and not around}
                self.assertEqual({name for name in outside if "Kokkos" not in name}, set())

    def test_what_is_measured_of_the_machine_lies_in_one_region(self):
        for command in [["info"], ["weakform", "--elements", 500, "--repeat", 1]]:
            of_machine = [(around, name) for around, kind, name in self.events(*command) if name.startswith("measure/")]
            self.assertTrue(of_machine)
            self.assertEqual({around[-1:] for around, _ in of_machine}, {("roofs",)})

    def test_each_of_several_kernels_has_a_region(self):
        for command, expected in [
            ([*SMALL, "--kernel", "rung1,rung2"], ["rung1, stored", "rung2, stored"]),
            (["indirect", "--elements", 500, "--kernel", "atomic,owner", "--repeat", 1], ["atomic, none", "owner, none"]),
            (["weakform", "--elements", 500, "--kernel", "cells,tiles", "--repeat", 1], ["cells, none", "tiles, none"]),
            (["solver", "--unknowns", 500, "--cg", "fused,pipelined", "--repeat", 1], ["fused, none", "pipelined, none"]),
            (["elasticity", "--order", ORDERS[0], "--elements", 5, "--kernel", "reg-jac,shm-jac", "--repeat", 1],
             ["reg-jac", "shm-jac"]),
        ]:
            with self.subTest(command=command):
                regions = self.regions(*command)
                for kernel in expected:
                    self.assertEqual(regions.count((kernel,)), 1, regions)
                    self.assertIn((kernel, "timing"), regions)
        regions = self.regions("solver", "--unknowns", 500, "--preconditioner", "amg", "--repeat", 1)
        self.assertIn(("classic, amg", "solve"), regions)

    def test_tune_sets_each_kernel_up_verifies_it_and_times_it(self):
        regions = self.regions("tune", "--order", ORDERS[0], "--elements", 8, "--repeat", 1)
        kernels = {r for r in regions if r[0].endswith((", computed", ", stored")) and len(r) == 1}
        self.assertTrue(kernels)
        for kernel in kernels:
            self.assertEqual([r[1] for r in regions if r[:1] == kernel and len(r) == 2][:3], ["kernel", "verification", "timing"])

    def test_streaming_numbers_nodes_in_a_region(self):
        regions = self.regions("streaming", "--bs", "7,8", "--order", ORDERS[0], "--cells", 2, "--repeat", 1)
        self.assertEqual([r for r in regions if r != ("roofs",)],
                         [("numbering",), *[("kernel",), ("verification",), ("timing",)] * 2])

    def test_the_solver_has_a_region_for_each_phase_and_solve(self):
        regions = self.regions("solver", "--unknowns", 500, "--preconditioner", "amg", "--repeat", 2)
        record = self.record_of("solver", "--unknowns", 500, "--preconditioner", "amg", "--repeat", 2)
        for phase in record["timing"]["setup_s"]:
            self.assertIn(phase.replace("_", " "), [r[-1] for r in regions])
        self.assertEqual(regions.count(("classic, amg", "solve")), 2)
