// SPDX-License-Identifier: BSD-3-Clause
// What most tests include and none can do without, parsed once where MINIAPP_BATCHES is on.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/catch.hpp"
