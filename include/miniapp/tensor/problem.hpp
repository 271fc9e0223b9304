// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "miniapp/core/names.hpp"
#include "miniapp/measure/cost.hpp"

namespace miniapp::tensor {

using miniapp::name;

/// The bake-off problems of the tensor-product paper (Swirydowicz et al., IJHPCA 2019), as element operators v = A_L u
/// on n = order + 1 Gauss-Lobatto nodes and m = order + 2 Gauss points per direction.
enum class Problem {
  bp1_0,  ///< mass: I^T W I u at the Gauss points
  bp3_0,  ///< stiffness and mass: I^T (glD^T G glD + lambda W) I u at the Gauss points
  bp3_5,  ///< stiffness and mass, collocated: (D^T G D + lambda W) u at the nodes
};
constexpr auto names(Problem) { return std::array{"BP1.0", "BP3.0", "BP3.5"}; }
constexpr auto descriptions(Problem) {
  return std::array{"mass", "stiffness + mass at Gauss points", "the same collocated"};
}

/// Where a kernel takes the geometry from.
enum class Geometry {
  computed,  ///< from the 24 coefficients of trilinear elements, precomputed per line where that pays
  stored,    ///< from seven factors per point (BP1.0: one): valid for any element
  affine,    ///< from seven factors per element with constant tangents (BP1.0: as boxes)
  boxes,     ///< from four numbers per element: the operator is a sum of products of matrices of one direction
};
constexpr auto names(Geometry) { return std::array{"computed", "stored", "affine", "boxes"}; }
constexpr auto descriptions(Geometry) {
  return std::array{"computed from the vertices of trilinear elements", "stored factors of every point",
                    "parallelepipeds, factors of every element", "boxes, products of matrices of one direction"};
}
/// True for BP3.0 and BP3.5; a problem without it is a mass.
constexpr bool has_stiffness(Problem problem) { return problem == Problem::bp3_0 || problem == Problem::bp3_5; }
/// True for BP3.5: its quadrature points are the nodes. The others have Gauss points.
constexpr bool is_collocated(Problem problem) { return problem == Problem::bp3_5; }
/// Quadrature points per direction.
constexpr int quadrature_points(Problem problem, int order) { return is_collocated(problem) ? order + 1 : order + 2; }
/// Those of a kernel: where the factors of a stiffness are constant n Gauss points integrate as exactly as n + 1.
constexpr int quadrature_points(Problem problem, int order, Geometry geometry) {
  return geometry == Geometry::affine && has_stiffness(problem) ? order + 1 : quadrature_points(problem, order);
}

/// The problem selected by --bp: 1.0 or BP1.0, 3.0, 3.5, or CEED's, which are the same with lambda 0: bp1, bp3, bp5
/// with one component and bp2, bp4, bp6 with three.
struct ProblemChoice {
  Problem problem;
  bool ceed;
  int components = 1;
};
/// Errors: InputError naming the accepted values.
ProblemChoice parse_problem(const std::string& text);
/// What it takes, without those that begin with BP.
std::vector<std::string> problem_words();

/// The paper's model of one application to `elements` elements: stored factors are read, words have 8 bytes unless
/// `word` is given, E-vectors are read and written, contractions are plain. It is independent of the kernel. All
/// `components` share the factors.
measure::Cost cost(Problem problem, int order, double elements, int word = 8, int components = 1);

/// How a kernel multiplies by the matrices of a basis.
enum class Contraction {
  plain,    ///< every entry with every number
  even_odd  ///< by basis::EvenOdd
};
/// Least number of multiplications of an application to one component of `elements` elements, each fused with an
/// addition or not: of the contractions, and of the geometry at each point by the kernel that needs fewest.
double multiplications(Problem problem, int order, Geometry geometry, Contraction contraction, double elements);

}  // namespace miniapp::tensor
