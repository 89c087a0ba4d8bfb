// Answers to the question "can the attacker force a win?" in a position, and the transposition table
// for them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "../../rng.hpp"
#include "../../types.hpp"

namespace pinchtp {

// Proof and disproof numbers (Allis, 1994): how much is still to be proven for a "yes", for a "no".
inline constexpr std::uint32_t kSolved = UINT32_MAX;   // of the answer that is ruled out
inline constexpr std::uint32_t kMaxEffort = 1U << 30;  // of what is open; nothing is worth more
inline constexpr std::uint16_t kNoDepth = UINT16_MAX;  // deeper than every path
inline constexpr std::uint16_t kMaxDistance = UINT16_MAX;

// An answer, or how far it is from one.
struct Verdict {
  std::uint32_t proof = 1;     // 0: the attacker wins
  std::uint32_t disproof = 1;  // 0: the attacker does not
  // A "no" may depend on repetitions: it holds where the path has the same positions down to the depth
  // `deepest`; the first of those that it depends on is at `shallowest`. kNoDepth: it holds everywhere.
  std::uint16_t shallowest = kNoDepth;
  std::uint16_t deepest = 0;
  std::uint16_t distance = 0;  // of a win of either side: within so many moves
  bool lost = false;           // a "no" that is a win for the other side, not only no win

  bool yes() const { return proof == 0; }
  bool no() const { return disproof == 0; }
  bool solved() const { return yes() || no(); }
  bool holds_everywhere() const { return shallowest == kNoDepth; }

  static Verdict won(std::uint16_t distance) {
    return {.proof = 0, .disproof = kSolved, .distance = distance};
  }
  static Verdict not_won() { return {.proof = kSolved, .disproof = 0}; }
  static Verdict lost_in(std::uint16_t distance) {
    return {.proof = kSolved, .disproof = 0, .distance = distance, .lost = true};
  }
  static Verdict repeated(std::uint16_t depth) {
    return {.proof = kSolved, .disproof = 0, .shallowest = depth, .deepest = depth};
  }
};

// The positions from the root of a search to where it is, by their keys.
class Path {
 public:
  void push(const Hash128& key) {
    const std::uint64_t before = steps_.empty() ? 0 : steps_.back().signature;
    steps_.push_back({key, mix(before ^ key.low, key.high)});
  }
  void pop() { steps_.pop_back(); }
  void clear() { steps_.clear(); }
  std::size_t size() const { return steps_.size(); }

  // Identifies the positions from the root down to this depth.
  std::uint64_t signature(std::size_t depth) const { return steps_[depth].signature; }

  // Where the position stands on the path; kNoDepth: nowhere.
  std::uint16_t depth_of(const Hash128& key) const {
    for (std::size_t depth = steps_.size(); depth-- > 0;)
      if (steps_[depth].key == key) return static_cast<std::uint16_t>(depth);
    return kNoDepth;
  }

 private:
  struct Step {
    Hash128 key;
    std::uint64_t signature;
  };
  std::vector<Step> steps_;
};

// Verdicts by position, in a fixed amount of memory: when full, the most expensive ones stay. Keys are
// kept whole, so that no verdict is ever taken for that of another position.
class VerdictTable {
 public:
  // Reserves `bytes`; pages become resident as they are first used. Throws std::bad_alloc.
  explicit VerdictTable(std::size_t bytes) : count_(std::max<std::size_t>(bytes / sizeof(Bucket), 1)) {
    clear();
  }

  // Has the processor fetch what find() will read, so that waits for memory overlap.
  void prefetch(const Hash128& key) const {
    const Bucket& entries = bucket(key);
    __builtin_prefetch(&entries[0]);
    __builtin_prefetch(&entries[2]);
  }

  // The verdict on a position that is reached by `path`, if one is known.
  bool find(const Hash128& key, const Path& path, Verdict& verdict) const {
    for (const Entry& entry : bucket(key)) {
      if (entry.kind == Kind::none || entry.key != key) continue;
      const bool holds = entry.kind != Kind::no_on_path ||
                         (entry.deepest < path.size() && path.signature(entry.deepest) == entry.data);
      if (holds) verdict = entry.verdict();
      return holds;
    }
    return false;
  }

  // `effort`: nodes that the verdict took.
  void store(const Hash128& key, const Path& path, const Verdict& verdict, std::uint64_t effort) {
    Bucket& entries = bucket(key);
    Entry* place = entries.data();
    for (Entry& entry : entries) {
      if (entry.kind != Kind::none && entry.key == key) {
        place = &entry;
        break;
      }
      if (entry.effort < place->effort) place = &entry;
    }
    *place = Entry::of(key, path, verdict, effort);
  }

  // Forgets everything. Throws std::bad_alloc, and then has forgotten nothing.
  void clear() {
    std::unique_ptr<Bucket, Release> empty(static_cast<Bucket*>(std::calloc(count_, sizeof(Bucket))));
    if (!empty) throw std::bad_alloc();
    ask_for_huge_pages(empty.get());
    buckets_ = std::move(empty);
  }

 private:
  enum class Kind : std::uint8_t { none, open, yes, no, lost, no_on_path };

  struct Entry {
    Hash128 key;
    std::uint64_t data;  // both numbers if open; the path's signature if it matters
    std::uint16_t distance;
    std::uint16_t shallowest;
    std::uint16_t deepest;
    Kind kind;
    std::uint8_t effort;  // binary digits of it; 0: the entry is free

    static Entry of(const Hash128& key, const Path& path, const Verdict& verdict,
                    std::uint64_t effort) {
      const Kind kind = kind_of(verdict);
      const std::uint64_t data = kind == Kind::no_on_path
                                     ? path.signature(verdict.deepest)
                                     : std::uint64_t{verdict.disproof} << 32 | verdict.proof;
      return {key,
              data,
              verdict.distance,
              verdict.shallowest,
              verdict.deepest,
              kind,
              static_cast<std::uint8_t>(std::bit_width(effort | 1))};
    }

    static Kind kind_of(const Verdict& verdict) {
      if (verdict.yes()) return Kind::yes;
      if (!verdict.no()) return Kind::open;
      if (!verdict.holds_everywhere()) return Kind::no_on_path;
      return verdict.lost ? Kind::lost : Kind::no;
    }

    Verdict verdict() const {
      if (kind == Kind::yes) return Verdict::won(distance);
      if (kind == Kind::lost) return Verdict::lost_in(distance);
      if (kind == Kind::open)
        return {.proof = static_cast<std::uint32_t>(data),
                .disproof = static_cast<std::uint32_t>(data >> 32)};
      Verdict verdict = Verdict::not_won();
      verdict.shallowest = shallowest;
      verdict.deepest = deepest;
      return verdict;
    }
  };
  static_assert(sizeof(Entry) == 32);
  using Bucket = std::array<Entry, 4>;

  struct Release {
    void operator()(Bucket* buckets) const { std::free(buckets); }
  };

  // Almost every access is to another page: with small ones its address has to be looked up as well.
  void ask_for_huge_pages([[maybe_unused]] Bucket* buckets) const {
#ifdef MADV_HUGEPAGE
    constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20;
    const auto address = reinterpret_cast<std::uintptr_t>(buckets);
    const std::uintptr_t begin = (address + kPage - 1) / kPage * kPage;
    const std::uintptr_t end = (address + count_ * sizeof(Bucket)) / kPage * kPage;
    if (begin < end)
      madvise(reinterpret_cast<std::byte*>(buckets) + (begin - address), end - begin, MADV_HUGEPAGE);
#endif
  }

  // Indexed by the evenly distributed half: the other one is the least of several (keys.hpp).
  Bucket& bucket(const Hash128& key) const {
    return buckets_.get()[static_cast<unsigned __int128>(key.high) * count_ >> 64];
  }

  std::size_t count_;
  std::unique_ptr<Bucket, Release> buckets_;
};

}  // namespace pinchtp
