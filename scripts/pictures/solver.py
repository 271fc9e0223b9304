# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of module solver: the time of an iteration and of solves, and residuals over iterations from files of
--history; and the time of solves of other modules."""

import os
import re
from types import SimpleNamespace

from .records import (MACHINE, Refused, are_times, differing, entry, grouped, in_words, number, over, positive, require,
                      require_case, settings_of, spread, text_of)
from .style import (
    BAR_COLOURS,
    MODEL_DASHES,
    ROOF_DASHES,
    add_axes,
    add_bars_axes,
    add_legend,
    curve_look,
    draw_line,
    draw_spread,
    explain_spread,
    frame,
    in_seconds,
    line_order,
    literal,
    mark_decades,
    number_lines,
    tidy,
)

# Settings whose records of a matrix go to different lines; PC_SETTINGS belong to one preconditioner, others lack them.
PC_SETTINGS = ("amg_aggregation", "amg_cycle", "amg_strength", "amg_precision", "smoother", "smoother_sweeps", "sweeps",
               "neumann")
CG_WORDS = {"cg": "fused", "pipelined-cg": "pipelined"}  # of records, as --cg says them
SOLVER_TITLE = (*MACHINE, "precision", "order", "kernel", "cg", "preconditioner")
SOLVER_SETTINGS = (*SOLVER_TITLE, "rhs", "tolerance", *PC_SETTINGS)
MATRIX_PHASES = ("matrix", "slices")  # of a set-up; the others are the preconditioner's
HISTORY_HEADER = "iteration,relative_residual"


def parse(record, place):
    """A point of the pictures of module solver; None for a wrong result and where nothing was timed. Only a solve that
    converged has a time."""
    require_case(record, place, {"matrix": str, "unknowns": int, "method": str, "pc": str,
                                 "order": (int, type(None))})
    compared = entry(record, "result.comparison.passed")  # None: --no-solve
    iteration, solve = (number(record, f"timing.{name}.median") for name in ("iteration_s", "solve_s"))
    if entry(record, "verification.passed") is not True or compared is False or iteration is None:
        return None
    case, phases, settings = record["case"], entry(record, "timing.setup_s"), settings_of(record, SOLVER_SETTINGS)
    settings |= {"cg": CG_WORDS.get(case["method"], case["method"]), "preconditioner": case["pc"]}
    require(case["unknowns"] > 0, record, place, "case.unknowns")
    require(are_times(phases), record, place, "timing.setup_s")
    return SimpleNamespace(module="solver", matrix=case["matrix"], unknowns=case["unknowns"], order=settings["order"],
                           settings=settings, iteration=iteration,
                           iteration_spread=spread(record, "timing.iteration_s"),
                           solve_spread=spread(record, "timing.solve_s"), model=number(record, "model.iteration_s"),
                           textbook=number(record, "model.textbook_iteration_s"),
                           setup=sum(time for phase, time in phases.items() if phase not in MATRIX_PHASES),
                           solve=solve if compared and entry(record, "result.converged") is True else None,
                           date=str(record.get("date")),
                           case=(case["matrix"], case["unknowns"], compared is None, text_of(settings)))


def parse_history(lines, file):
    """A line of the picture of histories, iterations to residuals; None if there is none above 0."""
    curve = {}
    for at, line in enumerate(lines[1:], 2):
        found = re.fullmatch(r"(\d{1,9}),(\d+(\.\d+)?(e[+-]\d+)?)", line.strip())
        if not found:
            raise Refused(f"{file}:{at}: no residual; accepted are lines ITERATION,RESIDUAL, as miniapp solver "
                          "--history writes them")
        curve[int(found[1])] = float(found[2])
    curve = {iteration: residual for iteration, residual in curve.items() if positive(residual)}
    return SimpleNamespace(module="history", file=file, curve=curve, date="", case=file) if curve else None


def has_lines(points):
    return any(len({p.unknowns for p in line}) > 1 for line in grouped(points, lambda p: text_of(p.settings)).values())


def make_picture(draw, title_at, points, name, heading, title=SOLVER_TITLE, setup="set-up of the preconditioner"):
    """The title has what lines have in common, the legend what they differ in; options of a preconditioner are in the
    legend if its own records differ in them; the line below names the size if there is only one."""
    of_pc = grouped(points, lambda p: p.settings["preconditioner"]).values()
    in_legend = (differing(points, (*SOLVER_TITLE, "rhs", "tolerance"))
                 + [key for key in PC_SETTINGS if any(differing(lines, [key]) for lines in of_pc)]) or ["preconditioner"]
    below = in_words(points[0].settings, [key for key in title if key not in in_legend])
    several = len({p.unknowns for p in points}) > 1
    return SimpleNamespace(draw=draw, title_at=title_at, points=sorted(points, key=line_order), in_legend=in_legend,
                           several=several, name=name, heading=heading, setup=setup,
                           below=below if several else f"{below}, {points[0].unknowns} unknowns")


def time_picture(points, name, heading, **more):
    """Set-up and solve: over the unknowns where a line has two sizes, else as bars."""
    look = (draw_solves, "panels") if has_lines(points) else (draw_solve_bars, "bars")
    return make_picture(*look, points, name, heading, (*SOLVER_TITLE, "tolerance"), **more)


def pictures_of(points, _):
    """Of each matrix the time of an iteration over the unknowns, and of set-up and solve."""
    number_lines(points)
    pictures = []
    for matrix, of_matrix in sorted(grouped(points, lambda p: p.matrix).items()):
        name, solved = re.sub(r"[^\w.-]+", "-", matrix).strip("-."), [p for p in of_matrix if p.solve]
        if has_lines(of_matrix):
            pictures.append(make_picture(draw_iterations, "axes", of_matrix, f"{name}-iteration",
                                         f"{matrix}, time of an iteration"))
        if solved:
            pictures.append(time_picture(solved, f"{name}-time", f"{matrix}, set-up and solve"))
    if points and not pictures:
        raise Refused("no picture of records of module solver; accepted are those of a solve that converged, or of "
                      "two sizes")
    return pictures


def history_pictures(points, _):
    """One of all files, in their order."""
    return (
        [
            SimpleNamespace(
                draw=draw_histories,
                title_at="axes",
                points=points,
                heading="Residual over iterations",
                below="",
                name="history",
            )
        ]
        if points
        else []
    )


def draw_over_unknowns(axes, picture, seconds_of, spread_of=lambda _: None, **look):
    """One line per solver; returns the times."""
    axes.set(xscale="log", yscale="log", xlabel="unknowns [-]")
    shown = []
    for line in grouped(picture.points, lambda p: p.number).values():
        seconds, label = over(line, lambda p: p.unknowns, seconds_of), in_words(line[0].settings, picture.in_legend)
        shown += draw_line(axes, list(seconds), seconds, **{**curve_look(line[0].number), "markevery": None,
                                                            "label": literal(label), **look})
        draw_spread(axes, line, lambda p: p.unknowns, seconds_of, spread_of, curve_look(line[0].number)["color"])
    mark_decades(axes.xaxis, [p.unknowns for p in picture.points])
    return shown


def draw_textbook(axes, points):
    """The slides' model, which depends on the matrix and on the machine, not on how it is solved."""
    shown, keys = [], differing(points, (*MACHINE, "precision", "order"))
    for at, (name, alike) in enumerate(grouped(points, lambda p: in_words(p.settings, keys)).items()):
        seconds = over(alike, lambda p: p.unknowns, lambda p: p.textbook)
        shown += draw_line(axes, list(seconds), seconds, color="0.45", linewidth=1.4, zorder=2,
                           linestyle=ROOF_DASHES[(at + 1) % len(ROOF_DASHES)],
                           label=literal(f"textbook model{name and ', '}{name}"))
    return shown


def draw_iterations(figure, picture, _):
    """Returns the axes; with both models."""
    axes = add_axes(figure)
    axes.set_ylabel("time of an iteration")
    look = dict(linewidth=1.1, linestyle=MODEL_DASHES, zorder=4)
    shown = draw_over_unknowns(axes, picture, lambda p: p.iteration, lambda p: p.iteration_spread)
    modelled = draw_over_unknowns(axes, picture, lambda p: p.model, marker="", label=None, **look)
    if modelled:
        axes.plot([], [], color="0.45", label="model: launches, reads,\nbytes / copy roof", **look)
    shown += modelled + draw_textbook(axes, picture.points)
    mark_decades(axes.yaxis, shown, "s")
    explain_spread(axes)
    frame(axes, shown)
    return axes


def draw_solves(figure, picture, _):
    """Panels for the set-up, if there is any, and for the solve, on one scale; returns the first panel's axes."""
    parts = {picture.setup: (lambda p: p.setup, lambda _: None), "solve": (lambda p: p.solve, lambda p: p.solve_spread)}
    parts = {title: of for title, of in parts.items() if any(map(of[0], picture.points))}
    figure.set_size_inches(3.4 * len(parts), 3.2)
    grid = figure.add_gridspec(1, len(parts), left=0, right=1, bottom=0, top=1, wspace=0.08)
    panels, shown = grid.subplots(sharex=True, sharey=True, squeeze=False)[0], []
    for axes, (title, (seconds_of, spread_of)) in zip(panels, parts.items()):
        shown += draw_over_unknowns(axes, picture, seconds_of, spread_of)
        axes.set_title(title, fontsize=9, loc="left", pad=4)
        tidy(axes)
    mark_decades(axes.yaxis, shown, "s")
    panels[0].set(ylabel="time", ylim=(min(shown) / 1.3, 1.3 * max(shown)))
    explain_spread(axes)
    add_legend(axes)  # of the solves, which are all there
    return panels[0]


def draw_solve_bars(figure, picture, _):
    """One bar per solve, with its set-up before it; returns the axes."""
    from matplotlib import ticker

    points, rows = picture.points, range(len(picture.points))
    names = [in_words(p.settings, picture.in_legend) + (f", {p.unknowns} unknowns" if picture.several else "")
             for p in points]
    axes = add_bars_axes(figure, len(points))
    setups, ends = [p.setup for p in points], [p.setup + p.solve for p in points]
    axes.barh(rows, setups, height=0.78, color=BAR_COLOURS[0], label=picture.setup.replace("the ", "the\n"), zorder=3)
    axes.barh(rows, [p.solve for p in points], left=setups, height=0.78, color=BAR_COLOURS[1], label="solve", zorder=3)
    for at, p in enumerate(points):
        if p.solve_spread:
            axes.hlines(
                at,
                *(p.setup + p.solve * end for end in p.solve_spread),
                color="black",
                linewidth=1.1,
                zorder=4,
                label="_spread",
            )
            ends[at] = p.setup + p.solve * p.solve_spread[1]
        axes.text(ends[at], at, f" {in_seconds(p.setup + p.solve)}", va="center", fontsize=8)
    axes.set_yticks(rows, map(literal, names), fontsize=8)
    axes.set_xlim(0, 1.2 * max(ends))
    axes.xaxis.set_major_locator(ticker.MaxNLocator(5))
    axes.xaxis.set_major_formatter(ticker.EngFormatter(unit="s"))
    axes.set_xlabel("time")
    tidy(axes, "x")
    explain_spread(axes)
    add_legend(axes)
    return axes


def draw_histories(figure, picture, _):
    """Returns the axes. Files of one name are told apart by their folders."""
    axes = add_axes(figure)
    axes.set(yscale="log", xlabel="iterations [-]", ylabel="relative residual [-]")
    names = [os.path.splitext(os.path.basename(p.file))[0] for p in picture.points]
    for at, (p, name) in enumerate(zip(picture.points, names)):
        axes.plot(list(p.curve), list(p.curve.values()), **curve_look(at),
                  label=literal(name if names.count(name) == 1 else os.path.splitext(p.file)[0]))
    frame(axes, [residual for p in picture.points for residual in p.curve.values()])
    return axes
