// The fifty squares of Bushka as bits of one word, and steps along its lines as shifts.
//
// Square (x, y), its letter and digit counted from 0, is bit 24 + 7 y - 6 x: e1 is bit 0, f0 is bit
// 57. The rows from White's back rank to Black's follow each other, with an unused bit after each.
// A step off the board ends on an unused bit or outside the word.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "../types.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET::bushka_rules {

inline constexpr int kSide = 10;

// A set of squares; a single square is a set of one.
using Squares = std::uint64_t;

constexpr bool is_square(int x, int y) {
  return -4 <= x - y && x - y <= 4 && 4 <= x + y && x + y <= 14;
}
constexpr Squares square(int x, int y) { return Squares{1} << (24 + 7 * y - 6 * x); }
// The square of a move, or an empty set.
constexpr Squares square(Move move) {
  return is_point(move) && is_square(x_of(move), y_of(move)) ? square(x_of(move), y_of(move)) : 0;
}

inline constexpr auto kMoveOfBit = [] {
  std::array<Move, 64> moves{};
  moves.fill(kNoMove);
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x)
      if (is_square(x, y))
        moves[static_cast<std::size_t>(std::countr_zero(square(x, y)))] = point(x, y);
  return moves;
}();
constexpr Move move_to(Squares one) {
  return kMoveOfBit[static_cast<std::size_t>(std::countr_zero(one))];
}

inline constexpr Squares kBoard = [] {
  Squares all = 0;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x)
      if (is_square(x, y)) all |= square(x, y);
  return all;
}();

// A row by its number in the rules, x - y: White's back rank is 4, Black's is -4.
constexpr Squares row(int number) {
  Squares squares = 0;
  for (int y = 0; y < kSide; ++y)
    if (is_square(y + number, y)) squares |= square(y + number, y);
  return squares;
}
inline constexpr Squares kStart[2] = {row(4) | row(3) | row(2), row(-4) | row(-3) | row(-2)};
// The squares on which a man of each side becomes a king.
inline constexpr Squares kFarRank[2] = {row(-4), row(4)};

// Directions 0 and 1 (digit up, letter down) are forward for the first side, White; 2 and 3 for
// Black.
inline constexpr int kDirections = 4;
inline constexpr int kSteps[kDirections] = {7, 6, -7, -6};
constexpr int back(int direction) { return direction ^ 2; }
constexpr int forward(Side side, int which) { return 2 * index(side) + which; }

// Moves all squares of a set by one step; meaningful only for steps that stay on the board.
constexpr Squares step(Squares squares, int direction, int distance = 1) {
  const int by = kSteps[direction] * distance;
  return by > 0 ? squares << by : squares >> -by;
}

// The squares reached from a set in a direction, across open squares.
constexpr Squares slide(Squares from, int direction, Squares open) {
  Squares reached = 0;
  for (Squares next = from; (next = step(next, direction) & open) != 0;) reached |= next;
  return reached;
}

// The squares and all squares behind them in an unbroken line of `men`.
constexpr Squares with_line_behind(Squares heads, int direction, Squares men) {
  Squares lines = heads;
  for (int distance = 1; distance < 8; distance *= 2) {  // a line has nine squares, the last one vacant
    lines |= men & step(lines, back(direction), distance);
    men &= step(men, back(direction), distance);
  }
  return lines;
}

// The pieces, by side.
struct Pieces {
  Squares men[2] = {kStart[0], kStart[1]};
  Squares kings[2] = {};

  Squares of(Side side) const { return men[index(side)] | kings[index(side)]; }
  Squares vacant() const { return kBoard & ~(of(Side::first) | of(Side::second)); }
};

// Calls visit(one) for every square of a set.
template <class Visit>
void for_each(Squares squares, Visit&& visit) {
  for (; squares != 0; squares &= squares - 1) visit(squares & -squares);
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET::bushka_rules
