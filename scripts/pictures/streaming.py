# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of module streaming: one per test, the bandwidth over the bytes moved, with model and copy roof."""
import math
import statistics
from types import SimpleNamespace

from .records import (MACHINE, differing, entry, finite, grouped, in_words, number, of_rate, positive, require,
                      require_case, settings_of, spread, text_of)
from .style import (
    LINE_COLOURS,
    MODEL_DASHES,
    ROOF_DASHES,
    add_axes,
    curve_look,
    draw_spread,
    explain_spread,
    frame,
    line_order,
    literal,
    number_lines,
)

FIRST_ON_MESHES = 6  # BS6, which has an order
# Settings whose records of a streaming test go to different lines.
LINE_SETTINGS = (*MACHINE, "precision", "order", "boundary", "indexing", "numbering")


def parse(record, place):
    """A line of a picture of module streaming, bytes to GB/s; None for a wrong result and for less than two sizes, of
    which BS0 has none."""
    require_case(record, place, {"bs": int, "name": str})
    case = record["case"]
    require_case(record, place, {"order": int if case["bs"] >= FIRST_ON_MESHES else type(None)})
    curve = entry(record, "result.curve")
    pairs = isinstance(curve, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in curve)
    require(pairs, record, place, "result.curve")
    sizes = [size for size, _ in curve]
    curve = {size: size / seconds * 1e-9 for size, seconds in curve if positive(size) and positive(seconds)}
    if len(curve) < 2 or entry(record, "verification.passed") is not True:
        return None
    settings = settings_of(record, LINE_SETTINGS)  # records have older names of two options
    settings["boundary"] = "neumann" if case.get("mask") == "none" else case.get("mask")
    settings["indexing"] = case.get("layout")
    times = entry(record, "result.times")
    if not isinstance(times, list) or len(times) != len(sizes):
        times = [None] * len(sizes)
    t0, wmax = entry(record, "result.t0_s"), number(record, "result.wmax_gbytes")
    return SimpleNamespace(module="streaming", test=case["bs"], name=case["name"], settings=settings,
                           order=settings["order"], curve={size: curve[size] for size in sorted(curve)},
                           spreads={size: of_rate(spread({"time": time}, "time")) for size, time in zip(sizes, times)},
                           model=SimpleNamespace(t0=t0, wmax=wmax) if finite(t0) and wmax else None,
                           copy_roof=number(record, "roofs.copy_gbytes"),
                           beyond_cache=number(record, "result.beyond_cache.from_bytes"), date=str(record.get("date")),
                           case=(case["bs"], text_of(settings)))


def pictures_of(points, _):
    """One picture per test. Its title has what its lines have in common, its legend what they differ in."""
    number_lines(points)
    pictures = []
    for test, lines in sorted(grouped(points, lambda p: p.test).items()):
        lines.sort(key=line_order)
        in_legend = differing(lines, LINE_SETTINGS)
        below = in_words(lines[0].settings, [key for key in LINE_SETTINGS if key not in in_legend])
        pictures.append(
            SimpleNamespace(
                draw=draw,
                title_at="axes",
                points=lines,
                heading=f"BS{test}, {lines[0].name}",
                below=below,
                name=f"bs{test}",
                in_legend=in_legend,
            )
        )
    return pictures


def draw_models(axes, points):
    """The fitted model, W(B) = B / (T0 + B / Wmax), of the largest order only, as in the paper."""
    alike_but_in_order = grouped(points, lambda p: text_of(p.settings, ["order"])).values()
    largest = [max(lines, key=lambda p: p.order or 0) for lines in alike_but_in_order]
    modelled = [p for p in largest if p.model]
    look = dict(linewidth=1.1, linestyle=MODEL_DASHES, zorder=4)
    for p in modelled:
        least, most, steps = min(p.curve), max(p.curve), 200
        sizes = [least * (most / least) ** (step / steps) for step in range(steps + 1)]
        seconds = [p.model.t0 + size * 1e-9 / p.model.wmax for size in sizes]  # below zero where a fitted T0 is
        axes.plot(sizes, [size * 1e-9 / time if time > 0 else math.nan for size, time in zip(sizes, seconds)],
                  color=LINE_COLOURS[p.number % len(LINE_COLOURS)], **look)
    if modelled:
        orders = {p.order for p in modelled}
        of_order = f", order {orders.pop()}" if len({p.order for p in points}) > 1 and len(orders) == 1 else ""
        axes.plot([], [], color="0.45", label=f"fitted model{of_order}\nB / (T0 + B / Wmax)", **look)


def draw_copy_roofs(axes, points):
    """The copy roof of each device; the size beyond which no cache holds the data, if a line has sizes around it."""
    shown, marks = [], set()
    keys = differing(points, MACHINE)
    for at, (name, lines) in enumerate(grouped(points, lambda p: in_words(p.settings, keys)).items()):
        look = dict(linestyle=ROOF_DASHES[at % len(ROOF_DASHES)], zorder=1)
        roofs = [p.copy_roof for p in lines if p.copy_roof]
        if roofs:
            shown.append(statistics.median(roofs))
            axes.axhline(shown[-1], color="0.45", linewidth=1, label=literal(f"copy roof{name and ', '}{name}"), **look)
        between = {p.beyond_cache for p in lines if p.beyond_cache and min(p.curve) < p.beyond_cache < max(p.curve)}
        for size in sorted(between):
            axes.axvline(size, color="0.65", linewidth=0.8, **look)
        marks |= between
    for size in sorted(marks):
        axes.text(size, 0.02, "beyond cache", transform=axes.get_xaxis_transform(), rotation=90, ha="right",
                  va="bottom", fontsize=8, color="0.4")
    return shown


def draw(figure, picture, _):
    """Returns the axes. A model may leave the picture, which measured values do not."""
    from matplotlib import ticker

    axes = add_axes(figure)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(ticker.EngFormatter(unit="B"))
    on_meshes = picture.points[0].order is not None  # whose indices may take fewer bytes than the paper's
    axes.set_xlabel("bytes moved" + (", as the paper counts them" if on_meshes else ""))
    axes.set_ylabel("bandwidth [GB/s]")
    shown = []
    for p in picture.points:
        shown += p.curve.values()
        axes.plot(list(p.curve), list(p.curve.values()), **curve_look(p.number),
                  label=literal(in_words(p.settings, picture.in_legend) or "measured"))
        shown += draw_spread(axes, list(p.curve), lambda size: size, p.curve.get, p.spreads.get,
                             curve_look(p.number)["color"])
    explain_spread(axes)
    draw_models(axes, picture.points)
    frame(axes, shown + draw_copy_roofs(axes, picture.points))
    return axes
