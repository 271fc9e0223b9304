# SPDX-License-Identifier: BSD-3-Clause
"""Records as modules write them, and the figures that scripts/plot makes of them. Tests look at what is drawn: lines by
their labels, scales, texts."""
import json
import os
import pathlib
import sys
import tempfile
from types import SimpleNamespace

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from pictures import command  # noqa: E402
from pictures.records import Refused  # noqa: E402, F401


def record(module, case, **sections):
    """Of a right result on a host, but for what `sections` say."""
    return {"schema": 1, "module": module, "device": "Host", "threads": 1, "kokkos": {"backends": ["Serial"]},
            "date": "2026-01-01", "verification": {"passed": True}, "case": case, **sections}


def samples(median, low=1, high=1):
    return {"min": low * median, "median": median, "max": high * median, "repetitions": 5}


def figures(records, **options):
    """{name of a picture: its figure}."""
    arguments = SimpleNamespace(**{"rate": None, "roofs": False, "scratch_roofs": False, "title": None, "unit": None, "slice": None, **options})
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "record.json")
        pathlib.Path(path).write_text("".join(json.dumps(record) + "\n" for record in records))
        points = command.read_points([path])
    return {picture.name: command.draw(picture, arguments) for picture in command.all_pictures(points, arguments)}


def line(axes, label):
    """{x: y} of the line of that label."""
    (found,) = [line for line in axes.lines if line.get_label() == label]
    return dict(zip(map(float, found.get_xdata()), map(float, found.get_ydata())))


def labels(axes):
    """Those of the legend."""
    return [text.get_text() for text in axes.get_legend().get_texts()]


def spreads(axes):
    """The ends of all spread bars, [(x, low, high)], sorted."""
    bars = [bar for lines in axes.collections if lines.get_label() == "_spread" for bar in lines.get_segments()]
    return sorted((float(a[0]), float(a[1]), float(b[1])) for a, b in bars)


def texts(figure):
    """All that is written in its panels, but on axes."""
    return [text.get_text() for axes in figure.axes for text in axes.texts]
