// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"
#include "runs/elasticity/settings.hpp"
#include "runs/memory_need.hpp"

namespace miniapp::elasticity {

/// The size at which the copy roof of matrices is measured [bytes].
inline constexpr double copied_bytes = runs_on_host ? 256e6 : 1e9;

/// Memory for the matrices of one order by one method: a batch of input on the host and, with its matrices, on the
/// device; all matrices where they are kept.
measure::MemoryNeed matrices_need(const MatrixSettings& settings, int order, Method method);

/// What a rank has of a cantilever, or of a body.
struct SystemSize {
  double prisms, nodes;
  double blocks;  ///< blocks of 3 x 3 numbers of the matrix: one per pair of nodes that have a prism in common
};
/// A rank's part of a cantilever of one order, as if that were a piece of the longest side.
SystemSize size_of(const BeamSettings& settings, int order);
/// Sizes of a mesh of prisms, or of a rank's part: exact where the body has no holes and one surface, else nearly.
SystemSize size_of(const mesh::Mesh& mesh, int order);

/// Memory of a rank for a cantilever, or for a body on a mesh, of one order, within about a quarter.
measure::MemoryNeed beam_need(const BeamSettings& settings, int order);
measure::MemoryNeed body_need(const SolveSettings& settings, const mesh::Mesh& mesh, int order);

/// Where the host is the device, matrices that are kept there leave less memory to batches: reduces the limits.
void keep_room_for_output(MatrixSettings& settings, const std::vector<int>& orders);

}  // namespace miniapp::elasticity
