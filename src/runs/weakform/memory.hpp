// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "runs/memory_need.hpp"
#include "runs/weakform/settings.hpp"

namespace miniapp::weakform {

/// Memory of a rank for a form on about so many generated cells in one configuration, where it needs most.
measure::MemoryNeed memory_need(FormKind kind, const FormSettings& settings, const Way& way);

}  // namespace miniapp::weakform
