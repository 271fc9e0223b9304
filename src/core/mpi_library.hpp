// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/communicator.hpp"

namespace miniapp {

/// MPI from here to the end of its scope, where a launcher started this process or the program has initialised MPI
/// itself; it is finalised by whom initialised it. Without either, and in builds without MPI, it does nothing. Within
/// another one's scope it has the same communicator.
class MpiLibrary {
 public:
  MpiLibrary();
  ~MpiLibrary();
  MpiLibrary(const MpiLibrary&) = delete;
  MpiLibrary& operator=(const MpiLibrary&) = delete;

  const Communicator& world() const { return world_; }

 private:
  Communicator world_;
  [[maybe_unused]] bool finalises_ = false;
};

}  // namespace miniapp
