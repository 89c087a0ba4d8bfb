// The transposition table of alpha-beta search, shared by all threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "../../memory.hpp"
#include "../lockless_entry.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta {

enum class Bound : std::uint8_t { none, lower, upper, exact };

// The result of searching a position to some depth.
struct TTEntry {
  std::uint16_t move = 0;  // the best move's code; 0: none
  std::int16_t score = 0;
  std::int8_t depth = 0;
  Bound bound = Bound::none;
};

// Since the first access to a page is slow, only a part of the memory is used at first: it is doubled
// when half full, which hides half of its entries. The next part is touched bit by bit before:
// otherwise each of the next visits would wait for a page, and the search for all of them before it
// looked whether to stop (0.2 s with huge pages in 512 MB).
class TranspositionTable {
 public:
  // Takes the largest power of two of buckets that fits into `bytes`. Throws std::bad_alloc if the
  // memory cannot be reserved.
  explicit TranspositionTable(std::size_t bytes)
      : max_(std::bit_floor(std::max<std::size_t>(bytes / sizeof(Bucket), 1))),
        memory_(max_),
        buckets_(memory_.get()),
        count_(std::min(max_, kFirstBuckets)) {}

  std::optional<TTEntry> find(std::uint64_t key) const {
    for (const LocklessEntry& entry : bucket(key).entries)
      if (const std::uint64_t data = entry.data(); entry.fits(key, data)) return unpack(data);
    return std::nullopt;
  }

  // Prefetches the entries that the next call with this key reads.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&bucket(key)); }

  // Replaces the entry of the same position, or else the shallowest, preferring those of old
  // searches.
  void store(std::uint64_t key, const TTEntry& known) {
    LocklessEntry* place = nullptr;
    int least = INT32_MAX;
    for (LocklessEntry& entry : bucket(key).entries) {
      const std::uint64_t data = entry.data();
      if (entry.fits(key, data)) {
        place = &entry;
        break;
      }
      const int priority = data == 0 ? INT32_MIN : unpack(data).depth - kAging * age(data);
      if (priority >= least) continue;
      least = priority;
      place = &entry;
    }
    if (place->store(key, pack(known))) count_new();
  }

  std::size_t used() const { return used_.load(kRelaxed); }

  // From now on, entries stored before are replaced first. No other thread may use the table.
  void begin_search() { generation_ = (generation_ + 1) % kGenerations; }

 private:
  static constexpr int kEntries = 4;
  static constexpr std::size_t kFirstBuckets = std::size_t{1} << 17;  // 8 MB
  static constexpr std::size_t kBucketsPerPage = 64;                  // 4 KB, the smallest page
  static constexpr unsigned kGenerations = 64;
  static constexpr int kAging = 4;  // plies that an entry's depth loses per search
  static constexpr auto kRelaxed = std::memory_order_relaxed;

  struct alignas(64) Bucket {
    LocklessEntry entries[kEntries];
  };
  static_assert(kEntries == 4);

  Bucket& bucket(std::uint64_t key) const { return buckets_[key & (count_.load(kRelaxed) - 1)]; }

  // As buckets have four entries, `used` grows from count_ to twice that between two doublings: it runs
  // through the buckets that the next one adds.
  void count_new() {
    const std::size_t used = used_.fetch_add(1, kRelaxed) + 1;
    std::size_t count = count_.load(kRelaxed);
    if (count == max_) return;
    if (used % kBucketsPerPage == 0 && used < max_) buckets_[used].entries[0].touch();
    if (used > 2 * count) count_.compare_exchange_strong(count, 2 * count);
  }

  std::uint64_t pack(const TTEntry& known) const {
    return std::uint64_t{known.move} | std::uint64_t{static_cast<std::uint16_t>(known.score)} << 16 |
           std::uint64_t{static_cast<std::uint8_t>(known.depth)} << 32 |
           static_cast<std::uint64_t>(known.bound) << 40 | std::uint64_t{generation_} << 48;
  }
  static TTEntry unpack(std::uint64_t data) {
    return {static_cast<std::uint16_t>(data), static_cast<std::int16_t>(data >> 16),
            static_cast<std::int8_t>(data >> 32), static_cast<Bound>(data >> 40 & 3)};
  }
  int age(std::uint64_t data) const {
    return static_cast<int>((kGenerations + generation_ - static_cast<unsigned>(data >> 48)) %
                            kGenerations);
  }

  std::size_t max_;  // number of buckets, a power of two like count_
  HugeArray<Bucket> memory_;
  Bucket* buckets_;
  std::atomic<std::size_t> count_;  // buckets in use
  std::atomic<std::size_t> used_{0};
  unsigned generation_ = 0;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta
