// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace miniapp::python {

/// Kokkos, which starts at the first call. It ends when the module has let go of it at the interpreter's exit and the
/// last object that holds it is gone, so that none outlives it. Errors: DeviceError, InputError on several ranks;
/// ResultError after the exit began.
std::shared_ptr<const void> session();

/// Starts Kokkos with options such as --kokkos-num-threads=4. Errors: InputError where it runs already; as Session.
void start(const std::vector<std::string>& kokkos_options);

/// The interpreter's exit has begun.
void end_session();

}  // namespace miniapp::python
