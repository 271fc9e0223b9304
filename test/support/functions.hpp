// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/tensor/element_function.hpp"

namespace miniapp::test {
using tensor::function;
}  // namespace miniapp::test
