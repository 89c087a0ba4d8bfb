// Proven wins by position, shared by all threads of a tree, so that transpositions are proven once.
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

// The winner of a position, and the number of moves to the win.
struct ProvenWin {
  Side winner;
  std::uint16_t distance;
};

// A player who can force a win can do so without repeating a position. So a proven win does not
// depend on the path, unless some position had occurred twice before the search
// (search/solver/solve.hpp). A draw may depend on the path and is not stored. In a full bucket the
// quickest win is replaced, since it is the fastest to prove again.
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
    // Bits of the key, the distance (never 0), and the winner.
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

  std::vector<Bucket> buckets_;  // their number is a power of two
};

}  // namespace pinchtp
