// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/kokkos.hpp"

/// Lines of nodes in scratch, which the kernels on lanes read and write with a stride.
namespace miniapp::tensor {

template <int count, class T>
[[gnu::always_inline]] inline void read_line(const T* from, int stride, T (&line)[count]) {
  MINIAPP_UNROLL
  for (int i = 0; i < count; ++i) line[i] = from[i * stride];
}
template <int count, class T>
[[gnu::always_inline]] inline void write_line(const T (&line)[count], T* to, int stride) {
  MINIAPP_UNROLL
  for (int i = 0; i < count; ++i) to[i * stride] = line[i];
}

/// Consumers of the entries of a line, one by one.
template <class T>
struct WriteLine {
  T* to;
  int stride;
  [[gnu::always_inline]] void operator()(int i, const T& value) const { to[i * stride] = value; }
};
template <class T>
WriteLine(T*, int) -> WriteLine<T>;
template <class T>
struct AddLine {
  T* to;
  int stride;
  [[gnu::always_inline]] void operator()(int i, const T& value) const { to[i * stride] += value; }
};
template <class T>
AddLine(T*, int) -> AddLine<T>;

}  // namespace miniapp::tensor
