# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of module indirect: a loop's bandwidth over the block size, and the speed-up of each way to run it."""
import math
import re
import statistics
from types import SimpleNamespace

from .records import (MACHINE, differing, entry, grouped, in_words, number, of_rate, over, place_in, plain, require,
                      require_case, settings_of, spread, text_of)
from .style import (LINE_COLOURS, RUNG_MARKERS, add_bars_axes, add_legend, add_panels, choose_scale, draw_line,
                    draw_spread, end_bars, mark_bounds, panel_shape, spread_entry, tidy)

# Settings whose records of a loop go to different pictures, and to different lines.
LOOP_SETTINGS = ("size", "mesh", "shuffled", "staging", "precision", *MACHINE)
STRATEGIES = ("serial", "atomic", "staged", "global", "hierarchical", "owner")
REORDERS = ("none", "rcm", "gps", "metis", "blocks", "loaded")
LAYOUTS = ("aos", "soa")
BASELINE = ("global", "none")
# Colour and marker show the strategy, dashes or hatching the layout; each order has its panel.
LAYOUT_DASHES = {"aos": "-", "soa": (0, (4, 1.5))}
LAYOUT_HATCHES = {"aos": "", "soa": "////"}


def parse(record, place):
    """A point of a line of module indirect; None for a wrong result and where nothing was timed."""
    require_case(record, place, {key: str for key in ("loop", "strategy", "reorder", "layout")} | {"size": int})
    case = record["case"]
    block_size = case.get("block_size")
    require(block_size is None or isinstance(block_size, int), record, place, "case.block_size")
    rate = number(record, "rates.kernel_gbytes")
    if rate is None or entry(record, "verification.passed") is not True:
        return None
    strategy, settings = case["strategy"], settings_of(record, LOOP_SETTINGS)
    if strategy == "hierarchical":
        strategy += f" {case.get('in_block')}/{case.get('write_back')}"
    way = (strategy, case["reorder"], case["layout"])
    return SimpleNamespace(module="indirect", loop=case["loop"], way=way, block_size=block_size, rate=rate,
                           spread=of_rate(spread(record, "timing.kernel_s")),
                           settings=settings, copy_roof=number(record, "roofs.copy_gbytes"),
                           of_bound=number(record, "roofs.fraction_of_bound"),
                           date=str(record.get("date")), case=(case["loop"], way, block_size, text_of(settings)))


def way_order(way):
    """Of a strategy, an order and a layout."""
    strategy, reorder, layout = way
    return (place_in(STRATEGIES, strategy.split()[0]), strategy, place_in(REORDERS, reorder), reorder,
            place_in(LAYOUTS, layout), layout)


def pictures_of(points, _):
    """A picture over the block size where there are two sizes, and one of speed-ups where there are two ways to run a
    loop, of each loop and what else its records differ in."""
    pictures = []
    for loop, of_loop in grouped(points, lambda p: p.loop).items():
        parting = differing(of_loop, LOOP_SETTINGS)
        strategies = sorted({p.way[0] for p in of_loop}, key=lambda name: way_order((name, "", "")))
        for group in grouped(of_loop, lambda p: text_of(p.settings)).values():
            settings = group[0].settings
            suffix = "".join(f"-{'' if key == 'precision' else key}{plain(settings[key])}" for key in parting if settings[key] is not None)
            name = loop + re.sub(r"[^\w.-]+", "-", suffix).lower()
            below = [f"{settings['size']} elements", str(settings["mesh"])]
            below += ["shuffled"] if settings["shuffled"] else []
            below += ["increments alone in scratch"] if settings["staging"] == "increments" else []
            common = dict(points=group, below=", ".join([*below, in_words(settings, MACHINE)]), strategies=strategies)
            several = len({p.block_size for p in group if p.block_size}) > 1
            if several:
                pictures.append(
                    SimpleNamespace(
                        draw=draw_block_sizes, title_at="panels", heading=f"Loop {loop}", name=name, **common
                    )
                )
            if not several or len({p.way for p in group}) > 1:
                pictures.append(
                    SimpleNamespace(
                        draw=draw_speedups,
                        title_at="bars",
                        heading=f"Loop {loop}, speed-up",
                        name=f"{name}-speedup",
                        **common,
                    )
                )
    return pictures


def strategy_look(picture, strategy):
    at = picture.strategies.index(strategy)
    return dict(color=LINE_COLOURS[at % len(LINE_COLOURS)], marker=RUNG_MARKERS[at % len(RUNG_MARKERS)], markersize=5,
                markeredgecolor="black", markeredgewidth=0.4)


def draw_order(axes, picture, ways, sizes):
    """The panel of one order, with a line per strategy and layout; returns the values that must be seen."""
    shown = []
    for way in sorted(ways, key=way_order):
        strategy, _, layout = way
        points, look = ways[way], strategy_look(picture, strategy)
        line = over(points, lambda p: p.block_size or sizes[-1], lambda p: p.rate)
        flat = points[0].block_size is None
        shown += draw_line(
            axes,
            sizes,
            dict.fromkeys(sizes, line[sizes[-1]]) if flat else line,
            zorder=3,
            linewidth=1.3,
            linestyle=LAYOUT_DASHES.get(layout, ":"),
            **look,
        )
        shown += draw_spread(axes, points, lambda p: p.block_size or sizes[-1], lambda p: p.rate, lambda p: p.spread,
                             look["color"])
    return shown


def draw_block_sizes(figure, picture, _):
    """One panel per order, all on one scale; returns the first panel's axes. The legend names strategies and layouts
    apart: their products are too many lines."""
    sizes = sorted({p.block_size for p in picture.points if p.block_size})
    reorders = sorted({p.way[1] for p in picture.points}, key=lambda name: place_in(REORDERS, name))
    rows, columns = panel_shape(len(reorders))
    width = 5 if columns == 1 else 2.7  # of a panel [inches]
    figure.set_size_inches(width * columns, (3.4 if rows * columns == 1 else 2.4) * rows)
    panels, shown = add_panels(figure, [f"reorder {reorder}" for reorder in reorders], hspace=0.24), []
    roof = statistics.median([p.copy_roof for p in picture.points if p.copy_roof] or [math.nan])
    for (axes, lowest), reorder in zip(panels, reorders):
        shown += draw_order(axes, picture, grouped([p for p in picture.points if p.way[1] == reorder], lambda p: p.way),
                            sizes)
        axes.set_xscale("log", base=2)
        axes.set_xticks(sizes, map(str, sizes) if lowest else [""] * len(sizes), fontsize=8)
        axes.set_xticks([], minor=True)
        axes.set_xlabel("block size [elements, owner: targets]" if lowest else "", fontsize=9)
        if math.isfinite(roof):
            axes.axhline(roof, color="0.45", linewidth=2.2, label="_copy roof", zorder=1)
        tidy(axes)
    roofs = [roof] if math.isfinite(roof) else []
    first = panels[0][0]
    choose_scale(first, [p.rate for p in picture.points], shown + roofs)
    logarithmic = first.get_yscale() == "log"
    first.set_ylim(min(shown) / 1.3 if logarithmic else 0, (1.3 if logarithmic else 1.06) * max(shown + roofs))
    for axes, _ in panels[::columns]:
        axes.set_ylabel("bandwidth [GB/s]")
    add_legend(panels[columns - 1][0], handles=legend_entries(picture, bool(roofs)))
    return first


def legend_entries(picture, with_roof):
    from matplotlib.lines import Line2D

    ways = {p.way for p in picture.points}
    entries = [Line2D([], [], linewidth=1.3, label=strategy, **strategy_look(picture, strategy))
               for strategy in picture.strategies if any(way[0] == strategy for way in ways)]
    entries += [Line2D([], [], color="0.45", linestyle=LAYOUT_DASHES.get(layout, ":"), label=layout)
                for layout in sorted({way[2] for way in ways})]
    entries += [Line2D([], [], color="0.45", linewidth=2.2, label="copy roof")] if with_roof else []
    return entries + ([spread_entry()] if any(p.spread for p in picture.points) else [])


def name_way(point):
    return ", ".join(point.way) + (f", blocks of {point.block_size}" if point.block_size else "")


def draw_speedups(figure, picture, _):
    """One bar per strategy, order and layout; returns the axes."""
    best = {way: max(points, key=lambda p: p.rate) for way, points in grouped(picture.points, lambda p: p.way).items()}
    of_baseline = [way for way in best if way[:2] == BASELINE]
    base = best[min(of_baseline, key=way_order) if of_baseline else next(iter(best))]
    points = [best[way] for way in sorted(best, key=way_order)]
    axes = add_bars_axes(figure, len(points))
    ends = []
    for at, p in enumerate(points):
        speedup = p.rate / base.rate
        axes.barh(
            at,
            speedup,
            height=0.78,
            color=strategy_look(picture, p.way[0])["color"],
            edgecolor="white",
            linewidth=0,
            hatch=LAYOUT_HATCHES.get(p.way[2], ".."),
            zorder=3,
        )
        ends.append(max([speedup, *draw_spread(axes, [p], lambda _, at=at: at, lambda p: p.rate / base.rate,
                                               lambda p: p.spread, "black", sideways=True)]))
        share = f", {100 * p.of_bound:.0f} %" if p.of_bound else ""
        axes.text(1.02, at, f"{speedup:.2f}{share}", va="center", fontsize=8, transform=axes.get_yaxis_transform())
    bounds = [p.rate / base.rate / p.of_bound if p.of_bound else None for p in points]
    near = [bound for bound in bounds if bound and bound <= 3 * max(ends)]  # others would leave no room for the bars
    mark_bounds(axes, [bound if bound in near else None for bound in bounds])
    axes.set_xlim(0, 1.06 * max([*ends, *near]))
    axes.axvline(1, color="0.3", linewidth=0.8, zorder=2)
    axes.set_xlabel(f"speed-up over {', '.join(base.way)}, {base.rate:.4g} GB/s"
                    + ("\nnumbers: speed-up, % of the bound" if any(bounds) else ""), fontsize=9)
    end_bars(axes, list(map(name_way, points)), legend_left=1.27)
    return axes
