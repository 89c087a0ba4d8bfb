// Ladders of First Capture Go: chases in which each attacking move leaves a group one liberty.
//
// The first capture wins. So a ladder fails as soon as the defender can capture anything, and works
// when the group cannot extend from its last liberty.
#pragma once

#include "../../games/capture_go.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// Whether one of these stones is in a group with at most one liberty.
template <class Board>
bool has_atari(const Board& stones, const Board& empty) {
  bool found = dead(stones, empty).any();
  for_each_atari(stones, empty, [&](Move, const Board&) { found = true; });
  return found;
}

template <class Board>
class Ladder {
 public:
  // group: of the defender, with two liberties; the attacker is to move. points: of the board.
  Ladder(const Board& group, const Board& attacker, const Board& defender, const Board& points)
      : points_(points) {
    const Stones stones{attacker, defender};
    liberties(group, stones).for_each([&](Move move) {
      if (catches(group, stones, Board::at(move))) moves_ |= Board::at(move);
    });
  }

  // The liberties that start a working ladder.
  const Board& moves() const { return moves_; }

 private:
  static constexpr int kMaxMoves = 64;  // of the attacker, in all variations together

  struct Stones {
    Board attacker;
    Board defender;
  };

  Board empty(const Stones& stones) const { return points_ & ~(stones.attacker | stones.defender); }
  Board liberties(const Board& group, const Stones& stones) const {
    return group.neighbours() & empty(stones);
  }

  bool catches(const Board& group, Stones stones, const Board& move) {
    if (++moves_read_ > kMaxMoves) return false;
    stones.attacker |= move;
    return !has_atari(stones.attacker, empty(stones)) && !escapes(group, stones);
  }

  // Whether the group, which has one liberty, escapes by filling it.
  bool escapes(const Board& group, Stones stones) {
    const Board last = liberties(group, stones);
    stones.defender |= last;
    const Board longer = last | last.flood(stones.defender);
    const Board left = liberties(longer, stones);
    const int count = left.count();
    if (count != 2) return count > 2;
    bool is_caught = false;
    left.for_each(
        [&](Move move) { is_caught = is_caught || catches(longer, stones, Board::at(move)); });
    return !is_caught;
  }

  Board points_;
  Board moves_;
  int moves_read_ = 0;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
