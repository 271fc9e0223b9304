// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "miniapp/core/names.hpp"
#include "miniapp/measure/bound.hpp"

/// Devices that one does not have, by their data sheets (results/devices.json) or by numbers that a user gives.
namespace miniapp::report {

/// Rates that programs reach on a device; 0 where one is unknown.
struct Device {
  std::string name;         ///< "b300", "given"
  std::string title;        ///< "NVIDIA B300, a GPU of HGX B300"
  double memory = 0;        ///< [bytes/s]
  double fma = 0;           ///< operations of fused multiply-adds, two each, double precision [1/s]
  double single_fma = 0;    ///< likewise in single precision [1/s]
  double scratch = 0;       ///< what all multiprocessors read and write of team scratch [bytes/s]
  double capacity = 0;      ///< of its memory [bytes]
  double cache = 0;         ///< its last-level cache [bytes]
  std::string assumptions;  ///< where the rates come from, a sentence

  /// What bounds a kernel there; `fma` and `single_fma` count two operations for each multiplication.
  measure::Limits limits(Precision precision) const {
    return {memory, (precision == Precision::fp64 ? fma : single_fma) / 2, scratch};
  }
};

/// Names of the devices in the table.
std::vector<std::string> device_names();

/// The device of "b300", of "bandwidth=8000,fma=1250", or of "b300,bandwidth=7200": a name of the table, or numbers, or
/// both, which then count. Numbers are rates that are reached: bandwidth [GB/s], fma and single [GFLOP/s], scratch
/// [GB/s], memory [GB], cache [MB]; without a name bandwidth and fma are needed. Of data sheets a share is taken to be
/// reached, as much as this program reaches on an H200. Errors: InputError of the argument what_if.
Device find_device(const std::string& words);

}  // namespace miniapp::report
