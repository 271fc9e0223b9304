# SPDX-License-Identifier: BSD-3-Clause
"""Cascade plots of scripts/plot --portability: how much of its efficiency an application keeps from platform to
platform (Sewall, Pennycook, Jacobsen, Deakin and McIntosh-Smith, P3HPC 2020; Pennycook, Sewall and Lee, 2016)."""
import re
import statistics
from types import SimpleNamespace

from .records import MACHINE, entry, grouped, in_words, natural, number, plain, settings_of
from .style import add_legend, curve_look, literal, tidy

# Of each module: what makes a problem, over which orders an operation is averaged, what tells its implementations
# apart, and what says how large it is. The sizes of a problem may differ from platform to platform.
MODULES = {
    "tensor": (("bp", "components", "precision", "mesh", "mesh_map", "deform", "eps"), "order", ("kernel", "geometry"),
               "elements"),
    "streaming": (("name", "precision"), "order", (), None),
    "indirect": (("loop", "precision", "shuffled"), None, ("strategy", "reorder", "layout"), "size"),
    "elasticity": (("problem", "precision"), "order", ("variant",), "elements"),
    "solver": (("matrix", "pc", "precision"), "order", ("method",), "unknowns"),
    "weakform": (("form", "dim", "precision"), None, ("strategy",), "elements"),
}
USUAL = (None, False, "double", "none", "smooth")  # settings that are not named
WORDS = {"components": "{} components", "deform": "deformed by {}", "eps": "eps {}", "dim": "{}-D",
         "shuffled": "shuffled"}


def parse(record, place):
    """The part of its bound that a record reached; None of what is wrong or has no bound."""
    module, case = record.get("module"), record.get("case")
    if module not in MODULES or not isinstance(case, dict) or record.get("wrong") or \
            entry(record, "verification.passed") is False:
        return None
    bound, fraction = number(record, "roofs.bound_s"), number(record, "roofs.fraction_of_bound")
    if not bound or not fraction:
        return None
    problem, order, ways, size = MODULES[module]
    settings = {**settings_of(record, ()), "ranks": record.get("ranks", 1)}
    settings |= {key: settings.get(key) for key in MACHINE}
    platform = in_words(settings, MACHINE) + (f", {settings['ranks']} ranks" if settings["ranks"] != 1 else "")
    operation = ", ".join(WORDS.get(key, "{}").format(plain(case[key])) for key in problem
                          if case.get(key) not in USUAL and (key, case[key]) not in (("components", 1), ("deform", 0)))
    operation = ", ".join(filter(None, ("element matrices", operation))) if module == "elasticity" else operation
    amount = number(record, f"case.{size}" if size else "roofs.least_bytes")
    way = ", ".join(str(plain(case[key])) for key in ways if case.get(key) is not None)
    return SimpleNamespace(module="portability", operation=operation, order=case.get(order), way=way,
                           platform=platform, size=amount or 0, rate=(amount or 0) * fraction / bound,
                           fraction=fraction, date=str(record.get("date")),
                           case=(module, operation, case.get(order), str(sorted(case.items(), key=str)), platform))


def harmonic_mean(efficiencies):
    """0 where one is missing: an application that does not run on a platform is not portable to it."""
    return statistics.harmonic_mean(efficiencies) if efficiencies and all(efficiencies) else 0


def best_of(points):
    """Of one way on one platform: that of the largest size, the fastest there."""
    return max(points, key=lambda p: (p.size, p.rate))


def of_ways(points):
    """{way: {platform: (fraction of the bound, fraction of the fastest way's rate)}} of one problem."""
    best = {place: best_of(group) for place, group in grouped(points, lambda p: (p.platform, p.way)).items()}
    fastest = {platform: max(p.rate for (at, _), p in best.items() if at == platform)
               for platform in {platform for platform, _ in best}}
    ways = {}
    for (platform, way), p in best.items():
        ways.setdefault(way, {})[platform] = (p.fraction, p.rate / fastest[platform])
    return ways


def of_operations(points):
    """{operation: {platform: fraction of the bound}} by its fastest way, over the orders that all its platforms
    have."""
    operations = {}
    for operation, group in grouped(points, lambda p: p.operation).items():
        of_platforms = {}
        for (platform, order), own in grouped(group, lambda p: (p.platform, p.order)).items():
            fastest = max((best_of(way) for way in grouped(own, lambda p: p.way).values()), key=lambda p: p.rate)
            of_platforms.setdefault(platform, {})[order] = fastest.fraction
        common = set.intersection(*(set(orders) for orders in of_platforms.values()))
        if common:
            operations[operation] = {platform: harmonic_mean([orders[order] for order in common])
                                     for platform, orders in of_platforms.items()}
    return operations


def pictures_of(points, _):
    platforms = sorted({p.platform for p in points}, key=natural)
    pictures = [picture("portability", "Portability, fastest kernels", of_operations(points), platforms,
                        "fraction of the bound")] if points else []
    for (operation, order), group in sorted(grouped(points, lambda p: (p.operation, p.order)).items(), key=str):
        ways = of_ways(group)
        if len(ways) < 2 or len({p.platform for p in group}) < 2:
            continue
        name = operation + (f", order {order}" if order is not None else "")
        kinds = ("bound", "fraction of the bound"), ("best", "fraction of the fastest kernel")
        for at, (suffix, what) in enumerate(kinds):
            values = {way: {platform: both[at] for platform, both in of.items()} for way, of in ways.items()}
            pictures.append(picture(re.sub(r"[^\w.]+", "-", f"portability-{name}-{suffix}").lower(),
                                    f"Portability, {name}", values, platforms, what))
    return pictures


def picture(name, heading, efficiencies, platforms, what):
    """One cascade; the rows of `table` say P3 of each application and its efficiencies."""
    scores = {application: harmonic_mean([of.get(platform, 0) for platform in platforms])
              for application, of in efficiencies.items()}
    order = sorted(efficiencies, key=lambda a: (-scores[a], -harmonic_mean(list(efficiencies[a].values())), natural(a)))
    table = [f"  P3 {scores[application]:.3f}  {application}: " + ", ".join(
        f"{efficiencies[application].get(platform, 0):.3f} {platform}" for platform in platforms)
        for application in order]
    return SimpleNamespace(draw=draw, title_at="panels", points=[], heading=heading, name=name, what=what, table=table,
                           below=f"{what}, {len(platforms)} platforms", platforms=platforms, scores=scores,
                           efficiencies={application: efficiencies[application] for application in order})


def cascade(efficiencies, platforms):
    """Platforms from the most efficient on, with the efficiency there and P3 of those so far."""
    order = sorted(platforms, key=lambda platform: (-efficiencies.get(platform, 0), platforms.index(platform)))
    values = [efficiencies.get(platform, 0) for platform in order]
    return order, values, [harmonic_mean(values[:k]) for k in range(1, len(values) + 1)]


def draw(figure, picture, _):
    """Returns the axes of the cascade; below it the platforms in each application's order, beside it P3."""
    applications, platforms = picture.efficiencies, picture.platforms
    rows = 0.22 * len(applications)
    figure.set_size_inches(7.2, 3.4 + rows)
    grid = figure.add_gridspec(2, 2, left=0, right=1, bottom=0, top=1, hspace=0.08, wspace=0.05, width_ratios=(4, 1),
                               height_ratios=(3.0, max(rows, 0.3)))
    axes, bars, below = (figure.add_subplot(place) for place in (grid[0, 0], grid[0, 1], grid[1, 0]))
    for at, (application, efficiencies) in enumerate(applications.items()):
        order, values, scores = cascade(efficiencies, platforms)
        look, xs = {**curve_look(at), "markevery": None}, range(1, len(order) + 1)
        axes.plot(xs, values, label=literal(application), **look)
        axes.plot(xs, scores, color=look["color"], linestyle=(0, (1.5, 1.2)), linewidth=1.2, label="_score")
        bars.bar(at, picture.scores[application], color=look["color"], edgecolor="black", linewidth=0.4)
        bars.annotate(f"{picture.scores[application]:.2f}", (at, picture.scores[application]), xytext=(0, 2),
                      textcoords="offset points", ha="center", fontsize=7)
        for x, platform in zip(xs, order):
            missing = not efficiencies.get(platform)
            below.annotate("-" if missing else letter(platforms.index(platform)), (x, at), ha="center", va="center",
                           fontsize=8, color="0.5" if missing else "black")
        below.plot([0.45], [at], **{**look, "linestyle": ""})
    limits = (0.35, len(platforms) + 0.5)
    axes.set(xlim=limits, ylim=(0, 1.05), ylabel=f"efficiency: {picture.what}", xticks=range(1, len(platforms) + 1))
    axes.tick_params(labelbottom=False)
    below.set(xlim=limits, ylim=(len(applications) - 0.4, -0.6), yticks=[], xticks=range(1, len(platforms) + 1),
              xlabel="platforms so far; letters: which one is added")
    bars.set(ylim=(0, 1.05), xticks=[])
    bars.set_title("P3", fontsize=9, loc="left", pad=4)
    bars.tick_params(labelleft=False)
    axes.set_title("solid: efficiency; dotted: P3 of the platforms so far", fontsize=9, loc="left", pad=4)
    for one in (axes, bars):
        tidy(one)
    tidy(below, "x")
    explain(axes, platforms)
    return axes


def letter(at):
    return chr(ord("A") + at) if at < 26 else str(at)


def explain(axes, platforms):
    """The legend: applications, then the letters of platforms."""
    from matplotlib.lines import Line2D

    for at, platform in enumerate(platforms):
        axes.add_line(Line2D([], [], linestyle="", marker="", label=literal(f"{letter(at)}: {platform}")))
    add_legend(axes, left=1.32)
