# SPDX-License-Identifier: BSD-3-Clause
"""Sphinx's configuration of the site (scripts/docs). Pages are the repository's Markdown as it stands; what Markdown cannot
say is added here: which pages there are in which order, and links from names of headers to the API reference."""

import pathlib
import re
import xml.etree.ElementTree

from docutils import nodes

root = pathlib.Path(__file__).parents[2]
project = "miniapp"
version = release = re.search(r"VERSION (\d+\.\d+\.\d+)", (root / "CMakeLists.txt").read_text())[1]
extensions = ["myst_parser"]
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 4
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "src/**.md", "apps/**.md", "examples/**.md"]
exclude_patterns = ["build", ".git"]
highlight_language = "none"
nitpicky = True
suppress_warnings = ["myst.header"]  # sections that begin at the second level are wanted
html_theme = "furo"
html_title = f"miniapp {release}"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
smartquotes = False  # -- is an option's
templates_path = ["."]
html_sidebars = {"**": ["sidebar/brand.html", "sidebar/search.html", "sidebar/scroll-start.html", "api_link.html",
                        "sidebar/navigation.html", "sidebar/scroll-end.html"]}

# Headings of the sidebar and their pages. What is in none of them stands under the last two.
SECTIONS = {
    "Start": ["Overview </README>", "docs/tutorial", "docs/reading", "docs/glossary", "docs/papers"],
    "Your problem": ["docs/problems", "docs/weakform", "docs/inputs"],
    "Use": ["docs/commands", "docs/report", "docs/what_if", "docs/expected", "docs/pages", "docs/verdicts", "docs/record", "docs/compare",
            "docs/portability", "docs/profiling", "docs/scaling",
            "examples/submit/README", "docs/build", "docs/gpu", "docs/labs"],
    "The library": ["docs/library", "docs/python", "docs/examples", "docs/conventions"],
    "Results": [f"docs/results/{name}" for name in ("tensor", "streaming", "indirect", "weakform", "elasticity", "solver",
                                                    "problems", "scaling", "plots/README")],
    "Inside": ["docs/architecture", "docs/multigrid", "docs/ranks", "CONTRIBUTING", "docs/fuzzing", "docs/mutations"],
    "Rooms of the sources": [],
    "More": [],
}


def add_sections(app, docname, source):
    """Gives the first page the sidebar's sections."""
    if docname != root_doc:
        return
    sections = {heading: list(pages) for heading, pages in SECTIONS.items()}
    named = {re.sub(r".*</|>", "", page) for pages in sections.values() for page in pages} | {root_doc}
    rooms = {page for page in app.env.found_docs if re.match("(src|apps)/", page)}
    sections["Rooms of the sources"] = sorted(rooms)
    sections["More"] = sorted(app.env.found_docs - named - rooms)
    for heading, pages in sections.items():
        lines = "".join(page + "\n" if "<" in page else f"/{page}\n" for page in pages)
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{lines}```\n"


def api_pages():
    """Pages of the API reference by the names of headers, from Doxygen's file of tags."""
    tags = root / "build/docs.tag"
    found = {}
    for compound in xml.etree.ElementTree.parse(tags).getroot().iter("compound") if tags.exists() else ():
        if compound.get("kind") == "file":
            path = compound.findtext("path").partition("/include/")[2]
            found[path + compound.findtext("name")] = compound.findtext("filename")
    return found


def link_names(app, doctree, docname):
    """Makes names of public headers, such as `solver/cg.hpp`, links to their pages of the API reference, and names of pages, such as
    `docs/record.md`, links to these."""
    for literal in list(doctree.findall(nodes.literal)):
        name = literal.astext().removeprefix("include/").removeprefix("miniapp/")
        page = app.api_pages.get(f"miniapp/{name}")
        target = f"api/{page}" if page else name.removesuffix(".md") + ".html"
        is_page = name.endswith(".md") and name.removesuffix(".md") in app.env.found_docs
        if (page or is_page) and not isinstance(literal.parent, nodes.reference):
            link = nodes.reference("", "", internal=False, refuri="../" * docname.count("/") + target)
            literal.replace_self(link)
            link += literal


def setup(app):
    app.api_pages = api_pages()
    app.connect("source-read", add_sections)
    app.connect("doctree-resolved", link_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
