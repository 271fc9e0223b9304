// SPDX-License-Identifier: BSD-3-Clause
#include "space/first_use.hpp"

#include <limits>

#include "space/parallel.hpp"

namespace miniapp::space {
namespace {

/// Numbers nodes in the order in which cells visit them. `nodes` (cell, local node) receives the numbers, ~number where
/// on_surface (key).
class FirstUse {
 public:
  FirstUse(const EntityKeys& keys, const Vector<Index>& nodes, const Vector<const char>& on_surface)
      : keys_(keys),
        nodes_(nodes),
        cells_(static_cast<std::int64_t>(nodes.extent(0)) / keys.num_local()),
        first_(make_vector<std::int64_t>("space/first uses", keys.end)),
        next_(make_vector<Index>("space/numbers of cells", cells_)),
        on_surface_(on_surface) {
    fill(first_, std::numeric_limits<std::int64_t>::max());
    find_first_uses();
    mark_owned();
    next_ = offsets_of(next_);
    is_masked_ = make_zeros<char>("space/is masked", on_surface.extent(0) ? size() : 0);
    number_shared();
    number_all();
  }

  /// Number of nodes.
  Index size() const { return last_of(next_); }

  /// The constrained nodes, ascending.
  std::vector<Index> masked() const { return list_marked(is_masked_); }

  // public, since nvcc requires it for functions that contain kernels

  void find_first_uses() {
    const FirstUse own = *this;
    Kokkos::parallel_for(
        "space/first uses", Range(0, cells_), KOKKOS_LAMBDA(const std::int64_t e) {
          const int local = own.keys_.num_local();
          for (int r = 0; r < local; ++r) {
            const std::int64_t use = e * local + r;
            const Index key = own.keys_(e, r);
            own.nodes_(use) = key < 0 ? inside : key;
            if (key >= 0) lower(&own.first_(key), use);
          }
        });
  }

  /// Nodes that have their first use here become ~key; counts these and the inner nodes.
  void mark_owned() {
    const FirstUse own = *this;
    Kokkos::parallel_for(
        "space/owned nodes", Range(0, cells_), KOKKOS_LAMBDA(const std::int64_t e) {
          const int local = own.keys_.num_local();
          Index count = 0;
          for (std::int64_t use = e * local; use < (e + 1) * local; ++use) {
            Index& node = own.nodes_(use);
            if (node >= 0 && own.first_(node) == use) node = ~node;
            count += node < 0;
          }
          own.next_(e) = count;
        });
  }

  /// Changes first_ (key) to the node's number, ~number where masked.
  void number_shared() {
    const FirstUse own = *this;
    Kokkos::parallel_for(
        "space/shared nodes", Range(0, cells_), KOKKOS_LAMBDA(const std::int64_t e) {
          const int local = own.keys_.num_local();
          Index number = own.next_(e);
          for (std::int64_t use = e * local; use < (e + 1) * local; ++use) {
            const Index node = own.nodes_(use);
            if (node >= 0) continue;
            if (node != inside) set_number(own.first_, own.on_surface_, own.is_masked_, ~node, number);
            ++number;
          }
        });
  }

  void number_all() {
    const FirstUse own = *this;
    Kokkos::parallel_for(
        "space/number nodes", Range(0, cells_), KOKKOS_LAMBDA(const std::int64_t e) {
          const int local = own.keys_.num_local();
          Index number = own.next_(e);
          for (std::int64_t use = e * local; use < (e + 1) * local; ++use) {
            Index& node = own.nodes_(use);
            const bool is_new = node < 0;
            node = node == inside ? number : static_cast<Index>(own.first_(is_new ? ~node : node));
            number += is_new;
          }
        });
  }

 private:
  static constexpr Index inside = std::numeric_limits<Index>::min();

  EntityKeys keys_;
  Vector<Index> nodes_;  ///< (cell, local node): keys, then numbers
  std::int64_t cells_;
  Vector<std::int64_t> first_;  ///< (key): the first use of a node, then its number
  Vector<Index> next_;          ///< (cell + 1): number of its new nodes; after the scan, the first of their numbers
  Vector<const char> on_surface_;
  Vector<char> is_masked_;  ///< (number); empty where nothing is masked
};

}  // namespace

Space make_space_by_first_use(const mesh::Mesh& mesh, int order, const EntityKeys& keys,
                              const Vector<const char>& on_surface) {
  Space space = make_unknowns(0);
  space.kind = mesh.kind;
  space.order = order;
  space.element_to_node = SharedMap(mesh.num_elements(), keys.num_local(), [&](const Vector<Index>& nodes) {
    const FirstUse numbers(keys, nodes, on_surface);
    space.num_nodes = numbers.size();
    space.masked = numbers.masked();
  });
  return space;
}

Vector<char> mark_surface(const EntityKeys& keys, const Vector<const Index>& multiplicity) {
  const Vector<char> on_surface = make_zeros<char>("space/on surface", keys.end);
  const auto cells = static_cast<std::int64_t>(keys.faces.extent(0)) / keys.num_faces;
  Kokkos::parallel_for(
      "space/on surface", Range(0, cells), KOKKOS_LAMBDA(const std::int64_t e) {
        int bits = 0;
        for (int f = 0; f < keys.num_faces; ++f) bits |= (multiplicity(keys.faces(e * keys.num_faces + f)) == 1) << f;
        for (int r = 0; r < keys.num_local(); ++r)
          if (keys.local(r).faces & bits) on_surface(keys(e, r)) = 1;
      });
  return on_surface;
}

}  // namespace miniapp::space
