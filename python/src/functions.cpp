// SPDX-License-Identifier: BSD-3-Clause
#include "python/src/functions.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "apps/frontend/expression.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::python {
namespace {

class Callable;
std::optional<nb::python_error> pending;  // this and the next are read and written with the interpreter's lock
std::set<Callable*> living;

using HostNumbers = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

/// A function of Python, which has the interpreter's lock while it runs.
class Callable : public tensor::ElementFunction {
 public:
  Callable(std::string argument, nb::handle f) : argument_(std::move(argument)), f_(nb::borrow(f)) {
    living.insert(this);
  }
  ~Callable() override {
    const nb::gil_scoped_acquire locked;
    living.erase(this);
    f_.reset();
  }
  Callable(const Callable&) = delete;
  Callable& operator=(const Callable&) = delete;

  void evaluate(std::int64_t, int count, const double* x, const double* y, const double* z,
                double* values) const override {
    const nb::gil_scoped_acquire locked;
    const auto size = static_cast<std::size_t>(count);
    std::fill_n(values, size, std::nan(""));
    if (pending) return;
    require(f_.is_valid(), argument_, "", "is gone, since the interpreter ends");
    try {
      const auto array = [&](const double* numbers) {
        return nb::cast(nb::ndarray<nb::numpy, const double>(numbers, {size}), nb::rv_policy::copy);
      };
      const nb::object result = f_(array(x), array(y), array(z));
      const auto given = nb::cast<HostNumbers>(nb::module_::import_("numpy").attr("asarray")(result, "float64"));
      require(given.size() == 1 || given.size() == size, argument_, std::to_string(given.size()),
              "values; accepted from f(x, y, z) are one, or as many as there are points, " + std::to_string(size));
      for (std::size_t i = 0; i < size; ++i) values[i] = given.data()[given.size() == 1 ? 0 : i];
    } catch (nb::python_error& error) {
      pending.emplace(std::move(error));
    }
  }
  nb::handle f() const { return f_; }
  void forget() const { f_.reset(); }

 private:
  std::string argument_;
  mutable nb::object f_;
};

}  // namespace

nb::handle callable_of(const tensor::ElementFunction& f) {
  const auto* const callable = dynamic_cast<const Callable*>(&f);
  return callable ? callable->f() : nb::handle();
}

void forget(const tensor::ElementFunction& f) {
  if (const auto* const callable = dynamic_cast<const Callable*>(&f)) callable->forget();
}

void forget_functions() {
  const std::set<Callable*> all = living;
  for (Callable* const callable : all)
    if (living.count(callable)) callable->forget();  // which may end others
}

void raise_pending() {
  if (!pending) return;
  nb::python_error error = std::move(*pending);
  pending.reset();
  throw error;
}

tensor::FunctionPointer to_function(const std::string& argument, nb::handle given, std::int64_t elements, int pieces) {
  if (nb::isinstance<nb::str>(given)) return apps::parse_function(argument, nb::str(given).c_str(), elements, pieces);
  if (PyFloat_Check(given.ptr()) || PyLong_Check(given.ptr())) {
    const double value = nb::cast<double>(given);
    require(std::isfinite(value), argument, std::to_string(value), "accepted are finite numbers");
    return tensor::function([value](double, double, double) { return value; });
  }
  if (PyCallable_Check(given.ptr())) return std::make_shared<Callable>(argument, given);
  HostNumbers array;
  require(nb::ndarray_check(given) && nb::try_cast(given, array), argument, nb::str(given.type()).c_str(),
          "accepted are a number, an expression, f(x, y, z), or an array with a number per element");
  require(std::int64_t(array.size()) == elements, argument, std::to_string(array.size()),
          "numbers; accepted is one per element, " + std::to_string(elements));
  return tensor::function(
      [values = std::vector<double>(array.data(), array.data() + array.size()), pieces](
          std::int64_t element, double, double, double) { return values[static_cast<std::size_t>(element / pieces)]; });
}

}  // namespace miniapp::python
