// SPDX-License-Identifier: BSD-3-Clause
/// Kernels of Kokkos that are compiled once, for all types of entries; on hosts for all bodies of teams.
#include <string>

#include "miniapp/core/error.hpp"
#include "miniapp/core/teams.hpp"

namespace miniapp::detail {
namespace {

Vector<char> of_device(void* memory, std::size_t bytes) { return Vector<char>(static_cast<char*>(memory), bytes); }
Vector<const char> of_device(const void* memory, std::size_t bytes) {
  return Vector<const char>(static_cast<const char*>(memory), bytes);
}

template <class Word>
struct FillWords {
  Word* to;
  Word value;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { to[i] = value; }
};

template <class To, class From>
struct ConvertEntries {
  To* to;
  const From* from;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { to[i] = static_cast<To>(from[i]); }
};

template <class Body>
void for_entries(const ExecutionSpace& on, const char* label, std::size_t size, const Body& body) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(on, 0, size), body);
}

template <class To, class From>
void convert_all(To* to, const From* from, std::size_t size) {
  Kokkos::fence();
  for_entries(ExecutionSpace(), "core/convert", size, ConvertEntries<To, From>{to, from});
  Kokkos::fence();
}

}  // namespace

template Vector<char> allocate_vector(const std::string&, std::size_t);
template Vector<unsigned char> allocate_vector(const std::string&, std::size_t);
template Vector<std::int32_t> allocate_vector(const std::string&, std::size_t);
template Vector<std::uint32_t> allocate_vector(const std::string&, std::size_t);
template Vector<std::int64_t> allocate_vector(const std::string&, std::size_t);
template Vector<std::uint64_t> allocate_vector(const std::string&, std::size_t);
template Vector<float> allocate_vector(const std::string&, std::size_t);
template Vector<double> allocate_vector(const std::string&, std::size_t);

void require_same_size(std::size_t to, std::size_t from) {
  require(to == from, "copy", std::to_string(from), "entries; accepted are " + std::to_string(to));
}

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  Kokkos::deep_copy(of_device(to, bytes), of_device(from, bytes));
}
void copy_bytes_to_host(void* to, const void* from, std::size_t bytes) {
  Kokkos::deep_copy(HostVector<char>(static_cast<char*>(to), bytes), of_device(from, bytes));
}
void copy_bytes_to_device(void* to, const void* from, std::size_t bytes) {
  Kokkos::deep_copy(of_device(to, bytes), HostVector<const char>(static_cast<const char*>(from), bytes));
}
void convert_entries(float* to, const double* from, std::size_t size) { convert_all(to, from, size); }
void convert_entries(double* to, const float* from, std::size_t size) { convert_all(to, from, size); }

void copy_bytes(const ExecutionSpace& on, void* to, const void* from, std::size_t bytes) {
  Kokkos::deep_copy(on, of_device(to, bytes), of_device(from, bytes));
}
void set_to_zero(const ExecutionSpace& on, void* to, std::size_t bytes) {
  const std::size_t multiple = bytes | reinterpret_cast<std::uintptr_t>(to);
  if (multiple % sizeof(double) == 0)
    Kokkos::deep_copy(on, Vector<double>(static_cast<double*>(to), bytes / sizeof(double)), 0.);
  else if (multiple % sizeof(float) == 0)
    Kokkos::deep_copy(on, Vector<float>(static_cast<float*>(to), bytes / sizeof(float)), 0.f);
  else
    Kokkos::deep_copy(on, of_device(to, bytes), char(0));
}
void fill_words(const ExecutionSpace& on, std::uint8_t* to, std::uint8_t value, std::size_t words) {
  for_entries(on, "core/fill", words, FillWords<std::uint8_t>{to, value});
}
void fill_words(const ExecutionSpace& on, std::uint32_t* to, std::uint32_t value, std::size_t words) {
  for_entries(on, "core/fill", words, FillWords<std::uint32_t>{to, value});
}
void fill_words(const ExecutionSpace& on, std::uint64_t* to, std::uint64_t value, std::size_t words) {
  for_entries(on, "core/fill", words, FillWords<std::uint64_t>{to, value});
}

#ifdef MINIAPP_RUNS_ON_HOST
void for_teams_of_one(const Instance& instance, const char* label, int teams, std::size_t scratch_bytes,
                      const void* body, void (*run)(const void*, const Team&)) {
  const int level = scratch_level(scratch_bytes);
  TeamPolicy policy(instance.space(), teams, 1, 1);
  policy.set_scratch_size(level, Kokkos::PerTeam(scratch_bytes + 64));
  using Kokkos::Experimental::WorkItemProperty;
  Kokkos::parallel_for(label, Kokkos::Experimental::require(policy, WorkItemProperty::HintLightWeight),
                       [=](const TeamMember& member) {
                         run(body, Team(member, member.team_scratch(level).get_shmem_aligned(scratch_bytes, 64)));
                       });
}

#endif

}  // namespace miniapp::detail
