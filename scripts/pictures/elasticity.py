# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of module elasticity: the variants' times per element by phases, and their kernels' rates over the order."""
import math
import re
import statistics
from types import SimpleNamespace

from .records import (MACHINE, are_times, differing, entry, grouped, in_words, number, over, plain, positive, require,
                      require_case, settings_of, text_of)
from .style import BAR_COLOURS, LINE_COLOURS, RUNG_MARKERS, add_axes, add_legend, draw_line, frame, tidy

# Settings, besides the number of elements, whose records go to different pictures; always in titles.
ELASTICITY_TITLE = (*MACHINE, "precision", "output_matrices")
ELASTICITY_SETTINGS = (*ELASTICITY_TITLE, "vary", "deform", "young", "poisson")
VARIANTS = ("reg-jac", "reg-nojac", "shm-jac", "shm-nojac", "products", "split")
# Parts of a bar from below, as in the paper: the phases they sum.
BAR_PARTS = {"preparation, allocation,\ntransfer in": ("preparation", "allocation", "transfer_in"),
             "kernel": ("kernel",), "transfer out": ("transfer_out",)}


def parse(record, place):
    """A bar and a point of the pictures of module elasticity; None for a wrong result and where nothing was timed."""
    require_case(record, place, {"variant": str, "order": int, "elements": int})
    rate = number(record, "rates.paper_gflops")
    if rate is None or entry(record, "verification.passed") is not True:
        return None
    case, phases, settings = record["case"], entry(record, "timing.phases"), settings_of(record, ELASTICITY_SETTINGS)
    require(case["elements"] > 0, record, place, "case.elements")
    require(are_times(phases) and positive(phases.get("kernel")), record, place, "timing.phases")
    phases = {phase.replace(" ", "_"): time for phase, time in phases.items()}  # older records have blanks
    times = {part: sum(phases.get(phase, 0) for phase in of_part) / case["elements"]
             for part, of_part in BAR_PARTS.items()}
    return SimpleNamespace(module="elasticity", variant=case["variant"], order=case["order"],
                           elements=case["elements"], times=times, rate=rate, settings=settings,
                           fma_roof=number(record, "roofs.fma_gflops"), date=str(record.get("date")),
                           case=(case["variant"], case["order"], case["elements"], text_of(settings)))


def by_elements(points):
    """Apart by the number of elements where an order has several; else an order may have its own, as without
    --elements. Lists of (whether apart, points)."""
    numbers = [{p.elements for p in of_order} for of_order in grouped(points, lambda p: p.order).values()]
    if all(len(of_order) == 1 for of_order in numbers):
        return [(False, points)]
    return [(True, alike) for _, alike in sorted(grouped(points, lambda p: p.elements).items())]


def pictures_of(points, _):
    """Times by phases and rates over orders, for each combination of the other settings."""
    pictures, parting = [], differing(points, ELASTICITY_SETTINGS)
    variants = [*VARIANTS, *sorted({p.variant for p in points} - set(VARIANTS))]
    for alike in grouped(points, lambda p: text_of(p.settings)).values():
        settings = alike[0].settings
        below = in_words(settings, [*ELASTICITY_TITLE, *(key for key in parting if key not in ELASTICITY_TITLE
                                                         and key != "vary")])
        below += ", another material in each element" if settings["vary"] else ""
        suffix = "".join(f"-{'' if key in ('device', 'precision') else key.removeprefix('output_')}"
                         f"{plain(settings[key])}" for key in parting if settings[key] is not None)
        for apart, group in by_elements(alike):
            numbers = {p.elements for p in group}
            name = "elasticity" + suffix + (f"-elements{group[0].elements}" if apart else "")
            name = re.sub(r"[^\w.-]+", "-", name).lower()
            common = dict(points=group, variants=variants, several=len(numbers) > 1,
                          below=below if len(numbers) > 1 else f"{below}, {group[0].elements} elements")
            for kind, heading, draw, title_at in (("times", "time per element", draw_times, "panels"),
                                                  ("gflops", "kernels' rates", draw_rates, "axes")):
                pictures.append(SimpleNamespace(draw=draw, title_at=title_at, heading=f"Element matrices of prisms, {heading}",
                                                name=f"{name}-{kind}", **common))
    return pictures


def draw_bars(axes, points, variants):
    """The panel of one order, with one bar per variant."""
    bars = {p.variant: p for p in points}
    below = dict.fromkeys(bars, 0)
    for part, colour in zip(BAR_PARTS, BAR_COLOURS):
        for variant, p in bars.items():
            axes.bar(variants.index(variant), p.times[part], bottom=below[variant], width=0.76, color=colour, zorder=3)
            below[variant] += p.times[part]
    axes.set_ylim(0, 1.06 * max(below.values()))
    axes.set_xlim(-0.6, len(variants) - 0.4)


def draw_times(figure, picture, _):
    """One panel per order, each with its own scale; returns the first panel's axes."""
    from matplotlib import ticker
    from matplotlib.patches import Patch

    orders = sorted(grouped(picture.points, lambda p: p.order).items())
    variants = [name for name in picture.variants if any(p.variant == name for p in picture.points)]
    columns = len(orders) if len(orders) < 4 else math.ceil(len(orders) / 2)
    rows = math.ceil(len(orders) / columns)
    width, height = 0.9 + 0.26 * max(len(variants), 4), 1.5  # of a panel with its numbers [inches]
    figure.set_size_inches(0.4 + width * columns, 1.1 + (height + 0.35) * rows)
    grid = figure.add_gridspec(rows, columns, left=0, right=1, bottom=0, top=1, wspace=0.42, hspace=0.3)
    panels = [figure.add_subplot(grid[at // columns, at % columns]) for at in range(len(orders))]
    for at, (axes, (order, points)) in enumerate(zip(panels, orders)):
        draw_bars(axes, points, variants)
        of_elements = f", {points[0].elements} elements" if picture.several else ""
        axes.set_title(f"order {order}{of_elements}", fontsize=9, loc="left", pad=4)
        axes.yaxis.set_major_formatter(ticker.EngFormatter(unit="s"))
        axes.yaxis.set_major_locator(ticker.MaxNLocator(5))
        axes.tick_params(labelsize=8)
        lowest = at + columns >= len(orders)
        axes.set_xticks(range(len(variants)), variants if lowest else [], rotation=90)
        tidy(axes, "y")
    parts = [Patch(color=colour, label=part) for part, colour in zip(BAR_PARTS, BAR_COLOURS)
             if any(p.times[part] for p in picture.points)]
    add_legend(panels[columns - 1], handles=parts[::-1])  # from above, as in the bars
    return panels[0]


def draw_rates(figure, picture, _):
    """Returns the axes, on a logarithmic scale: variants may be far apart, and far below the roof."""
    from matplotlib import ticker

    axes = add_axes(figure)
    axes.set_xlabel("order [-]")
    axes.set_ylabel("kernel alone, paper's flops [GFLOP/s]")
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    orders = sorted({p.order for p in picture.points})
    axes.set_xticks(orders)
    shown = [p.rate for p in picture.points]
    for at, variant in enumerate(picture.variants):
        line = over([p for p in picture.points if p.variant == variant], lambda p: p.order, lambda p: p.rate)
        draw_line(axes, orders, line, color=LINE_COLOURS[at % len(LINE_COLOURS)], label=variant, linewidth=1.4,
                  marker=RUNG_MARKERS[at % len(RUNG_MARKERS)], markersize=(7.5, 4.5)[at % 2],  # -nojac over its -jac
                  markeredgecolor="black", markeredgewidth=0.5, zorder=3)
    roofs = [p.fma_roof for p in picture.points if p.fma_roof]
    if roofs:
        shown.append(statistics.median(roofs))
        axes.axhline(shown[-1], color="0.45", linewidth=2.2, label="FMA roof", zorder=1)
    frame(axes, shown)
    return axes
