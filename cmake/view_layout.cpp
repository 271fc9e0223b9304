// SPDX-License-Identifier: BSD-3-Clause
// Compiles where a kernel gets the Views that its launch sends. nvcc from 12.9 on lays out members that are
// [[no_unique_address]] in one way on the host and in another on the device; Kokkos::View has such members where it is
// made of mdspan, by default in 4.7.00 and from 5.0 on; 4.7.02 and 5.0 switch the attribute off (kokkos/kokkos PR
// 8615). A kernel that gets such Views reads wrong addresses, without a word from the compiler.
#include <Kokkos_Core.hpp>

#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1209
#if KOKKOS_VERSION >= 40699 && !defined(KOKKOS_ENABLE_IMPL_VIEW_LEGACY)
#if defined(MDSPAN_IMPL_USE_ATTRIBUTE_NO_UNIQUE_ADDRESS) && !defined(MDSPAN_IMPL_USE_FAKE_ATTRIBUTE_NO_UNIQUE_ADDRESS)
#error "host and device disagree about the layout of Kokkos::View"
#endif
#endif
#endif
