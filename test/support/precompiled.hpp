// SPDX-License-Identifier: BSD-3-Clause
// Headers that most tests include, precompiled with MINIAPP_BATCHES.
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
