// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/p_multigrid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "miniapp/core/error.hpp"
#include "miniapp/linalg/linear_operator.hpp"
#include "miniapp/tensor/low_order.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "solver/largest_eigenvalue.hpp"
#include "solver/precision.hpp"
#include "tensor/diagonal.hpp"
#include "tensor/p_transfer.hpp"
#include "tensor/schwarz.hpp"

namespace miniapp::tensor {
namespace {

/// A step of Chebyshev's iteration: alpha and beta of d, the weight of d in x.
struct Coefficients {
  float alpha, beta, weight;
};

/// Of step k of `degree` for the largest eigenvalue 1. Weights: Lottes 2022, table 1.
Coefficients coefficients(int k, int degree) {
  constexpr double weights[6][6] = {
      {1.125},
      {1.02387287570313, 1.26408905371085},
      {1.00842544782028, 1.08867839208730, 1.33753125909618},
      {1.00391310427285, 1.04035811188593, 1.14863498546254, 1.38268869241000},
      {1.00212930146164, 1.02173711549260, 1.07872433192603, 1.19810065292663, 1.41322542791682},
      {1.00128517255940, 1.01304293035233, 1.04678215124113, 1.11616489419675, 1.23829020218444, 1.43524297106744}};
  return {static_cast<float>((8. * k - 4) / (2 * k + 1)), k == 1 ? 0 : static_cast<float>((2. * k - 3) / (2 * k + 1)),
          static_cast<float>(degree <= 6 ? weights[degree - 1][k - 1] : 1)};
}

/// d = beta d + alpha scale y, x += weight d; or x = weight d.
struct ChebyshevStep {
  Coefficients c;
  const float *scale, *y;
  float *d, *x;
  bool from_zero;
  KOKKOS_FUNCTION float load(std::size_t i) const {
    const float step = c.alpha * scale[i] * y[i];
    return c.beta == 0 ? step : c.beta * d[i] + step;
  }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, float value, const Add&) const {
    d[i] = value;
    x[i] = from_zero ? c.weight * value : x[i] + c.weight * value;
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

/// Of the cycle on order 1. It takes a small part of the time of all orders, and the better it is the fewer iterations
/// there are: one less at orders 2 to 7 than with two sweeps.
solver::AmgOptions lowest_options() {
  solver::AmgOptions options;
  options.cycle = solver::Cycle::v;
  options.sweeps = 6;
  return options;
}

Vector<float> make_scale(const Discretisation& d) {
  const Vector<double> diagonal = make_diagonal(d);
  const Vector<float> scale = make_vector<float>("tensor/multigrid/scale", diagonal.extent(0));
  const Vector<const Index> masked = to_device<Index>("tensor/masked", d.space.masked);
  using Range = Kokkos::RangePolicy<ExecutionSpace>;
  Kokkos::parallel_for("tensor/multigrid/invert", Range(0, diagonal.extent(0)),
                       InvertDiagonal{diagonal.data(), scale.data()});
  Kokkos::parallel_for("tensor/multigrid/mask", Range(0, masked.extent(0) * std::size_t(d.space.components)),
                       ZeroMasked{masked.data(), masked.extent(0), d.space.num_nodes, scale.data()});
  ExecutionSpace().fence();  // `diagonal` is freed
  return scale;
}

}  // namespace

/// A level: f is its right-hand side, x the result of a cycle, r a residual, d a step, y a product.
struct PMultigrid::Level {
  std::optional<Discretisation> own;  ///< of lower orders
  const Discretisation* discretisation;
  std::unique_ptr<ElementOperator<float>> A;
  std::unique_ptr<Schwarz> schwarz;
  Vector<const float> scale;  ///< W of Schwarz or D^-1
  float largest = 0;          ///< not less than the largest eigenvalue of B A
  Vector<float> f, x, r, d, y;
  std::unique_ptr<PTransfer> to_lower;

  const space::Space& space() const { return discretisation->space; }
  /// y = A v.
  void multiply(const Instance& instance, const Vector<float>& v) const { linalg::apply<float>(instance, *A, v, y); }
  /// What scale times is B v: v itself, or y.
  const Vector<float>& precondition(const Instance& instance, const Vector<float>& v) const {
    if (!schwarz) return v;
    schwarz->apply(instance, v, y);
    return y;
  }
  void subtract(const Instance& instance, const Vector<float>& a, const Vector<float>& b) const {
    linalg::for_entries(instance, space(), "tensor/multigrid/residual", Difference{a.data(), b.data(), r.data()});
  }
};

PMultigrid::~PMultigrid() = default;

PMultigrid::PMultigrid(const Discretisation& d, const MultigridOptions& options, measure::Phases& phases)
    : options_(options), orders_(multigrid_orders(d.order, built_orders())) {
  require(d.order > 1, "p-multigrid: order 1 has no lower one; accepted are orders above 1");
  if (options_.degree == 0) options_.degree = usual_degree(options_.smoother);
  const space::Boundary boundary = d.space.masked.empty() ? space::Boundary::neumann : space::Boundary::dirichlet;
  for (const int order : orders_) {
    auto level = std::make_unique<Level>();
    phases.time("levels", [&] {
      if (order < d.order) level->own.emplace(d.mesh, d.problem, order, boundary, d.lambda, d.space.components);
      level->discretisation = level->own ? &*level->own : &d;
      if (order > 1) level->A = make_operator<float>(fastest(d.problem, order, sizeof(float)), *level->discretisation);
    });
    const auto make = [&] { return make_zeros<float>("tensor/multigrid", level->space().num_entries()); };
    level->f = make();
    level->x = make();
    if (order > 1)
      phases.time("smoothers", [&] {
        level->r = make();
        level->d = make();
        level->y = make();
        if (options_.smoother == Smoother::schwarz) level->schwarz = make_schwarz(*level->discretisation);
        level->scale = level->schwarz ? level->schwarz->weights() : make_scale(*level->discretisation);
      });
    if (!levels_.empty())
      phases.time("transfers", [&] {
        levels_.back()->to_lower = make_transfer(*level->discretisation, *levels_.back()->discretisation);
      });
    levels_.push_back(std::move(level));
  }
  phases.time("eigenvalues", [&] { estimate_eigenvalues(); });
  phases.time("amg", [&] {
    amg_ =
        std::make_unique<solver::Amg<float>>(make_low_order_matrix(*levels_.back()->discretisation), lowest_options());
  });
}

/// By Lanczos' method where B is symmetric, else by Arnoldi's: on the lowest order from a random vector, on the others
/// from the result of the one below, so that fewer steps suffice. Vectors of the levels are used as scratch.
void PMultigrid::estimate_eigenvalues() {
  const Instance instance;
  for (std::size_t l = levels_.size() - 1; l-- > 0;) {
    Level& level = *levels_[l];
    double largest;
    if (level.schwarz) {
      const bool lowest = l + 2 == levels_.size();
      if (lowest)
        solver::randomise(instance, level.d);
      else
        level.to_lower->prolong(instance, levels_[l + 1]->d, level.d);
      largest = solver::largest_eigenvalue_by_arnoldi<float>(
          [&](const Instance& on, const Vector<float>& x, const Vector<float>& y) {
            linalg::apply<float>(on, *level.A, x, level.r);
            level.schwarz->apply(on, level.r, y);
            linalg::for_entries(on, level.space(), "tensor/multigrid/weigh", Scale{level.scale.data(), y.data()});
          },
          level.space(), level.d, lowest ? 10 : 6);
    } else {
      largest =
          solver::largest_eigenvalue<float>([&](const Instance& on, const Vector<float>& x,
                                                const Vector<float>& y) { linalg::apply<float>(on, *level.A, x, y); },
                                            level.space(), level.scale);
    }
    // polynomials grow fast beyond the largest eigenvalue; one step does not
    level.largest = static_cast<float>((options_.degree == 1 ? 1 : 1.1) * largest);
    if (!(level.largest > 0))
      throw ResultError(
          fmt::format("p-multigrid: the largest eigenvalue of order {} is estimated as {}", orders_[l], level.largest));
  }
}

std::vector<double> PMultigrid::largest_eigenvalues() const {
  std::vector<double> all;
  for (const auto& level : levels_)
    if (level->A) all.push_back(level->largest);
  return all;
}

void PMultigrid::smooth(const Instance& instance, const Level& level, bool from_zero) const {
  if (!from_zero) {
    level.multiply(instance, level.x);
    level.subtract(instance, level.f, level.y);
  }
  for (int k = 1; k <= options_.degree; ++k) {
    const bool of_f = from_zero && k == 1;  // the residual is f
    if (k > 1) {
      level.multiply(instance, level.d);
      level.subtract(instance, from_zero && k == 2 ? level.f : level.r, level.y);
    }
    const Vector<float>& y = level.precondition(instance, of_f ? level.f : level.r);
    Coefficients c = coefficients(k, options_.degree);
    c.alpha /= level.largest;
    linalg::for_entries(instance, level.space(), "tensor/multigrid/step",
                        ChebyshevStep{c, level.scale.data(), y.data(), level.d.data(), level.x.data(), of_f});
  }
}

void PMultigrid::cycle(const Instance& instance, std::size_t l) const {
  const Level& level = *levels_[l];
  if (!level.A) {
    const auto size = static_cast<std::size_t>(level.discretisation->space.num_nodes);
    for (std::size_t c = 0; c < level.f.extent(0); c += size)
      amg_->run(instance, slice(level.f, c, size), slice(level.x, c, size));
    return;
  }
  const Level& lower = *levels_[l + 1];
  smooth(instance, level, true);
  level.multiply(instance, level.x);
  level.subtract(instance, level.f, level.y);
  level.to_lower->restrict_to(instance, level.r, lower.f);
  cycle(instance, l + 1);
  level.to_lower->prolong(instance, lower.x, level.x);
  smooth(instance, level, false);
}

template <class Real>
double PMultigrid::apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r,
                         const Vector<Real>& z, double) const {
  const Level& first = *levels_.front();
  linalg::for_entries(instance, space, "tensor/multigrid/enter",
                      solver::Convert<Real, float>{r.data(), first.f.data()});
  replay_.run(instance, [&] { cycle(instance, 0); });
  return linalg::sum_all(instance, space, "tensor/multigrid/leave",
                         solver::Leave<Real, float>{r.data(), first.x.data(), z.data()});
}

double PMultigrid::bytes() const {
  double sum = amg_->bytes();
  for (const auto& level : levels_) {
    sum += 4. * double(level->f.extent(0) + level->x.extent(0) + level->r.extent(0) + level->d.extent(0) +
                       level->y.extent(0));
    if (level->to_lower) sum += level->to_lower->bytes();
    sum += level->schwarz ? level->schwarz->bytes() : 4. * double(level->scale.extent(0));
    if (!level->A) continue;
    const auto memory = level->A->memory();
    sum += double(memory.factors + memory.indices + memory.local_vectors) +
           4. * double(level->discretisation->space.element_to_node.num_entries());
    if (level->own) sum += 4. * double(level->own->space.element_to_node.num_entries());
  }
  return sum;
}

template double PMultigrid::apply(const Instance&, const space::Space&, const Vector<const double>&,
                                  const Vector<double>&, double) const;
template double PMultigrid::apply(const Instance&, const space::Space&, const Vector<const float>&,
                                  const Vector<float>&, double) const;

}  // namespace miniapp::tensor
