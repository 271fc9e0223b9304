// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <string>

#include "miniapp/mesh/read.hpp"
#include "miniapp/weakform/case.hpp"
#include "support/catch.hpp"
#include "support/refine.hpp"

using namespace miniapp::weakform;

namespace {

/// Eight triangles of an L, four of them around a vertex inside; some are clockwise.
const std::string l_shape = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
9
1 0 0 0
2 0.5 0 0
3 1 0 0
4 1 0.5 0
5 0.5 0.5 0
6 0.5 1 0
7 0 1 0
12 0 0.5 0
20 0.22 0.3 0
$EndNodes
$Elements
8
1 2 2 0 1 1 2 20
2 2 2 0 1 20 2 5
3 2 2 0 1 20 12 5
4 2 2 0 1 12 20 1
5 2 2 0 1 2 3 4
6 2 2 0 1 5 2 4
7 2 2 0 1 12 5 7
8 2 2 0 1 6 7 5
$EndElements
)";

/// Eight tetrahedra of a distorted octahedron, around a vertex inside.
const std::string octahedron = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
7
1 1 0 0
2 -1 0.1 0
3 0 1 0
4 0.1 -1 0
5 0 0 1
6 0 0.1 -0.9
30 0.1 -0.05 0.08
$EndNodes
$Elements
8
1 4 2 0 1 30 1 3 5
2 4 2 0 1 30 3 2 5
3 4 2 0 1 30 2 4 5
4 4 2 0 1 30 4 1 5
5 4 2 0 1 30 1 3 6
6 4 2 0 1 30 3 2 6
7 4 2 0 1 30 2 4 6
8 4 2 0 1 30 4 1 6
$EndElements
)";

SolutionErrors solve(FormKind kind, const mesh::Mesh& mesh) {
  const int dim = mesh::dimension(mesh.kind);
  const space::Space space =
      space::make_space(mesh, 1, facts(kind, dim).components, space::Boundary::dirichlet, Layout::aos);
  const auto form = bind(kind, Precision::fp64, mesh, space, {});
  const NewtonResult result = form->solve(Instance(), {});
  CAPTURE(name(kind), dim, mesh.num_elements(), result.residuals, result.remark);
  CHECK(result.verdict == NewtonVerdict::converged);
  return form->errors();
}

}  // namespace

TEST_CASE("Forms on a mesh of Gmsh, refined uniformly, converge at order 2 in L2 and 1 in H1", "[weakform][errors]") {
  const FormKind kind = GENERATE(FormKind::poisson, FormKind::nonlinear_poisson, FormKind::neo_hookean);
  const bool solid = GENERATE(false, true);
  mesh::Mesh mesh = mesh::parse_gmsh(solid ? octahedron : l_shape, solid ? "octahedron" : "L");
  REQUIRE(mesh.num_elements() == 8);
  for (int level = 0; level < (solid ? 2 : 3); ++level) mesh = refine(mesh);

  SolutionErrors before = solve(kind, mesh);
  for (int level = 0; level < 2; ++level) {
    mesh = refine(mesh);
    const SolutionErrors errors = solve(kind, mesh);
    CAPTURE(name(kind), solid, mesh.num_elements(), before.l2, errors.l2, before.h1, errors.h1);
    CHECK(std::log2(before.l2 / errors.l2) == Approx(2).epsilon(0).margin(0.15));
    CHECK(std::log2(before.h1 / errors.h1) == Approx(1).epsilon(0).margin(0.15));
    before = errors;
  }
}
