# SPDX-License-Identifier: BSD-3-Clause
"""Command lines of the program in the process of Python."""
import contextlib
import io
import subprocess
import sys
import unittest

import miniapp


def run(*arguments, **options):
    """The result, and what was printed."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        return miniapp.run(*arguments, **options), printed.getvalue()


class RunTest(unittest.TestCase):
    def test_a_command_line_gives_its_record(self):
        record, printed = run("--bp 3.0 --order 1 --elements 8 --repeat 1 --preconditioner jacobi")
        self.assertEqual((record["module"], record["case"]["bp"], record["case"]["elements"]), ("tensor", "BP3.0", 8))
        self.assertTrue(record["verification"]["passed"])
        self.assertEqual(record["command"], "miniapp --bp 3.0 --order 1 --elements 8 --repeat 1 --preconditioner jacobi")
        self.assertEqual(printed, "")

    def test_keywords_are_options_and_several_records_a_list(self):
        found, printed = run("solver", matrix="poisson2d", unknowns=100, preconditioner="jacobi,amg", repeat=1, echo=True)
        self.assertEqual([r["case"]["pc"] for r in found], ["jacobi", "amg"])
        self.assertIn("poisson2d", printed)
        words = ["streaming", "--bs", "1", "--max-bytes", "1M", "--repeat", "2", "--verify-only"]
        same = run("streaming", bs=[1], max_bytes="1M", repeat=2, verify_only=True, quiet=None)[0]
        self.assertEqual(same["command"], run(words)[0]["command"])
        self.assertEqual(len(miniapp.records(words)), 1)

    def test_what_has_no_records_is_printed(self):
        self.assertIn("--matrix", run("solver --help")[1])
        self.assertEqual(run("--version")[0], [])

    def test_a_result_that_did_not_converge_raises_with_its_record(self):
        with self.assertRaises(miniapp.ResultError) as caught:
            run("solver --matrix poisson2d --unknowns 400 --preconditioner none --max-iterations 2 --repeat 1")
        self.assertEqual(caught.exception.records[0]["result"]["iterations"], 2)
        self.assertIsInstance(caught.exception.records[0]["wrong"], str)

    def test_bad_input_is_refused_by_name(self):
        for arguments, words in ((["--order 99"], "--order 99"), (["--nonsense"], "--nonsense"),
                                 (["--json file"], "--json"), (["--kokkos-num-threads=2"], "initialize")):
            with self.assertRaises(miniapp.InputError) as caught:
                run(*arguments)
            self.assertIn(words, str(caught.exception))


class SessionTest(unittest.TestCase):
    def test_a_process_ends_in_silence_with_objects_that_live(self):
        lines = ["import miniapp, numpy",
                 "miniapp.initialize()",
                 "problem = miniapp.Problem(miniapp.Mesh.box(2, 2, 2), 1, source=1, dirichlet=0)",
                 "u = problem.solve().values",
                 "M = problem.preconditioner('jacobi')",
                 "cycle = [problem, M]; cycle.append(cycle)",
                 "k = miniapp.Problem(problem.mesh, 1, coefficient=lambda x, y, z: 1 + x * len(cycle), dirichlet=0)",
                 "import atexit; atexit.register(lambda: print(u.sum() > 0))"]
        done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "True\n", ""))

    def test_kokkos_starts_once(self):
        miniapp.Problem(miniapp.Mesh.box(1, 1, 1), 1)
        with self.assertRaises(miniapp.InputError):
            miniapp.initialize()


if __name__ == "__main__":
    unittest.main()
