// The moves of a playout from which the next one is drawn.
#pragma once

#include <cassert>
#include <cstdint>

#include "../../rng.hpp"
#include "../../types.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// Points in no particular order: first the free ones, then those held back, which cannot be drawn
// until they are released.
class CandidateMoves {
 public:
  std::uint32_t free() const { return free_; }
  std::uint32_t held() const { return held_; }

  // Only while nothing is held back.
  void add(Move move) { points_[free_++] = move; }
  void hold(Move move) { points_[free_ + held_++] = move; }
  // Holds a point if `count` is 1, not if it is 0, without a branch.
  void hold_if(Move move, unsigned count) {
    points_[free_ + held_] = move;
    held_ += count;
  }
  void release() {
    free_ += held_;
    held_ = 0;
  }

  // Picks a uniformly random free point; `take` removes it.
  std::uint32_t pick(Rng& rng) const { return rng.below(free_); }
  Move operator[](std::uint32_t picked) const { return points_[picked]; }
  Move take(std::uint32_t picked) {
    assert(picked < free_);
    const Move move = points_[picked];
    points_[picked] = points_[--free_];
    points_[free_] = points_[free_ + held_];
    return move;
  }

 private:
  Move points_[kMaxSize * kMaxSize + 1];  // hold_if() writes one past the last
  std::uint32_t free_ = 0;
  std::uint32_t held_ = 0;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
