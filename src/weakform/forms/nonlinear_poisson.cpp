// SPDX-License-Identifier: BSD-3-Clause
#include "weakform/bind.hpp"

namespace miniapp::weakform {

const FormParts nonlinear_poisson_form[2] = {make_parts<NonlinearPoisson<2>>(), make_parts<NonlinearPoisson<3>>()};

}  // namespace miniapp::weakform
