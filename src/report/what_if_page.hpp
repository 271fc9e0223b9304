// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "report/devices.hpp"
#include "report/sections.hpp"

/// How `miniapp report --what-if` says what another device would do.
namespace miniapp::report {

/// The figure of merit on the device, as figure_of_merit(): each part changes as the operation that bounds its run
/// does, or, where none is known, as the bandwidth of memory does.
Json projected_merit(const Records& records, const Device& device);

/// Tables and sentences for a terminal: every time that has a bound, which geometry wins, the figure of merit, and what
/// is assumed.
std::string what_if_text(const Records& records, const Device& device);

/// The same for the page.
html::Section what_if_section(const Records& records, const Device& device);

}  // namespace miniapp::report
