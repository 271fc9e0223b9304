// SPDX-License-Identifier: BSD-3-Clause
#include "runs/streaming/suite_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <utility>

#include "measure/energy.hpp"
#include "miniapp/core/region.hpp"
#include "miniapp/core/teams.hpp"
#include "miniapp/core/tolerance.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/streaming/vector_kernels.hpp"

namespace miniapp::streaming {

struct EmptyTeam {
  static constexpr int threads = 256, teams_at_once = 8;
  static constexpr std::size_t scratch_bytes = 0;
  KOKKOS_FUNCTION void operator()(const Team&) const {}
};

namespace {

/// Adds to the curve the seconds of one run: the median of repetitions, each of several runs between two readings of
/// the clock, as in the paper. Where their numbers are not given, they end once they took long. Of several ranks the
/// slowest counts. The energy of a run is that of the largest size.
void time_runs(const std::function<void()>& run, const SuiteSettings& o, double bytes, bool is_largest,
               SuiteResult& result) {
  constexpr double long_enough = 0.05;  // [s], of all repetitions of a size
  if (o.verify_only) return;
  const Region region("timing");
  const double once = measure::time_once(run, o.ranks);
  const int most = o.iterations > 0 ? o.iterations : usual_iterations;
  const bool is_free = o.iterations == 0 && o.repeat == 0;
  const int runs = is_free && once * most > long_enough ? std::max(2, int(long_enough / once)) : most;
  std::vector<double> seconds;
  double took = 0;
  const auto wanted = static_cast<std::size_t>(o.repeat > 0 ? o.repeat : usual_repetitions);
  while (seconds.size() < wanted) {
    const auto run_all = [&] {
      for (int i = 0; i < runs; ++i) run();
    };
    const double all = measure::time_once(run_all, o.ranks);
    seconds.push_back(all / runs);
    took += all;
    if (o.repeat == 0 && took > long_enough) break;
  }
  result.times.push_back(measure::summarise(std::move(seconds)));
  result.curve.push_back({bytes, result.times.back().median});
  if (is_largest && o.energy) result.times.back().joules = measure::joules(run, result.curve.back().seconds, o.ranks);
}

/// Numbers in (-1, 1).
template <class Real>
HostVector<Real> random_numbers(std::size_t size, unsigned seed) {
  const HostVector<Real> numbers("streaming/random", size);
  std::minstd_rand generator(seed);
  for (std::size_t i = 0; i < size; ++i)
    numbers(i) = static_cast<Real>(static_cast<double>(generator()) / 1073741824.0 - 1);
  return numbers;
}

/// A compensated sum (Kahan) in extended precision.
class ExactSum {
 public:
  void add(long double value) {
    const long double corrected = value - lost_, next = sum_ + corrected;
    lost_ = (next - sum_) - corrected;
    sum_ = next;
  }
  double value() const { return static_cast<double>(sum_); }

 private:
  long double sum_ = 0, lost_ = 0;
};

/// BS0 to BS5. Numbers that the reference needs stay on the host, so that each size is checked by obvious loops: sums
/// at every size, vectors up to 2^20 entries and at the largest size.
template <class Real>
class VectorTest {
 public:
  VectorTest(const Test& test, const SuiteSettings& settings) : test_(test), o_(settings) {
    if (test.number == 0) return;
    sizes_ = vector_sizes(test, settings);
    host_x_ = random_numbers<Real>(sizes_.back(), 1);
    host_y_ = random_numbers<Real>(sizes_.back(), 2);
    for (int v = 0; v < test.vectors; ++v) {
      vectors_.push_back(make_vector<Real>("streaming/vector", sizes_.back()));
      fill(v, sizes_.back());
    }
  }

  SuiteResult run(const Progress& progress) {
    SuiteResult result;
    if (test_.number == 0) {
      time_runs([&] { for_teams(instance_, "streaming/empty", 1, EmptyTeam()); }, o_, 0, true, result);
      result.moved = result.entries = {0};
      return result;
    }
    for (const std::size_t n : sizes_) {
      progress(result.entries.size(), sizes_.size());
      const double entries = double(n) * o_.ranks.size(), bytes = entries * test_.words * o_.word();
      result.error = std::max(result.error, check(n));
      time_runs([&] { apply(n); }, o_, bytes, n == sizes_.back(), result);
      result.moved.push_back(bytes);
      result.entries.push_back(entries);
    }
    result.error = o_.ranks.of_all(Reduction::max, result.error);
    return result;
  }

 private:
  static constexpr double alpha = 0.375, beta = 0.625;  // exact in single precision
  static constexpr double step = 0.0009765625;          // of BS5, run again and again

  Vector<Real> part(int v, std::size_t n) const { return slice(vectors_[v], 0, n); }
  const HostVector<Real>& host(int v) const { return v % 2 == 0 ? host_x_ : host_y_; }
  void fill(int v, std::size_t n) const { Kokkos::deep_copy(part(v, n), HostVector<Real>(host(v).data(), n)); }

  /// Runs the test once; returns its sum over all ranks, where it has one.
  double apply(std::size_t n) const {
    switch (test_.number) {
      case 1:
        copy<Real>(instance_, part(0, n), part(1, n));
        return 0;
      case 2:
        axpby<Real>(instance_, Real(alpha), part(0, n), Real(beta), part(1, n));
        return 0;
      case 3:
        return o_.ranks.sum(dot<Real>(instance_, part(0, n), part(0, n)));
      case 4:
        return o_.ranks.sum(dot<Real>(instance_, part(0, n), part(1, n)));
      default:  // x, r, p, q
        return o_.ranks.sum(update<Real>(instance_, Real(step), part(2, n), part(3, n), part(0, n), part(1, n)));
    }
  }

  /// The largest difference from obvious loops, relative to the tolerance.
  double check(std::size_t n) {
    const measure::Verifying region;
    const bool changes = test_.number != 3 && test_.number != 4, sums = test_.number >= 3;
    const bool look = changes && (n <= (1u << 20) || n == sizes_.back());
    double worst = 0;
    if (changes && !sums && !look) return worst;
    if (changes)
      for (int v = 0; v < test_.vectors; ++v) fill(v, n);
    const double sum = apply(n);
    if (sums) worst = sum_error(sum / o_.ranks.size(), n);  // ranks have the same numbers
    if (look) worst = std::max(worst, entry_error(n));
    return worst;
  }

  double sum_error(double sum, std::size_t n) {
    for (; summed_ < n; ++summed_) {
      const long double x = host_x_(summed_), y = host_y_(summed_);
      const long double term = test_.number == 3 ? x * x : test_.number == 4 ? x * y : (y - step * y) * (y - step * y);
      exact_.add(term);
      scale_.add(std::fabs(term));
    }
    // blocks of 1024 entries one after another; the update rounds each entry before it is squared
    const double rounding = tolerance<double>(1024 + double(n) / 1024, scale_.value()) +
                            (test_.number == 5 ? tolerance<Real>(1, scale_.value()) : 0);
    return relative(std::fabs(sum - exact_.value()), rounding);
  }

  double entry_error(std::size_t n) const {
    double worst = 0;
    for (int v = 0; v < test_.vectors; ++v) {
      const HostVector<Real> found("streaming/found", n);
      Kokkos::deep_copy(found, part(v, n));
      for (std::size_t i = 0; i < n; ++i)
        worst = std::max(worst, relative(std::fabs(found(i) - expected(v, i)), tolerance<Real>(2, 1)));
    }
    return worst;
  }
  /// Entry i of vector v after one run.
  double expected(int v, std::size_t i) const {
    const double x = host_x_(i), y = host_y_(i);
    if (test_.number == 1) return x;
    if (test_.number == 2) return v == 1 ? alpha * x + beta * y : x;
    return v == 0 ? x + step * x : v == 1 ? y - step * y : host(v)(i);
  }

  /// Infinite where the difference is not a number.
  static double relative(double difference, double allowed) {
    return difference <= allowed * 1e300 ? difference / allowed : std::numeric_limits<double>::infinity();
  }

  const Test& test_;
  Instance instance_;
  const SuiteSettings& o_;
  std::vector<std::size_t> sizes_;
  HostVector<Real> host_x_, host_y_;
  std::vector<Vector<Real>> vectors_;
  std::size_t summed_ = 0;  // entries that exact_ and scale_ hold
  ExactSum exact_, scale_;
};

/// BS6 to BS8 on meshes of one order, which they share: numbering takes longer than all runs.
template <class Real>
class MeshTests {
 public:
  MeshTests(std::vector<int> tests, int order, const SuiteSettings& settings)
      : tests_(std::move(tests)), order_(order), o_(settings) {}

  /// One result per test.
  std::vector<SuiteResult> run(const Progress& progress) const {
    std::vector<SuiteResult> results(tests_.size());
    std::vector<std::vector<std::vector<int>>> meshes;
    for (const int test : tests_) meshes.push_back(mesh_sizes(find_test(test), order_, o_));
    const auto& most = *std::max_element(meshes.begin(), meshes.end(),
                                         [](const auto& a, const auto& b) { return a.size() < b.size(); });
    for (std::size_t m = 0; m < most.size(); ++m) {
      progress(m, most.size());
      const miniapp::space::Space space = number_nodes(most[m]);
      for (std::size_t t = 0; t < tests_.size(); ++t)
        if (m < meshes[t].size()) run(find_test(tests_[t]), space, m + 1 == meshes[t].size(), results[t]);
    }
    for (SuiteResult& result : results) result.error = o_.ranks.of_all(Reduction::max, result.error);
    return results;
  }

 private:
  miniapp::space::Space number_nodes(const std::vector<int>& sides) const {
    const Region region("numbering");
    miniapp::space::Space space =
        miniapp::space::make_space(mesh::make_box(sides[0], sides[1], sides[2]), order_, 1, o_.mask);
    if (o_.numbering != NodeOrder::lines) renumber(space);
    return space;
  }

  void run(const Test& test, const miniapp::space::Space& space, bool is_largest, SuiteResult& result) const {
    const Map& Z = space.element_to_node.host();
    const std::size_t locals = Z.entries.size(), globals = space.num_nodes;
    const bool scatters = test.number != 6, gathers = test.number != 7, both = test.number == 8;
    std::optional<Region> region("kernel");
    std::optional<Scatter> scatter;
    if (scatters) scatter.emplace(Z, order_ + 1, o_.scatter_layout);
    std::optional<Gather> gather;
    if (gathers) gather.emplace(Z, globals, o_.gather_layout);
    const Vector<Real> local = make_vector<Real>("streaming/local", locals),
                       global = make_vector<Real>("streaming/global", globals),
                       back = make_vector<Real>("streaming/back", both ? globals : 0);
    const auto apply = [&] {
      if (scatters) scatter->apply<Real>(instance_, global, local);
      if (gathers) gather->apply<Real>(instance_, local, both ? back : global);
    };
    region.reset();
    std::optional<measure::Verifying> verifies(std::in_place);
    const HostVector<Real> x = random_numbers<Real>(scatters ? globals : locals, 1);
    Kokkos::deep_copy(scatters ? global : local, x);
    apply();
    const auto scattered = [&](std::size_t q) { return x(Z.entries[q]); };
    result.error = std::max(result.error, test.number == 6   ? gather_error(Z, x, global)
                                          : test.number == 7 ? scatter_error(Z, x, local)
                                                             : gather_error(Z, scattered, back));
    verifies.reset();
    const double ranks = o_.ranks.size();
    const double indices = double(scatters ? scatter->index_bytes() : 0) + double(gathers ? gather->index_bytes() : 0);
    result.moved.push_back(ranks * (double(locals + globals) * sizeof(Real) * (both ? 2 : 1) + indices));
    result.entries.push_back(ranks * double(globals));
    time_runs(apply, o_, ranks * model_bytes(test, double(locals), double(globals), sizeof(Real)), is_largest, result);
  }

  /// Renumbers the nodes in Z.
  void renumber(miniapp::space::Space& space) const {
    Map Z = space.element_to_node.host();
    std::vector<Index> number(space.num_nodes, -1);
    if (o_.numbering == NodeOrder::first_touch) {
      Index next = 0;
      for (const Index id : Z.entries)
        if (Index& mine = number[id < 0 ? ~id : id]; mine < 0) mine = next++;
    } else {
      for (Index node = 0; node < space.num_nodes; ++node) number[node] = node;
      std::shuffle(number.begin(), number.end(), std::minstd_rand(1));
    }
    for (Index& id : Z.entries) id = id < 0 ? ~number[~id] : number[id];
    space.element_to_node = SharedMap(std::move(Z));
  }

  /// Differences from obvious loops over Z, relative to the tolerance. The adjoint identity <Z x, y> = <x, Z^T y>
  /// follows from them, since both directions are compared with the same Z.
  template <class Local>
  double gather_error(const Map& Z, const Local& local, const Vector<Real>& global) const {
    std::vector<double> expected(global.extent(0), 0), scale(global.extent(0), 0);
    for (std::size_t q = 0; q < Z.entries.size(); ++q) {
      if (Z.entries[q] < 0) continue;
      expected[Z.entries[q]] += local(q);
      scale[Z.entries[q]] += 1;
    }
    return largest(global, expected, scale);
  }
  double scatter_error(const Map& Z, const HostVector<Real>& global, const Vector<Real>& local) const {
    std::vector<double> expected(local.extent(0), 0);
    for (std::size_t q = 0; q < Z.entries.size(); ++q)
      if (Z.entries[q] >= 0) expected[q] = global(Z.entries[q]);
    return largest(local, expected, std::vector<double>(expected.size(), 1));
  }
  static double largest(const Vector<Real>& found, const std::vector<double>& expected,
                        const std::vector<double>& scale) {
    const auto host = to_host(found);
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double difference = std::fabs(host(i) - expected[i]), allowed = tolerance<Real>(scale[i], scale[i]);
      if (!(difference <= allowed)) return std::numeric_limits<double>::infinity();
      if (allowed > 0) worst = std::max(worst, difference / allowed);
    }
    return worst;
  }

  std::vector<int> tests_;
  int order_;
  Instance instance_;
  const SuiteSettings& o_;
};

}  // namespace

SuiteResult run_on_vectors(const Test& test, const SuiteSettings& o, const Progress& progress) {
  return o.precision == Precision::fp64 ? VectorTest<double>(test, o).run(progress)
                                        : VectorTest<float>(test, o).run(progress);
}

std::vector<SuiteResult> run_on_meshes(const std::vector<int>& tests, int order, const SuiteSettings& o,
                                       const Progress& progress) {
  return o.precision == Precision::fp64 ? MeshTests<double>(tests, order, o).run(progress)
                                        : MeshTests<float>(tests, order, o).run(progress);
}

}  // namespace miniapp::streaming
