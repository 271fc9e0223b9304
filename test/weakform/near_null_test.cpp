// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "miniapp/linalg/matrix_operator.hpp"
#include "miniapp/weakform/forms.hpp"
#include "miniapp/weakform/newton.hpp"
#include "support/all_close.hpp"
#include "support/simplex_meshes.hpp"

using namespace miniapp::weakform;

namespace {

space::Space make_nodes(const mesh::Mesh& mesh, int components, space::Boundary boundary) {
  return space::make_space(mesh, 1, components, boundary, Layout::aos);
}

/// All motions of a rigid body are in the null space of an elastic body without strains that nothing holds.
template <int dim>
void check_motions() {
  const mesh::Mesh mesh = make_simplices(dim, 4);
  const space::Space space = make_nodes(mesh, dim, space::Boundary::neumann);
  const auto residual =
      make_residual<double>(NeoHookean<dim>(), mesh, space, std::vector<double>(space.num_nodes, 1.0));
  AssembledJacobian jacobian(residual, space);
  jacobian.assemble(Instance(), make_zeros<double>("u", space.num_entries()));
  const linalg::MatrixOperator<double> J(jacobian.matrix());
  const auto modes = to_host(make_near_null(mesh, space, true));
  constexpr std::size_t count = dim * (dim + 1) / 2;
  const std::size_t size = space.num_entries();
  REQUIRE(modes.extent(0) == count * size);
  const Vector<double> y = make_zeros<double>("y", size);
  for (std::size_t m = 0; m < count; ++m) {
    std::vector<double> mode;
    for (std::size_t i = 0; i < size; ++i) mode.push_back(modes(i * count + m));
    CHECK(largest(values(mode)) > 0.4);
    J.apply(Instance(), to_device("mode", mode), y);
    const auto product = to_host(y);
    CHECK_THAT(values(std::vector<double>(product.data(), product.data() + size)),
               all_close<double>(values(std::vector<double>(size, 0.0)), 256, 10));
  }
}

}  // namespace

TEST_CASE("The modes of a body are the motions that leave it without strain", "[weakform][near_null]") {
  check_motions<2>();
  check_motions<3>();
}

TEST_CASE("Modes are zero at masked nodes, and constants where components are no displacement",
          "[weakform][near_null]") {
  const mesh::Mesh mesh = make_simplices(2, 4);
  const int components = GENERATE(2, 3);
  const bool displaces = components == 3;  // in a plane they cannot
  const space::Space space = make_nodes(mesh, components, space::Boundary::dirichlet);
  const auto modes = to_host(make_near_null(mesh, space, displaces));

  REQUIRE(modes.extent(0) == std::size_t(components * components) * space.num_nodes);
  const std::vector<Index>& masked = space.masked;
  REQUIRE_FALSE(masked.empty());
  for (Index node = 0; node < space.num_nodes; ++node) {
    const bool free = std::find(masked.begin(), masked.end(), node) == masked.end();
    for (int c = 0; c < components; ++c)
      for (int m = 0; m < components; ++m)
        CHECK(modes(space.entry(node, c) * components + m) == (free && c == m ? 1 : 0));
  }
}

TEST_CASE("Forms of one component need no modes", "[weakform][near_null]") {
  const mesh::Mesh mesh = make_simplices(3, 3);

  CHECK(make_near_null(mesh, make_nodes(mesh, 1, space::Boundary::dirichlet), false).extent(0) == 0);
}
