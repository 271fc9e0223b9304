// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "elasticity_options.hpp"
#include "miniapp/core/tolerance.hpp"
#include "miniapp/measure/stopwatch.hpp"

namespace miniapp::apps {

/// What came of one method at one order.
struct ElasticityResult {
  elasticity::Method method;
  elasticity::Plan plan;
  std::int64_t elements = 0, batches = 0;
  measure::Phases phases;  ///< of all elements: preparation, allocation, transfer in, kernel, transfer out
  measure::Sample kernel;  ///< of all elements [s]
  TeamResources resources;
  double flops = 0;  ///< that the kernel does an element
  double error = 0;  ///< of the tolerance
  bool passed() const { return error <= 1; }
  double phase(const std::string& name) const {
    for (const auto& [phase, seconds] : phases.seconds())
      if (phase == name) return seconds;
    return 0;
  }
};

/// Runs methods on the prisms of one order: verified on three elements of each batch size, then by phases, as the paper
/// reports them.
template <class Real>
class ElasticityRun {
 public:
  ElasticityRun(const ElasticityOptions& options, int order)
      : o_(options), order_(order), tables_(basis::make_prism_tables(order)) {}

  ElasticityResult run(elasticity::Method method) const {
    ElasticityResult result;
    result.method = method;
    result.elements = o_.elements_of(order_);
    result.plan =
        elasticity::make_plan(order_, o_.limits, elasticity::variant_of(method), o_.precision, result.elements);
    const auto integrator = elasticity::make_integrator<Real>(method, order_, result.plan);
    result.flops = integrator->flops();
    result.resources = integrator->resources();
    const std::int64_t batch = result.plan.elements;
    result.batches = (result.elements + batch - 1) / batch;
    Buffers buffers = result.phases.time("allocation", [&] { return Buffers(*this, method, batch); });
    for (std::int64_t b = 0; b < result.batches; ++b)
      if (!run_batch(*integrator, b, batch, buffers, result)) break;
    return result;
  }

 private:
  struct Buffers {
    Buffers(const ElasticityRun& run, elasticity::Method method, std::int64_t batch) {
      const bool reads = elasticity::reads_jacobians(method);
      input.vertices = make_vector<Real>("elasticity/vertices", reads ? 0 : 18 * batch);
      input.jacobians = make_vector<Real>("elasticity/jacobians", reads ? 10 * run.tables_.num_points * batch : 0);
      input.materials = make_vector<Real>("elasticity/materials", 2 * batch);
      matrices = make_vector<Real>("elasticity/matrices", run.entries() * batch);
      vertices = Kokkos::create_mirror_view(input.vertices);
      jacobians = Kokkos::create_mirror_view(input.jacobians);
      materials = Kokkos::create_mirror_view(input.materials);
      if (run.o_.output == Output::host)
        on_host = HostVector<Real>("matrices on the host", run.entries() * run.o_.elements_of(run.order_));
    }
    elasticity::Input<Real> input;
    Vector<Real> matrices;
    decltype(Kokkos::create_mirror_view(std::declval<Vector<Real>>())) vertices, jacobians, materials;
    HostVector<Real> on_host;
  };

  std::size_t entries() const { return 9 * std::size_t(tables_.num_functions) * tables_.num_functions; }

  /// False where it was wrong, and where nothing is to be timed.
  bool run_batch(const elasticity::Integrator<Real>& integrator, std::int64_t b, std::int64_t batch, Buffers& buffers,
                 ElasticityResult& result) const {
    const std::int64_t begin = b * batch, size = std::min(batch, result.elements - begin);
    const elasticity::Prisms prisms =
        elasticity::make_prisms(size, o_.deform, o_.young, o_.poisson, o_.vary, static_cast<unsigned>(b + 1));
    buffers.input.size = size;
    result.phases.time("preparation", [&] { prepare(prisms, elasticity::reads_jacobians(result.method), buffers); });
    result.phases.time("transfer in", [&] {
      Kokkos::deep_copy(buffers.input.vertices, buffers.vertices);
      Kokkos::deep_copy(buffers.input.jacobians, buffers.jacobians);
      Kokkos::deep_copy(buffers.input.materials, buffers.materials);
    });
    const auto kernel = [&] { integrator.run(buffers.input, buffers.matrices); };
    if (b == 0) {
      kernel();
      result.error = verify(prisms, buffers.matrices);
      if (!result.passed() || o_.verify_only) return false;
      result.kernel = measure::time(kernel, o_.repeat);
      const double batches = double(result.elements) / double(size);
      for (double* seconds : {&result.kernel.min, &result.kernel.median, &result.kernel.max}) *seconds *= batches;
    }
    result.phases.time("kernel", kernel);
    if (o_.output == Output::host)
      result.phases.time("transfer out", [&] {
        const auto range = std::pair<std::size_t, std::size_t>(entries() * begin, entries() * (begin + size));
        Kokkos::deep_copy(Kokkos::subview(buffers.on_host, range), slice(buffers.matrices, 0, entries() * size));
      });
    return true;
  }

  /// What the host computes for the device: numbers in its precision and, where it reads them, Jacobians.
  void prepare(const elasticity::Prisms& prisms, bool reads_jacobians, Buffers& buffers) const {
    const auto fill = [](const std::vector<double>& from, const auto& to) {
      for (std::size_t i = 0; i < from.size(); ++i) to(i) = static_cast<Real>(from[i]);
    };
    fill(prisms.materials, buffers.materials);
    if (reads_jacobians) {
      const std::vector<Real> all = elasticity::jacobians<Real>(tables_, prisms, 0, prisms.size());
      std::copy(all.begin(), all.end(), buffers.jacobians.data());
    } else {
      fill(prisms.vertices, buffers.vertices);
    }
  }

  /// The largest error of the first, the middle and the last matrix, of what rounding allows.
  double verify(const elasticity::Prisms& prisms, const Vector<Real>& matrices) const {
    double worst = 0;
    for (const std::size_t e : {std::size_t(0), prisms.size() / 2, prisms.size() - 1}) {
      const elasticity::Lame material{prisms.materials[2 * e], prisms.materials[2 * e + 1]};
      const std::vector<double> expected = elasticity::reference_matrix(tables_, &prisms.vertices[18 * e], material);
      const auto found = to_host(slice(matrices, e * entries(), entries()));
      double scale = 0;
      for (const double value : expected) scale = std::max(scale, std::fabs(value));
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const double error = std::fabs(found(i) - expected[i]) / tolerance<Real>(tables_.num_points, scale);
        worst = std::isnan(error) ? INFINITY : std::max(worst, error);
      }
    }
    return worst;
  }

  const ElasticityOptions& o_;
  int order_;
  basis::PrismTables tables_;
};

}  // namespace miniapp::apps
