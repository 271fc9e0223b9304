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

RANK_FOLDERS = ("linalg", "messages", "multigrid", "space")  # runs on several ranks go through most of their files
RANKS = 3  # of test_ranks
COPIED = re.compile(
    r"CMAKE_BUILD_TYPE|CMAKE_CXX_(COMPILER|COMPILER_LAUNCHER|FLAGS\w*)|CMAKE_PREFIX_PATH|MINIAPP_\w+|\w+_DIR"
    r"|MPIEXEC_EXECUTABLE|MPI_CXX_COMPILER"
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
        end_group(process)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return code, output.decode(errors="replace"), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def end_group(process):
    """mpirun ends its ranks, which have groups of their own, where it is told so before it is killed."""
    try:
        os.killpg(process.pid, signal.SIGTERM)
        for _ in range(100):
            process.poll()  # one that has ended counts until then
            os.killpg(process.pid, 0)
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def module_of(path):
    """The folder that a file belongs to: mesh of include/miniapp/mesh/cell.hpp, runs of src/runs/tensor/choice.cpp."""
    return re.sub(r"^(include/miniapp|src)/", "", path).split("/")[0]


class Test:
    """A test program, a file of tests of the commands, or a table of the command line."""

    def __init__(self, name, targets, command, folder, environment, files, module="", of_command="", on_ranks=False):
        self.name, self.targets = name, targets
        self.command, self.folder, self.environment = command, folder, environment
        self.files = files  # source files
        self.module = module  # that a test program tests
        self.of_command = of_command  # that is tested; empty: several
        self.on_ranks = on_ranks
        self.cpu = None  # processor seconds of a run without changes

    def judge(self):
        """None if it passes, else what failed."""
        limit, wall = 20, 3600  # of each run of the program
        if self.module:  # one process, or RANKS that wait for one another
            limit = 120 if self.cpu is None else 5 + 3 * self.cpu / (RANKS if self.on_ranks else 1)
            wall = 900 if self.on_ranks else wall
        environment = os.environ | self.environment
        code, output, cpu = run(self.command, cpu=limit, wall=wall, cwd=self.folder, env=environment)
        if self.cpu is None:
            self.cpu = cpu
        if code == 0:
            return None
        if code in (-signal.SIGXCPU, -signal.SIGKILL):
            return f"{self.name} (time)"
        output = re.sub(r"\x1b\[[\d;]*m", "", output)  # colours of Catch2 under mpirun
        named = (
            r"(?:FAIL|ERROR): (\w+) \(",
            r"(?:^|\n)wrong: ([^\n]+)",
            r"-{70,}\n(\S[^\n]*)\n-{70,}",
            r"(\w+_test\.cpp:\d+): FAILED",
        )  # unittest, test/cli/run.py, Catch2, Catch2 on several ranks
        for pattern in named:
            if found := re.search(pattern, output):
                return f"{self.name}: {found[1]}"
        return f"{self.name} ({'signal ' + str(-code) if code < 0 else 'exit code ' + str(code)})"


def as_ctest_runs(test):
    """(command, folder, environment) of a test that ctest lists."""
    properties = {entry["name"]: entry["value"] for entry in test["properties"]}
    environment = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
    return test["command"], properties["WORKING_DIRECTORY"], environment


class Scratch:
    """The build has the same relative path as the given one, so that ccache finds its objects."""

    def __init__(self, root, build, work, jobs):
        self.root, self.build, self.source, self.jobs = root, build, work, jobs
        self.out = work / (build.relative_to(root) if build.is_relative_to(root) else "build")
        self.live_lines = {}

    def prepare(self):
        """Updates the copy, builds the program, and finds the tests and what each is compiled from."""
        self.copy_tree()
        cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (self.build / "CMakeCache.txt").read_text(), re.MULTILINE))
        settings = [f"-D{key}={value}" for key, value in cache.items() if COPIED.fullmatch(key) and value]
        self.on_host = cache.get("MINIAPP_BACKEND", "") not in ("CUDA", "HIP")
        if not (self.out / "build.ninja").exists():
            code, output, _ = run(["cmake", "-G", "Ninja", "-S", self.source, "-B", self.out, *settings])
            if code != 0:
                raise Failed(f"cmake failed:\n{output}")
        self.build_all(["miniapp_program"])
        self.read_sources()
        self.make_tests()

    def build_all(self, targets):
        fine, output = self.compiles(targets)
        if not fine:
            raise Failed(f"the build without a change failed:\n{output[-3000:]}")

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

    def read_sources(self):
        """What the program and the tests are compiled from, by #include lines: so it is known before a test is built,
        and unity builds and precompiled headers do not hide it."""
        rules = (self.out / "build.ninja").read_text()
        objects = re.findall(r"^build (\S+\.o): CXX_COMPILER\S* (\S+)", rules, re.MULTILINE)
        self.object_of = {self.relative(source): name for name, source in objects}
        programs = set(re.findall(r"^build test/test_(\w+)\b[^:]*: CXX_EXECUTABLE", rules, re.MULTILINE))
        self.modules = sorted(programs & {folder.name for folder in (self.source / "test").iterdir()})
        self.included = {}  # by a file, directly
        self.inputs_of = {target: self.inputs(target) for target in ("miniapp", *(f"test_{m}" for m in self.modules))}
        self.sources_of = defaultdict(set)  # that are compiled with a file
        for source in set().union(*self.inputs_of.values()):
            for file in self.reach([source]):
                self.sources_of[file].add(source)
        self.used_by = {}  # modules whose headers a command includes
        for command in (file.parent.name for file in (self.source / "apps").glob("*/command.cpp")):
            folders = (self.source / "apps" / command, self.source / "src/runs" / command)
            files = [self.relative(file) for folder in folders for file in folder.rglob("*.[ch]pp")]
            self.used_by[command] = {module_of(other) for file in files for other in self.includes(file)}

    def relative(self, name):
        """To the copy; names in build.ninja are absolute or relative to the build."""
        return os.path.relpath(os.path.join(self.out, name), self.source)

    def inputs(self, target):
        """The sources that a target is compiled from, with those of its libraries."""
        names = run(["ninja", "-C", self.out, "-t", "inputs", target])[1].splitlines()
        return {name for name in map(self.relative, names) if name in self.object_of}

    def reach(self, files):
        """These files and all that they include."""
        found, left = set(), list(files)
        while left:
            file = left.pop()
            if file not in found:
                found.add(file)
                left += self.includes(file)
        return found

    def includes(self, name):
        if name not in self.included:
            file = self.source / name
            roots = (self.source / "include", self.source / "src", self.source / "test", self.out / "include")
            folders = (file.parent, self.source, *roots)
            named = re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', file.read_text(), re.MULTILINE)
            paths = [next((f / other for f in folders if (f / other).is_file()), None) for other in named]
            relative = [self.relative(path) for path in paths if path]
            self.included[name] = [path for path in relative if not path.startswith("..")]
        return self.included[name]

    def make_tests(self):
        """The command tests and those on ranks with the command and the environment that ctest gives them."""
        output = run(["ctest", "--test-dir", self.out, "--show-only=json-v1"])[1]
        listed = {test["name"]: test for test in json.loads(output[output.index("{") :])["tests"]}
        self.tests = {}
        for module in self.modules:
            name, files = f"test_{module}", [f"test/{module}", "test/support", "test/main.cpp"]
            command, folder, environment = [self.out / "test" / name, "-a", "-r", "console"], self.out / "test", {}
            if module == "ranks":
                command, folder, environment = as_ctest_runs(listed[f"ranks/{RANKS}"])
            self.tests[name] = Test(name, [name], command, folder, environment, files, module, "", module == "ranks")
        for name, test in listed.items():
            kind, _, topic = name.partition("/")
            file = {"commands": f"test/commands/{topic}_test.py", "cli": f"test/cli/cases/{topic}.txt"}.get(kind, "")
            text = (self.source / file).read_text() if (self.source / file).is_file() else ""
            if kind == "commands" and not re.search(r"^from (command|on_ranks) import", text, re.MULTILINE):
                text = ""
            if not text or name == "cli/plot":
                continue  # does not run the program
            named = {topic.split("_")[0]} & set(self.used_by)
            named = named or {word for word in self.used_by if re.search(rf"(?<![\w.-]){word}(?![\w.-])", text)}
            self.tests[name] = Test(
                name,
                ["miniapp_program"] + ["miniapp_kokkos_tool"] * ("MINIAPP_TOOL" in text),
                *as_ctest_runs(test),
                [file, "test/cli/run.py", "test/commands/command.py", "test/commands/on_ranks.py"],
                of_command=named.pop() if len(named) == 1 else "",
                on_ranks="OnRanks" in text,
            )
            self.tests[name].command.append("-f")

    def tests_of(self, path):
        """The tests of a file, those of its module first, then by speed:
        - test programs: that of its module, if it contains the file; those whose own sources include it; that on ranks,
          if the file is in RANK_FOLDERS or speaks of ranks;
        - tests of one command: those of the file's own command, else of all that include something of its module;
        - tests of several commands: for files of the program, core and measure; those on ranks like the program."""
        module, folders, words = module_of(path), path.split("/")[:-1], re.split(r"[/_.]", path)
        text, sources = (self.source / path).read_text(), self.sources_of[path]
        of_ranks = module in RANK_FOLDERS or re.search(r"\b(Communicator|ranks)\b", text)
        of_all = module in ("apps", "runs")
        own = {command for command in self.used_by if of_all and command in folders}
        using = own or {command for command, used in self.used_by.items() if of_all or module in used}
        of_several = module in ("apps", "runs", "report", "core", "measure")
        chosen = []
        for name, test in self.tests.items():
            alike = of_ranks and test.on_ranks
            if test.module:
                mine = test.module in folders and not sources.isdisjoint(self.inputs_of[name])
                compiled = any(source.startswith(f"test/{test.module}/") for source in sources)
                if mine or compiled or alike:
                    chosen.append((0 if mine else 2, test.cpu or 0, name))
            elif test.of_command in using or not test.of_command and (of_several or alike):
                mine = name.split("/")[1].split("_")[0] in words
                chosen.append((1 if mine else 4 if name.startswith("cli/") else 3, test.cpu or 0, name))
        return [self.tests[name] for _, _, name in sorted(chosen)]

    def measure(self, paths):
        """Builds the tests of these files and runs the test programs, which tells how long they take. The command tests
        take longer and are run without a change when they fail with one."""
        tests = {test.name: test for path in sorted(paths) for test in self.tests_of(path)}.values()
        self.build_all(sorted({target for test in tests for target in test.targets}))
        for test in tests:
            if test.module:
                self.is_sound(test)

    def is_sound(self, test):
        """Whether a test passes without a change, run once on the same sources. What fails is left out from now on."""
        page = self.out / "mutate.json"
        known = json.loads(page.read_text()) if page.exists() else {}
        state = self.hash_of("CMakeLists.txt", "apps", "cmake", "include", "src", *test.files)
        before, test.cpu = known.get(test.name, ("", None))
        if before == state:
            return True
        test.cpu = None
        if failed := test.judge():
            print(f"left out, fails without a change: {failed}", flush=True)
            del self.tests[test.name]
            return False
        known[test.name] = state, test.cpu
        page.write_text(json.dumps(known))
        return True

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
        """None: all of them. A header may be included in an inactive branch itself: no line is live there."""
        if path.endswith(".cpp") and not re.search(r"^\s*#\s*if", (self.source / path).read_text(), re.MULTILINE):
            return None
        library = self.inputs_of["miniapp"]
        sources = sorted(self.sources_of[path], key=lambda source: (source not in library, source))
        found = [self.lines_of(path, self.object_of[source]) for source in sources[:3]]
        return set().union(*(lines for lines in found if lines)) if any(lines is not None for lines in found) else None

    def lines_of(self, path, name):
        """The lines of a file that an object is compiled from; None where the preprocessor fails."""
        command = run(["ninja", "-C", self.out, "-t", "commands", "-s", name])[1].strip().splitlines()[-1]
        command = re.sub(r" -M[DTF]+ \S+| -M[DTF]+| -o \S+| -c ", " ", command)
        code, output, _ = run(["sh", "-c", f"{command} -E"], cwd=self.out)
        if code != 0:
            return None
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
                if not built.issuperset(test.targets):
                    fine, output = self.compiles(test.targets)
                    if not fine:
                        compiled = not re.search(
                            r"error:|undefined reference", output
                        )  # listing its tests may fail as well
                        return ("killed", f"the build of {test.targets[0]}") if compiled else ("does not compile", "")
                    built.update(test.targets)
                if failed := test.judge():
                    if test.module:
                        return "killed", failed
                    file.write_text(original)
                    self.build_all(test.targets)
                    if self.is_sound(test):
                        return "killed", failed
                    file.write_text(changed)
                    self.build_all(test.targets)
            return "survived", ""
        finally:
            file.write_text(original)
