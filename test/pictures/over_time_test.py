# SPDX-License-Identifier: BSD-3-Clause
"""Times from date to date."""
import json
import os
import pathlib
import tempfile
import unittest
from types import SimpleNamespace

from drawing import Refused, command, labels, record, samples, spreads
from pictures import over_time


def run(day, **times):
    case = {"bp": "BP3.0", "order": times.pop("order", 7), "repeat": day}
    timing = {key: value if isinstance(value, dict) else samples(value, 0.9, 1.2) for key, value in times.items()}
    return record("tensor", case, date=f"2026-11-{day:02}T12:00:00Z", commit=f"{day:02}abcdef", timing={**timing, "wall_s": 3})


def figures(files):
    """{name of a picture: its figure} of a folder with these {name: records}."""
    with tempfile.TemporaryDirectory() as folder:
        for name, records in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text("".join(json.dumps(r) + "\n" for r in records))
        return {p.name: command.draw(p, SimpleNamespace(title=None)) for p in over_time.pictures([folder])}


class OverTime(unittest.TestCase):
    def test_times_are_relative_to_the_first_date_whatever_the_order_of_files(self):
        (figure,) = figures({"a.json": [run(9, kernel_s=3)], "of_day/b.jsonl": [run(2, kernel_s=2), run(5, kernel_s=1)]}).values()
        (line,) = [one for one in figure.axes[0].lines if one.get_label().endswith("kernel_s")]
        self.assertEqual(list(line.get_ydata()), [1, 0.5, 1.5])
        self.assertEqual([date.day for date in line.get_xdata()], [2, 5, 9])
        self.assertEqual([round(low, 9) for _, low, _ in spreads(figure.axes[0])], [0.9, 0.45, 1.35])

    def test_names_say_what_tells_cases_apart_and_the_largest_change_comes_first(self):
        records = [run(day, order=order, kernel_s=time) for order in (3, 7) for day, time in ((1, 1), (2, 1.1 if order == 3 else 0.5))]
        (figure,) = figures({"all.json": records}).values()
        self.assertEqual(labels(figure.axes[0])[:2], ["0.50  order 7, kernel_s", "1.10  order 3, kernel_s"])

    def test_lines_beyond_the_six_that_changed_most_have_no_name(self):
        records = [run(day, order=order, kernel_s=1 + day * order) for order in range(1, 9) for day in (1, 2)]
        axes = next(iter(figures({"all.json": records}).values())).axes[0]
        self.assertEqual(len([name for name in labels(axes) if "kernel_s" in name]), 6)
        self.assertEqual(len([one for one in axes.lines if one.get_label() == "_other"]), 2)

    def test_machines_and_modules_have_pictures_of_their_own(self):
        other = [{**run(day, kernel_s=day), "device": "GPU"} for day in (1, 2)]
        stream = [{**record("streaming", {"bs": 1}, rates={"largest_gbytes": 10 * day}), "date": f"2026-11-0{day}T00:00:00Z"}
                  for day in (1, 2)]
        found = figures({"all.json": [run(1, kernel_s=1), run(2, kernel_s=1), *other, *stream]})
        self.assertEqual(sorted(found), ["streaming-over-time", "tensor-over-time-1", "tensor-over-time-2"])
        (line,) = [one for one in found["streaming-over-time"].axes[0].lines if "largest size" in one.get_label()]
        self.assertEqual(list(line.get_ydata()), [1, 0.5])

    def test_wrong_results_are_left_out_and_one_date_is_no_history(self):
        with self.assertRaisesRegex(Refused, "no case has times of two dates"):
            figures({"all.json": [run(1, kernel_s=1), {**run(2, kernel_s=2), "wrong": "verification"}]})

    def test_other_files_are_refused_by_name(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "bad.json")
            for text, why in (("[1,", "no records"), ('{"schema": 3}', "a line without schema 1 or 2")):
                pathlib.Path(file).write_text(text)
                with self.assertRaisesRegex(Refused, f"bad.json: {why}; accepted are"):
                    over_time.pictures([file])
            os.remove(file)
            with self.assertRaisesRegex(Refused, "no file of records"):
                over_time.pictures([folder])


if __name__ == "__main__":
    unittest.main()
