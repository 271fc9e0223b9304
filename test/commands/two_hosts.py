# SPDX-License-Identifier: BSD-3-Clause
"""Two hosts, alpha and beta, as namespaces of one Linux machine: each has a name, a network, shared memory and a disk of its
own, and a wire joins them. Open MPI reaches beta through a script in place of ssh.

All their processes are in one PID namespace, whose first process ends when its standard input is closed: none is left,
however a test ends."""

import os
import pathlib
import subprocess

NAMESPACES = ["unshare", "--net", "--uts", "--ipc", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
HOST = 'host() { hostname "$1"; ip link set lo up; mount -t tmpfs tmpfs /dev/shm; mount -t tmpfs tmpfs "$disk"; }\n'
MAKE = HOST + f"""
host alpha
unshare --net --uts --ipc --mount sh -ec '{HOST} host beta; echo $$ >named; mv named beta; exec sleep infinity' &
until [ -e beta ]; do kill -0 $!; sleep 0.02; done
ip link add wire type veth peer name wire netns $!
ip addr add 10.0.0.1/24 dev wire
ip link set wire up
nsenter --net=/proc/$!/ns/net ip addr add 10.0.0.2/24 dev wire
nsenter --net=/proc/$!/ns/net ip link set wire up
echo made
exec cat
"""
ON_BETA = 'cd FOLDER; ns=/proc/$(cat beta)/ns; nsenter --net=$ns/net --uts=$ns/uts --ipc=$ns/ipc --mount=$ns/mnt sh -c "$*"'
AGENT = f"""#!/bin/sh
[ "$1" = beta ] || {{ echo "no host $1" >&2; exit 255; }}
shift
{ON_BETA}
code=$?
ip link show wire | grep -q LOWER_UP || exec sleep 600  # so does ssh where the network is lost
exit $code
"""


class Refused(Exception):
    """The kernel, or what guards it, takes no such hosts: says why."""


class TwoHosts:
    def __init__(self, folder):
        """In an empty folder, which both hosts share, but for its folder `disk`, which each has for itself."""
        self.disk = pathlib.Path(folder, "disk")
        self.disk.mkdir()
        agent = pathlib.Path(folder, "agent")
        agent.write_text(AGENT.replace("FOLDER", str(folder)))
        agent.chmod(0o700)
        self.first = subprocess.Popen([*NAMESPACES, "sh", "-ec", MAKE], cwd=folder, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "disk": str(self.disk)})
        self.on_alpha = ["nsenter", "-t", str(self.first.pid), "--net", "--uts", "--ipc", "--mount",
                         f"--pid=/proc/{self.first.pid}/ns/pid_for_children"]
        self.on_beta = [*self.on_alpha, "sh", "-c", ON_BETA.replace("FOLDER", str(folder)), "sh"]
        of_launcher = {
            "plm_rsh_agent": str(agent), "pml": "ob1", "btl": "self,vader,tcp",
            "btl_tcp_if_include": "wire", "oob_tcp_if_include": "wire",
            "mpi_yield_when_idle": "1",  # both hosts have the same cores, which Open MPI does not see
            "odls_base_sigkill_timeout": "0",  # of what a failed rank leaves behind, instead of 1 s each time
            # a host that does not answer is given up after 2 s and 2 times 1 s, instead of 300 s and 9 times 20 s
            "oob_tcp_keepalive_time": "2", "oob_tcp_keepalive_intvl": "1", "oob_tcp_keepalive_probes": "2",
        }
        self.environment = {**os.environ, "TMPDIR": str(self.disk), **{f"OMPI_MCA_{k}": v for k, v in of_launcher.items()}}
        if self.first.stdout.readline() != "made\n":
            raise Refused(self.end().strip())
        try:
            names = [self.run_on(host, "hostname").strip() for host in ("alpha", "beta")]
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            self.end()
            raise Refused(f"{error} {error.stderr or ''}".strip()) from error
        assert names == ["alpha", "beta"], names

    def end(self):
        """Returns what was said on standard error."""
        self.first.kill()  # and with it the first process of the namespace, whose end kills all others
        return self.first.communicate()[1]

    def run_on(self, host, command):
        """A line of the shell on alpha or beta."""
        words = [*self.on_alpha, "sh", "-c", command] if host == "alpha" else [*self.on_beta, command]
        return subprocess.run(words, check=True, capture_output=True, text=True, timeout=20).stdout

    def sent_packets(self):
        """How many alpha has sent over the wire."""
        lines = pathlib.Path(f"/proc/{self.first.pid}/net/dev").read_text().splitlines()
        return next(int(line.split(":")[1].split()[9]) for line in lines if line.strip().startswith("wire:"))

    def processes(self, program):
        """Those of the program that run on the two hosts: {process: host}."""
        def is_alpha_s(pid, kind, own):
            return os.readlink(f"/proc/{pid}/ns/{kind}") == os.readlink(f"/proc/{self.first.pid}/ns/{own}")
        found = {}
        for pid in (int(folder.name) for folder in pathlib.Path("/proc").glob("[0-9]*")):
            try:
                if os.readlink(f"/proc/{pid}/exe") == os.path.realpath(program) and is_alpha_s(pid, "pid", "pid_for_children"):
                    found[pid] = "alpha" if is_alpha_s(pid, "uts", "uts") else "beta"
            except OSError:  # it has ended
                continue
        return found
