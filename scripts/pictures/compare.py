# SPDX-License-Identifier: BSD-3-Clause
"""The picture of miniapp compare --plot: for each time of two states of the program, how many times as long the new one
takes. Its records are those that the command hands over, not a file of --json."""
import os
import textwrap
from types import SimpleNamespace

from .records import entry, number, require
from .style import add_bars_axes, literal, tidy

COLOURS = {"slower": "#D55E00", "faster": "#0072B2", "same": "0.45"}
TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9, 1, 1.1, 1.25, 2, 5, 10, 20, 50, 100)


def parse(record, place):
    """A row: the ratio of medians, and the ratios that the intervals of both times allow, which hold 1 where they
    overlap."""
    ends = {path: number(record, path) for path in ("ratio", "old.low", "old.high", "new.low", "new.high")}
    for path, value in ends.items():
        require(value, record, place, path)
    for key in ("case", "time", "change", "common", "old.file", "new.file"):
        require(isinstance(entry(record, key), str), record, place, key)
    return SimpleNamespace(module="compare", name=record["case"], time=record["time"], change=record["change"],
                           ratio=ends["ratio"], low=ends["new.low"] / ends["old.high"],
                           high=ends["new.high"] / ends["old.low"], common=record["common"],
                           files=(record["old"]["file"], record["new"]["file"]), date="",
                           case=(record["case"], record["time"]))


def pictures_of(points, _):
    if not points:
        return []
    old, new = (os.path.basename(file) for file in points[0].files)
    return [SimpleNamespace(draw=draw, title_at="bars", points=points, heading=f"{new} against {old}",
                            below=textwrap.shorten(points[0].common, 110, placeholder=" .."), name="compare")]


def draw(figure, picture, _):
    """Returns the axes. A bar that crosses 1 is of times that are the same."""
    from matplotlib import ticker

    points = picture.points
    axes = add_bars_axes(figure, len(points))
    axes.set_xscale("log")
    for change, colour in COLOURS.items():
        of_change = [(at, p) for at, p in enumerate(points) if p.change == change]
        if not of_change:
            continue
        rows = [at for at, _ in of_change]
        axes.hlines(rows, [p.low for _, p in of_change], [p.high for _, p in of_change], color=colour, linewidth=1.6,
                    label="_spread", zorder=3)
        axes.plot(
            [p.ratio for _, p in of_change],
            rows,
            color=colour,
            marker="o",
            markersize=5,
            linestyle="",
            label=change,
            zorder=4,
        )
    for at, p in enumerate(points):
        axes.annotate(
            f"{p.ratio:.3g}", (p.high, at), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8
        )
    axes.axvline(1, color="0.3", linewidth=0.8, zorder=2)
    axes.set_yticks(
        range(len(points)), [literal(", ".join(filter(None, (p.name, p.time)))) for p in points], fontsize=8
    )
    least, most = min(0.9, *(p.low for p in points)), max(1.1, *(p.high for p in points))
    axes.set_xlim(least / (most / least) ** 0.05, most * (most / least) ** 0.12)
    axes.xaxis.set_major_locator(ticker.FixedLocator(ticks_between(least, most)))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("new time / old time; bars: what both intervals allow", fontsize=9)
    tidy(axes, "x")
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False, fontsize=9, borderaxespad=0)
    return axes


def ticks_between(least, most):
    """Those close to 1 only where there is room for them."""
    kept = [tick for tick in TICKS if least <= tick <= most]
    return kept if most / least < 4 else [tick for tick in kept if tick in (1, 2, 5) or tick >= 10 or tick <= 0.5]
