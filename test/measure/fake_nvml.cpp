// SPDX-License-Identifier: BSD-3-Clause
/// NVIDIA's management library with one GPU, for energy_test.cpp. Its energy grows by 250 mJ with each call.
#include <cstring>

extern "C" {
int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }
int nvmlSystemGetDriverVersion(char* version, unsigned length) {
  std::strncpy(version, "580.1", length);
  return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device) {
  static int gpu;
  *device = &gpu;
  return std::strcmp(bus, "0000:3b:00.0") == 0 ? 0 : 6;  // not found
}
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  static unsigned long long total = 1000;
  *millijoules = total += 250;
  return 0;
}
int nvmlDeviceGetClockInfo(void*, int type, unsigned* mhz) {
  *mhz = type == 1 ? 1980 : 0;  // of multiprocessors
  return 0;
}
int nvmlDeviceGetPerformanceState(void*, int* state) {
  *state = 2;
  return 0;
}
}
