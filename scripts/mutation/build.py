# SPDX-License-Identifier: BSD-3-Clause
"""A scratch copy of the checkout with a build like a given one, and what its tests say of a change."""

import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time
from collections import defaultdict

MODULES = (
    "core",
    "mesh",
    "basis",
    "measure",
    "geometry",
    "streaming",
    "tensor",
    "elasticity",
    "indirect",
    "solver",
    "report",
)
COMMANDS = ("tensor", "streaming", "indirect", "elasticity", "solver", "tune", "info", "weakform")
COPIED = re.compile(
    r"CMAKE_BUILD_TYPE|CMAKE_CXX_(COMPILER|COMPILER_LAUNCHER|FLAGS\w*)|CMAKE_PREFIX_PATH|MINIAPP_\w+|\w+_DIR"
)
GIB = 1 << 30


class Failed(Exception):
    """The check itself cannot continue."""


def run(command, cpu=None, wall=3600, **options):
    """(exit code, output, seconds of processor time); a signal is a negative code. cpu: the most of each process [s],
    so that endless loops end however busy the machine is. Nothing that was started stays."""

    def limit():
        if cpu:
            resource.setrlimit(resource.RLIMIT_CPU, (int(cpu), int(cpu) + 1))
            resource.setrlimit(resource.RLIMIT_AS, (8 * GIB, 8 * GIB))
            resource.setrlimit(resource.RLIMIT_FSIZE, (GIB, GIB))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=limit,
        **options,
    )
    try:
        output, _ = process.communicate(timeout=wall)
        code = process.returncode
    except subprocess.TimeoutExpired:
        code, output = -signal.SIGXCPU, b""
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return code, output.decode(errors="replace"), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Test:
    """A program of tests, a file of tests of the commands, or the tests of the command line."""

    def __init__(self, name, target, command, folder, environment, files):
        self.name, self.target, self.command, self.folder, self.environment = name, target, command, folder, environment
        self.files = files  # source files
        self.cpu = None  # processor seconds of a run without changes

    def judge(self):
        """None if it passes, else what failed."""
        whole = self.target.startswith("test_")  # one process; the others start one for each run of the program
        limit = 120 if self.cpu is None else 5 + 3 * self.cpu if whole else 20
        code, output, cpu = run(self.command, cpu=limit, cwd=self.folder, env=os.environ | self.environment)
        if self.cpu is None:
            self.cpu = cpu
        if code == 0:
            return None
        if code in (-signal.SIGXCPU, -signal.SIGKILL):
            return f"{self.name} (time)"
        named = (
            r"(?:FAIL|ERROR): (\w+) \(",
            r"(?:^|\n)wrong: ([^\n]+)",
            r"-{70,}\n(\S[^\n]*)\n-{70,}",
        )  # unittest, test/cli/run.py, Catch2
        for pattern in named:
            if found := re.search(pattern, output):
                return f"{self.name}: {found[1]}"
        return f"{self.name} ({'signal ' + str(-code) if code < 0 else 'exit code ' + str(code)})"


class Scratch:
    """The build has the same relative path as the given one, so that ccache finds its objects."""

    def __init__(self, root, build, work, jobs):
        self.root, self.build, self.source, self.jobs = root, build, work, jobs
        self.out = work / (build.relative_to(root) if build.is_relative_to(root) else "build")
        self.targets = [f"test_{module}" for module in MODULES]
        self.live_lines = {}

    def prepare(self):
        """Updates the copy, builds it and runs its tests, which must pass."""
        self.copy_tree()
        cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (self.build / "CMakeCache.txt").read_text(), re.MULTILINE))
        settings = [f"-D{key}={value}" for key, value in cache.items() if COPIED.fullmatch(key) and value]
        self.orders = cache["MINIAPP_ORDERS"]
        self.has_metis = not cache.get("METIS_LIBRARY", "NOTFOUND").endswith("NOTFOUND")
        self.on_host = cache.get("MINIAPP_BACKEND", "") not in ("CUDA", "HIP")
        if not (self.out / "build.ninja").exists():
            code, output, _ = run(["cmake", "-G", "Ninja", "-S", self.source, "-B", self.out, *settings])
            if code != 0:
                raise Failed(f"cmake failed:\n{output}")
        code, output, _ = run(["ninja", "-C", self.out, f"-j{self.jobs}", "miniapp_program", *self.targets])
        if code != 0:
            raise Failed(f"the build without a change failed:\n{output[-3000:]}")
        self.read_dependencies()
        self.make_tests()

    def copy_tree(self):
        """Tracked files and new ones that git does not ignore; only what differs is written, so little is rebuilt."""
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=self.root,
            capture_output=True,
            check=True,
            text=True,
        ).stdout.split("\0")
        wanted = {name for name in listed if name and (self.root / name).is_file()}
        for name in wanted:
            old, new = self.source / name, self.root / name
            if not old.exists() or old.read_bytes() != new.read_bytes():
                old.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(new, old)
        for folder in {name.split("/")[0] for name in wanted}:
            for old in [path for path in (self.source / folder).rglob("*") if path.is_file()]:
                if str(old.relative_to(self.source)) not in wanted and self.out not in old.parents:
                    old.unlink()

    def read_dependencies(self):
        """The objects compiled from a file, and the targets that contain them."""
        self.objects_of, objects = defaultdict(set), None
        for line in run(["ninja", "-C", self.out, "-t", "deps"])[1].splitlines():
            if not line.startswith(" "):
                objects = line.split(":")[0]
            elif line.strip():  # ccache writes paths from the build
                file = os.path.relpath(os.path.join(self.out, line.strip()), self.source)
                if not file.startswith(".."):
                    self.objects_of[file].add(objects)

    def make_tests(self):
        self.tests = {}
        for target in self.targets:
            program = self.out / "test" / target
            files = [f"test/{target[len('test_'):]}", "test/support", "test/main.cpp"]
            self.tests[target] = Test(target, target, [program, "-a", "-r", "console"], self.out / "test", {}, files)
        commands = self.source / "test" / "commands"
        environment = {
            "MINIAPP_PROGRAM": str(self.out / "miniapp"),
            "MINIAPP_ORDERS": self.orders,
            "MINIAPP_DEVICE_BUILD": "OFF" if self.on_host else "ON",
            "MINIAPP_METIS": "ON" if self.has_metis else "OFF",
        }
        for file in sorted(commands.glob("*_test.py")):
            topic = file.stem[: -len("_test")]
            self.tests[f"commands/{topic}"] = Test(
                f"commands/{topic}",
                "miniapp_program",
                ["python3", "-B", "-m", "unittest", "-f", file.stem],
                commands,
                environment,
                [f"test/commands/{file.name}", "test/commands/command.py"],
            )
        cli = self.source / "test" / "cli"
        for table in sorted((cli / "cases").glob("*.txt")):
            if table.stem != "plot":
                command = ["python3", "-B", "run.py", "-f", table.stem]
                files = [f"test/cli/cases/{table.name}", "test/cli/run.py"]
                self.tests[f"cli/{table.stem}"] = Test(
                    f"cli/{table.stem}", "miniapp_program", command, cli, environment, files
                )

    def tests_of(self, path):
        """Tests that depend on a file, those of its module first, then by speed."""
        objects = self.objects_of.get(path, set())
        app, in_library = path.startswith("apps/"), any("/miniapp.dir/" in f"/{name}" for name in objects)
        folder = path.split("/")[-1].split("_")[0] if app else next((f for f in path.split("/") if f in MODULES), "")
        module = {"kernel": "tensor"}.get(folder, folder) if app else folder
        chosen = []
        for name, test in self.tests.items():
            if name.startswith("test_"):
                own, using = name == f"test_{module}", any(f"/{name}.dir/" in f"/{one}" for one in objects)
                if (own or using or in_library) and not app:
                    chosen.append((0 if own else 2, test.cpu or 0, name))
            else:
                topic = name.split("/")[-1].split("_")[0]
                if app and module in COMMANDS and topic in COMMANDS and topic != module:
                    continue  # another command
                chosen.append((1 if topic == module else 4 if name.startswith("cli/") else 3, test.cpu or 0, name))
        return [self.tests[name] for _, _, name in sorted(chosen)]

    def measure(self, paths):
        """Runs the tests of these files once without a change, but those that were run before on the same sources.
        Errors: Failed where one fails."""
        page = self.out / "mutate.json"
        known = json.loads(page.read_text()) if page.exists() else {}
        sources = self.hash_of("CMakeLists.txt", "apps", "cmake", "include", "src")
        for test in {test.name: test for path in sorted(paths) for test in self.tests_of(path)}.values():
            state = sources + self.hash_of(*test.files)
            before, test.cpu = known.get(test.name, ("", None))
            if before == state:
                continue
            test.cpu = None
            if failed := test.judge():
                raise Failed(f"without a change: {failed}")
            known[test.name] = state, test.cpu
            page.write_text(json.dumps(known))

    def hash_of(self, *names):
        summed = hashlib.sha256()
        for name in names:
            for file in sorted([self.source / name, *(self.source / name).rglob("*")]):
                if file.is_file():
                    summed.update(str(file).encode() + file.read_bytes())
        return summed.hexdigest()

    def compiles(self, targets):
        code, output, _ = run(["ninja", "-C", self.out, f"-j{self.jobs}", *targets])
        return code == 0, output

    def is_live(self, path, line):
        """Whether this build compiles the line, which may be in an inactive branch of #if."""
        if path not in self.live_lines:
            self.live_lines[path] = self.find_live_lines(path)
        lines = self.live_lines[path]
        return lines is None or line in lines

    def find_live_lines(self, path):
        """None: all of them."""
        text = (self.source / path).read_text()
        if not re.search(r"^\s*#\s*if", text, re.MULTILINE):
            return None
        name = sorted(self.objects_of[path])[0]
        command = run(["ninja", "-C", self.out, "-t", "commands", "-s", name])[1].strip().splitlines()[-1]
        command = re.sub(r" -M[DTF]+ \S+| -M[DTF]+| -o \S+| -c ", " ", command)
        _, output, _ = run(["sh", "-c", f"{command} -E"], cwd=self.out)
        live, here, number = set(), False, 0
        for line in output.splitlines():
            if marker := re.match(r'# (\d+) "([^"]*)"', line):
                number, here = int(marker[1]), marker[2] == str(self.source / path)
                continue
            if here and line.strip():
                live.add(number)
            number += 1
        return live

    def judge(self, mutant):
        """("killed", by), ("survived", "") or ("does not compile", "")."""
        file = self.source / mutant.path
        original = file.read_text()
        changed = mutant.apply(original)
        file.write_text(changed)
        built = set()
        try:
            for test in self.tests_of(mutant.path):
                if test.target not in built:
                    fine, output = self.compiles([test.target])
                    if not fine:
                        compiled = not re.search(
                            r"error:|undefined reference", output
                        )  # listing its tests may fail as well
                        return ("killed", f"the build of {test.target}") if compiled else ("does not compile", "")
                    built.add(test.target)
                if failed := test.judge():
                    return "killed", failed
            return "survived", ""
        finally:
            file.write_text(original)
