# SPDX-License-Identifier: BSD-3-Clause
"""miniapp info says what this build and this machine are."""

import time

from command import ORDERS, Command, device_of, pages, tables


class Info(Command):
    def test_page_and_record_agree(self):
        start = time.monotonic()
        outcome = self.run_program("info", "--json", "record.json")
        elapsed = time.monotonic() - start
        record, (title, page) = outcome.record, pages(outcome.output)[0]
        self.assertEqual(record["module"], "info")
        self.assertEqual(title, f"miniapp {record['version']}")
        self.assertEqual(page["commit"], record["commit"])
        self.assertEqual(page["compiler"], f"{record['compiler']}, {record['flags']}")
        self.assertEqual(page["Kokkos"], record["kokkos"]["version"])
        self.assertEqual(page["backends"], f"{', '.join(record['kokkos']['backends'])} (default first)")
        self.assertEqual(page["device"], device_of(record))
        self.assertEqual(page["orders built"], " ".join(map(str, ORDERS)))
        roofs = record["roofs"]
        self.assertEqual([roof["bytes"] for roof in roofs["copy_gbytes"]], [1e6, 1e7, 1e8, 1e9])
        rates = [f"{roof['gbytes']:.1f} GB/s" for roof in roofs["copy_gbytes"]]
        rates += [f"{roofs[key]:.1f} GFLOP/s" for key in ("fma_gflops", "fma_single_gflops")]
        rows = tables(outcome.output)[-1]
        self.assertEqual([row["rate"] for row in rows], rates)
        self.assertEqual([row["size"] for row in rows[:4]], ["1 MB", "10 MB", "100 MB", "1 GB"])
        for rate in [roof["gbytes"] for roof in roofs["copy_gbytes"]] + [
            roofs["fma_gflops"],
            roofs["fma_single_gflops"],
        ]:
            self.assertTrue(0.01 < rate < 1e6, rate)  # no machine is as slow or as fast
        # ten copies of each size took a part of the run
        self.assertLess(sum(10 * roof["bytes"] / roof["gbytes"] * 1e-9 for roof in roofs["copy_gbytes"]), elapsed)
