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

/// value(k, j, i), whose planes stand `plane` apart, = the nodes of an element of n^3, which `rows` loads row by row;
/// flux = matrix value along t.
template <int n, int plane, class T, class Rows, class Matrix>
[[gnu::always_inline]] inline void load_and_multiply(const Rows& rows, const Matrix& matrix, T* value, T* flux) {
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j) {
      T nodes[n];
      rows.load(k * n + j, nodes);
      write_line(nodes, value + k * plane + j * n, 1);
    }
  for (int c = 0; c < n * n; ++c) {
    T nodes[n];
    read_line(value + c, plane, nodes);
    apply_each(matrix, nodes, WriteLine{flux + c, plane});
  }
}
/// Adds value(k, j, i), as load_and_multiply() has it, row by row.
template <int n, int plane, class T, class Rows>
[[gnu::always_inline]] inline void add_rows(const Rows& rows, const T* value) {
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j) {
      T nodes[n];
      read_line(value + k * plane + j * n, 1, nodes);
      rows.add(k * n + j, nodes);
    }
}

}  // namespace miniapp::tensor
