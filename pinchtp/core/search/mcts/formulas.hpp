// The parts of the selection formulas (vectors/selection.hpp) that are computed once per node.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>

#include "../../evaluation/evaluator.hpp"
#include "../search.hpp"
#include "nodes.hpp"

namespace pinchtp {

// The mean value of a node for the player to move there, in [0, 1]. `per_unit`: wins per unit of
// score.
inline float mean_value(Node node, float per_unit) {
  const auto visits = static_cast<float>(node.visits().load(std::memory_order_relaxed));
  const auto score = static_cast<float>(node.score().load(std::memory_order_relaxed));
  const float value = visits > 0 ? per_unit * score / visits : 0.5F;
  return node.value_side() == node.turn() ? value : 1 - value;
}

// The natural logarithm of x >= 1, interpolated linearly between powers of two: up to 0.06 too
// small, but, unlike std::log, equal on every machine.
inline float rough_log(float x) {
  constexpr float kPerUnit = 0.6931472F / (1 << 23);  // of the bits of a float
  return kPerUnit * static_cast<float>(std::bit_cast<std::int32_t>(x) - 0x3f800000);
}

// The first side's score at a node, in wins.
inline float first_score(Node node, float per_unit) {
  const auto visits = static_cast<float>(node.visits().load(std::memory_order_relaxed));
  const float score = per_unit * static_cast<float>(node.score().load(std::memory_order_relaxed));
  return node.value_side() == Side::first ? score : visits - score;
}

// The standard deviation of the values at a node, in wins, with two prior visits of deviation
// `prior`. `squares`: the sum of the squares of the first side's scores.
inline float value_stdev(Node node, std::uint64_t squares, float prior, float per_unit) {
  constexpr float kPriorVisits = 2;
  const auto visits = static_cast<float>(node.visits().load(std::memory_order_relaxed));
  const float score = first_score(node, per_unit);
  const float total = per_unit * per_unit * static_cast<float>(squares);
  const float deviations = visits > 0 ? std::max(total - score * score / visits, 0.0F) : 0;
  return std::sqrt((kPriorVisits * prior * prior + deviations) / (kPriorVisits + visits));
}

// The sum of squares of a node visited before they were counted, such that value_stdev() is
// `prior`.
inline std::uint64_t prior_squares(Node node, float prior, float per_unit) {
  const auto visits = static_cast<float>(node.visits().load(std::memory_order_relaxed));
  if (visits == 0) return 0;
  const float score = first_score(node, per_unit);
  return static_cast<std::uint64_t>((visits * prior * prior + score * score / visits) /
                                    (per_unit * per_unit));
}

// In PUCT, the factor of prior / (1 + visits of the child) at the next visit of the parent. It
// grows with visits (Silver et al., 2018); with `squares`, also with the standard deviation of the
// values below the parent (KataGo's dynamic variance-scaled cPUCT; D. Wu, 2021).
inline float puct_scale(Node parent, const SearchOptions& options) {
  const auto visits = 1 + static_cast<float>(parent.visits().load(std::memory_order_relaxed));
  const float log = rough_log(1 + visits / options.cpuct_log_visits);
  return (options.cpuct + options.cpuct_log * log) / kPriorUnit * std::sqrt(visits);
}
inline float puct_scale(Node parent, std::uint64_t squares, const SearchOptions& options,
                        float per_unit) {
  const float stdev = value_stdev(parent, squares, options.cpuct_stdev_prior, per_unit);
  return puct_scale(parent, options) *
         (1 + options.cpuct_stdev * (stdev / options.cpuct_stdev_prior - 1));
}

}  // namespace pinchtp
