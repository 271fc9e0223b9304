# SPDX-License-Identifier: BSD-3-Clause
"""The cut of a plane x = NUMBER, y = NUMBER or z = NUMBER through the cells of a field: of each piece of a cell between
neighbouring nodes a polygon. Its corners lie on the rows of nodes; position and value there are those of the polynomial of the
row, which is that of the cell for hexahedra, tetrahedra, and prisms along their line."""
import itertools
import math
import re

from .cells import WEDGES, vtk_node, wedge_node
from .records import Refused

ACCEPTED = "accepted is x=NUMBER, y=NUMBER or z=NUMBER"
ROUNDING = 1e-9  # of the field's extent: nodes this near lie in the plane


def parse_plane(text):
    """(axis 0 to 2, place) of x=0.5."""
    match = re.fullmatch(r"([xyz])=(.+)", text)
    try:
        place = float(match[2])
    except (TypeError, ValueError):
        place = math.nan
    if not math.isfinite(place):
        raise Refused(f"--slice {text}: {ACCEPTED}")
    return "xyz".index(match[1]), place


def rows_of(nodes):
    """The rows of nodes of a cell of so many, and, for each two neighbours in one, the pieces of the cell beside them:
    [(row, [pieces])]."""
    if nodes == 4:
        rows, pieces = list(itertools.combinations(range(4), 2)), [range(4)]
    elif nodes in WEDGES:
        rows, pieces = lattice_of_wedge(WEDGES[nodes])
    else:
        rows, pieces = lattice_of_hexahedron(round(nodes ** (1 / 3)) - 1)
    beside = {}
    for number, piece in enumerate(pieces):
        for node in piece:
            beside.setdefault(node, set()).add(number)
    return [(row, [beside[a] & beside[b] for a, b in zip(row, row[1:])]) for row in rows]


def lattice_of_hexahedron(p):
    grid, inner = range(p + 1), range(p)
    rows = [[vtk_node(p, *at(c)) for c in grid] for a in grid for b in grid
            for at in (lambda c: (c, a, b), lambda c: (a, c, b), lambda c: (a, b, c))]
    pieces = [[vtk_node(p, i + a, j + b, k + c) for a, b, c in itertools.product((0, 1), repeat=3)]
              for i, j, k in itertools.product(inner, repeat=3)]
    return rows, pieces


def lattice_of_wedge(p):
    triangle = [(i, j) for j in range(p + 1) for i in range(p + 1 - j)]
    rows = [[wedge_node(p, i, j, k) for k in range(p + 1)] for i, j in triangle]
    for k in range(p + 1):
        for a in range(p + 1):
            rows += [[wedge_node(p, i, a, k) for i in range(p + 1 - a)], [wedge_node(p, a, j, k) for j in range(p + 1 - a)],
                     [wedge_node(p, i, a - i, k) for i in range(a + 1)]]
    flat = [[(i, j), (i + 1, j), (i, j + 1)] for i, j in triangle if i + j < p]
    flat += [[(i + 1, j), (i + 1, j + 1), (i, j + 1)] for i, j in triangle if i + j < p - 1]
    return rows, [[wedge_node(p, i, j, k + c) for i, j in corners for c in (0, 1)] for corners in flat for k in range(p)]


def polynomial(values, t):
    """At t of the polynomial through the values at 0, 1, 2, .."""
    above = below = 0
    for node, value in enumerate(values):
        if t == node:
            return value
        weight = (-1)**node * math.comb(len(values) - 1, node) / (t - node)
        above += weight * value
        below += weight
    return above / below


def root(heights, at):
    """Where the polynomial through the heights at 0, 1, 2, .. is 0 between at and at + 1, whose heights differ in sign."""
    low, high, of_low, of_high = at, at + 1, heights[at], heights[at + 1]
    for _ in range(60):  # regula falsi, by Illinois
        t = low + (high - low) * of_low / (of_low - of_high)
        here = polynomial(heights, t)
        if abs(here) < 1e-13 * max(map(abs, heights)):
            return t
        if (here < 0) == (of_high < 0):
            high, of_high, of_low = t, here, of_low / 2
        else:
            low, of_low, of_high = t, here, of_high / 2
    return t


def around(corners, axis):
    """The corners in the order of a convex polygon."""
    centre = [sum(point[d] for point in corners) / len(corners) for d in range(3)]
    a, b = (d for d in range(3) if d != axis)
    return sorted(corners, key=lambda point: math.atan2(point[b] - centre[b], point[a] - centre[a]))


def cut(field, axis, place):
    """Flat pieces of the plane with their mean values: [(points, value)]. Errors: Refused where it meets no cell."""
    nodes = len(field.cells[0])
    low, high = (end(point[axis] for point in field.points) for end in (min, max))
    where = f"--slice {'xyz'[axis]}={place:g}"
    if nodes == 3:
        raise Refused(f"{where}: {field.file} is of triangles; accepted are fields on volumes")
    if not low <= place <= high:
        raise Refused(f"{where}: outside of {field.file}; accepted are numbers from {low:g} to {high:g}")
    near = ROUNDING * (high - low)
    sign = -1 if place < low + near else 1  # pieces are those below the plane; at the lower end there are none
    heights = [0. if abs(point[axis] - place) < near else sign * (point[axis] - place) for point in field.points]
    rows, pieces = rows_of(nodes), []
    for cell in field.cells:
        above = [heights[node] >= 0 for node in cell]
        if any(above) and not all(above):
            pieces += cut_cell(field, cell, heights, above, rows, axis)
    return pieces


def cut_cell(field, cell, heights, above, rows, axis):
    polygons = {}
    for row, pieces in rows:
        for at, beside in enumerate(pieces):
            if above[row[at]] == above[row[at + 1]]:
                continue
            on_row = [cell[node] for node in row]
            t = root([heights[node] for node in on_row], at)
            point = [polynomial([field.points[node][d] for node in on_row], t) for d in range(3)]
            value = polynomial([field.values[node] for node in on_row], t)
            for piece in beside:
                polygons.setdefault(piece, []).append((*point, value))
    return [(around([corner[:3] for corner in corners], axis), sum(corner[3] for corner in corners) / len(corners))
            for corners in polygons.values() if len(corners) > 2]
