// A playout of First Capture Go that fills the board first and tests legality later.
//
// Many stones are placed in turn without a test; then the whole board is tested. If every group has
// a liberty, every placement was legal and captured nothing. Otherwise the first placement that
// killed a group counts: a capture ends the game; a suicide is drawn again. Later placements stay:
// no test depended on them yet, so they still are a uniformly random order of the remaining points.
//
// On 9x9 most of the time goes into tests and into finding the first loss, on 19x19 into drawing
// and placing stones. Testing after half of the empty points, then after every 3/32 more, was the
// best of a dozen such pairs on 9x9, and within 3 % of the best on 19x19.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <utility>

#include "../../bitboard.hpp"
#include "../../games/capture_go.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// Plays from a position in which every group has a liberty to the end of the game.
template <class Board>
class RandomFill {
 public:
  // `mover` moves first; every group must have a liberty.
  RandomFill(const Board& mover, const Board& enemy, const Board& empty)
      : words_{mover.words(), enemy.words()}, points_(mover | enemy | empty) {
    empty.for_each_bit([&](int bit) { order_[total_++] = static_cast<std::uint16_t>(bit); });
  }

  // Plays to the first capture. Returns the captured stones, which stay on the board, or none if a
  // player ran out of legal placements first.
  Board run(Rng& rng) {
    place_until((total_ + 1) / 2, rng);
    for (;;) {
      std::array<Board, 2> lost = dead_stones();
      if (!(lost[0] | lost[1]).any()) {
        place_until(std::min(placed_ + step(), total_), rng);
        continue;
      }
      const int last = first_loss(lost);
      const Board& captured = lost[1 - last % 2];
      if (captured.any()) {
        cut(last + 1);
        return captured;
      }
      if (!place_instead(last, rng)) {
        cut(last);
        return Board();
      }
    }
  }

  // The number of placements, the i-th of them, and the stones of the first (0) or second player.
  int placements() const { return placed_; }
  Move at(int i) const { return Board::point_at(order_[i]); }
  Board stones(int player) const { return Board(words_[player]); }

 private:
  using Words = typename Board::Words;

  // Stones placed between two tests.
  int step() const { return std::max(total_ * 3 / 32, 4); }

  static void flip(Words& words, int bit) { words[bit / 64] ^= std::uint64_t{1} << (bit % 64); }
  static bool has(const Words& words, int bit) { return (words[bit / 64] >> (bit % 64)) & 1; }

  // Puts the i-th stone on the board, or removes it.
  void toggle(int i) { flip(words_[i % 2], order_[i]); }

  void place_until(int count, Rng& rng) {
    Rng here = rng;  // stays in a register: the compiler must assume that rng is part of words_
    for (; placed_ < count; ++placed_) {
      const auto left = static_cast<std::uint32_t>(total_ - placed_);
      std::swap(order_[placed_], order_[placed_ + static_cast<int>(here.below(left))]);
      toggle(placed_);
    }
    rng = here;
  }

  void cut(int count) {
    while (placed_ > count) {
      --placed_;
      toggle(placed_);
    }
  }

  std::array<Board, 2> dead_stones() const {
    const Board first = stones(0);
    const Board second = stones(1);
    const Board empty = points_ & ~(first | second);
    return {dead(first, empty), dead(second, empty)};
  }

  // Returns the index of the first placement that killed a group, and reduces `lost` to that group
  // and any others killed by the same placement.
  int first_loss(std::array<Board, 2>& lost) const {
    int i = placed_;
    for (;;) {
      const Board both = lost[0] | lost[1];
      const Words around = (both | both.neighbours()).words();
      do {
        --i;
        assert(i >= 0);  // a dead group has lost its last liberty to one of the stones
      } while (!has(around, order_[i]));
      const Board stone = Board::at(at(i));
      std::array<Board, 2> now;
      for (int who = 0; who < 2; ++who) {
        now[who] = lost[who] & (stone | stone.flood(lost[who]));
        lost[who] &= ~now[who];
      }
      if (!(lost[0] | lost[1]).any()) {
        lost = now;
        return i;
      }
    }
  }

  // Replaces the i-th placement, a suicide, by another; false if no legal point is left.
  bool place_instead(int i, Rng& rng) {
    if (i != retried_) {
      retried_ = i;
      refused_count_ = 0;
      refused_ = {};
    }
    flip(refused_, order_[i]);
    if (++refused_count_ == total_ - i) return false;
    int j;
    do {
      j = i + 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(total_ - i - 1)));
    } while (has(refused_, order_[j]));
    toggle(i);
    if (j < placed_) toggle(j);
    std::swap(order_[i], order_[j]);
    toggle(i);
    if (j < placed_) toggle(j);
    return true;
  }

  std::uint16_t order_[kMaxSize * kMaxSize];  // bits of points: as placed, then those still empty
  int total_ = 0;
  int placed_ = 0;
  Words words_[2];
  Board points_;
  int retried_ = -1;  // the last placement drawn again; below, the points that failed for it
  int refused_count_ = 0;
  Words refused_{};
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
