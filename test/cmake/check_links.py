#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_links.py ROOT [--installed]: fails where a page in Markdown links to a file or a heading that does not exist, or, but of an
install, names a file of the repository in `backticks` that does not exist. Pages of docs/ are reached by links from README."""

import pathlib
import re
import sys

FOLDERS = "apps cmake docs examples include inputs python scripts src test".split()
NAME = re.compile(rf"(?:{'|'.join(FOLDERS)})/[\w./-]*|[a-z0-9_]+/[a-z0-9_/]+[.](?:hpp|cpp|ipp|in|py|toml|msh|md)")

SKIPPED = re.compile(r"(?:build|[.]git|test/cmake/wrong_links)/")


def without_code(text):
    """The text without blocks of code, with as many lines."""
    return re.sub(r"^ *```.*?^ *```$", lambda block: "\n" * block[0].count("\n"), text, flags=re.M | re.S)


def anchors(path):
    """Those that GitHub makes of headings, and those that stand in the page."""
    found, text = {}, without_code(path.read_text(encoding="utf-8"))
    for heading in re.findall(r"^#+ +(.*?)#* *$", text, flags=re.M):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        found[anchor] = found.get(anchor, -1) + 1
        if found[anchor]:
            found[f"{anchor}-{found[anchor]}"] = 0
    return found.keys() | set(re.findall(r'(?:id|name)="([^"]+)"', text))


def links(text):
    """(line, target) of links and pictures, and names of files."""
    for number, line in enumerate(without_code(text).splitlines(), 1):
        plain = re.sub(r"`[^`]*`", "`", line)
        for target in re.findall(r"\]\(([^)\s]+)\)", plain) + re.findall(r'(?:src|href)="([^"]+)"', plain):
            if not re.match(r"[a-z]+:", target):
                yield number, target, True
        for name in re.findall(r"`([^`]*)`", line):
            if NAME.fullmatch(name):
                yield number, name, False


def wrong_links(root, is_installed):
    pages = sorted(path for path in root.rglob("*.md") if not SKIPPED.match(str(path.relative_to(root))))
    known = {path: anchors(path) for path in pages}
    files = [f"/{path.relative_to(root)}" for folder in FOLDERS for path in (root / folder).rglob("*")]
    linked = {}
    for path in pages:
        for number, target, is_link in links(path.read_text(encoding="utf-8")):
            name, _, anchor = target.partition("#")
            file = ((path.parent if is_link else root) / name).resolve() if name else path
            if is_link:
                linked.setdefault(path, set()).add(file)
            elif is_installed or path.name == "CHANGELOG.md" or any(f.endswith("/" + name.rstrip("/")) for f in files):
                continue
            if not file.exists():
                yield f"{path.relative_to(root)}:{number}: {target} does not exist"
            elif anchor and anchor not in known.get(file, {anchor}):
                yield f"{path.relative_to(root)}:{number}: {target}: the page has no such heading"
    reached, left = set(), [root / "README.md"]
    while left:
        page = left.pop()
        if page not in reached:
            reached.add(page)
            left += linked.get(page, ())
    yield from (f"{page.relative_to(root)} is not linked from README" for page in pages
                if page.parent == root / "docs" and page not in reached)


wrong = list(wrong_links(pathlib.Path(sys.argv[1]).resolve(), "--installed" in sys.argv))
print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
sys.exit(1 if wrong else 0)
