// Static evaluation of Bushka endings with kings alone.
//
// According to `pinchtp solve`, endings with one or two kings per side are drawn, except for
// captures within a few turns; three kings against one win in at most seventeen turns.
#pragma once

#include <bit>

#include "../../games/bushka_board.hpp"
#include "../../types.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

class BushkaKings {
  using Squares = bushka_rules::Squares;

 public:
  // Whether the board is an ending that this class evaluates.
  static bool covers(const bushka_rules::Pieces& board) {
    if (board.men[0] | board.men[1]) return false;
    const int white = std::popcount(board.kings[0]);
    const int black = std::popcount(board.kings[1]);
    return (white <= 2 && black <= 2) || white == 1 || black == 1;
  }

  // The score for White. A lone king is worse off with fewer safe squares.
  static int score(const bushka_rules::Pieces& board) {
    for (const Side side : {Side::first, Side::second}) {
      const Squares kings = board.kings[index(side)];
      if (std::popcount(kings) <= 2) continue;
      const Squares lone = board.kings[index(other(side))];
      const Squares safe = kBoard & ~kings & ~covered(kings, lone);
      const int score = kWon + kKing * std::popcount(kings) - kSafe * std::popcount(safe) -
                        kNear * std::popcount(safe & reached(lone, board.vacant()));
      return side == Side::first ? score : -score;
    }
    return 0;
  }

 private:
  static constexpr Squares kBoard = bushka_rules::kBoard;
  static constexpr int kWon = 1000;
  static constexpr int kKing = 100;
  static constexpr int kSafe = 10;
  static constexpr int kNear = 20;

  static Squares reached(Squares king, Squares vacant) {
    Squares squares = 0;
    for (int direction = 0; direction < bushka_rules::kDirections; ++direction)
      squares |= bushka_rules::slide(king, direction, vacant);
    return squares;
  }

  // The squares on which the kings could capture a lone king of the other side: those they attack,
  // except the squares next to them.
  static Squares covered(Squares kings, Squares lone) {
    const Squares open = kBoard & ~kings;
    Squares squares = 0;
    for (int direction = 0; direction < bushka_rules::kDirections; ++direction) {
      const Squares next_to = bushka_rules::step(kings, direction) & open & ~lone;
      squares |= bushka_rules::slide(next_to, direction, open);
    }
    return squares;
  }
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
