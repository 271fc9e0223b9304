// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/multigrid/low_order.hpp"

#include "miniapp/tensor/reference.hpp"
#include "support/preconditioned.hpp"
#include "support/sparse.hpp"

namespace {

using Matrix3 = std::array<std::array<double, 3>, 3>;

/// Parallelepipeds of different sizes, turned at random.
mesh::Mesh make_affine_box(int nx, int ny, int nz) {
  mesh::Mesh mesh = mesh::make_box(nx, ny, nz);
  for (mesh::Point& x : mesh.vertices) {
    const double r = x[0] * (1 + x[0]), s = 2 * x[1] * (1 + x[1] / 2), t = 1.5 * x[2];
    x = {r + 0.3 * s - 0.2 * t, s + 0.1 * r, t - 0.25 * s};
  }
  mesh::rotate_elements(mesh, 1);
  return mesh;
}

double coordinate(int vertex, int direction) { return vertex >> direction & 1 ? 1 : -1; }

/// d N_v / d r_a of a vertex's trilinear function at another vertex.
double slope(int v, int a, int at) {
  double product = coordinate(v, a) / 2;
  for (int d = 0; d < 3; ++d)
    if (d != a) product *= (1 + coordinate(v, d) * coordinate(at, d)) / 2;
  return product;
}

double determinant(const Matrix3& J) {
  double sum = 0;
  for (int d = 0; d < 3; ++d)
    sum += J[0][d] * (J[1][(d + 1) % 3] * J[2][(d + 2) % 3] - J[1][(d + 2) % 3] * J[2][(d + 1) % 3]);
  return sum;
}

/// J^-1 (d, a) for J (a, d).
Matrix3 inverse(const Matrix3& J) {
  Matrix3 result;
  for (int a = 0; a < 3; ++a)
    for (int d = 0; d < 3; ++d) {
      const int b = (a + 1) % 3, c = (a + 2) % 3, e = (d + 1) % 3, f = (d + 2) % 3;
      result[d][a] = (J[b][e] * J[c][f] - J[b][f] * J[c][e]) / determinant(J);
    }
  return result;
}

/// The matrix of a sub-cell with these vertices, by quadrature at them.
std::array<std::array<double, 8>, 8> cell_matrix(const std::array<mesh::Point, 8>& x, bool stiffness, double lambda) {
  std::array<std::array<double, 8>, 8> A{};
  for (int at = 0; at < 8; ++at) {
    Matrix3 J{};
    for (int v = 0; v < 8; ++v)
      for (int a = 0; a < 3; ++a)
        for (int d = 0; d < 3; ++d) J[a][d] += slope(v, a, at) * x[v][d];
    const Matrix3 I = inverse(J);
    mesh::Point gradient[8];
    for (int v = 0; v < 8; ++v)
      for (int d = 0; d < 3; ++d)
        gradient[v][d] = I[d][0] * slope(v, 0, at) + I[d][1] * slope(v, 1, at) + I[d][2] * slope(v, 2, at);
    if (stiffness)
      for (int v = 0; v < 8; ++v)
        for (int w = 0; w < 8; ++w)
          for (int d = 0; d < 3; ++d) A[v][w] += determinant(J) * gradient[v][d] * gradient[w][d];
    A[at][at] += lambda * determinant(J);
  }
  return A;
}

/// The low-order matrix sub-cell by sub-cell, with zeros where sub-cells join nodes that it does not couple.
Rows assemble(const Discretisation& d) {
  const int p = d.order, n = p + 1;
  const std::vector<mesh::Point> points = local_coordinates(*d.mesh, p);
  const Map& map = d.space.element_to_node.host();
  const bool stiffness = has_stiffness(d.problem);
  Rows rows(static_cast<std::size_t>(d.space.num_nodes));
  for (const Index node : d.space.masked) rows[node][node] = 1;
  for (std::size_t e = 0; e < map.size(); ++e)
    for (int cell = 0; cell < p * p * p; ++cell) {
      std::array<mesh::Point, 8> x;
      std::array<Index, 8> node;
      for (int v = 0; v < 8; ++v) {
        const int local = cell % p + v % 2 + n * (cell / p % p + v / 2 % 2 + n * (cell / (p * p) + v / 4));
        x[v] = points[e * map.arity + local];
        node[v] = map[e][local];
      }
      const auto A = cell_matrix(x, stiffness, stiffness ? d.lambda : 1);
      for (int v = 0; v < 8; ++v)
        for (int w = 0; w < 8; ++w)
          if (node[v] >= 0 && node[w] >= 0) rows[node[v]][node[w]] += A[v][w];
    }
  return rows;
}

/// The values of both matrices wherever either has an entry.
std::pair<Values, Values> both_entries(const Rows& a, const Rows& b) {
  std::pair<Values, Values> both;
  for (std::size_t r = 0; r < a.size(); ++r) {
    std::map<Index, std::array<double, 2>> entries;
    for (const auto& [c, value] : a[r]) entries[c][0] = value;
    for (const auto& [c, value] : b.at(r)) entries[c][1] = value;
    for (const auto& [c, values] : entries) {
      both.first.entries.push_back(values[0]);
      both.second.entries.push_back(values[1]);
    }
  }
  return both;
}

void require_assembled(const Discretisation& d) {
  const Rows expected = assemble(d);
  const auto [actual, wanted] = both_entries(to_rows(multigrid::make_low_order_matrix(d)), expected);
  REQUIRE(expected.size() == static_cast<std::size_t>(d.space.num_nodes));
  // coordinates of neighbours have p times fewer digits in their difference, and p^2 times at the ends of a line
  CHECK_THAT(actual, AllClose(wanted, tolerance<double>(64, d.order * largest(wanted))));
}

/// x . A x.
double energy(const Rows& rows, const std::vector<double>& x) {
  return exact_dot(values(x), values(multiply(rows, x)));
}

double sum(const std::vector<double>& numbers) {
  return exact_dot(values(numbers), values(std::vector<double>(numbers.size(), 1)));
}

}  // namespace

TEST_CASE("The low-order matrix is the sum over sub-cells, whatever the orientation of elements",
          "[multigrid][low_order]") {
  const Problem problem = any_problem();
  const Boundary boundary = any_boundary();
  const int order = GENERATE(1, 2, 3, 5);
  const double lambda = GENERATE(0, 2);
  CAPTURE(problem, order, lambda, boundary);

  require_assembled({make_turned_box(3, 2, 3), problem, order, boundary, lambda});
}

TEST_CASE("The low-order matrix is right where many elements meet at an edge", "[multigrid][low_order]") {
  const Boundary boundary = any_boundary();
  const int order = GENERATE(1, 2, 4);
  const Discretisation d(make_fan(13, 2), Problem::bp3_0, order, boundary, 1);

  require_assembled(d);
}

TEST_CASE("The low-order matrix is right for the highest order", "[multigrid][low_order]") {
  require_assembled({make_turned_box(2, 1, 1), Problem::bp3_5, 15, Boundary::dirichlet, 1});
}

TEST_CASE("Rows of the low-order matrix have 19 entries inside a box", "[multigrid][low_order]") {
  const Discretisation d(make_turned_box(3, 3, 3), Problem::bp3_0, 2, Boundary::neumann, 1);

  const Rows rows = to_rows(multigrid::make_low_order_matrix(d));

  const auto inner = std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.size() == 19; });
  CHECK(inner == 5 * 5 * 5);
  std::size_t entries = 0;
  for (const auto& row : rows) entries += row.size();
  CHECK(entries == 7 * 7 * 7 + 2 * 3 * 7 * 7 * 6 + 4 * 3 * 7 * 6 * 6);  // nodes, edges, faces of sub-cells
}

TEST_CASE("The low-order matrix of the mass is diagonal", "[multigrid][low_order]") {
  const Boundary boundary = any_boundary();
  const Discretisation d(make_turned_box(2, 3, 2), Problem::bp1_0, 3, boundary, 0);

  const linalg::CsrMatrix<double> matrix = multigrid::make_low_order_matrix(d);

  CHECK(matrix.num_entries() == d.space.num_nodes);
}

TEST_CASE("Masked nodes have a 1 on the diagonal of the low-order matrix and nothing else", "[multigrid][low_order]") {
  const Discretisation d(make_turned_box(2, 2, 3), any_problem(), 3, Boundary::dirichlet, 1);

  const Rows rows = to_rows(multigrid::make_low_order_matrix(d));

  std::size_t wrong = 0;
  std::vector<bool> masked(rows.size());
  for (const Index node : d.space.masked) {
    masked[node] = true;
    wrong += rows[node] != std::map<Index, double>{{node, 1.0}};
  }
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const auto& [c, value] : rows[r]) wrong += masked[c] && c != static_cast<Index>(r);
  CHECK(wrong == 0);
}

TEST_CASE("The low-order matrix is symmetric to the last bit", "[multigrid][low_order]") {
  const Boundary boundary = any_boundary();
  const Discretisation d(GENERATE(make_turned_box(3, 2, 2), make_fan(7, 2)), any_problem(), 4, boundary, 1);

  const linalg::CsrMatrix<double> matrix = multigrid::make_low_order_matrix(d);

  CHECK(linalg::find_asymmetry(matrix, 0) < 0);
  CHECK_NOTHROW(linalg::require_spd_candidate(matrix));
}

TEST_CASE("The low-order matrix has the same bits in every run", "[multigrid][low_order]") {
  const Discretisation d(make_turned_box(3, 4, 2), Problem::bp3_0, 3, Boundary::neumann, 1);

  const linalg::CsrMatrix<double> once = multigrid::make_low_order_matrix(d),
                                  again = multigrid::make_low_order_matrix(d);

  CHECK(to_std(once.columns) == to_std(again.columns));
  CHECK(to_std(once.values) == to_std(again.values));
}

TEST_CASE("On a constant the low-order matrix is lambda times its mass", "[multigrid][low_order]") {
  const int order = GENERATE(1, 4);
  constexpr double lambda = 1.7;
  const mesh::Mesh mesh = make_turned_box(2, 3, 2);
  const Discretisation stiff(mesh, Problem::bp3_5, order, Boundary::neumann, lambda),
      mass(mesh, Problem::bp1_0, order, Boundary::neumann, lambda);
  const std::vector<double> ones(static_cast<std::size_t>(stiff.space.num_nodes), 1);
  const Rows rows = to_rows(multigrid::make_low_order_matrix(stiff));
  std::vector<double> expected = multiply(to_rows(multigrid::make_low_order_matrix(mass)), ones);
  for (double& value : expected) value *= lambda;

  const std::vector<double> product = multiply(rows, ones);

  CHECK_THAT(values(product), AllClose(values(expected), tolerance<double>(64, rows[0].at(0))));
}

TEST_CASE("The low-order mass of parallelepipeds is their volume", "[multigrid][low_order]") {
  const mesh::Mesh mesh = make_affine_box(3, 2, 2);
  const Discretisation d(mesh, Problem::bp1_0, GENERATE(1, 2, 6), Boundary::neumann, 0);

  const std::vector<double> diagonal = to_std(linalg::diagonal(multigrid::make_low_order_matrix(d)));

  CHECK(sum(diagonal) == Approx(volume(mesh)).epsilon(1e-13));
}

TEST_CASE("Linear functions on parallelepipeds have the same energy in the low-order matrix and in the problem",
          "[multigrid][low_order]") {
  const Problem problem = GENERATE(Problem::bp3_0, Problem::bp3_5);
  const Discretisation d(make_affine_box(2, 3, 2), problem, GENERATE(1, 2, 5), Boundary::neumann, 0);
  std::vector<double> x;
  for (const mesh::Point& node : node_points(*d.mesh, d.space)) x.push_back(node[0] - 2 * node[1] + 0.5 * node[2]);
  const Vector<double> y = make_vector<double>("test", x.size());
  tensor::Reference(d).apply(to_device<double>(x), y);

  const double low_order = energy(to_rows(multigrid::make_low_order_matrix(d)), x);

  CHECK(low_order == Approx(exact_dot(values(x), values(y))).epsilon(1e-12));
  CHECK(low_order == Approx(5.25 * volume(*d.mesh)).epsilon(1e-12));
}

TEST_CASE("On parallelepipeds the matrix of order 1 is the problem's", "[multigrid][low_order]") {
  const double lambda = GENERATE(0, 2);
  const Discretisation d(make_affine_box(3, 2, 3), Problem::bp3_0, 1, any_boundary(), lambda);
  const std::vector<double> x = make_residual(d, 1);
  const Vector<double> y = make_vector<double>("test", x.size());
  tensor::Reference(d).apply(to_device<double>(x), y);

  const std::vector<double> product = multiply(to_rows(multigrid::make_trilinear_matrix(d)), x);

  CHECK_THAT(values(product), AllClose(values(y), tolerance<double>(64, largest(values(y)))));
}

TEST_CASE("Linear functions have their energy in the matrix of order 1, on any mesh", "[multigrid][low_order]") {
  const Discretisation d(GENERATE(make_turned_box(3, 2, 2), make_fan(13, 2)), Problem::bp3_5, 1, Boundary::neumann, 0);
  std::vector<double> x;
  for (const mesh::Point& node : node_points(*d.mesh, d.space)) x.push_back(node[0] - 2 * node[1] + 0.5 * node[2]);

  const Rows rows = to_rows(multigrid::make_trilinear_matrix(d));

  CHECK(energy(rows, x) == Approx(5.25 * volume(*d.mesh)).epsilon(1e-12));
}

TEST_CASE("Rows of the matrix of order 1 have 27 entries inside a box, masked ones a 1", "[multigrid][low_order]") {
  const Discretisation d(make_turned_box(6, 5, 6), Problem::bp3_0, 1, Boundary::dirichlet, 1);

  const linalg::CsrMatrix<double> matrix = multigrid::make_trilinear_matrix(d);
  const Rows rows = to_rows(matrix);

  const auto inner = std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.size() == 27; });
  CHECK(inner == 3 * 2 * 3);  // without masked neighbours
  for (const Index node : d.space.masked) CHECK(rows[node] == std::map<Index, double>{{node, 1.0}});
  CHECK_NOTHROW(linalg::require_spd_candidate(matrix));
}

TEST_CASE("The matrix of order 1 has no other order, and a stiffness", "[multigrid][low_order]") {
  const mesh::Mesh mesh = make_turned_box(2, 2, 2);
  CHECK_THROWS_AS(multigrid::make_trilinear_matrix({mesh, Problem::bp3_0, 2, Boundary::dirichlet, 1}), InputError);
  CHECK_THROWS_AS(multigrid::make_trilinear_matrix({mesh, Problem::bp1_0, 1, Boundary::neumann, 1}), InputError);
}

TEST_CASE("One low-order matrix serves all components", "[multigrid][low_order]") {
  const mesh::Mesh mesh = make_turned_box(2, 1, 2);
  const Discretisation three(mesh, Problem::bp3_0, 3, Boundary::dirichlet, 1, 3),
      one(mesh, Problem::bp3_0, 3, Boundary::dirichlet, 1);

  CHECK(to_rows(multigrid::make_low_order_matrix(three)) == to_rows(multigrid::make_low_order_matrix(one)));
}

TEST_CASE("An element that is inverted at a node alone has no low-order matrix", "[multigrid][low_order]") {
  mesh::Mesh mesh = mesh::make_box(1, 1, 1);
  mesh.vertices = {{-1.9, -0.9, -2.7}, {-2.65, -1.65, -0.8}, {1.8, -0.2, -0.1}, {2.3, -1.45, 0.3},
                   {-1, -1, 1},        {1, -1, 1},           {-1, 1, 1},        {1, 1, 1}};
  for (int v = 0; v < 8; ++v) mesh.element_to_vertex[0][v] = v;
  const Discretisation d(mesh, Problem::bp3_0, 2, Boundary::neumann, 1);  // its Gauss points pass

  CHECK_THROWS_AS(multigrid::make_low_order_matrix(d), tensor::InvertedElement);
}
