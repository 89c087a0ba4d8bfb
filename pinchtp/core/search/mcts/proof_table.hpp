// Proven wins by position, shared by all threads of a tree: what was proven after some moves need not
// be proven again after the same moves in another order.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../../types.hpp"

namespace pinchtp {

// Who wins from some position, and in how many moves.
struct ProvenWin {
  Side winner;
  std::uint16_t distance;
};

// Whoever can force a win can do so without repeating a position, so a proven win holds however the
// position was reached, unless some position had occurred twice before the search
// (search/solver/solve.hpp). A draw may depend on the path and is not kept.
//
// Two words an entry, one of them mixed with the key: an entry that two threads wrote at once does not
// fit its key (Hyatt and Mann, A Lock-less Transposition Table, 2002). Of a bucket that is full, the
// quickest win gives way, as it is proven again the soonest.
class ProofTable {
 public:
  // Takes so many bytes, or somewhat less. Throws std::bad_alloc.
  explicit ProofTable(std::size_t bytes)
      : buckets_(std::bit_floor(std::max<std::size_t>(bytes / sizeof(Bucket), 1))) {}

  std::optional<ProvenWin> find(const Hash128& key) const {
    for (const Entry& entry : bucket(key).entries) {
      const std::uint64_t data = entry.data.load(relaxed);
      if (fits(entry, data, key)) return ProvenWin{static_cast<Side>(data & 1), distance(data)};
    }
    return std::nullopt;
  }

  void store(const Hash128& key, const ProvenWin& win) {
    Entry* place = nullptr;
    for (Entry& entry : bucket(key).entries) {
      const std::uint64_t data = entry.data.load(relaxed);
      if (fits(entry, data, key)) return;
      if (!place || distance(data) < distance(place->data.load(relaxed))) place = &entry;
    }
    const std::uint64_t data = (key.high & kKeyBits) | std::uint64_t{win.distance} << 1 |
                               static_cast<std::uint64_t>(win.winner);
    place->data.store(data, relaxed);
    place->check.store(key.low ^ data, relaxed);
  }

 private:
  static constexpr std::uint64_t kKeyBits = ~std::uint64_t{0x1ffff};
  static constexpr auto relaxed = std::memory_order_relaxed;

  struct Entry {
    std::atomic<std::uint64_t> check{0};
    std::atomic<std::uint64_t> data{0};  // of the key, of the distance, which is not 0, and the winner
  };
  struct alignas(64) Bucket {
    std::array<Entry, 4> entries{};
  };

  static std::uint16_t distance(std::uint64_t data) { return static_cast<std::uint16_t>(data >> 1); }
  static bool fits(const Entry& entry, std::uint64_t data, const Hash128& key) {
    return (entry.check.load(relaxed) ^ data) == key.low && ((data ^ key.high) & kKeyBits) == 0 &&
           distance(data) != 0;
  }

  const Bucket& bucket(const Hash128& key) const { return buckets_[key.low & (buckets_.size() - 1)]; }
  Bucket& bucket(const Hash128& key) { return buckets_[key.low & (buckets_.size() - 1)]; }

  std::vector<Bucket> buckets_;  // a power of two of them
};

}  // namespace pinchtp
