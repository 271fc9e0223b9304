// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <algorithm>
#include <stdexcept>

namespace miniapp::apps {

bool Options::given(const std::string& name) const {
  const auto option = std::find_if(all_.begin(), all_.end(), [&](const Option& o) { return o.name == name; });
  if (option == all_.end()) throw std::logic_error(name + ": no option of " + command_);
  return option->given;
}

}  // namespace miniapp::apps
