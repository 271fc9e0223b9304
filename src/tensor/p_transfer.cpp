// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/p_transfer.hpp"

#include <limits>
#include <vector>

#include "miniapp/basis/lagrange.hpp"
#include "miniapp/basis/quadrature.hpp"
#include "miniapp/core/error.hpp"
#include "tensor/element_group.hpp"

namespace miniapp::tensor {
namespace {

using Positions = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// first (node): the lowest position in the map that has the node.
struct FindFirst {
  const Index* map;
  std::int64_t* first;
  KOKKOS_FUNCTION void operator()(const std::int64_t position) const {
    if (map[position] >= 0) Kokkos::atomic_fetch_min(first + map[position], position);
  }
};

/// fine (group, local node, lane).
struct TakeFirst {
  const Index* map;
  const std::int64_t* first;
  Index* fine;
  int nodes, width;
  KOKKOS_FUNCTION void operator()(const std::int64_t position) const {
    const std::int64_t element = position / nodes, node = position % nodes;
    const Index number = map[position];
    fine[(element / width * nodes + node) * width + element % width] =
        number >= 0 && first[number] == position ? number : -1;
  }
};

/// Maps in the three directions of a group of elements; low, high: nodes per direction of the two orders.
template <class Real>
struct TransferOfGroup {
  using Number = GroupNumber<Real>;
  static constexpr int size = group_size<Real>, threads = 256, teams_at_once = 1;

  const Index *coarse_map, *fine;
  const Real* basis;  ///< (fine node, coarse node)
  int low, high;
  std::int64_t elements;

  /// Nodes of the higher order in the lanes of a team's group.
  KOKKOS_FORCEINLINE_FUNCTION const Index* fine_nodes(const Team& team, int node) const {
    return fine + (std::int64_t(team.league_rank()) * high * high * high + node) * size;
  }

  /// sum_i matrix[i * step] * line[i * stride].
  KOKKOS_FORCEINLINE_FUNCTION static Number dot(int length, const Real* matrix, int step, const Number* line,
                                                int stride) {
    Number sum{};
    for (int i = 0; i < length; ++i) sum += matrix[i * step] * line[i * stride];
    return sum;
  }
};

template <class Real>
struct Prolong : TransferOfGroup<Real> {
  using Base = TransferOfGroup<Real>;
  using typename Base::Number;
  const Real* x;
  Real* y;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int n = this->low, m = this->high;
    const ElementRange group = group_of<Real>(team, this->elements);
    const Real* const J = this->basis;
    Number* const a = static_cast<Number*>(team.scratch());  // (k, j, i) of the lower order
    Number* const b = a + n * n * n;                         // (k, j, fine i)
    Number* const c = b + n * n * m;                         // (k, fine j, fine i)
    for_each(team, n * n * n, [&](int node) {
      for (int l = 0; l < Base::size; ++l) {
        const Index from = l < group.count ? this->coarse_map[(group.first + l) * n * n * n + node] : -1;
        lane<Real>(a[node], l) = from >= 0 ? x[from] : Real(0);
      }
    });
    for_each(team, n * n * m, [&](int i) { b[i] = Base::dot(n, J + i % m * n, 1, a + i / m * n, 1); });
    for_each(team, n * m * m,
             [&](int i) { c[i] = Base::dot(n, J + i / m % m * n, 1, b + i / (m * m) * n * m + i % m, m); });
    for_each(team, m * m * m, [&](int node) {
      Number value = Base::dot(n, J + node / (m * m) * n, 1, c + node % (m * m), m * m);
      const Index* const to = this->fine_nodes(team, node);
      for (int l = 0; l < Base::size; ++l)
        if (to[l] >= 0) y[to[l]] += lane<Real>(value, l);
    });
  }
};

template <class Real>
struct Restrict : TransferOfGroup<Real> {
  using Base = TransferOfGroup<Real>;
  using typename Base::Number;
  const Real* r;
  Real* f;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int n = this->low, m = this->high;
    const ElementRange group = group_of<Real>(team, this->elements);
    const Real* const J = this->basis;
    Number* const a = static_cast<Number*>(team.scratch());  // (k, j, i) of the higher order
    Number* const b = a + m * m * m;                         // (coarse k, j, i)
    Number* const c = b + n * m * m;                         // (coarse k, coarse j, i)
    for_each(team, m * m * m, [&](int node) { a[node] = take(r, this->fine_nodes(team, node)); });
    for_each(team, n * m * m, [&](int i) { b[i] = Base::dot(m, J + i / (m * m), n, a + i % (m * m), m * m); });
    for_each(team, n * n * m,
             [&](int i) { c[i] = Base::dot(m, J + i / m % n, n, b + i / (m * n) * m * m + i % m, m); });
    for_each(team, n * n * n, [&](int node) {
      Number value = Base::dot(m, J + node % n, n, c + node / n * m, 1);
      for (int l = 0; l < group.count; ++l) {
        const Index to = this->coarse_map[(group.first + l) * n * n * n + node];
        if (to >= 0) Kokkos::atomic_add(f + to, lane<Real>(value, l));
      }
    });
  }
};

}  // namespace

template <class Real>
PTransfer<Real>::PTransfer(const space::Space& coarse, const space::Space& fine)
    : coarse_map_(coarse.element_to_node.device()),
      n_(coarse.order + 1),
      m_(fine.order + 1),
      components_(fine.components),
      coarse_nodes_(coarse.num_nodes),
      fine_nodes_(fine.num_nodes),
      elements_(static_cast<std::int64_t>(fine.element_to_node.num_entries()) / (m_ * m_ * m_)) {
  require(coarse.kind == mesh::CellKind::hexahedron && fine.kind == mesh::CellKind::hexahedron &&
              coarse.components == fine.components &&
              static_cast<std::int64_t>(coarse_map_.extent(0)) == elements_ * n_ * n_ * n_,
          "transfer between orders: the spaces differ in more; accepted are two of one mesh of hexahedra with as many "
          "components");
  const Vector<std::int64_t> first = make_vector<std::int64_t>("tensor/transfer/first", std::size_t(fine_nodes_));
  Kokkos::deep_copy(first, std::numeric_limits<std::int64_t>::max());
  const Vector<const Index> map = fine.element_to_node.device();
  const Positions positions(0, static_cast<std::int64_t>(map.extent(0)));
  constexpr int width = group_size<Real>;
  const int nodes = m_ * m_ * m_;
  fine_ = make_vector<Index>("tensor/transfer/fine", (elements_ + width - 1) / width * width * nodes);
  Kokkos::deep_copy(fine_, -1);
  Kokkos::parallel_for("tensor/transfer/first", positions, FindFirst{map.data(), first.data()});
  Kokkos::parallel_for("tensor/transfer/fine", positions,
                       TakeFirst{map.data(), first.data(), fine_.data(), nodes, width});
  const basis::Matrix J = basis::lagrange_values(basis::gauss_lobatto(n_).points, basis::gauss_lobatto(m_).points);
  basis_ = to_device<Real>("tensor/transfer/basis", J.entries);
  ExecutionSpace().fence();  // `first` is freed
}

template <class Real>
void PTransfer<Real>::prolong(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const {
  for (std::size_t c = 0; c < std::size_t(components_); ++c)
    for_groups_of_elements<Real>(instance, "tensor/prolong", elements_, m_ * m_,
                                 std::size_t(n_) * (n_ * n_ + n_ * m_ + m_ * m_),
                                 Prolong<Real>{{coarse_map_.data(), fine_.data(), basis_.data(), n_, m_, elements_},
                                               x.data() + c * coarse_nodes_,
                                               y.data() + c * fine_nodes_});
}

template <class Real>
void PTransfer<Real>::restrict_to(const Instance& instance, const Vector<const Real>& r, const Vector<Real>& f) const {
  Kokkos::deep_copy(instance.space(), f, Real(0));
  for (std::size_t c = 0; c < std::size_t(components_); ++c)
    for_groups_of_elements<Real>(instance, "tensor/restrict", elements_, m_ * m_,
                                 std::size_t(m_) * (m_ * m_ + m_ * n_ + n_ * n_),
                                 Restrict<Real>{{coarse_map_.data(), fine_.data(), basis_.data(), n_, m_, elements_},
                                                r.data() + c * fine_nodes_,
                                                f.data() + c * coarse_nodes_});
}

template class PTransfer<double>;
template class PTransfer<float>;

}  // namespace miniapp::tensor
