// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "miniapp/space/space.hpp"

/// What a program does with vectors of a space beside solving.
namespace miniapp::space {

/// x = 0 at constrained nodes, in all components. O(constrained nodes). Errors: InputError where x is no vector of the
/// space.
void set_to_zero(const Space& space, const Vector<double>& x);

/// The nodes of all ranks in one numbering, which depends on the mesh alone: by the lowest element of the whole mesh
/// that has the node, and by the node's place in it. One process numbers the whole mesh in the same way, so that
/// vectors go from a run on some ranks to a run on others. For meshes that fit on each rank: it takes 16 bytes for
/// every node of all ranks.
class WholeNodes {
 public:
  /// `space`, of this mesh, must outlive it. O(nodes of all ranks), but for a sort. Collective. Errors: InputError
  /// where a node belongs to no element.
  WholeNodes(const mesh::Mesh& mesh, const Space& space);
  /// Nodes of all ranks, each counted once.
  std::int64_t size() const { return static_cast<std::int64_t>(places_.size()); }
  /// (node of this rank): its number, 0 .. size() - 1.
  const std::vector<std::int64_t>& numbers() const { return numbers_; }
  /// The values of a vector of the space on all ranks, (number, component), on each of them. Collective. Errors:
  /// InputError where x is no vector of the space.
  std::vector<double> gather(const Vector<const double>& x) const;
  /// The reverse: this rank's values of what gather() gives, with those of copies. Errors: InputError where there is
  /// not one for each number and component.
  Vector<double> scatter(const std::vector<double>& whole) const;

 private:
  const Space& space_;
  std::vector<std::int64_t> numbers_;
  std::vector<std::int64_t> offsets_;  ///< (rank + 1): of the nodes that ranks own
  std::vector<std::int64_t> places_;   ///< (owned node, rank after rank): its number
};

}  // namespace miniapp::space
