// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/field.hpp"
#include "miniapp/indirect/element_map.hpp"

/// What a local function reads and increments, declared in the order of its parameters:
///   direct(f)      values of the from-element itself:            const T (&)[components]
///   read(f, map)   values through a map:                         const T (&)[arity][components]
///   read(f)        the same through the map of the plan
///   increment(f)   what is added to targets of the plan's map:   T (&)[arity][components], zero on entry
///   exchange(f)    the same where the first of two targets gains what the second loses: T (&)[components]
namespace miniapp::indirect {

template <class T, int components, Layout layout>
struct Direct {
  Field<T, components, layout> field;
};
template <class T, int components, Layout layout, int arity>
struct ReadThrough {
  Field<T, components, layout> field;
  ElementMap<arity> map;
};
template <class T, int components, Layout layout>
struct Read {
  Field<T, components, layout> field;
};
template <class T, int components, Layout layout, bool exchanges>
struct Increment {
  Field<T, components, layout> field;
};

template <class T, int n, Layout l>
Direct<T, n, l> direct(const Field<T, n, l>& field) {
  return {field};
}
template <class T, int n, Layout l, int arity>
ReadThrough<T, n, l, arity> read(const Field<T, n, l>& field, const ElementMap<arity>& map) {
  return {field, map};
}
template <class T, int n, Layout l>
Read<T, n, l> read(const Field<T, n, l>& field) {
  return {field};
}
template <class T, int n, Layout l>
Increment<T, n, l, false> increment(const Field<T, n, l>& field) {
  return {field};
}
template <class T, int n, Layout l>
Increment<T, n, l, true> exchange(const Field<T, n, l>& field) {
  return {field};
}

}  // namespace miniapp::indirect
