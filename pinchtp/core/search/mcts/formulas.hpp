// The parts of selection's formulas (vectors/selection.hpp) that are computed once a node.
#pragma once

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>

#include "../../evaluation/evaluator.hpp"
#include "../search.hpp"
#include "nodes.hpp"

namespace pinchtp {

// The mean value of a node for the player to move there, in [0, 1]. `per_unit`: of score, in wins.
inline float mean_value(Node node, float per_unit) {
  const auto visits = static_cast<float>(node.visits().load(std::memory_order_relaxed));
  const auto score = static_cast<float>(node.score().load(std::memory_order_relaxed));
  const float value = visits > 0 ? per_unit * score / visits : 0.5F;
  return node.value_side() == node.turn() ? value : 1 - value;
}

// The natural logarithm of x >= 1, by straight lines between powers of two: up to 0.06 too small, and
// unlike std::log the same on every machine.
inline float rough_log(float x) {
  constexpr float kPerUnit = 0.6931472F / (1 << 23);  // of the bits of a float
  return kPerUnit * static_cast<float>(std::bit_cast<std::int32_t>(x) - 0x3f800000);
}

// In PUCT, the factor of prior / (1 + visits of the child), at the next visit of the parent. The more
// visits, the more it explores (Silver et al., 2018).
inline float puct_scale(Node parent, const SearchOptions& options) {
  const auto visits = 1 + static_cast<float>(parent.visits().load(std::memory_order_relaxed));
  const float log = rough_log(1 + visits / options.cpuct_log_visits);
  return (options.cpuct + options.cpuct_log * log) / kPriorUnit * std::sqrt(visits);
}

}  // namespace pinchtp
