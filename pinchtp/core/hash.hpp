// Hash keys of positions, mixed from the words that describe them.
#pragma once

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

}  // namespace pinchtp
