// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/p_multigrid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "miniapp/core/error.hpp"
#include "miniapp/linalg/linear_operator.hpp"
#include "miniapp/tensor/low_order.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "solver/amg_kernels.hpp"
#include "solver/largest_eigenvalue.hpp"
#include "solver/precision.hpp"
#include "tensor/diagonal.hpp"
#include "tensor/multigrid_orders.hpp"
#include "tensor/p_transfer.hpp"

namespace miniapp::tensor {
namespace {

/// d = beta d + alpha S (f - q), x += d.
struct ChebyshevStep {
  solver::amg::Step<float> step;
  const float *scale, *f, *q;
  float *d, *x;
  KOKKOS_FUNCTION float load(std::size_t i) const { return step.beta * d[i] + step.alpha * scale[i] * (f[i] - q[i]); }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, float value, const Add&) const {
    d[i] = value;
    x[i] += value;
  }
};

/// q = f - q.
struct ResidualInPlace {
  const float* f;
  float* q;
  KOKKOS_FUNCTION float load(std::size_t i) const { return f[i] - q[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, float value, const Add&) const {
    q[i] = value;
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

/// A level: f is its right-hand side, x the result of a cycle, q = A x or a residual, d a step.
struct PMultigrid::Level {
  std::optional<Discretisation> own;  ///< of lower orders
  const Discretisation* discretisation;
  std::unique_ptr<ElementOperator<float>> A;
  Vector<float> scale;  ///< D^-1
  float largest = 0;    ///< not less than the largest eigenvalue of D^-1 A
  Vector<float> f, x, q, d;
  std::unique_ptr<PTransfer<float>> to_lower;

  void apply(const Instance& instance) const { linalg::apply<float>(instance, *A, x, q); }
};

PMultigrid::~PMultigrid() = default;

PMultigrid::PMultigrid(const Discretisation& d, int degree, measure::Phases& phases)
    : degree_(degree), orders_(multigrid_orders(d.order, built_orders())) {
  require(d.order > 1, "p-multigrid: order 1 has no lower one; accepted are orders above 1");
  const space::Boundary boundary = d.space.masked.empty() ? space::Boundary::neumann : space::Boundary::dirichlet;
  for (const int order : orders_) {
    auto level = std::make_unique<Level>();
    phases.time("levels", [&] {
      if (order < d.order) level->own.emplace(d.mesh, d.problem, order, boundary, d.lambda, d.space.components);
      level->discretisation = level->own ? &*level->own : &d;
      if (order > 1) level->A = make_operator<float>(fastest(d.problem, order, sizeof(float)), *level->discretisation);
    });
    const auto make = [&] { return make_zeros<float>("tensor/multigrid", level->discretisation->space.num_entries()); };
    level->f = make();
    level->x = make();
    if (order > 1) {
      phases.time("smoothers", [&] {
        level->q = make();
        level->d = make();
        level->scale = make_scale(*level->discretisation);
        level->largest = 1.1f * static_cast<float>(solver::largest_eigenvalue<float>(
                                    [&](const Instance& instance, const Vector<float>& x, const Vector<float>& y) {
                                      linalg::apply<float>(instance, *level->A, x, y);
                                    },
                                    level->discretisation->space, level->scale));
      });
      if (!(level->largest > 0))
        throw ResultError(
            fmt::format("p-multigrid: the largest eigenvalue of order {} is estimated as {}", order, level->largest));
    }
    if (!levels_.empty())
      phases.time("transfers", [&] {
        levels_.back()->to_lower =
            std::make_unique<PTransfer<float>>(level->discretisation->space, levels_.back()->discretisation->space);
      });
    levels_.push_back(std::move(level));
  }
  phases.time("amg", [&] {
    amg_ = std::make_unique<solver::Amg<float>>(make_low_order_matrix(*levels_.back()->discretisation));
  });
}

void PMultigrid::smooth(const Instance& instance, const Level& level, bool from_zero) const {
  for (int k = 1; k <= degree_; ++k) {
    const auto of_k = static_cast<float>(2 * k + 1);
    const solver::amg::Step<float> step{static_cast<float>(8 * k - 4) / of_k / level.largest,
                                        k == 1 ? 0 : static_cast<float>(2 * k - 3) / of_k};
    const space::Space& space = level.discretisation->space;
    if (k == 1 && from_zero) {
      linalg::for_entries(
          instance, space, "tensor/multigrid/first",
          solver::amg::FirstStep<float>{step, level.scale.data(), level.f.data(), level.x.data(), level.d.data()});
      continue;
    }
    level.apply(instance);
    linalg::for_entries(
        instance, space, "tensor/multigrid/step",
        ChebyshevStep{step, level.scale.data(), level.f.data(), level.q.data(), level.d.data(), level.x.data()});
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
  level.apply(instance);
  linalg::for_entries(instance, level.discretisation->space, "tensor/multigrid/residual",
                      ResidualInPlace{level.f.data(), level.q.data()});
  level.to_lower->restrict_to(instance, level.q, lower.f);
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
    sum += 4. * double(level->f.extent(0) + level->x.extent(0) + level->q.extent(0) + level->d.extent(0) +
                       level->scale.extent(0));
    if (!level->A) continue;
    const auto memory = level->A->memory();
    sum += double(memory.factors + memory.indices + memory.local_vectors) +
           double(level->discretisation->space.element_to_node.num_entries());
    if (level->own) sum += 4. * double(level->own->space.element_to_node.num_entries());
  }
  return sum;
}

template double PMultigrid::apply(const Instance&, const space::Space&, const Vector<const double>&,
                                  const Vector<double>&, double) const;
template double PMultigrid::apply(const Instance&, const space::Space&, const Vector<const float>&,
                                  const Vector<float>&, double) const;

}  // namespace miniapp::tensor
