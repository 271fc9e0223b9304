// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace miniapp::weakform {

/// What the paper's model counts of one cell.
struct Intensity {
  double flops, words;
  /// beta [flops / byte], where a word has `word` bytes: 4 or 8.
  double operator()(int word) const { return flops / (word * words); }
};

/// The arithmetic intensity of the quadrature in the paper's data model, with Nq points, Nbt coefficients of a cell
/// (all components) and Ncomp components in d dimensions:
///   beta = [(2 + (2 + 2 d) d) Nbt Nq + 2 d Ncomp Nq + (2 + 2 d) d Nq Nbt] / (word [(d^2 + 1) + Nbt + (d + 1) Nq])
/// The words are the geometry, the coefficients, and per point x and kappa. 41/22 for triangles with Nq = 1, Nbt = 3,
/// Ncomp = 1 in single precision. Source: K. Rupp, FEM integration with quadrature and preconditioners on GPUs, 2016.
/// Errors: an argument below 1 (InputError).
Intensity model_intensity(int dim, int coefficients, int components, int points);

}  // namespace miniapp::weakform
