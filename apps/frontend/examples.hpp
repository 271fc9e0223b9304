// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

namespace miniapp::apps {

/// Command lines that --help of a command shows; each ends within half a minute on one core. `command`: as Options has
/// it, empty for the main job. Errors: std::out_of_range for a command that is not there.
const std::vector<std::string>& examples(const std::string& command);

/// The options that --help shows first; empty: all of them.
const std::set<std::string>& usual_options(const std::string& command);

}  // namespace miniapp::apps
