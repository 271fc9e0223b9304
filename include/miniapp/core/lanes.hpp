// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstring>
#include <utility>

#if defined(__AVX__)
#include <immintrin.h>
#endif

/// Vector registers of the host's processor as a number type: element l of a Lanes value belongs to the l-th of `width`
/// finite elements that are worked on together. For host code only.
namespace miniapp {

/// Bytes of the widest vector register that this translation unit is compiled for.
#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

template <class Real>
inline constexpr int lane_width = register_bytes / int(sizeof(Real));

namespace detail {
template <class Real>
struct LanesOf {
  typedef Real type __attribute__((vector_size(register_bytes)));
};
}  // namespace detail

/// lane_width<Real> numbers with element-wise + - * / and mixed arithmetic with Real.
template <class Real>
using Lanes = typename detail::LanesOf<Real>::type;

using DoubleLanes = Lanes<double>;
using FloatLanes = Lanes<float>;

inline DoubleLanes sqrt(DoubleLanes x) {
#if defined(__AVX512F__)
  return (DoubleLanes)_mm512_maskz_sqrt_pd(0xff, (__m512d)x);  // plain _mm512_sqrt_pd warns in g++ 12's own header
#else
  for (int l = 0; l < lane_width<double>; ++l) x[l] = std::sqrt(x[l]);
  return x;
#endif
}
inline FloatLanes sqrt(FloatLanes x) {
  for (int l = 0; l < lane_width<float>; ++l) x[l] = std::sqrt(x[l]);
  return x;
}

/// -1 where x < 0, else 1.
inline DoubleLanes sign(DoubleLanes x) { return x < 0 ? DoubleLanes{} - 1 : DoubleLanes{} + 1; }
inline FloatLanes sign(FloatLanes x) { return x < 0 ? FloatLanes{} - 1 : FloatLanes{} + 1; }

inline DoubleLanes reciprocal(DoubleLanes x) { return 1 / x; }
inline FloatLanes reciprocal(FloatLanes x) { return 1 / x; }

/// The first `count` numbers at `from`, zero behind them. Reads nothing else.
template <int count, class Real>
[[gnu::always_inline]] inline Lanes<Real> load(const Real* from) {
  Lanes<Real> value{};
#if defined(__AVX512F__)
  if constexpr (sizeof(Real) == 8)
    return (Lanes<Real>)_mm512_maskz_loadu_pd((1u << count) - 1, from);
  else
    return (Lanes<Real>)_mm512_maskz_loadu_ps((1u << count) - 1, from);
#endif
  std::memcpy(&value, from, count * sizeof(Real));
  return value;
}

/// Adds the first `count` lanes of `value` to the numbers at `to`. Touches nothing else.
template <int count, class Real>
[[gnu::always_inline]] inline void add(Real* to, Lanes<Real> value) {
  value += load<count>(to);
#if defined(__AVX512F__)
  if constexpr (sizeof(Real) == 8)
    _mm512_mask_storeu_pd(to, (1u << count) - 1, (__m512d)value);
  else
    _mm512_mask_storeu_ps(to, (1u << count) - 1, (__m512)value);
#else
  std::memcpy(to, &value, count * sizeof(Real));
#endif
}

namespace detail {

/// Exchanges the off-diagonal blocks of size `half` in each pair of registers (i, i + half).
template <int half, class V, int... l>
[[gnu::always_inline]] inline void exchange(V& low, V& high, std::integer_sequence<int, l...>) {
  constexpr int width = sizeof...(l);
  const V a = low, b = high;
  low = __builtin_shufflevector(a, b, ((l & half) ? width + l - half : l)...);
  high = __builtin_shufflevector(a, b, ((l & half) ? width + l : l + half)...);
}

template <int half, class V, int width>
[[gnu::always_inline]] inline void transpose_stage(V (&rows)[width]) {
#pragma GCC unroll 16
  for (int i = 0; i < width; ++i)
    if (!(i & half)) exchange<half>(rows[i], rows[i + half], std::make_integer_sequence<int, width>());
  if constexpr (2 * half < width) transpose_stage<2 * half>(rows);
}

}  // namespace detail

/// Transposes width x width numbers held in `width` registers.
template <class V, int width>
[[gnu::always_inline]] inline void transpose(V (&rows)[width]) {
  detail::transpose_stage<1>(rows);
}

}  // namespace miniapp
