// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/linalg/ghosts.hpp"
#include "miniapp/linalg/matrix_operator.hpp"

namespace miniapp::linalg {

namespace detail {

/// y += (block of ghosts) g at border rows; sum x . (what is added).
template <class Real>
struct AddBeyond {
  const Index* border;
  const Real* x;
  Real* y;
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t k, Real product, const Add& add) const {
    const Index row = border[k];
    y[row] += product;
    add(0, double(x[row]) * double(product));
  }
};

/// The same; also by how much y . M y grows.
template <class Real, class M>
struct AddBeyondWithSums {
  M m;
  const Index* border;
  const Real* x;
  Real* y;
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t k, Real product, const Add& add) const {
    const Index row = border[k];
    const Real before = y[row], after = before + product;
    y[row] = after;
    add(0, double(x[row]) * double(product));
    add(1, double(after) * double(m.at(row, after)) - double(before) * double(m.at(row, before)));
  }
};

/// to (s) += from (s).
struct AddSums {
  const double* from;
  double* to;
  KOKKOS_FUNCTION void operator()(const int s) const { to[s] += from[s]; }
};

}  // namespace detail

/// A distributed matrix as a linear operator on vectors of its own rows, which have no copies on other ranks: sums
/// count every entry, and are reduced over ranks. A product multiplies the own block while neighbours' values travel,
/// then adds the block of ghosts at border rows. Bytes: those of this rank's blocks, two words per row, three per item.
/// On one rank it is a MatrixOperator.
template <class Real>
class DistributedOperator {
 public:
  explicit DistributedOperator(const DistributedMatrix& matrix)
      : own_(matrix.own), space_(space::make_unknowns(matrix.own.num_rows)), ghosts_(matrix) {
    if (matrix.ranks.is_alone()) return;
    space_.exchange = space::Exchange(matrix.ranks.through(Halo::host), {}, space_.num_entries());
    sums_ = make_zeros<double>("linalg/sums beyond", 2);
    if (matrix.beyond.num_rows == 0) return;
    beyond_ = SlicedMatrix<Real>(matrix.beyond);
    border_ = matrix.border;
  }

  const space::Space& space() const { return space_; }
  double bytes() const {
    return own_.bytes() + beyond_.bytes() +
           (2. * double(border_.extent(0)) + 3. * double(ghosts_.num_items())) * sizeof(Real);
  }
  /// What a product sends to other ranks [items].
  std::size_t num_items() const { return ghosts_.num_items(); }
  /// The values (item) of x at ghosts. Collective.
  const Vector<Real>& fetch(const Instance& instance, const Vector<const Real>& x) const {
    ghosts_.start(instance, x);
    return ghosts_.finish(instance);
  }

  /// y = A x. Collective.
  void apply(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const {
    ghosts_.start(instance, x);
    own_.apply(instance, x, y);
    const Vector<const Real> g = ghosts_.finish(instance);
    if (has_border())
      for_rows(instance, "linalg/multiply beyond", beyond_, g,
               detail::AddBeyond<Real>{border_.data(), x.data(), y.data()});
  }
  /// y = A x, whatever y holds; *energy = this rank's part of x . y on the device. Collective.
  void apply_to_zero(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y,
                     double* energy) const {
    ghosts_.start(instance, x);
    own_.apply_to_zero(instance, x, y, energy);
    add_beyond<1>(instance, detail::AddBeyond<Real>{border_.data(), x.data(), y.data()}, energy);
  }
  /// y = A x; sums[0] = x . y, sums[1] = y . M y over all ranks on the device; M is pointwise
  /// (solver/preconditioner.hpp). Collective.
  template <class M>
  void apply_with_sums(const Instance& instance, const M& m, const Vector<const Real>& x, const Vector<Real>& y,
                       double* sums) const {
    ghosts_.start(instance, x);
    own_.apply_with_sums(instance, m, x, y, sums);
    add_beyond<2>(instance, detail::AddBeyondWithSums<Real, M>{m, border_.data(), x.data(), y.data()}, sums);
    space_.exchange.reduce(instance, sums, 2);
  }
  bool can_replay() const { return space_.exchange.empty(); }

 private:
  bool has_border() const { return border_.extent(0) > 0; }
  /// Waits for ghosts, adds their block, and its sums to `sums`.
  template <int count, class Body>
  void add_beyond(const Instance& instance, const Body& body, double* sums) const {
    const Vector<const Real> g = ghosts_.finish(instance);
    if (!has_border()) return;
    sum_rows<count>(instance, "linalg/multiply beyond", beyond_, g, body, sums_.data());
    Kokkos::parallel_for("linalg/add sums", Kokkos::RangePolicy<ExecutionSpace>(instance.space(), 0, count),
                         detail::AddSums{sums_.data(), sums});
  }

  MatrixOperator<Real> own_;
  space::Space space_;
  Ghosts<Real> ghosts_;
  SlicedMatrix<Real> beyond_;
  Vector<const Index> border_;
  Vector<double> sums_;
};

}  // namespace miniapp::linalg
