// SPDX-License-Identifier: BSD-3-Clause
#include "runs/elasticity/matrix_run.hpp"

#include <algorithm>
#include <utility>

#include "core/copy_queue.hpp"
#include "miniapp/elasticity/verification.hpp"

namespace miniapp::elasticity {
namespace {

/// Runs methods on the prisms of one order.
template <class Real>
class MatrixRun {
 public:
  MatrixRun(const MatrixSettings& settings, int order)
      : o_(settings), order_(order), tables_(basis::make_prism_tables(order)) {}

  MatrixResult run(Method method) const {
    MatrixResult result;
    result.method = method;
    result.elements = o_.elements_of(order_);
    result.plan = make_plan(order_, o_.limits, variant_of(method), o_.precision, result.elements);
    const auto integrator = make_integrator<Real>(method, order_, result.plan);
    result.flops = integrator->flops();
    result.bytes = double(sizeof(Real)) * double(input_numbers(method) + 2 + entries());
    result.resources = integrator->resources();
    const std::int64_t batch = result.plan.elements;
    result.batches = (result.elements + batch - 1) / batch;
    Buffers buffers = result.phases.time("allocation", [&] { return Buffers(*this, method, batch); });
    if (o_.output == Output::host)
      buffers.on_host = HostVector<Real>("matrices on the host", entries() * result.elements);
    for (std::int64_t b = 0; b < result.batches; ++b)
      if (!run_batch(*integrator, b, batch, buffers, result)) break;
    if (runs_on_host)  // nothing overlaps
      result.overlapped = result.phases.of("preparation") + result.phases.of("transfer in") + result.kernel.median;
    return result;
  }

 private:
  struct Buffers {
    Buffers(const MatrixRun& run, Method method, std::int64_t batch) {
      const bool reads = reads_jacobians(method);
      const std::size_t numbers = run.input_numbers(method) * batch;
      input.vertices = make_vector<Real>("elasticity/vertices", reads ? 0 : numbers);
      input.jacobians = make_vector<Real>("elasticity/jacobians", reads ? numbers : 0);
      input.materials = make_vector<Real>("elasticity/materials", 2 * batch);
      matrices = make_vector<Real>("elasticity/matrices", run.entries() * batch);
    }
    Input<Real> input;
    Vector<Real> matrices;
    HostVector<Real> on_host;
  };

  /// Coordinates of an element's vertices, or its Jacobians.
  std::size_t input_numbers(Method method) const { return reads_jacobians(method) ? 10 * tables_.num_points : 18; }
  std::size_t entries() const { return 9 * std::size_t(tables_.num_functions) * tables_.num_functions; }

  /// False where it was wrong, and where nothing is to be timed.
  bool run_batch(const Integrator<Real>& integrator, std::int64_t b, std::int64_t batch, Buffers& buffers,
                 MatrixResult& result) const {
    const std::size_t begin = b * batch, size = std::min(batch, result.elements - std::int64_t(begin));
    const Prisms prisms = make_prisms(size, o_.deform, o_.young, o_.poisson, o_.vary, static_cast<unsigned>(b + 1));
    const bool reads = reads_jacobians(result.method);
    buffers.input.size = size;
    const auto kernel = [&] { integrator.run(instance_, buffers.input, buffers.matrices); };
    if (b == 0) {
      Prepared(*this, prisms, reads, 0, size).copy_to(buffers.input);
      kernel();
      result.error = verify(prisms, buffers.matrices);
      if (!result.passed() || o_.verify_only) return false;
      const double batches = double(result.elements) / double(size);
      result.kernel = measure::rescale(measure::time_and_energy(kernel, o_.repeat), batches);
    }
    const auto prepared = result.phases.time("preparation", [&] { return Prepared(*this, prisms, reads, 0, size); });
    result.phases.time("transfer in", [&] { prepared.copy_to(buffers.input); });
    result.phases.time("kernel", kernel);
    if (o_.output == Output::host)
      result.phases.time("transfer out", [&] {
        const auto range = std::pair<std::size_t, std::size_t>(entries() * begin, entries() * (begin + size));
        Kokkos::deep_copy(Kokkos::subview(buffers.on_host, range), slice(buffers.matrices, 0, entries() * size));
      });
    if (runs_on_host) return true;
    const double start = measure::now();
    run_overlapped(integrator, prisms, reads, buffers, pieces_of(result, size));
    result.overlapped += measure::now() - start;
    return true;
  }

  /// So many pieces that the input of the first, whose transfer no kernel hides, takes a hundredth of the kernel's
  /// time; a piece still fills the device and takes a tenth of a millisecond.
  static std::size_t pieces_of(const MatrixResult& result, std::size_t size) {
    const double input = result.phases.of("preparation") + result.phases.of("transfer in"),
                 kernel = result.kernel.median,
                 most = std::min(kernel / double(result.batches) / 1e-4, double(size) / double(result.plan.teams));
    return static_cast<std::size_t>(std::max(1.0, std::min(100 * input / kernel, most)));
  }

  void run_overlapped(const Integrator<Real>& integrator, const Prisms& prisms, bool reads, const Buffers& buffers,
                      std::size_t pieces) const {
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const std::size_t begin = prisms.size() * piece / pieces, end = prisms.size() * (piece + 1) / pieces;
      if (begin == end) continue;
      const auto part = [&](const Vector<Real>& all, std::size_t numbers) {
        return slice(all, numbers * begin, numbers * (end - begin));
      };
      const std::size_t of_jacobians = reads ? 10 * tables_.num_points : 0;
      const Input<Real> input{end - begin, part(buffers.input.vertices, reads ? 0 : 18),
                              part(buffers.input.jacobians, of_jacobians), part(buffers.input.materials, 2)};
      Prepared(*this, prisms, reads, begin, end).copy_to(input);
      integrator.run(instance_, input, part(buffers.matrices, entries()));
    }
  }

  /// What the host sends to the device for elements [begin, end): vertices and materials, or Jacobians instead of
  /// vertices where the kernel reads them, in the kernel's precision.
  class Prepared {
   public:
    Prepared(const MatrixRun& run, const Prisms& prisms, bool reads, std::size_t begin, std::size_t end)
        : queue_(run.queue_) {
      materials_ = convert(prisms.materials, 2 * begin, 2 * end, own_materials_);
      if (reads) {
        own_ = jacobians<Real>(run.tables_, prisms, begin, end);
        jacobians_ = own_.data();
      } else {
        vertices_ = convert(prisms.vertices, 18 * begin, 18 * end, own_);
      }
    }
    void copy_to(const Input<Real>& input) const {
      queue_.copy(slice(input.materials, 0, 2 * input.size), materials_);
      if (vertices_) queue_.copy(slice(input.vertices, 0, 18 * input.size), vertices_);
      if (jacobians_) queue_.copy(slice(input.jacobians, 0, own_.size()), jacobians_);
    }

   private:
    static const Real* convert(const std::vector<double>& from, std::size_t begin, std::size_t end,
                               std::vector<Real>& own) {
      if constexpr (std::is_same_v<Real, double>) {
        return from.data() + begin;
      } else {
        own.assign(from.begin() + begin, from.begin() + end);
        return own.data();
      }
    }
    const CopyQueue& queue_;
    std::vector<Real> own_, own_materials_;
    const Real *vertices_ = nullptr, *jacobians_ = nullptr, *materials_ = nullptr;
  };

  /// The largest error of a sample of the matrices, relative to what rounding allows.
  double verify(const Prisms& prisms, const Vector<Real>& matrices) const {
    const measure::Verifying region;
    double worst = 0;
    for (const std::size_t e : sample_of(prisms.size()))
      worst =
          std::max(worst, error_over_tolerance<Real>(tables_, prisms, e, slice(matrices, e * entries(), entries())));
    return worst;
  }

  Instance instance_;
  const MatrixSettings& o_;
  int order_;
  basis::PrismTables tables_;
  CopyQueue queue_;
};

}  // namespace

double MatrixResult::performed_flops() const { return of_paper(method) ? elasticity::performed_flops(plan) : flops; }
double MatrixResult::useful_flops() const { return of_paper(method) ? elasticity::useful_flops(plan) : flops; }

MatrixResult run_matrices(const MatrixSettings& o, int order, Method method) {
  const Region region(name(method));
  return o.precision == Precision::fp64 ? MatrixRun<double>(o, order).run(method)
                                        : MatrixRun<float>(o, order).run(method);
}

}  // namespace miniapp::elasticity
