// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/region.hpp"

#include <utility>
#include <vector>

#include "core/regions.hpp"
#include "miniapp/core/kokkos.hpp"

namespace miniapp {
namespace {

std::function<void(const std::string&)> told;
std::vector<std::string> open_regions;  ///< names of the regions that exist

}  // namespace

Region::Region(const std::string& name) {
  Kokkos::Profiling::pushRegion(name);
  open_regions.push_back(name);
  if (told) told(name);
}
Region::~Region() {
  Kokkos::Profiling::popRegion();
  open_regions.pop_back();
  if (told) told(open_regions.empty() ? "" : open_regions.back());
}

void on_region(std::function<void(const std::string&)> tell) { told = std::move(tell); }

}  // namespace miniapp
