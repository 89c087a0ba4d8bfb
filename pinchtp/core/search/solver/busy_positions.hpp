// The number of search threads in each position.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "../../types.hpp"

namespace pinchtp {

// Different positions may share a counter: the counts only guide the search.
class BusyPositions {
 public:
  void enter(const Hash128& key) { counter(key).fetch_add(1, std::memory_order_relaxed); }
  void leave(const Hash128& key) { counter(key).fetch_sub(1, std::memory_order_relaxed); }
  int count(const Hash128& key) const { return counters_[slot(key)].load(std::memory_order_relaxed); }
  void clear() {
    for (auto& each : counters_) each.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kCounters = std::size_t{1} << 12;

  static std::size_t slot(const Hash128& key) { return key.high % kCounters; }
  std::atomic<std::uint16_t>& counter(const Hash128& key) { return counters_[slot(key)]; }

  std::array<std::atomic<std::uint16_t>, kCounters> counters_{};
};

}  // namespace pinchtp
