# SPDX-License-Identifier: BSD-3-Clause
from ramble.appkit import *

number = r"[0-9.]+(e[-+][0-9]+)?"


class Miniapp(ExecutableApplication):
    """Published finite element kernels on processors and GPUs, each verified before it is timed"""

    name = "miniapp"
    tags("finite-element", "high-order", "matrix-free", "multigrid", "kokkos", "memory-bandwidth", "c++", "mpi")

    executable(
        "solve",
        "miniapp --bp {bp} --order {order} --elements {elements} --preconditioner {preconditioner}"
        " --json {experiment_run_dir}/records.json",
        use_mpi=True,
    )
    executable("stream", "miniapp streaming --bs 1..5 --json {experiment_run_dir}/records.json", use_mpi=True)
    executable("report", "miniapp report --size {size} --output {experiment_run_dir}/report.html", use_mpi=True)
    workload("solve", executables=["solve"])
    workload("streaming", executables=["stream"])
    workload("report", executables=["report"])

    for variable, default, meaning in (
        ("bp", "3.0", "bake-off problem: 1.0, 3.0, 3.5"),
        ("order", "7", "polynomial order, 1 to 15"),
        ("elements", "4096", "hexahedra of all ranks together"),
        ("preconditioner", "auto", "auto, p-multigrid, jacobi, none, .."),
    ):
        workload_variable(variable, default=default, description=meaning, workloads=["solve"])
    workload_variable("size", default="small", description="smoke, small, medium, large, full", workloads=["report"])

    for fom, regex, units in (
        ("unknowns solved", rf"^  solution .*; (?P<fom>{number}) million unknowns/s", "MDOF/s"),
        ("operator", rf"^  operator .*; (?P<fom>{number}) GDOF/s with gather and scatter", "GDOF/s"),
        ("fraction of the bound", rf"^  bound +\[.*\] (?P<fom>{number}) % of", "%"),
        ("CG iteration", rf"^  CG iteration .*; (?P<fom>{number}) GDOF\*iteration/s", "GDOF*iteration/s"),
        ("kernel", rf"^  kernel alone .*; (?P<fom>{number}) GFLOP/s", "GFLOP/s"),
        ("iterations", rf"^  CG +(?P<fom>{number}) iterations", ""),
        ("L2 error", rf"^  L2 error +(?P<fom>{number}) relative", ""),
        ("copy", rf"^copy roof (?P<fom>{number}) GB/s", "GB/s"),
        ("FOM", rf"^FOM (?P<fom>{number}) MDOF/s solve", "MDOF/s"),
        ("FOM operator", rf"^FOM .*; operator (?P<fom>{number}) GDOF/s", "GDOF/s"),
        ("FOM streaming", rf"^FOM .*; streaming (?P<fom>{number}) GB/s", "GB/s"),
        ("FOM indirect", rf"^FOM .*; indirect (?P<fom>{number}) GB/s", "GB/s"),
        ("FOM element-matrices", rf"^FOM .*; element-matrices (?P<fom>{number}) Mmatrices/s", "Mmatrices/s"),
        ("FOM weak-form", rf"^FOM .*; weak-form (?P<fom>{number}) Gcells/s", "Gcells/s"),
        ("FOM AMG", rf"^FOM .*; AMG (?P<fom>{number}) Mnnz/s", "Mnnz/s"),
    ):
        figure_of_merit(
            fom,
            log_file="{experiment_run_dir}/{experiment_name}.out",
            fom_regex=regex,
            group_name="fom",
            units=units,
        )

    success_criteria(
        "right",
        mode="string",
        match=r"^  verified .*: right|^  BS1 copy .* yes$|^FOM [0-9]",
        file="{experiment_run_dir}/{experiment_name}.out",
    )
