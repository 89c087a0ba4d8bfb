// Static evaluation of Bushka: weights learned from results of games.
//
// The men count by windows of two neighbouring rows, three squares of the left or the right half of
// each. tools/learn/statics says how the weights in bushka_weights.hpp were learned.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../../games/bushka_board.hpp"
#include "../../types.hpp"
#include "bushka_kings.hpp"
#include "bushka_weights.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

namespace bushka_score {

inline constexpr int kRows = 9;  // from White's back rank to Black's, of six and five squares
inline constexpr int kPairs = kRows - 1;
inline constexpr int kTrios = 27;  // three squares, each empty or with a man of either side
inline constexpr int kPatterns = kTrios * kTrios;
inline constexpr int kMaxMen = 34;

// With men of the other color.
constexpr int exchanged(int trio) {
  int number = 0;
  for (int power = 1; power < kTrios; power *= 3) {
    const int state = trio / power % 3;
    number += power * (state == 0 ? 0 : 3 - state);
  }
  return number;
}

constexpr int first_bit(int row) { return 13 * (row / 2) + 7 * (row % 2); }

}  // namespace bushka_score

class BushkaScore {
 public:
  // A score of kPointsPerLogit means odds of e : 1.
  static constexpr int kPointsPerLogit = bushka_weights::kPointsPerLogit;

  // For the side to move.
  static int of(const bushka_rules::Pieces& board, Side turn) {
    using namespace bushka_weights;
    if (BushkaKings::know(board))
      return turn == Side::first ? BushkaKings::of(board) : -BushkaKings::of(board);
    const int white_men = std::popcount(board.men[0]);
    const int black_men = std::popcount(board.men[1]);
    const int few = bushka_score::kMaxMen - white_men - black_men;
    int kings = 0;
    int score = of_windows(board.men[0], board.men[1]);
    for (const Side side : {Side::first, Side::second}) {
      const int sign = side == Side::first ? 1 : -1;
      bushka_rules::for_each(board.kings[index(side)], [&](bushka_rules::Squares one) {
        score +=
            sign * kKingWorth[side == Side::first][static_cast<std::size_t>(std::countr_zero(one))];
        kings += sign;
      });
    }
    score += (white_men - black_men) * few * kMenIfFew / bushka_score::kMaxMen +
             kings * few * kKingsIfFew / bushka_score::kMaxMen;
    const int to_move = kTurn + few * kTurnIfFew / bushka_score::kMaxMen;
    return turn == Side::first ? to_move + score : to_move - score;
  }

 private:
  using Squares = bushka_rules::Squares;

  // The number of three squares, given three bits of White's men and three of Black's above them; also
  // read from the right.
  static constexpr auto kTrio = [] {
    std::array<std::array<std::uint8_t, 64>, 2> numbers{};
    for (unsigned bits = 0; bits < 64; ++bits)
      for (unsigned i = 0, power = 1; i < 3; ++i, power *= 3) {
        const auto state = static_cast<std::uint8_t>((bits >> i & 1) + 2 * (bits >> (i + 3) & 1));
        const unsigned mirrored = i == 0 ? 9 : i == 1 ? 3 : 1;
        numbers[0][bits] = static_cast<std::uint8_t>(numbers[0][bits] + power * state);
        numbers[1][bits] = static_cast<std::uint8_t>(numbers[1][bits] + mirrored * state);
      }
    return numbers;
  }();

  // For all pairs of rows: those of Black's half are the others seen by Black.
  static constexpr auto kWindows = [] {
    std::array<std::array<std::int16_t, bushka_score::kPatterns>, bushka_score::kPairs> windows{};
    for (int pair = 0; pair < bushka_score::kPairs; ++pair)
      for (int code = 0; code < bushka_score::kPatterns; ++code) {
        const bool is_near = pair < bushka_score::kPairs / 2;
        const int lower = code % bushka_score::kTrios;
        const int upper = code / bushka_score::kTrios;
        const int seen =
            bushka_score::exchanged(upper) + bushka_score::kTrios * bushka_score::exchanged(lower);
        windows[static_cast<std::size_t>(pair)][static_cast<std::size_t>(code)] =
            is_near ? bushka_weights::kWindows[pair][code]
                    : static_cast<std::int16_t>(
                          -bushka_weights::kWindows[bushka_score::kPairs - 1 - pair][seen]);
      }
    return windows;
  }();

  // A king's worth by its square: for Black, and for White.
  static constexpr auto kKingWorth = [] {
    std::array<std::array<std::int16_t, 64>, 2> worth{};
    for (int row = 0; row < bushka_score::kRows; ++row) {
      const int count = row % 2 == 0 ? 6 : 5;
      for (int i = 0; i < count; ++i) {
        const int place = i < count - 1 - i ? i : count - 1 - i;
        const auto bit = static_cast<std::size_t>(bushka_score::first_bit(row) + i);
        worth[1][bit] = bushka_weights::kKings[row][place];
        worth[0][bit] = bushka_weights::kKings[bushka_score::kRows - 1 - row][place];
      }
    }
    return worth;
  }();

  static int of_windows(Squares white, Squares black) {
    int score = 0;
    std::size_t before[2] = {};
    for (int row = 0; row < bushka_score::kRows; ++row) {
      const int left = bushka_score::first_bit(row);
      const int right = left + (row % 2 == 0 ? 3 : 2);
      const std::size_t now[2] = {kTrio[0][bits(white, black, left)],
                                  kTrio[1][bits(white, black, right)]};
      if (row > 0)
        for (int half = 0; half < 2; ++half)
          score += kWindows[static_cast<std::size_t>(row - 1)]
                           [before[half] + bushka_score::kTrios * now[half]];
      before[0] = now[0];
      before[1] = now[1];
    }
    return score;
  }
  static std::size_t bits(Squares white, Squares black, int from) {
    return (white >> from & 7) | (black >> from & 7) << 3;
  }
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
