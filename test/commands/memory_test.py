# SPDX-License-Identifier: BSD-3-Clause
"""Memory is checked before any work, the expected memory is what is used, and a failed allocation is reported by name."""

import re
import resource
import unittest

from command import ON_DEVICE, ORDERS, Command

LOW = ORDERS[0]
HIGH = max(order for order in ORDERS if order <= 7 or order == LOW)
GB = 10**9
UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}


def at_most(limit, which=resource.RLIMIT_AS):
    """For subprocess: the process gets no more memory than this."""
    return {"preexec_fn": lambda: resource.setrlimit(which, (limit, limit))}


def cubical(order, nodes):
    """A cubical number of elements with about so many nodes."""
    return max(1, round(nodes ** (1 / 3) / order)) ** 3


def runs():
    """Arguments of runs that take some ten to a few hundred MB."""
    for order in sorted({LOW, HIGH}):
        for arguments in (
            [],
            ["--preconditioner", "jacobi", "--precision", "single"],
            ["--preconditioner", "chebyshev", "--bp", "1.0", "--components", 2],
            ["--preconditioner", "lor-amg"],
            ["--preconditioner", "lor-ilu"],
            *([["--preconditioner", "p-multigrid"]] if order > 1 else []),
            ["--kernel", "reference", "--bp", "3.5"],
            ["--kernel", "rung1"],
        ):
            elements = cubical(order, 30000 if "reference" in arguments else 100000)
            yield ["--elements", elements, "--order", order, "--tolerance", 0.9, "--deform", 0, *arguments]
    for arguments in (
        ["--kernel", "owner", "--form", "neo-hookean"],
        ["--kernel", "transposed", "--form", "helmholtz"],
        ["--kernel", "tiles", "--dim", 2, "--reorder", "blocks", "--shuffle"],
    ):
        yield ["weakform", "--elements", "400k", "--verify-only", *arguments]
    for form, dim, elements in ("nonlinear-poisson", 3, "200k"), ("neo-hookean", 3, "100k"), ("neo-hookean", 2, "200k"):
        yield ["weakform", "--solve", "--form", form, "--dim", dim, "--elements", elements, "--tolerance", 0.1]
    if LOW <= 3:
        elements = max(1, 180 * 10**6 // (72 * ((LOW + 1) ** 2 * (LOW + 2) // 2) ** 2))
        yield ["elasticity", "--order", LOW, "--elements", elements, "--output-matrices", "host"]
        for more in ["--precision", "single"], ["--preconditioner", "amg"]:
            yield ["elasticity", "--solve", "--order", LOW, "--cells", "40x10x10", "--length", 1, "--tolerance", 0.9, *more]
    for arguments in (
        ["--matrix", "lor", "--order", 3, "--preconditioner", "jacobi", "--precision", "single"],
        ["--matrix", "poisson3d", "--preconditioner", "amg"],
        ["--matrix", "poisson3d", "--preconditioner", "ic0-chow-patel"],
    ):
        yield ["solver", "--unknowns", "100k", "--tolerance", 0.1, *arguments]


@unittest.skipIf(ON_DEVICE, "of the host's memory")
class Expected(Command):
    def test_the_peak_is_about_what_was_expected(self):
        """The program's own MB differ from system to system."""
        for arguments in runs():
            result = self.records_of(*arguments, *([] if "weakform" in arguments else ["--repeat", 1]))[0]["result"]
            peak, expected = result["peak_bytes"], result["expected_bytes"]
            self.assertLess(abs(peak - expected), 0.25 * peak + 10e6, arguments)
            self.assertGreater(expected, 0.8 * peak - 10e6, arguments)

    def test_a_roof_takes_no_more_than_1_gb(self):
        limit = 2 * GB  # less than any of these takes
        for order, elements in (HIGH, 400000), (LOW, 30000000):
            case = ["--order", order, "--elements", elements, "--preconditioner", "none"]
            refused = self.assert_refused(*case, says=["needs about", "are free"], **at_most(limit))
            number, unit = re.search(r"needs about ([0-9.]+) (\w+)", refused.errors).groups()
            needed = float(number) * UNITS[unit]
            n, q = order + 1, order + 2
            model = 8 * elements * (2 * n**3 + 7 * q**3)
            self.assertLess(needed, 1.5 * model if order < 3 else model / 1.5)  # low orders: the mesh


@unittest.skipIf(ON_DEVICE, "of the host's memory")
class Refused(Command):
    def test_tune_compares_before_it_works(self):
        for elements in 2000000, 2147483647:
            self.assert_refused(
                *["tune", "--elements", elements, "--order", HIGH],
                says=[f"--elements {elements}, order {HIGH}: needs about", "are free; accepted are fewer"],
                **at_most(2 * GB),
            )

    def test_matrices_compare_what_is_kept(self):
        order = min(HIGH, 7)
        for output in "device", "host":
            self.assert_refused(
                *["elasticity", "--elements", "8M", "--order", order, "--output-matrices", output],
                says=[f"--output-matrices {output}", "needs about", "are free; accepted are at most"],
                **at_most(2 * GB),
            )

    def test_solves_compare_their_matrix(self):
        self.assert_refused(
            *["solver", "--unknowns", "1k,16M"],
            says=["--unknowns 16000000: needs about", "are free; accepted are fewer unknowns"],
            **at_most(GB),
        )

    def test_cantilevers_compare_their_matrix(self):
        self.assert_refused(
            *["elasticity", "--solve", "--cells", "400x60x60", "--order", LOW],
            says=[f"--cells 400x60x60, --order {LOW}: needs about", "are free; accepted are fewer cells"],
            **at_most(GB),
        )


@unittest.skipIf(ON_DEVICE, "of the host's memory")
class LeftOut(Command):
    """A preconditioner that auto would try does not fit into the free memory; the smallest does."""

    def between(self, arguments, *preconditioners):
        """A limit that lies in the middle of what the two need."""
        small, needs = GB // 10, []
        for preconditioner in preconditioners:
            case = [*arguments, "--preconditioner", preconditioner]
            refused = self.assert_refused(*case, says=["needs about", "are free"], **at_most(small))
            found = re.search(r"needs about ([0-9.]+) (\w+)[^,]*, ([0-9.]+) (\w+) are free", refused.errors).groups()
            needs.append(float(found[0]) * UNITS[found[1]] - float(found[2]) * UNITS[found[3]])
        return small + round(sum(needs) / 2)

    def assert_left_out(self, arguments, kept, left_out):
        limit = self.between(arguments, kept, left_out)
        for memory in limit, 4 * GB:
            case = [*arguments, "--preconditioner", "auto", "--repeat", 1, "--json", "record.json"]
            done = self.run_program(*case, **at_most(memory))
            lacks = done.record["result"].get("without_room", [])
            self.assertEqual(left_out in lacks, memory == limit)
            says = f"the free memory does not hold {', '.join(lacks)}"
            self.assertEqual(says in " ".join(done.output.split()), memory == limit)

    @unittest.skipIf(HIGH < 3, "has no lower order for multigrid")
    def test_the_main_job_says_so(self):
        case = ["--elements", cubical(HIGH, 2000000), "--order", HIGH, "--tolerance", 0.9, "--deform", 0.08]
        self.assert_left_out(case, "jacobi", "p-multigrid")

    def test_solver_says_so(self):
        case = ["solver", "--matrix", "poisson3d", "--unknowns", "800k", "--tolerance", 0.1]
        self.assert_left_out(case, "none", "amg")


class Numbers(Command):
    def test_numbers_of_tune_are_decimal_and_in_range(self):
        for option, value in ("--elements", "0x10"), ("--elements", 0), ("--order", 0), ("--order", ""), ("--repeat", 0):
            self.assert_refused("tune", option, value, says=[option, "accepted"])

    @unittest.skipIf(1 not in ORDERS, "needs order 1")
    def test_a_layer_of_elements_has_no_free_node_at_order_1(self):
        self.assert_refused("tune", "--elements", 9, "--order", 1, says="--elements 9: ")
        self.assert_refused("tune", "--elements", 13, says="--elements 13: ")


@unittest.skipIf(ON_DEVICE, "of the host's memory")
class RunsOut(Command):
    """A limit that the check does not know: RLIMIT_DATA."""

    def fails(self, *arguments, says):
        done = self.start(*arguments, **at_most(60 * 10**6, resource.RLIMIT_DATA))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"\Aminiapp: [^\n]+\n\Z")
        for word in says, "memory ran out":
            self.assertIn(word, done.stderr)

    def test_the_message_names_what_was_too_large(self):
        side = 96 // HIGH
        self.fails("--order", HIGH, "--elements", side**3, says=f"{side} x {side} x {side} elements of --order {HIGH}")
        self.fails("tune", "--order", HIGH, "--elements", side**3, says=f"--elements {side**3}")
        self.fails("elasticity", "--order", LOW, "--elements", "64k", "--kernel", "products", says="--elements 64000")
        self.fails("elasticity", "--solve", "--order", LOW, "--cells", "64x16x16", says="--cells 64x16x16")
        self.fails("solver", "--unknowns", "400k", says="--unknowns 399424")
        self.fails("info", says="miniapp info: ")
