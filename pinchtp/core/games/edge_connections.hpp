// One side of a connection game: its stones, and those connected to each of its two edges.
//
// For each of the two edges, this class keeps a superset of the stones connected to it. New stones
// next to a set are added to it by flood fill. Only when they touch both sets is the connection
// tested exactly; without a win, this test makes the sets exact again. Stones removed from the
// board leave the sets, but stones connected through them stay; hence supersets.
#pragma once

#include <array>

#include "../bitboard.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// Flood fill of both sets, each inside its area. Handling both sides and two steps per pass halves
// the latency and the number of branches.
template <class Board>
PINCHTP_INLINE inline void flood_both(std::array<Board, 2>& sets, const Board& first_area,
                                      const Board& second_area) {
  Board grown;
  do {
    const Board first = sets[0] | (sets[0].neighbours() & first_area);
    const Board second = sets[1] | (sets[1].neighbours() & second_area);
    sets[0] = first | (first.neighbours() & first_area);
    sets[1] = second | (second.neighbours() & second_area);
    grown = (sets[0] & ~first) | (sets[1] & ~second);
  } while (grown.any());
}

template <class Board>
struct EdgeConnections {
  Board stones;
  // Stones connected to the bottom and to the top, or to the left and to the right; each with the
  // guard bits of its edge, which are outside the board.
  Board low;
  Board high;

  // The first side owns bottom and top, the second left and right.
  static EdgeConnections of(Side side, int width, int height) {
    EdgeConnections connections;
    if (side == Side::first) {
      for (int x = 0; x < width; ++x) {
        connections.low |= Board::at(0, x + 1);
        connections.high |= Board::at(height + 1, x + 1);
      }
    } else {
      for (int y = 0; y < height; ++y) {
        connections.low |= Board::at(y + 1, 0);
        connections.high |= Board::at(y + 1, width + 1);
      }
    }
    return connections;
  }

  void remove(const Board& gone) {
    stones &= ~gone;
    low &= ~gone;
    high &= ~gone;
  }

  // Adds new stones, which form one group, given with their neighbours. True if they touch both
  // sets, so that they may connect the edges; then the sets are unchanged, and settle() decides.
  bool join(const Board& fresh, const Board& neighbourhood) {
    const bool at_low = (neighbourhood & low).any();
    const bool at_high = (neighbourhood & high).any();
    if (at_low && at_high) return true;
    if (at_low) low |= fresh | fresh.flood(stones & ~low);
    if (at_high) high |= fresh | fresh.flood(stones & ~high);
    return false;
  }

  // Adds a stone that touches both sets, and its group, to both, when the exact test has to wait.
  void join_both(const Board& stone) {
    low |= stone | stone.flood(stones & ~low);
    high |= stone | stone.flood(stones & ~high);
  }

  // Whether the sets alone prove that no chain connects the edges: it would be in both.
  bool is_settled() const { return !(low & high).any(); }

  // Tests exactly whether a chain connects the edges; if none does, both sets are exact afterwards.
  bool settle(const Board& points) {
    const Board low_edge = low & ~points;
    const Board high_edge = high & ~points;
    const Board from_low = low_edge.flood(stones);
    if ((from_low.neighbours() & high_edge).any()) return true;
    low = low_edge | from_low;
    high = high_edge | high_edge.flood(stones);
    return false;
  }

  // Updates both sides after many moves. ever: all stones on the board at any time since; now: the
  // current stones. False if a side may have been connected in between; then the connections are
  // unchanged. `high` becomes the largest superset, all stones.
  static bool update_both(std::array<EdgeConnections, 2>& connections, const std::array<Board, 2>& ever,
                          const std::array<Board, 2>& now, const Board& points) {
    std::array<Board, 2> low{connections[0].low, connections[1].low};
    flood_both(low, ever[0], ever[1]);
    for (int side = 0; side < 2; ++side)
      if ((low[side].neighbours() & connections[side].high & ~points).any()) return false;
    for (int side = 0; side < 2; ++side)
      connections[side] = {now[side], low[side] & ~(ever[side] & ~now[side]),
                           (connections[side].high & ~points) | now[side]};
    return true;
  }

  // The chains that connect the edges.
  Board connection(const Board& points) const {
    return (low & ~points).flood(stones) & (high & ~points).flood(stones);
  }

  // The points where one more stone, without captures, connects the edges.
  Board links(const Board& points) const {
    const Board near = low.neighbours() & high.neighbours() & points & ~stones;
    if (!near.any()) return near;
    const Board low_edge = low & ~points;
    const Board high_edge = high & ~points;
    return near & (low_edge | low_edge.flood(stones)).neighbours() &
           (high_edge | high_edge.flood(stones)).neighbours();
  }
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
