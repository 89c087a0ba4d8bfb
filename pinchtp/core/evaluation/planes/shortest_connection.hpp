// The shortest connections of two edges: a flood fill that counts stones still to be put down.
#pragma once

#include <cstddef>
#include <optional>

#include "../../bitboard.hpp"
#include "../../games/edge_connections.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// The minimum number of stones that connect a side's edges if the other side never moves, and the
// empty points on all such connections of that length.
template <class Board>
class ShortestConnection {
 public:
  ShortestConnection(const EdgeConnections<Board>& connections, const Board& empty,
                     const Board& points) {
    const Board low_edge = connections.low & ~points;
    const Board high_edge = connections.high & ~points;
    Steps up;
    Steps down;
    const int count = walk(low_edge, high_edge, connections.stones, empty, up);
    if (count > kMax) return;
    stones_ = count;
    walk(high_edge, low_edge, connections.stones, empty, down);
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      on_way_ |= up[at] & down[static_cast<std::size_t>(count) - 1 - at];
    }
  }

  // nullopt if unreachable within kMax steps.
  std::optional<int> stones() const { return stones_; }
  const Board& points() const { return on_way_; }

 private:
  static constexpr int kMax = 32;
  // The empty points, by the number of stones needed to join them, minus one.
  using Steps = UnsetBoards<Board, kMax + 1>;

  // Flood fill in steps of one stone; returns the number of steps to `to`, or more than kMax.
  static int walk(const Board& from, const Board& to, const Board& stones, const Board& empty,
                  Steps& steps) {
    Board reached = from | from.flood(stones);
    for (int count = 0; count <= kMax; ++count) {
      if ((reached.neighbours() & to).any()) return count;
      const Board next = reached.neighbours() & empty & ~reached;
      if (!next.any()) return kMax + 1;
      steps.set(static_cast<std::size_t>(count), next);
      reached |= next | next.flood(stones & ~reached);
    }
    return kMax + 1;
  }

  std::optional<int> stones_;
  Board on_way_;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
