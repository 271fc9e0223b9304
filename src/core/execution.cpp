// SPDX-License-Identifier: BSD-3-Clause
/// Kernels of Kokkos that hosts compile once, for all types of entries and bodies.
#include "miniapp/core/teams.hpp"

#ifdef MINIAPP_RUNS_ON_HOST
namespace miniapp::detail {

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  Kokkos::deep_copy(HostVector<char>(static_cast<char*>(to), bytes),
                    HostVector<const char>(static_cast<const char*>(from), bytes));
}

void set_to_zero(void* to, std::size_t bytes) {
  if (bytes % sizeof(double) == 0)
    Kokkos::deep_copy(HostVector<double>(static_cast<double*>(to), bytes / sizeof(double)), 0.);
  else
    Kokkos::deep_copy(HostVector<char>(static_cast<char*>(to), bytes), char(0));
}

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

}  // namespace miniapp::detail
#endif
