# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of module weakform: the kernel of transposed threads over the batches of a team."""
import re
from types import SimpleNamespace

from .records import MACHINE, differing, entry, grouped, in_words, number, plain, require_case, settings_of, text_of
from .style import add_axes, curve_look, draw_line, frame

# Settings whose records of a form go to different pictures.
FORM_SETTINGS = ("dim", "elements", "mesh", "shuffled", "reorder", "precision", *MACHINE)


def parse(record, place):
    """A point of a picture of module weakform; None for other strategies, wrong results and where nothing was timed."""
    require_case(record, place, {"form": str, "strategy": str, "dim": int, "elements": int})
    case = record["case"]
    rate = number(record, "rates.kernel_gflops")
    if case["strategy"] != "transposed" or rate is None or entry(record, "verification.passed") is not True:
        return None
    require_case(record, place, {"batches": int, "blocks": (int, type(None))})
    settings = settings_of(record, FORM_SETTINGS)
    return SimpleNamespace(module="weakform", form=case["form"], blocks=case["blocks"], batches=case["batches"],
                           rate=rate, settings=settings, date=str(record.get("date")),
                           case=(case["form"], case["blocks"], case["batches"], text_of(settings)))


def pictures_of(points, _):
    """One per form and what else its records differ in."""
    pictures = []
    for form, of_form in grouped(points, lambda p: p.form).items():
        parting = differing(of_form, FORM_SETTINGS)
        for group in grouped(of_form, lambda p: text_of(p.settings)).values():
            settings = group[0].settings
            suffix = "".join(f"-{key}{plain(settings[key])}" for key in parting if settings[key] is not None)
            cells = {2: "triangles", 3: "tetrahedra"}.get(settings["dim"], "cells")
            below = [f"{settings['elements']} {cells}", str(settings["mesh"])]
            below += ["shuffled"] if settings["shuffled"] else []
            below += [f"reorder {settings['reorder']}"] if settings["reorder"] != "none" else []
            pictures.append(SimpleNamespace(draw=draw, title_at="axes", points=group, heading=f"Form {form}, transposed threads",
                                            below=", ".join([*below, in_words(settings, ("precision", *MACHINE))]),
                                            name=form + re.sub(r"[^\w.-]+", "-", suffix).lower()))
    return pictures


def draw(figure, picture, _):
    """Returns the axes, with one line per number of blocks."""
    axes = add_axes(figure)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("batches of a team [-]")
    axes.set_ylabel("kernel on E-vectors [GFLOP/s]")
    batches = sorted({p.batches for p in picture.points})
    axes.set_xticks(batches, [str(number) for number in batches])
    axes.set_xticks([], minor=True)
    lines = grouped(picture.points, lambda p: p.blocks or 0)
    for at, (blocks, points) in enumerate(sorted(lines.items())):
        name = "blocks of 128 threads" if blocks == 0 else "1 block" if blocks == 1 else f"{blocks} blocks"
        look = {**curve_look(at), "markevery": None}
        draw_line(axes, batches, {p.batches: p.rate for p in points}, label=name, **look)
    frame(axes, [p.rate for p in picture.points])
    return axes
