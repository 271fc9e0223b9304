// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace miniapp::apps {

/// Command lines that --help of a command shows; each ends within half a minute on one core. `command`: as Options has
/// it, empty for the main job. Errors: std::out_of_range for a command that is not there.
const std::vector<std::string>& examples(const std::string& command);

}  // namespace miniapp::apps
