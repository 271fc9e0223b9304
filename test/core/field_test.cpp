// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/field.hpp"

#include "support/catch.hpp"

TEST_CASE("A field keeps its values in either layout", "[core][field]") {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6};  // (2 entities, 3 components)
  const Field<double, 3, Layout::aos> aos("aos", values);
  const Field<double, 3, Layout::soa> soa("soa", values);
  CHECK(aos.size() == 2);
  CHECK(aos.bytes() == 48);
  CHECK(aos.to_vector() == values);
  CHECK(soa.to_vector() == values);
  const auto in_memory = to_host(soa.values());
  CHECK(std::vector<double>(in_memory.data(), in_memory.data() + 6) == std::vector<double>{1, 4, 2, 5, 3, 6});
}

namespace {

/// sums(i) = values of entity i through load() minus the same through operator().
template <class T, int components, Layout layout>
void check_load() {
  std::vector<T> values(5 * components);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(i + 1);
  const Field<T, components, layout> field("field", values);
  const Field<T, components, layout> copy("copy", 5);
  const auto from = field.const_pointer();
  const auto to = copy.pointer();
  Kokkos::parallel_for(
      "load", Kokkos::RangePolicy<ExecutionSpace>(0, 5), KOKKOS_LAMBDA(int i) {
        T loaded[components];
        from.load(i, loaded);
        for (int c = 0; c < components; ++c) to(i, c) = loaded[c];
      });
  CHECK(copy.to_vector() == values);
}

}  // namespace

TEST_CASE("Components of an entity are loaded together", "[core][field]") {
  check_load<double, 1, Layout::aos>();
  check_load<double, 3, Layout::aos>();
  check_load<double, 4, Layout::aos>();
  check_load<float, 4, Layout::aos>();
  check_load<float, 2, Layout::aos>();
  check_load<double, 4, Layout::soa>();
}
