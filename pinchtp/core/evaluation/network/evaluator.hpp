// A network as evaluator: what it says of a position, by the moves of the game.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "../../any_game.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"
#include "../evaluator.hpp"
#include "../planes/planes.hpp"
#include "inference.hpp"

namespace pinchtp {

// Each evaluation shows the network one of the board's reflections, drawn at random, so that a search
// is not misled by a single mistake again and again.
class NetworkEvaluator final : public Evaluator {
 public:
  // Throws std::invalid_argument if the network looks at other planes than the game has.
  NetworkEvaluator(std::shared_ptr<const Network> network, const GameTraits& traits,
                   const Rules& rules);

  std::unique_ptr<Evaluator> clone() const override;
  int unit_bits() const override { return 8; }
  bool has_placements() const override { return false; }
  bool has_priors() const override { return true; }

  void evaluate(const AnyGame& game, Rng& rng, std::span<const Move> moves,
                std::span<std::uint16_t> priors, Evaluation& evaluation) override;
  void add_ownership(const AnyGame& game, Rng& rng, std::span<float> sums) override;

  // The chance of the player to move, and, for each of `moves`, its prior: they sum to one.
  // `reflection`: which of the board's reflections is shown, modulo their number.
  float predict(const AnyGame& game, unsigned reflection, std::span<const Move> moves,
                std::span<float> priors);

  // The chance of the player to move to own each point at the end of the game, by point; one half where
  // there is none.
  std::vector<float> ownership(const AnyGame& game, unsigned reflection);

 private:
  // The board as a network may see it: reflected in one of four ways, and before that, or not, at its
  // diagonal.
  static constexpr unsigned kTransposed = 4;
  static constexpr unsigned kImages = 8;
  static Symmetry symmetry_of(unsigned image);
  unsigned image_of(const AnyGame& game, unsigned reflection) const;

  std::unique_ptr<Inference> inference_of(int width, int height) const;
  Inference& inference(unsigned image) { return (image & kTransposed) != 0 ? *lying_ : *upright_; }
  const Prediction& run(const AnyGame& game, unsigned image);

  std::shared_ptr<const Network> network_;
  const GameTraits& traits_;
  Rules rules_;
  unsigned reflections_;  // that leave the rules as they are
  std::unique_ptr<Inference> upright_;
  std::unique_ptr<Inference> lying_;
  std::array<std::optional<PointMap>, kImages> maps_;
  std::vector<float> shares_;  // of the moves, to be rounded
};

}  // namespace pinchtp
