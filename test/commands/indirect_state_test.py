# SPDX-License-Identifier: BSD-3-Clause
"""miniapp indirect takes a loop's state from a file and writes it with the increments."""

import itertools
import math
import re

from command import Command, accepted
from problem_test import MESHES, File

LOOPS = accepted("indirect", "--loop")
KERNEL = "owner"  # adds to each target in one order


def write_ascii(path, points, cells, kind, point_data, cell_data):
    """A grid as a script without a library writes it; data: {name: (components, numbers)}."""

    def array(name, components, numbers, number="Float64"):
        text = " ".join(repr(x) for x in numbers)
        return (f'<DataArray type="{number}" Name="{name}" NumberOfComponents="{components}" format="ascii">\n{text}\n'
                "</DataArray>\n")

    def section(name, data):
        return f"<{name}>\n" + "".join(array(n, *values) for n, values in data.items()) + f"</{name}>\n"

    ends = [sum(map(len, cells[:i + 1])) for i in range(len(cells))]
    path.write_text(
        f'<VTKFile type="UnstructuredGrid"><UnstructuredGrid><Piece NumberOfPoints="{len(points)}" '
        f'NumberOfCells="{len(cells)}">\n' + section("PointData", point_data) + section("CellData", cell_data)
        + section("Points", {"points": (3, [float(x) for p in points for x in p])}) + "<Cells>\n"
        + array("connectivity", 1, [v for cell in cells for v in cell], "Int32") + array("offsets", 1, ends, "Int32")
        + array("types", 1, [kind] * len(cells), "UInt8") + "</Cells>\n</Piece></UnstructuredGrid></VTKFile>\n")


class State(Command):
    def one(self, *arguments):
        return self.record_of("indirect", "--repeat", 1, *arguments)

    def test_what_was_written_is_read_again_with_the_same_increments_to_the_last_bit(self):
        for loop in LOOPS:
            with self.subTest(loop=loop):
                way = ["--loop", loop, "--kernel", KERNEL]
                made = self.one(*way, "--elements", 300, "--output", "a.vtu")
                self.assertEqual((made["case"]["state"], made["case"]["mesh"]), ("own", "generated"))
                read = self.one(*way, "--state", "a.vtu", "--output", "b.vtu")
                self.assertEqual((read["case"]["state"], read["case"]["mesh"]), ("a.vtu", "a.vtu"))
                self.assertEqual(read["case"]["size"], made["case"]["size"])
                self.assertTrue(read["verification"]["passed"])
                first, second = File(self.folder / "a.vtu"), File(self.folder / "b.vtu")
                self.assertEqual(first.arrays, second.arrays)
                self.assertEqual(first.components, second.components)
                self.assertEqual(read["result"]["increments"], made["result"]["increments"])
                self.assertEqual(read["result"]["norm"], made["result"]["norm"])

    def test_a_compressed_file_is_read_with_the_same_increments(self):
        if self.record_of("info")["libraries"]["zlib"] is None:
            self.skipTest("needs zlib")
        way = ["--loop", "euler-flux", "--kernel", KERNEL]
        made = self.one(*way, "--elements", 3000, "--output", "a.vtu", "--output-compress", "zlib")
        read = self.one(*way, "--state", "a.vtu")
        self.assertEqual(read["result"]["increments"], made["result"]["increments"])

    def test_sums_and_norms_are_those_of_the_file(self):
        for loop in LOOPS:
            increments = self.one("--loop", loop, "--elements", 200, "--kernel", KERNEL, "--output", "a.vtu")
            increments = increments["result"]["increments"]
            file, squares = File(self.folder / "a.vtu"), 0
            for name, found in increments.items():
                values, components = file.arrays[name], file.components[name]
                norm = math.sqrt(sum(x * x for x in values))
                self.assert_close(found["norm"], norm, 1e-12)
                for component, total in enumerate(found["sum"]):
                    self.assertAlmostEqual(total, sum(values[component::components]), delta=1e-12 * norm)
                if name.endswith("_residual") and loop != "shallow-water":  # what leaves a cell enters another
                    self.assertLess(max(map(abs, found["sum"])), 1e-12 * norm)
                squares += norm * norm
            for name in file.arrays.keys() - increments.keys():
                self.assertNotRegex(name, "residual")
            (self.folder / "a.vtu").unlink()

    def test_a_file_has_the_order_of_the_mesh_whatever_the_order_of_the_run(self):
        mesh = ["--loop", "airfoil", "--mesh", MESHES / "airfoil.msh"]
        for kernel, reorder in (("serial", "none"), (KERNEL, "blocks"), ("hierarchical", "rcm"), ("global", "gps")):
            self.one(*mesh, "--kernel", kernel, "--reorder", reorder, "--output", f"{kernel}.vtu")
        plain = File(self.folder / "serial.vtu")
        for kernel in KERNEL, "hierarchical", "global":
            other = File(self.folder / f"{kernel}.vtu")
            for name in plain.arrays:
                if name.endswith("_residual"):
                    for a, b in zip(plain.arrays[name], other.arrays[name], strict=True):
                        self.assertAlmostEqual(a, b, delta=1e-12)
                else:
                    self.assertEqual(plain.arrays[name], other.arrays[name])

    def test_residuals_of_three_cells_by_hand(self):
        # rest, pressures 1, 2 and 4 in a row of squares of 2 m: what leaves a cell is momentum p n and dissipation
        points = [(2 * x, 2 * y, 0) for y in (0, 1) for x in range(4)]
        cells = [(x, x + 1, x + 5, x + 4) for x in range(3)]
        pressures = [1.0, 2.0, 4.0]
        energy = [p / 0.4 for p in pressures]
        write_ascii(self.folder / "row.vtu", points, cells, 9, {}, {
            "density": (1, [1.0, 1.0, 1.0]), "momentum": (3, [0.0] * 9), "energy": (1, energy)})
        self.one("--loop", "airfoil", "--state", "row.vtu", "--kernel", "atomic", "--output", "out.vtu")
        found = File(self.folder / "out.vtu").arrays
        speeds = [4 * 2 * math.sqrt(1.4 * p) for p in pressures]  # four edges of 2 m
        mu = [0.05 * (a + b) / 2 for a, b in itertools.pairwise(speeds)]
        flux = [m * (a - b) for m, a, b in zip(mu, energy, energy[1:])]
        for value, expected in zip(found["energy_residual"], (flux[0], flux[1] - flux[0], -flux[1])):
            self.assert_close(value, expected, 1e-12)
        force = [a + b for a, b in itertools.pairwise(pressures)]  # the mean pressure times 2 m
        for cell, expected in enumerate((force[0], force[1] - force[0], -force[1])):
            self.assert_close(found["momentum_residual"][3 * cell], expected, 1e-12)
            self.assertAlmostEqual(found["momentum_residual"][3 * cell + 1], 0, delta=1e-12)
        self.assertEqual(max(map(abs, found["density_residual"])), 0)

    def test_a_state_on_the_mesh_of_a_gmsh_file_is_that_of_its_cells(self):
        mesh = ["--loop", "airfoil", "--mesh", MESHES / "airfoil.msh", "--kernel", KERNEL]
        own = self.one(*mesh, "--output", "own.vtu")
        file = File(self.folder / "own.vtu")
        faster = {name: list(file.arrays[name]) for name in ("density", "momentum", "energy")}
        # the same velocity at twice the density and pressure: all fluxes double
        write_ascii(self.folder / "double.vtu", file.points(), file.cells(), 9, {}, {
            name: (file.components[name], [2 * x for x in values]) for name, values in faster.items()})
        double = self.one(*mesh, "--state", "double.vtu", "--output", "out.vtu")
        self.assertEqual((double["case"]["mesh"], double["case"]["state"]), (str(MESHES / "airfoil.msh"), "double.vtu"))
        self.assert_close(double["result"]["norm"], 2 * own["result"]["norm"], 1e-12)
        written = File(self.folder / "out.vtu")
        for name in faster:
            self.assertEqual(list(written.arrays[name]), [2 * x for x in faster[name]])

    def test_any_size_of_numbers_is_verified_by_its_own_tolerance(self):
        mesh = ["--loop", "airfoil", "--mesh", MESHES / "airfoil.msh", "--kernel", "all", "--layout", "all"]
        self.one(*mesh[:4], "--kernel", KERNEL, "--output", "own.vtu")
        file = File(self.folder / "own.vtu")
        for scale in 1e-30, 1e30:  # of density, momentum and energy alike: velocities stay
            write_ascii(self.folder / "scaled.vtu", file.points(), file.cells(), 9, {}, {
                name: (file.components[name], [scale * x for x in file.arrays[name]])
                for name in ("density", "momentum", "energy")})
            for record in self.records_of("indirect", "--repeat", 1, *mesh, "--state", "scaled.vtu"):
                self.assertTrue(record["verification"]["passed"], record["case"])
                self.assertGreater(record["result"]["norm"], 0)
        self.assert_refused("indirect", "--repeat", 1, *mesh, "--state", "scaled.vtu", "--precision", "single",
                            says="--state scaled.vtu: increments overflow in single precision; accepted are smaller")

    def test_fields_are_in_records_only_where_a_file_has_them(self):
        plain = self.one("--elements", 200, "--kernel", KERNEL)
        self.assertEqual(plain["case"]["state"], "own")
        self.assertNotIn("increments", plain["result"])

    def test_one_row_of_several_is_written(self):
        page = self.run_program("indirect", "--repeat", 1, "--elements", 200, "--kernel", "all", "--output", "a.vtu").output
        self.assertEqual(len(re.findall(r"Loop's state and its increments in a\.vtu: .* written in", page)), 1)
        page = self.run_program("indirect", "--repeat", 1, "--elements", 200, "--output", "a.vtu").output
        self.assertEqual(len(re.findall(r"in a\.vtu: ", page)), 1)

    def test_files_that_are_no_state_are_refused(self):
        words = ["indirect", "--repeat", 1, "--loop", "airfoil"]
        self.run_program(*words, "--mesh", MESHES / "airfoil.msh", "--output", "own.vtu")
        file = File(self.folder / "own.vtu")
        fields = {name: (file.components[name], list(file.arrays[name])) for name in ("density", "momentum", "energy")}

        def refused(says, change=lambda points, cells, data: None, *more):
            points, cells = [list(p) for p in file.points()], list(file.cells())
            data = {name: (n, list(values)) for name, (n, values) in fields.items()}
            change(points, cells, data)
            write_ascii(self.folder / "a.vtu", points, cells, 9, {}, data)
            self.assert_refused(*words, "--state", "a.vtu", *more, says=["--state a.vtu: ", says])

        def number(name, place, value):
            return lambda points, cells, data: data[name][1].__setitem__(place, value)

        def move(points, cells, data):
            points[6][1] += 0.01

        def swap(points, cells, data):
            cells[0], cells[1] = cells[1], cells[0]

        mesh = ["--mesh", MESHES / "airfoil.msh"]
        refused("density of cell 5: -1; accepted is a number > 0", number("density", 4, -1.0))
        refused("energy of cell 1: nan", number("energy", 0, math.nan))
        refused("cell 144: its pressure would be", number("energy", 143, 0.01))
        refused("no energy; it has cell data 'density' (1), 'momentum' (3)", lambda p, c, data: data.pop("energy"))
        refused("point 7 is at", move, *mesh)
        refused("cell 1 is between other points", swap, *mesh)
        refused("144 cells where the mesh has", lambda *_: None, "--mesh", "generated")

    def test_a_file_that_miniapp_did_not_write_is_not_replaced(self):
        (self.folder / "mine.vtu").write_text("mine")
        self.assert_refused("indirect", "--elements", 100, "--output", "mine.vtu", says="--output mine.vtu")
        self.assertEqual((self.folder / "mine.vtu").read_text(), "mine")
        self.run_program("indirect", "--elements", 100, "--repeat", 1, "--output", "a.vtu")
        self.assert_refused("indirect", "--state", "a.vtu", "--output", "a.vtu", says="is the file that --state reads")
