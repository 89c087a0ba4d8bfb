// The transposition table of the solver, shared by its threads without locks.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../../hash.hpp"
#include "../../memory.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"
#include "verdict.hpp"

namespace pinchtp {

// Verdicts by position, in a limited amount of memory: when full, the most expensive ones stay. Full
// keys are stored, so a verdict is never used for another position.
//
// The table of a single thread starts small and doubles whenever three eighths of its entries are
// used: with more, full buckets lose answers, and the system clears memory on first use, which for
// 512 MB takes longer than most proofs of small boards. It doubles step by step, since a solver that
// is to stop cannot wait for seconds.
class VerdictTable {
 public:
  // Reserves `bytes`; pages become resident on first use. `is_multithreaded`: whether several threads
  // use the table, which has its full size at once then. Throws std::bad_alloc.
  VerdictTable(std::size_t bytes, bool is_multithreaded)
      : most_(std::max<std::size_t>(bytes / sizeof(Bucket), 1)),
        count_(most_),
        own_(most_),
        buckets_(own_.get()) {
    while (!is_multithreaded && count_ * sizeof(Bucket) > kHugePage) count_ /= 2;
    unmoved_ = count_;
  }

  // Prefetches the entries that find() will read, so that memory latencies overlap.
  void prefetch(const Hash128& key) const {
    const Bucket& entries = bucket(key);
    __builtin_prefetch(&entries[0]);
    __builtin_prefetch(&entries[2]);
  }

  // The verdict on a position reached by `path`, if known.
  bool find(const Hash128& key, const Path& path, Verdict& verdict) const {
    for (const Entry& entry : bucket(key)) {
      const Content content = entry.content(key);
      if (content.facts.kind == Kind::none) continue;
      const bool holds = content.facts.kind != Kind::no_on_path ||
                         (content.facts.deepest < path.size() &&
                          path.signature(content.facts.deepest) == content.data);
      if (holds) verdict = content.verdict();
      return holds;
    }
    return false;
  }

  // `effort`: nodes spent on the verdict. Keeps an answer that holds on every path, but a
  // "no" becomes a loss.
  void store(const Hash128& key, const Path& path, const Verdict& verdict, std::uint64_t effort) {
    if (is_growing() || (can_grow() && used_ > count_ * kEntries * 3 / 8)) grow();
    Bucket& entries = bucket(key);
    Entry* place = entries.data();
    for (Entry& entry : entries) {
      if (const Kind known = entry.content(key).facts.kind; known != Kind::none) {
        if (is_final(known) && (known != Kind::no || kind_of(verdict) != Kind::lost)) return;
        place = &entry;
        break;
      }
      if (entry.effort() < place->effort()) place = &entry;
    }
    if (can_grow()) used_ += place->effort() == 0;
    place->store(key, Content::of(path, verdict, effort));
  }

  // Keeps verdicts in this memory, which must outlive the table, and uses those already there. Its
  // first byte must be aligned for an entry. Other content does not match any key.
  void attach(std::span<std::byte> memory) {
    most_ = count_ = unmoved_ = memory.size() / sizeof(Bucket);
    buckets_ = reinterpret_cast<Bucket*>(memory.data());
    own_.release();
  }

 private:
  enum class Kind : std::uint8_t { none, open, yes, no, lost, no_on_path };

  static bool is_final(Kind kind) {
    return kind == Kind::yes || kind == Kind::no || kind == Kind::lost;
  }
  static Kind kind_of(const Verdict& verdict) {
    if (verdict.yes()) return Kind::yes;
    if (!verdict.no()) return Kind::open;
    if (!verdict.holds_everywhere()) return Kind::no_on_path;
    return verdict.lost ? Kind::lost : Kind::no;
  }

  struct Facts {
    std::uint16_t distance;
    std::uint16_t shallowest;
    std::uint16_t deepest;
    Kind kind;
    std::uint8_t effort;  // its number of binary digits
  };

  // A verdict in two words.
  struct Content {
    std::uint64_t data;  // both numbers if open; the path's signature if it matters, or the zone
    Facts facts;

    static Content of(const Path& path, const Verdict& verdict, std::uint64_t effort) {
      const Kind kind = kind_of(verdict);
      std::uint64_t data = std::uint64_t{verdict.disproof} << 32 | verdict.proof;
      if (kind == Kind::no_on_path) data = path.signature(verdict.deepest);
      if (is_final(kind)) data = verdict.zone.bits();
      return {data,
              {verdict.distance, verdict.shallowest, verdict.deepest, kind,
               static_cast<std::uint8_t>(std::bit_width(effort | 1))}};
    }

    Verdict verdict() const {
      if (facts.kind == Kind::yes) return Verdict::won(facts.distance, WordBoard(data));
      if (facts.kind == Kind::lost) return Verdict::lost_in(facts.distance, WordBoard(data));
      if (facts.kind == Kind::open)
        return {.proof = static_cast<std::uint32_t>(data),
                .disproof = static_cast<std::uint32_t>(data >> 32)};
      Verdict verdict = Verdict::not_won();
      verdict.shallowest = facts.shallowest;
      verdict.deepest = facts.deepest;
      return verdict;
    }
  };

  // One word is mixed with the content: an entry written by two threads simultaneously does not
  // match any key (lockless_entry.hpp). Zeroed memory consists of free entries.
  class Entry {
   public:
    // The content stored for the key; its kind is none if it is missing.
    Content content(const Hash128& key) const {
      if (high_.load(kRelaxed) != key.high) return {};
      const std::uint64_t data = data_.load(kRelaxed);
      const std::uint64_t facts = facts_.load(kRelaxed);
      if ((mixed_.load(kRelaxed) ^ pinchtp::mix(data, facts)) != key.low) return {};
      return {data, std::bit_cast<Facts>(facts)};
    }
    void store(const Hash128& key, const Content& content) {
      const auto facts = std::bit_cast<std::uint64_t>(content.facts);
      put({key.high, key.low ^ pinchtp::mix(content.data, facts), content.data, facts});
    }
    // The effort of the stored verdict, for any key; 0: the entry is free.
    int effort() const { return std::bit_cast<Facts>(facts_.load(kRelaxed)).effort; }

    // The words of an entry outside of the table.
    struct Words {
      std::uint64_t high, mixed, data, facts;
    };
    Words words() const {
      return {high_.load(kRelaxed), mixed_.load(kRelaxed), data_.load(kRelaxed), facts_.load(kRelaxed)};
    }
    void put(const Words& words) {
      high_.store(words.high, kRelaxed);
      mixed_.store(words.mixed, kRelaxed);
      data_.store(words.data, kRelaxed);
      facts_.store(words.facts, kRelaxed);
    }

   private:
    static constexpr auto kRelaxed = std::memory_order_relaxed;

    std::atomic<std::uint64_t> high_;
    std::atomic<std::uint64_t> mixed_;
    std::atomic<std::uint64_t> data_;
    std::atomic<std::uint64_t> facts_;
  };
  static_assert(sizeof(Entry) == 32);
  static constexpr std::size_t kEntries = 4;
  using Bucket = std::array<Entry, kEntries>;

  // Indexed by the uniformly distributed half: the other one is a minimum of several (keys.hpp).
  Bucket& bucket(std::uint64_t high) const {
    const std::size_t at = slot_of(high, count_);
    return buckets_[at < unmoved_ ? at : slot_of(high, 2 * count_)];
  }
  Bucket& bucket(const Hash128& key) const { return bucket(key.high); }

  bool can_grow() const { return 2 * count_ <= most_; }
  bool is_growing() const { return unmoved_ < count_; }

  // Moves a few buckets to a table of twice the size.
  void grow() {
    for (int i = 0; i < kMovedAtOnce && unmoved_ > 0; ++i) move(--unmoved_);
    if (unmoved_ == 0) unmoved_ = count_ *= 2;
  }

  // Moves the entries of a bucket to the two with twice its index. These are free: buckets are moved
  // from the last one on.
  void move(std::size_t at) {
    std::array<typename Entry::Words, kEntries> moved;
    std::ranges::transform(buckets_[at], moved.begin(), &Entry::words);
    for (Entry& entry : buckets_[at]) entry.put({});
    for (const auto& words : moved) {
      if (words.facts == 0) continue;
      Bucket& entries = bucket(words.high);
      std::ranges::find(entries, 0, &Entry::effort)->put(words);
    }
  }

  static constexpr int kMovedAtOnce = 4;  // buckets per verdict stored while the table doubles

  std::size_t most_;       // buckets
  std::size_t count_;      // of those, in use
  std::size_t unmoved_;    // those before this one are where they were before the table doubled
  std::size_t used_ = 0;   // entries, as long as the table can grow
  HugeArray<Bucket> own_;  // released once other memory is attached
  Bucket* buckets_;
};

}  // namespace pinchtp
