// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "miniapp/core/names.hpp"

/// Decomposition of an element-matrix kernel into teams and parts, from the order, the variant and the device's limits
/// only. Source: K. Banas, P. Plaszewski, P. Maciol, Numerical integration on GPUs for higher order finite elements,
/// Computers and Mathematics with Applications (2014), sections 4.2 and 5.3, tables 3 and 4.
namespace miniapp::elasticity {

using miniapp::name;

/// Where a team accumulates its part of an element matrix.
enum class Storage {
  registers,  ///< REG: a thread holds one block of 3 x 3 entries, on later devices several
  scratch,    ///< SHM: a team holds as many blocks per thread as its scratch has room for
};

/// Where det J and the inverse of J come from.
enum class Jacobian {
  computed,  ///< JAC: from the vertices, in the kernel
  read,      ///< NOJAC: 10 numbers per point and element, from memory
};

struct Variant {
  Storage storage;
  Jacobian jacobian;
};
/// reg_jac, reg_nojac, shm_jac, shm_nojac.
std::string name(const Variant& variant);
/// All four, in that order.
std::vector<Variant> all_variants();

/// How much memory is reserved for an element matrix.
enum class Reserve {
  blocks,      ///< blocks of the matrix: what kernels write
  full_teams,  ///< blocks rounded up to a multiple of the threads: what table 3 implies for the GTX 580
};

/// The limits of a device that a plan depends on.
struct DeviceLimits {
  std::string name;
  int units;                        ///< number of multiprocessors
  std::size_t scratch_bytes;        ///< scratch memory of a unit [bytes]
  std::size_t memory_bytes;         ///< most memory of all arrays together [bytes]
  std::size_t array_bytes;          ///< most memory of one array [bytes]
  int threads_per_team;             ///< most threads of a team that registers allow, a multiple of 64
  int teams_per_unit;               ///< most teams of a unit at a time
  std::int64_t threads_per_kernel;  ///< most threads of a kernel, over all teams
  int teams_sharing_scratch = 1;    ///< teams that should be resident on a unit at once
  Reserve reserve = Reserve::blocks;
  int blocks_in_registers = 1;  ///< blocks that a thread keeps with Storage::registers
  int points_at_once = 1;       ///< points whose gradients a team holds in scratch
};

/// The paper's devices. The paper states neither teams per unit nor threads per kernel: 8 and 65535 reproduce its
/// tables.
DeviceLimits gtx_580();
DeviceLimits hd_5870();
/// NVIDIA H200.
DeviceLimits h200();
/// The device that this program runs on, with four fifths of the memory that is free now, on hosts two thirds.
DeviceLimits this_device();

/// How one kernel runs. Blocks are 3 x 3 entries, one per pair of shape functions.
struct Plan {
  int order = 0, num_functions = 0, num_points = 0;
  Variant variant{};
  Precision precision{};
  std::int64_t blocks = 0;             ///< blocks of an element matrix: num_functions^2
  int threads = 0;                     ///< threads of a team, a multiple of 64
  int parts = 0;                       ///< parts of an element matrix, computed one after the other
  int blocks_per_thread = 0;           ///< within a part
  std::size_t scratch_bytes = 0;       ///< scratch memory of a team
  std::int64_t elements = 0;           ///< per kernel
  std::int64_t elements_per_team = 0;  ///< the last team may have fewer
  std::int64_t teams = 0;
  std::size_t input_bytes = 0;   ///< what a kernel reads: vertices or Jacobians, materials, tables of the basis
  std::size_t output_bytes = 0;  ///< what a kernel writes: element matrices

  /// Blocks that threads compute, including those beyond the matrix.
  std::int64_t performed_blocks() const { return std::int64_t(parts) * threads * blocks_per_thread; }
};

/// Flops per block and point, by the paper's count.
inline constexpr int flops_per_block = 63;
/// Flops per element: those of its blocks, and those of all blocks that threads compute.
double useful_flops(const Plan& plan);
double performed_flops(const Plan& plan);

inline constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// The plan for `elements` elements, or for as many as a kernel can take.
/// - Threads: as many as the device allows, in multiples of 64, at most one per block of the matrix. Where the matrix
///   has fewer blocks than the device allows threads, the fewest that need no more parts: 324 blocks are 2 x 192, not
///   320 + 4.
/// - Blocks per thread and parts: the fewest parts that scratch allows, then the fewest blocks per thread for these.
/// - Elements: as many as memory holds; a multiple of the teams that run at once or, where memory holds fewer than
///   these, of the units.
/// - Elements per team: as few as the limits on teams and threads allow.
/// Errors: an order outside 1..7, elements < 1, invalid limits, a team or an element that does not fit (InputError,
/// which says what does).
Plan make_plan(int order, const DeviceLimits& limits, const Variant& variant, Precision precision,
               std::int64_t elements = unlimited);

}  // namespace miniapp::elasticity
