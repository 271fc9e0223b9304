# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of module elasticity: the variants' times per element by phases, and their kernels' rates over the order; of
--solve, the set-up and the solve of the cantilever, or of a body."""
import re
import statistics
from types import SimpleNamespace

from .records import (MACHINE, are_times, differing, entry, grouped, in_words, number, of_rate, over, plain, positive,
                      require, require_case, settings_of, spread, text_of)
from .solver import SOLVER_SETTINGS, time_picture
from .style import (
    LINE_COLOURS,
    RUNG_MARKERS,
    add_legend,
    add_panels,
    draw_line,
    draw_spread,
    explain_spread,
    in_seconds,
    mark_decades,
    number_lines,
    panel_shape,
    spread_entry,
    tidy,
    use_log_scale,
)

# Settings, besides the number of elements, whose records go to different pictures; always in titles.
ELASTICITY_TITLE = (*MACHINE, "precision", "output_matrices")
ELASTICITY_SETTINGS = (*ELASTICITY_TITLE, "vary", "deform", "young", "poisson")
VARIANTS = ("reg-jac", "reg-nojac", "shm-jac", "shm-nojac", "products", "split")
# Parts of a bar from below: the phases they sum.
BAR_PARTS = {
    "kernel": ("kernel",),
    "+ preparation, allocation,\ntransfer in": ("preparation", "allocation", "transfer_in"),
    "+ transfer out": ("transfer_out",),
}
BAR_COLOURS = ("#0072B2", "#56B4E9", "#E69F00")


def parse_beam(record, place):
    """A solve of the cantilever, or of a body of a user, as module solver has them; None for one that is wrong or did not converge."""
    require_case(record, place, {"variant": str, "order": int, "dofs": int, "preconditioner": str})
    iteration, iterations = number(record, "timing.cg_iteration_s.median"), number(record, "result.iterations")
    if (entry(record, "verification.passed") is not True or entry(record, "result.comparison.passed") is False
            or entry(record, "result.converged") is not True or not iteration or not iterations):
        return None
    case, phases = record["case"], entry(record, "timing.setup_s")
    require(are_times(phases), record, place, "timing.setup_s")
    settings = {**settings_of(record, SOLVER_SETTINGS), "kernel": case["variant"]}
    if case["problem"] == "body":
        settings["mesh"] = str(case.get("mesh"))
    return SimpleNamespace(module=case["problem"], unknowns=case["dofs"], order=case["order"], settings=settings,
                           setup=sum(time for phase, time in phases.items() if phase != "verification"),
                           solve=iterations * iteration, solve_spread=spread(record, "timing.cg_iteration_s"),
                           date=str(record.get("date")), case=(case["dofs"], case["order"], text_of(settings)))


def beam_pictures(points, _):
    number_lines(points)
    return [time_picture(points, "cantilever-time", "Cantilever, set-up and solve", setup="set-up")] if points else []


def body_pictures(points, _):
    number_lines(points)
    return [time_picture(points, "body-time", "Elastic body, set-up and solve", setup="set-up")] if points else []


def parse(record, place):
    """A bar and a point of the pictures of module elasticity; None for a wrong result and where nothing was timed."""
    if entry(record, "case.problem") in ("cantilever", "body"):
        return parse_beam(record, place)
    require_case(record, place, {"variant": str, "order": int, "elements": int})
    paper_rate = number(record, "rates.paper_gflops")
    if paper_rate is None or entry(record, "verification.passed") is not True:
        return None
    case, phases, settings = record["case"], entry(record, "timing.phases"), settings_of(record, ELASTICITY_SETTINGS)
    require(case["elements"] > 0, record, place, "case.elements")
    require(are_times(phases) and positive(phases.get("kernel")), record, place, "timing.phases")
    phases = {phase.replace(" ", "_"): time for phase, time in phases.items()}  # older records have blanks
    times = {part: sum(phases.get(phase, 0) for phase in of_part) / case["elements"]
             for part, of_part in BAR_PARTS.items()}
    return SimpleNamespace(
        module="elasticity",
        variant=case["variant"],
        order=case["order"],
        elements=case["elements"],
        times=times,
        paper_rate=paper_rate,
        rate=number(record, "rates.done_gflops") or number(record, "rates.kernel_gflops"),  # of older records
        of_bound=number(record, "roofs.fraction_of_bound"),
        spread=spread(record, "timing.kernel_s"),
        settings=settings,
        fma_roof=number(record, "roofs.fma_gflops"),
        date=str(record.get("date")),
        case=(case["variant"], case["order"], case["elements"], text_of(settings)),
    )


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
            for kind, heading, draw in (
                ("times", "time per element", draw_times),
                ("gflops", "kernels' rates", draw_rates),
            ):
                pictures.append(
                    SimpleNamespace(
                        draw=draw,
                        title_at="panels",
                        heading=f"Element matrices of prisms, {heading}",
                        name=f"{name}-{kind}",
                        **common,
                    )
                )
    return pictures


def draw_bars(axes, points, variants):
    """The panel of one order, with one bar per variant: on a logarithmic scale the ends of a bar's parts are read,
    which are the sums of the parts so far. The number is that of the whole bar. Returns the ends of all bars."""
    ends = []
    for p in points:
        at, below = variants.index(p.variant), 0
        for (part, colour), layer in zip(zip(BAR_PARTS, BAR_COLOURS), (5, 4, 3)):
            below += p.times[part]
            axes.bar(at, below, width=0.76, color=colour, zorder=layer)
        top = max(below, p.times["kernel"] * p.spread[1]) if p.spread else below
        axes.text(at, 1.25 * top, in_seconds(below), rotation=90, ha="center", va="bottom", fontsize=6.5)
        ends.append(below)
    draw_spread(
        axes, points, lambda p: variants.index(p.variant), lambda p: p.times["kernel"], lambda p: p.spread, "black"
    )
    for lines in axes.collections:
        lines.set_zorder(6)
    axes.set_xlim(-0.6, len(variants) - 0.4)
    return ends


def draw_times(figure, picture, _):
    """One panel per order, all on one scale; returns the first panel's axes."""
    from matplotlib.patches import Patch

    orders = sorted(grouped(picture.points, lambda p: p.order).items())
    variants = [name for name in picture.variants if any(p.variant == name for p in picture.points)]
    rows, columns = panel_shape(len(orders))
    width, height = 0.3 + 0.24 * max(len(variants), 4), 2.1  # of a panel [inches]
    figure.set_size_inches(0.4 + width * columns, 0.6 + (height + 0.35) * rows)
    titles = [f"order {order}" + (f", {points[0].elements} elements" if picture.several else "")
              for order, points in orders]
    panels, ends = add_panels(figure, titles, hspace=0.17), []
    for (axes, lowest), (_, points) in zip(panels, orders):
        axes.set_yscale("log")
        ends += draw_bars(axes, points, variants)
        axes.set_xticks(range(len(variants)), variants if lowest else [], rotation=90)
        tidy(axes, "y")
    first = panels[0][0]
    mark_decades(first.yaxis, [0.1 * min(ends), max(ends)], "s")  # of all panels
    kernels = [p.times["kernel"] for p in picture.points]
    first.set_ylim(min(kernels) / 3, max(ends) * (max(ends) / min(kernels)) ** 0.3 * 2)  # room for the numbers
    entries = [Patch(color=colour, label=part) for part, colour in zip(BAR_PARTS, BAR_COLOURS)
               if any(p.times[part] for p in picture.points)]
    if any(p.spread for p in picture.points):
        entries.append(spread_entry("black", "line: kernel, min to\nmax of repetitions"))
    add_legend(panels[columns - 1][0], handles=entries)
    return first


def draw_rates(figure, picture, _):
    """The paper's flops, which are the same for every variant, and those that are done, which alone have a roof and bounds: two
    panels on logarithmic scales, since variants may be far apart. Returns the first panel's axes."""
    kinds = [("the paper's flops, alike for all variants", lambda p: p.paper_rate)]
    if any(p.rate for p in picture.points):
        kinds.append(("flops done", lambda p: p.rate))
    figure.set_size_inches(3.6 * len(kinds), 3.6)
    grid = figure.add_gridspec(1, len(kinds), left=0, right=1, bottom=0, top=1, wspace=0.16)
    panels, orders = grid.subplots(squeeze=False)[0], sorted({p.order for p in picture.points})
    for axes, (title, rate_of) in zip(panels, kinds):
        axes.set(xlabel="order [-]", xticks=orders)
        axes.set_title(title, fontsize=9, loc="left", pad=4)
        use_log_scale(axes)
        shown = [rate_of(p) for p in picture.points if rate_of(p)]
        for at, variant in enumerate(picture.variants):
            points, colour = [p for p in picture.points if p.variant == variant], LINE_COLOURS[at % len(LINE_COLOURS)]
            draw_line(
                axes,
                orders,
                over(points, lambda p: p.order, rate_of),
                color=colour,
                label=variant,
                linewidth=1.4,
                marker=RUNG_MARKERS[at % len(RUNG_MARKERS)],
                markersize=(7.5, 4.5)[at % 2],  # -nojac over its -jac
                markeredgecolor="black",
                markeredgewidth=0.5,
                zorder=3,
            )
            shown += draw_spread(axes, points, lambda p: p.order, rate_of, lambda p: of_rate(p.spread), colour)
            if axes is not panels[0]:
                bounds = over(points, lambda p: p.order, lambda p: p.rate / p.of_bound if p.rate and p.of_bound else None)
                shown += draw_line(axes, orders, bounds, color=colour, linestyle="", marker="_", markersize=11,
                                   markeredgewidth=1.8, label="_bound of " + variant, zorder=4)
        roofs = [p.fma_roof for p in picture.points if p.fma_roof]
        if roofs and axes is not panels[0]:
            shown.append(statistics.median(roofs))
            axes.axhline(shown[-1], color="0.45", linewidth=2.2, label="FMA roof", zorder=1)
        if axes is not panels[0] and any(p.of_bound for p in picture.points):
            axes.plot([], [], color="0.45", linestyle="", marker="_", markersize=11, markeredgewidth=1.8, label="bound of each")
        explain_spread(axes)
        tidy(axes)
        axes.set_ylim(min(shown) / 1.3, 1.3 * max(shown))
    panels[0].set_ylabel("kernel alone [GFLOP/s]")
    add_legend(axes)
    return panels[0]
