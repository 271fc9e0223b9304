// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "miniapp/tensor/element_function.hpp"

namespace miniapp::apps {

/// What messages and help say of expressions.
inline const std::string accepted_expressions =
    "expressions in x, y, z and pi, such as \"1 + x*y\", \"sin(pi*x)\", "
    "\"x < 0.5 ? 1 : 100\"";

/// A function of space that a user writes: an expression as muParser has them, in x, y, z [m] and pi; or, after @, the
/// name of a file with a number for each of `elements` elements, in their order, each of which the mesh has in so many
/// consecutive `pieces`. `option` names it in messages. Errors:
/// InputError where it cannot be understood, or the file cannot be read or has another number of numbers.
std::shared_ptr<const tensor::ElementFunction> parse_function(const std::string& option, const std::string& text,
                                                              std::int64_t elements, int pieces = 1);

}  // namespace miniapp::apps
