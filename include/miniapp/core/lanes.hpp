// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#ifdef __CUDACC__
#error "miniapp/core/lanes.hpp is for hosts: include it where core/kokkos.hpp defines MINIAPP_RUNS_ON_HOST"
#endif

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "miniapp/core/detail/onto.hpp"
#include "miniapp/core/features.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/// Vector registers of the host's processor as a number type: entry l of a Lanes value belongs to the l-th of `width`
/// finite elements that are processed together. For host code only.
namespace miniapp {

/// Bytes of the widest vector register of the processor that the library was configured for. Library and clients use
/// the same value, whatever architecture the clients are compiled for.
inline constexpr int register_bytes = MINIAPP_REGISTER_BYTES;

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

[[gnu::always_inline]] inline DoubleLanes square_root(DoubleLanes x) {
#if MINIAPP_REGISTER_BYTES == 64 && defined(__AVX512F__)
  return (DoubleLanes)_mm512_maskz_sqrt_pd(0xff, (__m512d)x);  // plain _mm512_sqrt_pd warns in g++ 12's own header
#elif MINIAPP_REGISTER_BYTES == 32 && defined(__AVX__)
  return (DoubleLanes)_mm256_sqrt_pd((__m256d)x);
#else
  for (int l = 0; l < lane_width<double>; ++l) x[l] = std::sqrt(x[l]);
  return x;
#endif
}
[[gnu::always_inline]] inline FloatLanes square_root(FloatLanes x) {
#if MINIAPP_REGISTER_BYTES == 64 && defined(__AVX512F__)
  return (FloatLanes)_mm512_maskz_sqrt_ps(0xffff, (__m512)x);
#elif MINIAPP_REGISTER_BYTES == 32 && defined(__AVX__)
  return (FloatLanes)_mm256_sqrt_ps((__m256)x);
#else
  for (int l = 0; l < lane_width<float>; ++l) x[l] = std::sqrt(x[l]);
  return x;
#endif
}

/// -1 where x < 0, else 1.
[[gnu::always_inline]] inline DoubleLanes sign(DoubleLanes x) { return x < 0 ? DoubleLanes{} - 1 : DoubleLanes{} + 1; }
[[gnu::always_inline]] inline FloatLanes sign(FloatLanes x) { return x < 0 ? FloatLanes{} - 1 : FloatLanes{} + 1; }

[[gnu::always_inline]] inline DoubleLanes reciprocal(DoubleLanes x) { return 1 / x; }
/// 1 / x to one or two units in the last place.
[[gnu::always_inline]] inline FloatLanes reciprocal(FloatLanes x) {
#if MINIAPP_REGISTER_BYTES == 64 && defined(__AVX512F__)  // 14 bits and one step of Newton: a third of a division
  const FloatLanes y = (FloatLanes)_mm512_maskz_rcp14_ps(0xffff, (__m512)x);
  return y * (2 - x * y);
#elif MINIAPP_REGISTER_BYTES == 32 && defined(__AVX__)  // 12 bits
  const FloatLanes y = (FloatLanes)_mm256_rcp_ps((__m256)x);
  return y * (2 - x * y);
#else
  return 1 / x;
#endif
}

/// sin(pi x) to an absolute error of 4e-16, for |x| < 2^50. With x = k + r, k whole and |r| <= 1/2, it is (-1)^k r
/// P(r^2); P interpolates sin(pi r) / r at the Chebyshev points of r^2 in [0, 1/4] (largest error 7e-19).
[[gnu::always_inline]] inline DoubleLanes sine_of_pi(DoubleLanes x) {
  constexpr double round = 0x1.8p52;  // u + round - round is the nearest whole number
  const DoubleLanes k = x + round - round, half = 0.5 * k, odd = k - 2 * ((half - 0.25) + round - round);
  const DoubleLanes r = x - k, s = r * r;
  DoubleLanes p = DoubleLanes{} + 7.6978267682241909e-07;
  for (const double coefficient :
       {-2.1903497074626018e-05, 0.00046629981618983939, -0.0073704305059169436, 0.0821458865731029,
        -0.59926452931894469, 2.5501640398773007, -5.1677127800499694, 3.1415926535897931})
    p = p * s + coefficient;
  return (1 - 2 * odd) * r * p;
}
[[gnu::always_inline]] inline DoubleLanes cosine_of_pi(DoubleLanes x) { return sine_of_pi(x + 0.5); }

namespace detail {

/// A register of `width` numbers, all or part of a Lanes<Real>.
template <int width, class Real>
struct Part {
  typedef Real type __attribute__((vector_size(width * sizeof(Real))));
};

/// Two registers of half the width as one.
template <class Low, class High, int... l>
[[gnu::always_inline]] inline auto join(Low low, High high, std::integer_sequence<int, l...>) {
  return __builtin_shufflevector(low, high, l...);
}

/// Numbers [first, first + width / 2) of a register, as a register of half the width.
template <int first, class Real, int width, int... l>
[[gnu::always_inline]] inline auto half(typename Part<width, Real>::type value, std::integer_sequence<int, l...>) {
  return __builtin_shufflevector(value, value, (first + l)...);
}

using TwoDoubles = Part<2, double>::type;

/// load() in whole registers, then in parts of 16, 8 and 4 bytes: part by part through memory, the processor would wait
/// until what was written narrow can be read wide.
template <int width, int count, class Real>
[[gnu::always_inline]] inline typename Part<width, Real>::type load_by_parts(const Real* from) {
  using V = typename Part<width, Real>::type;
  if constexpr (count == width) {
    V value;
    std::memcpy(&value, from, sizeof value);
    return value;
  } else if constexpr (sizeof(V) > 16) {
    constexpr int h = width / 2;
    const auto low = load_by_parts<h, (count < h ? count : h)>(from);
    typename Part<h, Real>::type high{};
    if constexpr (count > h) high = load_by_parts<h, count - h>(from + h);
    return join(low, high, std::make_integer_sequence<int, width>());
  } else if constexpr (count * sizeof(Real) == 4) {
    return V{from[0]};
  } else {
    double first;
    std::memcpy(&first, from, sizeof first);
    V value = (V)TwoDoubles{first, 0};
    if constexpr (count * sizeof(Real) == 12) value[2] = from[2];
    return value;
  }
}

/// store() likewise.
template <int width, int count, class Real>
[[gnu::always_inline]] inline void store_by_parts(Real* to, typename Part<width, Real>::type value) {
  if constexpr (count == width) {
    std::memcpy(to, &value, sizeof value);
  } else if constexpr (sizeof value > 16) {
    constexpr int h = width / 2;
    constexpr auto halves = std::make_integer_sequence<int, h>();
    store_by_parts<h, (count < h ? count : h)>(to, half<0, Real, width>(value, halves));
    if constexpr (count > h) store_by_parts<h, count - h>(to + h, half<h, Real, width>(value, halves));
  } else if constexpr (count * sizeof(Real) == 4) {
    to[0] = value[0];
  } else {
    const double first = ((TwoDoubles)value)[0];
    std::memcpy(to, &first, sizeof first);
    if constexpr (count * sizeof(Real) == 12) to[2] = value[2];
  }
}

/// The first `count` of `width` numbers at `from`, the rest zero. Reads nothing beyond them.
template <int width, int count, class Real>
[[gnu::always_inline]] inline typename Part<width, Real>::type load(const Real* from) {
#if defined(__AVX512VL__)
  using V = typename Part<width, Real>::type;
  constexpr unsigned mask = (1u << count) - 1;
  if constexpr (count * sizeof(Real) <= 8) {
    // one number, or two short ones, have their own instructions
  } else if constexpr (sizeof(Real) == 8) {
    if constexpr (width == 8) return (V)_mm512_maskz_loadu_pd(mask, from);
    if constexpr (width == 4) return (V)_mm256_maskz_loadu_pd(mask, from);
    if constexpr (width == 2) return (V)_mm_maskz_loadu_pd(mask, from);
  } else {
    if constexpr (width == 16) return (V)_mm512_maskz_loadu_ps(mask, from);
    if constexpr (width == 8) return (V)_mm256_maskz_loadu_ps(mask, from);
    if constexpr (width == 4) return (V)_mm_maskz_loadu_ps(mask, from);
  }
#endif
  return load_by_parts<width, count>(from);
}

/// Stores the first `count` of `width` numbers. Writes nothing beyond them.
template <int width, int count, class Real>
[[gnu::always_inline]] inline void store(Real* to, typename Part<width, Real>::type value) {
#if defined(__AVX512VL__)
  constexpr unsigned mask = (1u << count) - 1;
  if constexpr (count * sizeof(Real) <= 8) {
    store_by_parts<width, count>(to, value);
  } else if constexpr (sizeof(Real) == 8) {
    if constexpr (width == 8) _mm512_mask_storeu_pd(to, mask, (__m512d)value);
    if constexpr (width == 4) _mm256_mask_storeu_pd(to, mask, (__m256d)value);
    if constexpr (width == 2) _mm_mask_storeu_pd(to, mask, (__m128d)value);
  } else {
    if constexpr (width == 16) _mm512_mask_storeu_ps(to, mask, (__m512)value);
    if constexpr (width == 8) _mm256_mask_storeu_ps(to, mask, (__m256)value);
    if constexpr (width == 4) _mm_mask_storeu_ps(to, mask, (__m128)value);
  }
#else
  store_by_parts<width, count>(to, value);
#endif
}

/// `parts` rows of `count` numbers in one register, the p-th at from + starts[p * stride].
template <int width, int parts, int stride, int count, class Real, class Index, int... l>
[[gnu::always_inline]] inline typename Part<width, Real>::type load_parts(const Real* from, const Index* starts,
                                                                          std::integer_sequence<int, l...>) {
  if constexpr (parts == 1) {
    return load<width, count>(from + starts[0]);
  } else {
    constexpr auto halves = std::make_integer_sequence<int, width / 2>();
    return __builtin_shufflevector(
        load_parts<width / 2, parts / 2, stride, count>(from, starts, halves),
        load_parts<width / 2, parts / 2, stride, count>(from, starts + parts / 2 * stride, halves), l...);
  }
}

/// Whole numbers as wide as the lanes.
template <class Real>
using Word = std::conditional_t<sizeof(Real) == 8, std::int64_t, std::int32_t>;
template <int width, class Real>
using Mask = typename Part<width, Word<Real>>::type;

/// All bits of a lane set where the lane's bit of `bits` is, else none.
template <int width, class Real>
[[gnu::always_inline]] inline Mask<width, Real> mask_of(unsigned bits) {
  Mask<width, Real> bit{};
  for (int l = 0; l < width; ++l) bit[l] = Word<Real>(1) << l;
  return (bit & Word<Real>(bits)) != 0;
}

/// The first `count` of `width` numbers at `from` where their bits are set, zero elsewhere.
template <int width, int count, class Real>
[[gnu::always_inline]] inline typename Part<width, Real>::type load(const Real* from, unsigned bits) {
  using V = typename Part<width, Real>::type;
#if defined(__AVX512VL__)
  if constexpr (sizeof(Real) == 8) {
    if constexpr (width == 8) return (V)_mm512_maskz_loadu_pd(bits, from);
    if constexpr (width == 4) return (V)_mm256_maskz_loadu_pd(bits, from);
    if constexpr (width == 2) return (V)_mm_maskz_loadu_pd(bits, from);
  } else {
    if constexpr (width == 16) return (V)_mm512_maskz_loadu_ps(bits, from);
    if constexpr (width == 8) return (V)_mm256_maskz_loadu_ps(bits, from);
    if constexpr (width == 4) return (V)_mm_maskz_loadu_ps(bits, from);
  }
#else
  return (V)((Mask<width, Real>)load<width, count>(from) & mask_of<width, Real>(bits));
#endif
}

/// Adds what load_parts() loads to what `onto` selects, by the bits of `met` where `onto` is mixed.
template <Onto onto, int width, int parts, int stride, int count, class Real, class Index>
[[gnu::always_inline]] inline void add_parts(Real* to, const Index* starts, typename Part<width, Real>::type value,
                                             const std::uint16_t* met, int first) {
  if constexpr (parts == 1) {
    Real* const row = to + starts[0];
    if constexpr (onto == Onto::values) value += load<width, count>(row);
    if constexpr (onto == Onto::mixed)
      value += load<width, count>(row, unsigned(met[0]) >> first & ((1u << count) - 1));
    store<width, count>(row, value);
  } else {
    constexpr auto halves = std::make_integer_sequence<int, width / 2>();
    constexpr int next = parts / 2 * stride;
    add_parts<onto, width / 2, parts / 2, stride, count>(to, starts, half<0, Real, width>(value, halves), met, first);
    add_parts<onto, width / 2, parts / 2, stride, count>(to, starts + next, half<width / 2, Real, width>(value, halves),
                                                         met + next, first);
  }
}

/// Exchanges the off-diagonal blocks of size `half` in each pair of registers (i, i + half).
template <int half, class V, int... l>
[[gnu::always_inline]] inline void exchange(V& low, V& high, std::integer_sequence<int, l...>) {
  constexpr int width = sizeof...(l);
  const V a = low, b = high;
  low = __builtin_shufflevector(a, b, ((l & half) ? width + l - half : l)...);
  high = __builtin_shufflevector(a, b, ((l & half) ? width + l : l + half)...);
}

/// Transposes each block of size x size numbers held in `size` registers of `width`.
template <int half, int width, class V, int size>
[[gnu::always_inline]] inline void transpose(V (&rows)[size]) {
  if constexpr (half < size) {
#pragma GCC unroll 16
    for (int i = 0; i < size; ++i)
      if (!(i & half)) exchange<half>(rows[i], rows[i + half], std::make_integer_sequence<int, width>());
    transpose<2 * half, width>(rows);
  }
}

/// Number of registers that hold the short rows of all lanes: a power of two, at least `count`, such that each part has
/// 16 bytes or more.
template <int count, class Real>
constexpr int registers_for() {
  int registers = 16 / sizeof(Real);
  while (registers < count) registers *= 2;
  return registers;
}

}  // namespace detail

/// Lane l = from[at[l]], zero where at[l] is negative.
[[gnu::always_inline]] inline FloatLanes gather(const float* from, const std::int32_t* at) {
#if MINIAPP_REGISTER_BYTES == 64 && defined(__AVX512F__)
  const __m512i index = _mm512_loadu_si512(at);
  const __mmask16 wanted = _mm512_cmpge_epi32_mask(index, _mm512_setzero_si512());
  return (FloatLanes)_mm512_mask_i32gather_ps(_mm512_setzero_ps(), wanted, index, from, sizeof(float));
#elif MINIAPP_REGISTER_BYTES == 32 && defined(__AVX2__)
  const __m256i index = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
  const __m256i wanted = _mm256_cmpgt_epi32(index, _mm256_set1_epi32(-1));
  return (FloatLanes)_mm256_mask_i32gather_ps(_mm256_setzero_ps(), from, index, _mm256_castsi256_ps(wanted),
                                              sizeof(float));
#else
  FloatLanes value;
  for (int l = 0; l < lane_width<float>; ++l) value[l] = at[l] < 0 ? 0 : from[at[l]];
  return value;
#endif
}

/// x where the lane's bit is clear, zero where it is set.
[[gnu::always_inline]] inline FloatLanes clear(FloatLanes x, unsigned bits) {
#if MINIAPP_REGISTER_BYTES == 64 && defined(__AVX512F__)
  return (FloatLanes)_mm512_maskz_mov_ps(static_cast<__mmask16>(~bits), (__m512)x);
#else
  constexpr int width = lane_width<float>;
  return (FloatLanes)((detail::Mask<width, float>)x & ~detail::mask_of<width, float>(bits));
#endif
}
[[gnu::always_inline]] inline DoubleLanes clear(DoubleLanes x, unsigned bits) {
#if MINIAPP_REGISTER_BYTES == 64 && defined(__AVX512F__)
  return (DoubleLanes)_mm512_maskz_mov_pd(static_cast<__mmask8>(~bits), (__m512d)x);
#else
  constexpr int width = lane_width<double>;
  return (DoubleLanes)((detail::Mask<width, double>)x & ~detail::mask_of<width, double>(bits));
#endif
}

/// Bit l: whether bit i of words[l] is set.
template <int width>
[[gnu::always_inline]] inline unsigned lanes_with_bit(const std::uint16_t* words, int i) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  if constexpr (width == 16)
    return _mm256_test_epi16_mask(_mm256_loadu_si256((const __m256i*)words), _mm256_set1_epi16(short(1 << i)));
#endif
#if defined(__SSE2__)
  if constexpr (width == 8 || width == 4) {
    const auto* const at = reinterpret_cast<const __m128i*>(words);
    const __m128i all = width == 8 ? _mm_loadu_si128(at) : _mm_loadl_epi64(at), bit = _mm_set1_epi16(short(1 << i));
    const __m128i set = _mm_cmpeq_epi16(_mm_and_si128(all, bit), bit);
    return unsigned(_mm_movemask_epi8(_mm_packs_epi16(set, _mm_setzero_si128()))) & ((1u << width) - 1);
  }
#endif
  unsigned bits = 0;
  for (int l = 0; l < width; ++l) bits |= (words[l] >> i & 1u) << l;
  return bits;
}

/// rows[i] lane l = from[starts[l] + i] for i < count <= lane_width: one row of `count` numbers per lane, transposed in
/// registers. Short rows share registers. Reads nothing beyond the rows.
template <int count, class Real, class Index>
[[gnu::always_inline]] inline void load_rows(const Real* from, const Index* starts, Lanes<Real>* rows) {
  constexpr int width = lane_width<Real>, size = detail::registers_for<count, Real>();
  Lanes<Real> block[size];
#pragma GCC unroll 16
  for (int r = 0; r < size; ++r)
    block[r] = detail::load_parts<width, width / size, size, count>(from, starts + r,
                                                                    std::make_integer_sequence<int, width>());
  detail::transpose<1, width>(block);
#pragma GCC unroll 16
  for (int i = 0; i < count; ++i) rows[i] = block[i];
}

/// to[starts[l] + i] += rows[i] lane l for i < count <= lane_width. Writes nothing beyond the rows; rows of different
/// lanes must not overlap. Where onto is mixed, a set bit first + i of met[l] means that the old value is added to.
template <int count, Onto onto = Onto::values, class Real, class Index>
[[gnu::always_inline]] inline void add_rows(Real* to, const Index* starts, const Lanes<Real>* rows,
                                            const std::uint16_t* met = nullptr, int first = 0) {
  constexpr int width = lane_width<Real>, size = detail::registers_for<count, Real>();
  Lanes<Real> block[size];
#pragma GCC unroll 16
  for (int i = 0; i < size; ++i) block[i] = rows[i < count ? i : count - 1];
  detail::transpose<1, width>(block);
#pragma GCC unroll 16
  for (int r = 0; r < size; ++r)
    detail::add_parts<onto, width, width / size, size, count>(to, starts + r, block[r], met + r, first);
}

}  // namespace miniapp
