# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of files that miniapp --output wrote."""
import pathlib
import struct
import tempfile
import unittest
import zlib
from types import SimpleNamespace

from drawing import command
from pictures import field, slice
from pictures.cells import vtk_node, wedge_node
from pictures.records import Refused

HEAD = '<VTKFile type="UnstructuredGrid" version="2.2" byte_order="LittleEndian" header_type="UInt64">\n'


def vtu(order, cubes, u, bend=lambda *point: point, begin=0):
    """A row of unit cubes along x, whose points are then moved."""
    n, points, cells, values = order + 1, [], [], []
    for e in range(cubes):
        cell = [0] * n**3
        for k in range(n):
            for j in range(n):
                for i in range(n):
                    point = bend(begin + e + i / order, j / order, k / order)
                    if point not in points:
                        points.append(point)
                        values.append(u(*point))
                    cell[vtk_node(order, i, j, k)] = points.index(point)
        cells.append(cell)
    return file_of({"u": ("Float64", "d", values, 1), "points": ("Float64", "d", [x for point in points for x in point], 3),
                    "connectivity": ("Int64", "q", [node for cell in cells for node in cell], 1),
                    "offsets": ("Int64", "q", [n**3 * (e + 1) for e in range(cubes)], 1)})


def file_of(arrays, is_packed=False):
    head, raw = HEAD.replace(">", ' compressor="vtkZLibDataCompressor">') if is_packed else HEAD, b""
    for name, (kind, code, numbers, components) in arrays.items():
        head += (f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="appended" '
                 f'offset="{len(raw)}"/>\n')
        content = struct.pack(f"<{len(numbers)}{code}", *numbers)
        if is_packed:  # in blocks of 16 bytes
            parts = [zlib.compress(content[at:at + 16]) for at in range(0, len(content), 16)]
            raw += struct.pack(f"<{3 + len(parts)}Q", len(parts), 16, len(content) % 16, *map(len, parts)) + b"".join(parts)
        else:
            raw += struct.pack("<Q", len(content)) + content
    return (head + '<AppendedData encoding="raw">\n_').encode() + raw + b"\n</AppendedData>\n</VTKFile>\n"


def wedges(order, u):
    """A cube of two prisms."""
    points, cells = [], []
    for turned in False, True:
        cell = [0] * ((order + 1)**2 * (order + 2) // 2)
        for k in range(order + 1):
            for j in range(order + 1):
                for i in range(order + 1 - j):
                    point = (1 - i / order if turned else i / order, 1 - j / order if turned else j / order, k / order)
                    point = tuple(round(x, 9) for x in point)
                    if point not in points:
                        points.append(point)
                    cell[wedge_node(order, i, j, k)] = points.index(point)
        cells.append(cell)
    return file_of({"u": ("Float64", "d", [u(*point) for point in points], 1),
                    "points": ("Float64", "d", [x for point in points for x in point], 3),
                    "connectivity": ("Int32", "i", [node for cell in cells for node in cell], 1),
                    "offsets": ("Int64", "q", [len(cells[0]), 2 * len(cells[0])], 1)})


class Field(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name) / "u.vtu"

    def test_the_surface_is_that_of_the_row_in_pieces_of_the_order(self):
        for order in 1, 2, 3:
            self.path.write_bytes(vtu(order, 2, lambda x, y, z: x + 10 * z))
            pieces = field.surface(field.parse(str(self.path)))
            self.assertEqual(len(pieces), 10 * order**2)
            for four, value in pieces:
                x, _, z = (sum(point[d] for point in four) / 4 for d in range(3))
                self.assertAlmostEqual(value, x + 10 * z)
                self.assertTrue(any(len({point[d] for point in four}) == 1 for d in range(3)))

    def test_prisms_have_triangles_and_quadrilaterals(self):
        for order in 1, 2, 3, 4:
            self.path.write_bytes(wedges(order, lambda x, y, z: x + 3 * y + 10 * z))
            parsed = field.parse(str(self.path))
            self.assertEqual(field.describe(parsed.cells), "on the surface of 2 prisms")
            pieces = field.surface(parsed)
            self.assertEqual(sorted(len(corners) for corners, _ in pieces), [3] * 4 * order**2 + [4] * 4 * order**2)
            area = 0
            for corners, value in pieces:
                x, y, z = (sum(point[d] for point in corners) / len(corners) for d in range(3))
                self.assertAlmostEqual(value, x + 3 * y + 10 * z)
                self.assertTrue(any(max(abs(point[d] - end) for point in corners) < 1e-8 for d in range(3) for end in (0, 1)))
                area += (0.5 if len(corners) == 3 else 1) / order**2
            self.assertAlmostEqual(area, 6)

    def cut(self, plane):
        """The pieces and their whole area, in which no two overlap."""
        axis, _ = at = slice.parse_plane(plane)
        pieces = slice.cut(field.parse(str(self.path)), *at)
        a, b = (d for d in range(3) if d != axis)
        return pieces, sum(abs(sum(p[a] * q[b] - q[a] * p[b] for p, q in zip(corners, corners[1:] + corners[:1]))) / 2
                           for corners, _ in pieces)

    def test_a_slice_has_the_values_of_the_polynomials(self):
        def u(x, y, z):
            return x**2 - 3 * y * z + z**2

        for order in 2, 3:
            self.path.write_bytes(vtu(order, 2, u))
            for plane, area in ("x=0.3", 1), ("x=1", 1), ("x=0", 1), ("x=2", 1), ("y=0.5", 2), ("z=0.123", 2), ("z=1", 2):
                axis, place = slice.parse_plane(plane)
                pieces, found = self.cut(plane)
                self.assertAlmostEqual(found, area)
                self.assertEqual(len(pieces), area * order**2)
                for corners, value in pieces:
                    self.assertTrue(all(abs(point[axis] - place) < 1e-9 for point in corners))
                    self.assertAlmostEqual(value, sum(u(*point) for point in corners) / len(corners), 10)

    def test_a_slice_of_a_curved_cell_lies_in_the_plane(self):
        def bend(x, y, z):
            return x + 0.3 * y * (1 - y), y, z

        self.path.write_bytes(vtu(2, 1, lambda x, y, z: (x - 0.3 * y * (1 - y))**2, bend))
        pieces, area = self.cut("x=0.5")
        self.assertTrue(0.99 < area < 1.01)
        for corners, value in pieces:
            self.assertTrue(all(abs(point[0] - 0.5) < 1e-9 for point in corners))
            exact = [(0.5 - 0.3 * y * (1 - y))**2 for _, y, _ in corners]
            self.assertAlmostEqual(value, sum(exact) / len(exact), 10)

    def test_slices_of_prisms_and_tetrahedra(self):
        for order in 1, 2, 4:
            self.path.write_bytes(wedges(order, lambda x, y, z: x + 3 * y + 10 * z))
            for plane in "x=0.3", "y=0.71", "z=0.5":
                pieces, area = self.cut(plane)
                self.assertAlmostEqual(area, 1, 6)
                for corners, value in pieces:
                    x, y, z = (sum(point[d] for point in corners) / len(corners) for d in range(3))
                    self.assertAlmostEqual(value, x + 3 * y + 10 * z, 6)
        self.path.write_bytes(file_of({"u": ("Float64", "d", [1, 2, 4, 8], 1),
                                       "points": ("Float64", "d", [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], 3),
                                       "connectivity": ("Int32", "i", [0, 1, 2, 3], 1), "offsets": ("Int64", "q", [4], 1)}))
        (((*_, corners), value),), area = self.cut("z=0.5")
        self.assertAlmostEqual(area, 1 / 8)
        self.assertEqual(value, (1 + 8 + 2 + 8 + 4 + 8) / 6)

    def test_a_slice_is_seen_along_its_axis(self):
        self.path.write_bytes(vtu(1, 1, lambda x, y, z: y))
        arguments = SimpleNamespace(rate=None, roofs=False, scratch_roofs=False, title=None, unit=None, slice="y=0.25")
        (picture,) = command.all_pictures(command.read_points([str(self.path)]), arguments)
        self.assertEqual(picture.below, "on y=0.25 through 1 hexahedra")
        (shapes,) = command.draw(picture, arguments).axes[0].collections
        self.assertEqual(list(shapes.get_array()), [0.25])
        self.assertEqual({tuple(point) for point in shapes.get_paths()[0].vertices}, {(0, 0), (1, 0), (1, 1), (0, 1)})

    def test_slices_that_cannot_be_are_refused(self):
        self.path.write_bytes(vtu(1, 2, lambda x, y, z: x))
        for plane in "w=1", "x", "x=", "x=nan", "x=1,y=2":
            with self.assertRaisesRegex(Refused, f"--slice {plane}: accepted is x=NUMBER, y=NUMBER or z=NUMBER"):
                self.cut(plane)
        with self.assertRaisesRegex(Refused, "--slice x=2.5: outside of .*; accepted are numbers from 0 to 2"):
            self.cut("x=2.5")

    def test_the_files_of_ranks_are_one_field(self):
        for rank in 0, 1:
            (self.path.parent / f"u_{rank}&.vtu").write_bytes(vtu(2, 1, lambda x, y, z: x, begin=rank))
        whole = self.path.with_suffix(".pvtu")
        for ranks in (0, 1), (1,):
            whole.write_text('<VTKFile type="PUnstructuredGrid" version="2.2">\n'
                             + "".join(f'<Piece Source="u_{rank}&amp;.vtu"/>\n' for rank in ranks))
            (point,) = command.read_points([str(whole)])
            self.assertEqual(len(point.points), 9 * (2 * len(ranks) + 1))
            self.assertEqual(len(field.surface(point)), 4 * (4 * len(ranks) + 2))
            self.assertEqual(max(value for _, value in field.surface(point)), 2)
        whole.write_text("<VTKFile>")
        with self.assertRaisesRegex(Refused, "no list of pieces; accepted is what miniapp --output writes"):
            command.read_points([str(whole)])

    def test_it_is_drawn_with_its_values(self):
        self.path.write_bytes(vtu(2, 1, lambda x, y, z: x))
        points = command.read_points([str(self.path)])
        arguments = SimpleNamespace(rate=None, roofs=False, scratch_roofs=False, title=None, unit="K", slice=None)
        (picture,) = command.all_pictures(points, arguments)
        figure = command.draw(picture, arguments)
        (shapes,) = figure.axes[0].collections
        self.assertEqual(len(shapes.get_paths()), 24)
        self.assertEqual((min(shapes.get_array()), max(shapes.get_array())), (0, 1))
        self.assertEqual(figure.axes[1].get_ylabel(), "u [K]")

    def test_triangles_and_vectors_are_drawn(self):
        arrays = {"u": ("Float64", "d", [3, 4, 0] * 4, 3), "points": ("Float64", "d", [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], 3),
                  "connectivity": ("Int32", "i", [0, 1, 2], 1), "offsets": ("Int64", "q", [3], 1)}
        for cell, pieces in ([0, 1, 2], 1), ([0, 1, 2, 3], 4):
            arrays["connectivity"] = ("Int32", "i", cell, 1)
            arrays["offsets"] = ("Int64", "q", [len(cell)], 1)
            for is_packed in False, True:
                self.path.write_bytes(file_of(arrays, is_packed))
                parsed = field.parse(str(self.path))
                self.assertEqual(parsed.name, "|u|")
                surface = field.surface(parsed)
                self.assertEqual([(len(corners), value) for corners, value in surface], [(3, 5)] * pieces)

    def test_other_files_are_refused(self):
        for content in b"", b"<VTKFile>", vtu(1, 1, max)[:-300]:
            self.path.write_bytes(content)
            with self.assertRaisesRegex(Refused, "accepted is what miniapp --output writes"):
                command.read_points([str(self.path)])


if __name__ == "__main__":
    unittest.main()
