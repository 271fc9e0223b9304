# SPDX-License-Identifier: BSD-3-Clause
"""The main job solves a user's problem: meshes, coefficients, sources, conditions, and a file of the solution."""

import math
import pathlib
import re
import struct
import unittest
import zlib

from command import HIGH_ORDER, Command, pages

ORDER = HIGH_ORDER or 1
MESHES = pathlib.Path(__file__).resolve().parents[2] / "inputs" / "meshes"
BOX = ["--order", ORDER, "--cells", "3x2x2", "--deform", 0, "--repeat", 1]
SIDES = ("x0", "x1", "y0", "y1", "z0", "z1")
QUADRATIC = "x*x + y*z + 1"


def on_all_sides(option, text):
    return [word for side in SIDES for word in (option, f"{side}={text}")]


class File:
    """A .vtu file that miniapp wrote."""

    TYPES = {"Float64": "d", "Int32": "i", "Int64": "q", "UInt8": "B"}
    ARRAY = re.compile(r'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d)" format="appended" offset="(\d+)"/>')

    def __init__(self, path):
        content = path.read_bytes()
        head, raw = content.split(b'<AppendedData encoding="raw">\n_', 1)
        is_packed = b'compressor="vtkZLibDataCompressor"' in head
        self.arrays, self.components = {}, {}
        for kind, name, components, at in self.ARRAY.findall(head.decode()):
            at, code = int(at), self.TYPES[kind]
            packed = self.unpack(raw, at) if is_packed else raw[at + 8:at + 8 + struct.unpack_from("<Q", raw, at)[0]]
            self.arrays[name] = struct.unpack(f"<{len(packed) // struct.calcsize(code)}{code}", packed)
            self.components[name] = int(components)

    @staticmethod
    def unpack(raw, at):
        blocks, size, last, *sizes = struct.unpack_from(f"<{3 + struct.unpack_from('<Q', raw, at)[0]}Q", raw, at)
        parts, at = [], at + 8 * (3 + blocks)
        for packed in sizes:
            parts.append(zlib.decompress(raw[at:at + packed]))
            at += packed
        wanted = [size] * blocks
        if last and blocks:
            wanted[-1] = last
        assert [len(part) for part in parts] == wanted
        return b"".join(parts)

    def points(self):
        flat = self.arrays["points"]
        return [flat[i:i + 3] for i in range(0, len(flat), 3)]

    def cells(self):
        ends = self.arrays["offsets"]
        return [self.arrays["connectivity"][begin:end] for begin, end in zip((0, *ends), ends)]


class Solution(Command):
    def test_a_quadratic_with_every_condition_is_found_to_rounding(self):
        if ORDER == 1:
            self.skipTest("needs an order above 1")
        # k = 2: -2 lap u + 3 u = f, du/dx = 2 x, du/dy = z, du/dz = y
        record = self.record_of(
            *BOX, "--lambda", 3, "--coefficient", 2, "--source", f"-4 + 3*({QUADRATIC})", "--exact", QUADRATIC,
            "--dirichlet", f"x0={QUADRATIC}", "--dirichlet", f"z1={QUADRATIC}", "--neumann", "x1=4*x", "--neumann", "z0=-2*y",
            "--robin", f"y0=3,-2*z + 3*({QUADRATIC})", "--robin", f"y1=max(0.5,0.25),2*z + 0.5*({QUADRATIC})",
            "--preconditioner", "jacobi", "--bp", "3.0")
        self.assertLess(record["result"]["l2_error"], 1e-10 if ORDER > 2 else 2e-2)  # Robin's term has no order-2 exactness
        self.assertLess(record["result"]["h1_error"], 1e-8 if ORDER > 2 else 0.1)
        self.assertEqual(record["case"]["rhs"], "given")
        self.assertEqual(record["case"]["coefficient"], ["2"])
        self.assertEqual(len(record["case"]["robin"]), 2)

    def test_without_robin_it_is_exact_from_order_2_on(self):
        if ORDER == 1:
            self.skipTest("needs an order above 1")
        words = [*BOX, "--source", -2, "--exact", QUADRATIC, *on_all_sides("--dirichlet", QUADRATIC)]
        for way in (["--bp", "3.0"], ["--bp", "bp3"], ["--geometry", "stored"], ["--geometry", "computed"], ["--precision", "single"]):
            with self.subTest(way=way):
                error = self.record_of(*words, *way, "--preconditioner", "jacobi")["result"]["l2_error"]
                self.assertLess(error, 1e-4 if "single" in way else 1e-10)

    def test_materials_by_group_conduct_in_series(self):
        # two layers between plates: the flux is 1 / (h1 / k1 + h2 / k2) where layers are even; here z = 1/2 parts them
        words = ["--order", ORDER, "--cells", "1x1x4", "--deform", 0, "--repeat", 1, "--coefficient", "z < 0.5 ? 1 : 4",
                 "--dirichlet", "z0=1", "--dirichlet", "z1=0", "--exact", "z < 0.5 ? 1 - 1.6*z : 0.4*(1 - z)"]
        self.assertLess(self.record_of(*words, "--preconditioner", "jacobi")["result"]["l2_error"], 1e-10)

    def test_numbers_per_element_come_from_a_file(self):
        (self.folder / "k.txt").write_text("1 1\n4 4\n")
        words = ["--order", ORDER, "--cells", "1x1x4", "--deform", 0, "--repeat", 1, "--coefficient", "@k.txt",
                 "--dirichlet", "z0=1", "--dirichlet", "z1=0", "--exact", "z < 0.5 ? 1 - 1.6*z : 0.4*(1 - z)"]
        self.assertLess(self.record_of(*words, "--preconditioner", "jacobi")["result"]["l2_error"], 1e-10)
        self.assert_refused(*words, "--reorder", "rcm", says="--reorder: of elements that have values from a file")
        for text, says in (("1 1 4", "has 3; accepted is a file of 4 numbers"), ("1 1 4 4 4", "has more"), ("1 1 x 4", "word 3 is 'x'"),
                           ("1 1 inf 4", "word 3 is 'inf'")):
            (self.folder / "k.txt").write_text(text)
            self.assert_refused(*words, says=["--coefficient @k.txt", says])

    def test_a_section_of_toml_has_the_same_problem(self):
        (self.folder / "a.toml").write_text(
            f'order = {ORDER}\ncells = "3x2x2"\ndeform = 0\nrepeat = 1\nsource = "-2"\nexact = "{QUADRATIC}"\n'
            'preconditioner = "jacobi"\ncoefficient = "1 + 0*atan2(y, 2)"\n'
            f'dirichlet = [{", ".join(chr(34) + side + "=" + QUADRATIC + chr(34) for side in SIDES)}]\n')
        record = self.record_of("--config", "a.toml")
        self.assertEqual(record["case"]["dirichlet"], [f"{side}={QUADRATIC}" for side in SIDES])
        self.assertEqual(record["case"]["coefficient"], ["1 + 0*atan2(y, 2)"])
        if ORDER > 1:
            self.assertLess(record["result"]["l2_error"], 1e-10)

    def test_a_variable_coefficient_by_stored_and_computed_geometry(self):
        words = ["--order", ORDER, "--cells", "5x3x2", "--repeat", 1, "--coefficient", "1 + x*y", "--source", "x", "--dirichlet", "x0=y",
                 "--preconditioner", "jacobi", "--tolerance", 1e-12, "--exact", "y"]
        errors = [self.record_of(*words, "--geometry", geometry)["result"]["l2_error"]
                  for geometry in ("stored", "computed", "auto")]
        self.assertLess(max(errors) - min(errors), 1e-10)

    def test_preconditioners_agree(self):
        words = [*BOX, "--coefficient", "1 + x", "--source", "x", "--dirichlet", "x0=y", "--robin", "z1=2,1", "--tolerance", 1e-11]
        sums = []
        for preconditioner in ("none", "jacobi", "chebyshev", "lor-amg", *(["p-multigrid"] if ORDER > 1 else []), "auto"):
            record = self.record_of(*words, "--preconditioner", preconditioner, "--output", "u.vtu")
            self.assertTrue(record["result"]["converged"])
            sums.append(sum(File(self.folder / "u.vtu").arrays["u"]))
        self.assertLess(max(sums) - min(sums), 1e-7 * abs(sums[0]))


class Meshes(Command):
    def test_the_sample_meshes_solve_the_known_problem(self):
        for name, elements in ("pipe", 84), ("layers", 64):
            with self.subTest(name=name):
                record = self.record_of("--mesh", MESHES / f"{name}.msh", "--order", ORDER, "--repeat", 1, "--tolerance", 1e-9)
                self.assertEqual(record["case"]["elements"], elements)
                self.assertEqual(record["case"]["mesh_order"], {"pipe": 2, "layers": 1}[name])
                self.assertAlmostEqual(record["case"]["scaled_jacobian"], {"pipe": 0.832, "layers": 0.955}[name], 3)
                self.assertIsNone(record["case"]["box"])
                self.assertTrue(record["verification"]["passed"])
                self.assertLess(record["result"]["l2_error"], {1: 0.3, 2: 0.08}.get(ORDER, 0.02))

    def test_ugly_files_hold_the_same_mesh(self):
        words = ["--order", ORDER, "--repeat", 1, "--coefficient", "sand=2", "--dirichlet", "bottom=1", "--neumann", "top=x", "--output",
                 "u.vtu", "--preconditioner", "jacobi"]
        solutions = {}
        for name in "layers", "ugly_gaps", "ugly_turned", "ugly_entities":
            with self.subTest(name=name):
                record = self.record_of("--mesh", MESHES / f"{name}.msh", *words)
                self.assertEqual(record["case"]["elements"], 64)
                file = File(self.folder / "u.vtu")
                solutions[name] = {tuple(round(x, 6) + 0.0 for x in point): u for point, u in zip(file.points(), file.arrays["u"])}
                self.assertEqual(set(solutions[name]), set(solutions["layers"]))
                for point, u in solutions[name].items():
                    self.assertAlmostEqual(u, solutions["layers"][point], 8)

    def test_a_mesh_has_groups_of_sides_and_materials(self):
        words = ["--mesh", MESHES / "layers.msh", "--order", ORDER, "--repeat", 1, "--coefficient", "sand=2", "--coefficient", "clay=1",
                 "--dirichlet", "bottom=1", "--dirichlet", "top=0", "--output", "u.vtu", "--preconditioner", "jacobi"]
        outcome = self.run_program(*words)
        page = dict(pages(outcome.output))[f"BP3.0, order {ORDER}"]
        self.assertEqual(page["natural"], "64 sides without a group: k du/dn = 0")
        self.assertEqual(page["k"], "sand=2; clay=1")
        written = File(self.folder / "u.vtu")
        self.assertEqual(set(written.arrays["group"]), {1, 2})
        least = self.record_of(*words)["case"]["scaled_jacobian"]
        self.assertAlmostEqual(min(written.arrays["scaled_jacobian"]), least)
        self.assertLess(least, max(written.arrays["scaled_jacobian"]))
        self.assertEqual({(k, group) for k, group in zip(written.arrays["k"], written.arrays["group"])}, {(2, 1), (1, 2)})
        for (_, _, z), u in zip(written.points(), written.arrays["u"]):
            self.assertTrue(-1e-9 <= u <= 1 + 1e-9)
            if z < 1e-12 or z > 1 - 1e-12:
                self.assertAlmostEqual(u, 1 if z < 0.5 else 0)

    def test_tetrahedra_and_prisms_are_cut_into_hexahedra(self):
        for name, cells, pieces, kind in ("bracket", 1248, 4, "tetrahedra"), ("wing", 640, 6, "prisms"):
            with self.subTest(name=name):
                words = ["--mesh", MESHES / f"{name}.msh", "--order", ORDER, "--repeat", 1]
                outcome = self.run_program(*words, "--json", "record.json")
                record, page = outcome.record, dict(pages(outcome.output))[f"BP3.0, order {ORDER}"]
                self.assertEqual(record["case"]["mesh_pieces"], pieces)
                self.assertEqual(record["case"]["elements"], pieces * cells)
                self.assertIn(f"hexahedra, cut from {cells // 1000 or ''}{' ' * (cells > 999)}{cells % 1000} {kind} of ", page["mesh"])
                self.assertTrue(record["verification"]["passed"])
                self.assertLess(record["result"]["l2_error"], 0.3 / 4**(ORDER - 1))

    def test_numbers_per_tetrahedron_are_those_of_its_hexahedra(self):
        (self.folder / "k.txt").write_text("\n".join(str(1 + i % 3) for i in range(1248)))
        words = ["--mesh", MESHES / "bracket.msh", "--order", ORDER, "--repeat", 1, "--dirichlet", "ground=0", "--dirichlet", "edge=1",
                 "--preconditioner", "jacobi", "--output", "u.vtu"]
        self.run_program(*words, "--coefficient", "@k.txt")
        written = File(self.folder / "u.vtu")
        self.assertEqual([round(k) for k in written.arrays["k"]], [1 + i // 4 % 3 for i in range(4 * 1248)])
        for (_, _, z), u in zip(written.points(), written.arrays["u"]):
            self.assertTrue(-1e-9 <= u <= 1 + 1e-9)
            if z in (0, 1):
                self.assertAlmostEqual(u, z)
        self.assert_refused("--mesh", MESHES / "airfoil.msh", says="of quadrilaterals; accepted are hexahedra, and tetrahedra and prisms, which are cut into them")

    def test_verifying_solves_a_known_problem_on_the_mesh(self):
        words = ["--mesh", MESHES / "layers.msh", "--coefficient", "sand=100", "--dirichlet", "bottom=1", "--order", ORDER]
        record = self.record_of(*words, "--verify-only")
        known = self.record_of("--mesh", MESHES / "layers.msh", "--order", ORDER, "--lambda", 0, "--repeat", 1)
        self.assertAlmostEqual(record["result"]["known_l2_error"], known["result"]["l2_error"], 9)
        self.assertIsNone(record["result"].get("l2_error"))

    def test_curved_elements_store_their_geometry(self):
        words = ["--mesh", MESHES / "pipe.msh", "--order", ORDER, "--repeat", 1]
        for record in self.records_of(*words, "--kernel", "all", "--no-solve"):
            self.assertEqual(record["case"]["geometry"], "stored")
            self.assertTrue(record["verification"]["passed"])
        self.assertTrue(self.record_of(*words, "--kernel", "reference", "--no-solve")["verification"]["passed"])
        for geometry in "computed", "affine", "boxes":
            self.assert_refused(*words, "--geometry", geometry,
                                says=f"--geometry {geometry}: is of straight elements; accepted with curved ones are auto, stored")
        self.assert_refused("indirect", "--loop", "hydro-stress", "--mesh", MESHES / "pipe.msh",
                            says="pipe.msh: a mesh of curved elements, of order 2; accepted are elements with straight edges")

    def test_curved_neighbours_share_the_nodes_of_their_sides(self):
        text = (MESHES / "pipe.msh").read_text().split("\n")
        nodes, elements = text.index("$Nodes") + 1, text.index("$Elements") + 2
        cells = [line.split() for line in text[elements:elements + 84]]
        node = next(n for n in cells[20][-7:-1] if sum(n in cell[5:] for cell in cells) == 2)  # in the middle of a side
        number = int(text[nodes]) + 1
        x, y, z = text[nodes + int(node)].split()[1:]
        text[elements + 20] = " ".join([*cells[20][:5], *(str(number) if word == node else word for word in cells[20][5:])])
        text[nodes] = str(number)
        text.insert(nodes + number, f"{number} {x} {y} {float(z) + 0.01}")
        (self.folder / "gap.msh").write_text("\n".join(text))
        self.assert_refused("--mesh", "gap.msh", "--order", ORDER, says=["--mesh gap.msh: element", "has a node elsewhere than its neighbour"])

    def test_a_curved_element_inside_out_is_named(self):
        text = (MESHES / "pipe.msh").read_text().split("\n")
        cell = text[text.index("$Elements") + 2 + 40].split()
        node = text.index("$Nodes") + 1 + int(cell[-1])  # its centre
        text[node] = " ".join([text[node].split()[0], "9", "9", "9"])
        (self.folder / "bad.msh").write_text("\n".join(text))
        self.assert_refused("--mesh", "bad.msh", "--order", ORDER, says=["element 41 of 84 is inverted"])

    def test_refusals_name_the_group_and_what_there_is(self):
        layers = ["--mesh", MESHES / "layers.msh", "--order", ORDER]
        for words, says in (
            (["--dirichlet", "botom=1"], ["--dirichlet botom: no group of sides", "did you mean bottom", "accepted are bottom, top"]),
            (["--dirichlet", "sand=1"], ["--dirichlet sand: a group of elements", "accepted are bottom, top"]),
            (["--coefficient", "top=1", "--dirichlet", "top=1"], ["--coefficient top: a group of sides", "accepted are sand, clay"]),
            (["--dirichlet", "7"], ["--dirichlet 7: without a group", "GROUP=EXPRESSION"]),
            (["--robin", "top=2"], ["--robin top=2: without a comma", "GROUP=ALPHA,G"]),
            (["--robin", "top=1,2,3"], ["--robin top=1,2,3: with more than one comma", "GROUP=ALPHA,G"]),
            (["--dirichlet", "top=1", "--neumann", "top=1"], ["--neumann top: side", "has a condition already"]),
            (["--source", "x +"], ["--source x +:", "accepted are expressions"]),
            (["--source", "q", "--dirichlet", "top=1"], ["--source q:", "accepted are expressions"]),
            (["--source", "1,2", "--dirichlet", "top=1"], ["--source 1,2: 2 expressions"]),
            (["--source", "+".join(["x"] * 600)], ["1199 characters; accepted are expressions of up to 1000"]),
            (["--source", "1"], ["--lambda 0 without --dirichlet and --robin"]),
            (["--source", "1/(x-x)", "--dirichlet", "top=1"], ["--source", "not finite at"]),
            (["--coefficient", "0.5-z", "--dirichlet", "top=1"], ["--coefficient -", "accepted are numbers above 0"]),
            (["--dirichlet", "top=1", "--neumann", "bottom=sqrt(x-9)"], ["--neumann", "accepted are finite numbers"]),
            (["--robin", "top=1,1/(x-x)"], ["--robin", "accepted are finite numbers"]),
            (["--robin", "top=1/(x-x),1"], ["--robin top: alpha inf: at (", "accepted are numbers from 0 on"]),
            (["--robin", "top=-1,0"], ["--robin top: alpha -1: at (", "accepted are numbers from 0 on"]),
            (["--robin", "top=0,1"], ["--robin top: alpha is 0 everywhere, which leaves u open by a constant"]),
            (["--robin", "top="], ["--robin top=: nothing after the =; accepted is GROUP=ALPHA,G"]),
            (["--coefficient", "bottom="], ["--coefficient"]),
            (["--cells", "4"], ["--cells: of the box"]),
            (["--deform", "0"], ["--deform: of the box"]),
            (["--rhs", "random"], ["--rhs: of the bake-off problem"]),
            (["--boundary", "neumann"], ["--boundary: of the bake-off problem"]),
            (["--bp", "1.0"], ["--bp 1.0: the mass alone"]),
            (["--components", "3"], ["--components 3: accepted with --mesh FILE is 1"]),
            (["--sweep", "elements"], ["--sweep elements: of boxes"]),
            (["--output", "u.vtk"], ["--output u.vtk: ends in another way"]),
            (["--output", "u.vtu", "--verify-only"], ["--output u.vtu: there is no solution"]),
        ):
            with self.subTest(words=words):
                self.assert_refused(*layers, *words, says=says)
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_plane_cells_are_refused(self):
        (self.folder / "t.msh").write_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
                                           "$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n")
        self.assert_refused("--mesh", "t.msh", says="--mesh t.msh: of triangles; accepted are hexahedra, and tetrahedra")

    def test_an_output_keeps_what_is_no_such_file(self):
        (self.folder / "u.vtu").write_text("mine")
        self.assert_refused(*BOX, "--output", "u.vtu", says=["--output u.vtu"])
        self.assertEqual((self.folder / "u.vtu").read_text(), "mine")


class Fields(Command):
    def test_points_and_values_are_those_of_the_solution(self):
        self.run_program(*BOX, "--source", -2, "--exact", QUADRATIC, *on_all_sides("--dirichlet", QUADRATIC), "--output", "u.vtu")
        written = File(self.folder / "u.vtu")
        points = written.points()
        self.assertEqual(len(points), math.prod(ORDER * n + 1 for n in (3, 2, 2)))
        self.assertEqual(len(set(tuple(round(x, 9) for x in point) for point in points)), len(points))
        if ORDER > 1:
            for (x, y, z), u, error in zip(points, written.arrays["u"], written.arrays["error"]):
                self.assertAlmostEqual(u, x * x + y * z + 1, delta=1e-9)
                self.assertLess(abs(error), 1e-9)
        self.assertEqual(set(written.arrays["types"]), {72})

    def test_compressed_fields_are_the_same(self):
        words = ["--order", ORDER, "--cells", "20x20x20", "--repeat", 1, "--preconditioner", "jacobi", "--tolerance", 1e-3]
        self.run_program(*words, "--output", "u.vtu")
        if self.record_of("info")["libraries"]["zlib"] is None:
            self.assert_refused(*words, "--output", "z.vtu", "--output-compress", "zlib", says="this build has no zlib; accepted is none")
            self.skipTest("needs zlib")
        self.run_program(*words, "--output", "z.vtu", "--output-compress", "zlib")
        stored, packed = File(self.folder / "u.vtu"), File(self.folder / "z.vtu")
        self.assertEqual(list(packed.arrays), list(stored.arrays))
        for name, numbers in stored.arrays.items():  # threads store at shared nodes what differs by rounding
            self.assertEqual(len(packed.arrays[name]), len(numbers))
            self.assertLess(max(abs(a - b) for a, b in zip(packed.arrays[name], numbers)), 1e-10, name)
        self.assertLess((self.folder / "z.vtu").stat().st_size, 0.8 * (self.folder / "u.vtu").stat().st_size)
        self.assert_refused(*words, "--output-compress", "zlib", says="--output-compress")

    def test_the_residual_is_what_is_left_of_b(self):
        words = [*BOX, "--source", "x", "--dirichlet", "x0=1", "--preconditioner", "jacobi", "--output", "u.vtu"]
        norms = []
        for tolerance in 1e-3, 1e-11:
            self.run_program(*words, "--tolerance", tolerance)
            written = File(self.folder / "u.vtu")
            norms.append(max(map(abs, written.arrays["residual"])))
            for (x, _, _), r in zip(written.points(), written.arrays["residual"]):
                if x == 0:
                    self.assertLess(abs(r), 1e-14)
        self.assertLess(norms[1], 1e-6 * norms[0])
        self.assertGreater(norms[0], 0)

    def test_nodes_are_where_vtk_has_them(self):
        if 2 not in {ORDER}:
            self.skipTest("needs order 2")
        self.run_program("--order", 2, "--cells", "2x1x1", "--deform", 0, "--repeat", 1, "--output", "u.vtu")
        written = File(self.folder / "u.vtu")
        points = written.points()
        corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
        edges = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
        middle = [tuple((a + b) / 2 for a, b in zip(corners[p], corners[q])) for p, q in edges]
        faces = [(0, .5, .5), (1, .5, .5), (.5, 0, .5), (.5, 1, .5), (.5, .5, 0), (.5, .5, 1)]
        for e, cell in enumerate(written.cells()):
            for node, (r, s, t) in zip(cell, [*corners, *middle, *faces, (.5, .5, .5)]):
                for got, expected in zip(points[node], ((r + e) / 2, s, t)):
                    self.assertAlmostEqual(got, expected)

    def test_vtk_reads_the_solution_between_the_nodes(self):
        try:
            from vtkmodules.util.numpy_support import vtk_to_numpy
            from vtkmodules.vtkCommonCore import vtkPoints
            from vtkmodules.vtkCommonDataModel import vtkPolyData
            from vtkmodules.vtkFiltersCore import vtkProbeFilter
            from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
        except ImportError:
            self.skipTest("needs VTK (Debian: python3-vtk9)")
        self.run_program(*BOX, "--source", -2, *on_all_sides("--dirichlet", QUADRATIC), "--output", "u.vtu")
        reader = vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(self.folder / "u.vtu"))
        reader.Update()
        points = vtkPoints()
        places = [((7 * i % 97) / 98 + 0.005, (11 * i % 89) / 90 + 0.004, (13 * i % 83) / 84 + 0.003) for i in range(200)]
        for place in places:
            points.InsertNextPoint(*place)
        data, probe = vtkPolyData(), vtkProbeFilter()
        data.SetPoints(points)
        probe.SetInputData(data)
        probe.SetSourceData(reader.GetOutput())
        probe.Update()
        values = vtk_to_numpy(probe.GetOutput().GetPointData().GetArray("u"))
        if ORDER > 1:
            for (x, y, z), u in zip(places, values):
                self.assertAlmostEqual(u, x * x + y * z + 1, delta=1e-5)


if __name__ == "__main__":
    unittest.main()
