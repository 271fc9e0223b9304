// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace miniapp {

/// Asks the system to back untouched host memory with large pages. The system may refuse, which costs only time: with 4
/// KiB pages one core of a virtual machine streamed at two thirds of the rate, since each TLB miss walks two page
/// tables there.
void ask_for_large_pages(void* memory, std::size_t bytes);

/// Has all threads of the host get untouched memory from the system, with zeros, if that is worth it.
void fetch_pages(void* memory, std::size_t bytes);

/// A vector on large pages where available: with small pages a random access also misses the TLB, and the first access
/// to each page is a call of the system.
template <class T>
std::vector<T> make_large(std::size_t size, T value = {}) {
  std::vector<T> vector;
  vector.reserve(size);
  ask_for_large_pages(vector.data(), size * sizeof(T));
  fetch_pages(vector.data(), size * sizeof(T));
  vector.resize(size, value);
  return vector;
}

}  // namespace miniapp
