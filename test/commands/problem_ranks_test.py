# SPDX-License-Identifier: BSD-3-Clause
"""A user's problem on several ranks: its mesh from a file or the box, and the pictures of its solution."""

import unittest

from command import HIGH_ORDER, pages
from on_ranks import COUNTS, FEW, OnRanks
from problem_test import MESHES, File

ORDER = HIGH_ORDER or 1
PIPE = ["--mesh", MESHES / "pipe.msh", "--order", ORDER, "--repeat", 1, "--tolerance", 1e-11, "--coefficient", "1 + 0.3*x",
        "--dirichlet", "inlet=1+x", "--neumann", "outlet=0.2", "--robin", "walls=0.2,y", "--source", "sin(z)", "--exact", "x+y"]
BOX = ["--cells", "4x3x5", "--order", ORDER, "--repeat", 1, "--tolerance", 1e-11, "--source", "x", "--dirichlet", "y0=z",
       "--robin", "z1=1,x"]


class ProblemOnRanks(OnRanks):
    def test_solutions_do_not_depend_on_the_number_of_ranks(self):
        for words in (PIPE, BOX):
            for preconditioner in ("jacobi", *(["p-multigrid"] if ORDER > 1 else [])):
                ranks = next(COUNTS)
                with self.subTest(words=words, preconditioner=preconditioner, ranks=ranks):
                    way = [*words, "--preconditioner", preconditioner]
                    outcome = self.run_program(*way, "--output", "one.vtu", "--json", "record.json")
                    alone = outcome.record
                    record, page = self.on(ranks, *way, "--output", "all.pvtu")
                    for key in "dofs", "mesh_order", "scaled_jacobian":
                        self.assertEqual(record["case"][key], alone["case"][key])
                    self.assertLessEqual(abs(record["result"]["iterations"] - alone["result"]["iterations"]), 1)
                    if words is PIPE:
                        self.assertAlmostEqual(record["result"]["l2_error"], alone["result"]["l2_error"], 8)
                    title = f"BP3.0, order {ORDER}"
                    self.assertEqual(dict(pages(page))[title].get("natural"), dict(pages(outcome.output))[title].get("natural"))
                    self.compare_pictures(ranks)

    def compare_pictures(self, ranks):
        def values(path):
            file = File(path)
            return {tuple(round(x, 7) + 0.0 for x in point): u for point, u in zip(file.points(), file.arrays["u"])}, file

        whole, one = values(self.folder / "one.vtu")
        listed = (self.folder / "all.pvtu").read_text() if ranks > 1 else ""
        parts, cells = {}, 0
        for rank in range(ranks):
            if ranks > 1:
                self.assertIn(f'<Piece Source="all_{rank}.vtu"/>', listed)
            part, file = values(self.folder / (f"all_{rank}.vtu" if ranks > 1 else "all.vtu"))
            if ranks > 1:
                self.assertEqual(set(file.arrays["rank"]), {rank})
                for name in file.arrays:
                    if name not in ("connectivity", "offsets", "types"):
                        self.assertIn(f'Name="{name}"', listed)
            for point, u in part.items():
                self.assertAlmostEqual(parts.setdefault(point, u), u, 12)
            cells += len(file.cells())
        self.assertEqual(cells, len(one.cells()))
        self.assertEqual(set(parts), set(whole))
        for point, u in parts.items():
            self.assertAlmostEqual(u, whole[point], 7)

    def test_partitions_give_the_same(self):
        alone = self.record_of(*PIPE, "--preconditioner", "jacobi")["result"]
        has_metis = self.record_of("info")["libraries"]["metis"] is not None
        for partition in ("rcb", "linear", *(["metis"] if has_metis else [])):
            with self.subTest(partition=partition):
                record, _ = self.on(FEW, *PIPE, "--preconditioner", "jacobi", "--partition", partition)
                self.assertEqual(record["case"]["partition"], partition)
                self.assertAlmostEqual(record["result"]["l2_error"], alone["l2_error"], 8)
                self.assertLessEqual(abs(record["result"]["iterations"] - alone["iterations"]), 1)

    def test_numbers_per_element_are_those_of_the_whole_mesh(self):
        (self.folder / "k.txt").write_text(" ".join(str(1 + i % 5) for i in range(84)))
        words = ["--mesh", MESHES / "pipe.msh", "--order", ORDER, "--repeat", 1, "--coefficient", "@k.txt", "--dirichlet", "inlet=1",
                 "--exact", "1", "--source", "1", "--preconditioner", "jacobi", "--tolerance", 1e-11]
        alone = self.record_of(*words)
        record, _ = self.on(FEW, *words)
        self.assertAlmostEqual(record["result"]["l2_error"], alone["result"]["l2_error"], 8)

    def test_bad_input_is_refused_once(self):
        mesh = ["--mesh", MESHES / "pipe.msh", "--order", ORDER]
        (self.folder / "bad.msh").write_text("no mesh")
        (self.folder / "all_1.vtu").write_text("mine")
        for words, says in (
            (["--mesh", "bad.msh"], "--mesh bad.msh: "),
            (["--mesh", "none.msh"], "--mesh none.msh: "),
            ([*mesh, "--dirichlet", "nlet=1"], "did you mean inlet"),
            ([*mesh, "--dirichlet", "inlet=1", "--coefficient", "x - 2.9"], "accepted are numbers above 0"),
            ([*mesh, "--output", "all.vtu"], "accepted on 3 ranks are names that end in .pvtu"),
            ([*mesh, "--output", "all.pvtu"], "all_1.vtu"),
            ([*BOX, "--neumann", "y0=1"], "--neumann y0: side 3 of element 1 has a condition already"),
            ([*BOX, "--dirichlet", "x0=1/(x-x)"], "accepted are finite numbers"),
        ):
            with self.subTest(words=words):
                self.assertIn(says, self.refused(2, (3, self.folder, words)))
        self.assertEqual((self.folder / "all_1.vtu").read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
