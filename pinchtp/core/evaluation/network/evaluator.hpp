// A network as an evaluator of positions: maps its output to the moves of the game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "../../any_game.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"
#include "../evaluator.hpp"
#include "../planes/planes.hpp"
#include "inference.hpp"

namespace pinchtp {

// The output of a network, by the position's own points and moves.
class PositionPrediction {
 public:
  PositionPrediction(const Prediction& prediction, const Layout& layout, const PointMap& map)
      : prediction_(prediction), map_(map), front_(layout.front()) {}

  // The winrate of the player to move.
  float winrate() const;
  // The priors of `moves`, which sum to one.
  void fill_priors(std::span<const Move> moves, std::span<float> priors) const;
  // The probability that the player to move owns the point at the end of the game.
  float ownership(Move point) const;

 private:
  std::size_t place(Move point) const { return map_[point] - front_; }
  float logit(Move move) const;

  const Prediction& prediction_;
  PointMap map_;
  std::size_t front_;
};

// Each evaluation uses one of the board's symmetries, drawn at random, so that a search does not
// repeat the same error of the network.
//
// The swap plane is empty during a search: the network evaluates the sides, and was trained on few
// positions with a swap.
class NetworkEvaluator final : public Evaluator {
 public:
  // instruction_set: for inference; default: the fastest for the game's positions. Throws
  // std::invalid_argument if the network needs a plane that the game does not have, or for an
  // unknown instruction set.
  NetworkEvaluator(std::shared_ptr<const Network> network, const GameTraits& traits, const Rules& rules,
                   std::string_view instruction_set = {});

  std::unique_ptr<Evaluator> clone() const override;
  int unit_bits() const override { return 16; }
  bool has_placements() const override { return false; }
  bool has_priors() const override { return true; }

  void evaluate(const AnyGame& game, Rng& rng, std::span<const Move> moves,
                std::span<std::uint16_t> priors, Evaluation& evaluation) override;
  void add_ownership(const AnyGame& game, Rng& rng, std::span<float> sums) override;

  // The output for a position in one of the board's symmetries, by number, modulo their number.
  // Valid until the next call. `shows_swap`: whether the input includes the swap plane.
  PositionPrediction predict(const AnyGame& game, unsigned symmetry, bool shows_swap = true);

 private:
  std::uint32_t symmetries() const { return static_cast<std::uint32_t>(traits_.symmetries.size()); }
  std::shared_ptr<Inference> inference_of(int width, int height) const;

  std::shared_ptr<const Network> network_;
  const GameTraits& traits_;
  Rules rules_;
  std::string_view instruction_set_;
  std::vector<std::size_t> planes_;  // indices of the network's planes among the game's
  std::shared_ptr<Inference> normal_;
  std::shared_ptr<Inference> transposed_;  // for reflections at the diagonal; same if square
  std::vector<float> shares_;              // priors of the moves, before rounding
};

// A network with a cache for its evaluations, of `cache_bytes`. Throws like NetworkEvaluator, and
// std::bad_alloc.
std::unique_ptr<Evaluator> cached_network(std::shared_ptr<const Network> network,
                                          const GameTraits& traits, const Rules& rules,
                                          std::size_t cache_bytes);

}  // namespace pinchtp
