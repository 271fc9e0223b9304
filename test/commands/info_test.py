# SPDX-License-Identifier: BSD-3-Clause
"""miniapp info says what this build and this machine are."""

import re
import time

from command import ON_DEVICE, ONE_THREAD, ORDERS, Command, device_of, pages


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
        versions = {key: record["libraries"][key] or "none" for key in ["kokkos_kernels", "metis", "zlib", "mpi", "hypre"]}
        self.assertEqual(page["libraries"],
                         "Kokkos Kernels {kokkos_kernels}, METIS {metis}, zlib {zlib}, MPI {mpi}, hypre {hypre}".format(**versions))
        self.assertEqual(page["device class"], f"{record['result']['device_class']}, by which tables of miniapp tune are kept")
        self.assertRegex(record["result"]["device_class"], r"\A(host(128|256|512)|sm_\d+|gfx\w+)\Z")
        devices = record["result"]["devices"]
        if ON_DEVICE:
            self.assertIn(record["device"], devices)
            for number, name in enumerate(devices):
                self.assertIn(f"{number}: {name}", page["devices"])
            self.assertIn("--kokkos-device-id=N", page["devices"])
        else:
            self.assertEqual(devices, [])
            self.assertIn("taskset -c 1" if ONE_THREAD else "OMP_NUM_THREADS", page["devices"])
        self.assertEqual(page["orders built"], " ".join(map(str, ORDERS)))
        roofs = record["roofs"]
        self.assertEqual([roof["bytes"] for roof in roofs["copy_gbytes"]], [1e6, 1e7, 1e8, 1e9])
        rates = [f"{roof['gbytes']:.1f} GB/s" for roof in roofs["copy_gbytes"]]
        rates += [f"{roofs[key]:.1f} GFLOP/s" for key in ("fma_gflops", "fma_single_gflops")]
        lines = outcome.output.split("measured roof")[1].splitlines()[1:7]  # a GPU's rates may be wider than their column
        rows = [re.split(r"\s{2,}", line.strip()) for line in lines]
        self.assertEqual([rate for _, _, rate in rows], rates)
        self.assertEqual([what for what, _, _ in rows], ["copy, read + write"] * 4 + ["FMA, double", "FMA, single"])
        self.assertEqual([size for _, size, _ in rows], ["1 MB", "10 MB", "100 MB", "1 GB", "registers", "registers"])
        for rate in [roof["gbytes"] for roof in roofs["copy_gbytes"]] + [
            roofs["fma_gflops"], roofs["fma_single_gflops"],
        ]:
            self.assertTrue(0.01 < rate < 1e6, rate)  # no machine is as slow or as fast
        # ten copies of each size took a part of the run
        self.assertLess(sum(10 * roof["bytes"] / roof["gbytes"] * 1e-9 for roof in roofs["copy_gbytes"]), elapsed)

    def test_progress_is_shown_on_a_terminal_unless_quiet(self):
        self.assertIn("multiply-adds", self.progress_of("info"))
        self.assertEqual(self.progress_of("info", "--quiet"), "")

    def test_the_device_class_is_that_of_tuning_tables(self):
        kept = self.record_of("info")["result"]["device_class"]
        tuned = self.records_of("tune", "--order", ORDERS[0], "--elements", 8, "--repeat", 1, "--tune", "table.txt")
        self.assertEqual({record["result"]["device_class"] for record in tuned}, {kept})
        lines = [line for line in (self.folder / "table.txt").read_text().splitlines() if line[:1] not in ("", "#")]
        self.assertEqual({line.split()[0] for line in lines}, {kept})
