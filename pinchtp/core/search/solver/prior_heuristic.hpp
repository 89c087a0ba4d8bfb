// Initial proof numbers from the priors and value of a network: a proof search starts with the
// moves that look best, and with positions that look won.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "../../any_game.hpp"
#include "../../evaluation/evaluator.hpp"
#include "../../evaluation/network/elementary.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"
#include "summary.hpp"
#include "verdict.hpp"

namespace pinchtp {

class PriorHeuristic {
 public:
  // `evaluator`: must have priors. All moves are evaluated, not only the estimates: the cache finds
  // a position only with the same moves, and at its next visit fewer are estimates.
  explicit PriorHeuristic(std::unique_ptr<Evaluator> evaluator) : evaluator_(std::move(evaluator)) {}

  // Changes the numbers of children that are only estimates. Skips a position in which one move
  // decides, since it is not searched further. `attacks`: whether the attacker is to move.
  void apply(const AnyGame& game, bool attacks, std::span<Child> children) {
    moves_.clear();
    std::size_t estimates = 0;
    for (const Child& child : children) {
      if (number(child.verdict, attacks) == 0) return;
      moves_.push_back(child.move);
      estimates += child.was_estimate;
    }
    if (estimates < kLeastMoves) return;
    priors_.assign(moves_.size(), 0);
    evaluation_.placed.clear();
    evaluator_->evaluate(game, rng_, moves_, priors_, evaluation_);
    const double doubt = exponential(kTrust * (0.5F - winrate(game.turn())));
    double highest = 1;
    for (std::size_t i = 0; i < children.size(); ++i)
      if (children[i].was_estimate) highest = std::max<double>(highest, priors_[i]);
    for (std::size_t i = 0; i < children.size(); ++i) {
      Child& child = children[i];
      if (!child.was_estimate) continue;
      std::uint32_t& own = attacks ? child.verdict.proof : child.verdict.disproof;
      std::uint32_t& opposed = attacks ? child.verdict.disproof : child.verdict.proof;
      scale(own, doubt * highest / std::max<double>(priors_[i], 1));
      scale(opposed, 1 / doubt);
    }
  }

 private:
  // 6, and no winrate, were no better (tools/learn/HISTORY.md).
  static constexpr float kTrust = 3;
  static constexpr double kMax = 1000;  // the largest initial number
  // With fewer open moves, an evaluation costs more than it saves (tools/learn/HISTORY.md).
  static constexpr std::size_t kLeastMoves = 9;

  float winrate(Side side) const {
    const float first = static_cast<float>(evaluation_.value) / static_cast<float>(evaluator_->unit());
    return side == Side::first ? first : 1 - first;
  }

  static void scale(std::uint32_t& number, double factor) {
    number = static_cast<std::uint32_t>(std::clamp(number * factor + 0.5, 1.0, kMax));
  }

  std::unique_ptr<Evaluator> evaluator_;
  Rng rng_{1};
  Evaluation evaluation_;
  std::vector<Move> moves_;
  std::vector<std::uint16_t> priors_;
};

}  // namespace pinchtp
