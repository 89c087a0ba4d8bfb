// Answers to "can the attacker force a win?" in a position, and the path on which they may depend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../rng.hpp"
#include "../../types.hpp"
#include "word_board.hpp"

namespace pinchtp {

// Proof and disproof numbers (Allis, 1994): the remaining effort to prove a "yes" and a "no".
inline constexpr std::uint32_t kSolved = UINT32_MAX;   // number of an answer that is ruled out
inline constexpr std::uint32_t kMaxEffort = 1U << 30;  // maximum for an open answer
inline constexpr std::uint16_t kNoDepth = UINT16_MAX;  // deeper than every path
inline constexpr std::uint16_t kMaxDistance = UINT16_MAX;

// An answer, or the effort to find one.
struct Verdict {
  std::uint32_t proof = 1;     // 0: the attacker wins
  std::uint32_t disproof = 1;  // 0: the attacker does not
  // A "no" may depend on repetitions: it holds if the path has the same positions down to depth
  // `deepest`; the first position that it depends on is at `shallowest`. kNoDepth: it holds
  // everywhere.
  std::uint16_t shallowest = kNoDepth;
  std::uint16_t deepest = 0;
  std::uint16_t distance = 0;  // moves within which either side wins
  bool lost = false;           // a "no" that is also a win for the other side
  WordBoard zone{};            // on which a win of either side depends (zones.hpp); empty: unknown

  bool yes() const { return proof == 0; }
  bool no() const { return disproof == 0; }
  bool solved() const { return yes() || no(); }
  bool holds_everywhere() const { return shallowest == kNoDepth; }

  static Verdict won(std::uint16_t distance, WordBoard zone = {}) {
    return {.proof = 0, .disproof = kSolved, .distance = distance, .zone = zone};
  }
  static Verdict not_won() { return {.proof = kSolved, .disproof = 0}; }
  static Verdict lost_in(std::uint16_t distance, WordBoard zone = {}) {
    return {.proof = kSolved, .disproof = 0, .distance = distance, .lost = true, .zone = zone};
  }
  static Verdict repeated(std::uint16_t depth) {
    return {.proof = kSolved, .disproof = 0, .shallowest = depth, .deepest = depth};
  }
};

// The positions from the root of a search to the current one, by key.
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

  // The depth of a position on the path; kNoDepth if it is not there.
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

}  // namespace pinchtp
