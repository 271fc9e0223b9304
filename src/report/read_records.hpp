// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "report/record.hpp"

namespace miniapp::report {

/// The records of a file, one JSON object per line, in its order; empty lines count as nothing. Each has schema 1, a
/// module, a case and times that are positive and in order. Errors: InputError naming the file, the line and what is
/// accepted.
std::vector<Json> read_records(const std::string& path);

}  // namespace miniapp::report
