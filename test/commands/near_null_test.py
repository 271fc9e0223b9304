# SPDX-License-Identifier: BSD-3-Clause
"""miniapp solver with nodes of several rows and a near-null space, and singular systems."""

import random

from command import Command
from on_ranks import FEW, OnRanks, has_hypre

HEAD = "%%MatrixMarket matrix "


class Body:
    """Springs between the nodes of a distorted grid: a linear elastic body in a plane, held at its end or free."""

    def __init__(self, length, width, held):
        numbers = random.Random(7)
        self.points = [(i + numbers.uniform(-0.1, 0.1), j + numbers.uniform(-0.1, 0.1))
                       for i in range(length) for j in range(width)]
        self.rows = {}  # (row, column): value, both from 0
        for node in range(len(self.points)):
            i, j = divmod(node, width)
            for k, l in ((i - 1, j - 1), (i - 1, j), (i - 1, j + 1), (i, j - 1)):
                if k >= 0 and 0 <= l < width:
                    self.spring(node, width * k + l)
        self.free = list(range(2 * held * width, 2 * len(self.points)))
        self.number = {row: place for place, row in enumerate(self.free)}
        self.held = held * width

    def spring(self, one, other):
        along = [p - q for p, q in zip(self.points[one], self.points[other])]
        squared = sum(d * d for d in along)
        for c in range(2):
            for d in range(2):
                for node, next, sign in ((one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)):
                    place = 2 * node + c, 2 * next + d
                    self.rows[place] = self.rows.get(place, 0) + sign * along[c] * along[d] / squared

    def entries(self):
        """Of the lower triangle of free rows."""
        return {(self.number[i], self.number[j]): value for (i, j), value in self.rows.items()
                if i >= j and i in self.number and j in self.number}

    def coordinates(self):
        return self.points[self.held:]

    def motions(self):
        """Of a rigid body about the origin: a row per row of the matrix."""
        return [row for x, y in self.coordinates() for row in ((1.0, 0.0, -y), (0.0, 1.0, x))]


class NearNull(Command):
    def matrix(self, entries, name="a.mtx"):
        size = 1 + max(row for row, _ in entries)
        (self.folder / name).write_text(
            HEAD + f"coordinate real symmetric\n{size} {size} {len(entries)}\n" +
            "".join(f"{i + 1} {j + 1} {value!r}\n" for (i, j), value in sorted(entries.items())))
        return size

    def array(self, name, rows):
        rows = [row if isinstance(row, (tuple, list)) else (row,) for row in rows]
        (self.folder / name).write_text(
            HEAD + f"array real general\n{len(rows)} {len(rows[0])}\n" +
            "".join(f"{row[column]!r}\n" for column in range(len(rows[0])) for row in rows))

    def body(self, held=1, size=(40, 9)):
        body = Body(*size, held)
        self.matrix(body.entries())
        self.array("x.mtx", body.coordinates())
        return body

    def solves(self, *arguments, pc="amg", code=0):
        return self.records_of("solver", "--matrix", "a.mtx", "--preconditioner", pc, "--repeat", 1, *arguments, code=code)

    def solve(self, *arguments, **options):
        record = self.solves(*arguments, **options)[-1]
        self.assertTrue(record["result"]["converged"])
        return record

    def iterations(self, *arguments):
        return self.solve(*arguments)["result"]["iterations"]

    RIGID = ["--block", 2, "--near-null", "rigid", "--coordinates", "x.mtx"]

    def test_rigid_motions_take_fewer_iterations_than_constants(self):
        self.body()
        rigid = self.solve(*self.RIGID)
        self.assertEqual([rigid["case"][key] for key in ("near_null", "block", "modes", "amg_strength")], ["rigid", 2, 3, 0])
        levels = rigid["result"]["levels"]
        self.assertEqual(levels[1]["unknowns"] % 3, 0)
        self.assertEqual((rigid["result"]["null_modes"], rigid["result"]["least_residual"]), (0, 0))
        constant = self.solve("--block", 2)
        self.assertEqual([constant["case"][key] for key in ("near_null", "block", "modes")], ["constant", 2, 2])
        usual = self.solve()
        self.assertEqual([usual["case"][key] for key in ("near_null", "block", "modes", "amg_strength")], ["constant", 1, 1, 0.02])
        counts = [record["result"]["iterations"] for record in (rigid, constant, usual)]
        self.assertLess(1.5 * counts[0], counts[1])
        self.assertLess(counts[1], counts[2])
        self.assertEqual(self.solve("--block", 2, "--amg-strength", 0.1)["case"]["amg_strength"], 0.1)

    def test_modes_of_a_file_are_those_of_the_same_name(self):
        body = self.body()
        self.array("modes.mtx", body.motions())
        self.array("ones.mtx", [1.0 for _ in body.free])
        self.array("constants.mtx", [(1.0, 0.0), (0.0, 1.0)] * len(body.coordinates()))
        for file, block, modes, like in (("modes.mtx", 2, 3, self.RIGID), ("constants.mtx", 2, 2, ["--block", 2]),
                                         ("ones.mtx", 1, 1, [])):
            record = self.solve("--near-null", file, "--block", block)
            self.assertEqual([record["case"][key] for key in ("near_null", "modes")], [file, modes])
            self.assert_same_iterations(record["result"], self.solve(*like)["result"])

    def test_zeros_that_a_file_leaves_out_change_nothing(self):
        springs = self.body().entries()
        straight = {place: value if abs(value) > 0.05 else 0.0 for place, value in springs.items()}
        for row in {row for row, _ in springs}:  # what was taken away, so that it stays definite
            straight[row, row] += 0.5
        found = []
        for entries in straight, {place: value for place, value in straight.items() if value != 0}:
            self.matrix(entries)
            record = self.solve(*self.RIGID)
            found.append((record["result"]["iterations"], record["result"]["levels"]))
        self.assertLess(len([value for value in straight.values() if value != 0]), len(straight))
        self.assertEqual(*found)

    def test_rows_of_the_identity_have_no_part_in_modes(self):
        body = self.body()
        expected = self.iterations(*self.RIGID)
        entries = {(i, j): value for (i, j), value in body.rows.items() if i >= j}
        held = 2 * body.held
        entries = {(i, j): float(i == j) if min(i, j) < held else value for (i, j), value in entries.items()}
        self.matrix(entries)
        self.array("x.mtx", body.points)
        self.array("b.mtx", [0.0] * held + [1.0] * (2 * len(body.points) - held))
        found = self.iterations(*self.RIGID, "--rhs", "b.mtx")
        self.assertLessEqual(abs(found - expected), 2)

    def test_a_free_body_in_equilibrium_is_solved_up_to_its_motions(self):
        for size in (40, 9), (6, 4):  # with several levels and at once
            body = self.body(0, size)
            forces = {row: 0.0 for row in body.free}
            numbers = random.Random(3)
            x = [numbers.uniform(-1, 1) for _ in body.free]
            for (i, j), value in body.rows.items():
                forces[i] += value * x[j]
            self.array("b.mtx", list(forces.values()))
            outcome = self.run_program("solver", "--matrix", "a.mtx", "--rhs", "b.mtx", "--preconditioner",
                                       "none,jacobi,amg", "--repeat", 1, *self.RIGID, "--json", "record.json")
            self.assertIn("The matrix is singular: it maps 3 modes of the near-null space to zero, and x is one of many",
                          " ".join(outcome.output.split()))
            self.assertEqual(len(outcome.records), 3)
            for record in outcome.records:
                self.assertEqual((record["result"]["null_modes"], record["result"]["converged"]), (3, True))
                self.assertLess(record["result"]["least_residual"], 1e-12)
            self.assertLess(outcome.records[-1]["result"]["iterations"], 30)

    def test_a_force_that_moves_a_free_body_has_no_solution(self):
        self.body(0)
        outcome = self.run_program("solver", "--matrix", "a.mtx", "--preconditioner", "amg", "--repeat", 1, *self.RIGID,
                                   "--json", "record.json", code=1)
        self.assertFalse(outcome.record["result"]["converged"])
        self.assertAlmostEqual(outcome.record["result"]["least_residual"], 0.5**0.5)
        self.assertIn("the matrix maps 3 modes to zero, and b has a part along them: |b - A x| >= 0.71 |b| for every x",
                      outcome.errors)

    def test_a_free_line_is_solved_up_to_a_constant(self):
        n = 60
        entries = {(i, i): 1.0 if i in (0, n - 1) else 2.0 for i in range(n)} | {(i + 1, i): -1.0 for i in range(n - 1)}
        self.matrix(entries)
        self.array("b.mtx", [1.0] + [0.0] * (n - 2) + [-1.0])
        for record in self.solves("--rhs", "b.mtx", "--output", "y.mtx", pc="amg") + self.solves("--rhs", "b.mtx", pc="none,jacobi"):
            self.assertEqual((record["result"]["null_modes"], record["result"]["converged"]), (1, True))
        x = [float(line) for line in (self.folder / "y.mtx").read_text().splitlines()[2:]]
        for left, right in zip(x, x[1:]):
            self.assertAlmostEqual(left - right, 1, 6)
        entries[0, 0] += 1e-6
        self.matrix(entries)
        self.assertEqual(self.solve("--rhs", "b.mtx")["result"]["null_modes"], 0)

    def test_what_does_not_fit_is_refused(self):
        body = self.body(size=(6, 4))
        n, nodes = len(body.free), len(body.coordinates())
        self.array("modes.mtx", body.motions())
        self.array("short.mtx", body.motions()[1:])
        self.array("few.mtx", body.coordinates()[1:])
        self.array("zero.mtx", [(1.0, 0.0)] * n)
        self.array("twice.mtx", [(1.0, 2.0)] * n)
        self.array("four.mtx", [(1.0, 2.0, 3.0, 4.0)] * nodes)
        self.array("nan.mtx", [float("nan")] * n)
        amg = ["--preconditioner", "amg"]
        rigid = ["--near-null", "rigid", "--coordinates"]
        for more, says in (
            (["--block", 2], "--block: of algebraic multigrid; accepted with --preconditioner amg"),
            ([*amg, "--block", 7], f"--block 7: {n} rows are no whole number of nodes; accepted are 1, 2, 4, 5, 8, 10, 20, 40"),
            ([*amg, "--block", 0], "--block 0: accepted are whole numbers from 1 to 64"),
            ([*amg, "--near-null", "rigid"], "--near-null rigid: of nodes at some place; accepted with --coordinates FILE.mtx"),
            ([*amg, "--near-null", "rigd"], "--near-null: unknown value 'rigd' (did you mean rigid?)"),
            ([*amg, "--near-null", "none.mtx"], "--near-null none.mtx: cannot be read"),
            ([*amg, "--near-null", "a.mtx"], "--near-null a.mtx: line 1: 'coordinate'"),
            ([*amg, "--near-null", "short.mtx"], f"--near-null short.mtx: {n - 1} rows; accepted is one for each of {n} rows of the matrix"),
            ([*amg, "--near-null", "zero.mtx"], "--near-null zero.mtx: mode 2 is zero in all rows"),
            ([*amg, "--near-null", "twice.mtx"], "--near-null twice.mtx: mode 2 is a sum of those before it"),
            ([*amg, "--near-null", "nan.mtx"], "--near-null nan.mtx: line 3: nan"),
            ([*amg, "--coordinates", "x.mtx"], "--coordinates: of the motions of a rigid body; accepted with --near-null rigid"),
            ([*amg, *rigid, "x.mtx"], "--block 1: --near-null rigid has a displacement per dimension, of which x.mtx has 2; accepted is 2"),
            ([*amg, *rigid, "four.mtx", "--block", 4], "--coordinates four.mtx: 4 columns; accepted are two or three"),
            ([*amg, *rigid, "few.mtx", "--block", 2], f"--coordinates few.mtx: {nodes - 1} rows; accepted is one for each of {nodes} nodes"),
        ):
            with self.subTest(more=more):
                self.assert_refused("solver", "--matrix", "a.mtx", *more, says=says)
        self.assert_refused("solver", "--unknowns", 100, *amg, "--block", 2,
                            says="--block: of matrices that a file has, generated ones have one row per node; accepted with --matrix FILE.mtx")


class NearNullOnRanks(OnRanks):
    matrix, array, body = NearNull.matrix, NearNull.array, NearNull.body

    def test_ranks_have_whole_nodes_and_their_motions(self):
        body = self.body(size=(120, 16))
        self.array("modes.mtx", body.motions())
        way = ["solver", "--matrix", "a.mtx", "--rhs", "random", "--tolerance", 1e-10, "--repeat", 1]
        self.run_program(*way, "--preconditioner", "amg", *NearNull.RIGID, "--output", "one.mtx")
        expected = [float(word) for word in (self.folder / "one.mtx").read_text().split()[-len(body.free):]]
        for pc in ["block-amg", "amg"] + ["boomer-amg"] * has_hypre():
            found = {}
            for name, words in (("rigid", NearNull.RIGID), ("constant", ["--block", 2]), ("none", [])):
                record, _ = self.on(FEW, *way, "--preconditioner", pc, *words, "--output", f"{name}.mtx")
                self.assertTrue(record["result"]["converged"])
                found[name] = record["result"]["iterations"]
                values = [float(word) for word in (self.folder / f"{name}.mtx").read_text().split()[-len(body.free):]]
                largest = max(map(abs, expected))
                self.assertLess(max(abs(x - y) for x, y in zip(values, expected)), 1e-6 * largest, (pc, name))
            with self.subTest(pc=pc, found=found):
                self.assertLess(found["rigid"], found["constant"])
                self.assertLess(found["constant"], found["none"])
        for pc in "block-amg", "amg":
            of_file, _ = self.on(FEW, *way, "--preconditioner", pc, "--block", 2, "--near-null", "modes.mtx")
            self.assertTrue(of_file["result"]["converged"])

    def test_what_ranks_do_not_take_is_refused(self):
        body = self.body(size=(4, 2))
        self.array("modes.mtx", body.motions())
        cases = [(["--preconditioner", "block-amg", "--block", 5], "--block 5: 12 rows are no whole number of nodes"),
                 (["--preconditioner", "block-amg", "--block", 6], "--block 6: 2 nodes on 3 ranks"),
                 (["--preconditioner", "jacobi", "--block", 2], "--block: of algebraic multigrid")]
        if has_hypre():
            cases.append((["--preconditioner", "boomer-amg", "--block", 2, "--near-null", "modes.mtx"], "--near-null modes.mtx: modes of a file"))
        for words, says in cases if FEW == 3 else ():
            self.assertIn(says, self.refused(2, (FEW, self.folder, ["solver", "--matrix", "a.mtx", *words])))
