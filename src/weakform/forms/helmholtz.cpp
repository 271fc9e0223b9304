// SPDX-License-Identifier: BSD-3-Clause
#include "weakform/bind.ipp"

namespace miniapp::weakform {
template FormParts make_parts<equations::Helmholtz<2>>();
template FormParts make_parts<equations::Helmholtz<3>>();
}  // namespace miniapp::weakform
