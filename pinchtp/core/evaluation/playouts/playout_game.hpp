// Random games: common parts of the games in this folder.
#pragma once

#include <cstdint>

#include "../../rng.hpp"
#include "../../types.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// A position of the game G that plays itself to the end; its members are set by G::visit_members().
// Specialized for each game, each in a file of its own:
//
//   Playout play_to_end(Rng& rng, Placements& placed);
//
// play_to_end() plays random moves, and calls placed.add(side, move) for every stone put down that
// shares in all-moves-as-first statistics; what is left is the final position.
template <class G>
class PlayoutGame;

// Any of some points, each as likely as the others.
template <class Board>
Move random_point(const Board& points, Rng& rng) {
  return points.nth(static_cast<int>(rng.below(static_cast<std::uint32_t>(points.count()))));
}

// Whether to swap instead of placing on one of these points.
template <class Board>
bool takes_swap(const Board& points, Rng& rng) {
  return rng.below(static_cast<std::uint32_t>(points.count() + 1)) == 0;
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
