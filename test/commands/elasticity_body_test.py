# SPDX-License-Identifier: BSD-3-Clause
"""miniapp elasticity --solve --mesh: a user's body of prisms, its supports, loads and the file of its solution."""

import math
import pathlib
import unittest

from command import ORDERS, Command, tables
from on_ranks import COUNTS, OnRanks, up_to
from problem_test import File

WING = pathlib.Path(__file__).resolve().parents[2] / "inputs" / "meshes" / "wing.msh"
ORDER = next((order for order in (2, 1, 3, 4, 5, 6, 7) if order in ORDERS), None)
SOLVE = ["elasticity", "--solve", "--mesh", WING, "--repeat", 1]
LOADS = ["--traction", "tip=0,0,1e4", "--gravity", "0,0,-9.81", "--density", 2700]
VOLUME = 24.398842890196324  # of the prisms, by scikit-fem's quadrature


def wing_points():
    """The mesh's vertices, and the sides of each group."""
    lines = WING.read_text().split("\n")
    begin = lines.index("$Nodes")
    points = [tuple(map(float, line.split()[1:])) for line in lines[begin + 2:begin + 2 + int(lines[begin + 1])]]
    names = {}
    at = lines.index("$PhysicalNames")
    for line in lines[at + 2:at + 2 + int(lines[at + 1])]:
        _, number, name = line.split()
        names[number] = name.strip('"')
    groups, at = {name: [] for name in names.values()}, lines.index("$Elements")
    for line in lines[at + 2:at + 2 + int(lines[at + 1])]:
        words = line.split()
        groups[names[words[3]]].append([int(word) - 1 for word in words[3 + int(words[2]):]])
    return points, groups


def bar_of_prisms(cells):
    """Gmsh's text of a bar of unit cubes along x, two prisms each, with groups of its ends."""
    corners = [(i, j, k) for i in range(cells + 1) for j in (0, 1) for k in (0, 1)]
    node = {corner: number + 1 for number, corner in enumerate(corners)}
    prisms = [[node[i + a, b, k] for k in (0, 1) for a, b in triangle]
              for i in range(cells) for triangle in (((0, 0), (1, 0), (0, 1)), ((1, 0), (1, 1), (0, 1)))]
    ends = [[node[i, j, k] for j, k in ((0, 0), (1, 0), (1, 1), (0, 1))] for i in (0, cells)]
    elements = [f"3 2 {tag} {tag} {' '.join(map(str, end))}" for tag, end in enumerate(ends, 1)]
    elements += [f"6 2 3 3 {' '.join(map(str, prism))}" for prism in prisms]
    return "\n".join(["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "3", '2 1 "root"', '2 2 "tip"', '3 3 "bar"',
                      "$EndPhysicalNames", "$Nodes", str(len(node)), *(f"{n} {x} {y} {z}" for (x, y, z), n in node.items()),
                      "$EndNodes", "$Elements", str(len(elements)), *(f"{n} {e}" for n, e in enumerate(elements, 1)), "$EndElements", ""])


def area(points, group):
    """The sum of triangles of a plane group."""
    total = 0
    for nodes in group:
        a, b, c = (points[node] for node in nodes)
        u, v = ([q - p for p, q in zip(a, other)] for other in (b, c))
        normal = [u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in range(3)]
        total += 0.5 * math.hypot(*normal)
    return total


@unittest.skipIf(ORDER is None, "needs an order up to 7")
class Body(Command):
    def solve(self, *arguments, order=ORDER, young=70e9, **options):
        return self.record_of(*SOLVE, "--order", order, "--young", young, *arguments, **options)

    def test_loads_and_support_are_in_balance(self):
        points, groups = wing_points()
        record = self.solve("--held", "root", *LOADS)
        result = record["result"]
        expected = 1e4 * area(points, groups["tip"]) - 9.81 * 2700 * VOLUME
        self.assert_close(result["loads_n"][2], expected, 1e-12)
        self.assert_close(result["support_n"][2], -expected, 1e-9)
        for c in (0, 1):
            self.assertEqual(result["loads_n"][c], 0)
            self.assertLess(abs(result["support_n"][c]), 1e-9 * abs(expected))
        self.assertLess(result["imbalance"], 1e-9)
        self.assertLess(result["stress_residual"], 2e-10)
        case, verification = record["case"], record["verification"]
        self.assertEqual((case["problem"], case["held"], case["traction"]), ("body", ["root"], ["tip=0,0,1e4"]))
        self.assertEqual((case["gravity"], case["density"], case["elements"]), ([0, 0, -9.81], 2700, 640))
        self.assertTrue(verification["passed"])
        for what in "patch", "sum":
            self.assertTrue(1e-5 < verification[f"{what}_error_over_tolerance"] < 0.5, verification)

    def test_high_orders_are_in_balance_and_agree(self):
        (self.folder / "bar.msh").write_text(bar_of_prisms(3))
        displacements = []
        for order in sorted({3, 5, 7} & set(ORDERS)):
            with self.subTest(order=order):
                record = self.record_of("elasticity", "--solve", "--mesh", "bar.msh", "--order", order, "--held", "root",
                                        "--traction", "tip=2*y*y,0,3", "--gravity", "0,0,-9.81", "--density", 0.5, "--young", 1e5,
                                        "--tolerance", 1e-12)
                result = record["result"]
                self.assertEqual((record["case"]["elements"], record["case"]["order"]), (6, order))
                self.assertTrue(record["verification"]["passed"])
                expected = 2 / 3, 0, 3 - 9.81 * 0.5 * 3  # of a side of area 1, and of a volume of 3
                for load, support, right in zip(result["loads_n"], result["support_n"], expected):
                    self.assertLess(abs(load - right), 1e-11)
                    self.assertLess(abs(support + right), 1e-8)
                self.assertLess(result["imbalance"], 1e-9)
                self.assertLess(result["stress_residual"], 2e-10)
                displacements.append(result["displacement_m"])
        for displacement in displacements:
            self.assert_close(displacement, displacements[0], 0.02)

    @unittest.skipIf(1 not in ORDERS, "needs order 1")
    def test_order_1_is_what_scikit_fem_finds(self):
        record = self.solve("--held", "root", *LOADS, "--traction", "wall=100*z,0,-200", "--tolerance", 1e-12, order=1)
        self.assert_close(record["result"]["displacement_m"], 4.514864449133858e-07, 1e-10)  # docs/results/elasticity.md
        self.assertEqual(record["case"]["dofs"], 1152)

    def test_displacements_are_linear_in_the_loads(self):
        one, both, other = (
            self.solve("--held", "root", *loads, "--output", f"{name}.vtu") and File(self.folder / f"{name}.vtu").arrays["u"]
            for name, loads in (("one", LOADS[:2]), ("both", LOADS), ("other", LOADS[2:])))
        most = max(map(abs, both))
        self.assertGreater(most, 0)
        for a, b, c in zip(one, other, both):
            self.assertLess(abs(a + b - c), 1e-8 * most)

    def test_single_components_are_held(self):
        self.solve("--held", "root=z", "--held", "wall=xy", "--pressure", "far=100*(1 + x)", "--output", "u.vtu")
        written = File(self.folder / "u.vtu")
        values, support = written.arrays["u"], written.arrays["support"]
        points, groups = wing_points()
        wall = {points[node] for side in groups["wall"] for node in side}
        held, pushed = 0, [0, 0, 0]
        most, strongest = (1e-12 * max(map(abs, field)) for field in (values, support))  # rounding between nodes
        for i, place in enumerate(written.points()):
            u, force = values[3 * i:3 * i + 3], support[3 * i:3 * i + 3]
            if place[2] == 0 or place in wall:
                held += 1
                on_wall = place in wall
                self.assertTrue(place[2] != 0 or abs(u[2]) < most)
                self.assertTrue(not on_wall or max(abs(u[0]), abs(u[1])) < most)
                self.assertTrue(not on_wall or place[2] == 0 or (abs(u[2]) > most and abs(force[2]) < strongest))
            for c in range(3):
                self.assertTrue(abs(u[c]) < most or abs(force[c]) < strongest)
                pushed[c] += force[c]
        self.assertGreater(held, 100)
        self.assertGreater(abs(pushed[0]), 100)

    def test_a_pressure_is_a_traction_against_the_normal(self):
        pressed = self.solve("--held", "root", "--pressure", "tip=3*x")["result"]  # the tip's normal is z
        pulled = self.solve("--held", "root", "--traction", "tip=0,max(0,0),-3*x")["result"]
        self.assert_close(pressed["displacement_m"], pulled["displacement_m"], 1e-8)
        self.assert_close(pressed["loads_n"][2], pulled["loads_n"][2], 1e-12)

    def test_materials_of_groups_replace_the_bodys(self):
        stiff = self.solve("--held", "root", *LOADS, young=1e9)["result"]
        again = self.solve("--held", "root", *LOADS, "--material", "air=1e9,0.3", young=1)
        light = self.solve("--held", "root", "--gravity", "0,0,-9.81", "--material", "air=1e9,0.3,27")["result"]
        self.assert_close(again["result"]["displacement_m"], stiff["displacement_m"], 1e-8)
        self.assertEqual(again["case"]["material"], ["air=1e9,0.3"])
        self.assert_close(light["loads_n"][2], -9.81 * 27 * VOLUME, 1e-12)

    def test_every_order_and_preconditioner_has_the_same_solution(self):
        (self.folder / "bar.msh").write_text(bar_of_prisms(12))
        for order in [order for order in ORDERS if order <= 3]:
            found = [self.record_of("elasticity", "--solve", "--mesh", "bar.msh", "--order", order, "--held", "root",
                                    *LOADS, "--preconditioner", name)["result"]["displacement_m"]
                     for name in ("jacobi", "block-jacobi", "amg")]
            self.assert_close(found[1], found[0], 1e-7)
            self.assert_close(found[2], found[0], 1e-7)

    def test_the_file_has_lagrange_wedges_of_the_order(self):
        self.solve("--held", "root", *LOADS, "--output", "u.vtu")
        written = File(self.folder / "u.vtu")
        self.assertEqual(set(written.arrays["types"]), {73})
        self.assertEqual(written.components["u"], 3)
        self.assertEqual({len(cell) for cell in written.cells()}, {(ORDER + 1)**2 * (ORDER + 2) // 2})
        points, (_, groups) = written.points(), wing_points()
        stress = written.arrays["von_mises"]
        self.assertEqual(len(stress), 640)
        self.assertGreater(min(stress), 0)
        corners = [tuple(points[node] for node in cell[:6]) for cell in written.cells()]
        mesh = wing_points()[0]
        expected = {frozenset(mesh[node] for node in nodes) for nodes in groups["air"]}
        self.assertTrue({frozenset(cell) for cell in corners} == expected)
        for cell in written.cells():  # nodes of edges are in line with their ends
            ends = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]
            for e, (a, b) in enumerate(ends):
                for i in range(1, ORDER):
                    node = points[cell[6 + e * (ORDER - 1) + i - 1]]
                    for x, p, q in zip(node, points[cell[a]], points[cell[b]]):
                        self.assertAlmostEqual(x, p + (q - p) * i / ORDER)
        norms = [math.hypot(*written.arrays[name]) for name in ("support", "residual")]
        self.assertLess(norms[1], 1e-8 * norms[0])

    def test_vtk_reads_the_displacement(self):
        try:
            from vtkmodules.util.numpy_support import vtk_to_numpy
            from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
        except ImportError:
            self.skipTest("needs VTK (Debian: python3-vtk9)")
        largest = self.solve("--held", "root", *LOADS, "--output", "u.vtu")["result"]["displacement_m"]
        reader = vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(self.folder / "u.vtu"))
        reader.Update()
        grid = reader.GetOutput()
        self.assertEqual((grid.GetNumberOfCells(), grid.GetCell(7).GetClassName()), (640, "vtkLagrangeWedge"))
        values = vtk_to_numpy(grid.GetPointData().GetArray("u"))
        self.assertTrue(0.98 < max(math.hypot(*u) for u in values) / largest < 1.02)  # at equidistant nodes
        volume = 0
        for e in range(640):  # of the wedge of the corners, by three tetrahedra
            p = [grid.GetCell(e).GetPoints().GetPoint(v) for v in range(6)]
            for a, b, c, d in ((0, 1, 2, 3), (1, 2, 3, 5), (1, 3, 4, 5)):
                u, v, w = ([q - r for q, r in zip(p[k], p[a])] for k in (b, c, d))
                volume += (u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2])
                           + u[2] * (v[0] * w[1] - v[1] * w[0])) / 6
        self.assertAlmostEqual(volume, VOLUME, delta=0.05)

    def test_verify_only_stops_after_the_patch_test(self):
        record = self.solve("--held", "root", *LOADS, "--verify-only")
        self.assertLess(record["verification"]["patch_error_over_tolerance"], 0.5)
        self.assertNotIn("iterations", record["result"])
        self.assertFalse(record["rates"] or record["roofs"])

    def test_single_precision_agrees_with_double(self):
        found = [self.solve("--held", "root", *LOADS, "--precision", name, "--tolerance", 1e-5)["result"]["displacement_m"]
                 for name in ("single", "double")]
        self.assert_close(found[0], found[1], 1e-3)

    def test_what_may_take_long_is_said_before(self):
        said = "times as long as others of it, nu up to 0.4999: CG with jacobi may take more iterations than there are unknowns"
        hard = ["--max-iterations", 3, "--held", "root", "--pressure", "tip=1"]
        outcome = self.run_program(*SOLVE, "--order", ORDER, *hard, "--material", "air=1e9,0.4999", code=1)
        self.assertIn(said, " ".join(outcome.output.split()))
        outcome = self.run_program(*SOLVE, "--order", ORDER, *hard, "--material", "air=1e9,0.2", code=1)
        self.assertNotIn("may take more", outcome.output)
        beam = ["elasticity", "--solve", "--order", ORDER, "--max-iterations", 3, "--cells", "2x2x1"]
        outcome = self.run_program(*beam, "--length", 500, "--poisson", 0, code=1)  # 250 / 0.5, the diagonal of a triangle
        self.assertIn("Edges of a prism up to 500 times as long", outcome.output)
        self.assertNotIn("may take more", self.run_program(*beam, "--length", 250, "--poisson", 0, code=1).output)
        self.assertNotIn("may take more", self.run_program(*beam, "--length", 500, "--poisson", 0, "--preconditioner", "amg",
                                                           "--verify-only").output)

    def test_the_page_says_what_is_in_the_record(self):
        outcome = self.run_program(*SOLVE, "--order", ORDER, "--held", "root", *LOADS, "--json", "record.json")
        result = outcome.record["result"]
        row = tables(outcome.output)[0][0]
        self.assertEqual(row["largest u m"], f"{result['displacement_m']:.6g}")
        self.assertEqual(row["iterations"], str(result["iterations"]))
        self.assertIn("held: root; loads: traction tip=0,0,1e4, gravity 0,0,-9.81", outcome.output)
        said = " ".join(outcome.output.split())
        self.assertIn(f"loads (0, 0, {result['loads_n'][2]:.6g}) N", said)
        self.assertIn(f"largest displacement {result['displacement_m']:.6g} m at", said)

    def test_a_load_that_is_not_finite_is_refused(self):
        for load, value in (["--traction", "tip=0,1/0,0"], "inf"), (["--pressure", "far=0/(x - x)"], "nan"):
            outcome = self.run_program(*SOLVE, "--order", ORDER, "--held", "root", *load, code=2)
            self.assertRegex(outcome.errors, rf"{load[0]} \S.*: -?{value} at \(.*\); accepted are finite numbers")

    def test_a_mesh_in_two_parts_needs_two_supports(self):
        points, groups = wing_points()
        prisms = [tuple(points[node] for node in nodes) for nodes in groups["air"]]
        apart = [prism for prism in prisms if max(x for x, _, _ in prism) < -1 or min(x for x, _, _ in prism) > 1]
        numbers, lines = {}, []
        for prism in apart:
            lines.append([numbers.setdefault(point, len(numbers) + 1) for point in prism])
        side = next(nodes[:3] for nodes, prism in zip(lines, apart) if all(z == 0 for _, _, z in prism[:3]))
        text = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "1", '2 1 "foot"', "$EndPhysicalNames", "$Nodes",
                str(len(numbers)), *(f"{n} {' '.join(map(repr, point))}" for point, n in numbers.items()), "$EndNodes", "$Elements",
                str(len(lines) + 1), f"1 2 2 1 1 {' '.join(map(str, side))}",
                *(f"{i + 2} 6 2 2 2 {' '.join(map(str, nodes))}" for i, nodes in enumerate(lines)), "$EndElements", ""]
        (self.folder / "parts.msh").write_text("\n".join(text))
        outcome = self.run_program("elasticity", "--solve", "--mesh", "parts.msh", "--order", ORDER, "--held", "foot",
                                   "--gravity", "0,0,-1", "--density", 1, code=2)
        self.assertRegex(outcome.errors, r"--held foot: leaves one of \d+ parts of the mesh, that with \(.*\), free to move along")


@unittest.skipIf(ORDER is None, "needs an order up to 7")
class BodyOnRanks(OnRanks):
    def test_ranks_have_the_answer_of_one(self):
        way = [*SOLVE, "--order", ORDER, "--held", "root=z", "--held", "wall=xy", "--pressure", "far=100*(1 + x)", *LOADS[2:],
               "--material", "air=3e9,0.4,100"]
        alone = self.record_of(*way)
        for ranks in up_to(2, 3):
            for partition in ("rcb", "linear"):
                with self.subTest(ranks=ranks, partition=partition):
                    record, _ = self.on(ranks, *way, "--partition", partition)
                    self.assertTrue(record["verification"]["passed"])
                    for what in "elements", "dofs", "held":
                        self.assertEqual(record["case"][what], alone["case"][what])
                    found, expected = record["result"], alone["result"]
                    self.assert_close(found["displacement_m"], expected["displacement_m"], 1e-8)
                    self.assert_close(found["von_mises_pa"], expected["von_mises_pa"], 1e-7)
                    for got, right in zip(found["displacement_at"], expected["displacement_at"]):
                        self.assertAlmostEqual(got, right)
                    for got, right in zip(found["support_n"], expected["support_n"]):
                        self.assertLess(abs(got - right), 1e-6)
                    self.assertLess(found["imbalance"], 1e-9)

    def test_each_rank_writes_its_part(self):
        ranks = next(COUNTS)
        self.on(ranks, *SOLVE, "--order", ORDER, "--held", "root", *LOADS, "--output", "u.pvtu" if ranks > 1 else "u.vtu")
        if ranks > 1:
            cells = [len(File(self.folder / f"u_{rank}.vtu").cells()) for rank in range(ranks)]
            self.assertEqual(sum(cells), 640)
            self.assertIn('Name="u" NumberOfComponents="3"', (self.folder / "u.pvtu").read_text())

    def test_what_is_refused_is_refused_on_all(self):
        for ranks in up_to(2):
            done = self.refused(2, (ranks, self.folder, [*map(str, SOLVE), "--order", str(ORDER), "--held", "rot", *map(str, LOADS)]))
            self.assertIn("--held rot: no group of sides (did you mean root?); accepted are root, wall, far, tip", done)


if __name__ == "__main__":
    unittest.main()
