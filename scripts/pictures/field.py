# SPDX-License-Identifier: BSD-3-Clause
"""A picture of the first field of a .vtu file that miniapp --output wrote: the surface of its hexahedra, seen from above,
coloured by the field. Each face is as many flat pieces as the order has intervals."""
import math
import re
import struct
from types import SimpleNamespace

from .records import Refused
from .style import literal

ACCEPTED = "accepted is what miniapp --output writes"
TYPES = {"Float64": "d", "Int32": "i", "Int64": "q", "UInt8": "B"}
FACES = ((0, 3, 7, 4), (1, 2, 6, 5), (0, 1, 5, 4), (3, 2, 6, 7), (0, 1, 2, 3), (4, 5, 6, 7))  # of VTK's corners
AZIMUTH, ELEVATION = -60, 25  # [degrees]


def parse(path):
    with open(path, "rb") as file:
        content = file.read()
    head, mark, raw = content.partition(b'<AppendedData encoding="raw">\n_')
    if not mark or b'type="UnstructuredGrid" version="2.2" byte_order="LittleEndian"' not in head:
        raise Refused(f"{path}: no appended data of version 2.2; {ACCEPTED}")
    arrays = {}
    try:
        for kind, name, at in re.findall(r'<DataArray type="(\w+)" Name="([^"]+)"[^>]* offset="(\d+)"/>', head.decode()):
            size = struct.unpack_from("<Q", raw, int(at))[0]
            arrays[name] = struct.unpack_from(f"<{size // struct.calcsize(TYPES[kind])}{TYPES[kind]}", raw, int(at) + 8)
        points = list(zip(*[iter(arrays["points"])] * 3))
        ends = arrays["offsets"]
        cells = [arrays["connectivity"][begin:end] for begin, end in zip((0, *ends), ends)]
        name = next(iter(arrays))
    except (KeyError, struct.error, UnicodeDecodeError, StopIteration):
        raise Refused(f"{path}: damaged; {ACCEPTED}") from None
    return SimpleNamespace(module="field", file=path, case=path, date="", points=points, cells=cells, name=name,
                           values=arrays[name])


def vtk_node(p, i, j, k):
    """Where a Lagrange hexahedron of order p has node (i, j, k)."""
    ends = [at in (0, p) for at in (i, j, k)]
    inner, corner = p - 1, (2 if j else 1) if i else (3 if j else 0)
    if all(ends):
        return corner + (4 if k else 0)
    if ends[1] and ends[2]:
        return 8 + i - 1 + (2 * inner if j else 0) + (4 * inner if k else 0)
    if ends[0] and ends[2]:
        return 8 + j - 1 + (inner if i else 3 * inner) + (4 * inner if k else 0)
    if ends[0] and ends[1]:
        return 8 + 8 * inner + k - 1 + corner * inner
    first = 8 + 12 * inner
    if ends[0]:
        return first + j - 1 + inner * (k - 1) + (inner**2 if i else 0)
    if ends[1]:
        return first + 2 * inner**2 + i - 1 + inner * (k - 1) + (inner**2 if j else 0)
    return first + 4 * inner**2 + i - 1 + inner * (j - 1) + (inner**2 if k else 0)


def face_nodes(p):
    """(face): the grid (b, a) of its nodes in VTK's order, faces as FACES."""
    grid = range(p + 1)
    return [[[vtk_node(p, *at(a, b)) for a in grid] for b in grid] for at in (
        lambda a, b: (0, a, b), lambda a, b: (p, a, b), lambda a, b: (a, 0, b), lambda a, b: (a, p, b),
        lambda a, b: (a, b, 0), lambda a, b: (a, b, p))]


def surface(field):
    """Quadrilaterals of the surface with their mean values: [(four points, value)]."""
    order = round(len(field.cells[0]) ** (1 / 3)) - 1
    owners = {}
    for cell in field.cells:
        for face, corners in enumerate(FACES):
            owners.setdefault(frozenset(cell[corner] for corner in corners), []).append((cell, face))
    nodes, pieces = face_nodes(order), []
    for cell, face in (owner[0] for owner in owners.values() if len(owner) == 1):
        grid = nodes[face]
        for b in range(order):
            for a in range(order):
                four = [cell[grid[b + d][a + c]] for c, d in ((0, 0), (1, 0), (1, 1), (0, 1))]
                pieces.append(([field.points[node] for node in four], sum(field.values[node] for node in four) / 4))
    return pieces


def pictures_of(points, _):
    names = ["field"] if len(points) == 1 else [f"field-{at}" for at in range(1, len(points) + 1)]
    return [SimpleNamespace(draw=draw, title_at="bars", points=[p], name=name, heading=literal(p.name),
                            below=f"on the surface of {len(p.cells)} hexahedra")
            for p, name in zip(points, names)]


def projected(point):
    """Right, up, and towards the viewer."""
    turn, tilt = math.radians(AZIMUTH), math.radians(ELEVATION)
    x, y, z = point
    right = -math.sin(turn) * x + math.cos(turn) * y
    depth = math.cos(turn) * x + math.sin(turn) * y
    return right, math.cos(tilt) * z - math.sin(tilt) * depth, math.sin(tilt) * z + math.cos(tilt) * depth


def draw(figure, picture, _):
    """Returns the axes. Pieces further away are drawn first."""
    from matplotlib.collections import PolyCollection

    (field,) = picture.points
    pieces = [([projected(point) for point in four], value) for four, value in surface(field)]
    pieces.sort(key=lambda piece: sum(point[2] for point in piece[0]))
    shapes = [[point[:2] for point in four] for four, _ in pieces]
    rights, ups = zip(*(point for shape in shapes for point in shape))
    width, height = max(rights) - min(rights), max(ups) - min(ups)
    inches = 6.2 * min(1.2, max(0.5, height / width if width > 0 else 1))
    figure.set_size_inches(7.2, inches + 0.7)
    axes = figure.add_axes((0.02, 0.02, 0.82, inches / (inches + 0.7) - 0.02))
    drawn = PolyCollection(shapes, array=[value for _, value in pieces], cmap="viridis", edgecolors="face", linewidths=0.3,
                           rasterized=True)
    axes.add_collection(drawn)
    axes.set(xlim=(min(rights) - 0.02 * width, max(rights) + 0.02 * width),
             ylim=(min(ups) - 0.02 * height, max(ups) + 0.02 * height), aspect="equal")
    axes.axis("off")
    figure.colorbar(drawn, ax=axes, cax=figure.add_axes((0.86, 0.1, 0.025, 0.75)))
    return axes
