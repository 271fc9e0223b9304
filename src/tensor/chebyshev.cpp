// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/chebyshev.hpp"

#include <fmt/format.h>

#include <utility>

#include "miniapp/core/error.hpp"
#include "miniapp/linalg/linear_operator.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "solver/largest_eigenvalue.hpp"
#include "solver/precision.hpp"
#include "tensor/diagonal.hpp"

namespace miniapp::tensor {
namespace {

/// d = beta d + alpha scale y, x += weight d; or x = weight d.
struct Step {
  float alpha, beta, weight;
  const float *scale, *y;
  float *d, *x;
  bool from_zero;
  KOKKOS_FUNCTION float load(std::size_t i) const {
    const float step = alpha * scale[i] * y[i];
    return beta == 0 ? step : beta * d[i] + step;
  }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, float value, const Add&) const {
    d[i] = value;
    x[i] = from_zero ? weight * value : x[i] + weight * value;
  }
};

/// to = a - b.
struct Difference {
  const float *a, *b;
  float* to;
  KOKKOS_FUNCTION float load(std::size_t i) const { return a[i] - b[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, float value, const Add&) const {
    to[i] = value;
  }
};

/// y *= scale.
struct Scale {
  const float* scale;
  float* y;
  KOKKOS_FUNCTION float load(std::size_t i) const { return scale[i] * y[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, float value, const Add&) const {
    y[i] = value;
  }
};

/// scale (entry) = 1 / diagonal, 0 at masked nodes.
struct InvertDiagonal {
  const double* diagonal;
  float* scale;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { scale[i] = static_cast<float>(1 / diagonal[i]); }
};
struct ZeroMasked {
  const Index* masked;
  std::size_t num_masked;
  Index num_nodes;
  float* scale;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    scale[i / num_masked * num_nodes + masked[i % num_masked]] = 0;
  }
};

Vector<float> make_scale(const Discretisation& d) {
  const Vector<double> diagonal = make_diagonal(d);
  const Vector<float> scale = make_vector<float>("tensor/chebyshev/scale", diagonal.extent(0));
  const Vector<const Index> masked = to_device<Index>("tensor/masked", d.space.masked);
  using Range = Kokkos::RangePolicy<ExecutionSpace>;
  Kokkos::parallel_for("tensor/chebyshev/invert", Range(0, diagonal.extent(0)),
                       InvertDiagonal{diagonal.data(), scale.data()});
  Kokkos::parallel_for("tensor/chebyshev/mask", Range(0, masked.extent(0) * std::size_t(d.space.components)),
                       ZeroMasked{masked.data(), masked.extent(0), d.space.num_nodes, scale.data()});
  ExecutionSpace().fence();  // `diagonal` is freed
  return scale;
}

}  // namespace

std::vector<ChebyshevStep> chebyshev_smoother(int degree) {
  constexpr double weights[6][6] = {
      {1.125},
      {1.02387287570313, 1.26408905371085},
      {1.00842544782028, 1.08867839208730, 1.33753125909618},
      {1.00391310427285, 1.04035811188593, 1.14863498546254, 1.38268869241000},
      {1.00212930146164, 1.02173711549260, 1.07872433192603, 1.19810065292663, 1.41322542791682},
      {1.00128517255940, 1.01304293035233, 1.04678215124113, 1.11616489419675, 1.23829020218444, 1.43524297106744}};
  std::vector<ChebyshevStep> steps;
  for (int k = 1; k <= degree; ++k)
    steps.push_back({(8. * k - 4) / (2 * k + 1), k == 1 ? 0 : (2. * k - 3) / (2 * k + 1),
                     degree <= 6 ? weights[degree - 1][k - 1] : 1});
  return steps;
}

/// The residual polynomial is T_k((middle - x) / half) / T_k(middle / half), T by its recurrence.
std::vector<ChebyshevStep> chebyshev_solver(int degree, double least) {
  const double middle = (1 + least) / 2, half = (1 - least) / 2;
  std::vector<ChebyshevStep> steps{{1 / middle, 0, 1}};
  double rho = half / middle;  // T_(k-1) / T_k
  for (int k = 2; k <= degree; ++k) {
    const double next = 1 / (2 * middle / half - rho);
    steps.push_back({2 * next / half, next * rho, 1});
    rho = next;
  }
  return steps;
}

Chebyshev::Chebyshev(const Discretisation& d, Smoother smoother, std::vector<ChebyshevStep> steps)
    : discretisation_(d), steps_(std::move(steps)) {
  A_ = make_operator<float>(fastest(d.problem, d.order, sizeof(float)), d);
  for (Vector<float>* v : {&r_, &d_, &y_}) *v = make_zeros<float>("tensor/chebyshev", d.space.num_entries());
  if (smoother == Smoother::schwarz) schwarz_ = make_schwarz(d);
  scale_ = schwarz_ ? schwarz_->weights() : make_scale(d);
}

/// r, d and y are scratch.
void Chebyshev::estimate_largest(int arnoldi_steps) {
  const space::Space& space = discretisation_.space;
  double largest;
  if (schwarz_)
    largest = solver::largest_eigenvalue_by_arnoldi<float>(
        [&](const Instance& on, const Vector<float>& x, const Vector<float>& y) {
          linalg::apply<float>(on, *A_, x, r_);
          schwarz_->apply(on, r_, y);
          linalg::for_entries(on, space, "tensor/chebyshev/weigh", Scale{scale_.data(), y.data()});
        },
        space, d_, arnoldi_steps);
  else
    largest = solver::largest_eigenvalue<float>([&](const Instance& on, const Vector<float>& x,
                                                    const Vector<float>& y) { linalg::apply<float>(on, *A_, x, y); },
                                                space, scale_);
  largest_ = static_cast<float>(largest);
  if (!(largest_ > 0))
    throw ResultError(fmt::format("Chebyshev: the largest eigenvalue of order {} is estimated as {}",
                                  discretisation_.order, largest_));
}

/// y = A v.
void Chebyshev::multiply(const Instance& instance, const Vector<float>& v) const {
  linalg::apply<float>(instance, *A_, v, y_);
}

/// r = from - y.
void Chebyshev::subtract(const Instance& instance, const Vector<float>& from) const {
  linalg::for_entries(instance, discretisation_.space, "tensor/chebyshev/residual",
                      Difference{from.data(), y_.data(), r_.data()});
}

const Vector<float>& Chebyshev::residual(const Instance& instance, const Vector<float>& f,
                                         const Vector<float>& x) const {
  multiply(instance, x);
  subtract(instance, f);
  return r_;
}

void Chebyshev::run(const Instance& instance, const Vector<float>& f, const Vector<float>& x, bool from_zero) const {
  if (!from_zero) residual(instance, f, x);
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const bool of_f = from_zero && k == 0;  // the residual is f
    if (k > 0) {
      multiply(instance, d_);
      subtract(instance, from_zero && k == 1 ? f : r_);
    }
    const Vector<float>& residual = of_f ? f : r_;
    if (schwarz_) schwarz_->apply(instance, residual, y_);
    const ChebyshevStep& step = steps_[k];
    linalg::for_entries(
        instance, discretisation_.space, "tensor/chebyshev/step",
        Step{static_cast<float>(step.alpha) / largest(), static_cast<float>(step.beta), static_cast<float>(step.weight),
             scale_.data(), schwarz_ ? y_.data() : residual.data(), d_.data(), x.data(), of_f});
  }
}

double Chebyshev::bytes() const {
  const auto memory = A_->memory();
  return 4. * double(r_.extent(0) + d_.extent(0) + y_.extent(0)) +
         (schwarz_ ? schwarz_->bytes() : 4. * double(scale_.extent(0))) +
         double(memory.factors + memory.indices + memory.local_vectors) +
         4. * double(discretisation_.space.element_to_node.num_entries());
}

ChebyshevPreconditioner::ChebyshevPreconditioner(const Discretisation& d, int degree, measure::Phases& phases)
    : chebyshev_(phases.time(
          "polynomial",
          [&] { return Chebyshev(d, Smoother::jacobi, chebyshev_solver(degree, chebyshev_least(d.problem))); })),
      f_(make_zeros<float>("tensor/chebyshev", d.space.num_entries())),
      x_(make_zeros<float>("tensor/chebyshev", d.space.num_entries())) {
  phases.time("eigenvalues", [&] { chebyshev_.estimate_largest(0); });
}

template <class Real>
double ChebyshevPreconditioner::apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r,
                                      const Vector<Real>& z, double) const {
  linalg::for_entries(instance, space, "tensor/chebyshev/enter", solver::Convert<Real, float>{r.data(), f_.data()});
  replay_.run(instance, [&] { chebyshev_.run(instance, f_, x_, true); });
  return linalg::sum_all(instance, space, "tensor/chebyshev/leave",
                         solver::Leave<Real, float>{r.data(), x_.data(), z.data()});
}

double ChebyshevPreconditioner::bytes() const { return chebyshev_.bytes() + 4. * double(f_.extent(0) + x_.extent(0)); }

template double ChebyshevPreconditioner::apply(const Instance&, const space::Space&, const Vector<const double>&,
                                               const Vector<double>&, double) const;
template double ChebyshevPreconditioner::apply(const Instance&, const space::Space&, const Vector<const float>&,
                                               const Vector<float>&, double) const;

}  // namespace miniapp::tensor
