# SPDX-License-Identifier: BSD-3-Clause
"""Draws records of miniapp --json (docs/record.md): rates of the bake-off problems, bandwidths of streaming operations
and of indirect loops, times and rates of prisms' element matrices, times of solvers, rates of weak forms by transposed
threads; files of --history; and traces of Kokkos Tools.

Module tensor: the kernels' rates and the roofs above them. One picture per problem and number of elements, over the
order; with --sweep elements one per problem and order, over the dofs. What varies decides which; one order alone is
bars. Where half of the values would lie in the lowest fifth, the scale is logarithmic. Kernels that compute their
factors move less than the roofs' model, and may pass them; the bound is of each kernel's own bytes and multiplications,
gather and scatter included.
Module streaming: one picture per test BS1..BS8, the bandwidth over the bytes moved, with the fitted model and the copy
roof; one line per order, and per device, precision, boundary, indexing or numbering where the records differ in them.
Module indirect: two pictures per loop. The bandwidth over the block size under the copy roof, with one panel per order
and one line per strategy and layout, flat where there are no blocks; and the speed-up of each at its best block size
over global colouring without reordering, in the layout aos if that was run, or else over the first record.
Module elasticity: two pictures of the variants. The time per element, with one panel per order and one bar per variant,
whose parts end at the sums of the phases so far; and the kernels' rates over the order, in the paper's flops, and in
those that are done, under the FMA roof. If an order has records of several numbers of elements, each number has its own
pictures. Of --solve the set-up and the solve of the cantilever, as below.
Module solver: two pictures per matrix. The time of an iteration over the unknowns, where a line has two sizes, with the
model (dashed) and the slides' textbook model (dotted); one line per --cg and preconditioner, and per other setting
that the records differ in. And the time of solves that converged: over the unknowns, or as bars where no line has two
sizes; the set-up is that of the preconditioner, without the matrix and its slices.
Module weakform: pictures per form and mesh. The kernel of transposed threads over the batches of a team, with one line
per number of blocks; where there are other strategies, the rate of a residual by each way, under its bound; and of
--solve the residual over Newton's steps.
Module tune: the rates of all kernels that were measured, over the order, one picture per problem.
Files that miniapp solver --history wrote: one picture of all, the residual over the iterations, one line per file.
Files of --output, FILE.vtu or FILE.pvtu: the solution on the surface of the mesh, or with --slice in a plane.
Files that chrome-tracing of Kokkos Tools wrote: a timeline of regions and loops (docs/profiling.md).
With --over-time: one picture per module and machine, the times of each case over those of its first date.
Thin bars reach from the fastest repetition to the slowest, where records have both. Of several records of one case the
latest is used. Needs matplotlib, 3.6 or newer.
With --portability records of several machines: cascade plots of the efficiencies of the fastest kernels, and for each
problem of all kernels that were run, by the bound and by the fastest; a line on standard output per application with
P3, the harmonic mean of its efficiencies over all platforms, 0 where one is missing.
"""

import argparse
import json
import os
import re
import sys

from . import compare, elasticity, field, indirect, over_time, portability, solver, streaming, tensor, timeline, tune, weakform
from .records import Refused, grouped
from .style import FORMATS, new_figure, require_matplotlib, save, write_title

MODULES = {"tensor": tensor, "streaming": streaming, "indirect": indirect, "elasticity": elasticity, "solver": solver,
           "weakform": weakform, "tune": tune, "compare": compare}
TENSOR_OPTIONS = ("rate", "roofs", "scratch_roofs")  # mean nothing without records of module tensor
NAME = os.path.basename(sys.argv[0])  # miniapp-plot where it is installed
NAME = "scripts/plot" if NAME == "plot" else NAME


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Refused(f"{message}; accepted is what --help lists")


def read_arguments():
    parser = Parser(prog=NAME, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                    allow_abbrev=False)
    parser.add_argument("records", nargs="+", metavar="RECORDS.json",
                        help="files that miniapp --json wrote, miniapp --output, miniapp solver --history, or chrome-tracing")
    parser.add_argument("-o", "--output", required=True, metavar="DIR_OR_FILE",
                        help="a folder for SVG files, or a file for one picture: .svg, .png or .pdf")
    parser.add_argument("--rate", choices=tensor.UNITS,
                        help="tensor: of the kernel alone; default: gflops over the order, gdofs over the dofs")
    parser.add_argument("--roofs", action="store_true",
                        help="tensor: the roofs alone, over the order: one picture per problem, one line per mesh")
    parser.add_argument("--scratch-roofs", action="store_true",
                        help="tensor: add each kernel's shared-memory roof, where the records have it")
    parser.add_argument("--portability", action="store_true",
                        help="cascade plots over the machines of the records, in place of other pictures")
    parser.add_argument("--over-time", action="store_true",
                        help="times of each case from date to date, of all records of these files and folders")
    parser.add_argument("--names", action="store_true", help=argparse.SUPPRESS)  # of miniapp --plot
    parser.add_argument("--title", help="first line of the title, in place of problem and mesh, test, loop, ..")
    parser.add_argument("--unit", help="fields: the unit, behind the field's name at the colour bar")
    parser.add_argument("--slice", metavar="x=NUMBER", help="fields: in this plane instead of on the surface; or y=, z=")
    parser.add_argument("--dpi", type=dots, default=160, help="of a .png: dots per inch, 20 to 1000 (default: 160)")
    return parser.parse_args()


def dots(text):
    """Dots per inch."""
    if not re.fullmatch(r"[0-9]{2,4}", text) or not 20 <= int(text) <= 1000:
        raise Refused(f"--dpi {text}: accepted are numbers from 20 to 1000")
    return int(text)


def of_module(record, place):
    """The record as a point of a picture, or of module streaming as a line of one; None if there is nothing to draw."""
    module = record.get("module")
    return MODULES[module].parse(record, place) if isinstance(module, str) and module in MODULES else None


def parse_line(line, place, parse):
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict) or record.get("schema") not in (1, 2):
        raise Refused(f"{place}: no record; accepted are lines of JSON with schema 1 or 2, as miniapp --json writes them")
    return parse(record, place)


def parse_file(lines, file, parse):
    """Points of the records, None where there is nothing to draw; a history is one."""
    if lines and lines[0].strip() == solver.HISTORY_HEADER:
        return [solver.parse_history(lines, file)]
    if lines and lines[0].strip() == "[":
        return [timeline.parse("".join(lines), file)]
    return [parse_line(line, f"{file}:{at}", parse) for at, line in enumerate(lines, 1) if line.strip()]


def read_points(files, parse=of_module):
    """The points of all files; of the same case the one with the latest date, or else the last."""
    points, records = {}, 0
    for file in files:
        try:
            if file.endswith((".vtu", ".pvtu")):
                of_file = [field.parse(file)]
            else:
                with open(file, encoding="utf-8") as lines:
                    of_file = parse_file(list(lines), file, parse)
        except OSError as error:
            raise Refused(f"{file}: {error.strerror}; accepted are files that miniapp --json wrote") from None
        except UnicodeDecodeError:
            raise Refused(f"{file}: no text; accepted are files that miniapp --json wrote") from None
        records += len(of_file)
        for point in filter(None, of_file):
            case = (point.module, point.case)
            if case not in points or points[case].date <= point.date:
                points[case] = point
    if not points:
        raise Refused(
            f"{' '.join(files)}: none of {records} records has something to draw; accepted are right results "
            "with times of tensor, indirect, elasticity, solver, weakform and tune, of streaming with several sizes"
        )
    return list(points.values())


def draw(picture, arguments):
    """The figure, as it is written."""
    figure = new_figure()
    axes = picture.draw(figure, picture, arguments)
    write_title(axes, picture, arguments.title)
    return figure


def output_paths(output, pictures, names=False):
    """With `names` several pictures of one file have their names added to its own."""
    stem, ending = os.path.splitext(output)
    if names and len(pictures) > 1:
        return [f"{stem}-{picture.name}{ending}" for picture in pictures]
    if os.path.isdir(output) or not re.fullmatch(r"\.[A-Za-z]{2,4}", ending):
        return [os.path.join(output, f"{picture.name}.svg") for picture in pictures]
    if ending not in FORMATS:
        raise Refused(f"-o {output}: unknown format; accepted are a folder or a file with {', '.join(FORMATS)}")
    if len(pictures) > 1:
        names = ", ".join(picture.name for picture in pictures)
        raise Refused(f"-o {output}: the records give {len(pictures)} pictures ({names}); accepted is a folder")
    return [output]


def all_pictures(points, arguments):
    of_module = grouped(points, lambda p: p.module)
    for option in TENSOR_OPTIONS:
        if getattr(arguments, option) and not of_module["tensor"]:
            raise Refused(f"--{option.replace('_', '-')}: none of the records is of module tensor; accepted are those "
                          "of miniapp --bp ..")
    for option in ("unit", "slice"):
        if getattr(arguments, option) is not None and not of_module["field"]:
            raise Refused(f"--{option}: none of the files is a field; accepted are those of miniapp --output")
    makers = {name: module.pictures_of for name, module in MODULES.items()}
    makers |= {
        "cantilever": elasticity.beam_pictures,
        "body": elasticity.body_pictures,
        "newton": weakform.newton_pictures,
        "history": solver.history_pictures,
        "timeline": timeline.pictures_of,
        "field": field.pictures_of,
        "portability": portability.pictures_of,
    }
    return [picture for name, make in makers.items() for picture in make(of_module[name], arguments)]


def run():
    if sys.argv[1:] == ["--check"]:  # of miniapp --plot, before its work
        return require_matplotlib()
    arguments = read_arguments()
    if arguments.portability and arguments.over_time:
        raise Refused("--portability --over-time: two kinds of pictures; accepted is one of them")
    if arguments.over_time:
        pictures = over_time.pictures(arguments.records)
    else:
        points = read_points(arguments.records, portability.parse if arguments.portability else of_module)
        pictures = all_pictures(points, arguments)
    paths = output_paths(arguments.output, pictures, arguments.names)
    require_matplotlib()  # after the checks, which do not need it
    for picture, path in zip(pictures, paths):
        save(draw(picture, arguments), path, arguments.dpi)
        print(path, *getattr(picture, "table", ()), sep="\n")


def main():
    try:
        run()
    except Refused as refusal:
        print(f"{NAME}: {refusal}", file=sys.stderr)
        sys.exit(2)
