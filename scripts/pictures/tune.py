# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of module tune: how fast each kernel is over the order, of each problem."""
import re
from types import SimpleNamespace

from .records import (MACHINE, differing, entry, grouped, in_words, natural, number, of_rate, over, plain, require,
                      require_case, settings_of, spread, text_of)
from .style import add_axes, choose_scale, curve_look, draw_line, draw_spread, explain_spread, frame, literal

TUNE_SETTINGS = (*MACHINE, "precision", "elements", "deform", "lambda")


def parse(record, place):
    """The rates of all kernels that were measured for a problem and order; None where there are none."""
    require_case(record, place, {"bp": str, "order": int, "dofs": int})
    measured = entry(record, "result.measured")
    require(
        isinstance(measured, list) and all(isinstance(one, dict) for one in measured), record, place, "result.measured"
    )
    case, settings = record["case"], settings_of(record, TUNE_SETTINGS)
    timed = {f"{one.get('kernel')}, {one.get('geometry')}": one for one in measured if number(one, "operator_s.median")}
    rates = {name: case["dofs"] / number(one, "operator_s.median") * 1e-9 for name, one in timed.items()}
    spreads = {name: of_rate(spread(one, "operator_s")) for name, one in timed.items()}
    return SimpleNamespace(module="tune", problem=case["bp"], order=case["order"], rates=rates, spreads=spreads,
                           settings=settings, date=str(record.get("date")),
                           case=(case["bp"], case["order"], text_of(settings))) if rates else None


def pictures_of(points, _):
    pictures, parting = [], differing(points, TUNE_SETTINGS)
    for (problem, _), group in grouped(points, lambda p: (p.problem, text_of(p.settings))).items():
        settings = group[0].settings
        suffix = "".join(re.sub(r"[^\w.-]+", "-", f"-{key}{plain(settings[key])}") for key in parting
                         if settings[key] is not None)
        pictures.append(
            SimpleNamespace(
                draw=draw,
                title_at="axes",
                points=group,
                heading=f"{problem}, kernels to choose from",
                below=in_words(settings, TUNE_SETTINGS),
                name=f"{problem}-tune{suffix}".lower(),
            )
        )
    return pictures


def draw(figure, picture, _):
    """Returns the axes, with a line per kernel and geometry."""
    axes = add_axes(figure)
    orders, shown = sorted({p.order for p in picture.points}), []
    axes.set(xlabel="order [-]", ylabel="operator [GDOF/s]", xticks=orders)
    for at, name in enumerate(sorted({name for p in picture.points for name in p.rates}, key=natural)):
        def rate_of(p, name=name):
            return p.rates.get(name)

        look = {**curve_look(at), "markevery": None}
        shown += draw_line(axes, orders, over(picture.points, lambda p: p.order, rate_of), label=literal(name), **look)
        shown += draw_spread(axes, picture.points, lambda p: p.order, rate_of, lambda p, name=name: p.spreads.get(name),
                             look["color"])
    explain_spread(axes)
    choose_scale(axes, shown, shown)
    frame(axes, shown)
    return axes
