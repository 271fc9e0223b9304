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
    names = ("license version variant depends_on requires conflicts when any_combination_of which check_outputs")
    systems = "spack_repo.builtin.build_systems."
    found = execute(PACKAGING / "spack/spack_repo/miniapp/packages/miniapp/package.py", {
        "spack.package": {name: calls.directive(name) for name in names.split()},
        systems + "cmake": {"CMakePackage": CMakePackage, "generator": calls.directive("generator")},
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


def benchpark_experiment(on):
    """What the experiment of benchpark sets for a spec: {variable: value}, {mode: {variable: function}}, package specs."""
    variables, scaling, packages = {}, {}, []

    class Experiment:
        name = "miniapp"

        def add_experiment_variable(self, name, value, *_):
            variables[name] = value

        def set_required_variables(self, **values):
            variables.update(values)

        def register_scaling_config(self, config):
            scaling.update(config)

        def add_package_spec(self, _, specs):
            packages.extend(specs)

    kinds = types.SimpleNamespace(Mpionly=1, Openmp=2, Cuda=3, Rocm=4)
    modes = types.SimpleNamespace(Strong="strong", Weak="weak", Throughput="throughput")
    calls = Calls()
    found = execute(PACKAGING / "benchpark/experiment.py", {
        "benchpark.directives": {"variant": calls.directive("variant")},
        "benchpark.experiment": {"Experiment": Experiment},
        "benchpark.programming_model": {"ProgrammingModel": lambda *_: type("Model", (), {}), "ProgrammingModelType": kinds},
        "benchpark.scaling": {"Scaling": lambda *_: type("Modes", (), {}), "ScalingMode": modes},
    })
    experiment = found["Miniapp"]()
    experiment.spec = types.SimpleNamespace(variants={"order": ["7"], "version": ["1.0.0"]},
                                            satisfies=lambda what: what in on)
    experiment.compute_applications_section()
    experiment.compute_package_section()
    return variables, scaling, packages
