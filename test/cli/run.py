#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the program by the tables in cases/: what is accepted, what is refused and how, what is written.

    MINIAPP_PROGRAM=$PWD/build/serial/miniapp MINIAPP_ORDERS="1;2;7" test/cli/run.py tensor --only "order 0"

A line of a table is a case, an indented line goes on: `name | arguments | what is said | more cells`. Said are texts in
this order, with anything between where ` ... ` stands; a text starts and ends where a word does, `^` and `$` are the start
and the end of all, `\\n` ends a line, many blanks in a line count as one, `<number>`, `<word>`, `<line>` (the rest of one)
and `<a|b>` stand for what they say. A case called `refused: ..` ends with exit code 2 and leaves no record. More cells:

    exit: 1                the exit code, else 0; a failure is one line on stderr, and after bad input (2) nothing else
    records: 3             so many lines of record.json, none: no such file; 4 for each of a b: 8
    keys: case.bp a.b      that each record has
    first: ARGUMENTS       a run before, which ends well
    for a b: 1 x 2 y       a case for {a} 1 and {b} x, one for 2 and y; inputs/*.toml stands for files of the checkout,
                           built:1..3 for the orders of this build among them
    only: device           on a build for a GPU; else host, METIS, no METIS, orders 2,7 (built), file PATH (exists)
    pictures: a.svg b.svg  that exist afterwards, and no others (arguments `plot ..` run scripts/plot)
    texts: a ; b           whole texts of each picture; `a.svg texts: ..`: of this one; holds: parts of it

`name = text` defines {name}, build() those that depend on the build; a case with a value that it has not is left out.
{loops} and {forms} are the words that the program accepts for --loop and --form.
`file a.msh = text` is a line of a file in the folder of each case.
"""
import argparse
import html
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ORDERS = [int(order) for order in os.environ["MINIAPP_ORDERS"].split(";")]
METIS = os.environ.get("MINIAPP_METIS", "ON") == "ON"
ON_DEVICE = os.environ.get("MINIAPP_DEVICE_BUILD", "OFF") == "ON"
CELLS = {"exit", "records", "keys", "first", "only", "pictures", "texts", "holds"}
LISTS = {"loops": ("indirect", "--loop"), "forms": ("weakform", "--form")}
KOKKOS_WARNING = r"Warning: command line argument '--kokkos-[^\n]*\n"  # of Kokkos 4 and newer, before the refusal
STANDS_FOR = {"number": "[0-9]+", "word": "[a-z-]+", "line": "[^\n]*"}


def build():
    """What depends on the build, None: nothing."""
    prisms = [order for order in ORDERS if order <= 7] + [None, None]
    ways = 6 if ON_DEVICE else 7  # of --kernel all: hierarchical in two ways, the paper's and the fastest; serial
    return {
        "order": ORDERS[0],
        "other": ORDERS[min(1, len(ORDERS) - 1)],
        "absent": next((order for order in range(1, 16) if order not in ORDERS), None),
        "orders": len(ORDERS),
        "kernels": 10 if ORDERS[0] <= 8 else 8,  # --kernel all: beyond order 8 no rung has a thread a point
        "prism": prisms[0],
        "other_prism": prisms[1],
        "ways": ways,
        "combinations": ways * (6 if METIS else 5) * 2,  # with every --reorder, in both layouts
        "metis": ",metis" if METIS else "",
        "root": ROOT,
        "version": re.search(r"VERSION ([\d.]+) DESC", (ROOT / "CMakeLists.txt").read_text())[1],
    }


def accepted(command, option):
    """The words that the program names when it refuses another one."""
    words = start(f"{command} {option} ?", HERE)[2].strip().split("; accepted are ")[1].split(", ")
    return " ".join(word for word in words if word not in ("auto", "all"))


def fill(text, values):
    """None where a value is."""
    for name in set(LISTS).intersection(re.findall(r"\{(\w+)\}", text)) - set(values):
        values[name] = accepted(*LISTS[name])
    names = re.findall(r"\{(\w+)\}", text)
    return None if None in map(values.__getitem__, names) else re.sub(r"\{(\w+)\}", lambda m: str(values[m[1]]), text)


def words_of(text):
    for word in text.split():
        if word.startswith("built:"):
            first, last = map(int, word[len("built:") :].split(".."))
            yield from (order for order in ORDERS if first <= order <= last)
        elif "*" in word:
            files = sorted(path.relative_to(ROOT) for path in ROOT.glob(word))
            yield from files or sys.exit(f"no file is called {word}")
        else:
            yield word


def is_met(condition):
    kind, _, rest = condition.partition(" ")
    if kind == "orders":
        return set(map(int, rest.split(","))) <= set(ORDERS)
    if kind == "file":
        return os.path.exists(rest)
    return {"device": ON_DEVICE, "host": not ON_DEVICE, "METIS": METIS, "no METIS": not METIS}[condition]


def read(table):
    """The cases of a table, [(name, {cell: text})], and the files, {name: text}; repeated cells are lines of a text."""
    values, files, cases = build(), {}, []
    text = re.sub(r"^#.*\n", "", table.read_text(), flags=re.MULTILINE)
    for line in filter(None, re.sub(r"\n +", " ", text).split("\n")):
        if added := re.fullmatch(r"file (\S+) =(?: (.*))?", line):
            added_text = fill(added[2], values).replace("\\n", "\n") + "\n" if added[2] else ""
            files[added[1]] = files.get(added[1], "") + added_text
        elif defined := re.fullmatch(r"(\w+) = (.*)", line):
            values[defined[1]] = fill(defined[2], values)
        else:
            cases += cases_of(line, values)
    if len(dict(cases)) < len(cases):
        sys.exit(f"{table}: two cases of one name")
    return cases, files


def cases_of(line, values):
    name, arguments, says, *more = line.split(" | ")
    cells, loops = {"name": name, "arguments": arguments, "says": says}, []
    for key, value in (cell.split(": ", 1) for cell in more):
        if key.startswith("for "):
            names, words = key.split()[1:], list(words_of(fill(value, values)))
            if len(words) % len(names) != 0:
                sys.exit(f"{name}: {len(words)} words for {len(names)} names")
            loops.append([dict(zip(names, words[i:])) for i in range(0, len(words), len(names))])
        elif key.split()[-1] not in CELLS or key in cells and key not in ("first", "only"):
            sys.exit(f"{name}: no cell is called {key}, or two are")
        else:
            cells[key] = f"{cells[key]}\n{value}" if key in cells else value
    if name.startswith("refused: "):
        cells = {"exit": "2"} | ({} if "first" in cells else {"records": "none"}) | cells
    for group in itertools.product(*loops):
        here = values | {name: value for one in group for name, value in one.items()}
        case = {key: fill(text, here) for key, text in cells.items()}
        if None not in case.values() and all(map(is_met, case.get("only", "").splitlines())):
            yield case["name"], case
        else:
            print(f"left out: {name}")


def start(arguments, folder, python=sys.executable):
    words = [os.environ["MINIAPP_PROGRAM"], *shlex.split(arguments)]
    if words[1] == "plot":
        words[:2] = [python, ROOT / "scripts/plot"]
    done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def pattern_of(text):
    """A regular expression for one text of a table."""
    body = text[text.startswith("^") : len(text) - text.endswith("$")].replace("\\n", "\n")
    parts = re.split(r"<([\w|-]+)>", body)
    parts[::2] = map(re.escape, parts[::2])
    parts[1::2] = (STANDS_FOR.get(part, f"(?:{part})") for part in parts[1::2])
    start = r"\A" if text.startswith("^") else r"(?<![\w.-])" if body[0].isalnum() else ""
    end = r"\Z" if text.endswith("$") else r"(?![\w-]|\.\w)" if body[-1].isalnum() or body[-1] == ">" else ""
    return start + "".join(parts) + end


def wrong_words(text, says):
    text, end, after = re.sub(r"(?<=\S) +", " ", text), 0, ""
    for wanted in says.split(" ... "):
        found = re.compile(pattern_of(wanted)).search(text, end)
        if not found:
            return [f"does not say '{wanted}'{after}"]
        end, after = found.end(), f" after '{wanted}'"
    return []


def refuse(constant):
    raise ValueError(f"{constant} is no number of JSON")


def lacks(record, key):
    for part in key.split("."):
        if not isinstance(record, dict) or part not in record:
            return True
        record = record[part]
    return False


def wrong_records(path, number, keys):
    lines = path.read_text().splitlines() if path.exists() else []
    if number and " for each of " in number:
        count, words = number.split(" for each of ")
        number = str(int(count) * len(words.split()))
    if number == "none" and path.exists():
        yield "record.json was left behind"
    if number not in (None, "none", str(len(lines))):
        yield f"{len(lines)} records instead of {number}"
    if keys and not lines:
        yield "no record"
    for line in lines:
        try:
            record = json.loads(line, parse_constant=refuse)
        except ValueError as error:
            record = str(error)
        if lacks(record, "schema") or record["schema"] != 2:
            yield f"no record of schema 2: {line}"
        else:
            yield from (f"a record without {key}" for key in keys if lacks(record, key))


def wrong_pictures(folder, case):
    written = {path.name: path for kind in ("svg", "png") for path in folder.rglob(f"*.{kind}")}
    names = sorted(str(path.relative_to(folder)) for path in written.values())
    wanted = sorted(case.get("pictures", "").split())
    if names != wanted:
        yield f"the pictures {' '.join(names)} instead of {' '.join(wanted)}"
    for cell, texts in case.items():
        *only, kind = cell.split()
        if kind not in ("texts", "holds"):
            continue
        for name in only or (name for name in written if name.endswith(".svg")):
            picture = written[name].read_text() if name in written else ""
            for text in texts.split(" ; "):
                if (f">{html.escape(text, quote=False)}</text>" if kind == "texts" else text) not in picture:
                    yield f"{name} does not hold '{text}'"


def judge(case, folder, python):
    """What is wrong, and what was printed."""
    for arguments in case.get("first", "").splitlines():
        code, output, errors = start(arguments, folder)
        if code != 0:
            return [f"the run before ended with exit code {code}"], output + errors
    code, output, errors = start(case["arguments"], folder, python)
    errors = re.sub(KOKKOS_WARNING, "", errors, count=1)
    wanted = int(case.get("exit", "0"))
    program = "scripts/plot" if is_plot(case) else "miniapp"
    found = []
    if code != wanted:
        found.append(f"the exit code is {code} instead of {wanted}")
    if re.search("[\x1b\r]", output + errors):
        found.append("an escape or a carriage return in piped output")
    if wanted == 0 and errors and program == "miniapp":  # libraries of scripts/plot may warn
        found.append("success with words on stderr")
    if wanted != 0 and not re.fullmatch(f"{program}: [^\n]+\n", errors):
        found.append("a failure that is not one line on stderr")
    if wanted == 2 and output:
        found.append("work was done before the input was checked")
    found += wrong_words(errors if wanted else output, case["says"])
    found += wrong_records(folder / "record.json", case.get("records"), case.get("keys", "").split())
    found += wrong_pictures(folder, case)
    return found, output + errors


def is_plot(case):
    return case["arguments"].split()[0] == "plot"


def find_python():
    """One that has matplotlib, or None. The second has the system's packages, whatever comes first in PATH."""
    for python in sys.executable, "/usr/bin/python3":
        if subprocess.run([python, "-c", "import matplotlib"], capture_output=True).returncode == 0:
            return python
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tables", nargs="*", help="names of tables in cases/, or paths (default: all in cases/)")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name holds it")
    parser.add_argument("-f", "--failfast", action="store_true", help="end with the first case that fails")
    options = parser.parse_args()
    counts = {"right": 0, "wrong": 0, "skipped": 0}
    python = find_python()
    for table in options.tables or sorted(path.stem for path in (HERE / "cases").glob("*.txt")):
        cases, files = read(pathlib.Path(table) if "/" in table else HERE / "cases" / f"{table}.txt")
        for name, case in cases:
            if options.only not in name:
                continue
            if is_plot(case) and "exit" not in case and not python:
                verdict, found, printed = "skipped", ["matplotlib is missing (apt-get install python3-matplotlib)"], ""
            else:
                with tempfile.TemporaryDirectory(prefix="miniapp-") as folder:
                    for file, text in files.items():
                        pathlib.Path(folder, file).write_text(text)
                    try:
                        found, printed = judge(case, pathlib.Path(folder), python or sys.executable)
                    except subprocess.TimeoutExpired as late:
                        found, printed = [str(late)], ""
                verdict = "wrong" if found else "right"
            counts[verdict] += 1
            print(f"{verdict}: {name}")
            if found:
                shown = [*found, f"> {case['arguments']}", *(f"| {line}" for line in printed.splitlines())]
                print(*(f"  {line}" for line in shown), sep="\n", flush=True)
            if verdict == "wrong" and options.failfast:
                return 1
    print(", ".join(f"{number} {verdict}" for verdict, number in counts.items()))
    if not any(counts.values()):
        sys.exit("no such case")
    return 1 if counts["wrong"] else 77 if counts["skipped"] else 0


if __name__ == "__main__":
    sys.exit(main())
