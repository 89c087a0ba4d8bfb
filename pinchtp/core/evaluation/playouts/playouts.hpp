// The evaluator by random playouts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "../../any_game.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"
#include "../evaluator.hpp"

namespace pinchtp {

class RandomPlayouts final : public Evaluator {
 public:
  std::unique_ptr<Evaluator> clone() const override { return std::make_unique<RandomPlayouts>(); }
  int unit_bits() const override { return 1; }  // two for a win, one for a draw
  bool has_placements() const override { return true; }
  bool has_priors() const override { return false; }

  void evaluate(const AnyGame& game, Rng& rng, std::span<const Move>, std::span<std::uint16_t>,
                Evaluation& evaluation) override {
    const Outcome outcome = game.playout(rng, evaluation.placed).outcome;
    evaluation.value = outcome == Outcome::first ? 2 : outcome == Outcome::draw ? 1 : 0;
  }

  void add_ownership(const AnyGame& game, Rng& rng, std::span<float> sums) override {
    add_pieces(game.played_to_end(rng), sums);
  }
};

}  // namespace pinchtp
