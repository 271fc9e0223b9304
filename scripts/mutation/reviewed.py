# SPDX-License-Identifier: BSD-3-Clause
"""The reviewed list of changes that no test can tell, in docs/mutations.md: | file | line | change | reason |."""

import re

HEADING = "## Changes that no test can tell"
ROW = re.compile(r"^\| `([^`]+)` \| (`+) ?(.+?) ?\2 \| `?([^|`]+)`? \| (.+) \|$")


def read(page):
    """{(path, line without blanks around it, change): reason}. A line or change `*` stands for any."""
    listed = {}
    for line in page.read_text().partition(HEADING)[2].splitlines() if page.exists() else []:
        if row := ROW.match(line.replace(r"\|", "\0")):
            path, _, text, change, reason = (word.replace("\0", "|").strip() for word in row.groups())
            listed[path, text, change] = reason
    return listed


def reason_of(mutant, listed):
    """Empty where the change is not in the list."""
    for text in mutant.text, "*":
        for change in mutant.change, "*":
            if reason := listed.get((mutant.path, text, change)):
                return reason
    return ""
