# SPDX-License-Identifier: BSD-3-Clause
"""Traces of Kokkos Tools' chrome-tracing."""
import json
import pathlib
import tempfile
import unittest

from drawing import command
from pictures import timeline
from pictures.records import Refused


def event(name, kind, begin, length):
    """As the tool writes it: nanoseconds, in quotes."""
    return {"name": name, "cat": f"[{kind}]", "ph": "X", "ts": str(begin), "dur": str(length), "pid": "0", "tid": "0"}


def parsed(*events):
    return timeline.parse(json.dumps(events), "trace.json")


class Bars(unittest.TestCase):
    def test_regions_nest_by_their_times(self):
        trace = parsed(event("solve", "region", 100, 400), event("cg", "region", 200, 100), event("a", "for", 210, 50),
                       event("setup", "region", 0, 100), event("end", "region", 500, 10))
        levels = timeline.nested([bar for bar in trace.bars if bar.is_region])
        self.assertEqual([[bar.name for bar in level] for level in levels], [["setup", "solve", "end"], ["cg"]])

    def test_times_are_seconds(self):
        (bar,) = parsed(event("a", "for", 3, 2000)).bars
        self.assertAlmostEqual(bar.length, 2e-6, delta=1e-15)
        (bar,) = parsed(event("a", "for", 3, 2000) | {"dur": 2000}).bars  # as the format is defined: microseconds
        self.assertAlmostEqual(bar.length, 2e-3, delta=1e-12)

    def test_loops_that_take_longest_have_rows_and_others_one(self):
        events = [event(f"loop {at}", "reduce", 100 * at, 10 + at) for at in range(timeline.MOST_ROWS + 2)]
        rows = timeline.loop_rows(parsed(*events, event("loop 0", "for", 5000, 100)).bars)
        self.assertEqual([name for name, _ in rows[:2]], ["loop 0", f"loop {timeline.MOST_ROWS + 1}"])
        self.assertEqual([len(bars) for _, bars in rows], [2] + [1] * (timeline.MOST_ROWS - 1) + [2])
        self.assertEqual(rows[-1][0], "all others")

    def test_a_copy_is_named_by_both_arrays(self):
        (bar,) = parsed(event("to SPACE H COPYFROM from SPACE D LENGTH 64 ", "copy", 0, 1)).bars
        self.assertEqual((bar.name, bar.is_region), ("to = from", False))

    def test_bars_that_cannot_be_told_apart_are_one(self):
        bars = parsed(event("a", "for", 0, 1), event("a", "for", 1500, 1), event("a", "for", 9000, 4000)).bars
        for (begin, length), expected in zip(timeline.joined(bars, 2e-6), [(0, 3.5e-6), (9e-6, 4e-6)], strict=True):
            self.assertAlmostEqual(begin, expected[0], delta=1e-15)
            self.assertAlmostEqual(length, expected[1], delta=1e-15)

    def test_the_picture_has_a_row_for_each_depth_and_each_loop(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "trace.json")
            path.write_text("[\n" + ",\n".join(map(json.dumps, (event("solve", "region", 0, 9000000),
                                                               event("A x", "for", 0, 4000000)))) + "]\n")
            points = command.read_points([str(path)])
        (picture,) = command.all_pictures(points, command.argparse.Namespace(
            rate=None, roofs=False, scratch_roofs=False, unit=None, slice=None))
        axes = picture.draw(command.new_figure(), picture, None)
        self.assertEqual([text.get_text() for text in axes.get_yticklabels()], ["regions", "A x, 1, 4 ms"])
        self.assertEqual([text.get_text() for text in axes.texts], ["solve"])


class Refusals(unittest.TestCase):
    def test_what_is_no_trace_is_refused(self):
        for text, says in (('[{"name": "a"', "no whole JSON"), ("[3]", "event 1: no name"),
                           ('[{"name": "a", "ph": "X", "cat": "[for]", "ts": "x", "dur": "1"}]', "event 1: an event without ts"),
                           ('[{"name": "a", "ph": "X", "cat": "[for]", "ts": "1"}]', "event 1: an event without dur")):
            with self.assertRaisesRegex(Refused, says):
                timeline.parse(text, "trace.json")
        self.assertIsNone(timeline.parse("[]", "trace.json"))
