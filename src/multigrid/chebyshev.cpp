// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/multigrid/chebyshev.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "miniapp/core/error.hpp"
#include "miniapp/linalg/linear_operator.hpp"
#include "miniapp/tensor/diagonal.hpp"
#include "solver/largest_eigenvalue.hpp"
#include "solver/precision.hpp"
#include "tensor/level_operator.hpp"

namespace miniapp::multigrid {
namespace {

/// x += factor scale (f - y), or x = factor scale f.
struct ChebyshevStep {
  float factor;
  const float *scale, *f, *y;
  float* x;
  bool from_zero;
  KOKKOS_FUNCTION float load(std::size_t i) const { return factor * scale[i] * (from_zero ? f[i] : f[i] - y[i]); }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, float value, const Add&) const {
    x[i] = from_zero ? value : x[i] + value;
  }
};

/// y = 0 where this rank owns the entry, else f.
struct TakeUnowned {
  const unsigned char* owned;
  const float* f;
  float* y;
  KOKKOS_FUNCTION float load(std::size_t i) const { return owned[i] ? 0 : f[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, float value, const Add&) const {
    y[i] = value;
  }
};
/// y += f at `entries`.
struct AddUnowned {
  const Index* entries;
  const float* f;
  float* y;
  KOKKOS_FUNCTION void operator()(const std::size_t i) const { y[entries[i]] += f[entries[i]]; }
};
void add_unowned(const Instance& instance, const Vector<const Index>& entries, const Vector<const float>& f,
                 const Vector<float>& y) {
  if (entries.extent(0) > 0)
    for_items(instance, "multigrid/chebyshev/add unowned", entries.extent(0),
              AddUnowned{entries.data(), f.data(), y.data()});
}

/// (entry): 1 / diagonal, 0 at masked nodes.
Vector<float> make_scale(const Discretisation& d) {
  const Vector<double> diagonal = make_diagonal(d);
  const Vector<float> scale = make_vector<float>("multigrid/chebyshev/scale", diagonal.extent(0));
  const Vector<const Index> masked = to_device<Index>("multigrid/masked", d.space.masked);
  using Range = Kokkos::RangePolicy<ExecutionSpace>;
  Kokkos::parallel_for(
      "multigrid/chebyshev/invert", Range(0, diagonal.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { scale(i) = static_cast<float>(1 / diagonal(i)); });
  const std::size_t num_masked = masked.extent(0), num_nodes = static_cast<std::size_t>(d.space.num_nodes);
  Kokkos::parallel_for(
      "multigrid/chebyshev/mask", Range(0, num_masked * std::size_t(d.space.components)),
      KOKKOS_LAMBDA(const std::size_t i) { scale(i / num_masked * num_nodes + masked(i % num_masked)) = 0; });
  ExecutionSpace().fence();  // `diagonal` is freed
  return scale;
}

/// The residual of Chebyshev's iteration of the fourth kind at an eigenvalue x of B A, with weights of its steps.
double smoother_residual(const std::vector<double>& weights, double x) {
  double r = 1, d = 0, solution = 0;
  for (int k = 1; k <= static_cast<int>(weights.size()); ++k) {
    d = (k == 1 ? 0 : (2. * k - 3) / (2 * k + 1) * d) + (8. * k - 4) / (2 * k + 1) * r;
    solution += weights[static_cast<std::size_t>(k) - 1] * d;
    r -= x * d;
  }
  return 1 - x * solution;
}

/// The inverse roots: the largest root first, then always the one with the largest product of distances to those
/// before.
std::vector<double> lengths(std::vector<double> roots) {
  std::vector<double> result, taken;
  while (!roots.empty()) {
    const auto distances = [&](double root) {
      double product = taken.empty() ? root : 1;
      for (const double other : taken) product *= std::fabs(root - other);
      return product;
    };
    const auto next =
        std::max_element(roots.begin(), roots.end(), [&](double a, double b) { return distances(a) < distances(b); });
    taken.push_back(*next);
    result.push_back(1 / *next);
    roots.erase(next);
  }
  return result;
}

}  // namespace

std::vector<double> chebyshev_smoother(int degree) {
  static const std::vector<double> optimal[] = {
      {1.125},
      {1.02387287570313, 1.26408905371085},
      {1.00842544782028, 1.08867839208730, 1.33753125909618},
      {1.00391310427285, 1.04035811188593, 1.14863498546254, 1.38268869241000},
      {1.00212930146164, 1.02173711549260, 1.07872433192603, 1.19810065292663, 1.41322542791682},
      {1.00128517255940, 1.01304293035233, 1.04678215124113, 1.11616489419675, 1.23829020218444, 1.43524297106744}};
  const std::vector<double> weights = degree <= 6 ? optimal[degree - 1] : std::vector<double>(std::size_t(degree), 1.);
  // Weights move the roots of the plain polynomial, sin^2(k pi / (2 degree + 1)), down, but not beyond the one before.
  const auto plain = [&](int k) { return std::pow(std::sin(k * M_PI / (2 * degree + 1)), 2); };
  std::vector<double> roots;
  for (int k = 1; k <= degree; ++k) {
    if (degree > 6) {
      roots.push_back(plain(k));
      continue;
    }
    double low = plain(k - 1), high = plain(k);
    const bool rises = smoother_residual(weights, low) < 0;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      ((smoother_residual(weights, middle) < 0) == rises ? low : high) = middle;
    }
    roots.push_back((low + high) / 2);
  }
  return lengths(roots);
}

std::vector<double> chebyshev_solver(int degree, double least) {
  std::vector<double> roots;
  for (int k = 0; k < degree; ++k)
    roots.push_back((1 + least) / 2 + (1 - least) / 2 * std::cos((2 * k + 1) * M_PI / (2 * degree)));
  return lengths(roots);
}

Chebyshev::Chebyshev(const Discretisation& d, Smoother smoother, std::vector<double> steps)
    : discretisation_(d),
      steps_(std::move(steps)),
      y_(make_zeros<float>("multigrid/chebyshev", d.space.num_entries())) {
  A_ = make_level_operator(d);
  if (smoother == Smoother::schwarz)
    schwarz_ = make_schwarz(d);
  else
    scale_ = make_scale(d);
}

void Chebyshev::update() {
  A_->update();
  if (schwarz_)
    schwarz_->update();
  else
    scale_ = make_scale(discretisation_);
}

void Chebyshev::estimate_largest(int arnoldi_steps, const Vector<float>& v) {
  constexpr double of_few_steps = 1.05;  // which find 2 to 10 % too little
  const space::Space& space = discretisation_.space;
  double largest;
  if (schwarz_)
    largest = of_few_steps * solver::largest_eigenvalue_by_arnoldi<float>(
                                 [&](const Instance& on, const Vector<float>& x, const Vector<float>& y) {
                                   schwarz_->apply(on, product(on, x), y);
                                 },
                                 space, v, arnoldi_steps);
  else
    largest = solver::largest_eigenvalue<float>([&](const Instance& on, const Vector<float>& x,
                                                    const Vector<float>& y) { linalg::apply<float>(on, *A_, x, y); },
                                                space, scale_);
  largest_ = static_cast<float>(largest);
  if (!(largest_ > 0 && std::isfinite(largest_)))
    throw ResultError(fmt::format(
        "Chebyshev: the largest eigenvalue of order {} is estimated as {}; the operator is zero, not positive "
        "definite, or holds NaN or numbers beyond single precision",
        discretisation_.order, largest_));
}

const Vector<float>& Chebyshev::product(const Instance& instance, const Vector<float>& x) const {
  linalg::apply<float>(instance, *A_, x, y_);
  return y_;
}

const Vector<float>& Chebyshev::subtrahend(const Instance& instance, const Vector<const float>& f,
                                           const Vector<float>& x) const {
  const space::Exchange& exchange = discretisation_.space.exchange;
  if (exchange.empty()) {
    A_->apply(instance, x, y_);
  } else if (A_->needs_zeros()) {
    linalg::for_entries(instance, discretisation_.space, "multigrid/chebyshev/begin",
                        TakeUnowned{exchange.owned().data(), f.data(), y_.data()});
    A_->apply_to_zero(instance, x, y_);
  } else {
    A_->apply(instance, x, y_);
    add_unowned(instance, exchange.not_owned(), f, y_);
  }
  return y_;
}

void Chebyshev::run(const Instance& instance, const Vector<float>& f, const Vector<float>& x, bool from_zero,
                    bool f_is_part) const {
  Vector<float> unsummed;
  if (f_is_part && schwarz_ && from_zero)
    unsummed = f;
  else if (f_is_part)
    discretisation_.space.exchange.sum(instance, f);
  const bool schwarz_sums = schwarz_ && !linalg::detail::has_steps(*A_);  // steps hide messages behind elements
  for (const double length : steps_) {
    const float factor = static_cast<float>(length) / largest();
    if (!from_zero && schwarz_sums) {
      A_->apply(instance, x, y_);
      unsummed = y_;
    } else if (!from_zero) {
      product(instance, x);
    }
    if (schwarz_)
      schwarz_->step(instance, f, y_, factor, x, from_zero, unsummed);
    else
      linalg::for_entries(instance, discretisation_.space, "multigrid/chebyshev/step",
                          ChebyshevStep{factor, scale_.data(), f.data(), y_.data(), x.data(), from_zero});
    from_zero = false;
    unsummed = {};
  }
}

double Chebyshev::bytes() const {
  const auto memory = A_->memory();
  return 4. * double(y_.extent(0)) + (schwarz_ ? schwarz_->bytes() : 4. * double(scale_.extent(0))) +
         double(memory.factors + memory.indices + memory.local_vectors) +
         4. * double(discretisation_.space.element_to_node.num_entries());
}

ChebyshevPreconditioner::ChebyshevPreconditioner(const Discretisation& d, int degree, measure::Phases& phases)
    : chebyshev_(phases.time(
          "polynomial",
          [&] { return Chebyshev(d, Smoother::jacobi, chebyshev_solver(degree, chebyshev_least(d.problem))); })),
      f_(make_zeros<float>("multigrid/chebyshev", d.space.num_entries())),
      x_(make_zeros<float>("multigrid/chebyshev", d.space.num_entries())) {
  phases.time("eigenvalues", [&] { chebyshev_.estimate_largest(0, x_); });
}

void ChebyshevPreconditioner::update() {
  replay_.reset();  // arrays are others
  chebyshev_.update();
  chebyshev_.estimate_largest(0, x_);
}

template <class Real>
double ChebyshevPreconditioner::apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r,
                                      const Vector<Real>& z, double) const {
  linalg::for_entries(instance, space, "multigrid/chebyshev/enter", solver::Convert<Real, float>{r.data(), f_.data()});
  replay_.run(
      instance, [&] { chebyshev_.run(instance, f_, x_, true); }, !chebyshev_.waits());
  return linalg::sum_all(instance, space, "multigrid/chebyshev/leave",
                         solver::Leave<Real, float>{r.data(), x_.data(), z.data()});
}

double ChebyshevPreconditioner::bytes() const { return chebyshev_.bytes() + 4. * double(f_.extent(0) + x_.extent(0)); }

template double ChebyshevPreconditioner::apply(const Instance&, const space::Space&, const Vector<const double>&,
                                               const Vector<double>&, double) const;
template double ChebyshevPreconditioner::apply(const Instance&, const space::Space&, const Vector<const float>&,
                                               const Vector<float>&, double) const;

}  // namespace miniapp::multigrid
