# SPDX-License-Identifier: BSD-3-Clause
from benchpark.directives import variant
from benchpark.experiment import Experiment
from benchpark.programming_model import ProgrammingModel, ProgrammingModelType
from benchpark.scaling import Scaling, ScalingMode


class Miniapp(
    Experiment,
    ProgrammingModel(
        ProgrammingModelType.Mpionly,
        ProgrammingModelType.Openmp,
        ProgrammingModelType.Cuda,
        ProgrammingModelType.Rocm,
    ),
    Scaling(ScalingMode.Strong, ScalingMode.Weak, ScalingMode.Throughput),
):
    variant("workload", default="solve", values=("solve", "streaming", "report"), description="what runs")
    variant("version", default="main", values=("main", "1.0.0"), description="version of miniapp")
    variant("order", default="7", values=tuple(str(p) for p in range(1, 16)), description="polynomial order")

    def compute_applications_section(self):
        on_gpus = self.spec.satisfies("+cuda") or self.spec.satisfies("+rocm")
        if self.spec.satisfies("exec_mode=test"):
            size, elements = "smoke", 64
        else:  # docs/labs.md, of one device
            size, elements = ("medium", 262144) if on_gpus else ("small", 4096)
        self.add_experiment_variable("elements", elements, True)
        self.add_experiment_variable("resource_count", 1, True)
        self.add_experiment_variable("size", size, True)
        self.add_experiment_variable("order", self.spec.variants["order"][0], True)

        def times(var, itr, dim, scaling_factor):
            return var.val(dim) * scaling_factor

        def same(var, itr, dim, scaling_factor):
            return var.val(dim)

        self.register_scaling_config(
            {
                ScalingMode.Strong: {"resource_count": times, "elements": same},
                ScalingMode.Weak: {"resource_count": times, "elements": times},
                ScalingMode.Throughput: {"resource_count": same, "elements": times},
            }
        )
        self.set_required_variables(
            n_resources="{resource_count}",
            process_problem_size="{elements} * {order}**3 / {n_resources}",
            total_problem_size="{elements} * {order}**3",
        )
        self.add_experiment_variable("n_gpus" if on_gpus else "n_ranks", "{n_resources}", True)
        if self.spec.satisfies("+openmp"):
            self.add_experiment_variable("n_threads_per_proc", "{sys_cores_per_node}", True)

    def compute_package_section(self):
        self.add_package_spec(self.name, [f"miniapp@{self.spec.variants['version'][0]} +mpi"])
