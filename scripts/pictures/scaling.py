# SPDX-License-Identifier: BSD-3-Clause
"""The picture of scripts/scaling: the time of an iteration over the ranks, strong and weak, and the model."""
from types import SimpleNamespace

from .style import (MODEL_DASHES, add_legend, curve_look, draw_spread, explain_spread, mark_decades, new_figure, tidy,
                    write_title)


def draw(strong, weak, elements, below):
    """`strong`, `weak`: {"measured": {ranks: samples of an iteration [s]}, "model": {ranks: seconds}}; `elements`: of
    one rank. The figure."""
    figure = new_figure()
    figure.set_size_inches(7.2, 3.2)
    grid = figure.add_gridspec(1, 2, left=0, right=1, bottom=0, top=1, wspace=0.2)
    panels = grid.subplots()
    for axes, curves, title in ((panels[0], strong, f"strong: {elements} elements"),
                                (panels[1], weak, f"weak: {elements} elements per rank")):
        axes.set(xscale="log", yscale="log", xlabel="ranks [-]")
        axes.set_title(title, fontsize=9, loc="left", pad=4)
        medians = {ranks: samples["median"] for ranks, samples in curves["measured"].items()}
        axes.plot(list(medians), list(medians.values()), label="measured",
                  **{**curve_look(0), "markevery": None, "linestyle": ""})
        draw_spread(axes, list(curves["measured"].items()), lambda one: one[0], lambda one: one[1]["median"],
                    lambda one: [one[1][end] / one[1]["median"] for end in ("min", "max")], curve_look(0)["color"])
        if curves["model"]:
            axes.plot(list(curves["model"]), list(curves["model"].values()), color="0.45", linewidth=1.1,
                      linestyle=MODEL_DASHES, label="model")
        mark_decades(axes.xaxis, [*medians, *curves["model"]])
        mark_decades(axes.yaxis, [*medians.values(), *curves["model"].values()], "s")
        explain_spread(axes)
        tidy(axes)
    panels[0].set_ylabel("time of an iteration")
    add_legend(panels[1])
    write_title(panels[0], SimpleNamespace(heading="Scaling over ranks", below=below, title_at="panels"), None)
    return figure
