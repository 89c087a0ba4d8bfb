// Eight lanes of 32 bits, for statistics that threads share.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>

#include "nodes.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace pinchtp::PINCHTP_LEVEL {

typedef std::uint32_t Words __attribute__((vector_size(4 * Nodes::kLanes), may_alias));
typedef float Floats __attribute__((vector_size(4 * Nodes::kLanes)));
typedef std::int32_t Mask __attribute__((vector_size(4 * Nodes::kLanes)));

// Loads and stores of eight values at once, that other threads may be changing. C++ has no name for
// that, and compilers do not join relaxed atomic accesses; volatile keeps them from looking further,
// and each lane is loaded or stored whole on every machine that has vectors.
#define PINCHTP_RACY __attribute__((no_sanitize("thread"))) inline

PINCHTP_RACY Words load(const std::atomic<std::uint32_t> (&lanes)[Nodes::kLanes]) {
  return *reinterpret_cast<const volatile Words*>(lanes);
}

PINCHTP_RACY Mask load(const std::atomic<bool> (&lanes)[Nodes::kLanes]) {
  typedef std::uint8_t Bytes __attribute__((vector_size(Nodes::kLanes), may_alias));
  return __builtin_convertvector(*reinterpret_cast<const volatile Bytes*>(lanes), Mask) != 0;
}

PINCHTP_RACY void add_loosely(std::atomic<std::uint32_t> (&lanes)[Nodes::kLanes], Words terms) {
  auto* sums = reinterpret_cast<volatile Words*>(lanes);
  *sums = *sums + terms;
}

#undef PINCHTP_RACY

inline Floats floats(Words words) { return __builtin_convertvector(words, Floats); }

inline Floats root(Floats v) {
#if defined(__AVX__)
  return (Floats)_mm256_sqrt_ps((__m256)v);
#else
  Floats roots;
  for (std::uint32_t i = 0; i < Nodes::kLanes; ++i) roots[i] = std::sqrt(v[i]);
  return roots;
#endif
}

// 1 in the lanes of those that share and whose point is set.
inline Words hit(const std::uint32_t (&rows)[kStride], const Nodes& nodes) {
  Words hits;
  for (std::uint32_t i = 0; i < Nodes::kLanes; ++i) {
    const Move move = nodes.move[i];
    hits[i] = (rows[y_of(move) % kStride] >> x_of(move)) & nodes.shares[i];
  }
  return hits;
}

// The largest lane, in all lanes.
template <class Lanes>
Lanes largest(Lanes v) {
  const auto fold = [](Lanes a, Lanes b) { return a > b ? a : b; };
  v = fold(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3));
  v = fold(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5));
  return fold(v, __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6));
}

}  // namespace pinchtp::PINCHTP_LEVEL
