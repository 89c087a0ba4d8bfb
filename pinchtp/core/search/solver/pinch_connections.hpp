// Connections of Pinch on a board that fits one word, for the solver.
#pragma once

#include <array>

#include "../../games/pinch.hpp"
#include "../../types.hpp"
#include "word_board.hpp"

namespace pinchtp {

// The two opposite edges that a side has to connect.
struct WordEdges {
  WordBoard low;
  WordBoard high;
};

// Returns the edges of each side.
inline std::array<WordEdges, 2> edges_of(BoardSize size) {
  std::array<WordEdges, 2> edges;
  for (int x = 0; x < size.width; ++x) {
    edges[0].low |= WordBoard::at(x, 0);
    edges[0].high |= WordBoard::at(x, size.height - 1);
  }
  for (int y = 0; y < size.height; ++y) {
    edges[1].low |= WordBoard::at(0, y);
    edges[1].high |= WordBoard::at(size.width - 1, y);
  }
  return edges;
}

// One side's stones, and the points where a new stone would be connected to each of its edges.
struct ConnectedStones {
  ConnectedStones(WordBoard own, const WordEdges& edges)
      : stones(own), reach{reach_of(own, edges.low), reach_of(own, edges.high)} {}

  // Whether a group of new stones would connect the edges.
  bool connects(WordBoard fresh) const {
    return (fresh & reach.low).any() && (fresh & reach.high).any();
  }

  bool wins_at(WordBoard stone, WordBoard enemy) const {
    WordBoard own = stones;
    PINCHTP_INSTRUCTION_SET::place_and_flip(own, enemy, stone.cross());
    return connects(own & ~stones);
  }

  // The winning captures.
  WordBoard winning_captures(WordBoard enemy, WordBoard empty) const {
    WordBoard wins;
    (empty & PINCHTP_INSTRUCTION_SET::pinching(stones, enemy)).for_each([&](WordBoard stone) {
      if (wins_at(stone, enemy)) wins |= stone;
    });
    return wins;
  }

  WordBoard stones;
  WordEdges reach;

 private:
  static WordBoard reach_of(WordBoard own, WordBoard edge) {
    return edge | (edge & own).grown(own).neighbours();
  }
};

}  // namespace pinchtp
