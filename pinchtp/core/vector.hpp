// Operations on vector registers that plain C++ cannot express well, for each instruction set:
// whether any bit is set, and shifts by one lane up or down, with the end lane of the neighbouring
// register shifted in.
#pragma once

#include <cstdint>
#include <type_traits>

#if defined(__AVX2__)
#include <immintrin.h>  // a third of a second to parse
#elif defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// For functions of a few instructions, which compilers do not always inline in large functions.
#define PINCHTP_INLINE [[gnu::always_inline]]

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

#define PINCHTP_QUOTED(name) #name
#define PINCHTP_NAME_OF(name) PINCHTP_QUOTED(name)
inline constexpr char kInstructionSet[] = PINCHTP_NAME_OF(PINCHTP_INSTRUCTION_SET);

#if defined(__AVX2__)
inline constexpr int kRegisterBytes = 32;
#elif defined(__SSE2__) || defined(__aarch64__)
inline constexpr int kRegisterBytes = 16;
#else
inline constexpr int kRegisterBytes = 8;
#endif

// A register of lanes, at most as wide as the instruction set supports.
template <class Lane, int kBytes>
struct Register {
  typedef Lane Lanes __attribute__((vector_size(kBytes)));

  PINCHTP_INLINE static bool any(Lanes v) {
#if defined(__AVX2__)
    if constexpr (kBytes == 32) return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#endif
#if defined(__SSE2__)
    if constexpr (kBytes == 16)
      return _mm_movemask_epi8(_mm_cmpeq_epi8((__m128i)v, _mm_setzero_si128())) != 0xffff;
#elif defined(__aarch64__)
    if constexpr (kBytes == 16) return vmaxvq_u32((uint32x4_t)v) != 0;
#endif
    if constexpr (kBytes == 8) return (std::uint64_t)v != 0;
  }

  // Shifts lanes to higher numbers; the lowest one comes from the top of `below`.
  PINCHTP_INLINE static Lanes up(Lanes v, Lanes below) {
#if defined(__AVX2__)
    if constexpr (kBytes == 32)
      return (Lanes)_mm256_alignr_epi8(
          (__m256i)v, _mm256_permute2x128_si256((__m256i)below, (__m256i)v, 0x21), 16 - kStep);
#endif
#if defined(__SSE2__)
    if constexpr (kBytes == 16)
      return (Lanes)_mm_or_si128(_mm_slli_si128((__m128i)v, kStep),
                                 _mm_srli_si128((__m128i)below, 16 - kStep));
#elif defined(__aarch64__)
    if constexpr (kBytes == 16) return (Lanes)vextq_u8((uint8x16_t)below, (uint8x16_t)v, 16 - kStep);
#endif
    if constexpr (kBytes == 8)
      return (Lanes)(((std::uint64_t)v << (8 * kStep)) | ((std::uint64_t)below >> (64 - 8 * kStep)));
  }

  // Shifts lanes to lower numbers; the highest one comes from the bottom of `above`.
  PINCHTP_INLINE static Lanes down(Lanes v, Lanes above) {
#if defined(__AVX2__)
    if constexpr (kBytes == 32)
      return (Lanes)_mm256_alignr_epi8(_mm256_permute2x128_si256((__m256i)v, (__m256i)above, 0x21),
                                       (__m256i)v, kStep);
#endif
#if defined(__SSE2__)
    if constexpr (kBytes == 16)
      return (Lanes)_mm_or_si128(_mm_srli_si128((__m128i)v, kStep),
                                 _mm_slli_si128((__m128i)above, 16 - kStep));
#elif defined(__aarch64__)
    if constexpr (kBytes == 16) return (Lanes)vextq_u8((uint8x16_t)v, (uint8x16_t)above, kStep);
#endif
    if constexpr (kBytes == 8)
      return (Lanes)(((std::uint64_t)v >> (8 * kStep)) | ((std::uint64_t)above << (64 - 8 * kStep)));
  }

 private:
  static constexpr int kStep = sizeof(Lane);
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
