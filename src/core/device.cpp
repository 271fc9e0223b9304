// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/device.hpp"

#ifdef MINIAPP_RUNS_ON_HOST
#include "miniapp/core/lanes.hpp"
#endif

namespace miniapp {

std::string device_class() {
#if defined(KOKKOS_ENABLE_CUDA)
  cudaDeviceProp properties;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess) return "";
  return "sm_" + std::to_string(10 * properties.major + properties.minor);
#elif defined(KOKKOS_ENABLE_HIP)
  hipDeviceProp_t properties;
  int device = 0;
  if (hipGetDevice(&device) != hipSuccess || hipGetDeviceProperties(&properties, device) != hipSuccess) return "";
  const std::string name = properties.gcnArchName;
  return name.substr(0, name.find(':'));
#else
  return "host" + std::to_string(8 * register_bytes);
#endif
}

}  // namespace miniapp
