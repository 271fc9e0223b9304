// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace miniapp {

/// Calls `tell` with the name of the innermost Region whenever one begins or ends, "" outside all; null: no more.
void on_region(std::function<void(const std::string&)> tell);

/// Tells how much of the innermost Region's work is done, 0 to 1: long loops do so now and then.
void tell_part(double part);
/// What was told last since that Region began, or an inner one ended; 0 where nothing was. Any thread may ask.
double told_part();

}  // namespace miniapp
