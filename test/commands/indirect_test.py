# SPDX-License-Identifier: BSD-3-Clause
"""Plans and lists of loops: invalid ones are rejected before anything runs, and valid plans are the same when loaded."""
import os
import random
import resource
import struct
import unittest

from files_test import MESH, Files

QUADS = ["indirect", "--mesh", "quads.msh", "--repeat", 1]
SMALL = ["indirect", "--elements", 40, "--repeat", 1]
STRATEGIES = [["staged"], ["global"], ["owner", "--block-size", 4],
              ["hierarchical", "--block-size", 8], ["hierarchical", "--block-size", 8, "--in-block", "gather", "--write-back", "atomic"]]


def checksum(data):
    value = 14695981039346656037
    for byte in data:
        value = ((value ^ byte) * 1099511628211) & 0xffffffffffffffff
    return struct.pack("<Q", value)


class Plans(Files):
    def save(self, strategy, name="a.plan"):
        self.run_program(*SMALL, "--kernel", *strategy, "--reorder", "blocks", "--save-plan", name)
        return bytearray((self.folder / name).read_bytes())

    def test_the_check_is_a_phase_of_the_set_up(self):
        for strategy in STRATEGIES:
            record = self.record_of(*SMALL, "--kernel", *strategy)
            self.assertGreater(record["timing"]["setup_s"]["check"], 0)
            self.assertLessEqual(record["verification"]["error_over_tolerance"], 1)

    def test_a_plan_whose_colours_share_a_target_is_refused(self):
        data = self.save(["global"])
        plan = data[:-8]
        record = self.record_of(*SMALL, "--load-plan", "a.plan")
        colours = record["result"]["block_colours"]
        # the first two colours as one, by the array of their offsets, which follows that of the order
        offsets = plan.rfind(struct.pack("<Qi", colours + 1, 0))
        self.assertGreater(offsets, 0)
        struct.pack_into("<i", plan, offsets + 12, struct.unpack_from("<i", plan, offsets + 16)[0])
        (self.folder / "b.plan").write_bytes(plan + checksum(plan))
        self.assert_refused(*SMALL, "--load-plan", "b.plan", "--json", "record.json",
                            says=["--load-plan b.plan: elements", "of colour 1 share target", "accepted is a file of --save-plan"])

    def test_a_plan_with_more_behind_it_is_damaged(self):
        (self.folder / "b.plan").write_bytes(self.save(["staged"]) + b"x")
        self.assert_refused(*SMALL, "--load-plan", "b.plan", says="--load-plan b.plan: is damaged")

    def test_a_changed_plan_with_a_right_checksum_is_refused_or_harmless(self):
        numbers = random.Random(7)
        for strategy in STRATEGIES:
            data = self.save(strategy)
            for _ in range(8):
                plan = data[:-8]
                plan[numbers.randrange(15, len(plan))] ^= 1 << numbers.randrange(8)
                (self.folder / "b.plan").write_bytes(plan + checksum(plan))
                done = self.start(*SMALL, "--load-plan", "b.plan")
                self.assertIn(done.returncode, [0, 2], done.stdout + done.stderr)
                if done.returncode == 2:
                    self.assertRegex(done.stderr, r"\Aminiapp: --load-plan b.plan: [^\n]+; accepted [^\n]+\n\Z")

    def test_a_plan_is_replaced_by_a_plan_alone(self):
        first, second = self.save(["global"]), self.save(["staged"])
        self.assertNotEqual(first, second)
        os.symlink("a.plan", self.folder / "link.plan")
        self.assertEqual(self.save(["global"], "link.plan"), first)
        self.assertTrue((self.folder / "link.plan").is_symlink())
        self.assertEqual((self.folder / "a.plan").read_bytes(), first)
        self.write("a.json", "{}\n")
        self.assert_refused(*SMALL, "--kernel", "global", "--save-plan", "a.json",
                            says=["--save-plan a.json", "accepted is a new file or a file of a plan"])
        self.assertEqual(self.names(), ["a.json", "a.plan", "link.plan"])

    def test_a_path_that_is_no_plan_is_refused_in_one_line(self):
        (self.folder / "rubbish").write_bytes(bytes(range(256)))
        self.write("quads.msh", MESH)
        for path in [".", "none", "x" * 300, "rubbish", "quads.msh", "/dev/null", "/dev/zero"]:
            outcome = self.assert_refused(*SMALL, "--load-plan", path, says=["--load-plan", "accepted is"])
            self.assertTrue(outcome.errors.strip().isprintable(), outcome.errors)
        for path in [".", "none/a.plan", "x" * 300, "rubbish", "quads.msh"]:
            self.assert_refused(*SMALL, "--kernel", "owner", "--save-plan", path, says=["--save-plan", "accepted is"])
        self.assertEqual(self.names(), ["quads.msh", "rubbish"])


class OutputsAndInputs(Files):
    def test_an_output_is_never_an_input(self):
        self.write("quads.msh", MESH)
        self.write("a.toml", "quiet = true\n")
        self.write("b.toml", "[indirect]\nquiet = true\n")
        self.write("a.txt", "")
        os.symlink("quads.msh", self.folder / "link.msh")
        os.link(self.folder / "quads.msh", self.folder / "hard.msh")
        self.run_program(*SMALL, "--kernel", "owner", "--save-plan", "a.plan")
        before = {name: (self.folder / name).read_bytes() for name in self.names()}
        for name in ["quads.msh", "link.msh", "hard.msh", "./quads.msh"]:
            self.assert_refused(*QUADS, "--loop", "corner-acceleration", "--kernel", "owner", "--save-plan", name,
                                says=["--save-plan", "that --mesh reads", "accepted is another"])
            self.assert_refused(*QUADS, "--json", name, says=["--json", "that --mesh reads", "accepted is another"])
        self.assert_refused(*SMALL, "--load-plan", "a.plan", "--json", "a.plan", says=["--json a.plan", "--load-plan"])
        self.assert_refused("--config", "a.toml", "--json", "a.toml", says=["--json a.toml", "--config"])
        self.assert_refused("--config", "b.toml", *SMALL, "--json", "b.toml", says=["--json b.toml", "--config"])
        self.assert_refused("--tuning", "a.txt", "--json", "a.txt", says=["--json a.txt", "--tuning"])
        self.assert_refused(*SMALL, "--kernel", "owner", "--save-plan", "new", "--json", "new",
                            says=["--json new", "that --save-plan writes"])
        self.assertEqual({name: (self.folder / name).read_bytes() for name in self.names()}, before)


class Meshes(Files):
    def test_a_loop_that_the_mesh_does_not_suit_is_refused_before_another_runs(self):
        self.write("quads.msh", MESH)
        for loops in ["corner-acceleration,shallow-water", "airfoil,euler-flux"]:
            self.assert_refused(*QUADS, "--loop", loops, "--json", "record.json",
                                says=["loop " + loops.split(",")[1], "the mesh has elements of the kind quadrilateral"])

    def test_cells_are_counted_from_1_and_the_file_is_named(self):
        self.write("over.msh", MESH.replace("2 3 2 1 1 2 3 6 5", "2 3 2 1 1 1 2 5 4"))
        self.assert_refused("indirect", "--mesh", "over.msh", "--json", "record.json",
                            says=["--mesh over.msh: line 16: cell 2 has the vertices of cell 1; accepted is each cell once"])

    def test_paths_that_are_no_meshes_are_refused_in_one_printable_line(self):
        (self.folder / "rubbish.msh").write_bytes(b"$MeshFormat\n" + bytes(range(256)))
        for path in [".", "none.msh", "x" * 300, "y/" * 2100, "rubbish.msh", "/dev/null", "a\x1b[2Jb"]:
            outcome = self.assert_refused("indirect", "--mesh", path, says=["--mesh", "accepted is"])
            self.assertTrue(outcome.errors.strip().isprintable(), outcome.errors)


class Memory(Files):
    def test_memory_that_runs_out_is_named(self):
        """Of a mesh file, whose need is not known before it is read."""
        record = self.record_of(*SMALL, "--kernel", "owner")
        if record["kokkos"]["backends"][0] != "Serial":
            self.skipTest("threads and devices reserve addresses by the gigabyte")
        n = 250
        vertices = [f"{i + 1} {i % (n + 1)} {i // (n + 1)} 0" for i in range((n + 1) ** 2)]
        corners = [(i, i + 1, i + n + 2, i + n + 1) for i in range(1, n * (n + 1) + 1) if i % (n + 1)]
        cells = [f"{e + 1} 3 2 1 1 {a} {b} {c} {d}" for e, (a, b, c, d) in enumerate(corners)]
        self.write("quads.msh", "\n".join(["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(vertices)), *vertices,
                                           "$EndNodes", "$Elements", str(len(cells)), *cells, "$EndElements", ""]))

        def start(megabytes, *words):
            limit = (megabytes << 20, megabytes << 20)
            return self.start(*words, "--kernel", "owner", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))

        # Of the program and its libraries, which differ from machine to machine.
        least = next(megabytes for megabytes in range(20, 2000, 10) if start(megabytes, *SMALL).returncode == 0)
        refused = 0
        for more in range(0, 44, 2):  # reading, the roof's arrays and the loop need different amounts
            done = start(least + more, *QUADS)
            self.assertIn(done.returncode, [0, 2], done.stderr)
            if done.returncode == 2:
                refused += 1
                self.assertRegex(done.stderr, r"\Aminiapp: --mesh quads.msh: [^\n]*memory[^\n]*; accepted [^\n]+\n\Z")
        self.assertGreater(refused, 0)


class Sweeps(Files):
    def test_a_case_that_its_mesh_refuses_does_not_end_a_sweep(self):
        words = ["--sweep", "elements", "--order", 2, "--kernel", "reference", "--elements", 64, "--deform", 0.3,
                 "--repeat", 1, "--no-solve"]
        outcome = self.run_program(*words, "--json", "record.json", code=1)
        self.assertIn("case 2 of 3 refused: --deform 0.3: inverts element", outcome.errors)
        self.assertEqual([record["case"]["elements"] for record in outcome.records], [1])
        self.assertIn("case 2 of 3 refused: --deform 0.3: inverts element", outcome.output)
        self.assertIn("case 3 of 3 refused: --deform 0.3: inverts element", outcome.output)

    def test_a_sweep_of_which_nothing_ran_is_bad_input(self):
        words = ["--sweep", "elements", "--order", 1, "--kernel", "reference", "--elements", 64, "--deform", 9]
        says = ["case 1 of 2 refused: --deform 9", "accepted are smaller amplitudes"]
        self.assert_refused(*words, "--json", "record.json", says=says)


if __name__ == "__main__":
    unittest.main()
