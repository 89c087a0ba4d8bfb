// Proven wins by position, shared by all threads of a tree: transpositions need not be proven again.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../../types.hpp"
#include "../lockless_entry.hpp"

namespace pinchtp {

// Who wins from some position, and in how many moves.
struct ProvenWin {
  Side winner;
  std::uint16_t distance;
};

// Whoever can force a win can do so without repeating a position, so a proven win holds however the
// position was reached, unless some position had occurred twice before the search
// (search/solver/solve.hpp). A draw may depend on the path and is not kept. Of a bucket that is full,
// the quickest win gives way, as it is proven again the soonest.
class ProofTable {
 public:
  // Takes up to `bytes`. Throws std::bad_alloc.
  explicit ProofTable(std::size_t bytes)
      : buckets_(std::bit_floor(std::max<std::size_t>(bytes / sizeof(Bucket), 1))) {}

  std::optional<ProvenWin> find(const Hash128& key) const {
    for (const LocklessEntry& entry : bucket(key).entries) {
      const std::uint64_t data = entry.data();
      if (fits(entry, data, key)) return ProvenWin{static_cast<Side>(data & 1), distance(data)};
    }
    return std::nullopt;
  }

  void store(const Hash128& key, const ProvenWin& win) {
    LocklessEntry* place = nullptr;
    for (LocklessEntry& entry : bucket(key).entries) {
      const std::uint64_t data = entry.data();
      if (fits(entry, data, key)) return;
      if (!place || distance(data) < distance(place->data())) place = &entry;
    }
    // Bits of the key, of the distance, which is not 0, and the winner.
    place->store(key.low, (key.high & kKeyBits) | std::uint64_t{win.distance} << 1 |
                              static_cast<std::uint64_t>(win.winner));
  }

 private:
  static constexpr std::uint64_t kKeyBits = ~std::uint64_t{0x1ffff};

  struct alignas(64) Bucket {
    std::array<LocklessEntry, 4> entries{};
  };

  static std::uint16_t distance(std::uint64_t data) { return static_cast<std::uint16_t>(data >> 1); }
  static bool fits(const LocklessEntry& entry, std::uint64_t data, const Hash128& key) {
    return entry.fits(key.low, data) && ((data ^ key.high) & kKeyBits) == 0;
  }

  const Bucket& bucket(const Hash128& key) const { return buckets_[key.low & (buckets_.size() - 1)]; }
  Bucket& bucket(const Hash128& key) { return buckets_[key.low & (buckets_.size() - 1)]; }

  std::vector<Bucket> buckets_;  // a power of two of them
};

}  // namespace pinchtp
