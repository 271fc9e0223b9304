# SPDX-License-Identifier: BSD-3-Clause
"""What recipes say of the project is so: options, back ends, versions, names of files."""
import json
import re
import subprocess
import types
import unittest

from fake import PACKAGING, ROOT, benchpark_experiment, ramble_application, spack_arguments, spack_package

CMAKE = "\n".join(file.read_text() for file in [ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake")])
OWN = set(re.findall(r"^\s*(?:option|set)\((MINIAPP_\w+) .*?(?:CACHE|\"[A-Z])", CMAKE, re.MULTILINE)) | {"MINIAPP_FUZZ"}
FOUND = set(re.findall(r"(?:find_package|FetchContent_Declare)\((\w+)", CMAKE)) - {"miniapp"}
IN_SCRIPTS = {"MINIAPP_ROOT", "MINIAPP_SID_ROOT", "MINIAPP_MODULE_DIR"}  # no options of CMake
IN_SOURCES = set(re.findall(r"#\s*define (MINIAPP_\w+)", (ROOT / "include/miniapp/core/kokkos.hpp").read_text()))
OF_CMAKE = re.compile(r"CMAKE_(BUILD_TYPE|CXX_COMPILER|PREFIX_PATH|INSTALL_PREFIX|CXX_STANDARD|DISABLE_FIND_PACKAGE_\w+)"
                      r"|BUILD_(TESTING|SHARED_LIBS)"
                      r"|FETCHCONTENT_(FULLY_DISCONNECTED|SOURCE_DIR_\w+)|Kokkos_(ARCH|ENABLE)_\w+")


def is_option(name):
    if name.endswith("_ROOT") and name != "MINIAPP_ROOT":
        return name[:-5] in FOUND or f"{name}}}" in CMAKE
    if name.startswith("CMAKE_DISABLE_FIND_PACKAGE_"):
        return name[len("CMAKE_DISABLE_FIND_PACKAGE_"):] in FOUND
    return name in OWN or OF_CMAKE.fullmatch(name) is not None


def texts():
    """(name, text) of every file that tells users of options."""
    for place in ("packaging .github .gitlab-ci.yml docs/labs.md docs/build.md docs/gpu.md CMakePresets.json scripts/quickstart "
                  "scripts/kokkos").split():
        files = [file for file in (ROOT / place).rglob("*") if file.is_file()] if (ROOT / place).is_dir() else [ROOT / place]
        for file in files:
            if file.suffix != ".pyc":
                yield str(file.relative_to(ROOT)), file.read_text()


class Options(unittest.TestCase):
    def test_every_option_of_a_recipe_exists(self):
        for name, text in texts():
            words = set(re.findall(r"-D ?\"?(\w+)[=:]", text)) | set(re.findall(r"\bMINIAPP_[A-Z_]+\b", text)) - IN_SCRIPTS - IN_SOURCES
            for word in words:
                self.assertTrue(is_option(word), f"{name}: {word}")

    def test_an_option_that_does_not_exist_is_found(self):
        for word in ("MINIAPP_NATIVE", "CMAKE_DISABLE_FIND_PACKAGE_Metis", "METS_ROOT"):
            self.assertFalse(is_option(word), word)


class Spack(unittest.TestCase):
    def test_options_exist_and_values_are_accepted(self):
        for on in ((), ("mpi", "hypre", "metis", "zlib"), ("openmp",), ("cuda", "mpi", "nccl"), ("rocm",), ("shared",)):
            arguments = spack_arguments(on, ("7", "10", "2"), True)
            for name, value in arguments.items():
                self.assertTrue(is_option(name), name)
                accepted = re.search(rf"set_property\(CACHE {name} PROPERTY STRINGS (.*)\)", CMAKE)
                if accepted:
                    self.assertIn(value, accepted[1].split(), name)
            self.assertEqual(arguments["MINIAPP_ORDERS"], "2;7;10")

    def test_variants_choose_the_back_end_its_compiler_and_libraries(self):
        serial = spack_arguments(())
        self.assertEqual((serial["MINIAPP_BACKEND"], serial["MINIAPP_BATCHES"]), ("SERIAL", "ON"))
        self.assertEqual((serial["MINIAPP_ENABLE_MPI"], serial["MINIAPP_ENABLE_HYPRE"]), ("OFF", "OFF"))
        self.assertEqual(serial["CMAKE_DISABLE_FIND_PACKAGE_METIS"], "ON")
        self.assertNotIn("CMAKE_CXX_COMPILER", serial)
        self.assertNotIn("MINIAPP_ORDERS", serial)
        self.assertEqual(spack_arguments(("openmp",))["MINIAPP_BACKEND"], "OPENMP")
        cuda = spack_arguments(("cuda", "openmp", "mpi", "hypre"))
        self.assertEqual((cuda["MINIAPP_BACKEND"], cuda["CMAKE_CXX_COMPILER"]), ("CUDA", "/prefix/kokkos/bin/nvcc_wrapper"))
        self.assertEqual((cuda["MINIAPP_BATCHES"], cuda["MINIAPP_ENABLE_HYPRE"]), ("OFF", "ON"))
        rocm = spack_arguments(("rocm",))
        self.assertEqual((rocm["MINIAPP_BACKEND"], rocm["CMAKE_CXX_COMPILER"]), ("HIP", "/prefix/hip/bin/hipcc"))

    def test_every_library_that_cmake_looks_for_is_a_dependency(self):
        _, calls = spack_package()
        specs = {re.match(r"[\w-]+", args[0])[0].replace("-", "_").lower() for args, _ in calls["depends_on"]}
        names = {"tomlplusplus", "cli11"} | {name.lower() for name in FOUND}
        known = {"zlib": "zlib_api", "kokkoskernels": None, "nanobind": None}  # ILU(0) by levels; pip builds the package
        for name in names:
            if known.get(name, name):
                self.assertIn(known.get(name, name), specs)

    def test_its_git_address_is_the_clone_that_holds_it(self):
        self.assertEqual(spack_package()[0].git, ROOT.as_uri())


class Benchpark(unittest.TestCase):
    def test_an_experiment_sets_variables_of_the_application(self):
        workload = {args[0] for args, _ in ramble_application()["workload_variable"]}
        variables, _, packages = benchpark_experiment({"exec_mode=test"})
        self.assertLessEqual({"elements", "order", "size"}, workload & set(variables))
        self.assertEqual((variables["size"], variables["elements"], variables["n_ranks"]), ("smoke", 64, "{n_resources}"))
        self.assertEqual(packages, ["miniapp@1.0.0 +mpi"])
        on_gpu, _, _ = benchpark_experiment({"+cuda"})
        self.assertEqual((on_gpu["n_gpus"], on_gpu["elements"]), ("{n_resources}", 262144))

    def test_scaling_keeps_or_multiplies_devices_and_elements(self):
        _, modes, _ = benchpark_experiment(set())
        value = types.SimpleNamespace(val=lambda _: 10)
        scaled = {mode: tuple(of[name](value, 1, 0, 2) for name in ("resource_count", "elements")) for mode, of in modes.items()}
        self.assertEqual(scaled, {"strong": (20, 10), "weak": (20, 20), "throughput": (10, 20)})


class Versions(unittest.TestCase):
    def test_all_places_name_the_same_version(self):
        version = re.search(r"project\(miniapp VERSION ([\d.]+)", CMAKE)[1]
        self.assertIn(f"\nversion: {version}\n", (ROOT / "CITATION.cff").read_text())
        self.assertEqual(re.search(r"^## (\d[\d.]*) \(\d{4}-\d\d-\d\d\)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1], version)
        _, calls = spack_package()
        self.assertIn(((version,), {"tag": f"v{version}"}), calls["version"])
        self.assertIn(f'"{version}"', (PACKAGING / "benchpark/experiment.py").read_text())


class Files(unittest.TestCase):
    def test_python_parses_and_scripts_are_shell(self):
        for name, text in texts():
            if name.endswith(".py"):
                compile(text, name, "exec")
            if name.endswith(".sh") or name.startswith("scripts/"):
                subprocess.run(["bash", "-n", ROOT / name], check=True)

    def test_scripts_that_are_named_exist(self):
        for name, text in texts():
            for script in re.findall(r"(scripts/\w+|\.ci/run)", text):
                self.assertTrue((ROOT / script).exists(), f"{name}: {script}")

    def test_presets_are_json(self):
        json.loads((ROOT / "CMakePresets.json").read_text())


if __name__ == "__main__":
    unittest.main()
