// Random numbers: a small state, one multiplication per number.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace pinchtp {

// wyrand (Wang Yi, 2019): a Weyl sequence scrambled by one 64 x 64 -> 128 bit product.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0xa0761d6478bd642fULL;
    const auto product = static_cast<unsigned __int128>(state_) * (state_ ^ 0xe7037ed1a0b428dbULL);
    return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
  }

  // Uniform in [0, bound) for bound <= 2^16; the bias of the multiply-shift is below 2^-16 of a draw.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

  // Two such numbers from one draw.
  std::pair<std::uint32_t, std::uint32_t> two_below(std::uint32_t bound, std::uint32_t other) {
    const std::uint64_t bits = next();
    return {static_cast<std::uint32_t>(((bits >> 32) * bound) >> 32),
            static_cast<std::uint32_t>(((bits & 0xffffffff) * other) >> 32)};
  }

 private:
  std::uint64_t state_;
};

// Puts values into a random order (Fisher-Yates shuffle).
template <class T>
void shuffle(std::span<T> values, Rng& rng) {
  for (auto left = static_cast<std::uint32_t>(values.size()); left > 1; --left)
    std::swap(values[left - 1], values[rng.below(left)]);
}

// One mixing step: turns related numbers (0, 1, 2, ...) into unrelated seeds and hash keys.
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const auto product =
      static_cast<unsigned __int128>(a ^ 0xa0761d6478bd642fULL) * (b ^ 0xe7037ed1a0b428dbULL);
  return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
}

}  // namespace pinchtp
