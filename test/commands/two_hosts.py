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
TRIAL = HOST + "host alpha; ip link add wire type veth peer name other"
MAKE = HOST + f"""
touch net uts ipc mnt
unshare --net=net --uts=uts --ipc=ipc --mount=mnt sh -ec '{HOST} host beta'
host alpha
ip link add wire type veth peer name wire netns ./net
ip addr add 10.0.0.1/24 dev wire
ip link set wire up
nsenter --net=net ip addr add 10.0.0.2/24 dev wire
nsenter --net=net ip link set wire up
echo made
exec cat
"""
ON_BETA = 'cd FOLDER; nsenter --net=net --uts=uts --ipc=ipc --mount=mnt sh -c "$*"'
AGENT = f"""#!/bin/sh
[ "$1" = beta ] || {{ echo "no host $1" >&2; exit 255; }}
shift
{ON_BETA}
code=$?
ip link show wire | grep -q LOWER_UP || exec sleep 600  # so does ssh where the network is lost
exit $code
"""


def refusal():
    """Why this machine takes no such hosts; empty where it does."""
    try:
        done = subprocess.run([*NAMESPACES, "sh", "-ec", TRIAL], capture_output=True, text=True, timeout=20,
                              env={**os.environ, "disk": "/tmp"})
    except OSError as error:
        return str(error)
    return done.stderr.strip() or f"exit code {done.returncode}" if done.returncode else ""


class TwoHosts:
    def __init__(self, folder):
        """In an empty folder, which both hosts share, but for its folder `disk`, which each has for itself."""
        self.disk = pathlib.Path(folder, "disk")
        self.disk.mkdir()
        agent = pathlib.Path(folder, "agent")
        agent.write_text(AGENT.replace("FOLDER", str(folder)))
        agent.chmod(0o700)
        self.first = subprocess.Popen([*NAMESPACES, "sh", "-ec", MAKE], cwd=folder, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True, env={**os.environ, "disk": str(self.disk)})
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
            self.end()
            raise RuntimeError("the two hosts could not be made")

    def end(self):
        self.first.kill()  # and with it the first process of the namespace, whose end kills all others
        self.first.communicate()

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
