# SPDX-License-Identifier: BSD-3-Clause
"""Meshes as arrays."""
import gc
import pathlib
import tempfile
import unittest

import miniapp
import numpy as np

meshes = pathlib.Path(__file__).parents[2] / "inputs" / "meshes"


def address(array):
    return array.__array_interface__["data"][0]


class MeshTest(unittest.TestCase):
    def test_a_box_has_its_vertices_cells_and_sides(self):
        mesh = miniapp.Mesh.box(3, 2, 1)
        x, y, z = np.meshgrid(np.arange(4) / 3, np.arange(3) / 2, np.arange(2), indexing="ij")
        np.testing.assert_allclose(mesh.vertices, np.stack([a.T.ravel() for a in (x, y, z)], axis=1), atol=1e-15)
        np.testing.assert_array_equal(mesh.cells[0], [0, 1, 4, 5, 12, 13, 16, 17])
        self.assertEqual((mesh.kind, mesh.order, len(mesh.cells)), ("hexahedron", 1, 6))
        self.assertEqual(mesh.groups, dict.fromkeys(["x0", "x1", "y0", "y1", "z0", "z1"], 2))

    def test_arrays_are_the_meshs_own_memory_and_outlive_its_name(self):
        mesh = miniapp.Mesh.box(2, 2, 2)
        for array, again in (mesh.vertices, mesh.vertices), (mesh.cells, mesh.cells):
            self.assertEqual(address(array), address(again))
            self.assertFalse(array.flags.writeable)
        vertices = mesh.vertices
        before = vertices.copy()
        del mesh
        gc.collect()
        np.testing.assert_array_equal(vertices, before)

    def test_a_file_has_groups_and_curved_cells(self):
        mesh = miniapp.Mesh.read(str(meshes / "pipe.msh"))
        self.assertEqual((len(mesh.cells), mesh.order), (84, 2))
        self.assertEqual(mesh.groups, {"fluid": 3, "inlet": 2, "outlet": 2, "walls": 2})

    def test_arrays_make_the_mesh_that_they_are_of(self):
        box = miniapp.Mesh.box(2, 3, 2, deform=0.05)
        same = miniapp.Mesh(box.vertices, box.cells)
        np.testing.assert_array_equal(same.vertices, box.vertices)
        np.testing.assert_array_equal(same.cells, box.cells)
        corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
        tetrahedron = miniapp.Mesh(corners, np.array([[0, 1, 2, 3]], np.int32), kind="tetrahedron")
        self.assertEqual(len(miniapp.Problem(tetrahedron, 1).mesh.cells), 4)  # cut into hexahedra

    def test_the_surface_gives_sides_for_groups(self):
        mesh = miniapp.Mesh.box(3, 3, 3)
        sides, centres = mesh.surface()
        self.assertEqual((sides.shape, centres.shape), ((54, 2), (54, 3)))
        top = mesh.with_group("top", sides[centres[:, 2] > 0.99])
        self.assertEqual(top.groups["top"], 2)
        problems = [miniapp.Problem(top, 1, lambda_=1, dirichlet={group: 0}) for group in ("top", "z1")]
        np.testing.assert_array_equal(problems[0].space.masked, problems[1].space.masked)
        self.assertNotIn("top", mesh.groups)

    def test_bad_input_is_refused_by_name(self):
        box = miniapp.Mesh.box(1, 1, 1)
        cells = box.cells + 1
        for make, words in (
                (lambda: miniapp.Mesh(box.vertices, cells), "8"),
                (lambda: miniapp.Mesh(box.vertices, box.cells, kind="prism"), "cells 1 x 8: accepted is at least one row of 6"),
                (lambda: miniapp.Mesh(box.vertices * np.nan, box.cells), "vertices 0: is not finite"),
                (lambda: miniapp.Mesh(box.vertices, box.cells, kind="ball"), "kind ball: accepted are tetrahedron"),
                (lambda: miniapp.Mesh.box(0, 1, 1), "nx 0"),
                (lambda: box.with_group("x0", box.surface()[0]), "name x0"),
                (lambda: box.with_group("a", box.surface()[0][:0]), "sides: there are none"),
                (lambda: box.with_group("a", np.array([[0, 6]], np.int32)), "sides 0: is no side of a cell"),
                (lambda: miniapp.Mesh.read(str(pathlib.Path(tempfile.gettempdir(), "none.msh"))), "none.msh")):
            with self.assertRaises(miniapp.InputError) as caught:
                make()
            self.assertIn(words, str(caught.exception))
            self.assertIsInstance(caught.exception, ValueError)


if __name__ == "__main__":
    unittest.main()
