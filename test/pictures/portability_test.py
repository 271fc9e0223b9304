# SPDX-License-Identifier: BSD-3-Clause
"""Cascade plots over machines."""
import json
import os
import pathlib
import tempfile
import unittest
from types import SimpleNamespace

from drawing import Refused, command, record
from pictures import portability


def bounded(device, kernel, fraction, order=3, elements=1000, backend="Cuda", bp="BP3.5", **sections):
    """An operator whose bound is a second."""
    case = {"bp": bp, "order": order, "elements": elements, "kernel": kernel, "geometry": "computed",
            "precision": "double"}
    roofs = {"bound_s": 1, "fraction_of_bound": fraction}
    return {**record("tensor", case, roofs=roofs), "device": device, "kokkos": {"backends": [backend]}, **sections}


TWO = [bounded("GPU", "lines", 0.8), bounded("GPU", "rung1", 0.2), bounded("Host", "lanes", 0.5, backend="Serial"),
       bounded("Host", "rung1", 0.4, backend="Serial")]
HOST = "Host, Serial, 1 thread"


def points_of(records):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "record.json")
        pathlib.Path(path).write_text("".join(json.dumps(record) + "\n" for record in records))
        return command.read_points([path], portability.parse)


def pictures_of(records):
    return {picture.name: picture for picture in portability.pictures_of(points_of(records), None)}


class Efficiencies(unittest.TestCase):
    def test_p3_is_the_harmonic_mean_and_0_where_a_platform_is_missing(self):
        of_bound = pictures_of(TWO)["portability-bp3.5-order-3-bound"]
        self.assertEqual(of_bound.platforms, ["GPU", HOST])
        self.assertAlmostEqual(of_bound.scores["rung1, computed"], 2 / (1 / 0.2 + 1 / 0.4))
        self.assertEqual(of_bound.scores["lines, computed"], 0)
        self.assertEqual(of_bound.scores["lanes, computed"], 0)

    def test_the_fastest_kernels_are_one_application(self):
        picture = pictures_of(TWO)["portability"]
        self.assertEqual(picture.efficiencies, {"BP3.5": {"GPU": 0.8, HOST: 0.5}})
        self.assertAlmostEqual(picture.scores["BP3.5"], 2 / (1 / 0.8 + 1 / 0.5))

    def test_the_other_efficiency_is_of_the_fastest_kernel_of_the_platform(self):
        of_best = pictures_of(TWO)["portability-bp3.5-order-3-best"].efficiencies
        self.assertAlmostEqual(of_best["rung1, computed"]["GPU"], 0.25)
        self.assertAlmostEqual(of_best["rung1, computed"][HOST], 0.8)
        self.assertEqual(of_best["lines, computed"], {"GPU": 1})

    def test_the_largest_size_of_a_platform_counts(self):
        records = [bounded("A", "lines", 0.9, elements=10), bounded("A", "lines", 0.3, elements=5000),
                   bounded("B", "lines", 0.6)]
        self.assertEqual(pictures_of(records)["portability"].efficiencies["BP3.5"], {"A": 0.3, "B": 0.6})

    def test_orders_that_all_platforms_have_are_averaged(self):
        records = [bounded("A", "lines", 0.9, order=1), bounded("A", "lines", 0.4, order=2),
                   bounded("A", "lines", 0.1, order=7), bounded("B", "lines", 0.6, order=1),
                   bounded("B", "lines", 0.3, order=2)]
        of = pictures_of(records)["portability"].efficiencies["BP3.5"]
        self.assertAlmostEqual(of["A"], 2 / (1 / 0.9 + 1 / 0.4))
        self.assertAlmostEqual(of["B"], 2 / (1 / 0.6 + 1 / 0.3))

    def test_an_operation_that_a_machine_lacks_scores_0_and_stands_last(self):
        picture = pictures_of([*TWO, bounded("GPU", "lines", 0.9, bp="BP1.0")])["portability"]
        self.assertEqual(list(picture.scores), ["BP3.5", "BP1.0"])
        self.assertEqual(picture.scores["BP1.0"], 0)
        self.assertIn(f"  P3 0.000  BP1.0: 0.900 GPU, 0.000 {HOST}", picture.table)

    def test_wrong_results_and_records_without_a_bound_do_not_count(self):
        wrong = bounded("GPU", "lines", 0.9, wrong="differs")
        unbounded = bounded("GPU", "lines", None)
        with self.assertRaisesRegex(Refused, "none of 2 records"):
            points_of([wrong, unbounded])


    def test_settings_that_are_not_usual_are_named(self):
        plain, unusual = bounded("A", "lines", 0.5), bounded("A", "lines", 0.5)
        plain["case"].update(components=1, deform=0, mesh=None)
        unusual["case"].update(components=3, deform=0.08, precision="single")
        self.assertEqual(list(pictures_of([plain, unusual])["portability"].scores),
                         ["BP3.5", "BP3.5, 3 components, single, deformed by 0.08"])


class Cascades(unittest.TestCase):
    def test_platforms_are_added_from_the_most_efficient_on(self):
        order, values, scores = portability.cascade({"A": 0.5, "B": 1}, ["A", "B", "C"])
        self.assertEqual(order, ["B", "A", "C"])
        self.assertEqual(values, [1, 0.5, 0])
        self.assertAlmostEqual(scores[1], 2 / 3)
        self.assertEqual(scores[2], 0)

    def test_lines_bars_and_letters_show_it(self):
        picture = pictures_of(TWO)["portability-bp3.5-order-3-bound"]
        figure = command.draw(picture, SimpleNamespace(title=None))
        axes, bars, below = figure.axes
        lines = {line.get_label(): list(map(float, line.get_ydata())) for line in axes.lines if len(line.get_ydata())}
        self.assertEqual(lines["rung1, computed"], [0.4, 0.2])
        self.assertEqual(lines["lines, computed"], [0.8, 0])
        self.assertEqual([round(float(bar.get_height()), 3) for bar in bars.patches], [round(2 / 7.5, 3), 0, 0])
        self.assertEqual([text.get_text() for text in below.texts], ["B", "A", "A", "-", "B", "-"])
        legend = [text.get_text() for text in axes.get_legend().get_texts()]
        self.assertEqual(legend[-2:], ["A: GPU", f"B: {HOST}"])
