# SPDX-License-Identifier: BSD-3-Clause
"""A picture of a trace that Kokkos Tools' chrome-tracing wrote: regions as they nest, below them the loops that take
longest."""
import json
import re
from collections import defaultdict
from types import SimpleNamespace

from .records import Refused, finite
from .style import LINE_COLOURS, in_seconds, literal, tidy

MOST_ROWS = 10  # of loops
ACCEPTED = "accepted is what chrome-tracing of Kokkos Tools writes"
COPY = re.compile(r"(.*) SPACE [HD] COPYFROM (.*) SPACE [HD] LENGTH \d+ ?")  # to, from
KINDS = {"[for]", "[reduce]", "[scan]", "[copy]", "[region]"}


def number_of(event, key, place):
    """In seconds: text counts nanoseconds, as the tool writes them, a number microseconds, as the format is defined."""
    value = event.get(key)
    try:
        seconds = float(value) * (1e-9 if isinstance(value, str) else 1e-6)
    except (TypeError, ValueError):
        seconds = None
    if not finite(seconds) or seconds < 0:
        raise Refused(f"{place}: an event without {key}; {ACCEPTED}")
    return seconds


def parse(text, file):
    """Its events, in the order of their begins; None if there are none."""
    try:
        events = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused(f"{file}: no whole JSON; {ACCEPTED}, once the run has ended") from None
    bars = []
    for at, event in enumerate(events, 1):
        place = f"{file}: event {at}"
        if not isinstance(event, dict) or not isinstance(event.get("name"), str):
            raise Refused(f"{place}: no name; {ACCEPTED}")
        if event.get("ph") != "X" or event.get("cat") not in KINDS:
            continue
        bars.append(SimpleNamespace(name=COPY.sub(r"\1 = \2", event["name"]), is_region=event["cat"] == "[region]",
                                    begin=number_of(event, "ts", place), length=number_of(event, "dur", place)))
    bars.sort(key=lambda bar: (bar.begin, -bar.length))
    return SimpleNamespace(module="timeline", file=file, bars=bars, date="", case=file) if bars else None


def nested(bars):
    """(depth): the regions that so many others hold."""
    levels, open_until = [], []
    for bar in bars:
        while open_until and open_until[-1] <= bar.begin:
            open_until.pop()
        if len(open_until) == len(levels):
            levels.append([])
        levels[len(open_until)].append(bar)
        open_until.append(bar.begin + bar.length)
    return levels


def joined(bars, least):
    """Begins and lengths of at least so much, as wide as can be seen; bars that then touch are one."""
    spans = []
    for bar in bars:
        end = bar.begin + max(bar.length, least)
        if spans and bar.begin <= spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], end)
        else:
            spans.append([bar.begin, end])
    return [(begin, end - begin) for begin, end in spans]


def loop_rows(bars):
    """Name and bars of each kind of loop, that which takes longest first; the rest together."""
    of_name = defaultdict(list)
    for bar in bars:
        of_name[bar.name].append(bar)
    rows = sorted(of_name.items(), key=lambda row: -sum(bar.length for bar in row[1]))
    rest = [bar for _, loops in rows[MOST_ROWS:] for bar in loops]
    return rows[:MOST_ROWS] + ([("all others", sorted(rest, key=lambda bar: bar.begin))] if rest else [])


def pictures_of(points, _):
    names = ["timeline"] if len(points) == 1 else [f"timeline-{at}" for at in range(1, len(points) + 1)]
    return [SimpleNamespace(draw=draw, title_at="bars", points=[p], name=name, heading="Timeline",
                            below="regions as they nest; below, loops: calls, time in all")
            for p, name in zip(points, names)]


def draw(figure, picture, _):
    """Returns the axes: a row for each depth of regions, and one for each kind of loop."""
    (point,) = picture.points
    end = max(bar.begin + bar.length for bar in point.bars)
    levels = nested([bar for bar in point.bars if bar.is_region])
    loops = loop_rows([bar for bar in point.bars if not bar.is_region])
    height = 0.9 + 0.24 * (len(levels) + len(loops))
    figure.set_size_inches(9.3, height)
    axes = figure.add_axes((0.28, 0.5 / height, 0.7, 1 - 0.9 / height))
    axes.set(xlim=(0, end), ylim=(len(levels) + len(loops) - 0.4, -0.6), xlabel="time [s]")
    for at, regions in enumerate(levels):
        colours = [LINE_COLOURS[c % len(LINE_COLOURS)] for c in range(len(regions))]
        axes.broken_barh([(bar.begin, bar.length) for bar in regions], (at - 0.42, 0.84), facecolors=colours, alpha=0.55,
                         linewidth=0)
        for bar in regions:
            if bar.length > 0.0105 * end * len(bar.name):  # as wide as its name
                axes.text(bar.begin + bar.length / 2, at, literal(bar.name), fontsize=7, ha="center", va="center",
                          clip_on=True)
    for at, (_, bars) in enumerate(loops, len(levels)):
        axes.broken_barh(joined(bars, end / 400), (at - 0.36, 0.72), facecolors="0.25", linewidth=0)
    names = ["regions"] * min(1, len(levels)) + [""] * (len(levels) - 1)
    names += [f"{literal(name)}, {len(bars)}, {in_seconds(sum(bar.length for bar in bars))}" for name, bars in loops]
    axes.set_yticks(range(len(names)), names, fontsize=8)
    tidy(axes, "x")
    return axes
