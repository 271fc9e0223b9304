// SPDX-License-Identifier: BSD-3-Clause
/// A small tool of Kokkos Tools: writes what the program reports, one event per line, into the file that
/// MINIAPP_TOOL_EVENTS names:  seconds  push|for|reduce|scan  name,  or  seconds  pop. On hosts it also spoils: on the
/// rank MINIAPP_TOOL_SPOIL_RANK, whenever the region MINIAPP_TOOL_SPOIL_AT begins, one of the last 17 numbers of the
/// array of doubles with the label MINIAPP_TOOL_SPOIL becomes another one.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace {

std::FILE* events = nullptr;

void write(const char* what, const char* name) {
  static const auto start = std::chrono::steady_clock::now();
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start;
  if (events) std::fprintf(events, "%.9f\t%s\t%s\n", since.count(), what, name);
}

void begin(const char* what, const char* name, std::uint64_t* id) {
  static std::uint64_t next = 0;
  *id = next++;
  write(what, name);
}

bool equals(const char* variable, const char* text) {
  const char* const value = std::getenv(variable);
  return value && text && std::strcmp(value, text) == 0;
}

bool is_spoilt_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
    if (const char* rank = std::getenv(name)) return equals("MINIAPP_TOOL_SPOIL_RANK", rank);
  return false;
}

const void* owner = nullptr;  // of what is spoilt; Kokkos has 128 bytes of its own before an array
double* spoilt = nullptr;

struct SpaceHandle {
  char name[64];
};

}  // namespace

extern "C" {
void kokkosp_allocate_data(const SpaceHandle, const char* label, const void* data, const std::uint64_t bytes) {
  if (bytes < 256 || !equals("MINIAPP_TOOL_SPOIL", label) || !is_spoilt_rank()) return;
  owner = data;
  spoilt = static_cast<double*>(const_cast<void*>(data)) + bytes / sizeof(double) - 1;
}
void kokkosp_deallocate_data(const SpaceHandle, const char*, const void* data, const std::uint64_t) {
  if (data == owner) spoilt = nullptr;
}

void kokkosp_init_library(int, std::uint64_t, std::uint32_t, void*) {
  if (const char* path = std::getenv("MINIAPP_TOOL_EVENTS")) events = std::fopen(path, "w");
}
void kokkosp_finalize_library() {
  if (events) std::fclose(events);
  events = nullptr;
}
void kokkosp_push_profile_region(const char* name) {
  write("push", name);
  if (spoilt && equals("MINIAPP_TOOL_SPOIL_AT", name)) *spoilt = 2 * *spoilt + 1;
}
void kokkosp_pop_profile_region() { write("pop", ""); }
void kokkosp_begin_parallel_for(const char* name, std::uint32_t, std::uint64_t* id) { begin("for", name, id); }
void kokkosp_begin_parallel_reduce(const char* name, std::uint32_t, std::uint64_t* id) { begin("reduce", name, id); }
void kokkosp_begin_parallel_scan(const char* name, std::uint32_t, std::uint64_t* id) { begin("scan", name, id); }
}
