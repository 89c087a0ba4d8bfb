// Hash keys of positions, mixed from the words that describe them, and their slots in tables.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rng.hpp"
#include "types.hpp"

namespace pinchtp {

class HashChain {
 public:
  explicit HashChain(std::uint64_t flags) : hash_{mix(flags, 1), mix(flags, 2)} {}

  HashChain& add(std::uint64_t word) {
    hash_ = {mix(hash_.low ^ word, 3), mix(hash_.high + word, hash_.low)};
    return *this;
  }
  template <class Words>
  HashChain& add(const Words& words) {
    for (const std::uint64_t word : words) add(word);
    return *this;
  }

  Hash128 hash() const { return hash_; }

 private:
  Hash128 hash_;
};

// The slot of a key in a table of `count` slots, from a uniformly distributed half of the key.
constexpr std::size_t slot_of(std::uint64_t half, std::size_t count) {
  return static_cast<std::size_t>(static_cast<unsigned __int128>(half) * count >> 64);
}

}  // namespace pinchtp
