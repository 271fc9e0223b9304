// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/region.hpp"

#include "miniapp/core/kokkos.hpp"

namespace miniapp {

Region::Region(const std::string& name) { Kokkos::Profiling::pushRegion(name); }
Region::~Region() { Kokkos::Profiling::popRegion(); }

}  // namespace miniapp
