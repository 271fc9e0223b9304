# SPDX-License-Identifier: BSD-3-Clause
"""Command lines of the program, run in this process."""
import json
import pathlib
import shlex
import sys
import tempfile

from . import _core


def _words(command, options):
    """The words of a command line: what follows the program's name, then options of keyword arguments."""
    words = shlex.split(command) if isinstance(command, str) else [str(word) for word in command]
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            words.append(option)
        elif isinstance(value, (list, tuple)) and value and not all(isinstance(one, str) for one in value):
            words += [option, ",".join(map(str, value))]
        elif value is not None and value is not False:
            for one in value if isinstance(value, (list, tuple)) else [value]:
                words += [option, str(one)]
    for word in words:
        if word.split("=")[0] == "--json":
            raise _core.InputError("--json: records are returned; accepted is without it")
        if word.startswith("--kokkos-"):
            raise _core.InputError(f"{word}: Kokkos has started; accepted is miniapp.initialize({word!r}) before")
    return words


def records(command="", *, echo=False, **options):
    """Runs a command line of the program and returns its records (docs/record.md): a list of dict.

    command: what follows "miniapp", as a text or a list of words. Keywords are options: unknowns=1000, verify_only=True,
    order=[1, 3] (a list of numbers is "1,3"; of texts, the option is repeated). echo: print what the program prints.
    Raises InputError; ResultError, whose `records` has what was recorded, where a result is wrong or did not converge.
    """
    words = _words(command, options)
    printed = []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "records.jsonl")
        names = {word.split("=")[0] for word in words}
        has_records = not ({"compare", "help"} & set(words[:1]) or {"--help", "--version", "--list", "--records"} & names)
        to_file = ["--json", str(file)] if has_records else []

        def read():
            lines = file.read_text().splitlines() if file.exists() else []
            found = [json.loads(line) for line in lines]
            for record in found:
                record["command"] = record["command"].removesuffix(" " + shlex.join(to_file))
            return found

        try:
            _core.run(words + to_file, sys.stdout.write if echo or not has_records else printed.append)
        except _core.ResultError as error:
            error.records = read()
            raise
        return read()


def run(command="", *, echo=False, **options):
    """Runs a command line as records() does; returns the record where there is one, else the list of all.

    run("--bp 3.0 --order 3 --elements 64") is a dict, run("streaming", bs="1..3") a list. What has no records, such as
    "--help" and "compare", is printed.
    """
    found = records(command, echo=echo, **options)
    return found[0] if len(found) == 1 else found
