# SPDX-License-Identifier: BSD-3-Clause
"""Records of miniapp --json as points: what they must hold, the settings that tell them apart, and these in words."""
import json
import math
import re
import statistics
from collections import defaultdict

MACHINE = ("device", "backend", "threads")


class Refused(Exception):
    """Bad input: one line that names it and what is accepted."""


def entry(record, path):
    """The value at a.b.c, or None."""
    for key in path.split("."):
        record = record.get(key) if isinstance(record, dict) else None
    return record


def finite(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def positive(value):
    return finite(value) and value > 0


def number(record, path):
    """The positive number at a.b.c, or None: what is not finite is null in a record."""
    value = entry(record, path)
    return value if positive(value) else None


def spread(record, path):
    """The least and the largest of the samples at a.b.c over their median; None where it has none."""
    low, median, high = (number(record, f"{path}.{name}") for name in ("min", "median", "max"))
    return (low / median, high / median) if low and median and high and low < high else None


def of_rate(spread_of_time):
    """The spread of a rate, which is largest in the least time."""
    return spread_of_time and (1 / spread_of_time[1], 1 / spread_of_time[0])


def require(holds, record, place, key):
    if not holds:
        raise Refused(f"{place}: record of module {record['module']} without {key}; accepted is what docs/record.md "
                      "lists")


def require_case(record, place, kinds):
    for key, kind in kinds.items():
        require(isinstance(entry(record, f"case.{key}"), kind), record, place, f"case.{key}")


def settings_of(record, keys):
    """The device, and the case's values of the keys."""
    settings = {key: record["case"].get(key) for key in keys}
    settings["device"] = record.get("device")
    backends = entry(record, "kokkos.backends")
    backend = backends[0] if isinstance(backends, list) and backends else None
    if backend not in ("Cuda", "HIP", "SYCL"):  # a GPU's name says it all
        settings["backend"], settings["threads"] = backend, record.get("threads")
    return settings


def are_times(phases):
    return isinstance(phases, dict) and all(finite(time) and time >= 0 for time in phases.values())


def text_of(settings, left_out=()):
    return json.dumps({key: value for key, value in settings.items() if key not in left_out}, sort_keys=True)


def grouped(points, key):
    groups = defaultdict(list)
    for point in points:
        groups[key(point)].append(point)
    return groups


def over(points, x_of, y_of, of=statistics.median):
    """x to the median (or `of`) of y over the points with that x; points without y are left out."""
    values = defaultdict(list)
    for point in points:
        if y_of(point):
            values[x_of(point)].append(y_of(point))
    return {x: of(values[x]) for x in sorted(values)}


def differing(points, keys):
    return [key for key in keys if any(p.settings[key] != points[0].settings[key] for p in points)]


def plain(value):
    """A setting in words and in file names."""
    if isinstance(value, list):
        return "x".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def in_words(settings, keys):
    """The settings that are known, as a title or a legend names them."""
    forms = {"device": "{}", "backend": "{}", "threads": "{} thread" if settings["threads"] == 1 else "{} threads",
             "precision": "{} precision", "output_matrices": "matrices: {}", "kernel": "{}"}
    return ", ".join(forms.get(key, key.replace("_", " ") + " {}").format(plain(settings[key])) for key in keys
                     if settings[key] is not None)


def place_in(known, name):
    """Its number among the known names, others after them."""
    return known.index(name) if name in known else len(known)


def natural(text):
    """As a key: 2 before 10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", text)]
