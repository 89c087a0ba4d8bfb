// Vectors of eight 32-bit lanes, for statistics shared by threads.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "../arena.hpp"
#include "../nodes.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

typedef std::uint32_t Words __attribute__((vector_size(4 * NodeBlock::kLanes), may_alias));
typedef float Floats __attribute__((vector_size(4 * NodeBlock::kLanes)));
typedef std::int32_t Mask __attribute__((vector_size(4 * NodeBlock::kLanes)));
typedef std::uint64_t FourLongs __attribute__((vector_size(4 * NodeBlock::kLanes), may_alias));
typedef double FourDoubles __attribute__((vector_size(4 * NodeBlock::kLanes)));
typedef float FourFloats __attribute__((vector_size(2 * NodeBlock::kLanes)));
typedef Move Shorts __attribute__((vector_size(2 * NodeBlock::kLanes), may_alias));
typedef std::uint8_t Bytes __attribute__((vector_size(NodeBlock::kLanes), may_alias));

// Loads and stores of eight values together, while other threads may change them. Standard C++ has
// no such operation, and compilers do not combine relaxed atomic accesses. volatile prevents
// optimizations, and each lane is loaded or stored as a whole on every machine with vectors. Of two
// simultaneous additions one may be lost, which all-moves-as-first statistics tolerate.
#define PINCHTP_RACY __attribute__((no_sanitize("thread"))) inline

PINCHTP_RACY Words load(const std::atomic<std::uint32_t> (&lanes)[NodeBlock::kLanes]) {
  return *reinterpret_cast<const volatile Words*>(lanes);
}

PINCHTP_RACY Words load(const std::atomic<std::uint8_t> (&lanes)[NodeBlock::kLanes]) {
  const Bytes bytes = *reinterpret_cast<const volatile Bytes*>(lanes);
  return __builtin_convertvector(bytes, Words);
}

// The priors of eight edges; for edges that the node does not have, arbitrary (possibly other
// data).
PINCHTP_RACY Words priors(const Edge* edges) {
  static_assert(sizeof(Edge) == 4 && offsetof(Edge, prior) == 2);
  return *reinterpret_cast<const volatile Words*>(edges) >> 16;
}

// Converts numbers below 2^52, which become the low bits of doubles from 2^52 up. Compilers would
// load all eight through the stack.
PINCHTP_RACY Floats load_floats(const std::atomic<std::uint64_t> (&lanes)[NodeBlock::kLanes]) {
  const auto* halves = reinterpret_cast<const volatile FourLongs*>(lanes);
  const auto low = (FourDoubles)(halves[0] | 0x4330000000000000) - 0x1p52;
  const auto high = (FourDoubles)(halves[1] | 0x4330000000000000) - 0x1p52;
  return __builtin_shufflevector(__builtin_convertvector(low, FourFloats),
                                 __builtin_convertvector(high, FourFloats), 0, 1, 2, 3, 4, 5, 6, 7);
}

PINCHTP_RACY void add_loosely(std::atomic<std::uint32_t> (&lanes)[NodeBlock::kLanes], Words terms) {
  auto* sums = reinterpret_cast<volatile Words*>(lanes);
  *sums = *sums + terms;
}

#undef PINCHTP_RACY

// The lowest eight bits, one per lane.
inline Words bits(std::uint32_t word) {
  return ((Words{} + word) >> Words{0, 1, 2, 3, 4, 5, 6, 7}) & 1;
}

inline Floats floats(Words words) { return __builtin_convertvector(words, Floats); }

inline Floats square_root(Floats v) {
#if defined(__AVX__)
  return (Floats)_mm256_sqrt_ps((__m256)v);
#else
  Floats roots;
  for (std::uint32_t i = 0; i < NodeBlock::kLanes; ++i) roots[i] = std::sqrt(v[i]);
  return roots;
#endif
}

// The table's values at the given indices.
template <std::size_t kSize>
Words pick(const std::uint32_t (&table)[kSize], Words at) {
#if defined(__AVX2__)
  return (Words)_mm256_i32gather_epi32(reinterpret_cast<const int*>(table), (__m256i)at, 4);
#else
  Words picked;
  for (std::uint32_t i = 0; i < NodeBlock::kLanes; ++i) picked[i] = table[at[i]];
  return picked;
#endif
}

// The points of the moves; arbitrary for moves that are not points.
inline Words points(const NodeBlock& block) {
  const auto& moves = *reinterpret_cast<const Shorts*>(block.move);
  return __builtin_convertvector(moves, Words) % kPoints;
}

// The lane with the largest value; among equals, the one with the smallest number.
inline std::uint32_t best_lane(Floats values, Mask numbers) {
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < NodeBlock::kLanes; ++i) {
    const bool wins =
        values[i] > values[best] || (values[i] == values[best] && numbers[i] < numbers[best]);
    best = wins ? i : best;
  }
  return best;
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
