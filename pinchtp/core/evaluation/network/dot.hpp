// Dot products of bytes, four at a time, and minima and maxima of floats, for each instruction set:
// the operations of a network that plain C++ cannot express well.
#pragma once

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>  // a third of a second to parse
#elif defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

#if defined(__AVX512VNNI__)
inline constexpr int kWords = 16;
#elif defined(__AVX2__)
inline constexpr int kWords = 8;
#else
inline constexpr int kWords = 4;
#endif

typedef std::int32_t Sums __attribute__((vector_size(4 * kWords)));
typedef std::uint32_t Quads __attribute__((vector_size(4 * kWords)));  // four bytes per word
typedef std::int16_t Pairs __attribute__((vector_size(4 * kWords)));   // two integers per word
typedef float Reals __attribute__((vector_size(4 * kWords)));

// The maximum and the minimum of each pair of values. Compilers would compare and blend, since the
// instructions differ for NaN and -0.
#if defined(__AVX512VNNI__)
inline Reals greatest(Reals a, Reals b) { return (Reals)_mm512_max_ps((__m512)a, (__m512)b); }
inline Reals least(Reals a, Reals b) { return (Reals)_mm512_min_ps((__m512)a, (__m512)b); }
#elif defined(__AVX2__)
inline Reals greatest(Reals a, Reals b) { return (Reals)_mm256_max_ps((__m256)a, (__m256)b); }
inline Reals least(Reals a, Reals b) { return (Reals)_mm256_min_ps((__m256)a, (__m256)b); }
#elif defined(__SSE2__)
inline Reals greatest(Reals a, Reals b) { return (Reals)_mm_max_ps((__m128)a, (__m128)b); }
inline Reals least(Reals a, Reals b) { return (Reals)_mm_min_ps((__m128)a, (__m128)b); }
#else
inline Reals greatest(Reals a, Reals b) { return a > b ? a : b; }
inline Reals least(Reals a, Reals b) { return a < b ? a : b; }
#endif

// Whether convolutions use dot(): only where it is a single instruction. Elsewhere Winograd's
// algorithm is faster: 2.3 times with SSE2, 1.3 to 1.6 times with AVX2. On AMD's Zen, AVX2 with
// Winograd also beats AVX-512 without VNNI, which therefore has no code here.
#if defined(__AVX512VNNI__) || defined(__AVXVNNI__) || defined(__ARM_FEATURE_DOTPROD)
inline constexpr bool kHasFastDot = true;
#else
inline constexpr bool kHasFastDot = false;
#endif

// Activations (0 to 127) and weights in the form that dot() takes; dot() adds the four products of
// each word to the sums. Two products of such bytes fit sixteen bits, so nothing saturates.
#if defined(__AVX2__) || !(defined(__SSE2__) || defined(__aarch64__))

using Activations = Quads;
using Weights = Quads;
inline Activations activations(Quads words) { return words; }
inline Weights weights(std::uint32_t word) { return Quads{} + word; }

#endif

#if defined(__AVX512VNNI__)

inline Sums dot(Sums sums, Activations a, Weights w) {
  return (Sums)_mm512_dpbusd_epi32((__m512i)sums, (__m512i)a, (__m512i)w);
}

#elif defined(__AVXVNNI__)

inline Sums dot(Sums sums, Activations a, Weights w) {
  return (Sums)_mm256_dpbusd_avx_epi32((__m256i)sums, (__m256i)a, (__m256i)w);
}

#elif defined(__AVX2__)

inline Sums dot(Sums sums, Activations a, Weights w) {
  const __m256i pairs = _mm256_maddubs_epi16((__m256i)a, (__m256i)w);
  return sums + (Sums)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

#elif defined(__SSE2__)

// Even and odd bytes, widened to sixteen bits each.
struct Halves {
  __m128i even;
  __m128i odd;
};
using Activations = Halves;
using Weights = Halves;
inline Activations activations(Quads words) {
  return {_mm_and_si128((__m128i)words, _mm_set1_epi16(0xff)), _mm_srli_epi16((__m128i)words, 8)};
}
inline Weights weights(std::uint32_t word) {
  const __m128i all = _mm_set1_epi32(static_cast<int>(word));
  return {_mm_srai_epi16(_mm_slli_epi16(all, 8), 8), _mm_srai_epi16(all, 8)};
}
inline Sums dot(Sums sums, const Activations& a, const Weights& w) {
  return sums + (Sums)_mm_madd_epi16(a.even, w.even) + (Sums)_mm_madd_epi16(a.odd, w.odd);
}

#elif defined(__aarch64__)

using Activations = int8x16_t;
using Weights = int8x16_t;
inline Activations activations(Quads words) { return (int8x16_t)words; }
inline Weights weights(std::uint32_t word) { return vreinterpretq_s8_u32(vdupq_n_u32(word)); }
inline Sums dot(Sums sums, Activations a, Weights w) {
#if defined(__ARM_FEATURE_DOTPROD)
  return (Sums)vdotq_s32((int32x4_t)sums, a, w);
#else
  const int32x4_t low = vpaddlq_s16(vmull_s8(vget_low_s8(a), vget_low_s8(w)));
  const int32x4_t high = vpaddlq_s16(vmull_high_s8(a, w));
  return sums + (Sums)vpaddq_s32(low, high);
#endif
}

#else

inline Sums dot(Sums sums, Activations a, Weights w) {
  for (int byte = 0; byte < 4; ++byte) {
    const Sums factor = (Sums)(w << (24 - 8 * byte)) >> 24;
    sums += (Sums)((a >> (8 * byte)) & 0xff) * factor;
  }
  return sums;
}

#endif

// Adds the two products of each word to the sums, modulo 2^32.
inline Quads dot_pairs(Quads sums, Pairs a, Pairs b) {
#if defined(__AVX512VNNI__)
  return sums + (Quads)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  return sums + (Quads)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
  return sums + (Quads)_mm_madd_epi16((__m128i)a, (__m128i)b);
#elif defined(__aarch64__)
  const int32x4_t low = vmull_s16(vget_low_s16((int16x8_t)a), vget_low_s16((int16x8_t)b));
  return sums + (Quads)vpaddq_s32(low, vmull_high_s16((int16x8_t)a, (int16x8_t)b));
#else
  const Sums even = (((Sums)a << 16) >> 16) * (((Sums)b << 16) >> 16);
  return sums + (Quads)even + (Quads)(((Sums)a >> 16) * ((Sums)b >> 16));
#endif
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
