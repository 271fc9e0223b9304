# SPDX-License-Identifier: BSD-3-Clause
"""Commands on two hosts without common memory give what they give on one; what one of them lacks, and its loss, is told with
its name and leaves nothing waiting."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from command import HIGH_ORDER, ON_DEVICE, ORDERS, PROGRAM
from on_ranks import MPIEXEC, OnRanks
from two_hosts import Refused, TwoHosts

ORDER = HIGH_ORDER or ORDERS[0]
SMALL = ["--order", ORDER, "--cells", "3x4x5", "--repeat", 1, "--bp", "3.0", "--tolerance", 1e-10]
LONG = ["solver", "--matrix", "poisson2d", "--unknowns", 1000000, "--preconditioner", "none"]  # some 2000 iterations


def open_mpi_4():
    said = "" if ON_DEVICE or not MPIEXEC else subprocess.run([MPIEXEC, "--version"], capture_output=True, text=True).stdout
    return re.search(r"\((Open MPI|OpenRTE)\) 4\.", said)


class Hosts(OnRanks):
    @classmethod
    def setUpClass(cls):
        not_here = "two hosts are not to be had here: "
        if not open_mpi_4():
            raise unittest.SkipTest(not_here + "they are started by Open MPI 4, on processors")
        folder = tempfile.mkdtemp(prefix="miniapp-hosts-")
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        try:
            cls.hosts = TwoHosts(folder)
        except (OSError, Refused) as refused:
            raise unittest.SkipTest(f"{not_here}{refused}") from refused
        cls.addClassCleanup(cls.hosts.end)
        hello = [*cls.hosts.on_alpha, MPIEXEC, "--host", "alpha:1,beta:1", "-n", "2", "hostname"]
        done = subprocess.run(hello, cwd=folder, env=cls.hosts.environment, stdin=subprocess.DEVNULL, timeout=60,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if sorted(done.stdout.split()) != ["alpha", "beta"]:
            raise unittest.SkipTest(f"{not_here}Open MPI starts no processes on both: {done.stdout}")

    def setUp(self):
        super().setUp()
        self.names = "alpha", "beta"  # each has as many ranks of the next runs, the lower ones on the first

    def launcher(self, ranks):
        places = ",".join(f"{name}:{ranks // len(self.names)}" for name in self.names)
        return [*self.hosts.on_alpha, MPIEXEC, "--host", places]

    def launch(self, *parts, timeout=60):
        return super().launch(*parts, timeout=timeout, env=self.hosts.environment)

    def compare_with_one_host(self, ranks, *words, exact=(), rounded=()):
        """The same results on one host and on two: `exact` ones, and `rounded` ones by whose order sums may differ."""
        self.names = "alpha",
        one, page = self.all_on(ranks, *words)
        self.assertIn(f"{ranks} ranks, ", " ".join(page.split()))
        self.names = "alpha", "beta"
        sent = self.hosts.sent_packets()
        two, page = self.all_on(ranks, *words)
        sent = self.hosts.sent_packets() - sent
        self.assertIn(f"{ranks} ranks on 2 hosts, ", " ".join(page.split()))
        for a, b in zip(one, two, strict=True):
            self.assertEqual((a["ranks"], a["hosts"], a["hostname"]), (ranks, 1, "alpha"))
            self.assertEqual((b["ranks"], b["hosts"], b["hostname"]), (ranks, 2, "alpha"))
            self.assertEqual(b["case"], a["case"])
            self.assertTrue(b["verification"]["passed"])
            for name in exact:
                self.assertEqual(b["result"][name], a["result"][name])
            for name in rounded:
                self.assert_close(b["result"][name], a["result"][name], 1e-8)
        return two, sent

    def test_the_main_job_is_that_of_one_host(self):
        launching = self.hosts.sent_packets()
        self.launch((2, self.folder, ["--version"]))
        launching = self.hosts.sent_packets() - launching
        for preconditioner in "jacobi", *(["p-multigrid"] if ORDER > 1 else []):
            for ranks in 2, 4:
                with self.subTest(preconditioner=preconditioner, ranks=ranks):
                    (record,), sent = self.compare_with_one_host(ranks, *SMALL, "--preconditioner", preconditioner,
                                                                 exact=["iterations", "converged"], rounded=["l2_error"])
                    self.assertGreater(sent, launching + record["result"]["iterations"])  # values go over the wire

    def test_commands_are_those_of_one_host(self):
        solver = ["solver", "--matrix", "poisson3d", "--unknowns", 1331, "--repeat", 1, "--preconditioner", "amg"]
        self.compare_with_one_host(4, *solver, exact=["iterations", "levels"])
        self.compare_with_one_host(4, "weakform", "--elements", 1000, "--solve", exact=["iterations", "linear_iterations"],
                                   rounded=["l2_error", "h1_error"])
        self.compare_with_one_host(4, "indirect", "--elements", 700, "--repeat", 1, "--kernel", "global", rounded=["norm"])
        self.compare_with_one_host(2, "streaming", "--bs", "1,5", "--order", ORDERS[0], "--min-bytes", "8k", "--max-bytes", "64k",
                                   "--samples", 2, exact=["entries", "moved_bytes"])
        self.compare_with_one_host(2, "elasticity", "--solve", "--cells", "4x2x2", "--order", ORDERS[0], "--preconditioner",
                                   "jacobi", exact=["converged"], rounded=["tip_deflection_m"])

    def test_memory_of_another_host_is_out_of_reach(self):
        for words in SMALL, ["solver", "--unknowns", 1000]:
            self.assertIn("--halo peer: ranks of 2 hosts cannot store into each other's memory; accepted are ranks of one host",
                          self.refused(2, (2, self.folder, [*words, "--halo", "peer"])))

    def test_what_one_host_lacks_is_told_with_its_name(self):
        disk = self.hosts.disk
        for host in "alpha", "beta":
            self.hosts.run_on(host, f"cd {disk}; mkdir {host}; echo 'order = {ORDER}' > {host}/c.toml; echo > {host}/a.msh")
        for host, without in ("alpha", "rank 1 on beta"), ("beta", "rank 0 on alpha"):
            for words in ["indirect", "--mesh", disk / host / "a.msh"], ["--config", disk / host / "c.toml"]:
                with self.subTest(words=words):
                    self.assertRegex(self.refused(2, (2, self.folder, words)),
                                     f"^miniapp: {without}: {words[-2]} {words[-1]}: cannot be read")
        said = self.refused(2, (2, self.folder, [*SMALL, "--output", disk / "alpha" / "a.pvtu"]))
        self.assertRegex(said, "a_1.vtu: cannot be written: .* \\(rank 1 on beta\\)$")
        said = self.refused(2, (1, self.folder, SMALL), (1, self.folder, [*SMALL, "--no-solve"]))
        self.assertIn("rank 1 on beta: the command line of rank 0 on alpha is another", said)
        self.assertNotIn(" on ", self.refused(2, (2, self.folder, ["indirect", "--mesh", disk / "none.msh"])))

    def solve_until(self, event):
        """Calls event({process: host}) in the midst of CG. How long the job takes to end from then on, its code, and what
        it says."""
        words = [*self.launcher(2), "-n", 2, "-wdir", self.folder, PROGRAM, *LONG]
        sent = self.hosts.sent_packets()
        with subprocess.Popen(list(map(str, words)), env=self.hosts.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as job:
            try:
                end = time.monotonic() + 60
                while self.hosts.sent_packets() < sent + 1000:  # set-up sends few
                    self.assertIsNone(job.poll())
                    self.assertLess(time.monotonic(), end)
                    time.sleep(0.05)
                ranks = self.hosts.processes(PROGRAM)
                self.assertEqual(sorted(ranks.values()), ["alpha", "beta"])
                event(ranks)
                start = time.monotonic()
                said, _ = job.communicate(timeout=60)
                seconds = time.monotonic() - start
            finally:
                job.kill()
        end = time.monotonic() + 5
        while self.hosts.processes(PROGRAM) and time.monotonic() < end:
            time.sleep(0.1)
        self.assertEqual(self.hosts.processes(PROGRAM), {}, "ranks are left")
        return seconds, job.returncode, said

    def test_a_rank_that_is_killed_on_another_host_ends_all(self):
        def kill(ranks):
            os.kill(next(pid for pid, host in ranks.items() if host == "beta"), signal.SIGKILL)
        seconds, code, said = self.solve_until(kill)
        self.assertNotEqual(code, 0)
        self.assertLess(seconds, 10)
        self.assertRegex(said, r"rank 1 with PID \d+ on node beta exited on signal 9")

    def test_a_host_that_the_network_loses_ends_all(self):
        self.addCleanup(self.hosts.run_on, "beta", "ip link set wire up")
        seconds, code, said = self.solve_until(lambda ranks: self.hosts.run_on("beta", "ip link set wire down"))
        self.assertNotEqual(code, 0)
        self.assertLess(seconds, 20)
        self.assertRegex(said, r"lost communication with a remote daemon(.|\n)*Remote daemon *: .* on node beta")


if __name__ == "__main__":
    unittest.main()
