# SPDX-License-Identifier: BSD-3-Clause
"""Every option of miniapp elasticity changes what it says it changes: element matrices and their plans."""

import unittest

from command import ON_DEVICE, ORDERS, Command, tables, times_of

PRISM_ORDERS = [order for order in ORDERS if order <= 7]
ORDER = PRISM_ORDERS[0] if PRISM_ORDERS else 0
POINTS = {1: 6, 2: 18, 3: 48, 4: 80, 5: 150, 6: 231, 7: 336}  # Dunavant's rules of degree 2p times p + 1 Gauss points
PAPER = ["reg-jac", "reg-nojac", "shm-jac", "shm-nojac"]
VARIANTS = PAPER + ["products", "split"]
# The paper's tables 3 and 4, single precision: threads, parts of REG, of SHM, blocks per thread of SHM, elements, those
# of a team
PLANS = {
    ("gtx-580", 2): (192, 2, 1, 2, 29056, 227),
    ("gtx-580", 3): (512, 4, 2, 2, 5376, 48),
    ("gtx-580", 4): (512, 11, 6, 2, 1904, 17),
    ("gtx-580", 5): (512, 32, 16, 2, 672, 6),
    ("gtx-580", 6): (512, 76, 38, 2, 224, 2),
    ("gtx-580", 7): (512, 162, 81, 2, 112, 1),
    ("hd-5870", 2): (256, 2, 1, 2, 11360, 71),
    ("hd-5870", 3): (256, 7, 3, 3, 2240, 14),
    ("hd-5870", 4): (256, 22, 8, 3, 640, 4),
    ("hd-5870", 5): (256, 63, 21, 3, 160, 1),
    ("hd-5870", 6): (256, 151, 51, 3, 80, 1),
    ("hd-5870", 7): (256, 324, 108, 3, 40, 1),
}
MIB = 1024 * 1024


def functions(order):
    return (order + 1) ** 2 * (order + 2) // 2


def input_bytes(variant, order, elements, word):
    """Vertices or Jacobians, materials, tables of the basis."""
    tables_ = 4 * POINTS[order] * functions(order)
    if variant.endswith("nojac"):
        return word * (elements * (10 * POINTS[order] + 2) + tables_)
    return word * (elements * (18 + 2) + tables_ + 4 * POINTS[order])


@unittest.skipIf(not PRISM_ORDERS, "needs an order up to 7")
class Elasticity(Command):
    def runs(self, *arguments):
        return self.records_of("elasticity", "--order", ORDER, "--repeat", 1, *arguments)

    def one(self, *arguments):
        return self.record_of("elasticity", "--order", ORDER, "--repeat", 1, *arguments)


class Elements(Elasticity):
    def test_functions_points_and_bytes_follow_from_the_order(self):
        for precision, word in ("double", 8), ("single", 4):
            records = self.records_of("elasticity", "--verify-only", "--elements", 3, "--precision", precision,
                                      "--kernel", "reg-nojac,products")
            self.assertEqual([record["case"]["order"] for record in records], [o for o in PRISM_ORDERS for _ in (0, 1)])
            for record in records:
                order, plan = record["case"]["order"], record["result"]["plan"]
                self.assertEqual((plan["functions"], plan["points"]), (functions(order), POINTS[order]))
                self.assertEqual(plan["elements_per_kernel"], 3)
                self.assertEqual(plan["output_bytes"], 3 * 9 * functions(order) ** 2 * word)
                self.assertEqual(plan["input_bytes"], input_bytes(record["case"]["variant"], order, 3, word))
                self.assertEqual(record["case"]["precision"], precision)
                self.assertTrue(0 < record["verification"]["error_over_tolerance"] <= 1)

    def test_auto_elements_have_matrices_of_a_quarter_of_a_gigabyte_on_hosts(self):
        size = 4e9 if ON_DEVICE else 128e6
        case = self.one("--verify-only", "--kernel", "products")["case"]
        self.assertEqual(case["elements"], max(8, int(size / (72 * functions(ORDER) ** 2))))

    def test_materials_and_deformation_are_taken(self):
        arguments = ["--verify-only", "--elements", 5, "--kernel", "products"]
        plain = self.one(*arguments)
        self.assertEqual(
            (plain["case"]["young"], plain["case"]["poisson"], plain["case"]["vary"], plain["case"]["deform"]),
            (2.1e11, 0.3, False, 0.1),
        )
        errors = {plain["verification"]["error_over_tolerance"]}
        for option, value in ("young", 3.7), ("poisson", 0.1), ("deform", 0.03), ("vary", True):
            name = "--perturb" if option == "deform" else f"--{option}"
            changed = self.one(*arguments, *([name] if value is True else [name, value]))
            self.assertEqual(changed["case"][option], value)
            self.assertTrue(changed["verification"]["passed"])
            errors.add(changed["verification"]["error_over_tolerance"])
        self.assertGreaterEqual(len(errors), 4)  # other numbers are rounded otherwise
        self.assertEqual(self.one(*arguments, "--perturb", 0)["case"]["deform"], 0)

    def test_elements_of_a_batch(self):
        for elements in 1, 7:
            record = self.one("--elements", elements, "--kernel", "products")
            self.assertEqual((record["case"]["elements"], record["case"]["batches"]), (elements, 1))


class Variants(Elasticity):
    def test_all_of_them_are_timed_by_phases(self):
        outcome = self.run_program(
            "elasticity",
            "--order",
            ORDER,
            "--elements",
            4,
            "--kernel",
            "all" if ORDER < 4 else "reg-jac,reg-nojac,products,split",
            "--repeat",
            2,
            "--wide",
            "--json",
            "record.json",
        )
        found = [record["case"]["variant"] for record in outcome.records]
        self.assertTrue({"reg-jac", "reg-nojac", "products"} <= set(found) <= set(VARIANTS), found)
        if ORDER < 4:
            self.assertEqual(found, [variant for variant in VARIANTS if variant in found])
        times, plans = tables(outcome.output)
        for record, plan_row, row in zip(outcome.records, plans, times, strict=True):
            self.check_rates(record)
            self.check_rows(record, plan_row, row)

    def check_rates(self, record):
        case, plan, timing, rates, roofs = (record[key] for key in ("case", "result", "timing", "rates", "roofs"))
        plan = plan["plan"]
        self.assert_sample(timing["kernel_s"], 2)
        self.assertEqual(set(timing["phases"]), {"preparation", "allocation", "transfer_in", "kernel"})
        for duration in timing["phases"].values():
            self.assertGreater(duration, 0)
        kernel = timing["kernel_s"]["median"]
        of_paper = 63 * POINTS[ORDER] * functions(ORDER) ** 2
        self.assert_close(rates["paper_gflops"] * kernel / 4, of_paper * 1e-9)
        if case["variant"] in PAPER:
            blocks = plan["parts"] * plan["threads"] * plan["blocks_per_thread"]
            self.assertGreaterEqual(blocks, functions(ORDER) ** 2)
            self.assert_close(rates["kernel_gflops"] * kernel / 4, 63 * POINTS[ORDER] * blocks * 1e-9)
            self.assert_close(rates["useful_gflops"], rates["paper_gflops"])
        else:  # what symmetry leaves to do is done, nothing is padded
            self.assertEqual((plan["threads"], plan["parts"], plan["blocks_per_thread"], plan["elements_per_team"]),
                             (None,) * 4)
            self.assertEqual(rates["kernel_gflops"], rates["useful_gflops"])
            if case["variant"] == "products":
                self.assertLess(rates["kernel_gflops"], rates["paper_gflops"])
        self.assert_close(rates["kernel_us_per_element"], 1e6 * kernel / 4)
        self.assert_close(rates["kernel_share"], kernel / (timing["phases"]["allocation"] + timing["overlapped_s"]))
        if not ON_DEVICE:  # nothing overlaps
            self.assert_close(timing["overlapped_s"],
                              kernel + timing["phases"]["preparation"] + timing["phases"]["transfer_in"])
        self.assert_close(roofs["fraction_of_fma_roof"], rates["done_gflops"] / roofs["fma_gflops"])
        self.assertLessEqual(rates["done_gflops"], rates["kernel_gflops"])
        written = 4 * 72 * functions(ORDER) ** 2 * 1e-9
        self.assert_close(roofs["fraction_of_write_roof"], written / kernel / (roofs["copy_gbytes"] / 2))
        # coordinates of six vertices or a Jacobian, its inverse and the weight at each point, and two of the material
        read = (10 * POINTS[ORDER] if case["variant"].endswith("nojac") else 18) + 2
        self.assertEqual(roofs["least_bytes"], 4 * 8 * (read + 9 * functions(ORDER) ** 2))
        self.assert_close(roofs["multiplications"], 1e9 * rates["done_gflops"] * kernel / 2)
        self.assert_bound(roofs, timing["kernel_s"])

    def check_rows(self, record, plan_row, row):
        case, plan, timing, rates, roofs = (record[key] for key in ("case", "result", "timing", "rates", "roofs"))
        plan = plan["plan"]
        name = f"{ORDER} {case['variant']}"

        def cut(key):
            return "-" if plan[key] is None else str(plan[key])

        expected = {
            "order / kernel": name,
            "functions": str(functions(ORDER)),
            "points": str(POINTS[ORDER]),
            "threads": cut("threads"),
            "parts": cut("parts"),
            "elements per kernel": "4",
            "blocks per thread": cut("blocks_per_thread"),
            "per team": cut("elements_per_team"),
            "input MiB": f"{plan['input_bytes'] / MIB:.3g}",
            "output MiB": f"{plan['output_bytes'] / MIB:.4g}",
        }
        self.assertEqual(plan_row | expected, plan_row)
        each = {phase: f"{1e6 * duration / 4:.4g}" for phase, duration in timing["phases"].items()}
        expected = {
            "order / kernel": name,
            "elements": "4",
            "batches": "1",
            "prepare": each["preparation"],
            "allocate": each["allocation"],
            "in": each["transfer_in"],
            "out": "0",
            "kernel": f"{rates['kernel_us_per_element']:.4g}",
            "overlapped": f"{1e6 * timing['overlapped_s'] / 4:.4g}",
            "kernel %": f"{100 * rates['kernel_share']:.1f}",
            "performed": f"{rates['kernel_gflops']:.4g}",
            "useful": f"{rates['useful_gflops']:.4g}",
            "paper": f"{rates['paper_gflops']:.4g}",
            "% FMA": f"{100 * roofs['fraction_of_fma_roof']:.1f}",
            "% writes": f"{100 * roofs['fraction_of_write_roof']:.1f}",
            "error": f"{record['verification']['error_over_tolerance']:.2g}",
        }
        self.assertEqual(row | expected, row)

    def test_auto_is_the_fastest_of_all(self):
        self.assertIn(self.one("--elements", 2, "--kernel", "auto")["case"]["variant"], VARIANTS)

    def test_verify_only_times_nothing(self):
        record = self.one("--elements", 2, "--verify-only", "--kernel", "reg-jac")
        self.assertTrue(record["verification"]["passed"])
        self.assertEqual((times_of(record), record["rates"], record["roofs"]), (set(), {}, {}))

    def test_matrices_go_where_they_are_asked_for(self):
        for output in "none", "device", "host":
            record = self.one("--elements", 3, "--kernel", "products", "--output-matrices", output)
            self.assertEqual(record["case"]["output_matrices"], output)
            self.assertEqual("transfer_out" in record["timing"]["phases"], output == "host")

    @unittest.skipIf(ON_DEVICE, "matrices of a device are in other memory")
    def test_matrices_on_the_host_are_kept_there(self):
        size = 400_000_000  # more than the roofs take that are measured before
        elements = size // (72 * functions(ORDER) ** 2)
        arguments = ["elasticity", "--order", ORDER, "--elements", elements, "--kernel", "products", "--repeat", 1]
        none, host = (self.most_memory_of(*arguments, "--output-matrices", output) for output in ("none", "host"))
        self.assertGreater(host - none, 0.9 * size)

    def test_the_page_names_what_was_asked(self):
        output = self.run_program("elasticity", "--order", ORDER, "--elements", 2, "--verify-only", "--kernel",
                                  "products", "--vary", "--young", 5, "--poisson", 0.25, "--perturb", 0.02,
                                  "--precision", "single").output
        self.assertIn("E 5 Pa, nu 0.25, another material in each element; vertices moved by up to 0.02; matrices: none",
                      output)
        self.assertIn("single precision, ", output)

    def test_progress_is_shown_on_a_terminal_unless_quiet(self):
        arguments = ["elasticity", "--order", ORDER, "--elements", 2, "--kernel", "products", "--verify-only"]
        self.assertIn(f"order {ORDER}, products", self.progress_of(*arguments))
        self.assertEqual(self.progress_of(*arguments, "--quiet"), "")


class Plan(Elasticity):
    def test_plans_for_the_papers_devices_are_its_tables(self):
        for (device, order), (threads, reg_parts, shm_parts, shm_blocks, elements, a_team) in PLANS.items():
            if order not in PRISM_ORDERS:
                continue
            output = self.run_program("elasticity", "--plan", device, "--order", order, "--precision", "single",
                                      "--wide").output
            rows = tables(output)[0]
            self.assertEqual([row["order / kernel"] for row in rows], [f"{order} {variant}" for variant in PAPER])
            for row, variant in zip(rows, PAPER):
                reg = variant.startswith("reg")
                expected = {
                    "functions": functions(order),
                    "points": POINTS[order],
                    "threads": threads,
                    "parts": reg_parts if reg else shm_parts,
                    "blocks per thread": 1 if reg else shm_blocks,
                    "elements per kernel": elements,
                    "per team": a_team,
                    "input MiB": f"{input_bytes(variant, order, elements, 4) / MIB:.3g}",
                    "output MiB": f"{elements * 36 * functions(order) ** 2 / MIB:.4g}",
                }
                self.assertEqual(row, row | {key: str(value) for key, value in expected.items()})

    def test_a_plan_is_cut_to_the_elements(self):
        rows = tables(
            self.run_program("elasticity", "--plan", "h200", "--order", ORDER, "--elements", 100, "--wide").output
        )[0]
        self.assertEqual({row["elements per kernel"] for row in rows}, {"100"})
        half, full = (
            tables(
                self.run_program("elasticity", "--plan", "h200", "--order", ORDER, "--wide", "--precision", precision,
                                 "--elements", 100, "--kernel", "reg-jac").output
            )[0]
            for precision in ("single", "double")
        )
        self.assert_close(float(full[0]["output MiB"]), 2 * float(half[0]["output MiB"]), 1e-3)
