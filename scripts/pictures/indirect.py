# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of module indirect: a loop's bandwidth over the block size, and the speed-up of each way to run it."""
import math
import re
import statistics
from types import SimpleNamespace

from .records import (MACHINE, differing, entry, grouped, in_words, number, place_in, plain, require, require_case,
                      settings_of, text_of)
from .style import LINE_COLOURS, ROOF_DASHES, RUNG_MARKERS, add_axes, add_bars_axes, frame, tidy

# Settings whose records of a loop go to different pictures, and to different lines.
LOOP_SETTINGS = ("size", "mesh", "shuffled", "staging", *MACHINE)
STRATEGIES = ("serial", "atomic", "staged", "global", "hierarchical", "owner")
REORDERS = ("none", "rcm", "gps", "metis", "blocks", "loaded")
LAYOUTS = ("aos", "soa")
BASELINE = ("global", "none")
# The colour shows the strategy, the marker the order, dashes or hatching the layout.
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
                           settings=settings, copy_roof=number(record, "roofs.copy_gbytes"),
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
            suffix = "".join(f"-{key}{plain(settings[key])}" for key in parting if settings[key] is not None)
            name = loop + re.sub(r"[^\w.-]+", "-", suffix).lower()
            below = [f"{settings['size']} elements", str(settings["mesh"])]
            below += ["shuffled"] if settings["shuffled"] else []
            below += ["increments alone in scratch"] if settings["staging"] == "increments" else []
            common = dict(points=group, below=", ".join([*below, in_words(settings, MACHINE)]), strategies=strategies)
            several = len({p.block_size for p in group if p.block_size}) > 1
            if several:
                pictures.append(SimpleNamespace(draw=draw_block_sizes, title_at="axes", heading=f"Loop {loop}", name=name, **common))
            if not several or len({p.way for p in group}) > 1:
                pictures.append(SimpleNamespace(draw=draw_speedups, title_at="bars", heading=f"Loop {loop}, speed-up", name=f"{name}-speedup",
                                                **common))
    return pictures


def strategy_colour(picture, strategy):
    return LINE_COLOURS[picture.strategies.index(strategy) % len(LINE_COLOURS)]


def reorder_marker(reorder):
    return RUNG_MARKERS[place_in(REORDERS, reorder) % len(RUNG_MARKERS)]


def draw_block_sizes(figure, picture, _):
    """Returns the axes. The legend names strategies, orders and layouts apart: their products are too many lines."""
    axes = add_axes(figure)
    axes.set_xlabel("block size [elements, owner: targets]")
    axes.set_ylabel("bandwidth [GB/s]")
    sizes = sorted({p.block_size for p in picture.points if p.block_size})
    axes.set_xticks(sizes)
    ways = grouped(picture.points, lambda p: p.way)
    for way in sorted(ways, key=way_order):
        strategy, reorder, layout = way
        line = {p.block_size: p.rate for p in ways[way]}
        rates = [line.get(size, math.nan) for size in sizes] if None not in line else [line[None]] * len(sizes)
        axes.plot(sizes, rates, color=strategy_colour(picture, strategy), marker=reorder_marker(reorder), markersize=5,
                  markeredgecolor="black", markeredgewidth=0.4, linestyle=LAYOUT_DASHES.get(layout, ":"), linewidth=1.3,
                  zorder=3)
    for strategy in picture.strategies:
        if any(way[0] == strategy for way in ways):
            axes.plot([], [], color=strategy_colour(picture, strategy), linewidth=2.4, label=strategy)
    for reorder in sorted({way[1] for way in ways}, key=lambda name: place_in(REORDERS, name)):
        axes.plot([], [], color="0.45", marker=reorder_marker(reorder), linestyle="", label=f"reorder {reorder}")
    for layout in sorted({way[2] for way in ways}):
        axes.plot([], [], color="0.45", linestyle=LAYOUT_DASHES.get(layout, ":"), label=layout)
    shown = [p.rate for p in picture.points]
    roof = statistics.median([p.copy_roof for p in picture.points if p.copy_roof] or [math.nan])
    if roof < 1.5 * max(shown):  # a far one would press the lines together
        axes.axhline(roof, color="0.45", linewidth=1, linestyle=ROOF_DASHES[1], label="copy roof", zorder=1)
        shown.append(roof)
    frame(axes, shown)
    return axes


def draw_speedups(figure, picture, _):
    """One bar per strategy, order and layout; returns the axes."""
    best = {way: max(points, key=lambda p: p.rate) for way, points in grouped(picture.points, lambda p: p.way).items()}
    of_baseline = [way for way in best if way[:2] == BASELINE]
    base = best[min(of_baseline, key=way_order) if of_baseline else next(iter(best))]
    ways = sorted(best, key=way_order)
    axes = add_bars_axes(figure, len(ways))
    for at, way in enumerate(ways):
        speedup = best[way].rate / base.rate
        axes.barh(at, speedup, height=0.78, color=strategy_colour(picture, way[0]), edgecolor="white", linewidth=0,
                  hatch=LAYOUT_HATCHES.get(way[2], ".."), zorder=3)
        axes.text(speedup, at, f" {speedup:.2f}", va="center", fontsize=8)
    axes.set_yticks(range(len(ways)), [", ".join(way) + (f" ({best[way].block_size})" if best[way].block_size else "")
                                       for way in ways], fontsize=8)
    axes.set_xlim(0, 1.15 * max(best[way].rate for way in ways) / base.rate)
    axes.axvline(1, color="0.3", linewidth=0.8, zorder=2)
    axes.set_xlabel(f"speed-up over {', '.join(base.way)}, {base.rate:.4g} GB/s")
    tidy(axes, "x")
    return axes
