# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of module weakform: the ways to compute a residual under their bound, the kernel of transposed threads over
the batches of a team, and Newton's method."""

import re
from types import SimpleNamespace

from .records import (MACHINE, differing, entry, grouped, in_words, natural, number, of_rate, place_in, plain, positive,
                      require_case, settings_of, spread, text_of)
from .style import (
    LINE_COLOURS,
    add_axes,
    add_bars_axes,
    curve_look,
    draw_line,
    draw_spread,
    end_bars,
    explain_spread,
    frame,
    literal,
    mark_bounds,
)

# Settings whose records of a form go to different pictures.
FORM_SETTINGS = ("dim", "elements", "mesh", "shuffled", "precision", *MACHINE)
STRATEGIES = ("reference", "cells", "points", "functions", "transposed", "tiles", "fans", "owner")


def of_blocks(number):
    return "1 block" if number == 1 else f"{number} blocks"


def parse(record, place):
    """A way to compute a residual, or a run of Newton's method; None for wrong results and where nothing was timed."""
    require_case(record, place, {"form": str, "strategy": str, "dim": int, "elements": int})
    case = record["case"]
    settings = settings_of(record, FORM_SETTINGS)
    way = [case["strategy"]] + [f"reorder {case['reorder']}"] * (case.get("reorder") not in (None, "none"))
    common = dict(form=case["form"], strategy=case["strategy"], elements=case["elements"], settings=settings,
                  date=str(record.get("date")))
    norms = entry(record, "result.residual_norms")
    if isinstance(norms, list):
        return parse_newton(case, norms, way, common)
    seconds, rate = number(record, "timing.residual_s.median"), number(record, "rates.kernel_gflops")
    if not (seconds or rate) or entry(record, "verification.passed") is not True:
        return None
    batches = blocks = None
    if case["strategy"] == "transposed":
        require_case(record, place, {"batches": int, "blocks": (int, type(None))})
        batches, blocks = case["batches"], case["blocks"]
        way += ([of_blocks(blocks)] if blocks else []) + [f"{batches} batches"]
    elif case.get("block_size"):
        way.append(f"blocks of {case['block_size']}")
    return SimpleNamespace(module="weakform", way=", ".join(way), blocks=blocks, batches=batches, rate=rate,
                           reorder=way[1] if len(way) > 1 and way[1].startswith("reorder") else "",
                           kernel_spread=of_rate(spread(record, "timing.kernel_s")),
                           cells=case["elements"] / seconds if seconds else None,
                           spread=of_rate(spread(record, "timing.residual_s")),
                           bound=number(record, "roofs.bound_s"), **common,
                           case=(case["form"], *way, text_of(settings)))


def parse_newton(case, norms, way, common):
    way = [*way, str(case.get("preconditioner"))]
    curve = {step: norm / norms[0] for step, norm in enumerate(norms) if positive(norm) and positive(norms[0])}
    return SimpleNamespace(module="newton", way=", ".join(way), curve=curve, **common,
                           case=(case["form"], *way, text_of(common["settings"]))) if curve else None


def by_settings(points):
    """Of each form and what else records differ in: the points, the line below the title, the file's name."""
    for form, of_form in grouped(points, lambda p: p.form).items():
        parting = differing(of_form, FORM_SETTINGS)
        for group in grouped(of_form, lambda p: text_of(p.settings)).values():
            settings = group[0].settings
            suffix = "".join(f"-{key}{plain(settings[key])}" for key in parting if settings[key] is not None)
            cells = {2: "triangles", 3: "tetrahedra"}.get(settings["dim"], "cells")
            below = [f"{settings['elements']} {cells}", str(settings["mesh"])]
            below += ["shuffled"] if settings["shuffled"] else []
            yield (form, group, ", ".join([*below, in_words(settings, ("precision", *MACHINE))]),
                   form + re.sub(r"[^\w.-]+", "-", suffix).lower())


def pictures_of(points, _):
    """Transposed threads where they were run, and all ways where there are others."""
    pictures = []
    for form, group, below, name in by_settings(points):
        transposed, timed = [p for p in group if p.batches and p.rate], [p for p in group if p.cells]
        others = any(p.strategy != "transposed" for p in timed)
        if len(transposed) > 1 or transposed and not others:
            pictures.append(
                SimpleNamespace(
                    draw=draw_batches,
                    title_at="axes",
                    points=transposed,
                    below=below,
                    name=name,
                    heading=f"Form {form}, transposed threads",
                )
            )
        if others:
            timed.sort(key=lambda p: (place_in(STRATEGIES, p.strategy), natural(p.way)))
            pictures.append(SimpleNamespace(draw=draw_ways, title_at="bars", points=timed, below=below,
                                            name=f"{name}-residual", heading=f"Form {form}, residual"))
    return pictures


def newton_pictures(points, _):
    return [
        SimpleNamespace(
            draw=draw_steps,
            title_at="axes",
            points=group,
            below=below,
            name=f"{name}-newton",
            heading=f"Form {form}, Newton's method",
        )
        for form, group, below, name in by_settings(points)
    ]


def draw_batches(figure, picture, _):
    """Returns the axes, with one line per number of blocks."""
    axes = add_axes(figure)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("batches of a team [-]")
    axes.set_ylabel("kernel on E-vectors [GFLOP/s]")
    batches, shown = sorted({p.batches for p in picture.points}), []
    axes.set_xticks(batches, [str(number) for number in batches])
    axes.set_xticks([], minor=True)
    lines = grouped(picture.points, lambda p: (p.blocks or 0, p.reorder))
    for at, ((blocks, reorder), points) in enumerate(sorted(lines.items())):
        name = ", ".join(filter(None, (of_blocks(blocks) if blocks else "blocks of 128 threads", reorder)))
        look = {**curve_look(at), "markevery": None}
        shown += draw_line(axes, batches, {p.batches: p.rate for p in points}, label=name, **look)
        shown += draw_spread(
            axes, points, lambda p: p.batches, lambda p: p.rate, lambda p: p.kernel_spread, look["color"]
        )
    explain_spread(axes)
    frame(axes, shown)
    return axes


def draw_ways(figure, picture, _):
    """One bar per way to compute the residual, and the bound of each; returns the axes."""
    from matplotlib import ticker

    points, bounds = picture.points, [p.elements / p.bound if p.bound else None for p in picture.points]
    axes = add_bars_axes(figure, len(points))
    ends = []
    for at, (p, bound) in enumerate(zip(points, bounds)):
        colour = LINE_COLOURS[place_in(STRATEGIES, p.strategy) % len(LINE_COLOURS)]
        axes.barh(at, p.cells, height=0.78, color=colour, zorder=3)
        ends.append(max([p.cells, *draw_spread(axes, [p], lambda _, at=at: at, lambda p: p.cells, lambda p: p.spread,
                                               "black", sideways=True)]))
        share = f", {p.cells / bound * 100:.0f} %" if bound else ""
        axes.text(1.02, at, ticker.EngFormatter(places=1)(p.cells).strip() + share, va="center", fontsize=8,
                  transform=axes.get_yaxis_transform())  # beside the panel, since the bound may be anywhere
    mark_bounds(axes, bounds)
    axes.set_xlim(0, max([1.06 * max(ends), *(1.06 * bound for bound in bounds if bound)]))
    axes.xaxis.set_major_formatter(ticker.EngFormatter())
    axes.set_xlabel("rate [cells/s]")
    end_bars(axes, [p.way for p in points], legend_left=1.27)
    return axes


def draw_steps(figure, picture, _):
    """Returns the axes, with a line per strategy and preconditioner."""
    axes = add_axes(figure)
    axes.set(yscale="log", xlabel="step [-]", ylabel="|residual| / first [-]",
             xticks=range(1 + max(max(p.curve) for p in picture.points)))
    for at, p in enumerate(picture.points):
        axes.plot(list(p.curve), list(p.curve.values()), **{**curve_look(at), "markevery": None}, label=literal(p.way))
    frame(axes, [residual for p in picture.points for residual in p.curve.values()])
    return axes
