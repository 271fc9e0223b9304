// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <utility>

#include "miniapp/tensor/element_function.hpp"

/// Functions of space that Python gives.
namespace miniapp::python {

namespace nb = nanobind;

/// A function from what Python gives: a number; an expression in x, y, z [m] and pi; an array with a number for each of
/// `elements` elements, each of which the mesh has in so many consecutive `pieces`; or f(x, y, z), which is called with
/// arrays of coordinates of points in one element and returns the values there, or one. `argument` names it in
/// messages. Errors: InputError.
tensor::FunctionPointer to_function(const std::string& argument, nb::handle given, std::int64_t elements, int pieces);

/// The function of Python that f is, for the garbage collector; none where it is no such function.
nb::handle callable_of(const tensor::ElementFunction& f);

/// Lets go of that function, after which f cannot be evaluated.
void forget(const tensor::ElementFunction& f);
/// Lets go of all functions of Python, at the interpreter's exit: they may hold the problems that hold them.
void forget_functions();

/// What a function of Python raised while the library evaluated it; then the state of before.
void raise_pending();

/// Calls f() without the interpreter's lock: functions of Python take it, from any thread of the host. Throws what a
/// function raised.
template <class F>
auto evaluating(const F& f) {
  auto run = [&] {
    const nb::gil_scoped_release released;
    return f();
  };
  try {
    auto result = run();
    raise_pending();
    return result;
  } catch (const nb::python_error&) {
    throw;
  } catch (const std::exception&) {
    raise_pending();  // of which this one is a consequence
    throw;
  }
}

}  // namespace miniapp::python
