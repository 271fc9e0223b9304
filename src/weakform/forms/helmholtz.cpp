// SPDX-License-Identifier: BSD-3-Clause
#include "weakform/bind.hpp"

namespace miniapp::weakform {

const FormParts helmholtz_form[2] = {make_parts<Helmholtz<2>>(), make_parts<Helmholtz<3>>()};

}  // namespace miniapp::weakform
