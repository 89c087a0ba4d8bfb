// Reports of a tree: the choices at its root, principal variations, samples.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "../../evaluation/evaluator.hpp"
#include "../../rng.hpp"
#include "../search.hpp"
#include "arena.hpp"
#include "formulas.hpp"
#include "nodes.hpp"

namespace pinchtp {

// The mean score per visit, in [0, 1]. Clamped, since it might exceed 1 if another thread adds a
// visit between the two loads, or if a float rounds a large score up.
inline double mean_of(std::uint64_t score, std::uint32_t visits, float per_unit) {
  return std::min(per_unit * static_cast<float>(score) / static_cast<double>(visits), 1.0);
}

// Visits before the mean of a move is significant: with fewer it is mostly luck, and the best of
// many moves is the luckiest.
inline constexpr std::uint32_t kPlayoutsToTrust = 100;

// The winrate of the player who chooses a node: proven, or the mean of its visits; none if it is
// neither proven nor visited.
inline std::optional<double> winrate_of(Node node, float per_unit) {
  const Proof proof = node.proof();
  if (proof != Proof::unknown) return winrate_of(proof);
  const std::uint32_t visits = node.visits();
  if (visits == 0) return std::nullopt;
  return mean_of(node.score(), visits, per_unit);
}

// A move with its statistics, but without its prior, which its parent stores.
inline Choice describe(Node node, float per_unit) {
  Choice choice;
  choice.move = node.move();
  choice.visits = node.visits();
  choice.proof = node.proof();
  choice.distance = node.distance();
  if (node.amaf_side() && node.amaf_visits() > 0)
    choice.amaf = mean_of(node.amaf_score(), node.amaf_visits(), per_unit);
  choice.winrate = winrate_of(node, per_unit);
  return choice;
}

// The child that the player to move would choose; none if no child is visited or proven.
inline Node preferred_child(const Arena& arena, Node node, float per_unit) {
  if (!node.is_expanded()) return {};
  const Arena::Children children = arena.children(node);
  Node best;
  Choice best_choice;
  bool all_known = children.reached() == children.count();
  for (const Node child : children) {
    if (child.visits() == 0 && child.proof() == Proof::unknown) {
      all_known = false;
      continue;
    }
    const Choice choice = describe(child, per_unit);
    if (best && !is_better(choice, best_choice)) continue;
    best = child;
    best_choice = choice;
  }
  const bool only_loses = best_choice.proof == Proof::loss;  // an unknown child would be preferred
  return all_known || !only_loses ? best : Node();
}

// A random child, in proportion to visits; none if no child was visited.
inline Node sample_child(const Arena& arena, Node node, Rng& rng) {
  if (!node.is_expanded()) return {};
  std::uint64_t sum = 0;
  for (const Node child : arena.children(node)) sum += child.visits();
  if (sum == 0) return {};
  std::uint64_t pick = rng.next() % sum;
  for (const Node child : arena.children(node)) {
    const std::uint64_t visits = child.visits();
    if (pick < visits) return child;
    pick -= visits;
  }
  return {};
}

}  // namespace pinchtp
