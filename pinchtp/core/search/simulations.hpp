// What simulations tell the nodes they went through: one simulation, or the sum of several.
#pragma once

#include <cstdint>

#include "../types.hpp"
#include "lanes.hpp"
#include "nodes.hpp"

namespace pinchtp::PINCHTP_LEVEL {

// Two for a win, one for a draw.
inline std::uint32_t score(Outcome outcome, Side side) {
  return outcome == Outcome::draw ? 1 : outcome == win_for(side) ? 2 : 0;
}

// What eight nodes get for all moves as first: in how many simulations the stone was put down, by this
// move or later, and their score.
struct Credit {
  Words visits;
  Words score;
};

// One simulation from some node on: how it ended, and where stones were put down.
struct Simulation {
  Outcome outcome = Outcome::none;
  Placements placed = {};

  void add(Side side, Move move) { placed.add(side, move); }
  std::uint32_t score(Side side) const { return PINCHTP_LEVEL::score(outcome, side); }

  // For choices of `chooser`.
  Credit credit(const Nodes& nodes, Side chooser) const {
    const Words moves = points(nodes);
    const Words hits = (pick(placed.rows[index(nodes.stone)], moves / kStride) >> (moves % kStride)) &
                       bits(nodes.shares) & 1;
    return {hits, hits * score(chooser)};
  }
};

// Several simulations from one node on, which the nodes above it are told of at once.
class Simulations {
 public:
  static constexpr std::uint32_t kMost = 0x7fff;  // simulations

  void clear() {
    total_ = 0;
    for (auto& side : points_)
      for (std::uint32_t& point : side) point = 0;
  }

  void add(const Simulation& simulation) {
    const std::uint32_t one = 1 + kOneScore * simulation.score(Side::first);
    total_ += one;
    for (int side = 0; side < 2; ++side)
      for (std::uint32_t y = 0; y < kStride; ++y)
        if (const std::uint32_t row = simulation.placed.rows[side][y]; row != 0)
          add_row(&points_[side][y * kStride], row, one);
  }

  // The same stone was put down in all of them.
  void add(Side side, Move move) { points_[index(side)][move] = total_; }

  std::uint32_t count() const { return total_ % kOneScore; }
  std::uint32_t score(Side side) const {
    const std::uint32_t first = total_ / kOneScore;
    return side == Side::first ? first : 2 * count() - first;
  }

  Credit credit(const Nodes& nodes, Side chooser) const {
    const Words sums =
        pick(points_[index(nodes.stone)], points(nodes)) & (Words{} - bits(nodes.shares));
    const Words visits = sums % kOneScore;
    const Words first = sums / kOneScore;
    return {visits, chooser == Side::first ? first : 2 * visits - first};
  }

 private:
  // A sum is a number of simulations and, times this, the first side's score in them.
  static constexpr std::uint32_t kOneScore = 1 << 16;

  static void add_row(std::uint32_t* sums, std::uint32_t row, std::uint32_t one) {
    for (std::uint32_t x = 0; x < kStride; x += Nodes::kLanes) {
      auto& eight = *reinterpret_cast<Words*>(sums + x);
      eight += bits(row >> x) * one;
    }
  }

  std::uint32_t total_ = 0;
  alignas(64) std::uint32_t points_[2][kPoints] = {};  // by side and move
};

}  // namespace pinchtp::PINCHTP_LEVEL
