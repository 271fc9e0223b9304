// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "report/field.hpp"

/// The values of records (docs/record.md) that tables or pages show: what writes a value and what shows it name it by
/// the same constant. Values that are only written have their key where they are written.
namespace miniapp::apps::field {

using report::Field;

// case
inline constexpr Field elements{"/case/elements", "elements"}, order{"/case/order", "order"},
    unknowns{"/case/unknowns", "unknowns"}, dofs{"/case/dofs", "dofs"}, variant{"/case/variant"},
    strategy{"/case/strategy", "kernel"}, reorder{"/case/reorder", "reorder"}, block_size{"/case/block_size", "block"},
    partition{"/case/partition"}, halo{"/case/halo"};
// case of the main job and of tune
inline constexpr Field bp{"/case/bp", "problem"}, kernel{"/case/kernel", "kernel"}, idea{"/case/idea", "idea"},
    geometry{"/case/geometry", "geometry"};
// case of streaming, of indirect, of elasticity, of weakform and of solver
inline constexpr Field bs{"/case/bs"}, operation{"/case/name"};
inline constexpr Field automatic{"/case/automatic"}, in_block{"/case/in_block"}, write_back{"/case/write_back"},
    layout{"/case/layout", "layout"}, size{"/case/size"};
inline constexpr Field batches_of_elements{"/case/batches", "batches"};
inline constexpr Field blocks{"/case/blocks"}, batches{"/case/batches"};
inline constexpr Field matrix{"/case/matrix", "matrix"}, entries{"/case/entries"}, method{"/case/method"},
    pc{"/case/pc", "preconditioner"};

// verification
inline constexpr Field passed{"/verification/passed"}, error{"/verification/error", "error", "{:.1e}"},
    error_over_tolerance{"/verification/error_over_tolerance", "error", "{:.2g}"},
    error_tolerance{"/verification/tolerance"};

// result of a solve, of a run, of teams and of plans
inline constexpr Field iterations{"/result/iterations", "iterations"}, verdict{"/result/verdict", "verdict"},
    relative_residual{"/result/relative_residual", "residual", "{:.1e}"},
    true_relative_residual{"/result/true_relative_residual", "residual", "{:.1e}"},
    l2_error{"/result/l2_error", "L2 error", "{:.3e}"}, h1_error{"/result/h1_error", "H1 error", "{:.3e}"},
    applications{"/result/operator_applications"}, jacobi_solve_s{"/result/jacobi/solve_s"}, levels{"/result/levels"},
    grid_complexity{"/result/grid_complexity", "grid", "{:.2f}"},
    operator_complexity{"/result/operator_complexity", "operator", "{:.2f}"};
inline constexpr Field expected_bytes{"/result/expected_bytes"}, peak_bytes{"/result/peak_bytes"};
inline constexpr Field scratch_bytes{"/result/scratch_bytes", "scratch"},
    occupancy{"/result/occupancy", "occupancy", "{:.0f} %", 100}, registers{"/result/resources/registers", "registers"},
    team_scratch{"/result/resources/scratch_bytes", "scratch kB", "{:.3g}", 1e-3},
    threads_at_once{"/result/resources/occupancy", "% threads", "{:.0f}", 100};
inline constexpr Field reuse_factor{"/result/reuse_factor", "reuse", "{:.2f}"}, block_colours{"/result/block_colours"},
    thread_colours{"/result/thread_colours"}, cache_lines{"/result/cache_lines_per_block", "lines", "{:.0f}"};
// result of streaming: the model
inline constexpr Field sizes{"/result/entries"}, t0_s{"/result/t0_s", "T0 us", "{:.3g}", 1e6},
    wmax{"/result/wmax_gbytes", "Wmax GB/s", "{:.4g}"}, beyond_cache{"/result/beyond_cache"},
    wmax_beyond{"/result/beyond_cache/wmax_gbytes", "beyond cache", "{:.4g}"}, b80{"/result/b80_bytes", "B0.8"},
    r_squared{"/result/r_squared", "R^2", "{:.5f}"}, worst_residual{"/result/worst_residual", "worst %", "{:.0f}", 100};
// result of elasticity
inline constexpr Field num_blocks{"/result/blocks", "blocks"},
    tip_deflection{"/result/tip_deflection_m", "deflection m", "{:.6g}"},
    beam_deflection{"/result/beam_deflection_m", "beam m", "{:.6g}"}, comparison{"/result/comparison"},
    comparison_error{"/result/comparison/error", "apart", "{:.1e}"},
    displacement{"/result/displacement_m", "largest u m", "{:.6g}"},
    body_stress{"/result/von_mises_pa", "von Mises Pa", "{:.4g}"}, imbalance{"/result/imbalance", "balance", "{:.1e}"},
    patch_error{"/verification/patch_error_over_tolerance", "patch", "{:.2g}"},
    sum_error{"/verification/sum_error_over_tolerance", "sum", "{:.2g}"};
// result of elasticity: the plan of a kernel
inline constexpr double mib = 1024 * 1024;
inline constexpr Field plan{"/result/plan"}, functions{"/result/plan/functions", "functions"},
    points{"/result/plan/points", "points"}, threads{"/result/plan/threads", "threads"},
    parts{"/result/plan/parts", "parts"}, blocks_per_thread{"/result/plan/blocks_per_thread", "blocks per thread"},
    elements_per_kernel{"/result/plan/elements_per_kernel", "elements per kernel"},
    elements_per_team{"/result/plan/elements_per_team", "per team"},
    input_bytes{"/result/plan/input_bytes", "input MiB", "{:.3g}", 1 / mib},
    output_bytes{"/result/plan/output_bytes", "output MiB", "{:.4g}", 1 / mib};
// result of weakform
inline constexpr Field intensity{"/result/intensity", "flop/B", "{:.2f}"},
    model_intensity{"/result/model_intensity", "beta", "{:.2f}"},
    linear_iterations{"/result/linear_iterations", "linear"},
    preconditioner_set_ups{"/result/preconditioner_set_ups", "set-ups"};
// result of tune
inline constexpr Field measured{"/result/measured"};

// timing [s]
inline constexpr Field kernel_s{"/timing/kernel_s", "time"}, operator_s{"/timing/operator_s", "A x ms", "{:.3g}", 1e3},
    solve_s{"/timing/solve_s", "solve"}, setup_s{"/timing/setup_s"}, iteration_s{"/timing/iteration_s", "iteration"},
    spmv_s{"/timing/spmv_s", "A x"}, residual_s{"/timing/residual_s", "ms", "{:.4g}", 1e3},
    jacobian_s{"/timing/jacobian_s", "Jacobian ms", "{:.4g}", 1e3}, overlapped_s{"/timing/overlapped_s", "overlapped"},
    preparation{"/timing/phases/preparation", "prepare"}, allocation{"/timing/phases/allocation", "allocate"},
    transfer_in{"/timing/phases/transfer_in", "in"}, transfer_out{"/timing/phases/transfer_out", "out"};

// rates
inline constexpr Field kernel_gbytes{"/rates/kernel_gbytes", "GB/s", "{:.3g}"},
    kernel_gflops{"/rates/kernel_gflops", "GFLOP/s", "{:.4g}"},
    kernel_gdofs_local{"/rates/kernel_gdofs_local", "GDOF/s local", "{:.3g}"},
    operator_gdofs{"/rates/operator_gdofs", "operator GDOF/s", "{:.3g}"}, operator_gbytes{"/rates/operator_gbytes"},
    operator_dofs_per_joule{"/rates/operator_dofs_per_joule"}, cg_gdofs{"/rates/cg_gdofs", "CG GDOF*it/s", "{:.3g}"},
    plain_cg_gdofs{"/rates/plain_cg_gdofs"}, bound_gdofs{"/rates/bound_gdofs"},
    largest{"/rates/largest_gbytes", "largest GB/s", "{:.4g}"},
    largest_moved{"/rates/largest_moved_gbytes", "moved GB/s", "{:.4g}"},
    largest_per_joule{"/rates/largest_gbytes_per_joule", "GB/J", "{:.3g}"},
    useful_gflops{"/rates/useful_gflops", "useful", "{:.4g}"}, paper_gflops{"/rates/paper_gflops", "paper", "{:.4g}"},
    kernel_share{"/rates/kernel_share", "kernel %", "{:.1f}", 100},
    residual_gcells{"/rates/residual_gcells", "Gcells/s", "{:.3g}"},
    residual_gflops{"/rates/residual_gflops", "GFLOP/s", "{:.3g}"}, spmv_gbytes{"/rates/spmv_gbytes", "GB/s", "{:.4g}"};

// roofs
inline constexpr Field copy_gbytes{"/roofs/copy_gbytes"}, copied_bytes{"/roofs/copied_bytes"},
    model_bytes{"/roofs/model_bytes"}, fraction_of_copy_roof{"/roofs/fraction_of_copy_roof", "% copy", "{:.0f}", 100},
    peak_gbytes{"/roofs/peak_gbytes"}, fraction_of_peak_roof{"/roofs/fraction_of_peak_roof", "% peak", "{:.0f}", 100},
    scratch_gbytes{"/roofs/scratch_gbytes"},
    fraction_of_scratch_roof{"/roofs/fraction_of_scratch_roof", "% scratch", "{:.0f}", 100},
    fraction_of_fma_roof{"/roofs/fraction_of_fma_roof", "% FMA", "{:.1f}", 100},
    fraction_of_write_roof{"/roofs/fraction_of_write_roof", "% writes", "{:.1f}", 100},
    memory_gbytes{"/roofs/memory_gbytes"}, least_bytes{"/roofs/least_bytes"}, fma_gflops{"/roofs/fma_gflops"},
    multiplications{"/roofs/multiplications"}, bound_s{"/roofs/bound_s"}, bound_by{"/roofs/bound_by"},
    fraction_of_bound{"/roofs/fraction_of_bound", "% bound", "{:.0f}", 100};

// model of an iteration of solver
inline constexpr Field launches{"/model/launches", "launches", "{:.0f}"}, launch_s{"/model/launch_s", "launching"},
    reads{"/model/reads", "reads", "{:.2g}"}, read_s{"/model/read_s", "reading"},
    moved_bytes{"/model/moved_bytes", "bytes"}, model_s{"/model/iteration_s", "model"},
    fraction_of_iteration{"/model/fraction_of_iteration", "% model", "{:.0f}", 100},
    textbook_s{"/model/textbook_iteration_s", "textbook"};

}  // namespace miniapp::apps::field
