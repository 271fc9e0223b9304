# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of --over-time: how the times of each case changed from date to date, of all records of the files of a folder."""
import json
import os
from datetime import datetime
from types import SimpleNamespace

from .records import Refused, entry, grouped, in_words, number, spread, text_of
from .style import add_axes, add_legend, curve_look, draw_spread, explain_spread, literal, tidy

IGNORED = {"automatic", "idea", "no_solve", "preconditioner_asked", "repeat", "samples", "verify_only"}  # as miniapp compare
MOST_LINES = 6  # with names: what changed most


def files_of(names):
    """Files, and those of folders, whose names end as records do."""
    for name in names:
        if not os.path.isdir(name):
            yield name
            continue
        found = sorted(os.path.join(folder, file) for folder, _, files in os.walk(name) for file in files
                       if file.endswith((".json", ".jsonl")))
        if not found:
            raise Refused(f"{name}: no file of records; accepted are folders with files .json or .jsonl")
        yield from found


def date_of(record):
    try:
        return datetime.strptime(record.get("date"), "%Y-%m-%dT%H:%M:%SZ")
    except (TypeError, ValueError):
        return None


def times_of(record):
    """(name): median and spread of each time that was taken more than once; of streaming that of the largest size."""
    timing = record.get("timing") if isinstance(record.get("timing"), dict) else {}
    times = {key: (number(timing, f"{key}.median"), spread(timing, key)) for key in timing}
    rate = number(record, "rates.largest_gbytes")
    if rate:
        times["largest size"] = (1 / rate, None)
    return {key: value for key, value in times.items() if value[0]}


def points_of(record):
    """One per time; none of records without a date or with a wrong result."""
    date, case = date_of(record), record.get("case")
    if date is None or not isinstance(case, dict) or record.get("wrong"):
        return []
    settings = {"module": record.get("module"), **{k: v for k, v in case.items() if k not in IGNORED and v is not None}}
    machine = {"device": record.get("device"), "backend": (entry(record, "kokkos.backends") or [None])[0],
               "threads": record.get("threads"), "ranks": record.get("ranks")}
    return [SimpleNamespace(date=date, commit=str(record.get("commit"))[:7], name=name, time=time, spread=ends,
                            settings=settings, machine=machine) for name, (time, ends) in times_of(record).items()]


def read(names):
    points = []
    for file in files_of(names):
        try:
            with open(file, encoding="utf-8") as lines:
                records = [json.loads(line) for line in lines if line.strip()]
        except (OSError, ValueError, RecursionError) as error:
            raise Refused(f"{file}: {getattr(error, 'strerror', None) or 'no records'}; accepted are files that miniapp --json "
                          "wrote") from None
        for record in records:
            if not isinstance(record, dict) or record.get("schema") not in (1, 2):
                raise Refused(f"{file}: a line without schema 1 or 2; accepted are files that miniapp --json wrote")
            points += points_of(record)
    return points


def label(settings, others):
    """What tells a case from others of its module."""
    differing = [key for key in settings if any(s.get(key) != settings[key] for s in others)]
    return ", ".join(str(settings[key]) if key in ("kernel", "strategy", "variant", "loop", "form", "bp") else
                     f"{key} {settings[key]}" for key in differing if key != "module")


def series_of(points):
    """Lines of points in order of time, those with two dates at least; relative is the time over the first one."""
    settings = {text_of(p.settings): p.settings for p in points}
    lines = []
    for (case, name), of_line in grouped(points, lambda p: (text_of(p.settings), p.name)).items():
        of_line.sort(key=lambda p: p.date)
        if of_line[0].date == of_line[-1].date:
            continue
        for p in of_line:
            p.relative = p.time / of_line[0].time
        words = ", ".join(filter(None, (label(settings[case], settings.values()), name)))
        lines.append(SimpleNamespace(points=of_line, words=words, change=of_line[-1].relative))
    return sorted(lines, key=lambda line: -max(line.change, 1 / line.change))


def pictures(names):
    """One per module and machine."""
    made = []
    of_picture = grouped(read(names), lambda p: (p.settings["module"], text_of(p.machine)))
    several = {module for module, _ in of_picture if sum(m == module for m, _ in of_picture) > 1}
    for at, ((module, _), points) in enumerate(of_picture.items(), 1):
        lines = series_of(points)
        if lines:
            points.sort(key=lambda p: p.date)
            machine = points[0].machine
            below = f"{in_words(machine, ('device', 'backend', 'threads'))}, commits {points[0].commit} to {points[-1].commit}"
            made.append(SimpleNamespace(draw=draw, title_at="axes", points=points, lines=lines, below=below,
                                        heading=f"{module}: times over those of the first date",
                                        name=f"{module}-over-time" + (f"-{at}" if module in several else "")))
    if not made:
        raise Refused(f"{' '.join(names)}: no case has times of two dates; accepted are records of several runs, with dates")
    return made


def draw(figure, picture, _):
    """Returns the axes: a line per case and time, those that changed most with names, the others grey."""
    from matplotlib import dates

    axes, lines = add_axes(figure), picture.lines
    for line in reversed(lines[MOST_LINES:]):
        axes.plot([p.date for p in line.points], [p.relative for p in line.points], color="0.8", linewidth=0.8, label="_other")
    for at, line in enumerate(lines[:MOST_LINES]):
        look = {**curve_look(at), "markevery": None}
        name = literal(f"{line.change:.2f}  {line.words}")
        axes.plot([p.date for p in line.points], [p.relative for p in line.points], label=name, **look)
        draw_spread(axes, line.points, lambda p: p.date, lambda p: p.relative, lambda p: p.spread, look["color"])
    axes.axhline(1, color="0.3", linewidth=0.8, zorder=2)
    shown = [p.relative for line in lines for p in line.points]
    axes.set_ylim(min(0.95, *shown) / 1.05, max(1.05, *shown) * 1.05)
    axes.set_ylabel("time / time of the first date")
    locator = dates.AutoDateLocator(minticks=3, maxticks=7)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator))
    explain_spread(axes)
    tidy(axes)
    add_legend(axes, title="last / first, what changed most")
    return axes
