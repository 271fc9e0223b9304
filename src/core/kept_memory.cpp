// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/kept_memory.hpp"

#include <map>
#include <typeindex>

namespace miniapp {
namespace {

thread_local int kept_by = 0;  // KeepMemory that live
thread_local std::map<std::type_index, std::unique_ptr<detail::KeptArrays>> kept;

}  // namespace

KeepMemory::KeepMemory() { ++kept_by; }

KeepMemory::~KeepMemory() {
  if (--kept_by == 0) kept.clear();
}

namespace detail {

std::unique_ptr<KeptArrays>* find_kept_arrays(const std::type_info& type) {
  return kept_by > 0 ? &kept[std::type_index(type)] : nullptr;
}

bool free_kept_arrays(bool all) {
  KeptArrays::Bytes bytes;
  for (const auto& [type, arrays] : kept) {
    if (!arrays) continue;
    const KeptArrays::Bytes own = arrays->bytes();
    bytes.all += own.all;
    bytes.idle += own.idle;
  }
  constexpr std::size_t small = std::size_t(256) << 20;
  if (bytes.idle == 0 || (!all && bytes.idle <= bytes.all / 4 + small)) return false;
  for (const auto& [type, arrays] : kept)
    if (arrays) arrays->free_idle();
  return true;
}

}  // namespace detail
}  // namespace miniapp
