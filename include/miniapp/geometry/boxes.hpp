// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"

/// Elements whose tangents are constant and at right angles (mesh::Shape::boxes). Their factors G and W are diagonal
/// and constant but for the weights of a rule.
namespace miniapp::geometry {

/// Numbers that make the factors of a box: det J / |x_r|^2, det J / |x_s|^2, det J / |x_t|^2 [m], det J [m^3].
inline constexpr int num_box_factors = 4;

/// The numbers of boxes, (element, num_box_factors). `trilinear`: make_trilinear().
Vector<const double> make_boxes(const Vector<const double>& trilinear);

}  // namespace miniapp::geometry
