// SPDX-License-Identifier: BSD-3-Clause
#include "weakform/bind.hpp"

namespace miniapp::weakform {

const FormParts neo_hookean_form[2] = {make_parts<NeoHookean<2>>(), make_parts<NeoHookean<3>>()};

}  // namespace miniapp::weakform
