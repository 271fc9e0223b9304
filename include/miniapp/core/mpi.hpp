// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "miniapp/core/communicator.hpp"

/// For programs that use MPI themselves; in builds of the library with MPI (MINIAPP_ENABLE_MPI).
namespace miniapp {

/// The processes of `communicator`, through a duplicate of it. MPI must be initialised.
Communicator make_communicator(MPI_Comm communicator);
/// The processes of a Communicator, for other libraries: a duplicate, which the caller frees. Collective. MPI must be
/// initialised; a Communicator of this process alone gives MPI_COMM_SELF's.
MPI_Comm duplicate(const Communicator& communicator);

}  // namespace miniapp
