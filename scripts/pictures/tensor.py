# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of module tensor: kernels' rates under the roofs, over the order or over the dofs, and the roofs alone."""
import re
from collections import defaultdict
from types import SimpleNamespace

from .records import (
    MACHINE,
    Refused,
    grouped,
    in_words,
    natural,
    number,
    of_rate,
    over,
    plain,
    require_case,
    settings_of,
    spread,
    text_of,
)
from .style import (
    COLOURS,
    OTHER_COLOURS,
    OTHER_MARKERS,
    RUNG_MARKERS,
    add_axes,
    add_bars_axes,
    choose_scale,
    draw_line,
    draw_spread,
    end_bars,
    explain_spread,
    frame,
    mark_bounds,
)

UNITS = {"gflops": "GFLOP/s", "gdofs": "GDOF/s"}
ROOFS = {"theoretical roof": "fraction_of_peak_roof", "copy roof": "fraction_of_copy_roof"}
SCRATCH_ROOF = "fraction_of_scratch_roof"
# Settings, besides problem and mesh, whose records go to different pictures, so that points of a line differ only in x.
SETTINGS = (*MACHINE, "precision", "box", "deform", "boundary", "lambda", "reorder")
DASHES = ("-", (0, (4, 1.5)), (0, (1, 1.2)), (0, (4, 1.2, 1, 1.2)))  # of geometries
KNOWN_OTHERS = ("lines", "lanes", "tiles")  # the fastest, of a GPU and of a host, are black


def parse(record, place):
    """A point of a picture of module tensor; None if it has no rate."""
    require_case(record, place, {"bp": str, "kernel": str, "order": int, "elements": int, "dofs": int})
    rates = {unit: number(record, f"rates.kernel_{unit}") for unit in UNITS}
    if None in rates.values():  # --verify-only, the reference, or a kernel that was wrong
        return None
    case, settings = record["case"], settings_of(record, SETTINGS)
    least = [number(record, path) for path in ("roofs.multiplications", "roofs.fma_gflops", "timing.kernel_s.median")]
    fma_fraction = least[0] * 2e-9 / least[1] / least[2] if all(least) else None
    fractions = {name: number(record, f"roofs.{name}") for name in (*ROOFS.values(), SCRATCH_ROOF)}
    return SimpleNamespace(
        module="tensor",
        problem=case["bp"],
        order=case["order"],
        elements=case["elements"],
        dofs=case["dofs"],
        kernel=case["kernel"],
        geometry=case.get("geometry"),
        settings=settings,
        rates=rates,
        fractions=fractions,
        bound=number(record, "rates.bound_gdofs"),
        fma_fraction=fma_fraction,
        spread=of_rate(spread(record, "timing.kernel_s")),
        date=str(record.get("date")),
        case=(case["bp"], case["order"], case["elements"], case["kernel"], case.get("geometry"), text_of(settings)),
    )


def rate_pictures(points):
    """A record belongs to the longer of its two lines, over orders or over numbers of elements. Lists of
    (kind, points); an order sweep wins a draw."""
    pictures = []
    over_order = grouped(points, lambda p: (p.problem, p.elements, text_of(p.settings)))
    over_dofs = grouped(points, lambda p: (p.problem, p.order, text_of(p.settings, ["box"])))

    def lengths(p):
        orders = {q.order for q in over_order[p.problem, p.elements, text_of(p.settings)]}
        sizes = {q.elements for q in over_dofs[p.problem, p.order, text_of(p.settings, ["box"])]}
        return len(orders), len(sizes)

    longer = {id(p): "order" if lengths(p)[0] >= lengths(p)[1] else "dofs" for p in points}
    for kind, groups in (("order", over_order), ("dofs", over_dofs)):
        pictures += [(kind, group) for group in groups.values() if any(longer[id(p)] == kind for p in group)]
    return pictures


def roof_pictures(points):
    over_order = grouped(points, lambda p: (p.problem, text_of(p.settings, ["box"])))
    return [("roofs", group) for group in over_order.values()]


def name_pictures(pictures):
    """Gives each its heading, the line below and its file's name. Settings that alone tell two pictures apart are
    named in both."""
    named, alike = [], defaultdict(list)
    for kind, points in pictures:
        p = points[0]
        heading, name = {"order": (f"{p.problem}, {p.elements} elements", f"{p.problem}-{p.elements}"),
                         "dofs": (f"{p.problem}, order {p.order}", f"{p.problem}-order{p.order}"),
                         "roofs": (f"Roofs of {p.problem}", f"{p.problem}-roofs")}[kind]
        picture = SimpleNamespace(
            kind=kind, draw=draw, title_at="axes", points=points, heading=heading, name=name.lower()
        )
        named.append(picture)
        alike[name].append(picture)
    for pictures_of_name in alike.values():
        for picture in pictures_of_name:
            p, others = picture.points[0], [q.points[0] for q in pictures_of_name]
            settings = [key for key in SETTINGS if any(q.settings[key] != p.settings[key] for q in others)
                        and not (key == "box" and picture.kind != "order")]
            always = (*MACHINE, "precision")
            picture.below = in_words(p.settings, [*always, *(key for key in settings if key not in always)])
            geometries = {q.geometry for q in picture.points}
            if picture.kind != "roofs" and len(geometries) == 1 and None not in geometries:
                picture.below += f", {geometries.pop()} factors"
            suffix = "".join(f"-{'' if key in ('device', 'precision') else key}{plain(p.settings[key])}"
                             for key in settings)
            picture.name += re.sub(r"[^\w.-]+", "-", suffix).lower()
    return named


def pictures_of(points, arguments):
    pictures = name_pictures(roof_pictures(points) if arguments.roofs else rate_pictures(points))
    found = {p.kernel for p in points if not p.kernel.startswith("rung")}
    for picture in pictures:
        if picture.kind == "order" and len({p.order for p in picture.points}) == 1 and not arguments.scratch_roofs:
            picture.draw, picture.title_at = draw_bars, "bars"
            picture.heading = f"{picture.heading}, order {picture.points[0].order}"
        picture.others = [*KNOWN_OTHERS, *sorted(found - set(KNOWN_OTHERS))]
    return pictures


def style_of(kernel, others):
    """Colour, marker and the marker's filling."""
    rung = re.fullmatch(r"rung([1-9]\d*)", kernel)
    if rung:
        at = (int(rung[1]) - 1) % len(COLOURS)
        return COLOURS[at], RUNG_MARKERS[at], COLOURS[at]
    at = others.index(kernel) % len(OTHER_COLOURS)
    return OTHER_COLOURS[at], OTHER_MARKERS[at], "white"


def ladder_order(name):
    """Rungs before other kernels."""
    return not name.startswith("rung"), natural(name)


def roof_of(fraction, unit):
    """The rate at the roof, as a function of a point; None where the record has no roof."""
    return lambda point: point.rates[unit] / point.fractions[fraction] if point.fractions[fraction] else None


def copy_roof(points, x_of, unit):
    """{x: rate} at the copy roof, at most the rate at which the multiplications of some kernel alone could be done."""
    copy = over(points, x_of, roof_of(ROOFS["copy roof"], unit))
    fma = over(points, x_of, lambda p: p.rates[unit] / p.fma_fraction if p.fma_fraction else None, max)
    return {x: min(rate, fma.get(x, rate)) for x, rate in copy.items()}


def name_copy_roof(points):
    return "copy and FMA roofs" if any(p.fma_fraction for p in points) else "copy roof"


def of_kernels(names):
    """Rungs by their numbers, others by their names."""
    rungs = [name.removeprefix("rung") for name in names if re.fullmatch(r"rung\d+", name)]
    others = [name for name in names if not re.fullmatch(r"rung\d+", name)]
    numbered = len(rungs) > 1 and list(map(int, rungs)) == list(range(int(rungs[0]), int(rungs[-1]) + 1))
    rungs_text = f"{rungs[0]} to {rungs[-1]}" if numbered and len(rungs) > 2 else ", ".join(rungs)
    return ", ".join(([f"rung{'s' * (len(rungs) > 1)} {rungs_text}"] if rungs else []) + others)


def alike(bound, other):
    """Within 3 %, what memory's rate differs by from one measurement to the next."""
    return bound.keys() == other.keys() and all(abs(rate - other[x]) <= 0.03 * rate for x, rate in bound.items())


def draw_bounds(axes, picture, x_of, unit):
    """What bytes, multiplications and scratch of the operator allow, where records have it: marks that kernels of about
    the same bound share. Returns the values that must be seen."""
    shared, names = [], []
    for kernel, geometry in sorted(
        {(p.kernel, p.geometry) for p in picture.points}, key=lambda way: (ladder_order(way[0]), str(way[1]))
    ):
        several = len({p.geometry for p in picture.points if p.kernel == kernel}) > 1
        names.append(f"{kernel}, {geometry}" if several and geometry else kernel)
        bound = over([p for p in picture.points if (p.kernel, p.geometry) == (kernel, geometry)], x_of,
                     lambda p: p.bound and p.bound * p.rates[unit] / p.rates["gdofs"], max)
        same = next((one for one in shared if alike(one.bound, bound)), None)
        if same:
            same.names.append(names[-1])
        elif bound:
            shared.append(SimpleNamespace(bound=bound, names=[names[-1]], kernel=kernel))
    for at, one in enumerate(shared):
        first = one.kernel not in [before.kernel for before in shared[:at]]  # another geometry's marks are thin
        colour = style_of(one.kernel, picture.others)[0] if len(one.names) == 1 else "0.3"
        axes.plot(list(one.bound), list(one.bound.values()), color=colour, marker="_", markersize=11 + 2 * (at % 2),
                  markeredgewidth=2.2 if first else 1.1, linestyle="", zorder=2,
                  label="bound" if one.names == names else f"bound of {of_kernels(one.names)}")
    return [rate for one in shared for rate in one.bound.values()]


def draw_kernels(axes, picture, unit, scratch_roofs):
    """Kernels and roofs; returns the values that must be seen."""
    points, shown = picture.points, []
    x_of = (lambda p: p.order) if picture.kind == "order" else (lambda p: p.dofs)
    xs = sorted({x_of(p) for p in points})
    roofs = {"theoretical roof": dict(linestyle=(0, (1, 1.2))), "copy roof": dict(linestyle="-")}
    for name, style in roofs.items():
        is_copy = name == "copy roof"
        roof = copy_roof(points, x_of, unit) if is_copy else over(points, x_of, roof_of(ROOFS[name], unit))
        label = f"{name_copy_roof(points) if is_copy else name},\nfactors read"  # kernels that compute them may pass it
        shown += draw_line(axes, xs, roof, color="0.45", linewidth=2.2, label=label, zorder=1, **style)
    shown += draw_bounds(axes, picture, x_of, unit)
    lines = grouped(points, lambda p: (p.kernel, p.geometry))
    several = len({p.geometry for p in points}) > 1
    with_scratch_roof = False
    for kernel in sorted({p.kernel for p in points}, key=ladder_order):
        colour, marker, filling = style_of(kernel, picture.others)
        geometries = {p.geometry for p in points if p.kernel == kernel}
        for at, geometry in enumerate(sorted(geometries, key=str, reverse=True)):
            line = lines[kernel, geometry]
            label = f"{kernel}, {geometry} factors" if several and geometry else kernel
            shown += draw_line(axes, xs, over(line, x_of, lambda p: p.rates[unit]), color=colour, marker=marker,
                               markerfacecolor=filling, markeredgecolor="black" if filling != "white" else colour,
                               markeredgewidth=0.5 if filling != "white" else 1.2, markersize=5.5, linewidth=1.4,
                               linestyle=DASHES[at % len(DASHES)], label=label, zorder=3)
            shown += draw_spread(axes, line, x_of, lambda p: p.rates[unit], lambda p: p.spread, colour)
            if scratch_roofs:  # may be far above all kernels: not among what must be seen
                roof = over(line, x_of, roof_of(SCRATCH_ROOF, unit))
                with_scratch_roof |= bool(draw_line(axes, xs, roof, color=colour, linewidth=0.9, linestyle="--",
                                                    zorder=2))
    if with_scratch_roof:
        axes.plot([], [], color="0.45", linewidth=0.9, linestyle="--",
                  label="shared-memory roof,\nin its kernel's colour")
    explain_spread(axes)
    choose_scale(axes, [p.rates[unit] for p in points], shown)
    return shown


def draw_bars(figure, picture, arguments):
    """One order alone: a bar per kernel and geometry, with its bound, and the roofs as lines; returns the axes."""
    unit = arguments.rate or "gflops"
    points = sorted(picture.points, key=lambda p: (ladder_order(p.kernel), str(p.geometry)))
    several = len({p.geometry for p in points}) > 1
    axes = add_bars_axes(figure, len(points))
    bounds = [p.bound and p.bound * p.rates[unit] / p.rates["gdofs"] for p in points]
    shown = [p.rates[unit] for p in points]
    for at, (p, bound) in enumerate(zip(points, bounds)):
        axes.barh(at, p.rates[unit], height=0.78, color=style_of(p.kernel, picture.others)[0], zorder=3)
        axes.text(1.02, at, f"{p.rates[unit]:.3g}" + (f", {100 * p.rates[unit] / bound:.0f} %" if bound else ""),
                  va="center", fontsize=8, transform=axes.get_yaxis_transform())
        shown += draw_spread(
            axes, [p], lambda _, at=at: at, lambda p: p.rates[unit], lambda p: p.spread, "0.3", sideways=True
        )
    mark_bounds(axes, bounds)
    copy, peak = copy_roof(points, lambda p: p.order, unit), over(points, lambda p: p.order,
                                                                  roof_of(ROOFS["theoretical roof"], unit))
    for name, roof, dashes in ((name_copy_roof(points), copy, "-"), ("theoretical roof", peak, (0, (1, 1.2)))):
        for rate in roof.values():
            if len(points) == 1 and bounds[0] and abs(rate - bounds[0]) < 0.01 * bounds[0]:
                continue  # the bound is there already
            axes.axvline(rate, color="0.45", linewidth=2.2, linestyle=dashes, label=f"{name},\nfactors read", zorder=1)
            shown.append(rate)
    shown += [bound for bound in bounds if bound]
    if len(points) > 1:
        choose_scale(axes, [p.rates[unit] for p in points], shown, axis="x")
    logarithmic = axes.get_xscale() == "log"
    axes.set_xlim(
        min(p.rates[unit] for p in points) / 2 if logarithmic else 0, (1.3 if logarithmic else 1.06) * max(shown)
    )
    axes.set_xlabel(f"kernel alone [{UNITS[unit]}]")
    end_bars(axes, [f"{p.kernel}, {p.geometry} factors" if several and p.geometry else p.kernel for p in points],
             legend_left=1.2)
    return axes


def draw_roofs_alone(axes, picture, unit):
    """As in the paper: the theoretical roof, which in flops does not depend on the mesh, and one copy roof per mesh."""
    points, shown = picture.points, []
    xs, largest = sorted({p.order for p in points}), max(p.elements for p in points)
    mesh = [p for p in points if p.elements == largest]
    roof = over(mesh, lambda p: p.order, roof_of(ROOFS["theoretical roof"], unit))
    shown += draw_line(axes, xs, roof, color="black", marker="D", markersize=5, linewidth=1.4, label="theoretical roof")
    for at, elements in enumerate(sorted({p.elements for p in points}, reverse=True)):
        mesh = [p for p in points if p.elements == elements]
        roof = copy_roof(mesh, lambda p: p.order, unit)
        colour = COLOURS[(at + 4) % len(COLOURS)]
        shown += draw_line(axes, xs, roof, color=colour, marker=OTHER_MARKERS[at % len(OTHER_MARKERS)], markersize=5,
                           markeredgecolor="black", markeredgewidth=0.5, linewidth=1.4,
                           label=f"{name_copy_roof(mesh)}, {elements} elements")
    if not shown:
        raise Refused(f"--roofs: no record of {points[0].problem} holds a roof; accepted are those of miniapp --bp ..")
    return shown


def draw(figure, picture, arguments):
    """Rates or roofs, and what their axes are; returns the axes."""
    from matplotlib import ticker

    axes = add_axes(figure)
    unit = arguments.rate or ("gdofs" if picture.kind == "dofs" else "gflops")
    axes.set_ylabel(f"{'rate' if picture.kind == 'roofs' else 'kernel alone'} [{UNITS[unit]}]")
    if picture.kind == "dofs":
        axes.set_xscale("log")
        axes.set_xlabel("size [dofs]")
    else:
        axes.set_xlabel("order [-]")
        axes.xaxis.set_major_locator(ticker.MaxNLocator(integer=True, nbins=16, min_n_ticks=1))
    if picture.kind == "roofs":
        frame(axes, draw_roofs_alone(axes, picture, unit))
    else:
        frame(axes, draw_kernels(axes, picture, unit, arguments.scratch_roofs))
    return axes
