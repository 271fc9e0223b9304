# SPDX-License-Identifier: BSD-3-Clause
"""How all pictures look: colours, markers, dashes, axes, legends, titles, and how they are written to files."""
import math
import os
import statistics
import sys
from collections import defaultdict

from .records import Refused, grouped, natural, place_in, text_of

FORMATS = (".svg", ".png", ".pdf")
# Okabe and Ito's palette for colour-blind readers, with grey instead of black. Each colour has its own marker for
# print in grey, and rungs are filled where other kernels are open. A kernel looks the same in every picture.
COLOURS = ("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#999999")
RUNG_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p")
OTHER_COLOURS = ("#000000", "#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7")
OTHER_MARKERS = ("o", "s", "D", "^", "v", "P")
# Lines of a streaming test: without yellow, too pale for a thin line; markers repeat later than colours.
LINE_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
ROOF_DASHES = ("-", (0, (1, 1.2)), (0, (5, 1.2, 1, 1.2)))
BAR_COLOURS = ("#56B4E9", "#0072B2", "#E69F00")
MODEL_DASHES = (0, (4, 2))
PCS = ("none", "jacobi", "ic0-chow-patel", "ilu0-chow-patel", "ilu0-level", "amg")  # from this the order of lines


def require_matplotlib():
    """Errors: Refused, with the Python that lacks it."""
    how = f"{sys.executable} -m pip install matplotlib, or apt-get install python3-matplotlib for /usr/bin/python3"
    try:
        import matplotlib
    except ImportError:
        raise Refused(f"matplotlib is missing from {sys.executable}; accepted is 3.6 or newer: {how}") from None
    version = [int(part) for part in matplotlib.__version__.split(".")[:2]]
    if version < [3, 6]:
        raise Refused(f"matplotlib of {sys.executable} is {matplotlib.__version__}; accepted is 3.6 or newer: {how}")


def new_figure():
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    # Text stays text, and the same records give the same file.
    rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "miniapp", "font.family": "DejaVu Sans", "font.size": 10})
    return Figure(figsize=(6.2, 4.2))


def literal(text):
    """A dollar would start a formula."""
    return text.replace("$", r"\$")


def line_order(point):
    settings = point.settings
    return place_in(PCS, settings.get("preconditioner")), natural(text_of(settings, ["order"])), point.order or 0


def number_lines(points):
    """Gives each line the number of its colour and marker, the same in all pictures of vectors, of meshes, of grids."""
    for lines in grouped(points, lambda p: p.order is None).values():
        known = list(dict.fromkeys(text_of(p.settings) for p in sorted(lines, key=line_order)))
        for p in lines:
            p.number = known.index(text_of(p.settings))


def draw_line(axes, xs, line, **style):
    """Broken where the line has no value at an x that others have."""
    if line:
        axes.plot(xs, [line.get(x, math.nan) for x in xs], **style)
    return list(line.values())


def draw_spread(axes, points, x_of, y_of, spread_of, colour, sideways=False):
    """From the least sample to the largest, at each x; returns the largest. Behind the values."""
    ends = defaultdict(list)
    for point in points:
        if y_of(point) and spread_of(point):
            ends[x_of(point)] += [y_of(point) * end for end in spread_of(point)]
    lines = axes.hlines if sideways else axes.vlines
    if ends:
        lines(list(ends), list(map(min, ends.values())), list(map(max, ends.values())), color=colour, linewidth=1.1,
              zorder=2.5, label="_spread")
    return list(map(max, ends.values()))


def spread_entry(colour="0.45", label="bar: min to max of\nrepetitions"):
    """Of a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], color=colour, marker="|", markersize=10, linestyle="", label=label)


def explain_spread(axes):
    """An entry of the legend, where a spread is drawn."""
    if any(lines.get_label() == "_spread" for lines in axes.collections):
        axes.add_line(spread_entry())


def use_log_scale(axes, axis="y"):
    """For numbers without a unit's prefix."""
    from matplotlib import ticker

    axes.set(**{f"{axis}scale": "log"})
    scaled = {"x": axes.xaxis, "y": axes.yaxis}[axis]
    scaled.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    scaled.set_major_formatter("{x:g}")
    scaled.set_minor_locator(ticker.NullLocator())


def choose_scale(axes, values, shown, axis="y"):
    """Logarithmic where half of the values would lie in the lowest fifth of the picture."""
    if statistics.median(values) < 0.2 * max(shown):
        use_log_scale(axes, axis)


def in_seconds(time):
    """Three digits and the unit that suits: 12.3 \N{MICRO SIGN}s."""
    prefix, scale = next(((name, scale) for name, scale in (("", 1), ("m", 1e-3), ("\N{MICRO SIGN}", 1e-6))
                          if time >= 0.9995 * scale), ("n", 1e-9))
    return f"{time / scale:.3g} {prefix}s" if time < 999.5 else f"{time:.0f} s"


def curve_look(at):
    """Of a line of many points, some of which have its marker."""
    return dict(color=LINE_COLOURS[at % len(LINE_COLOURS)], marker=RUNG_MARKERS[at % len(RUNG_MARKERS)], markersize=4.5,
                markeredgecolor="black", markeredgewidth=0.4, markevery=(0.02 * (at % 6), 0.12), linewidth=1.4,
                zorder=3)


def add_bars_axes(figure, number):
    """For horizontal bars, with room for their names."""
    height = 0.9 + 0.2 * number
    figure.set_size_inches(6.2, height)
    axes = figure.add_axes((0.4, 0.5 / height, 0.55, 1 - 0.9 / height))
    axes.set_ylim(number - 0.4, -0.6)
    return axes


def mark_bounds(axes, bounds):
    """The bound of each bar, None where it has none."""
    if any(bounds):
        axes.plot([bound or math.nan for bound in bounds], range(len(bounds)), color="0.3", marker="|", markersize=11,
                  markeredgewidth=2.2, linestyle="", label="bound; number:\nrate, % of the bound", zorder=6)


def end_bars(axes, names, legend_left=1.02):
    """Once bars, their spreads, other lines and the label of the scale are there."""
    for lines in axes.collections:
        lines.set_zorder(4)
    axes.set_yticks(range(len(names)), names, fontsize=8)
    explain_spread(axes)
    tidy(axes, "x")
    if axes.get_legend_handles_labels()[0]:
        add_legend(axes, left=legend_left)


def panel_shape(number):
    """Rows and columns: up to three panels stand side by side, more in two rows."""
    columns = number if number < 4 else math.ceil(number / 2)
    return math.ceil(number / columns), columns


def add_panels(figure, titles, hspace):
    """Panels on one vertical scale, with labels at the left; returns (panel, whether it is in the lowest row)."""
    rows, columns = panel_shape(len(titles))
    grid = figure.add_gridspec(rows, columns, left=0, right=1, bottom=0, top=1, wspace=0.08, hspace=hspace)
    panels = []
    for at, title in enumerate(titles):
        axes = figure.add_subplot(grid[at // columns, at % columns], sharey=panels[0][0] if panels else None)
        axes.set_title(title, fontsize=9, loc="left", pad=4)
        axes.tick_params(labelsize=8, labelleft=at % columns == 0)
        panels.append((axes, at + columns >= len(titles)))
    return panels


def mark_decades(axis, values, unit=""):
    """Of a logarithmic axis; with what is between where there are few."""
    from matplotlib import ticker

    axis.set_major_locator(ticker.LogLocator(subs=(1,) if max(values) > 100 * min(values) else (1, 3)))
    axis.set_major_formatter(ticker.EngFormatter(unit=unit))
    axis.set_minor_formatter(ticker.NullFormatter())


def tidy(axes, of_grid="both"):
    axes.grid(True, axis=of_grid, color="0.88", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def add_legend(axes, left=1.02, **entries):
    axes.legend(loc="upper left", bbox_to_anchor=(left, 1.0), frameon=False, fontsize=9, borderaxespad=0,
                handlelength=2.6, **entries)


def add_axes(figure):
    """Those of a picture of one panel."""
    return figure.add_axes((0.13, 0.13, 0.84, 0.73))


def frame(axes, shown):
    logarithmic = axes.get_yscale() == "log"
    axes.set_ylim(min(shown) / 1.3 if logarithmic else 0, (1.3 if logarithmic else 1.06) * max(shown))
    tidy(axes)
    add_legend(axes)


def write_title(axes, picture, title):
    heading, below = picture.heading, picture.below
    if title is not None:
        heading, below = title, ", ".join(text for text in (heading, below) if text)
    left = axes.transAxes if picture.title_at != "bars" else axes.get_figure().transFigure
    lift = 17 if picture.title_at == "panels" else 0  # over the panel's own title
    for text, points, style in ((heading, 19, dict(fontsize=12, fontweight="bold")), (below, 6, dict(color="0.25"))):
        axes.annotate(literal(text), (0, axes.get_position().y1 if picture.title_at == "bars" else 1), xycoords=left,
                      xytext=(0, points + lift), textcoords="offset points", **{"fontsize": 9, **style})


PICTURES = b"<?xml", b"\x89PNG", b"%PDF"


def save(figure, path, dpi=160):
    """Writes a figure. A file that is there is replaced where it is a picture."""
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(os.path.splitext(path)[1])
    try:
        folder = os.path.dirname(path)
        if folder and not os.path.isdir(folder):
            os.makedirs(folder)
        if os.path.isfile(path) and os.path.getsize(path) > 0:
            with open(path, "rb") as file:
                if not file.read(5).startswith(PICTURES):
                    raise Refused(f"{path}: holds something else, which stays; accepted is a new file or a picture")
        figure.savefig(path, dpi=dpi, bbox_inches="tight", pad_inches=0.08, metadata=metadata)
    except OSError as error:
        raise Refused(f"{path}: cannot be written: {error.strerror}; accepted is a place that can be written") from None
