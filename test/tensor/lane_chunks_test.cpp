// SPDX-License-Identifier: BSD-3-Clause
/// Groups in chunks, and loops over vectors that operators on lanes run between them, on every host.
#include "miniapp/core/execution.hpp"

#ifdef MINIAPP_RUNS_ON_HOST
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "miniapp/core/lanes.hpp"
#include "miniapp/solver/cg.hpp"
#include "miniapp/solver/fused_cg.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "miniapp/tensor/diagonal.hpp"
#include "miniapp/tensor/reference.hpp"
#include "miniapp/tensor/verification.hpp"
#include "support/functions.hpp"
#include "support/solve.hpp"
#include "tensor/lanes/lane_chunks.hpp"

namespace {

/// Rows that continue from element to element, rows that do not, or both in one group.
mesh::Mesh any_mesh() {
  const std::string which = GENERATE(as<std::string>(), "shaken", "turned", "partly turned", "one element");
  if (which == "one element") return make_turned_box(1, 1, 1);
  if (which == "shaken") return make_shaken_box(9, 5, 4);
  if (which == "turned") return make_turned_box(5, 3, 4);
  mesh::Mesh mesh = make_shaken_box(16, 2, 7);
  mesh::rotate_elements(mesh, 40);
  return mesh;
}

/// How often each node is in one of the ranges.
void count(std::span<const streaming::EntryRange> ranges, std::vector<int>& times) {
  for (const streaming::EntryRange& range : ranges)
    for (Index node = range.begin; node < range.end; ++node) ++times[node];
}
/// Whether nodes that elements have belong to one part: that of the loop that changes them, and of all who read them.
bool are_of(int part, std::span<const streaming::EntryRange> ranges, const std::vector<int>& part_of) {
  for (const streaming::EntryRange& range : ranges)
    for (Index node = range.begin; node < range.end; ++node)
      if (part_of[node] != part) return false;
  return true;
}

/// x = 2 x; the sum of x.
struct Double {
  double* x;
  double load(std::size_t i) const { return 2 * x[i]; }
  template <class Add>
  void finish(std::size_t i, double value, const Add& add) const {
    x[i] = value;
    add(0, value);
  }
};
/// The sums of y and of x y.
struct SumBoth {
  const double *x, *y;
  double load(std::size_t i) const { return y[i]; }
  template <class Add>
  void finish(std::size_t i, double value, const Add& add) const {
    add(0, value);
    add(1, x[i] * value);
  }
};

}  // namespace

TEST_CASE("A chunk has nodes that its part reads later, and nodes to which it added before", "[tensor][lane_chunks]") {
  const mesh::Mesh mesh = any_mesh();
  const int order = GENERATE(1, 3), parts = GENERATE(1, 2, 5), nodes = GENERATE(1, 100, 1 << 20),
            range = GENERATE(1, 10, 1000), width = GENERATE(4, 8);
  const space::Space space = space::make_space(mesh, order, 1, GENERATE(Boundary::neumann, Boundary::dirichlet));
  const tensor::LaneGroups groups = tensor::make_lane_groups(mesh, space, width, parts);
  constexpr int none = -1, several = -2;
  const auto for_nodes = [&](Index group, const auto& body) {
    for (int l = 0; l < width; ++l)
      if (const Index e = groups.elements[group * width + l]; e >= 0)
        for (int q = 0; q < space.element_to_node.arity(); ++q)
          body(tensor::storage(space.element_to_node.host()[e][q]));
  };
  std::vector<int> part_of(space.num_nodes, none);
  for (int part = 0; part < parts; ++part)
    for (Index g = groups.part_offsets[part]; g < groups.part_offsets[part + 1]; ++g)
      for_nodes(g,
                [&](Index node) { part_of[node] = part_of[node] == none || part_of[node] == part ? part : several; });

  const tensor::LaneChunks chunks = tensor::make_lane_chunks(space, groups, {nodes, range});

  const int size = static_cast<int>(chunks.group_offsets.size()) - 1;
  REQUIRE(static_cast<int>(chunks.part_offsets.size()) == parts + 1);
  REQUIRE(chunks.part_offsets.back() == size);
  REQUIRE(chunks.group_offsets.back() == groups.size());
  std::vector<int> before(space.num_nodes), after(space.num_nodes);
  count(chunks.early, before);
  bool ready = true, open = true, own = true;
  for (int part = 0; part < parts; ++part) {
    CHECK(chunks.group_offsets[chunks.part_offsets[part]] == groups.part_offsets[part]);
    for (Index c = chunks.part_offsets[part]; c < chunks.part_offsets[part + 1]; ++c) {
      count(chunks.first[c], before);
      own = own && are_of(part, chunks.first[c], part_of) && are_of(part, chunks.last[c], part_of);
      for (Index g = chunks.group_offsets[c]; g < chunks.group_offsets[c + 1]; ++g)
        for_nodes(g, [&](Index node) {
          ready = ready && before[node] == 1;
          open = open && after[node] == 0;
        });
      count(chunks.last[c], after);
    }
  }
  count(chunks.late, after);
  CAPTURE(order, parts, nodes, range, width);
  CHECK(ready);
  CHECK(open);
  CHECK(own);
  CHECK(std::all_of(before.begin(), before.end(), [](int times) { return times == 1; }));
  CHECK(std::all_of(after.begin(), after.end(), [](int times) { return times == 1; }));
  std::vector<int> late(space.num_nodes);
  count(chunks.late, late);
  for (const Index node : groups.copies.nodes) CHECK(late[node] == 1);
  if (parts == 1) CHECK((chunks.early.empty() && chunks.late.empty()));
}

TEST_CASE("Chunks of a box end where lines of elements end, so that their ranges are long", "[tensor][lane_chunks]") {
  const mesh::Mesh mesh = make_shaken_box(16, 6, 4);
  const int order = 3;
  const space::Space space = space::make_space(mesh, order, 1, Boundary::neumann);
  const tensor::LaneGroups groups = tensor::make_lane_groups(mesh, space, 4, 1);

  const tensor::LaneChunks chunks = tensor::make_lane_chunks(space, groups, {1, 1});

  CHECK(chunks.group_offsets.size() == 6 * 4 + 1);  // a chunk for each line
  CHECK(chunks.first.entries.size() == 6 * 4);      // whose nodes follow each other
}

TEST_CASE("Loops around a product are run on all entries, before and after elements", "[tensor][lane_chunks]") {
  const Problem problem = any_problem();
  const int components = GENERATE(1, 2), parts = GENERATE(1, 2, 5);
  const bool has_surface = GENERATE(false, true);
  Discretisation d(any_mesh(), problem, tensor::built_orders().front(), Boundary::neumann, 1, components);
  if (has_surface) {
    std::vector<mesh::CellSide> sides;
    for (Index e = 0; e < Index(d.mesh->num_elements()); e += 2) sides.push_back({e, int(e) % 6});
    d.constrain({{0, 0}});
    d.add_surface_mass({sides, function([](double x, double, double) { return 2 + x; })});
  }
  d.lane_groups->add(std::make_shared<const tensor::LaneGroups>(
      tensor::make_lane_groups(*d.mesh, d.space, lane_width<double>, parts)));
  const auto op = tensor::make_operator<double>({Kernel::lanes, Geometry::computed}, d);
  REQUIRE(op->has_chunks());
  const Vector<double> x = tensor::random_vector(d.space, 1), y = make_vector<double>("y", x.extent(0)),
                       expected_y = make_vector<double>("y", x.extent(0));
  Kokkos::deep_copy(y, std::numeric_limits<double>::quiet_NaN());
  std::vector<double> expected_x = to_std(x);
  for (double& entry : expected_x) entry *= 2;
  tensor::Reference(d).apply(to_device<double>(expected_x), expected_y);
  double expected_sums[3] = {};
  for (std::size_t i = 0; i < expected_x.size(); ++i) {
    expected_sums[0] += expected_x[i];
    expected_sums[1] += expected_y(i);
    expected_sums[2] += expected_x[i] * expected_y(i);
  }
  std::vector<double> sums(3);

  linalg::apply_between<double, 1, 2>(Instance(), *op, x, y, Double{x.data()}, SumBoth{x.data(), y.data()},
                                      sums.data());

  CAPTURE(tensor::name(problem), components, parts, has_surface);
  CHECK(to_std(x) == expected_x);
  CHECK_THAT(values(y), all_close<double>(values(expected_y), 64));
  for (int s = 0; s < 3; ++s) CHECK(sums[s] == Approx(expected_sums[s]).epsilon(1e-10).margin(1e-10));
}

namespace {

/// A shaken box whose elements several parts share.
Discretisation make_in_parts(int parts, int components) {
  Discretisation d(make_shaken_box(9, 5, 4), Problem::bp3_0, tensor::built_orders().front(), Boundary::dirichlet, 1,
                   components);
  d.lane_groups->add(std::make_shared<const tensor::LaneGroups>(
      tensor::make_lane_groups(*d.mesh, d.space, lane_width<double>, parts)));
  return d;
}

}  // namespace

TEST_CASE("Fused CG takes the iterations of CG where vectors are updated between elements", "[tensor][lane_chunks]") {
  const int parts = GENERATE(1, 3), components = GENERATE(1, 2);
  const Discretisation d = make_in_parts(parts, components);
  const auto op = tensor::make_operator<double>({Kernel::lanes, Geometry::computed}, d);
  const Vector<const double> b = tensor::random_vector(d.space, 1);
  const Vector<double> x = make_vector<double>("x", b.extent(0)), expected = make_vector<double>("x", b.extent(0));
  const solver::Jacobi<double> jacobi(make_diagonal(d));
  const solver::CgOptions options{1e-12, 1000, {}};
  solver::DeviceCgWorkspace<double> work(b.extent(0));
  solver::CgWorkspace<double> classic(b.extent(0), true);

  const auto fused = solver::fused_cg<double>(Instance(), *op, jacobi, b, x, work, options);
  const auto cg = solver::cg<double>(Instance(), *op, jacobi, b, expected, classic, options);

  CAPTURE(parts, components);
  CHECK(fused.converged());
  CHECK(std::abs(fused.iterations - cg.iterations) <= 1);
  CHECK_THAT(values(x), AllClose(values(expected), 1e-10 * largest(values(expected))));
}

namespace {

/// An operator without chunks.
struct Plain {
  const tensor::ElementOperator<double>& op;
  const space::Space& space() const { return op.space(); }
  void apply(const Instance& instance, const Vector<const double>& x, const Vector<double>& y) const {
    op.apply(instance, x, y);
  }
  double bytes() const { return op.bytes(); }
};

/// The inverse diagonal in single precision.
struct SingleJacobi : solver::SinglePrecisionPreconditioner {
  Vector<float> scale, r, z;
  bool symmetric;
  SingleJacobi(const Vector<const double>& diagonal, bool is_symmetric_)
      : scale(make_vector<float>("scale", diagonal.extent(0))),
        r(make_zeros<float>("r", diagonal.extent(0))),
        z(make_zeros<float>("z", diagonal.extent(0))),
        symmetric(is_symmetric_) {
    for (std::size_t i = 0; i < scale.extent(0); ++i) scale(i) = float(1 / diagonal(i));
  }
  void run(const Instance&) const override {
    for (std::size_t i = 0; i < r.extent(0); ++i) z(i) = scale(i) * r(i);
  }
  bool is_symmetric() const { return symmetric; }
  Vector<float> residual() const override { return r; }
  Vector<const float> correction() const override { return z; }
  double apply(const Instance&, const space::Space&, const Vector<const double>&, const Vector<double>&, double) const {
    throw std::logic_error("CG reads correction() instead");
  }
  Vector<const double> result(const Vector<const double>& r_, const Vector<double>&) const { return r_; }
};

}  // namespace

TEST_CASE("CG with a preconditioner in single precision takes the same iterations between elements and after them",
          "[tensor][lane_chunks]") {
  const int parts = GENERATE(1, 3), components = GENERATE(1, 2);
  const Discretisation d = make_in_parts(parts, components);
  const auto op = tensor::make_operator<double>({Kernel::lanes, Geometry::computed}, d);
  REQUIRE(op->has_chunks());
  const Vector<const double> b = tensor::random_vector(d.space, 1);
  const Vector<double> x = make_vector<double>("x", b.extent(0)), expected = make_vector<double>("x", b.extent(0));
  const bool is_symmetric = GENERATE(true, false);  // else CG is flexible: beta comes from q
  const SingleJacobi m(make_diagonal(d), is_symmetric);
  const solver::CgOptions options{1e-12, 1000, {}};

  const auto between = solver::cg<double>(Instance(), *op, m, b, x, options);
  const auto after = solver::cg<double>(Instance(), Plain{*op}, m, b, expected, options);

  CAPTURE(parts, components, is_symmetric);
  CHECK(between.converged());
  CHECK(between.replacements > 0);
  CHECK(std::abs(between.iterations - after.iterations) <= 1);
  // sums differ by rounding, and so residuals in single precision by theirs
  for (std::size_t i = 0; i < 10; ++i) CHECK(between.residuals.at(i) == Approx(after.residuals.at(i)).epsilon(1e-7));
  CHECK_THAT(values(x), AllClose(values(expected), 1e-10 * largest(values(expected))));
}
#endif
