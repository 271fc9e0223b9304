// SPDX-License-Identifier: BSD-3-Clause
#include "weakform/bind.hpp"

namespace miniapp::weakform {

const FormParts poisson_form[2] = {make_parts<Poisson<2>>(), make_parts<Poisson<3>>()};

}  // namespace miniapp::weakform
