# SPDX-License-Identifier: BSD-3-Clause
"""The main job on one rank and on two: right, converged, and how fast. Takes the miniapp of PATH.

    reframe -c packaging/reframe/miniapp_check.py -r --performance-report
"""
import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import parameter, performance_function, run_before, sanity_function, variable

number = r"([0-9.]+(?:e[-+][0-9]+)?)"


@rfm.simple_test
class MiniappSolve(rfm.RunOnlyRegressionTest):
    """BP3.0: verified against the reference, solved, compared with the exact solution"""

    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    executable = "miniapp"
    ranks = parameter([1, 2])
    order = variable(int, value=7)
    elements = variable(int, value=512)
    time_limit = "5m"
    tags = {"finite-element", "quick"}

    @run_before("run")
    def set_command(self):
        self.num_tasks = self.ranks
        self.executable_opts = ["--bp", "3.0", "--order", str(self.order), "--elements", str(self.elements)]

    @sanity_function
    def is_right(self):
        return sn.all(
            [
                sn.assert_found(r"^  verified .*: right", self.stdout),
                sn.assert_found(r"^  CG .*: (converged|stagnated)", self.stdout),
                sn.assert_lt(sn.extractsingle(rf"^  L2 error +{number}", self.stdout, 1, float), 10.0**-self.order),
            ]
        )

    @performance_function("MDOF/s", perf_key="solution")
    def solution(self):
        return sn.extractsingle(rf"^  solution .*; {number} million unknowns/s", self.stdout, 1, float)

    @performance_function("GDOF/s", perf_key="operator")
    def operator(self):
        return sn.extractsingle(rf"^  operator .*; {number} GDOF/s with", self.stdout, 1, float)

    @performance_function("%", perf_key="fraction of the bound")
    def bound(self):
        return sn.extractsingle(rf"^  bound +\[.*\] {number} % of", self.stdout, 1, float)
