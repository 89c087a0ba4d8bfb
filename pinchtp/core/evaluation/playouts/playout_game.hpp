// Random games: common parts of the games in this folder.
#pragma once

#include <concepts>
#include <cstdint>

#include "../../rng.hpp"
#include "../../types.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// A position of the game G that plays itself to the end. Specialized for each game, each in a file of
// its own:
//
//   explicit PlayoutGame(const G& start);
//   Playout play_to_end(Rng& rng, Placed& placed);
//
// play_to_end() plays random moves, and calls placed.add(side, move) for every stone put down that
// shares in all-moves-as-first statistics; what is left is the final position. It may say which
// exploration constant a search with it was tuned to, if not the usual one: kExploration.
template <class G>
class PlayoutGame;

template <class G>
concept PlaysToTheEnd = std::derived_from<PlayoutGame<G>, G> &&
                        requires(PlayoutGame<G> game, Rng& rng, Placements& placed) {
                          { game.play_to_end(rng, placed) } -> std::same_as<Playout>;
                        };

// The exploration constant of a search by random games of G. The usual one was tuned with tools/tune.py
// on 9x9 Pinch at 3000 visits (2026-11), won games: 0.1 against 0.3: 276, 0.03: 95 of 400; 0.03 against
// 0.01: 82, 0: 87 of 200.
template <class G>
constexpr float exploration() {
  if constexpr (requires { PlayoutGame<G>::kExploration; }) return PlayoutGame<G>::kExploration;
  return 0.01F;
}

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
