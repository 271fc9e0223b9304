// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/multigrid/schwarz.hpp"

#include "support/problems.hpp"

namespace {

/// The built orders above 1 and up to `most`; the first above 1 where there is none.
std::vector<int> orders_up_to(int most) {
  std::vector<int> orders;
  for (const int order : tensor::built_orders())
    if (order > 1 && (order <= most || orders.empty())) orders.push_back(order);
  return orders;
}

std::vector<double> multiply(const Discretisation& d, const std::vector<double>& x) {
  const auto A = tensor::make_operator<double>(tensor::reference_variant, d);
  const Vector<double> y = make_vector<double>("y", x.size());
  A->apply(Instance(), test::to_device<double>(x), y);
  return to_std(y);
}

/// B r.
std::vector<double> precondition(const multigrid::Schwarz& schwarz, const std::vector<double>& r) {
  const Vector<float> z = make_vector<float>("z", r.size());
  Kokkos::deep_copy(z, 99.f);  // the old contents must not matter
  schwarz.apply(Instance(), test::to_device<float>(r), z);
  return to_std(convert<double>(z));
}

std::vector<char> masks(const Discretisation& d) {
  std::vector<char> masked(d.space.num_entries());
  for (const Index node : d.space.masked)
    for (int c = 0; c < d.space.components; ++c) masked[d.space.entry(node, c)] = 1;
  return masked;
}

/// Solves A x = b by elimination; A (row, column) is overwritten.
std::vector<double> solve(std::vector<std::vector<double>> A, std::vector<double> b) {
  const std::size_t size = b.size();
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t i = k + 1; i < size; ++i) {
      const double factor = A[i][k] / A[k][k];
      if (factor == 0) continue;
      for (std::size_t j = k; j < size; ++j) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = size; k-- > 0;) {
    for (std::size_t j = k + 1; j < size; ++j) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
  return b;
}

/// Boxes along x, turned, each longer than the one before where they `grow`.
mesh::Mesh make_row(int boxes, bool grow = true) {
  mesh::Mesh mesh = mesh::make_box(boxes, 1, 1);
  for (mesh::Point& x : mesh.vertices) x = {x[0] * (grow ? 1 + x[0] : 1) * boxes / 2, 0.7 * x[1], 1.2 * x[2]};
  mesh::rotate_elements(mesh, 3);
  return mesh;
}

/// B r by its definition on a row of boxes, where a box's operator is a part of the whole.
std::vector<double> apply_by_definition(const Discretisation& d, const std::vector<double>& r) {
  const std::vector<mesh::Point> points = space::node_points(*d.mesh, d.space);
  const auto map = d.space.element_to_node.host();
  const std::vector<char> masked = masks(d);
  const std::size_t nodes = points.size(), per_element = std::pow(d.order + 1, 3);
  std::vector<std::vector<double>> A(nodes);  // by columns, which are rows
  for (std::size_t i = 0; i < nodes; ++i) {
    std::vector<double> unit(nodes);
    unit[i] = 1;
    if (!masked[i]) A[i] = multiply(d, unit);
  }
  std::vector<double> sum(nodes);
  std::vector<int> count(nodes);
  for (std::size_t e = 0; e < d.mesh->num_elements(); ++e) {
    std::vector<char> own(nodes);
    double low = 1e9, high = -1e9;
    for (std::size_t i = 0; i < per_element; ++i) {
      const Index node = node_of(map[e][i]);
      own[node] = 1;
      low = std::min(low, points[node][0]);
      high = std::max(high, points[node][0]);
    }
    double before = -1e9, after = 1e9;
    for (const mesh::Point& x : points) {
      if (x[0] < low - 1e-9) before = std::max(before, x[0]);
      if (x[0] > high + 1e-9) after = std::min(after, x[0]);
    }
    std::vector<std::size_t> part;
    for (std::size_t i = 0; i < nodes; ++i)
      if (!masked[i] && points[i][0] > before - 1e-9 && points[i][0] < after + 1e-9) part.push_back(i);
    std::vector<std::vector<double>> of_part;
    std::vector<double> r_part;
    for (const std::size_t i : part) {
      of_part.emplace_back();
      for (const std::size_t j : part) of_part.back().push_back(A[i][j]);
      r_part.push_back(r[i]);
    }
    const std::vector<double> z = solve(of_part, r_part);
    for (std::size_t k = 0; k < part.size(); ++k) {
      if (!own[part[k]]) continue;
      sum[part[k]] += z[k];
      ++count[part[k]];
    }
  }
  for (std::size_t i = 0; i < nodes; ++i)
    if (count[i] > 0) sum[i] /= count[i];
  return sum;
}

/// Entries in the order of their nodes' places.
Values by_place(const Discretisation& d, const std::vector<double>& x) {
  const std::vector<mesh::Point> points = space::node_points(*d.mesh, d.space);
  std::vector<double> sorted;
  for (int c = 0; c < d.space.components; ++c)
    for (const std::size_t node : sweep(points)) sorted.push_back(x[d.space.entry(static_cast<Index>(node), c)]);
  return values(sorted);
}

/// A rough function of the nodes' places, the same for every numbering.
std::vector<double> make_rough(const Discretisation& d) {
  const std::vector<mesh::Point> points = space::node_points(*d.mesh, d.space);
  std::vector<double> r(d.space.num_entries());
  for (std::size_t node = 0; node < points.size(); ++node)
    for (int c = 0; c < d.space.components; ++c)
      r[d.space.entry(static_cast<Index>(node), c)] =
          std::sin(11 * points[node][0] + 7 * points[node][1] + 13 * points[node][2] + c);
  return r;
}

}  // namespace

TEST_CASE("Schwarz inverts the operator of one box", "[multigrid][schwarz]") {
  if (orders_up_to(15).empty()) MINIAPP_SKIP("this build lacks the order");
  const int order = GENERATE(from_range(orders_up_to(15)));
  const Problem problem = any_problem();
  const Boundary boundary = GENERATE(Boundary::dirichlet, Boundary::neumann);
  const int components = GENERATE(1, 2);
  CAPTURE(order, problem, boundary, components);
  const Discretisation d(make_row(1), problem, order, boundary, 1.5, components);
  std::vector<double> x = random_numbers(d.space.num_entries(), 1);
  const std::vector<char> masked = masks(d);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (masked[i]) x[i] = 0;

  const std::vector<double> z = precondition(*multigrid::make_schwarz(d), multiply(d, x));

  CHECK_THAT(values(z), AllClose(values(x), 3e-4));
}

TEST_CASE("Schwarz solves on each box and the next nodes of its neighbours", "[multigrid][schwarz]") {
  if (orders_up_to(3).empty()) MINIAPP_SKIP("this build lacks the order");
  const int order = GENERATE(from_range(orders_up_to(3)));
  const Problem problem = any_problem();
  const Boundary boundary = GENERATE(Boundary::dirichlet, Boundary::neumann);
  const bool grow = GENERATE(true, false);  // modes of equal boxes are symmetric
  CAPTURE(order, problem, boundary, grow);
  const Discretisation d(make_row(3, grow), problem, order, boundary, 1.5);
  const std::vector<double> r = random_numbers(d.space.num_entries(), 2);

  const std::vector<double> z = precondition(*multigrid::make_schwarz(d), r), expected = apply_by_definition(d, r);

  CHECK_THAT(values(z), AllClose(values(expected), 1e-4 * largest(values(expected))));
}

TEST_CASE("Schwarz does not depend on how elements are turned", "[multigrid][schwarz]") {
  if (orders_up_to(7).empty()) MINIAPP_SKIP("this build lacks the order");
  const int order = GENERATE(from_range(orders_up_to(7)));
  const bool fan = GENERATE(false, true);
  const Boundary boundary = GENERATE(Boundary::dirichlet, Boundary::neumann);
  const int components = GENERATE(1, 3);
  CAPTURE(order, fan, boundary, components);
  const Discretisation one(fan ? make_fan(5, 3, 1) : make_shaken_box(3, 2, 3), Problem::bp3_0, order, boundary, 1,
                           components),
      other(fan ? make_fan(5, 3, 2) : make_turned_box(3, 2, 3), Problem::bp3_0, order, boundary, 1, components);

  const Values z = by_place(one, precondition(*multigrid::make_schwarz(one), make_rough(one))),
               turned = by_place(other, precondition(*multigrid::make_schwarz(other), make_rough(other)));

  CHECK(largest(z) > 0);
  CHECK_THAT(turned, AllClose(z, 1e-5 * largest(z)));
}

TEST_CASE("A step of Schwarz adds what it makes of a difference", "[multigrid][schwarz]") {
  if (orders_up_to(4).empty()) MINIAPP_SKIP("this build lacks the order");
  const int order = GENERATE(from_range(orders_up_to(4)));
  const Boundary boundary = GENERATE(Boundary::dirichlet, Boundary::neumann);
  const int components = GENERATE(1, 3);
  CAPTURE(order, boundary, components);
  const Discretisation d(make_turned_box(3, 2, 3), Problem::bp3_0, order, boundary, 1, components);
  const auto schwarz = multigrid::make_schwarz(d);
  const std::size_t size = d.space.num_entries();
  const std::vector<double> f = random_numbers(size, 1), y = random_numbers(size, 2), before = random_numbers(size, 3);
  std::vector<double> difference = f;
  for (std::size_t i = 0; i < size; ++i) difference[i] -= y[i];
  std::vector<double> expected = precondition(*schwarz, difference);
  const double scale = largest(values(expected));
  for (std::size_t i = 0; i < size; ++i) expected[i] = before[i] + 0.25 * expected[i];
  const Vector<float> x = test::to_device<float>(before);

  schwarz->step(Instance(), test::to_device<float>(f), test::to_device<float>(y), 0.25f, x, false);

  CHECK_THAT(values(to_std(convert<double>(x))), AllClose(values(expected), 1e-5 * (1 + scale)));
}

TEST_CASE("Schwarz needs an order above 1", "[multigrid][schwarz]") {
  const Discretisation d(make_row(2), Problem::bp3_5, 1, Boundary::neumann, 1);
  CHECK_THROWS_AS(multigrid::make_schwarz(d), InputError);
}
