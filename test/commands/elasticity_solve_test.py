# SPDX-License-Identifier: BSD-3-Clause
"""Every option of a cantilever's solution changes what it says it changes."""

import unittest

from command import ORDERS, Command, seconds, tables

SOLVED = [order for order in ORDERS if order <= 3]  # higher ones take long on a host


@unittest.skipIf(not SOLVED, "needs an order up to 3")
class Cantilever(Command):
    def solve(self, *arguments, order=None, **options):
        order = order or SOLVED[-1]
        return self.record_of("elasticity", "--solve", "--order", order, "--cells", "4x1x1", *arguments, **options)

    def test_prisms_and_dofs_follow_from_cells_and_order(self):
        for order in SOLVED:
            for cells in (4, 1, 1), (3, 2, 1), (2, 1, 3):
                record = self.record_of("elasticity", "--solve", "--order", order, "--cells", "x".join(map(str, cells)),
                                        "--length", 3)
                nx, ny, nz = cells
                self.assertEqual(record["case"]["elements"], 2 * nx * ny * nz)
                self.assertEqual(record["case"]["dofs"], 3 * nx * order * (ny * order + 1) * (nz * order + 1))
                self.assertEqual((record["case"]["cells"], record["case"]["order"]), (list(cells), order))
                self.assertEqual(record["case"]["problem"], "cantilever")

    def test_the_beam_is_timoshenkos(self):
        for arguments, length, young, poisson in (
            ([], 10, 2.1e11, 0.3),
            (["--length", 4], 4, 2.1e11, 0.3),
            (["--young", 7], 10, 7, 0.3),
            (["--poisson", 0.1], 10, 2.1e11, 0.1),
        ):
            record = self.solve(*arguments)
            self.assertEqual([record["case"][key] for key in ("length", "young", "poisson")], [length, young, poisson])
            kappa, shear = 10 * (1 + poisson) / (12 + 11 * poisson), young / (2 * (1 + poisson))
            expected = length * (length**2 / (3 * young / 12) + 1 / (kappa * shear))
            self.assert_close(record["result"]["beam_deflection_m"], expected)
            error = record["result"]["comparison"]["error"]
            self.assert_close(error, abs(record["result"]["tip_deflection_m"] / expected - 1), 1e-6)
            if SOLVED[-1] > 1:
                self.assertLess(error, 0.06)

    def test_young_scales_and_poisson_stiffens_where_it_cannot_contract(self):
        soft, stiff = (self.solve("--young", young)["result"]["tip_deflection_m"] for young in (1, 4))
        self.assert_close(soft, 4 * stiff, 1e-6)
        free, held = (self.solve("--poisson", poisson)["result"]["comparison"]["error"] for poisson in (0, 0.45))
        self.assertLess(free, held)

    def test_the_deflection_comes_near_the_beams_with_order_and_cells(self):
        errors = [self.solve("--poisson", 0, order=order)["result"]["comparison"]["error"] for order in SOLVED]
        self.assertEqual(errors, sorted(errors, reverse=True))
        coarse, fine = (
            self.solve(order=SOLVED[0], *arguments)["result"]["comparison"]["error"]
            for arguments in (["--length", 5], ["--length", 2])
        )
        self.assertNotEqual(coarse, fine)

    def test_deformation_moves_inner_vertices(self):
        cells = ["elasticity", "--solve", "--order", SOLVED[0], "--cells", "3x2x2", "--length", 3]
        plain, bent = (self.record_of(*cells, "--perturb", deform) for deform in (0, 0.1))
        self.assertEqual((plain["case"]["deform"], bent["case"]["deform"]), (0, 0.1))
        self.assertNotEqual(plain["result"]["tip_deflection_m"], bent["result"]["tip_deflection_m"])

    def test_every_variant_gives_the_same_matrix(self):
        variants = ["reg-jac", "products"] + (["shm-nojac"] if SOLVED[0] < 3 else [])
        records = [self.solve("--kernel", variant, order=SOLVED[0]) for variant in variants]
        self.assertEqual([record["case"]["variant"] for record in records], variants)
        for record in records:
            self.assert_close(record["result"]["tip_deflection_m"], records[0]["result"]["tip_deflection_m"], 1e-7)
        # down to 1e-4: near the floor rounding moves a beam's iterations by a tenth
        counts = [
            self.solve("--kernel", variant, "--tolerance", 1e-4, order=SOLVED[0])["result"] for variant in variants
        ]
        for count in counts:
            self.assert_same_iterations(count, counts[0])

    def test_cg_is_as_it_was_asked_to_be(self):
        loose, tight = (self.solve("--tolerance", tolerance)["result"] for tolerance in (1e-3, 1e-9))
        self.assertLess(loose["iterations"], tight["iterations"])
        self.assertTrue(tight["relative_residual"] <= 1e-9 < loose["relative_residual"] <= 1e-3)
        few = self.solve("--max-iterations", 3, code=1)["result"]
        self.assertEqual((few["iterations"], few["converged"]), (3, False))
        jacobi, blocks = (self.solve("--preconditioner", name) for name in ("jacobi", "block-jacobi"))
        self.assertEqual((jacobi["case"]["preconditioner"], blocks["case"]["preconditioner"]),
                         ("jacobi", "block-jacobi"))
        self.assertNotEqual(jacobi["result"]["relative_residual"], blocks["result"]["relative_residual"])
        self.assert_close(blocks["result"]["tip_deflection_m"], jacobi["result"]["tip_deflection_m"], 1e-6)

    def test_multigrid_takes_fewer_iterations_to_the_same_deflection(self):
        for more in [], ["--precision", "single", "--tolerance", 1e-4]:
            jacobi, amg = (
                self.solve(*more, "--length", 4, "--preconditioner", name) for name in ("block-jacobi", "amg")
            )
            self.assertEqual(amg["case"]["preconditioner"], "amg")
            self.assertLess(amg["result"]["iterations"], jacobi["result"]["iterations"])
            self.assert_close(amg["result"]["tip_deflection_m"], jacobi["result"]["tip_deflection_m"], 1e-2 if more else 1e-6)
            hierarchy = amg["result"]["preconditioner"]
            self.assertGreaterEqual(hierarchy["levels"], 1)
            self.assertGreater(hierarchy["entries"], 9 * amg["result"]["blocks"])
            self.assertGreater(hierarchy["memory_bytes"], 0)
            self.assertEqual(hierarchy["remark"], "")
            self.assertGreater(amg["timing"]["setup_s"]["amg"], 0)
            self.assertNotIn("preconditioner", jacobi["result"])
            self.assertNotIn("amg", jacobi["timing"]["setup_s"])

    def test_single_precision_is_less_exact(self):
        double, single = (
            self.solve("--length", 1, "--tolerance", 1e-5, "--precision", name, order=SOLVED[0])
            for name in ("double", "single")
        )
        self.assertEqual((double["case"]["precision"], single["case"]["precision"]), ("double", "single"))
        self.assert_close(single["result"]["tip_deflection_m"], double["result"]["tip_deflection_m"], 1e-3)
        self.assertNotEqual(single["result"]["tip_deflection_m"], double["result"]["tip_deflection_m"])

    def test_the_table_says_what_the_records_say(self):
        outcome = self.run_program("elasticity", "--solve", "--order", ",".join(map(str, SOLVED)), "--cells", "4x1x1",
                                   "--wide", "--json", "record.json")
        for record, row in zip(outcome.records, tables(outcome.output)[0], strict=True):
            case, result = record["case"], record["result"]
            expected = {
                "order / kernel": f"{case['order']} {case['variant']}",
                "prisms": str(case["elements"]),
                "dofs": str(case["dofs"]),
                "iterations": str(result["iterations"]),
                "residual": f"{result['true_relative_residual']:.1e}",
                "deflection m": f"{result['tip_deflection_m']:.6g}",
                "beam m": f"{result['beam_deflection_m']:.6g}",
                "apart": f"{result['comparison']['error']:.1e}",
                "at most": "none",
                "CG": seconds(record["timing"]["setup_s"]["cg"]),
            }
            self.assertEqual(row | expected, row)
            for phase in "mesh", "numbering", "pattern", "integration", "assembly", "load", "cg":
                self.assertGreater(record["timing"]["setup_s"][phase], 0)
        self.assertIn("Cantilever of 10 x 1 x 1 m, 4 x 1 x 1 cells", outcome.output)
