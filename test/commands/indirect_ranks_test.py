# SPDX-License-Identifier: BSD-3-Clause
"""miniapp indirect gives the same on any number of ranks."""

import unittest

from command import accepted
from on_ranks import FEW, HALOS, OnRanks, up_to
from problem_test import MESHES, File

LOOPS = accepted("indirect", "--loop")
RUN = ["indirect", "--elements", 700, "--repeat", 1]
EVERY_WAY = [*RUN, "--loop", "all", "--kernel", "all"]


class IndirectRanks(OnRanks):
    def assert_same(self, found, alone):
        """Figures of the whole mesh, to rounding."""
        self.assertTrue(found["verification"]["passed"])
        for what in "loop", "strategy", "reorder", "layout", "size", "targets", "block_size", "shuffled":
            self.assertEqual(found["case"][what], alone["case"][what])
        exact = 1e-5 if alone["case"]["precision"] == "single" else 1e-11
        norm = alone["result"]["norm"]
        self.assertGreater(norm, 0)
        self.assertLess(abs(found["result"]["norm"] - norm), exact * norm)

    def assert_all_same(self, ranks, *way):
        alone = self.records_of(*way)
        records, page = self.all_on(ranks, *way)
        self.assertEqual(len(records), len(alone))
        for record, expected in zip(records, alone):
            with self.subTest(ranks=ranks, loop=expected["case"]["loop"], strategy=expected["case"]["strategy"]):
                self.assertEqual(record["ranks"], ranks)
                self.assert_same(record, expected)
        return page

    def test_results_do_not_depend_on_the_number_of_ranks(self):
        way = [*RUN, "--loop", "all", "--kernel", "global"]
        alone = self.records_of(*way)
        self.assertEqual([record["case"]["loop"] for record in alone], LOOPS)
        for ranks in up_to(4, 7):
            records, _ = self.all_on(ranks, *way)
            for record, expected in zip(records, alone, strict=True):
                with self.subTest(ranks=ranks, loop=expected["case"]["loop"]):
                    self.assertEqual(record["ranks"], ranks)
                    self.assert_same(record, expected)

    def test_every_strategy_order_and_layout_on_ranks(self):
        self.assert_all_same(2, *EVERY_WAY, "--layout", "soa", "--reorder", "blocks")
        self.assert_all_same(FEW, *EVERY_WAY, "--shuffle", "--reorder", "rcm,bisection")

    def test_partitions_give_the_same(self):
        alone = self.record_of(*RUN, "--kernel", "staged")
        self.assertNotIn("partition", alone["case"])
        self.assertNotIn("of_ranks", alone)
        neighbours = {}
        for partition in "rcb", "linear":
            record, _ = self.on(4, *RUN, "--kernel", "staged", "--partition", partition)
            self.assertEqual(record["case"]["partition"], partition)
            self.assertIn(record["case"]["halo"], HALOS)
            self.assert_same(record, alone)
            neighbours[partition] = record["of_ranks"]["neighbours"]["mean"]
        self.assertNotEqual(neighbours["rcb"], neighbours["linear"])

    def test_the_fastest_is_chosen_by_all_ranks_together(self):
        records, page = self.all_on(FEW, *RUN, "--loop", "airfoil,hydro-stress", "--reorder", "none,blocks", "--layout", "all")
        self.assertEqual([record["case"]["automatic"] for record in records], [True] * 8)
        self.assertEqual(page.count("auto: "), 8)
        self.assertEqual(page.count(f"ranks: {FEW} by rcb, each: "), 2)

    def test_as_few_cells_as_ranks(self):
        for loop, size, ranks in ("airfoil", 1, 7), ("shallow-water", 12, 4), ("euler-flux", 1, 8), ("hydro-stress", 8, 7):
            self.assert_all_same(*up_to(ranks), "indirect", "--repeat", 1, "--loop", loop, "--elements", size, "--kernel", "all")

    def test_records_and_pages_tell_what_ranks_have(self):
        way = ["indirect", "--loop", "corner-acceleration", "--elements", 144, "--kernel", "global", "--repeat", 2]
        alone = self.record_of(*way)
        record, page = self.on(3, *way, "--partition", "linear")
        spread = record["of_ranks"]
        self.assertEqual((spread["elements"]["min"], spread["elements"]["max"]), (48, 48))
        self.assertEqual(spread["targets"]["max"], 5 * 13)
        self.assertEqual(3 * spread["owned_targets"]["mean"], 13 * 13)
        self.assertEqual((spread["neighbours"]["min"], spread["neighbours"]["max"]), (1, 2))
        self.assertEqual(spread["exchanged_bytes"]["min"], 13 * 3 * 8)  # mass and force of a row of vertices
        self.assertEqual(spread["exchanged_bytes"]["max"], 2 * 13 * 3 * 8)
        for phase in "partition", "permutation", "colouring", "check", "device":
            self.assertGreaterEqual(spread[phase + "_s"]["max"], spread[phase + "_s"]["min"])
        copies = 2 * 13 * (2 * 3 * 8)  # both fields twice
        self.assertEqual(record["rates"]["kernel_bytes"], alone["rates"]["kernel_bytes"] + copies)
        self.assertAlmostEqual(record["rates"]["kernel_gbytes"] * record["timing"]["kernel_s"]["median"] * 1e9,
                               record["rates"]["kernel_bytes"])
        self.assertIn("144 elements, 169 targets, generated, double precision, 3 ranks, each on ", page)
        self.assertIn("ranks: 3 by linear, each: 48 to 48 elements, 1 to 2 neighbours, ", page)
        self.assertIn("exchanged per run", page)

    def test_an_interface_between_ranks_is_of_one_of_them(self):
        record, _ = self.on(2, "indirect", "--loop", "euler-flux", "--elements", 1, "--kernel", "serial", "--repeat", 1)
        spread = record["of_ranks"]  # 8 cubes: 4 in each half, 4 faces in each and 4 between them
        self.assertEqual((spread["elements"]["min"], spread["elements"]["max"]), (4, 8))
        self.assertEqual((spread["targets"]["min"], spread["targets"]["max"]), (4, 8))
        self.assertEqual(spread["owned_targets"]["mean"], 4)
        self.assertEqual(spread["exchanged_bytes"]["max"], 4 * 5 * 8)

    def test_a_mesh_from_a_file_is_distributed(self):
        for mesh, loops in ("airfoil", "airfoil,corner-acceleration"), ("layers", "hydro-stress,euler-flux"):
            for ranks in up_to(3, 7):
                self.assert_all_same(ranks, "indirect", "--mesh", MESHES / f"{mesh}.msh", "--loop", loops, "--kernel", "all", "--repeat", 1)

    def test_a_state_from_a_file_is_distributed_and_its_increments_are_those_of_one_rank(self):
        for loop in LOOPS:
            own = self.record_of(*RUN, "--loop", loop, "--kernel", "owner", "--reorder", "rcm", "--output", "a.vtu")
            way = ["indirect", "--repeat", 1, "--loop", loop, "--state", "a.vtu", "--kernel", "owner", "--reorder", "rcm"]
            whole = File(self.folder / "a.vtu")
            for ranks in up_to(2, 3):
                with self.subTest(loop=loop, ranks=ranks):
                    record, _ = self.on(ranks, *way, "--output", "b.pvtu")
                    self.assert_same(record, own)
                    self.compare_fields(own["result"]["increments"], record["result"]["increments"], whole, ranks)
            (self.folder / "a.vtu").unlink()

    def compare_fields(self, own, found, whole, ranks):
        """The sums of all, and the fields of each rank's file by the numbers of its cells and points."""
        for name, sums in own.items():
            self.assertLess(abs(sums["norm"] - found[name]["norm"]), 1e-5 * sums["norm"])
            for a, b in zip(sums["sum"], found[name]["sum"], strict=True):
                self.assertLess(abs(a - b), 1e-5 * sums["norm"])
        cells = 0
        for rank in range(ranks):
            part = File(self.folder / f"b_{rank}.vtu")
            cells += len(part.cells())
            for name in set(whole.arrays) - {"points", "connectivity", "offsets", "types"}:
                values, expected, n = part.arrays[name], whole.arrays[name], part.components[name]
                numbers = part.arrays["point_number" if name in ("position", "force", "mass") else "cell_number"]
                self.assertEqual(len(values), n * len(numbers))
                scale = max(map(abs, expected))
                for i, number in enumerate(numbers):
                    for c in range(n):
                        self.assertLessEqual(abs(values[n * i + c] - expected[n * int(number) + c]), 1e-5 * scale)
        self.assertEqual(cells, len(whole.cells()))

    def test_bad_input_is_refused_once(self):
        here = self.folder
        for way, says in (
            (["--elements", 1, "--loop", "shallow-water"], f"--elements 1: {FEW} ranks for 1 squares of shallow-water; accepted are no more"),
            (["--elements", 1, "--loop", "hydro-stress"], f"--elements 1: {FEW} ranks for 1 "),
            (["--mesh", "square.msh"], "--mesh square.msh: cannot be read"),
            (["--mesh", MESHES / "pipe.msh", "--loop", "hydro-stress"], "pipe.msh: a mesh of curved elements"),
            (["--mesh", MESHES / "airfoil.msh", "--loop", "hydro-stress"], "accepted are those of the kind hexahedron"),
            (["--save-plan", "p.plan", "--kernel", "owner"], "--save-plan: a file has the plan of one rank; accepted without"),
            (["--load-plan", "p.plan"], f"--load-plan: a file has the plan of one rank; accepted without it are {FEW}"),
            (["--state", "none.vtu"], "--state none.vtu: cannot be read"),
            (["--state", MESHES.parents[1] / "test" / "mesh" / "vtu" / "ascii.vtu", "--loop", "corner-acceleration"], "ascii.vtu: no corner_mass"),
            (["--output", "a.vtu"], "accepted on"),
            (["--partition", "random"], "--partition: unknown value 'random'"),
        ):
            with self.subTest(way=way):
                self.assertIn(says, self.refused(2, (FEW, here, ["indirect", *way])))
        self.assertFalse((here / "p.plan").exists())
        self.run_program(*RUN, "--partition", "rcb")  # of one rank, so that scripts need no other line for it


if __name__ == "__main__":
    unittest.main()
