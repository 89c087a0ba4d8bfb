// Static evaluation of Bushka: a network with one hidden layer, trained on game results.
//
// Its inputs are the pieces by owner, kind and square, relative to the back rank of each side. Half
// of the hidden units apply the weights of the other half to the mirrored board. The sums of
// weights are updated with each move. tools/learn/statics describes the training.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../../games/bushka_board.hpp"
#include "../../types.hpp"
#include "bushka_kings.hpp"
#include "bushka_weights.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

class BushkaEvaluation {
  using Squares = bushka_rules::Squares;
  using Pieces = bushka_rules::Pieces;

 public:
  // A score of kPointsPerLogit corresponds to odds of e : 1.
  static constexpr int kPointsPerLogit = bushka_weights::kPointsPerLogit;

  explicit BushkaEvaluation(const Pieces& board) {
    sums_[0] = sums_[1] = kBias;
    for (const Side side : {Side::first, Side::second}) {
      add(side, false, board.men[index(side)]);
      add(side, true, board.kings[index(side)]);
    }
  }

  void add(Side owner, bool are_kings, Squares squares) {
    change(owner, are_kings, squares, [](auto& sum, auto weight) { sum += weight; });
  }
  void remove(Side owner, bool are_kings, Squares squares) {
    change(owner, are_kings, squares, [](auto& sum, auto weight) { sum -= weight; });
  }

  // The score for the side to move. `board` must contain exactly the pieces added.
  int score(const Pieces& board, Side turn) const {
    if (BushkaKings::covers(board))
      return turn == Side::first ? BushkaKings::score(board) : -BushkaKings::score(board);
    const int sum = bushka_weights::kOutputBias + dot(sums_[index(turn)], kOutputs[0]) +
                    dot(sums_[index(other(turn))], kOutputs[1]);
    return sum / (bushka_weights::kOne * bushka_weights::kOutputsPerPoint);
  }

 private:
  static constexpr int kHalf = bushka_weights::kUnits;
  static constexpr int kUnits = 2 * kHalf;
  static constexpr int kLastBit = std::bit_width(bushka_rules::kBoard) - 1;
  using Row = std::array<std::int16_t, kUnits>;
  using Inputs = std::array<std::array<std::array<Row, kLastBit + 1>, 2>, 2>;

  // The input weights, by enemy or not, king or not, and the bit of the square.
  static constexpr Inputs kInputs = [] {
    Inputs inputs{};
    for (std::size_t owner = 0; owner < 2; ++owner)
      for (std::size_t kind = 0; kind < 2; ++kind) {
        const auto& weights = bushka_weights::kInputs[owner][kind];
        for (int number = 4, square = 0; number >= -4; --number) {
          const Squares row = bushka_rules::row(number);
          const int count = std::popcount(row);
          for (int i = 0; i < count; ++i)
            for (int unit = 0; unit < kHalf; ++unit) {
              Row& input = inputs[owner][kind][std::countr_zero(row) + i];
              input[unit] = weights[square + i][unit];
              input[kHalf + unit] = weights[square + count - 1 - i][unit];
            }
          square += count;
        }
      }
    return inputs;
  }();

  static constexpr auto kDoubled = [](const std::int16_t (&weights)[kHalf]) {
    Row row{};
    for (std::size_t unit = 0; unit < kUnits; ++unit) row[unit] = weights[unit % kHalf];
    return row;
  };
  static constexpr Row kBias = kDoubled(bushka_weights::kBias);
  static constexpr Row kOutputs[2] = {kDoubled(bushka_weights::kOutputs[0]),
                                      kDoubled(bushka_weights::kOutputs[1])};

  template <class Change>
  void change(Side owner, bool are_kings, Squares squares, Change&& by) {
    bushka_rules::for_each(squares, [&](Squares one) {
      const int bit = std::countr_zero(one);
      for (int view = 0; view < 2; ++view) {
        const Row& row = kInputs[view != index(owner)][are_kings][view == 0 ? bit : kLastBit - bit];
        for (int unit = 0; unit < kUnits; ++unit) by(sums_[view][unit], row[unit]);
      }
    });
  }

  static int dot(const Row& sums, const Row& weights) {
    int total = 0;
    for (int unit = 0; unit < kUnits; ++unit)
      total += std::clamp<std::int16_t>(sums[unit], 0, bushka_weights::kOne) * weights[unit];
    return total;
  }

  Row sums_[2];  // by the perspective of each side
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
