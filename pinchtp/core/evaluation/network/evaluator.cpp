#include "evaluator.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "elementary.hpp"

namespace pinchtp {

namespace {

// Of a share in [0, 1].
std::uint32_t rounded(float share, std::uint32_t unit) {
  return static_cast<std::uint32_t>(share * static_cast<float>(unit) + 0.5F);
}

void softmax(std::span<float> logits) {
  if (logits.empty()) return;
  const float most = *std::max_element(logits.begin(), logits.end());
  float sum = 0;
  for (float& each : logits) sum += each = exponential(each - most);
  for (float& each : logits) each /= sum;
}

}  // namespace

NetworkEvaluator::NetworkEvaluator(std::shared_ptr<const Network> network, const GameTraits& traits,
                                   const Rules& rules)
    : network_(std::move(network)),
      traits_(traits),
      rules_(rules),
      reflections_(traits.plane_symmetries == Reflections::none ? 1 : 4) {
  if (traits.planes.empty()) throw std::invalid_argument("networks do not play this game");
  if (network_->shape().planes != static_cast<int>(traits.planes.size()))
    throw std::invalid_argument("the network looks at other planes");
  upright_ = inference_of(rules.width, rules.height);
  lying_ = inference_of(rules.height, rules.width);
  for (unsigned image = 0; image < kImages; ++image)
    maps_[image].emplace(inference(image).layout(), symmetry_of(image));
}

std::unique_ptr<Evaluator> NetworkEvaluator::clone() const {
  return std::make_unique<NetworkEvaluator>(network_, traits_, rules_);
}

void NetworkEvaluator::evaluate(const AnyGame& game, Rng& rng, std::span<const Move> moves,
                                std::span<std::uint16_t> priors, Evaluation& evaluation) {
  shares_.resize(moves.size());
  const float winrate = predict(game, rng.below(reflections_), moves, shares_);
  evaluation.value = rounded(game.turn() == Side::first ? winrate : 1 - winrate, unit());
  for (std::size_t i = 0; i < moves.size(); ++i)
    priors[i] = static_cast<std::uint16_t>(rounded(shares_[i], kPriorUnit));
}

void NetworkEvaluator::add_ownership(const AnyGame& game, Rng& rng, std::span<float> sums) {
  const std::vector<float> chances = ownership(game, rng.below(reflections_));
  const float sign = game.turn() == Side::first ? 2.0F : -2.0F;
  for (std::size_t i = 0; i < chances.size(); ++i) sums[i] += sign * (chances[i] - 0.5F);
}

float NetworkEvaluator::predict(const AnyGame& game, unsigned reflection, std::span<const Move> moves,
                                std::span<float> priors) {
  const unsigned image = image_of(game, reflection);
  const Prediction& said = run(game, image);
  const std::size_t front = inference(image).layout().front();
  for (std::size_t i = 0; i < moves.size(); ++i)
    priors[i] = moves[i] == kSwap   ? said.swap
                : moves[i] == kPass ? said.pass
                                    : said.policy[(*maps_[image])[moves[i]] - front];
  softmax(priors);
  return logistic(said.value);
}

std::vector<float> NetworkEvaluator::ownership(const AnyGame& game, unsigned reflection) {
  const unsigned image = image_of(game, reflection);
  const Prediction& said = run(game, image);
  const std::size_t front = inference(image).layout().front();
  std::vector<float> chances(kPoints, 0.5F);
  for (int y = 0; y < rules_.height; ++y)
    for (int x = 0; x < rules_.width; ++x)
      chances[point(x, y)] = logistic(said.ownership[(*maps_[image])[point(x, y)] - front]);
  return chances;
}

Symmetry NetworkEvaluator::symmetry_of(unsigned image) {
  return {(image & kTransposed) != 0, (image & 1) != 0, (image & 2) != 0};
}

unsigned NetworkEvaluator::image_of(const AnyGame& game, unsigned reflection) const {
  return reflection % reflections_ + (game.transposes_planes() ? kTransposed : 0);
}

std::unique_ptr<Inference> NetworkEvaluator::inference_of(int width, int height) const {
  return make_inference(*network_, width, height, inference_level_for(traits_.level));
}

const Prediction& NetworkEvaluator::run(const AnyGame& game, unsigned image) {
  Inference& chosen = inference(image);
  PlaneWriter writer(chosen.input(), chosen.layout(), *maps_[image]);
  game.write_planes(symmetry_of(image), writer);
  return chosen.run();
}

}  // namespace pinchtp
