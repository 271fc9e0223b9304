// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace miniapp {

/// Calls `tell` with the name of the innermost Region whenever one begins or ends, "" outside all; null: no more.
void on_region(std::function<void(const std::string&)> tell);

}  // namespace miniapp
