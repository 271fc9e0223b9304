// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>

#include "miniapp/basis/quadrature.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/mesh/mesh.hpp"

namespace miniapp::tensor {

/// A function of space that may differ from element to element: coefficients, sources, values on the surface.
class ElementFunction {
 public:
  virtual ~ElementFunction() = default;
  /// values[i] = f(x[i], y[i], z[i]) as element `element` has it, i < count; coordinates in m. The element has its
  /// number in the whole mesh (mesh::Mesh::number()). Several threads of the host may call it at once.
  virtual void evaluate(std::int64_t element, int count, const double* x, const double* y, const double* z,
                        double* values) const = 0;
  /// f(x) as element `element` has it.
  double at(std::int64_t element, const mesh::Point& x) const {
    double value = 0;
    evaluate(element, 1, &x[0], &x[1], &x[2], &value);
    return value;
  }
};

using FunctionPointer = std::shared_ptr<const ElementFunction>;

/// A function on elements from f(x, y, z) or f(element, x, y, z).
template <class F>
FunctionPointer function(F f) {
  class Of : public ElementFunction {
   public:
    explicit Of(F given) : f_(std::move(given)) {}
    void evaluate(std::int64_t element, int count, const double* x, const double* y, const double* z,
                  double* values) const override {
      for (int i = 0; i < count; ++i)
        if constexpr (std::invocable<const F&, double, double, double>)
          values[i] = f_(x[i], y[i], z[i]);
        else
          values[i] = f_(element, x[i], y[i], z[i]);
    }

   private:
    F f_;
  };
  return std::make_shared<Of>(std::move(f));
}

/// Its values at the tensor points of a rule in all hexahedra of a mesh, on the device: (element, i + q j + q^2 k). By
/// all threads of the host.
Vector<const double> values_at(const mesh::Mesh& mesh, const basis::Rule& rule, const ElementFunction& f);

}  // namespace miniapp::tensor
