// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/element_function.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "miniapp/core/host_ranges.hpp"
#include "miniapp/core/instance.hpp"
#include "miniapp/geometry/curved.hpp"

namespace miniapp::tensor {
namespace {

/// f at the points of elements [begin, end), by all threads of the host.
class Evaluation {
 public:
  Evaluation(const mesh::Mesh& mesh, const basis::Rule& rule, const ElementFunction& f)
      : mesh_(mesh), f_(f), at_points_(mesh, rule.points), points_(rule.size() * rule.size() * rule.size()) {}
  int points() const { return points_; }

  void operator()(std::size_t begin, std::size_t end, double* values) const {
    const HostRanges ranges(end - begin, 64);
    ranges.for_each([&](int range) {
      std::vector<double> x(3 * static_cast<std::size_t>(points_));
      double *const y = x.data() + points_, *const z = y + points_;
      for (std::size_t at = ranges.begin(range); at < ranges.end(range); ++at) {
        at_points_.visit(begin + at, [&](std::size_t i, const mesh::Point& point) {
          x[i] = point[0];
          y[i] = point[1];
          z[i] = point[2];
        });
        f_.evaluate(mesh_.number(begin + at), points_, x.data(), y, z, values + at * points_);
      }
    });
  }

 private:
  const mesh::Mesh& mesh_;
  const ElementFunction& f_;
  geometry::TensorPoints at_points_;
  int points_;
};

/// Evaluates some elements while a GPU copies those before them, out of memory that it reaches without a detour.
[[maybe_unused]] void evaluate_for_gpu(const Evaluation& evaluate, std::size_t elements, const Vector<double>& values) {
  const std::size_t points = evaluate.points(),
                    in_piece = std::min(elements, std::max<std::size_t>((2 << 20) / points, 1));
  const auto allocate = [&] {
    return PinnedVector<double>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tensor/piece"), in_piece * points);
  };
  const PinnedVector<double> pieces[] = {allocate(), elements > in_piece ? allocate() : PinnedVector<double>()};
  const Instance instance;
  int turn = 0;
  for (std::size_t begin = 0; begin < elements; begin += in_piece, turn = 1 - turn) {
    const std::size_t end = std::min(begin + in_piece, elements), size = (end - begin) * points;
    evaluate(begin, end, pieces[turn].data());
    instance.fence();  // the other piece may be overwritten
    Kokkos::deep_copy(instance.space(), slice(values, begin * points, size),
                      Kokkos::subview(pieces[turn], std::pair<std::size_t, std::size_t>(0, size)));
  }
  instance.fence();
}

}  // namespace

Vector<const double> values_at(const mesh::Mesh& mesh, const basis::Rule& rule, const ElementFunction& f) {
  const Evaluation evaluate(mesh, rule, f);
  const std::size_t elements = mesh.num_elements();
  const Vector<double> values = make_vector<double>("tensor/values", elements * evaluate.points());
  if constexpr (runs_on_host)
    evaluate(0, elements, values.data());
  else
    evaluate_for_gpu(evaluate, elements, values);
  return values;
}

}  // namespace miniapp::tensor
