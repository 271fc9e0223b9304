// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace miniapp {

/// A region of Kokkos Tools as long as it exists: profilers show the loops that run meanwhile under its name
/// (docs/profiling.md). Costs nothing that could be measured where no tool is loaded.
class Region {
 public:
  explicit Region(const std::string& name);
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
};

}  // namespace miniapp
