// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/instance.hpp"

#include "miniapp/streaming/vector_kernels.hpp"
#include "support/vectors.hpp"

namespace {

/// Two instances that may run concurrently: separate streams where the device has them.
#if defined(KOKKOS_ENABLE_CUDA)
struct Streams {
  cudaStream_t first, second;
  Streams() { cudaStreamCreate(&first), cudaStreamCreate(&second); }
  ~Streams() { cudaStreamDestroy(first), cudaStreamDestroy(second); }
  Instance instance(int i) const { return Instance(ExecutionSpace(i == 0 ? first : second)); }
};
#else
struct Streams {
  Instance instance(int) const { return Instance(); }
};
#endif

}  // namespace

TEST_CASE("Copies of an instance are the same instance, others are not", "[core][instance]") {
  const Instance one, copy = one, other;

  CHECK(one == copy);
  CHECK_FALSE(one == other);
  CHECK(one.sum_scratch(1).partial == copy.sum_scratch(1).partial);
  CHECK(one.sum_scratch(1).partial != other.sum_scratch(1).partial);
  CHECK(&one.mailbox() != &other.mailbox());
}

TEST_CASE("Room for partial sums grows, and its counter starts at zero", "[core][instance]") {
  const Instance instance;

  const Instance::SumScratch scratch = instance.sum_scratch(1 << 17);

  CHECK(to_std(Vector<const unsigned>(scratch.finished, 1)) == std::vector<unsigned>{0});
  Kokkos::deep_copy(Vector<double>(scratch.partial, 1 << 17), 1.0);  // all of it is there
}

TEST_CASE("Sums of two concurrent instances do not interfere", "[core][instance]") {
  const std::size_t size = runs_on_host ? 5000 : 20'000'000;
  const Vector<double> ones = make_vector<double>("ones", size), twos = make_vector<double>("twos", size);
  Kokkos::deep_copy(ones, 1.0);
  Kokkos::deep_copy(twos, 2.0);
  const Streams streams;
  const Instance one = streams.instance(0), two = streams.instance(1);
  const Vector<double> sums("sums", 40);

  for (int i = 0; i < 20; ++i) {
    streaming::dot<double>(one, ones, ones, sums.data() + 2 * i);
    streaming::dot<double>(two, twos, ones, sums.data() + 2 * i + 1);
  }
  one.fence();
  two.fence();

  const std::vector<double> found = to_std(sums);
  for (int i = 0; i < 20; ++i) {
    CHECK(found[2 * i] == double(size));
    CHECK(found[2 * i + 1] == 2.0 * double(size));
  }
  CHECK(streaming::dot<double>(one, twos, twos) == 4.0 * double(size));
}
