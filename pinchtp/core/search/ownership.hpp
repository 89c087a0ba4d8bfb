// Who owns each point when games end: the mean of simulations.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "../any_game.hpp"
#include "../evaluation/evaluator.hpp"
#include "../rng.hpp"
#include "../types.hpp"

namespace pinchtp {

// The means of so many simulations by point, coded as a move: 1 for a stone of the first side, -1 for
// one of the second. Each simulation goes on from begin(rng).
template <class Begin>
std::vector<float> mean_ownership(Evaluator& evaluator, std::uint64_t seed, int simulations,
                                  Begin&& begin) {
  Rng rng(seed);
  std::vector<float> sums(kPoints, 0);
  for (int i = 0; i < simulations; ++i) {
    const AnyGame game = begin(rng);
    if (game.outcome() == Outcome::none)
      evaluator.add_ownership(game, rng, sums);
    else
      add_pieces(game, sums);
  }
  for (float& sum : sums) sum /= static_cast<float>(std::max(simulations, 1));
  return sums;
}

}  // namespace pinchtp
