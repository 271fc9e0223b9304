# SPDX-License-Identifier: BSD-3-Clause
"""Stands in for Spack, Ramble, benchpark and ReFrame, which are not installed where tests run: executes a recipe and keeps what
its directives were given."""
import re
import runpy
import sys
import types
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"


class Calls(dict):
    """(name): arguments of each call of a directive."""

    def directive(self, name):
        def call(*args, **options):
            self.setdefault(name, []).append((args, options))
            return self.context(options)

        return call

    @staticmethod
    def context(_):
        return mock.MagicMock()


def execute(file, modules):
    """The names that the recipe defines; modules {name: {name: value}} are those that it imports."""
    made = {}
    for name, members in modules.items():
        parts = name.split(".")
        for i in range(1, len(parts)):
            made.setdefault(".".join(parts[:i]), types.ModuleType(".".join(parts[:i])))
        made[name] = types.ModuleType(name)
        vars(made[name]).update(members)
    with mock.patch.dict(sys.modules, made):
        return runpy.run_path(str(file))


class Spec:
    """Of one package: satisfies("+cuda"), spec["kokkos"].prefix, spec.variants["orders"].value."""

    def __init__(self, on, orders=("none",)):
        self.on, self.variants = set(on), {"orders": types.SimpleNamespace(value=orders)}

    def satisfies(self, what):
        return (what[1:] in self.on) == (what[0] == "+")

    def __getitem__(self, name):
        return types.SimpleNamespace(prefix=f"/prefix/{name}", hipcc="/prefix/hip/bin/hipcc")


class CMakePackage:
    @staticmethod
    def define(name, value):
        if isinstance(value, bool):
            return f"-D{name}:BOOL={'ON' if value else 'OFF'}"
        return f"-D{name}:STRING={';'.join(map(str, value)) if isinstance(value, (list, tuple)) else value}"

    def define_from_variant(self, name, variant):
        return self.define(name, variant in self.spec.on)

    def __getitem__(self, name):
        return types.SimpleNamespace(kokkos_cxx=f"/prefix/{name}/bin/nvcc_wrapper")


def spack_package():
    """The class of the recipe, and the calls of its directives."""
    calls = Calls()
    names = ("license version variant depends_on generator requires conflicts when any_combination_of which check_outputs")
    systems = "spack_repo.builtin.build_systems."
    found = execute(PACKAGING / "spack/spack_repo/miniapp/packages/miniapp/package.py", {
        "spack.package": {name: calls.directive(name) for name in names.split()},
        systems + "cmake": {"CMakePackage": CMakePackage},
        systems + "cuda": {"CudaPackage": type("CudaPackage", (), {"cuda_arch_values": ("80", "90")})},
        systems + "rocm": {"ROCmPackage": type("ROCmPackage", (), {"amdgpu_targets": ("gfx90a", "gfx942")})},
    })
    return found["Miniapp"], calls


def spack_arguments(on, orders=("none",), tests=False):
    """{option: value} that the recipe gives CMake for a spec with these variants."""
    package, _ = spack_package()
    package.spec, package.run_tests = Spec(on, orders), tests
    return dict(re.fullmatch(r"-D(\w+):\w+=(.*)", argument).groups() for argument in package().cmake_args())


def ramble_application():
    """Calls of the directives of benchpark's application.py."""
    calls = Calls()
    names = "tags executable workload workload_variable figure_of_merit success_criteria"
    execute(PACKAGING / "benchpark/application.py", {"ramble.appkit": {
        "ExecutableApplication": object, **{name: calls.directive(name) for name in names.split()}}})
    return calls
