# SPDX-License-Identifier: BSD-3-Clause
"""What scripts/quickstart refuses, and which Kokkos it takes: nothing is installed, fetched from elsewhere or built."""
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

from fake import ROOT

QUICKSTART = ROOT / "scripts/quickstart"


class Refusals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def command(self, name, says):
        """A program of this name that PATH has first."""
        file = self.folder / "bin" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\n{says}\n")
        file.chmod(0o755)

    def run_shell(self, *words, **options):
        path = f"{self.folder}/bin:{os.environ['PATH']}"
        return subprocess.run(words, capture_output=True, text=True, env={**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"}, **options)

    def assert_refused(self, says, *words):
        done = self.run_shell(QUICKSTART, *words)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, f"^scripts/quickstart: {says}")

    def test_words_that_mean_nothing(self):
        self.assert_refused("--fast: accepted are --backend", "--fast")
        self.assert_refused("--backend: a value is missing", "--backend")
        self.assert_refused("--backend sycl: accepted are serial, openmp, cuda, hip", "--backend", "sycl")
        self.assert_refused("--arch 90: accepted with --backend cuda and hip", "--arch", "90")
        self.assert_refused("--kokkos .*/none.tar: there is no such file", "--kokkos", "none.tar")

    def test_gpus_need_their_compiler_and_an_architecture_that_kokkos_knows(self):
        self.command("nvcc", "exit 0")
        self.command("nvidia-smi", "exit 9")
        self.assert_refused("--arch 91: accepted with cuda are 70, ", "--backend", "cuda", "--arch", "91")
        self.assert_refused("no NVIDIA GPU answers here", "--backend", "cuda")
        self.command("hipcc", "exit 0")
        self.assert_refused("--arch gfx1: accepted with hip are gfx906", "--backend", "hip", "--arch", "gfx1")

    def shell(self, line):
        return self.run_shell("bash", "-euo", "pipefail", "-c", f"refuse() {{ exit 2; }}; . scripts/packages; . scripts/kokkos; {line}", cwd=ROOT)

    def test_the_architecture_is_that_of_the_first_gpu(self):
        self.command("nvcc", "exit 0")
        self.command("hipcc", "exit 0")
        self.command("nvidia-smi", "printf '9.0\\n8.0\\n'")
        self.command("rocm_agent_enumerator", "printf 'gfx000\\ngfx942\\n'")
        self.assertEqual(self.shell("kokkos_arch cuda ''").stdout, "HOPPER90\n")
        self.assertEqual(self.shell("kokkos_arch cuda sm_80").stdout, "AMPERE80\n")
        self.assertEqual(self.shell("kokkos_arch hip ''").stdout, "AMD_GFX942\n")
        self.assertEqual(self.shell("kokkos_arch openmp ''").stdout, "")

    def test_an_installed_kokkos_is_taken_for_its_back_ends_only(self):
        config = self.folder / "lib/cmake/Kokkos/KokkosConfigCommon.cmake"
        config.parent.mkdir(parents=True)
        config.write_text("SET(Kokkos_DEVICES CUDA;OPENMP)\n")
        for backend, code in (("cuda", 0), ("openmp", 0), ("hip", 1)):
            self.assertEqual(self.shell(f"Kokkos_ROOT={self.folder}; installed_kokkos {backend}").returncode, code, backend)

    def test_the_whole_script_builds_and_runs_with_the_installed_kokkos(self):
        shutil.copytree(ROOT / "scripts", self.folder / "scripts")
        config = self.folder / "lib/cmake/Kokkos/KokkosConfig.cmake"
        config.parent.mkdir(parents=True)
        config.write_text("SET(Kokkos_DEVICES SERIAL)\n")
        self.command("apt-get", "exit 1")
        self.command("dpkg-query", "printf installed")
        self.command("cmake", f"""
            echo "$*" >>{self.folder}/asked
            [ "$1" = --build ] || exit 0
            mkdir -p build/serial
            printf '#!/bin/sh\\necho solved "$*"\\n' >build/serial/"${{5%_program}}"
            chmod +x build/serial/"${{5%_program}}" """)
        done = self.run_shell("env", f"Kokkos_ROOT={self.folder}", "MINIAPP_ORDERS=2;7", self.folder / "scripts/quickstart")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "asked").read_text().splitlines(),
                         ["--preset serial -D MINIAPP_ORDERS=2;7", "--build --preset serial --target miniapp_first",
                          "--build --preset serial --target miniapp_program"])
        self.assertIn("solved --bp 3.0 --order 7 --elements 4096", done.stdout)
        self.assertEqual((self.folder / "miniapp").resolve(), self.folder / "build/serial/miniapp")

    def archive(self, *files):
        tree = self.folder / "kokkos-1"
        for name in files:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text('default_arch="sm_70"\n')
            (tree / name).chmod(0o755)
        with tarfile.open(self.folder / "kokkos.tar.gz", "w:gz") as tar:
            tar.add(tree, "kokkos-1")
        return self.folder / "kokkos.tar.gz"

    def options(self, backend, arch, archive):
        (self.folder / "build").mkdir(exist_ok=True)
        return self.shell(f"cd {self.folder}; mkdir -p cmake; cp {ROOT}/cmake/kokkos.cmake cmake; "
                          f"kokkos_options {backend} '{arch}' {archive}; printf '%s\\n' \"${{kokkos_options[@]}}\"")

    def test_an_archive_is_unpacked_once_and_its_nvcc_wrapper_is_the_compiler(self):
        archive = self.archive("CMakeLists.txt", "bin/nvcc_wrapper")
        for _ in range(2):
            words = self.options("cuda", "HOPPER90", archive).stdout.split()
            (source,) = (self.folder / "build").glob("kokkos-*")
            self.assertEqual(words[1::2], ["CMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON", f"FETCHCONTENT_SOURCE_DIR_KOKKOS={source}",
                                           "Kokkos_ARCH_HOPPER90=ON", f"CMAKE_CXX_COMPILER={source}/bin/nvcc_wrapper"])
            self.assertEqual((source / "bin/nvcc_wrapper").read_text(), 'default_arch="sm_90"\n')
        words = self.options("openmp", "", archive).stdout.split()
        self.assertNotIn("CMAKE_CXX_COMPILER", " ".join(words))

    def test_an_archive_of_something_else_is_an_error(self):
        done = self.options("openmp", "", self.archive("README"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("holds no sources of Kokkos", done.stderr)
        self.assertEqual(list((self.folder / "build").glob("kokkos-*[0-9a-f]")), [])

    def test_the_release_and_its_hash_are_those_of_cmake(self):
        self.command("cmake", f"cp $2 {self.folder}/asked; exit 1")
        done = self.options("openmp", "", "''")
        self.assertNotEqual(done.returncode, 0)
        asked, text = (self.folder / "asked").read_text(), (ROOT / "cmake/kokkos.cmake").read_text()
        release, sha = re.search(r"kokkos_release (\S+)\)", text)[1], re.search(r"SHA256=(\w{64})", text)[1]
        self.assertRegex(asked, rf"/{re.escape(release)}/kokkos-{re.escape(release)}\.tar\.gz .* EXPECTED_HASH SHA256={sha}\)")
        self.assertIn(f"Kokkos {release} cannot be fetched: give its archive by --kokkos FILE", done.stderr)


if __name__ == "__main__":
    unittest.main()
