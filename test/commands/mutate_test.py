# SPDX-License-Identifier: BSD-3-Clause
"""scripts/mutate changes what it should, and does not change what no test can check."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from mutation import reviewed  # noqa: E402
from mutation.build import Scratch, Test  # noqa: E402
from mutation.changes import mutants_of  # noqa: E402


def changes(source, **options):
    """What each change of a body makes of it, without the function around."""
    source = f"void f() {{ {source} }}\n"
    return [(mutant.change, mutant.apply(source)[11:-3]) for mutant in mutants_of("a.cpp", source, **options)]


class Changes(unittest.TestCase):
    def test_operators_constants_and_words(self):
        self.assertEqual(changes("return a + b;"), [("+ -> -", "return a - b;")])
        self.assertEqual(changes("if (a < b) return;"),
                         [("< -> <=", "if (a <= b) return;"), ("< -> >=", "if (a >= b) return;")])
        self.assertEqual(changes("return a && !b;"),
                         [("&& -> ||", "return a || !b;"), ("! -> nothing", "return a && b;")])
        self.assertEqual(changes("return std::min(a, 0);"),
                         [("min -> max", "return std::max(a, 0);"), ("0 -> 1", "return std::min(a, 1);")])
        self.assertEqual(changes("while (true) break;"),
                         [("true -> false", "while (false) break;"), ("break -> continue", "while (true) continue;")])

    def test_statements(self):
        self.assertEqual(changes("g(a); b = c;"), [("statement removed", "; b = c;"), ("statement removed", "g(a); ;")])
        self.assertEqual(changes("x.y[i].push_back(a);"), [("statement removed", ";")])
        self.assertEqual(changes("std::vector<Real> v(n); Plan plan = make(); return g(a);"), [])
        self.assertEqual(changes("for (i = g(a); i < n; i = h(i)) k(i);")[-1],
                         ("statement removed", "for (i = g(a); i < n; i = h(i)) ;"))

    def test_what_is_left_alone(self):
        for source in (
            'say("a + 1");', "'0' ;", "// a + b\n", "/* 1 */", "static_assert(a + b == 2);", "double* x; A<1.5> b;",
            "return -x;", "return 1.0 * 10;",
        ):
            self.assertEqual([c for c in changes(source) if c[0] not in ("statement removed", "* -> /")], [], source)
        self.assertEqual(mutants_of("a.cpp", "#if A + 1 < 2\n#define B \\\n  1 + 1\n#endif\n"), [])
        self.assertEqual(mutants_of("a.cpp", "template <int n = 1, bool b = true>\nstruct A;\n"), [])
        self.assertEqual(mutants_of("a.cpp", "bool operator<(A a, A b);\n"), [])

    def test_branches_that_this_build_does_not_take(self):
        source = "if constexpr (runs_on_host) { return 1; } else { return 2; }"
        self.assertEqual({change for change, _ in changes(source)}, {"1 -> 0", "1 -> 2"})
        self.assertEqual({change for change, _ in changes(source, on_host=False)}, {"2 -> 1", "2 -> 3"})
        self.assertEqual(changes("if constexpr (!runs_on_host) return g(0);"), [])

    def test_places_are_told(self):
        mutant = mutants_of("a.cpp", "int x;\n  int y = a * b;\n")[0]
        self.assertEqual((mutant.line, mutant.column, mutant.text), (2, 13, "int y = a * b;"))


class Chosen(unittest.TestCase):
    """A build of two modules, and of two commands of which one uses them."""

    FILES = {
        "build/build.ninja": "build a.o: CXX_COMPILER__miniapp /unity_0.cxx\n"
        "build miniapp: CXX_EXECUTABLE_LINKER__program a.o\n"
        + "".join(
            f"build {m}.o: CXX_COMPILER__test ../test/{m}/a_test.cpp\n"
            f"build test/test_{m} | test/{m}.cmake: CXX_EXECUTABLE_LINKER__test {m}.o a.o\n"
            for m in ("mesh", "space", "ranks")
        ),
        "build/unity_0.cxx": '#include "src/mesh/read.cpp"\n#include "src/space/join.cpp"\n'
        '#include "apps/indirect/command.cpp"\n#include "apps/info/command.cpp"\n',
        "apps/indirect/command.cpp": '#include "miniapp/mesh/mesh.hpp"\n',
        "apps/info/command.cpp": "",
        "include/miniapp/mesh/mesh.hpp": "",
        "src/mesh/read.cpp": '#include "miniapp/mesh/mesh.hpp"\n',
        "src/space/join.cpp": "",
        "test/mesh/a_test.cpp": "",
        "test/space/a_test.cpp": '#include "miniapp/mesh/mesh.hpp"\n',
        "test/ranks/a_test.cpp": "",
    }

    def test_a_file_is_judged_by_the_tests_that_can_see_it(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in self.FILES.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text.replace("/unity_0.cxx", str(root / "build/unity_0.cxx")))
            scratch = Scratch(root, root / "build", root, 1)
            scratch.inputs = lambda target: {"build/unity_0.cxx", f"test/{target[len('test_'):]}/a_test.cpp"} & set(
                scratch.object_of
            )
            scratch.read_sources()
            self.assertEqual(scratch.modules, ["mesh", "ranks", "space"])
            scratch.tests = {
                name: Test(name, [], [], root, {}, [], module, command, on_ranks)
                for name, module, command, on_ranks in (
                    ("test_mesh", "mesh", "", False),
                    ("test_ranks", "ranks", "", True),
                    ("test_space", "space", "", False),
                    ("commands/files", "", "", False),
                    ("commands/ranks", "", "", True),
                    ("commands/info", "", "info", False),
                    ("cli/indirect", "", "indirect", False),
                )
            }
            for path, expected in (
                ("src/mesh/read.cpp", ["test_mesh", "cli/indirect"]),
                ("include/miniapp/mesh/mesh.hpp", ["test_mesh", "test_space", "cli/indirect"]),
                ("src/space/join.cpp", ["test_space", "test_ranks", "commands/ranks"]),
                ("apps/info/command.cpp", ["commands/info", "commands/files", "commands/ranks"]),
            ):
                self.assertEqual([test.name for test in scratch.tests_of(path)], expected, path)


class Reviewed(unittest.TestCase):
    def test_a_row_of_the_page_says_why_a_change_is_not_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(
                "| `a.cpp` | `if (b)` | `0 -> 1` | a table before |\n\n## Changes that no test can tell\n"
                "| file | line | change | reason |\n|---|---|---|---|\n"
                "| `a.cpp` | `if (b \\|\\| c) d(0);` | `0 -> 1` | because |\n| `b.hpp` | `*` | `*` | of GPUs |\n"
            )
            listed = reviewed.read(page)
        mutants = mutants_of("a.cpp", "void f() { if (b || c) d(0); }")
        self.assertEqual(
            [reviewed.reason_of(m, {("a.cpp", m.text, "0 -> 1"): "because"}) for m in mutants if m.change == "0 -> 1"],
            ["because"],
        )
        self.assertEqual(listed, {("a.cpp", "if (b || c) d(0);", "0 -> 1"): "because", ("b.hpp", "*", "*"): "of GPUs"})
        self.assertEqual(reviewed.reason_of(mutants_of("b.hpp", "int x = 1;")[0], listed), "of GPUs")
        self.assertEqual(reviewed.reason_of(mutants_of("c.hpp", "int x = 1;")[0], listed), "")


if __name__ == "__main__":
    unittest.main()
