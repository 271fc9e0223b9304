// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>

#include "miniapp/tensor/element_function.hpp"

namespace miniapp::test {

/// A lambda (element, x, y, z) as a function on elements.
class AnyFunction : public tensor::ElementFunction {
 public:
  using Lambda = std::function<double(std::int64_t, double, double, double)>;
  explicit AnyFunction(Lambda f) : f_(std::move(f)) {}
  void evaluate(std::int64_t element, int count, const double* x, const double* y, const double* z,
                double* values) const override {
    for (int i = 0; i < count; ++i) values[i] = f_(element, x[i], y[i], z[i]);
  }

 private:
  Lambda f_;
};

inline std::shared_ptr<const tensor::ElementFunction> function(AnyFunction::Lambda f) {
  return std::make_shared<AnyFunction>(std::move(f));
}
/// Of x, y and z alone.
inline std::shared_ptr<const tensor::ElementFunction> function(double (*f)(double, double, double)) {
  return function([f](std::int64_t, double x, double y, double z) { return f(x, y, z); });
}

}  // namespace miniapp::test
