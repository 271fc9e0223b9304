# SPDX-License-Identifier: BSD-3-Clause
"""Files that commands write: no record is lost, and files of other kinds are not changed."""
import json
import os
import resource
import signal
import stat
import subprocess
import threading
import unittest

from command import ORDERS, PROGRAM, Command

LOOPS = ["indirect", "--elements", 12, "--repeat", 1, "--kernel", "atomic,staged,global", "--layout", "all"]
RECORDS = 6  # of LOOPS
MESH = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
6
1 0 0 0
2 1 0 0
3 2 0 0
4 0 1 0
5 1 1 0
6 2 1 0
$EndNodes
$Elements
2
1 3 2 1 1 1 2 5 4
2 3 2 1 1 2 3 6 5
$EndElements
"""


class Files(Command):
    def write(self, name, text):
        (self.folder / name).write_text(text)

    def names(self):
        return sorted(os.listdir(self.folder))


class Records(Files):
    def test_eight_processes_append_whole_lines(self):
        words = [PROGRAM, *map(str, LOOPS), "--json", "all.json"]
        for _ in range(3):
            runs = [subprocess.Popen(words, cwd=self.folder, stdout=subprocess.DEVNULL) for _ in range(8)]
            self.assertEqual([run.wait(timeout=120) for run in runs], [0] * 8)
        lines = (self.folder / "all.json").read_text().splitlines()
        self.assertEqual(len(lines), 3 * 8 * RECORDS)
        for line in lines:
            self.assertEqual(json.loads(line)["module"], "indirect")

    def test_a_link_stays_and_its_target_gets_the_records(self):
        os.symlink("target.json", self.folder / "link.json")
        self.run_program(*LOOPS, "--json", "link.json")
        self.assertTrue((self.folder / "link.json").is_symlink())
        self.assertEqual(len((self.folder / "target.json").read_text().splitlines()), RECORDS)

    def test_a_last_line_without_newline_gets_one(self):
        self.write("a.json", "{}")
        self.run_program(*LOOPS, "--json", "a.json")
        self.assertEqual(len([json.loads(line) for line in (self.folder / "a.json").read_text().splitlines()]), 1 + RECORDS)

    def test_a_file_of_another_kind_is_not_appended_to(self):
        for text in [MESH, "miniapp plan 2\n", "<svg>\n", "int main() {}\n"]:
            self.write("a.txt", text)
            self.assert_refused(*LOOPS, "--json", "a.txt", says=["--json a.txt", "accepted is a new file or a file of records"])
            self.assertEqual((self.folder / "a.txt").read_text(), text)

    def test_a_refusal_leaves_no_file(self):
        self.assert_refused("--order", 99, "--json", "new.json", says="--order 99")
        for path in ["none/new.json", "x" * 256, "y/" * 2100, "new/", ".", "a\nb/c\x1b[2J"]:
            self.assert_refused(*LOOPS, "--json", path, says=["--json", "accepted is"])
        self.assertEqual(self.names(), [])

    def test_a_file_that_may_grow_no_further_keeps_whole_lines(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
        outcome = self.run_program(*LOOPS, "--json", "a.json", code=1, preexec_fn=limit)
        self.assertIn("--json a.json: writing failed: File too large", outcome.errors)
        text = (self.folder / "a.json").read_text()
        self.assertTrue(text.endswith("\n"))
        for line in text.splitlines():
            json.loads(line)

    def test_a_pipe_that_nobody_writes_into_is_refused_by_every_reader(self):
        os.mkfifo(self.folder / "pipe.mtx")
        for words in (["weakform", "--mesh", "pipe.mtx"], ["indirect", "--loop", "airfoil", "--mesh", "pipe.mtx"],
                      ["solver", "--matrix", "pipe.mtx"], ["compare", "pipe.mtx", "pipe.mtx"],
                      ["indirect", "--loop", "airfoil", "--load-plan", "pipe.mtx"],
                      ["--tuning", "pipe.mtx"], ["--config", "pipe.mtx"]):
            with self.subTest(words=words):
                self.assert_refused(*words, says=["pipe.mtx", "accepted is"])

    def test_a_folder_that_was_deleted_is_refused_before_any_work(self):
        outcome = self.run_program(*LOOPS, "--json", "a.json", code=2, preexec_fn=lambda: os.rmdir(self.folder))
        self.folder.mkdir()
        self.assertIn("--json a.json: cannot be written: its folder was deleted", outcome.errors)
        self.assertEqual(outcome.output, "")

    def test_a_pipe_gets_the_records(self):
        os.mkfifo(self.folder / "pipe")
        lines = []
        reader = threading.Thread(target=lambda: lines.extend((self.folder / "pipe").read_text().splitlines()))
        reader.start()
        self.run_program(*LOOPS, "--json", "pipe")
        reader.join(60)
        self.assertEqual(len([json.loads(line) for line in lines]), RECORDS)
        self.assertTrue(stat.S_ISFIFO(os.stat(self.folder / "pipe").st_mode))


class Tables(Files):
    def test_a_tuning_table_is_appended_to_tables_alone(self):
        quick = ["tune", "--order", ORDERS[0], "--elements", 27, "--repeat", 1]
        self.write("a.txt", MESH)
        self.write("b.json", "{}\n")
        for name in ["a.txt", "b.json", "none/c.txt"]:
            self.assert_refused(*quick, "--tune", name, says=["--tune " + name, "accepted is"])
        self.assertEqual((self.folder / "a.txt").read_text(), MESH)
        self.assertEqual(self.names(), ["a.txt", "b.json"])
        for lines in [3, 6]:
            self.run_program(*quick, "--tune", "new.txt")
            self.assertEqual(len((self.folder / "new.txt").read_text().splitlines()), lines)


if __name__ == "__main__":
    unittest.main()
