# SPDX-License-Identifier: BSD-3-Clause
"""A picture of the first field of a .vtu file, or of the files of a .pvtu, that miniapp --output wrote, of vectors their length:
triangles in their plane, or the surface of hexahedra, prisms or tetrahedra, seen from above, or with --slice a plane through
them. Each face of a hexahedron or prism is as many flat pieces as the order has intervals."""
import math
import os
import re
import struct
import zlib
from types import SimpleNamespace

from . import slice
from .cells import WEDGES, vtk_node, wedge_node
from .records import Refused
from .style import literal

ACCEPTED = "accepted is what miniapp --output writes"
TYPES = {"Float64": "d", "Int32": "i", "Int64": "q", "UInt8": "B"}
KINDS = {3: "triangles", 4: "tetrahedra"}  # (nodes of a cell); others are hexahedra
FACES = ((0, 3, 7, 4), (1, 2, 6, 5), (0, 1, 5, 4), (3, 2, 6, 7), (0, 1, 2, 3), (4, 5, 6, 7))  # of VTK's corners
WEDGE_FACES = ((0, 1, 2), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5))
ARRAY = r'<DataArray type="(\w+)" Name="([^"]+)" NumberOfComponents="(\d)"[^>]* offset="(\d+)"/>'
AZIMUTH, ELEVATION = -60, 25  # [degrees]


def parse(path):
    """Errors: OSError, Refused."""
    return joined(path) if path.endswith(".pvtu") else parse_piece(path)


def joined(path):
    """The pieces of a list as one field; nodes at one place are one."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    names = re.findall(r'<Piece Source="([^"]+)"/>', text)
    if not names or 'type="PUnstructuredGrid"' not in text:
        raise Refused(f"{path}: no list of pieces; {ACCEPTED}")
    unquote = (("&quot;", '"'), ("&lt;", "<"), ("&amp;", "&"))
    for word, character in unquote:
        names = [name.replace(word, character) for name in names]
    pieces = [parse_piece(os.path.join(os.path.dirname(path), name)) for name in names]
    if len({(piece.name, len(piece.cells[0])) for piece in pieces if piece.cells}) != 1:
        raise Refused(f"{path}: pieces of different fields or cells; {ACCEPTED}")
    size = max(abs(x) for piece in pieces for point in piece.points for x in point) or 1
    places, field = {}, SimpleNamespace(**vars(pieces[0]) | {"file": path, "case": path, "points": [], "values": [], "cells": []})
    for piece in pieces:
        numbers = []
        for point, value in zip(piece.points, piece.values):
            number = places.setdefault(tuple(round(x / size, 9) for x in point), len(places))
            if number == len(field.points):
                field.points.append(point)
                field.values.append(value)
            numbers.append(number)
        field.cells += [[numbers[node] for node in cell] for cell in piece.cells]
    return field


def parse_piece(path):
    with open(path, "rb") as file:
        content = file.read()
    head, mark, raw = content.partition(b'<AppendedData encoding="raw">\n_')
    if not mark or b'type="UnstructuredGrid" version="2.2" byte_order="LittleEndian"' not in head:
        raise Refused(f"{path}: no appended data of version 2.2; {ACCEPTED}")
    unpack = unpacked if b'compressor="vtkZLibDataCompressor"' in head else stored
    arrays, components = {}, {}
    try:
        for kind, name, count, at in re.findall(ARRAY, head.decode()):
            content = unpack(raw, int(at))
            arrays[name] = struct.unpack(f"<{len(content) // struct.calcsize(TYPES[kind])}{TYPES[kind]}", content)
            components[name] = int(count)
        points = list(zip(*[iter(arrays["points"])] * 3))
        ends = arrays["offsets"]
        cells = [arrays["connectivity"][begin:end] for begin, end in zip((0, *ends), ends)]
        name = next(iter(arrays))
        values = arrays[name]
    except (KeyError, struct.error, UnicodeDecodeError, StopIteration, zlib.error):
        raise Refused(f"{path}: damaged; {ACCEPTED}") from None
    if components[name] > 1:
        name, values = f"|{name}|", [math.hypot(*vector) for vector in zip(*[iter(values)] * components[name])]
    return SimpleNamespace(module="field", file=path, case=path, date="", points=points, cells=cells, name=name, values=values)


def stored(raw, at):
    size, = struct.unpack_from("<Q", raw, at)
    if at + 8 + size > len(raw):
        raise struct.error("cut")
    return raw[at + 8:at + 8 + size]


def unpacked(raw, at):
    blocks, = struct.unpack_from("<Q", raw, at)
    sizes = struct.unpack_from(f"<{blocks + 2}Q", raw, at + 8)[2:]  # behind the size of a block, and of the last
    begin, content = at + 8 * (blocks + 3), b""
    for size in sizes:
        content += zlib.decompress(raw[begin:begin + size])
        begin += size
    return content


def face_nodes(p):
    """(face): the grid (b, a) of its nodes in VTK's order, faces as FACES."""
    grid = range(p + 1)
    return [[[vtk_node(p, *at(a, b)) for a in grid] for b in grid] for at in (
        lambda a, b: (0, a, b), lambda a, b: (p, a, b), lambda a, b: (a, 0, b), lambda a, b: (a, p, b),
        lambda a, b: (a, b, 0), lambda a, b: (a, b, p))]


def wedge_pieces(p):
    """(face): the flat pieces by their nodes, faces as WEDGE_FACES."""
    def triangle(k):
        at = [(i, j) for j in range(p) for i in range(p - j)]
        up = [[(i, j), (i + 1, j), (i, j + 1)] for i, j in at]
        down = [[(i + 1, j), (i + 1, j + 1), (i, j + 1)] for i, j in at if i + j < p - 1]
        return [[wedge_node(p, i, j, k) for i, j in nodes] for nodes in up + down]

    def square(at):
        return [[wedge_node(p, *at(a + c), b + d) for c, d in ((0, 0), (1, 0), (1, 1), (0, 1))]
                for b in range(p) for a in range(p)]

    return [triangle(0), triangle(p), square(lambda a: (a, 0)), square(lambda a: (p - a, a)), square(lambda a: (0, p - a))]


def surface(field):
    """Flat pieces of the surface with their mean values: [(points, value)]."""
    nodes = len(field.cells[0])
    if nodes in KINDS:
        return [piece(field, face) for face in (field.cells if nodes == 3 else sides_of_tetrahedra(field.cells))]
    outside = sides_of_one(field.cells, WEDGE_FACES if nodes in WEDGES else FACES)
    if nodes in WEDGES:
        parts = wedge_pieces(WEDGES[nodes])
        return [piece(field, [cell[node] for node in part]) for cell, face in outside for part in parts[face]]
    order = round(nodes ** (1 / 3)) - 1
    grids, pieces = face_nodes(order), []
    for cell, face in outside:
        grid = grids[face]
        for b in range(order):
            for a in range(order):
                pieces.append(piece(field, [cell[grid[b + d][a + c]] for c, d in ((0, 0), (1, 0), (1, 1), (0, 1))]))
    return pieces


def piece(field, nodes):
    return [field.points[node] for node in nodes], sum(field.values[node] for node in nodes) / len(nodes)


def sides_of_one(cells, faces):
    """The sides of one cell alone: [(cell, face)]."""
    owners = {}
    for cell in cells:
        for face, corners in enumerate(faces):
            owners.setdefault(frozenset(cell[corner] for corner in corners), []).append((cell, face))
    return [owner[0] for owner in owners.values() if len(owner) == 1]


def sides_of_tetrahedra(cells):
    """Those of one cell alone."""
    owners = {}
    for cell in cells:
        for left_out in range(4):
            side = cell[:left_out] + cell[left_out + 1:]
            owners.setdefault(frozenset(side), []).append(side)
    return [sides[0] for sides in owners.values() if len(sides) == 1]


def pictures_of(points, arguments):
    names = ["field"] if len(points) == 1 else [f"field-{at}" for at in range(1, len(points) + 1)]
    plane = slice.parse_plane(arguments.slice) if arguments.slice is not None else None
    return [SimpleNamespace(draw=draw, title_at="bars", points=[p], name=name, heading=literal(p.name),
                            pieces=slice.cut(p, *plane) if plane else surface(p), view=view_of(p, plane),
                            below=describe(p.cells, arguments.slice))
            for p, name in zip(points, names)]


def describe(cells, plane=None):
    nodes = len(cells[0])
    where = f"on {plane} through" if plane else "on" if nodes == 3 else "on the surface of"
    return f"{where} {len(cells)} {'prisms' if nodes in WEDGES else KINDS.get(nodes, 'hexahedra')}"


def view_of(field, plane):
    """(point): where it is drawn, and how near it is."""
    if plane:
        return lambda point: (*(point[d] for d in range(3) if d != plane[0]), 0)
    return tuple if len(field.cells[0]) == 3 else projected


def projected(point):
    """Right, up, and towards the viewer."""
    turn, tilt = math.radians(AZIMUTH), math.radians(ELEVATION)
    x, y, z = point
    right = -math.sin(turn) * x + math.cos(turn) * y
    depth = math.cos(turn) * x + math.sin(turn) * y
    return right, math.cos(tilt) * z - math.sin(tilt) * depth, math.sin(tilt) * z + math.cos(tilt) * depth


def draw(figure, picture, arguments):
    """Returns the axes. Pieces further away are drawn first."""
    from matplotlib.collections import PolyCollection

    (field,) = picture.points
    pieces = [([picture.view(point) for point in corners], value) for corners, value in picture.pieces]
    pieces.sort(key=lambda piece: sum(point[2] for point in piece[0]))
    shapes = [[point[:2] for point in corners] for corners, _ in pieces]
    rights, ups = zip(*(point for shape in shapes for point in shape))
    width, height = max(rights) - min(rights), max(ups) - min(ups)
    inches = 6.2 * min(1.2, max(0.5, height / width if width > 0 else 1))
    figure.set_size_inches(7.2, inches + 0.7)
    axes = figure.add_axes((0.02, 0.02, 0.82, inches / (inches + 0.7) - 0.02))
    drawn = PolyCollection(shapes, array=[value for _, value in pieces], cmap="viridis", edgecolors="face", linewidths=0.5,
                           antialiaseds=False, rasterized=True)  # antialiased pieces have seams
    axes.add_collection(drawn)
    axes.set(xlim=(min(rights) - 0.02 * width, max(rights) + 0.02 * width),
             ylim=(min(ups) - 0.02 * height, max(ups) + 0.02 * height), aspect="equal")
    axes.axis("off")
    bar = figure.colorbar(drawn, ax=axes, cax=figure.add_axes((0.86, 0.1, 0.025, 0.75)))
    bar.set_label(literal(f"{field.name} [{arguments.unit}]" if arguments.unit else field.name))
    return axes
