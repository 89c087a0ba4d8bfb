// Playouts: common code of the games in this directory.
#pragma once

#include <cstdint>

#include "../../rng.hpp"
#include "../../types.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// A position of game G that plays itself to the end; G::visit_members() sets its members. Each game
// specializes it in a file of its own:
//
//   Playout play_to_end(Rng& rng, Placements& placed);
//
// play_to_end() plays random moves, and calls placed.add(side, move) for every stone put down that
// counts in the all-moves-as-first statistics. The object then contains the final position.
template <class G>
class PlayoutGame;

// Draws a uniformly random point.
template <class Board>
Move random_point(const Board& points, Rng& rng) {
  return points.nth(static_cast<int>(rng.below(static_cast<std::uint32_t>(points.count()))));
}

// Draws whether to swap instead of placing a stone on one of these points.
template <class Board>
bool takes_swap(const Board& points, Rng& rng) {
  return rng.below(static_cast<std::uint32_t>(points.count() + 1)) == 0;
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
