// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/geometry/hexahedron.hpp"

namespace miniapp::geometry {

/// det J of a trilinear map is triquadratic: its 27 coefficients (element, a + 3 b + 9 c) of r^a s^b t^c, from the 24
/// coefficients of the map [m^3].
template <class Real>
Vector<const Real> make_determinants(const Vector<const double>& trilinear);

}  // namespace miniapp::geometry
