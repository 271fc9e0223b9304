# SPDX-License-Identifier: BSD-3-Clause
"""Ladders of the bake-off problems."""
import unittest

from drawing import figures, labels, line, record, samples, spreads


def kernel(name, order, gflops, seconds=1e-3, low=1, high=1, **roofs):
    case = {"bp": "BP3.0", "kernel": name, "order": order, "elements": 8, "dofs": 8 * order**3, "precision": "double"}
    return record("tensor", case, rates={"kernel_gflops": gflops, "kernel_gdofs": gflops / 10},
                  timing={"kernel_s": samples(seconds, low, high)}, roofs={"fraction_of_copy_roof": 0.5, **roofs})


class Ladder(unittest.TestCase):
    def test_bars_reach_from_the_slowest_repetition_to_the_fastest(self):
        (axes,) = figures([kernel("rung1", 1, 4, low=0.8, high=2), kernel("rung1", 2, 5)])["bp3.0-8"].axes
        self.assertEqual(spreads(axes), [(1, 2, 5)])
        self.assertIn("bar: min to max of\nrepetitions", labels(axes))
        (axes,) = figures([kernel("rung1", 1, 4), kernel("rung1", 2, 4)])["bp3.0-8"].axes
        self.assertNotIn("bar: min to max of\nrepetitions", labels(axes))

    def test_rungs_that_would_lie_flat_are_on_a_logarithmic_scale(self):
        flat = [kernel("rung1", order, 1) for order in (1, 2)] + [kernel("lanes", 1, 99)]
        self.assertEqual(figures(flat)["bp3.0-8"].axes[0].get_yscale(), "log")
        close = [kernel("rung1", order, 50) for order in (1, 2)] + [kernel("lanes", 1, 99)]
        (axes,) = figures(close)["bp3.0-8"].axes
        self.assertEqual((axes.get_yscale(), axes.get_ylim()[0]), ("linear", 0))
        self.assertEqual(line(axes, "copy roof,\nfactors read")[2.0], 100)

    def test_the_roofs_are_the_lower_of_copies_and_multiplications(self):
        # 1e9 multiplications at 4 GFLOP/s take 0.5 s, half of the kernel's second; the copy roof is at twice its rate
        fma = {"multiplications": 1e9, "fma_gflops": 4}
        records = [kernel("rung1", 1, 10, seconds=1, **fma), kernel("rung1", 2, 10, seconds=2, **fma),
                   kernel("rung1", 3, 10, seconds=0.8, **fma)]
        (axes,) = figures(records)["bp3.0-8"].axes
        self.assertEqual(line(axes, "copy and FMA roofs,\nfactors read"), {1: 20, 2: 20, 3: 16})
        (axes,) = figures(records, roofs=True)["bp3.0-roofs"].axes
        self.assertEqual(line(axes, "copy and FMA roofs, 8 elements"), {1: 20, 2: 20, 3: 16})

    def test_the_roof_of_multiplications_is_that_of_the_kernel_with_fewest(self):
        records = [kernel(name, 1, 10, multiplications=1e6 * number, fma_gflops=4)
                   for name, number in (("rung1", 2), ("rung2", 2), ("lanes", 1.5))]
        (axes,) = figures(records)["bp3.0-8"].axes
        roof = list(line(axes, "copy and FMA roofs,\nfactors read"))
        self.assertAlmostEqual(roof[0], 10 / 0.75)

    def test_kernels_of_one_bound_share_its_marks(self):
        def bound(record, gdofs):
            record["rates"]["bound_gdofs"] = gdofs
            return record

        records = [bound(kernel(name, order, 10 * order), gdofs)
                   for name, gdofs in (("rung1", 3), ("rung2", 3), ("lanes", 6)) for order in (1, 2)]
        (axes,) = figures(records)["bp3.0-8"].axes
        self.assertEqual(line(axes, "bound of rungs 1, 2"), {1: 30, 2: 30})
        self.assertEqual(line(axes, "bound of lanes"), {1: 60, 2: 60})
        self.assertGreater(axes.get_ylim()[1], 60)
        (axes,) = figures(records, rate="gdofs")["bp3.0-8"].axes
        self.assertEqual(line(axes, "bound of lanes"), {1: 6, 2: 6})
        (axes,) = figures(records[:2])["bp3.0-8"].axes
        self.assertEqual(line(axes, "bound"), {1: 30, 2: 30})
        (axes,) = figures([kernel("rung1", 1, 10), kernel("rung1", 2, 10)])["bp3.0-8"].axes
        self.assertFalse([label for label in labels(axes) if "bound" in label])

    def test_bounds_of_geometries_and_of_many_rungs_have_their_names(self):
        def bound(name, order, gdofs, geometry="stored"):
            one = kernel(name, order, 10)
            one["rates"]["bound_gdofs"], one["case"]["geometry"] = gdofs, geometry
            return one

        # about the same: memory was measured for each
        gdofs = {"rung1": 3, "rung2": 3.05, "rung3": 2.95, "rung5": 4, "rung7": 4, "rung8": 4}
        records = [bound(name, order, of_name) for name, of_name in gdofs.items() for order in (1, 2)]
        records += [bound("lanes", order, of_geometry, geometry) for order in (1, 2)
                    for geometry, of_geometry in (("stored", 8), ("computed", 9))]
        (axes,) = figures(records)["bp3.0-8"].axes
        found = [line.get_label() for line in axes.lines if line.get_label().startswith("bound")]
        self.assertEqual(found, ["bound of rungs 1 to 3", "bound of rungs 5, 7, 8", "bound of lanes, computed",
                                 "bound of lanes, stored"])

    def test_a_roof_that_is_the_bound_of_the_only_bar_is_left_out(self):
        roof = "copy and FMA roofs,\nfactors read"
        for gdofs, number, shown in (2, 1, False), (2.01, 1, False), (2.1, 1, True), (2, 2, True):
            bars = [kernel(name, 1, 10, seconds=1, multiplications=1e9, fma_gflops=4) for name in ("rung1", "rung2")[:number]]
            for bar in bars:
                bar["rates"]["bound_gdofs"] = gdofs
            (axes,) = figures(bars)["bp3.0-8"].axes
            self.assertEqual(roof in labels(axes), shown, gdofs)

    def test_one_order_alone_is_bars(self):
        records = [kernel("lanes", 1, 8, low=0.5, high=2), kernel("rung1", 1, 6)]
        records[0]["rates"]["bound_gdofs"] = 1
        (axes,) = figures(records)["bp3.0-8"].axes
        self.assertEqual([bar.get_width() for bar in axes.patches], [6, 8])
        self.assertEqual([text.get_text() for text in axes.get_yticklabels()], ["rung1", "lanes"])
        self.assertEqual([text.get_text() for text in axes.texts[:2]], ["6", "8, 80 %"])
        self.assertEqual(set(line(axes, "copy roof,\nfactors read")), {14})
        self.assertEqual(list(line(axes, "bound; number:\nrate, % of the bound"))[1:], [10])
        ends = [point[0] for bar in axes.collections for point in bar.get_segments()[0]]
        self.assertEqual(ends, [4, 16])
        self.assertEqual((axes.get_xscale(), axes.get_xlabel()), ("linear", "kernel alone [GFLOP/s]"))
        (axes,) = figures([kernel("rung1", 1, 1), kernel("rung2", 1, 1), kernel("lanes", 1, 99)])["bp3.0-8"].axes
        self.assertEqual(axes.get_xscale(), "log")
        (axes,) = figures([kernel("lanes", 1, 1, fraction_of_copy_roof=0.01)])["bp3.0-8"].axes
        self.assertEqual((axes.get_xscale(), axes.get_xlim()[0]), ("linear", 0))
