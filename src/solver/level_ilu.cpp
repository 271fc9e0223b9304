// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/level_ilu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/offsets.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/features.hpp"
#include "miniapp/linalg/sparse_products.hpp"
#include "solver/scaling.hpp"

#ifdef MINIAPP_HAVE_KOKKOS_KERNELS
#include <KokkosKernels_config.h>
#include <KokkosKernels_Handle.hpp>
#include <KokkosSparse_spiluk.hpp>
#include <KokkosSparse_sptrsv.hpp>
#endif

namespace miniapp::solver {

#ifdef MINIAPP_HAVE_KOKKOS_KERNELS

namespace {

// Names of Kokkos Kernels 3.4 to 5. Before 4 they do not tell their version.
#if defined(KOKKOSKERNELS_VERSION) && KOKKOSKERNELS_VERSION >= 40600
namespace kernels = KokkosSparse;
#else
namespace kernels = KokkosSparse::Experimental;
#endif
using SpilukAlgorithm = KokkosSparse::Experimental::SPILUKAlgorithm;
using SptrsvAlgorithm = KokkosSparse::Experimental::SPTRSVAlgorithm;
template <class Real>
using Handle =
    KokkosKernels::Experimental::KokkosKernelsHandle<Index, Index, Real, ExecutionSpace, MemorySpace, MemorySpace>;

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

linalg::CsrMatrix<double> empty_matrix(Index size, std::size_t entries) {
  return {size, size, make_vector<Index>("solver/levels/offsets", static_cast<std::size_t>(size) + 1),
          make_vector<Index>("solver/levels/columns", entries), make_vector<double>("solver/levels/values", entries)};
}

/// (I + N) D, or I + N where `diagonal` is empty. The diagonal entry is the last of its row.
linalg::CsrMatrix<double> with_diagonal(const IncompleteFactors& factors, const Vector<double>& diagonal) {
  const linalg::CsrMatrix<double> lower = factors.lower;
  const auto result = empty_matrix(lower.num_rows, lower.columns.extent(0) + static_cast<std::size_t>(lower.num_rows));
  Kokkos::parallel_for(
      "solver/levels/add diagonal", Range(0, lower.num_rows), KOKKOS_LAMBDA(const Index row) {
        const auto factor = [&](Index column) { return diagonal.extent(0) > 0 ? diagonal(column) : 1; };
        if (row == 0) result.offsets(0) = 0;
        const Index end = lower.offsets(row + 1) + row;
        result.offsets(row + 1) = end + 1;
        for (Index e = lower.offsets(row) + row; e < end; ++e) {
          result.columns(e) = lower.columns(e - row);
          result.values(e) = lower.values(e - row) * factor(result.columns(e));
        }
        result.columns(end) = row;
        result.values(end) = factor(row);
      });
  return result;
}

/// Kokkos Kernels 3 take n numbers for each row of the widest level, 30 GB for a cube of 100^3: narrower levels need
/// less. Later ones cut levels into chunks themselves.
template <class SpilukHandle>
void cut_levels(SpilukHandle& handle) {
  if constexpr (!requires { handle.get_level_nchunks(); }) {
    constexpr Index widest = 64;
    const auto levels = handle.get_level_ptr();
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), levels);
    std::vector<Index> cut{0};
    for (std::size_t level = 0; level < static_cast<std::size_t>(handle.get_num_levels()); ++level)
      while (cut.back() < host(level + 1)) cut.push_back(std::min(cut.back() + widest, Index(host(level + 1))));
    std::copy(cut.begin(), cut.end(), host.data());  // there is room for as many levels as rows
    Kokkos::deep_copy(levels, host);
    handle.set_num_levels(static_cast<Index>(cut.size()) - 1);
    handle.set_level_maxrows(std::min(widest, Index(handle.get_level_maxrows())));
  }
}

/// A triangle and the levels of its rows.
template <class Real>
struct Triangle {
  linalg::CsrMatrix<Real> matrix;
  mutable Handle<Real> handle;

  Triangle(const linalg::CsrMatrix<Real>& triangle, bool is_lower) : matrix(triangle) {
    handle.create_sptrsv_handle(runs_on_host ? SptrsvAlgorithm::SEQLVLSCHD_RP : SptrsvAlgorithm::SEQLVLSCHD_TP1,
                                matrix.num_rows, is_lower);
    kernels::sptrsv_symbolic(&handle, matrix.offsets, matrix.columns);
  }

  void solve(const Instance& instance, const Vector<const Real>& b, const Vector<Real>& x) const {
    solve_on(instance.space(), handle, b, x);
  }

 private:
  /// Kokkos Kernels 3 know the default instance only, which other instances wait for.
  template <class Space, class SptrsvHandle>
  void solve_on(Space space, SptrsvHandle& sptrsv, const Vector<const Real>& b, const Vector<Real>& x) const {
    if constexpr (requires {
                    kernels::sptrsv_solve(space, &sptrsv, matrix.offsets, matrix.columns, matrix.values, b, x);
                  }) {
      kernels::sptrsv_solve(space, &sptrsv, matrix.offsets, matrix.columns, matrix.values, b, x);
    } else {
      space.fence();
      kernels::sptrsv_solve(&sptrsv, matrix.offsets, matrix.columns, matrix.values, b, x);
      ExecutionSpace().fence();
    }
  }
};

}  // namespace

bool has_kokkos_kernels() { return true; }

IncompleteFactors level_ilu(const linalg::CsrMatrix<double>& matrix) {
  const Index n = matrix.num_rows;
  const Vector<double> scaling = scaling_of(matrix);
  linalg::CsrMatrix<double> a = matrix;
  a.values = make_vector<double>("solver/levels/scaled", matrix.values.extent(0));
  Kokkos::parallel_for(
      "solver/levels/scale", Range(0, n), KOKKOS_LAMBDA(const Index row) {  // S A S
        for (Index e = a.offsets(row); e < a.offsets(row + 1); ++e)
          a.values(e) = a.columns(e) == row ? 1 : scaling(row) * matrix.values(e) * scaling(a.columns(e));
      });
  Index below = 0;
  Kokkos::parallel_reduce(
      "solver/levels/count", Range(0, n),
      KOKKOS_LAMBDA(const Index row, Index& sum) {
        for (Index e = a.offsets(row); e < a.offsets(row + 1) && a.columns(e) < row; ++e) ++sum;
      },
      below);
  const auto size = static_cast<std::size_t>(below), rows = static_cast<std::size_t>(n);
  auto l = empty_matrix(n, size + rows), u = empty_matrix(n, a.columns.extent(0) - size);

  Handle<double> handle;
  handle.create_spiluk_handle(SpilukAlgorithm::SEQLVLSCHD_TP1, n, static_cast<Index>(l.num_entries()),
                              static_cast<Index>(u.num_entries()));
  kernels::spiluk_symbolic(&handle, 0, a.offsets, a.columns, l.offsets, l.columns, u.offsets, u.columns);
  cut_levels(*handle.get_spiluk_handle());
  kernels::spiluk_numeric(&handle, 0, a.offsets, a.columns, a.values, l.offsets, l.columns, l.values, u.offsets,
                          u.columns, u.values);

  const linalg::CsrMatrix<double> lower = empty_matrix(n, size);
  const Vector<double> pivots = make_vector<double>("solver/levels/pivots", rows);
  Index lowest = n;
  // Rows of L end with 1, rows of U start with the pivot. Kokkos Kernels replace a zero by 1e6.
  Kokkos::parallel_reduce(
      "solver/levels/read", Range(0, n),
      KOKKOS_LAMBDA(const Index row, Index& first_bad) {
        const Index last = l.offsets(row + 1) - 1;
        if (row == 0) lower.offsets(0) = 0;
        lower.offsets(row + 1) = last - row;
        for (Index e = l.offsets(row); e < last; ++e) {
          lower.columns(e - row) = l.columns(e);
          lower.values(e - row) = l.values(e);
        }
        const double pivot = u.values(u.offsets(row));
        pivots(row) = pivot;
        if (!(pivot > 0 && pivot < 1 + 1e-6) && row < first_bad) first_bad = row;
      },
      Kokkos::Min<Index>(lowest));
  if (lowest < n) throw ResultError(fmt::format("ILU(0): row {} breaks down: its pivot is not positive", lowest + 1));
  const IncompleteFactors factors{lower, pivots};
  unscale(factors, scaling);
  return factors;
}

template <class Real>
struct LevelFactors<Real>::State {
  Triangle<Real> lower, upper;  // I + N, D (I + N)^T
  Vector<Real> middle;
};

template <class Real>
LevelFactors<Real>::LevelFactors(const IncompleteFactors& factors)
    : state_(new State{{linalg::convert<Real>(with_diagonal(factors, {})), true},
                       {linalg::convert<Real>(linalg::transpose(with_diagonal(factors, factors.diagonal))), false},
                       make_vector<Real>("solver/levels/middle", factors.diagonal.extent(0))}) {}

template <class Real>
double LevelFactors<Real>::apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r,
                                 const Vector<Real>& z, double) const {
  state_->lower.solve(instance, r, state_->middle);
  state_->upper.solve(instance, state_->middle, z);
  return linalg::dot<Real>(instance, space, r, z);
}

template <class Real>
Index LevelFactors<Real>::num_levels() const {
  return static_cast<Index>(state_->lower.handle.get_sptrsv_handle()->get_num_levels());
}

template <class Real>
double LevelFactors<Real>::traffic() const {
  return state_->lower.matrix.bytes() + state_->upper.matrix.bytes() +
         6. * double(state_->middle.extent(0)) * sizeof(Real);
}

#else

namespace {
[[noreturn]] void refuse() {
  throw InputError(
      "level scheduling: miniapp was built without Kokkos Kernels; accepted are the sweeps of Chow and Patel and the "
      "truncated Neumann series");
}
}  // namespace

bool has_kokkos_kernels() { return false; }

IncompleteFactors level_ilu(const linalg::CsrMatrix<double>&) { refuse(); }

template <class Real>
LevelFactors<Real>::LevelFactors(const IncompleteFactors&) {
  refuse();
}
template <class Real>
double LevelFactors<Real>::apply(const Instance&, const space::Space&, const Vector<const Real>&, const Vector<Real>&,
                                 double) const {
  refuse();
}
template <class Real>
Index LevelFactors<Real>::num_levels() const {
  refuse();
}
template <class Real>
double LevelFactors<Real>::traffic() const {
  refuse();
}

#endif

template class LevelFactors<double>;
template class LevelFactors<float>;

}  // namespace miniapp::solver
