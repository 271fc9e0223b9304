# SPDX-License-Identifier: BSD-3-Clause
"""--csv: records as rows of a table."""

import csv
import json

from command import ORDERS, Command
from records_test import ALL

SMALL = ["--order", ORDERS[0], "--elements", 8, "--repeat", 1, "--no-solve"]


def flatten(value, name=""):
    """{dotted name: cell} of a record."""
    if not isinstance(value, dict):
        text = "" if value is None else value if isinstance(value, str) else value
        return {name: text}
    cells = {}
    for key, part in value.items():
        cells.update(flatten(part, f"{name}.{key}" if name else key))
    return cells


class Csv(Command):
    def rows(self, name="table.csv"):
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file))

    def assert_row(self, row, record):
        for name, value in flatten(record).items():
            self.assertIn(name, row)
            if isinstance(value, str):
                self.assertEqual(row[name], value, name)
            else:
                self.assertEqual(json.loads(row[name]), value, name)

    def test_a_row_is_the_record(self):
        for module, arguments in {**ALL, "info": ["info"], "tune": ["tune", "--order", ORDERS[0], "--elements", 8,
                                                                    "--repeat", 1]}.items():
            with self.subTest(module=module):
                outcome = self.run_program(*arguments, "--json", "record.json", "--csv", f"{module}.csv")
                rows = self.rows(f"{module}.csv")
                self.assertEqual(len(rows), len(outcome.records))
                for row, record in zip(rows, outcome.records):
                    self.assert_row(row, record)

    def test_runs_append_under_one_header(self):
        for deform in "0.01", "0.02":
            self.run_program(*SMALL, "--deform", deform, "--csv", "table.csv")
        self.assertEqual([row["case.deform"] for row in self.rows()], ["0.01", "0.02"])
        self.assertEqual((self.folder / "table.csv").read_text().count("schema,"), 1)

    def test_a_run_of_more_columns_adds_them(self):
        self.run_program(*SMALL, "--csv", "table.csv")
        (before,) = self.rows()
        solve = [*SMALL[:-1], "--json", "record.json", "--csv", "table.csv"]
        record = self.run_program(*solve).record
        jacobi = self.run_program(*solve, "--preconditioner", "jacobi").record
        rows = self.rows()
        self.assertEqual({name: rows[0][name] for name in before}, before)
        self.assertEqual({text for name, text in rows[0].items() if name not in before}, {""})
        self.assert_row(rows[1], record)
        self.assert_row(rows[2], jacobi)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["record.json", "table.csv"])

    def test_a_table_of_an_older_version_gets_the_columns_it_lacks(self):
        (self.folder / "old.csv").write_text("schema,command,module,case.bp\n1,miniapp,tensor,BP1.0\n")
        record = self.run_program(*SMALL, "--json", "record.json", "--csv", "old.csv").record
        old, new = self.rows("old.csv")
        self.assertEqual((old["command"], old["case.bp"], old["commit"]), ("miniapp", "BP1.0", ""))
        self.assert_row(new, record)

    def test_a_table_of_another_module_is_refused(self):
        self.run_program(*SMALL, "--csv", "table.csv")
        before = (self.folder / "table.csv").read_text()
        self.assert_refused("streaming", "--csv", "table.csv",
                            says=["--csv table.csv: holds rows of tensor; accepted is a new file"])
        self.assertEqual((self.folder / "table.csv").read_text(), before)

    def test_other_files_stay(self):
        (self.folder / "notes.txt").write_text("mine\n")
        self.assert_refused(*SMALL, "--csv", "notes.txt", says="--csv notes.txt: holds something else, which stays")
        self.assert_refused(*SMALL, "--csv", "a", "--json", "a", says="--csv a: is the file that --json writes")
        self.assertEqual((self.folder / "notes.txt").read_text(), "mine\n")

    def test_rows_are_kept_where_a_run_fails(self):
        arguments = ["--order", ORDERS[0], "--elements", 27, "--max-iterations", 1, "--repeat", 1, "--csv", "table.csv"]
        self.run_program(*arguments, code=1)
        self.assertEqual(self.rows()[0]["result.verdict"], "unconverged")
