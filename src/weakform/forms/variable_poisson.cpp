// SPDX-License-Identifier: BSD-3-Clause
#include "weakform/bind.hpp"

namespace miniapp::weakform {

const FormParts variable_poisson_form[2] = {make_parts<VariablePoisson<2>>(), make_parts<VariablePoisson<3>>()};

}  // namespace miniapp::weakform
