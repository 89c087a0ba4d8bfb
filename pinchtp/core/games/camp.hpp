// One side's stones in a game of joining two edges, and what is known of the chains at them.
//
// For each of the two edges a camp keeps a superset of the stones joined to it. New stones next to a
// set are flooded into it; only when they touch both sets does an exact look decide, and make the sets
// exact again if it finds no win. Stones that leave are taken out of the sets, and what was joined
// through them stays in: that is why the sets are supersets.
#pragma once

#include <array>

#include "../bitboard.hpp"

namespace pinchtp::PINCHTP_LEVEL {

// Adds to each set what it reaches by steps inside its area. Both sides at once and two steps at once:
// half the waiting for results, half the branches.
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
struct Camp {
  Board stones;
  // Joined to the bottom and to the top, or to the left and to the right; each with the guard bits of
  // its edge, which lie outside the board.
  Board low;
  Board high;

  // The first side owns bottom and top, the second left and right.
  static Camp of(Side side, int width, int height) {
    Camp camp;
    if (side == Side::first) {
      for (int x = 0; x < width; ++x) {
        camp.low |= Board::at(0, x + 1);
        camp.high |= Board::at(height + 1, x + 1);
      }
    } else {
      for (int y = 0; y < height; ++y) {
        camp.low |= Board::at(y + 1, 0);
        camp.high |= Board::at(y + 1, width + 1);
      }
    }
    return camp;
  }

  void remove(const Board& gone) {
    stones &= ~gone;
    low &= ~gone;
    high &= ~gone;
  }

  // Takes note of stones just put down, which form one group, and of their neighbours. True if they
  // touch both sets and may join the edges; the sets are then as they were, and have to be settled.
  bool join(const Board& fresh, const Board& around) {
    const bool at_low = (around & low).any();
    const bool at_high = (around & high).any();
    if (at_low && at_high) return true;
    if (at_low) low |= fresh | fresh.flood(stones & ~low);
    if (at_high) high |= fresh | fresh.flood(stones & ~high);
    return false;
  }

  // Where the look has to wait: adds a stone that touches both sets to both, and what it is joined to.
  void spread(const Board& stone) {
    low |= stone | stone.flood(stones & ~low);
    high |= stone | stone.flood(stones & ~high);
  }

  // Whether the sets alone show that no chain joins the edges: it would be part of both.
  bool is_settled() const { return !(low & high).any(); }

  // Whether a chain joins the edges, by an exact look; if none does, both sets are exact afterwards.
  bool settle(const Board& points) {
    const Board low_edge = low & ~points;
    const Board high_edge = high & ~points;
    const Board from_low = low_edge.flood(stones);
    if ((from_low.neighbours() & high_edge).any()) return true;
    low = low_edge | from_low;
    high = high_edge | high_edge.flood(stones);
    return false;
  }

  // Takes note, for both sides, of many changes at once. ever: all stones that stood at some time
  // since; now: those that do. False if the edges may have been joined in between; nothing is noted
  // then. What is joined to the high edge, nobody looks at: it may be any of the stones.
  static bool leap(std::array<Camp, 2>& camps, const std::array<Board, 2>& ever,
                   const std::array<Board, 2>& now, const Board& points) {
    std::array<Board, 2> low{camps[0].low, camps[1].low};
    flood_both(low, ever[0], ever[1]);
    for (int side = 0; side < 2; ++side)
      if ((low[side].neighbours() & camps[side].high & ~points).any()) return false;
    for (int side = 0; side < 2; ++side)
      camps[side] = {now[side], low[side] & ~(ever[side] & ~now[side]),
                     (camps[side].high & ~points) | now[side]};
    return true;
  }

  // The chains that join the edges.
  Board connection(const Board& points) const {
    return (low & ~points).flood(stones) & (high & ~points).flood(stones);
  }

  // Where one more stone, which takes none off, joins the edges.
  Board links(const Board& points) const {
    const Board near = low.neighbours() & high.neighbours() & points & ~stones;
    if (!near.any()) return near;
    const Board low_edge = low & ~points;
    const Board high_edge = high & ~points;
    return near & (low_edge | low_edge.flood(stones)).neighbours() &
           (high_edge | high_edge.flood(stones)).neighbours();
  }
};

}  // namespace pinchtp::PINCHTP_LEVEL
