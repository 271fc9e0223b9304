// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/region.hpp"

#include <atomic>
#include <utility>
#include <vector>

#include "core/regions.hpp"
#include "miniapp/core/kokkos.hpp"

namespace miniapp {
namespace {

std::function<void(const std::string&)> told;
std::vector<std::string> open_regions;  ///< names of the regions that exist
std::atomic<double> part{0};            ///< of the innermost, that is done

}  // namespace

Region::Region(const std::string& name) {
  Kokkos::Profiling::pushRegion(name);
  open_regions.push_back(name);
  part = 0;
  if (told) told(name);
}
Region::~Region() {
  Kokkos::Profiling::popRegion();
  open_regions.pop_back();
  part = 0;
  if (told) told(open_regions.empty() ? "" : open_regions.back());
}

void tell_part(double done) { part.store(done, std::memory_order_relaxed); }
double told_part() { return part.load(std::memory_order_relaxed); }

void on_region(std::function<void(const std::string&)> tell) { told = std::move(tell); }

}  // namespace miniapp
