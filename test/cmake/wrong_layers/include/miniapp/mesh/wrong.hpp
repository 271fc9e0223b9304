// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/solver/cg.hpp"
