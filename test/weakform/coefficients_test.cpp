// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/coefficients.hpp"

#include <cmath>
#include <numeric>

#include "miniapp/core/error.hpp"
#include "miniapp/linalg/matrix_operator.hpp"
#include "miniapp/mesh/entities.hpp"
#include "miniapp/weakform/assembled_jacobian.hpp"
#include "miniapp/weakform/reference.hpp"
#include "miniapp/weakform/residual.hpp"
#include "support/all_close.hpp"
#include "support/simplex_meshes.hpp"

using namespace miniapp::weakform;

namespace {

/// Two quantities with coefficients of all kinds: k = (a, b) at nodes, (c) of cells, (g, h) of sides.
template <int dim_>
struct Rich {
  static constexpr int dim = dim_, components = 2, points = dim + 1;
  static constexpr int coefficients = 2, cell_coefficients = 1, side_coefficients = 2;
  static constexpr double flops = 30;
  static constexpr bool symmetric = false;
  template <class Real, class S>
  KOKKOS_FUNCTION void f0(const Real (&x)[dim], const S (&u)[2], const S (&)[2][dim], const Real (&k)[3],
                          S (&f)[2]) const {
    f[0] = k[1] * u[1] + S(k[2] * x[0]);
    f[1] = u[0] * u[1];
  }
  template <class Real, class S>
  KOKKOS_FUNCTION void f1(const Real (&)[dim], const S (&u)[2], const S (&grad)[2][dim], const Real (&k)[3],
                          S (&f)[2][dim]) const {
    for (int d = 0; d < dim; ++d) {
      f[0][d] = k[0] * k[2] * grad[0][d];
      f[1][d] = (S(k[1]) + u[0] * u[0]) * grad[1][d];
    }
  }
  template <class Real, class S>
  KOKKOS_FUNCTION void b0(const Real (&x)[dim], const S (&u)[2], const Real (&n)[dim], const Real (&k)[5],
                          S (&f)[2]) const {
    f[0] = k[3] * u[0] * u[0] - S(k[4] * n[0]) + k[2] * u[1];
    f[1] = (k[0] + x[1]) * u[1] + S(n[1]);
  }
};

/// The flux of a vector field that is x out of the sides: the sum of all entries is dim times the volume.
template <int dim_>
struct Outward {
  static constexpr int dim = dim_, components = 1, points = 1;
  static constexpr double flops = 0;
  static constexpr bool symmetric = true;
  template <class Real, class S>
  KOKKOS_FUNCTION void f1(const Real (&)[dim], const S (&)[1], const S (&)[1][dim], Real, S (&f)[1][dim]) const {
    for (int d = 0; d < dim; ++d) f[0][d] = S(Real(0));
  }
  template <class Real, class S>
  KOKKOS_FUNCTION void b0(const Real (&x)[dim], const S (&)[1], const Real (&n)[dim], Real kappa, S (&f)[1]) const {
    Real sum = 0;
    for (int d = 0; d < dim; ++d) sum += kappa * x[d] * n[d];
    f[0] = S(sum);
  }
};

/// Every side of the surface, and those between cells for one of the two.
std::vector<mesh::CellSide> surface_of(const mesh::Mesh& mesh) {
  const mesh::Entities sides = mesh::dimension(mesh.kind) == 2 ? mesh::find_edges(mesh) : mesh::find_faces(mesh);
  const auto uses = to_host(sides.multiplicity);
  const auto of_cell = to_host(sides.of_cell);
  std::vector<mesh::CellSide> surface;
  for (std::size_t i = 0; i < of_cell.extent(0); ++i)
    if (uses(of_cell(i)) == 1)
      surface.push_back({static_cast<Index>(i / sides.slots), static_cast<int>(i % sides.slots)});
  return surface;
}

template <int dim>
struct Fixture {
  mesh::Mesh mesh = make_simplices(dim, dim == 2 ? 5 : 3);
  space::Space space = space::make_space(mesh, 1, 2, space::Boundary::neumann, Layout::aos);
  Coefficients data{random_numbers(space.num_nodes * 2, 5), random_numbers(mesh.num_elements(), 6)};
  std::vector<double> u = random_numbers(space.num_entries(), 7), w = random_numbers(space.num_entries(), 8);
  Fixture() {
    data.sides = surface_of(mesh);
    data.sides.resize(data.sides.size() * 2 / 3);
    data.at_sides = random_numbers(data.sides.size() * dim * 2, 9);
    std::vector<char> held(space.num_nodes, 0);
    held[1] = held[4] = 1;
    space::hold(space, held);
    for (const Index node : space.masked) w[node * 2] = w[node * 2 + 1] = 0;
  }
  /// The derivative of the reference in direction w by a difference of fourth order.
  std::vector<double> action() const {
    const double h = 1e-3;
    std::vector<double> sum(u.size(), 0.0);
    for (const auto& [step, weight] : {std::pair{-2 * h, 1.0}, {-h, -8.0}, {h, 8.0}, {2 * h, -1.0}}) {
      std::vector<double> moved = u;
      for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += step * w[i];
      const std::vector<double> there = reference_residual(Rich<dim>(), mesh, space, data, moved);
      for (std::size_t i = 0; i < there.size(); ++i) sum[i] += weight * there[i] / (12 * h);
    }
    return sum;
  }
};

template <int dim>
void check_strategies() {
  Fixture<dim> f;
  const Vector<double> u = to_device("u", f.u), w = to_device("w", f.w), r = make_zeros<double>("r", f.u.size());
  const Values expected = values(reference_residual(Rich<dim>(), f.mesh, f.space, f.data, f.u)),
               action = values(f.action());
  for (const Strategy strategy : members<Strategy>()) {
    if (strategy == Strategy::fans) continue;  // which has no coefficients of cells
    CAPTURE(dim, name(strategy));
    auto residual = make_residual<double>(Rich<dim>(), f.mesh, f.space, f.data, {.strategy = strategy});
    residual.apply(Instance(), u, r);
    CHECK_THAT(values(to_vector(r)), all_close<double>(expected, 128, 4));
    residual.apply_jacobian(Instance(), u, w, r);
    CHECK_THAT(values(to_vector(r)), AllClose(action, 1e-9));

    AssembledJacobian jacobian(residual, f.space);
    jacobian.assemble(Instance(), u);
    linalg::MatrixOperator<double>(jacobian.matrix()).apply(Instance(), w, r);
    CHECK_THAT(values(to_vector(r)), AllClose(action, 1e-9));

    // other coefficients for the same residual
    Coefficients other = f.data;
    const std::vector<double> column = random_numbers(f.space.num_nodes, 11);
    for (std::size_t i = 0; i < column.size(); ++i) other.nodal[i * 2 + 1] = column[i];
    other.cells = random_numbers(f.mesh.num_elements(), 12);
    other.at_sides = random_numbers(other.at_sides.size(), 13);
    residual.set_coefficients(Instance(), to_device("all", random_numbers(f.space.num_nodes * 2, 10)));
    residual.set_coefficients(Instance(), to_device("all", f.data.nodal));
    residual.set_coefficient(Instance(), 1, to_device("column", column));
    residual.set_cell_coefficients(Instance(), to_device("cells", other.cells));
    residual.set_side_coefficients(Instance(), to_device("sides", other.at_sides));
    residual.apply(Instance(), u, r);
    CHECK_THAT(values(to_vector(r)),
               all_close<double>(values(reference_residual(Rich<dim>(), f.mesh, f.space, other, f.u)), 128, 4));
  }
}

template <int dim>
double sum_of_outward(const mesh::Mesh& mesh, const std::vector<mesh::CellSide>& sides) {
  const space::Space space = space::make_space(mesh, 1, 1, space::Boundary::neumann, Layout::aos);
  Coefficients data(std::vector<double>(space.num_nodes, 2.0));
  data.sides = sides;
  const auto residual = make_residual<double>(Outward<dim>(), mesh, space, data);
  const Vector<double> u = make_zeros<double>("u", space.num_nodes), r = make_zeros<double>("r", space.num_nodes);
  residual.apply(Instance(), u, r);
  const std::vector<double> result = to_vector(r);
  CHECK_THAT(
      values(result),
      AllClose(values(reference_residual(Outward<dim>(), mesh, space, data, std::vector<double>(result.size(), 0.0))),
               1e-13));
  return std::accumulate(result.begin(), result.end(), 0.0);
}

}  // namespace

TEST_CASE("Coefficients of nodes, cells and sides reach a form by every strategy", "[weakform][coefficients]") {
  check_strategies<2>();
  check_strategies<3>();
}

TEST_CASE("Normals of sides point out of their cells: the flux of x is the volume", "[weakform][coefficients]") {
  const mesh::Mesh square = make_simplices(2, 5), cube = make_simplices(3, 3);
  CHECK(std::fabs(sum_of_outward<2>(square, surface_of(square)) - 2 * 2) < 1e-13);
  CHECK(std::fabs(sum_of_outward<3>(cube, surface_of(cube)) - 3 * 2) < 1e-13);
}

TEST_CASE("Points of sides are those of the quadrature of their integrals", "[weakform][coefficients]") {
  const mesh::Mesh square = make_simplices(2, 5), cube = make_simplices(3, 3);
  for (const mesh::Mesh* const mesh : {&square, &cube}) {  // the mean of x^2 on each side
    const int dim = mesh::dimension(mesh->kind);
    const std::vector<mesh::CellSide> sides = surface_of(*mesh);
    const std::vector<mesh::Point> points = side_points(*mesh, sides);
    REQUIRE(points.size() == sides.size() * dim);
    for (std::size_t s = 0; s < sides.size(); ++s) {
      double mean = 0, squares = 0, sum = 0;
      for (int q = 0; q < dim; ++q) mean += std::pow(points[s * dim + q][0], 2) / dim;
      for (const Index v : mesh::side_vertices(*mesh, sides[s])) {
        if (v < 0) continue;
        sum += mesh->vertices[v][0];
        squares += std::pow(mesh->vertices[v][0], 2);
      }
      CHECK(std::fabs(mean - (squares + sum * sum) / (dim * (dim + 1))) < 1e-14);
    }
  }
}

TEST_CASE("Coefficients that do not fit a form are refused", "[weakform][coefficients]") {
  const Fixture<2> f;
  const auto make = [&](const Coefficients& data, Strategy strategy = Strategy::owner) {
    return make_residual<double>(Rich<2>(), f.mesh, f.space, data, {.strategy = strategy});
  };
  Coefficients data = f.data;
  data.nodal.pop_back();
  CHECK_THROWS_WITH(make(data), "95 coefficients: accepted are 96, 2 per node");
  data = f.data;
  data.cells.push_back(1);
  CHECK_THROWS_WITH(make(data), "71 coefficients of cells: accepted are 70, one per cell");
  data = f.data;
  data.at_sides.pop_back();
  CHECK_THROWS_AS(make(data), InputError);
  data = f.data;
  data.sides.front().side = 3;
  CHECK_THROWS_WITH(make(data), contains("accepted are 0 to 2 of the mesh's 70 cells"));
  CHECK_THROWS_WITH(make(f.data, Strategy::fans), contains("coefficients of cells"));
  CHECK_THROWS_WITH(sides_of(f.mesh, "tip"), contains("tip"));
  auto residual = make(f.data);
  const Vector<double> few = make_zeros<double>("few", 3);
  CHECK_THROWS_AS(residual.set_coefficient(Instance(), 2, few), InputError);
  CHECK_THROWS_AS(residual.set_coefficient(Instance(), 0, few), InputError);
  CHECK_THROWS_AS(residual.set_cell_coefficients(Instance(), few), InputError);
}
