// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/linalg/ghosts.hpp"
#include "miniapp/linalg/matrix_operator.hpp"

namespace miniapp::linalg {

namespace detail {

/// y += (block of ghosts) g at border rows; sum x . (what is added).
template <class Real>
struct AddGhosts {
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

/// y += (block of ghosts) g at border rows; sums x . (what is added), and by how much y . M y grows.
template <class Real, class M>
struct AddGhostsWithSums {
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

#if !defined(MINIAPP_RUNS_ON_HOST)
/// Rows of the block of ghosts whose threads wait for what they multiply, and for their part of all items, since no row
/// may need some. The sums are added to what `result` holds, and become those of all ranks if `reduces`.
template <int count, class Real, class Body>
struct ReceivedRows {
  static constexpr bool one_entry_per_thread = true;
  SlicedRows<Real> rows;
  messages::PeerMessages::Receiver<Real> receiver;
  messages::PeerSums::Body of_ranks;
  std::size_t size, items;  ///< rows; what is received
  bool reduces;
  Body body;

  struct Received {
    messages::PeerMessages::Receiver<Real> receiver;
    KOKKOS_FORCEINLINE_FUNCTION Real operator[](Index item) const { return receiver(static_cast<std::size_t>(item)); }
  };
  KOKKOS_FUNCTION Real load(std::size_t k) const { return rows.product(k, Received{receiver}); }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t k, Real product, const Add& add) const {
    body.finish(k, product, add);
    for (std::size_t item = k; item < items; item += size) receiver(item);
    receiver.finish(k, size);
  }
  KOKKOS_FUNCTION void complete(double* result, const double* sums) const {
    for (int s = 0; s < count; ++s) {
      result[s] += sums[s];
      if (reduces) of_ranks.send(s, result[s]);
    }
    if (!reduces) return;
    for (int s = 0; s < count; ++s) result[s] = of_ranks.receive(s, result[s]);
  }
};
#endif

/// to (s) += from (s).
struct AddSums {
  const double* from;
  double* to;
  KOKKOS_FUNCTION void operator()(const std::size_t s) const { to[s] += from[s]; }
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
    space_.exchange = space::Exchange(matrix.ranks, {}, space_.num_entries());
    sums_ = make_zeros<double>("linalg/sums of ghosts", 2);
    if (matrix.ghost_block.num_rows == 0) return;
    ghost_block_ = SlicedMatrix<Real>(matrix.ghost_block);
    border_ = matrix.border;
  }

  const space::Space& space() const { return space_; }
  double bytes() const {
    return own_.bytes() + ghost_block_.bytes() +
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
      for_rows(instance, "linalg/multiply ghosts", ghost_block_, g,
               detail::AddGhosts<Real>{border_.data(), x.data(), y.data()});
  }
  /// y = A x, whatever y holds; *energy = this rank's part of x . y on the device. Collective.
  void apply_to_zero(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y,
                     double* energy) const {
    ghosts_.start(instance, x);
    own_.apply_to_zero(instance, x, y, energy);
    add_ghosts<1>(instance, detail::AddGhosts<Real>{border_.data(), x.data(), y.data()}, energy, false);
  }
  /// y = A x; sums[0] = x . y, sums[1] = y . M y over all ranks on the device; M is pointwise
  /// (solver/preconditioner.hpp). Collective.
  template <class M>
  void apply_with_sums(const Instance& instance, const M& m, const Vector<const Real>& x, const Vector<Real>& y,
                       double* sums) const {
    ghosts_.start(instance, x);
    own_.apply_with_sums(instance, m, x, y, sums);
    add_ghosts<2>(instance, detail::AddGhostsWithSums<Real, M>{m, border_.data(), x.data(), y.data()}, sums, true);
  }
  /// How values travel between ranks: not automatic.
  Halo halo() const { return ghosts_.halo(); }
  /// Whether a Replay may record products.
  bool can_replay() const { return !ghosts_.waits(); }

 private:
  bool has_border() const { return border_.extent(0) > 0; }
  /// Waits for ghosts, adds their block, and its sums to `sums`, which become those of all ranks if `reduces`.
  template <int count, class Body>
  void add_ghosts(const Instance& instance, const Body& body, double* sums, bool reduces) const {
#if !defined(MINIAPP_RUNS_ON_HOST)
    const messages::Messages& messages = ghosts_.messages();
    if (has_border() && messages.has_peers()) {
      const std::size_t size = border_.extent(0);
      streaming::sum_entries<count>(
          instance, "linalg/multiply ghosts", size,
          detail::ReceivedRows<count, Real, Body>{ghost_block_.rows(), messages.peer_receiver<Real>(),
                                                  messages.peer_sums(), size, ghosts_.num_items(), reduces, body},
          sums);
      return;
    }
#endif
    const Vector<const Real> g = ghosts_.finish(instance);
    if (has_border()) {
      sum_rows<count>(instance, "linalg/multiply ghosts", ghost_block_, g, body, sums_.data());
      for_items(instance, "linalg/add sums", count, detail::AddSums{sums_.data(), sums});
    }
    if (reduces) ghosts_.messages().reduce(instance, sums, count);  // of all ranks alike: some may have no border
  }

  MatrixOperator<Real> own_;
  space::Space space_;
  Ghosts<Real> ghosts_;
  SlicedMatrix<Real> ghost_block_;
  Vector<const Index> border_;
  Vector<double> sums_;
};

}  // namespace miniapp::linalg
