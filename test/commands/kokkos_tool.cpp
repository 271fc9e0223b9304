// SPDX-License-Identifier: BSD-3-Clause
/// A small tool of Kokkos Tools: writes what the program reports, one event per line, into the file that
/// MINIAPP_TOOL_EVENTS names:  seconds  push|for|reduce|scan  name,  or  seconds  pop.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

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

}  // namespace

extern "C" {
void kokkosp_init_library(int, std::uint64_t, std::uint32_t, void*) {
  if (const char* path = std::getenv("MINIAPP_TOOL_EVENTS")) events = std::fopen(path, "w");
}
void kokkosp_finalize_library() {
  if (events) std::fclose(events);
  events = nullptr;
}
void kokkosp_push_profile_region(const char* name) { write("push", name); }
void kokkosp_pop_profile_region() { write("pop", ""); }
void kokkosp_begin_parallel_for(const char* name, std::uint32_t, std::uint64_t* id) { begin("for", name, id); }
void kokkosp_begin_parallel_reduce(const char* name, std::uint32_t, std::uint64_t* id) { begin("reduce", name, id); }
void kokkosp_begin_parallel_scan(const char* name, std::uint32_t, std::uint64_t* id) { begin("scan", name, id); }
}
