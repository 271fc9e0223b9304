// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>

namespace miniapp::apps {

/// Where a file that comes with the program may be: in an install, by its place from the program's, or in the source
/// folder. `name`: from there, "scripts/plot".
std::array<std::string, 2> data_places(const std::string& name);

/// The first of them that can be read, else the second.
std::string data_file(const std::string& name);

}  // namespace miniapp::apps
