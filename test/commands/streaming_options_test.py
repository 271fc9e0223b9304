# SPDX-License-Identifier: BSD-3-Clause
"""Every option of miniapp streaming changes what it says it changes."""

import math
import pathlib
import time
import unittest

from command import ON_DEVICE, Command, amount, tables

WORDS = {1: 2, 2: 3, 3: 1, 4: 2, 5: 6}  # an entry, that the paper counts
NAMES = ["empty launch", "copy", "axpby", "norm", "dot", "update", "gather", "scatter", "gather of a scatter"]
BOX = (2, 3, 4)


def counts(sides, order):
    """Local and global nodes."""
    return math.prod(sides) * (order + 1) ** 3, math.prod(n * order + 1 for n in sides)


def model_bytes(bs, sides, order, word=8):
    """Values, an index per local node, and the start of a row per global one where it gathers."""
    local, globals_ = counts(sides, order)
    scatter = (local + globals_) * word + 4 * local
    gather = scatter + 4 * (globals_ + 1)
    return {6: gather, 7: scatter, 8: gather + scatter}[bs]


class Streaming(Command):
    def curves(self, *arguments):
        """{(bs, order): record} of a run."""
        least = [
            word
            for option, word in (("--repeat", 1), ("--max-bytes", "100k"))
            if option not in arguments
            for word in (option, word)
        ]  # the copy roof is measured at --max-bytes
        records = self.records_of("streaming", *least, *arguments)
        return {(record["case"]["bs"], record["case"]["order"]): record for record in records}


class Vectors(Streaming):
    def test_sizes_lie_between_the_bytes_each_a_constant_factor_larger(self):
        for precision, word in ("double", 8), ("single", 4):
            least, most, samples = 3000, 200000, 6
            found = self.curves("--bs", "1..5", "--min-bytes", "3k", "--max-bytes", "200k", "--samples", samples,
                                "--precision", precision)
            for bs, words in WORDS.items():
                record = found[bs, None]
                case, curve = record["case"], record["result"]["curve"]
                self.assertEqual((case["name"], case["samples"], case["precision"]), (NAMES[bs], samples, precision))
                self.assertEqual(len(curve), samples)
                entry = words * word
                for s, (size, duration) in enumerate(curve):
                    wanted = least * (most / least) ** (s / (samples - 1))
                    self.assertTrue(wanted - entry <= size <= wanted + entry, (bs, size, wanted))
                    self.assertTrue(least <= size <= most and size % entry == 0, (bs, size))
                    self.assertGreater(duration, size / 1e14)
                self.assertEqual(curve[-1][0], most // entry * entry)
                self.assertEqual(record["result"]["entries"], [size / entry for size, _ in curve])
                self.assertEqual(record["result"]["moved_bytes"], [size for size, _ in curve])

    def test_close_sizes_differ_by_an_entry(self):
        record = self.curves("--bs", 4, "--min-bytes", 16, "--max-bytes", 160, "--samples", 10)[4, None]
        self.assertEqual(record["result"]["entries"], list(range(1, 11)))
        record = self.curves("--bs", 4, "--min-bytes", 17, "--max-bytes", 160, "--samples", 9)[4, None]
        self.assertEqual(record["result"]["entries"], list(range(2, 11)))

    def test_one_sample_is_the_largest_size(self):
        record = self.curves("--bs", 1, "--max-bytes", "64k", "--samples", 1)[1, None]
        self.assertEqual([size for size, _ in record["result"]["curve"]], [64000])
        self.assertEqual(record["result"]["wmax_gbytes"], 0)
        self.assertEqual(record["result"]["t0_s"], record["result"]["curve"][0][1])

    def test_operations_are_those_asked_for_once_and_rising(self):
        for bs, expected in ("5,1..3,2", [1, 2, 3, 5]), ("0,8", [0, 8]), ("6..7", [6, 7]), (None, list(range(1, 8))):
            asked = ["--bs", bs] if bs else []
            found = self.curves(*asked, "--order", 1, "--cells", 2, "--max-bytes", "4k", "--samples", 2)
            self.assertEqual([number for number, _ in found], expected)
            for number, order in found:
                self.assertEqual(order, 1 if number >= 6 else None)
                self.assertEqual(found[number, order]["case"]["name"], NAMES[number])
        empty = self.curves("--bs", 0)[0, None]["result"]
        self.assertEqual((empty["curve"][0][0], empty["moved_bytes"], empty["entries"]), (0, [0], [0]))

    def test_every_result_is_checked(self):
        for precision in "double", "single":
            checks = [
                record["verification"]
                for record in self.curves("--bs", "1..8", "--order", 2, "--cells", 3, "--precision", precision).values()
            ]
            self.assertEqual(len(checks), 8)
            for check in checks:
                self.assertTrue(check["passed"])
                self.assertLessEqual(check["error_over_tolerance"], 1)
            self.assertGreater(max(check["error_over_tolerance"] for check in checks), 0)  # sums are rounded


class Meshes(Streaming):
    def test_bytes_follow_from_the_mesh(self):
        for precision, word in ("double", 8), ("single", 4):
            found = self.curves("--bs", "6..8", "--order", "1,4", "--cells", "2x3x4", "--indexing", "nodes",
                                "--precision", precision)
            self.assertEqual(list(found), [(bs, order) for order in (1, 4) for bs in (6, 7, 8)])
            for (bs, order), record in found.items():
                result = record["result"]
                local, globals_ = counts(BOX, order)
                self.assertEqual(result["entries"], [globals_])
                self.assertEqual([size for size, _ in result["curve"]], [model_bytes(bs, BOX, order, word)])
                if bs == 7:
                    self.assertEqual(result["moved_bytes"], [model_bytes(bs, BOX, order, word)])
                elif bs == 6:  # and where each team begins
                    teams = result["moved_bytes"][0] - model_bytes(bs, BOX, order, word)
                    self.assertTrue(8 <= teams <= 4 + 4 * globals_ and teams % 4 == 0, teams)
                    gather = result["moved_bytes"][0]
                else:
                    self.assertEqual(result["moved_bytes"][0], gather + model_bytes(7, BOX, order, word))

    def test_a_mesh_is_a_box_or_a_cube(self):
        for mesh, sides in ("3x1x2", (3, 1, 2)), ("3", (3, 3, 3)):
            self.assertEqual(self.curves("--bs", 7, "--order", 3, "--cells", mesh)[7, 3]["result"]["entries"],
                             [counts(sides, 3)[1]])

    def test_cubes_grow_to_the_most_elements_or_bytes(self):
        for order in 1, 2:
            found = self.curves("--bs", "6..8", "--order", order, "--elements", 1000, "--max-bytes", "1k")
            for bs in 6, 7, 8:
                sides = [2, 3, 4, 5, 6, 7, 8, 9, 10]
                self.assertEqual(found[bs, order]["result"]["entries"], [counts((n,) * 3, order)[1] for n in sides])
            found = self.curves("--bs", "6..8", "--order", order, "--max-bytes", "100k")
            for bs in 6, 7, 8:
                sides = [n for n in range(2, 12) if model_bytes(bs, (n,) * 3, order) <= 100000]
                self.assertTrue(1 < len(sides) < 10)
                self.assertEqual(
                    [size for size, _ in found[bs, order]["result"]["curve"]],
                    [model_bytes(bs, (n,) * 3, order) for n in sides],
                )
        self.assertEqual(len(self.curves("--bs", 7, "--order", 1, "--elements", 7**3 - 1)[7, 1]["result"]["curve"]), 5)
        self.assertEqual(len(self.curves("--bs", 7, "--order", 1, "--elements", 7**3)[7, 1]["result"]["curve"]), 6)

    def test_masked_nodes_need_no_indices_where_gathered(self):
        order = 2
        plain, masked = (
            self.curves("--bs", "6,7", "--order", order, "--cells", "2x3x4", "--indexing", "nodes", "--boundary", mask)
            for mask in ("neumann", "dirichlet")
        )
        self.assertEqual((plain[6, 2]["case"]["mask"], masked[6, 2]["case"]["mask"]), ("none", "dirichlet"))
        local, _ = counts(BOX, order)
        free = math.prod(n * (order + 1) - 2 for n in BOX)  # local nodes off the surface
        self.assertEqual(plain[6, 2]["result"]["moved_bytes"][0] - masked[6, 2]["result"]["moved_bytes"][0],
                         4 * (local - free))
        self.assertEqual(plain[7, 2]["result"]["moved_bytes"], masked[7, 2]["result"]["moved_bytes"])
        self.assertEqual(plain[6, 2]["result"]["curve"][0][0], masked[6, 2]["result"]["curve"][0][0])

    def test_rows_need_an_index_each_where_nodes_are_numbered_along_lines(self):
        order = 3
        local, globals_ = counts(BOX, order)
        values, rows = 8 * (local + globals_), 4 * local // (order + 1)
        moved = {
            numbering: self.curves("--bs", 7, "--order", order, "--cells", "2x3x4", "--indexing", "compact",
                                   "--numbering", numbering)[7, order]
            for numbering in ("lines", "first-touch", "random")
        }
        for numbering, record in moved.items():
            self.assertEqual((record["case"]["numbering"], record["case"]["layout"]), (numbering, "compact"))
            moved[numbering] = record["result"]["moved_bytes"][0]
        self.assertEqual(moved["lines"], values + rows)
        self.assertEqual(moved["random"], values + rows + 4 * local)  # every row has a list of its own
        self.assertTrue(moved["lines"] < moved["first-touch"] < moved["random"])

    def test_layouts_are_recorded_as_they_are_used(self):
        for layout in "nodes", "compact":
            for (bs, _), record in self.curves("--bs", "6..8", "--order", 2, "--cells", "2x3x4", "--indexing",
                                               layout).items():
                self.assertEqual(record["case"]["layout"], layout)
                size, moved = record["result"]["curve"][0][0], record["result"]["moved_bytes"][0]
                self.assertEqual(moved < size, layout == "compact", (bs, size, moved))
        auto = self.curves("--bs", "6..8", "--order", 2, "--cells", "2x3x4")
        scatter, gather, both = (auto[bs, 2] for bs in (7, 6, 8))
        self.assertEqual(both["case"]["layout"],
                         " and ".join(sorted({scatter["case"]["layout"], gather["case"]["layout"]})))
        indices = [r["result"]["moved_bytes"][0] for r in (scatter, gather, both)]
        self.assertEqual(indices[2], indices[0] + indices[1])


class Model(Streaming):
    def fit(self, curve):
        """T0, Wmax, R^2 and the worst part, by weights 1 / T^2 and T0 >= 0."""
        weights = [1 / t**2 for _, t in curve]
        mean_b, mean_t = (sum(w * p[i] for w, p in zip(weights, curve)) / sum(weights) for i in (0, 1))
        slope = sum(w * (b - mean_b) * (t - mean_t) for w, (b, t) in zip(weights, curve)) / sum(
            w * (b - mean_b) ** 2 for w, (b, _) in zip(weights, curve)
        )
        t0, mean = mean_t - slope * mean_b, sum(t for _, t in curve) / len(curve)
        if slope > 0 > t0:
            t0, slope = 0, sum(b / t for b, t in curve) / sum((b / t) ** 2 for b, t in curve)
        residuals = [t - t0 - slope * b for b, t in curve]
        r_squared = 1 - sum(r * r for r in residuals) / sum((t - mean) ** 2 for _, t in curve)
        return t0, 1e-9 / slope, r_squared, max(abs(r) / t for r, (_, t) in zip(residuals, curve))

    def test_it_is_fitted_to_the_curve(self):
        outcome = self.run_program("streaming", "--bs", "1..7", "--order", 1, "--max-bytes", "2M", "--samples", 8,
                                   "--repeat", 2, "--json", "record.json")
        rows = tables(outcome.output)[0]
        copy = outcome.records[0]["roofs"]["copy_gbytes"]
        self.assertIn(f"copy roof {copy:.4g} GB/s at 2 MB", outcome.output)
        beyond = outcome.records[0]["result"]["beyond_cache"]["from_bytes"]
        self.assertIn(f"Wmax of sizes from {amount(beyond) if beyond else 'unknown'} on", outcome.output)
        for record, row in zip(outcome.records, rows, strict=True):
            result, rates, case = record["result"], record["rates"], record["case"]
            t0, wmax, r_squared, worst = self.fit(result["curve"])
            if not wmax > 0:
                continue
            for key, expected in (
                ("t0_s", t0),
                ("wmax_gbytes", wmax),
                ("r_squared", r_squared),
                ("worst_residual", worst),
            ):
                self.assertAlmostEqual(result[key], expected, delta=1e-6 * abs(expected) + 1e-15, msg=key)
            self.assertEqual(result["fits"], r_squared >= 0.9)
            name = f"BS{case['bs']}" + (f" of order {case['order']}" if case["order"] else "")
            self.assertEqual(f"{name} (R^2 {r_squared:.2g})" in " ".join(outcome.output.split()), r_squared < 0.9)
            if t0 > 0:
                self.assert_close(result["b80_bytes"], 4 * t0 * wmax * 1e9, 1e-6)
            else:
                self.assertIsNone(result["b80_bytes"])
            size, duration = result["curve"][-1]
            self.assert_close(rates["largest_gbytes"], size / duration * 1e-9)
            self.assert_close(rates["largest_moved_gbytes"], result["moved_bytes"][-1] / duration * 1e-9)
            self.assertEqual(record["roofs"]["copy_gbytes"], copy)
            self.assertEqual(record["roofs"]["least_bytes"], result["moved_bytes"][-1])
            self.assert_bound(record["roofs"], {"median": duration})
            self.assertEqual(
                result["beyond_cache"]["sizes"],
                sum(size >= result["beyond_cache"]["from_bytes"] > 0 for size, _ in result["curve"]),
            )
            expected = {
                "test": f"BS{case['bs']} {case['name']}",
                "order": str(case["order"] or "-"),
                "sizes": str(len(result["curve"])),
                "T0 us": f"{1e6 * result['t0_s']:.3g}",
                "Wmax GB/s": f"{result['wmax_gbytes']:.4g}",
                "R^2": f"{result['r_squared']:.5f}",
                "B0.8": amount(result["b80_bytes"]) if t0 > 0 else "-",
                "worst %": f"{100 * result['worst_residual']:.0f}",
                "largest GB/s": f"{rates['largest_gbytes']:.4g}",
                "moved GB/s": f"{rates['largest_moved_gbytes']:.4g}",
                "% bound": f"{100 * record['roofs']['fraction_of_bound']:.0f}",
                "right": "yes",
            }
            self.assertEqual(row | expected, row)

    def test_what_does_not_follow_the_model_is_named_with_its_order_and_explained_once(self):
        outcome = self.run_program("streaming", "--bs", "1,7", "--order", "1,2,7", "--max-bytes", "4M", "--samples", 8,
                                   "--repeat", 1, "--json", "record.json")
        bad = []
        for record in outcome.records:
            case, result = record["case"], record["result"]
            if not result["fits"] and result["wmax_gbytes"]:
                of_order = f" of order {case['order']}" if case["order"] else ""
                bad.append(f"BS{case['bs']}{of_order} (R^2 {result['r_squared']:.2g})")
        page = " ".join(outcome.output.split())
        self.assertEqual(page.count("times do not follow"), 1 if bad else 0)
        self.assertIn(", ".join(bad), page)

    def test_a_fit_to_one_or_two_sizes_is_not_judged(self):
        for samples in 1, 2, 3:
            outcome = self.run_program("streaming", "--bs", "0,1", "--max-bytes", "64k", "--samples", samples, "--repeat", 1,
                                       "--json", "record.json", "--wide")
            empty, copy = (record["result"] for record in outcome.records)
            rows = tables(outcome.output)[0]
            self.assertEqual((empty["r_squared"], empty["fits"], rows[0]["R^2"]), (None, None, "-"))
            if samples == 3:
                self.assertEqual((rows[1]["R^2"], copy["fits"]), (f"{copy['r_squared']:.5f}", copy["r_squared"] >= 0.9))
            else:
                self.assertEqual((copy["r_squared"], copy["fits"], rows[1]["R^2"]), (None, None, "-"))
                self.assertNotIn("do not follow", outcome.output)

    @unittest.skipIf(ON_DEVICE, "a host's caches")
    def test_what_lies_beyond_the_caches_is_four_times_the_largest(self):
        largest = 0
        for file in pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index[0-7]/size"):
            size = file.read_text().strip()
            if size.endswith("K"):
                largest = max(largest, 1024 * int(size[:-1]))
        result = self.curves("--bs", 1, "--max-bytes", "4k", "--samples", 1)[1, None]["result"]
        self.assertEqual(result["beyond_cache"]["from_bytes"], 4 * largest)

    def test_large_sizes_are_fitted_by_themselves(self):
        beyond = self.curves("--bs", 1, "--max-bytes", "4k", "--samples", 1)[1, None]["result"]["beyond_cache"][
            "from_bytes"
        ]
        if not 0 < beyond <= 2e8:
            self.skipTest("needs a known last-level cache of up to 50 MB")
        result = self.curves("--bs", 3, "--min-bytes", beyond / 2, "--max-bytes", 1.5 * beyond, "--samples", 3)[
            3, None
        ]["result"]
        large = [point for point in result["curve"] if point[0] >= beyond]
        self.assertEqual(result["beyond_cache"]["sizes"], len(large))
        self.assertEqual(len(large), 1)  # at half, 0.87 and 1.5 times: nothing is fitted
        self.assertEqual(result["beyond_cache"]["wmax_gbytes"], 0)

    def test_each_size_has_the_spread_of_its_times(self):
        words = ["--bs", "0,1,7", "--order", 1, "--max-bytes", "64k", "--samples", 3, "--repeat", 4]
        for record in self.curves(*words, "--all-samples").values():
            result = record["result"]
            self.assertEqual(len(result["times"]), len(result["curve"]))
            for (_, seconds), times in zip(result["curve"], result["times"]):
                self.assert_sample(times, 4)
                self.assertEqual(times["median"], seconds)
                self.assertEqual((min(times["all"]), max(times["all"])), (times["min"], times["max"]))
                self.assert_close(seconds, sum(sorted(times["all"])[1:3]) / 2)
        for record in self.curves(*words).values():
            *others, largest = (list(times) for times in record["result"]["times"])
            self.assertEqual(len(others) + 1, len(record["result"]["curve"]))
            for keys in *others, [key for key in largest if key != "joules"]:  # energy of the largest, where it is counted
                self.assertEqual(keys, ["min", "median", "max", "repetitions"])

    def test_time_is_that_of_one_run_of_many(self):
        iterations = 500
        start = time.monotonic()
        result = self.curves("--bs", 3, "--max-bytes", "64k", "--samples", 3, "--iterations", iterations)[3, None]
        elapsed = time.monotonic() - start
        self.assertEqual(result["case"]["iterations"], iterations)
        self.assertGreater(elapsed, iterations * sum(duration for _, duration in result["result"]["curve"]))

    def test_progress_is_shown_on_a_terminal_unless_quiet(self):
        arguments = ["streaming", "--bs", "1,6", "--order", 1, "--max-bytes", "8k", "--samples", 3, "--repeat", 1]
        shown = self.progress_of(*arguments)
        self.assertRegex(shown, r"1 of 2: BS1: size 3 of 3; \d+ s so far, about \d+ s left")
        self.assertIn("2 of 2: BS6 of order 1: size 1 of", shown)
        self.assertEqual(self.progress_of(*arguments, "--quiet"), "")
