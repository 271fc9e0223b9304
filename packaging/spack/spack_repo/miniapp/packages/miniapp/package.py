# SPDX-License-Identifier: BSD-3-Clause
from pathlib import Path

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *


class Miniapp(CMakePackage, CudaPackage, ROCmPackage):
    """Published finite element kernels on processors and GPUs by Kokkos: each is verified
    against a reference, timed, and compared with what the hardware allows."""

    # The clone that holds this recipe, until a package repository has it with a public address.
    git = Path(__file__).resolve().parents[6].as_uri()

    tags = ["proxy-app", "e4s"]
    license("BSD-3-Clause")

    version("main", branch="main")
    version("1.0.0", tag="v1.0.0")

    variant("openmp", default=False, description="Threads of the host by OpenMP")
    variant("mpi", default=True, description="Several ranks")
    variant("hypre", default=True, when="+mpi", description="Algebraic multigrid of all ranks")
    variant("nccl", default=False, when="+mpi +cuda", description="--halo nccl")
    variant("metis", default=True, description="--reorder metis, --partition metis")
    variant("zlib", default=True, description="--output-compress zlib")
    variant("plot", default=False, description="--plot and miniapp-plot")
    variant("shared", default=False, description="A shared library")
    variant(
        "orders",
        values=any_combination_of(*[str(order) for order in range(1, 16)]),
        description="Polynomial orders that kernels are built for; none: all, 1 to 15",
    )

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    generator("ninja")
    depends_on("fmt@9:")
    depends_on("cli11@2.1.2:2", type="build")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("tomlplusplus@3:", type="build")
    depends_on("muparser@2.3:")
    depends_on("mpi@3:", when="+mpi")
    # on GPUs too a hypre of the host: its multigrid gets matrices that are there
    depends_on("hypre@2.20: +mpi~cuda~rocm~sycl~complex precision=double", when="+hypre")
    depends_on("nccl", when="+nccl")
    depends_on("metis@5.1:", when="+metis")
    depends_on("zlib-api", when="+zlib")
    depends_on("python@3.9:", type="run", when="+plot")
    depends_on("py-matplotlib@3.6:", type="run", when="+plot")
    depends_on("catch2@2.13.10:", type="test")
    depends_on("python@3.9:", type="test")

    # Kokkos runs on the first of CUDA, HIP, OpenMP and Serial that it was built with
    depends_on("kokkos@3.4:")
    depends_on("kokkos+serial~openmp~threads", when="~openmp~cuda~rocm")
    depends_on("kokkos+openmp", when="+openmp")
    depends_on("kokkos~cuda~rocm", when="~cuda~rocm")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"kokkos+wrapper cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
    for target in ROCmPackage.amdgpu_targets:
        depends_on(f"kokkos amdgpu_target={target}", when=f"+rocm amdgpu_target={target}")
    with when("+cuda"):
        depends_on("kokkos+cuda cxxstd=20")
        requires("^kokkos+cuda_lambda", when="^kokkos@:4")
        conflicts("cuda_arch=none", msg="give one, as cuda_arch=90")
        conflicts("+rocm", msg="Kokkos has one kind of GPU")
        # docs/build.md: Views that differ on host and device
        conflicts("^kokkos@:4.7.01", when="^cuda@12.9:", msg="12.9 and later need Kokkos 4.7.02")
        conflicts("^kokkos@:5.0.1", when="^cuda@13.1:", msg="13.1 and later need Kokkos 5.0.2")
    with when("+rocm"):
        depends_on("kokkos+rocm cxxstd=20")

    conflicts("%gcc@:11", msg="C++20")
    conflicts("%clang@:13", msg="C++20")

    def cmake_args(self):
        spec = self.spec
        backends = {"+cuda": "CUDA", "+rocm": "HIP", "+openmp": "OPENMP"}
        backend = next((name for when, name in backends.items() if spec.satisfies(when)), "SERIAL")
        orders = spec.variants["orders"].value
        args = [
            self.define("FETCHCONTENT_FULLY_DISCONNECTED", True),
            self.define("Kokkos_ROOT", spec["kokkos"].prefix),
            self.define("MINIAPP_BACKEND", backend),
            self.define("MINIAPP_ARCH", ""),  # Spack's compiler gets that of target=
            self.define("MINIAPP_BATCHES", backend in ("SERIAL", "OPENMP")),
            self.define("MINIAPP_ENABLE_HYPRE", "ON" if spec.satisfies("+hypre") else "OFF"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_METIS", spec.satisfies("~metis")),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_ZLIB", spec.satisfies("~zlib")),
            self.define("BUILD_TESTING", self.run_tests),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("MINIAPP_ENABLE_MPI", "mpi"),
        ]
        if "none" not in orders:
            args.append(self.define("MINIAPP_ORDERS", sorted(orders, key=int)))
        if spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CXX_COMPILER", self["kokkos"].kokkos_cxx))
        if spec.satisfies("+rocm"):
            args.append(self.define("CMAKE_CXX_COMPILER", spec["hip"].hipcc))
        if spec.satisfies("+nccl"):
            args.append(self.define("NCCL_ROOT", spec["nccl"].prefix))
        return args

    def test_main_job(self):
        """solve BP3.0 on 64 hexahedra and compare with the exact solution"""
        orders = self.spec.variants["orders"].value
        order = "7" if "none" in orders else max(orders, key=int)
        program = which(self.prefix.bin.miniapp, required=True)
        words = f"--order {order} --elements 64 --repeat 1".split()
        page = program(*words, output=str.split, error=str.split)
        check_outputs([r"verified +error .*: right", r"CG .*: (converged|stagnated)"], page)
