#include "evaluator.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "../cache.hpp"
#include "elementary.hpp"

namespace pinchtp {

namespace {

// Rounds a fraction in [0, 1] to units.
std::uint32_t rounded(float share, std::uint32_t unit) {
  return static_cast<std::uint32_t>(share * static_cast<float>(unit) + 0.5F);
}

void softmax(std::span<float> logits) {
  if (logits.empty()) return;
  const float max = std::ranges::max(logits);
  std::size_t done = 0;
  for (; done + 4 <= logits.size(); done += 4) {
    FourFloats four;
    std::memcpy(&four, &logits[done], sizeof four);
    four = exponentials(four - max);
    std::memcpy(&logits[done], &four, sizeof four);
  }
  for (float& each : logits.subspan(done)) each = exponential(each - max);
  float sum = 0;
  for (const float each : logits) sum += each;  // in the same order on every machine
  for (float& each : logits) each /= sum;
}

}  // namespace

NetworkEvaluator::NetworkEvaluator(std::shared_ptr<const Network> network, const GameTraits& traits,
                                   const Rules& rules, std::string_view instruction_set)
    : network_(std::move(network)),
      traits_(traits),
      rules_(rules),
      instruction_set_(instruction_set.empty() ? inference_instruction_set_for(traits.instruction_set)
                                               : instruction_set) {
  for (const std::string& name : network_->planes()) {
    const auto plane = std::ranges::find(traits.planes, name);
    if (plane == traits.planes.end())
      throw std::invalid_argument("the network needs a plane that the game does not have: " + name);
    planes_.push_back(static_cast<std::size_t>(plane - traits.planes.begin()));
  }
  normal_ = inference_of(rules.width, rules.height);
  transposed_ = rules.width == rules.height ? normal_ : inference_of(rules.height, rules.width);
}

std::unique_ptr<Evaluator> NetworkEvaluator::clone() const {
  return std::make_unique<NetworkEvaluator>(network_, traits_, rules_, instruction_set_);
}

void NetworkEvaluator::evaluate(const AnyGame& game, Rng& rng, std::span<const Move> moves,
                                std::span<std::uint16_t> priors, Evaluation& evaluation) {
  const unsigned symmetry = rng.below(symmetries());
  const PositionPrediction prediction = predict(game, symmetry, false);
  const float winrate = prediction.winrate();
  shares_.resize(moves.size());
  prediction.fill_priors(moves, shares_);
  for (std::size_t i = 0; i < moves.size(); ++i)
    priors[i] = static_cast<std::uint16_t>(rounded(shares_[i], kPriorUnit));
  evaluation.value = rounded(game.turn() == Side::first ? winrate : 1 - winrate, unit());
}

void NetworkEvaluator::add_ownership(const AnyGame& game, Rng& rng, std::span<float> sums) {
  const PositionPrediction prediction = predict(game, rng.below(symmetries()));
  const float sign = game.turn() == game.black() ? 2.0F : -2.0F;
  for (int y = 0; y < rules_.height; ++y)
    for (int x = 0; x < rules_.width; ++x)
      sums[point(x, y)] += sign * (prediction.ownership(point(x, y)) - 0.5F);
}

PositionPrediction NetworkEvaluator::predict(const AnyGame& game, unsigned symmetry, bool shows_swap) {
  const Symmetry shown = game.shown_in(symmetry);
  Inference& inference = shown.transposed ? *transposed_ : *normal_;
  const PointMap map(inference.layout(), shown);
  PlaneWriter writer(inference.input(), inference.layout(), map);
  game.write_planes(shown, planes_, writer);
  const auto swap = std::ranges::find(network_->planes(), kSwapOpen);
  if (!shows_swap && swap != network_->planes().end())
    writer.clear(static_cast<int>(swap - network_->planes().begin()));
  return {inference.run(), inference.layout(), map};
}

std::shared_ptr<Inference> NetworkEvaluator::inference_of(int width, int height) const {
  return make_inference(*network_, width, height, instruction_set_);
}

std::unique_ptr<Evaluator> cached_network(std::shared_ptr<const Network> network,
                                          const GameTraits& traits, const Rules& rules,
                                          std::size_t cache_bytes) {
  auto cache = std::make_shared<EvaluationCache>(rules.size(), cache_bytes);
  return std::make_unique<CachedEvaluator>(
      std::make_unique<NetworkEvaluator>(std::move(network), traits, rules), std::move(cache));
}

float PositionPrediction::winrate() const { return logistic(prediction_.value); }

void PositionPrediction::fill_priors(std::span<const Move> moves, std::span<float> priors) const {
  for (std::size_t i = 0; i < moves.size(); ++i) priors[i] = logit(moves[i]);
  softmax(priors);
}

float PositionPrediction::ownership(Move point) const {
  return logistic(prediction_.ownership[place(point)]);
}

float PositionPrediction::logit(Move move) const {
  if (move == kSwap) return prediction_.swap;
  if (move == kPass) return prediction_.pass;
  return prediction_.policy[place(move)];
}

}  // namespace pinchtp
