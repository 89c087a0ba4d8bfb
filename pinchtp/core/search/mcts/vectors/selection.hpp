// Selection: the child to which a simulation descends.
#pragma once

#include <cmath>
#include <cstdint>

#include "../../search.hpp"
#include "../arena.hpp"
#include "../formulas.hpp"
#include "../nodes.hpp"
#include "lanes.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

inline Words priors_of(const Arena::Children& children, std::uint32_t group) {
  return priors(&children.edges()[group * NodeBlock::kLanes]);
}

// A block in place of children that have not been reached. Only the first lane counts, since its
// prior is the highest.
inline constinit const NodeBlock kUnreached{};
inline constexpr std::uint32_t kAllButFirst = 0xfe;  // lanes

// Other threads count visits in flight as losses (virtual loss): a whole batch below a node with
// many visits, a single simulation below others.
inline Floats visits_of(const NodeBlock& block, const SearchOptions& options) {
  const Words visits = load(block.visits);
  const Words most = 1 + visits / 4;
  const Words lost = most < options.virtual_loss ? most : Words{} + options.virtual_loss;
  return floats(visits + lost * load(block.in_flight));
}

// UCT (Kocsis and Szepesvári, 2006) with all-moves-as-first statistics (RAVE; Gelly and Silver,
// 2007): the mean result, blended with the all-moves-as-first mean, which weighs as much as
// amaf_visits visits, plus an exploration term. An unvisited move has the value of its parent.
class Uct {
 public:
  static constexpr bool kHasPriors = false;

  Uct(Node parent, const SearchOptions& options, float per_unit)
      : options_(options),
        per_unit_(per_unit),
        log_visits_(rough_log(static_cast<float>(parent.visits().load(std::memory_order_relaxed) + 1))),
        fpu_(mean_value(parent, per_unit)) {}

  // Divisions limit the speed of this, so there are few.
  Floats operator()(const NodeBlock& block, Words) const {
    const auto& amaf = static_cast<const AmafBlock&>(block);
    const Floats visits = visits_of(block, options_);
    const Floats amaf_visits = floats(load(amaf.amaf_visits));
    const Floats amaf_weight = options_.amaf_visits * floats(load(amaf.amaf_score)) / amaf_visits;
    const Floats score = load_floats(block.score) + (amaf_visits > 0 ? amaf_weight : Floats{});
    const Floats weight = visits + (amaf_visits > 0 ? Floats{} + options_.amaf_visits : Floats{});
    const Floats mean = weight > 0 ? per_unit_ * score / weight : Floats{} + fpu_;
    return mean + *options_.exploration * square_root(log_visits_ / (visits + 1));
  }

 private:
  const SearchOptions& options_;
  float per_unit_;
  float log_visits_;
  float fpu_;
};

// PUCT (Silver et al., 2017): the mean value, plus an exploration term in proportion to the prior.
// An unvisited move is valued below its parent, by more if more of the prior mass has been visited
// (first-play urgency reduction; Wu, 2019). Uses only + - * / and square roots, so that every
// instruction set gives the same result.
class Puct {
 public:
  static constexpr bool kHasPriors = true;

  Puct(const Arena::Children& children, Node parent, const SearchOptions& options, float per_unit)
      : options_(options),
        per_unit_(per_unit),
        scale_(
            puct_scale(parent, children.squares().load(std::memory_order_relaxed), options, per_unit)),
        fpu_(mean_value(parent, per_unit) - options.fpu_reduction * std::sqrt(visited_mass(children))) {
  }

  Floats operator()(const NodeBlock& block, Words priors) const {
    const Floats visits = visits_of(block, options_);
    const Floats mean = visits > 0 ? per_unit_ * load_floats(block.score) / visits : Floats{} + fpu_;
    return mean + scale_ * floats(priors) / (1 + visits);
  }

 private:
  // The sum of the priors of the visited children, in [0, 1].
  static float visited_mass(const Arena::Children& children) {
    Words sums{};
    for (std::uint32_t group = 0; group < children.groups(); ++group) {
      const NodeBlock* const block = children.block(group);
      if (!block) break;
      sums += load(block->visits) > 0 ? priors_of(children, group) : Words{};
    }
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < NodeBlock::kLanes; ++i) sum += sums[i];
    return static_cast<float>(sum) / kPriorUnit;
  }

  const SearchOptions& options_;
  float per_unit_;
  float scale_;
  float fpu_;
};

// The mean values of stones that the opponent may take over: none is better than an even game,
// which counts as `even_results` results, since after few results any stone looks uneven. `visits`
// include virtual losses.
inline Floats even_means(const NodeBlock& block, Floats visits, float per_unit, float even_results) {
  const Floats won = per_unit * load_floats(block.score);
  const Floats lost = floats(load(block.visits)) - won;
  return ((won < lost ? won : lost) + even_results / 2) / (visits + even_results);
}

// UCT for such stones, which have no all-moves-as-first statistics.
class EvenUct {
 public:
  static constexpr bool kHasPriors = false;

  EvenUct(Node root, const SearchOptions& options, float per_unit)
      : options_(options),
        per_unit_(per_unit),
        log_visits_(rough_log(static_cast<float>(root.visits().load(std::memory_order_relaxed) + 1))) {}

  Floats operator()(const NodeBlock& block, Words) const {
    const Floats visits = visits_of(block, options_);
    return even_means(block, visits, per_unit_, kEvenResults) +
           *options_.exploration * square_root(log_visits_ / (visits + 1));
  }

 private:
  static constexpr float kEvenResults = 16;  // of playouts

  const SearchOptions& options_;
  float per_unit_;
  float log_visits_;
};

// PUCT for such stones, with equal priors.
class EvenPuct {
 public:
  static constexpr bool kHasPriors = true;

  EvenPuct(Node root, const SearchOptions& options, float per_unit)
      : options_(options),
        per_unit_(per_unit),
        scale_(puct_scale(root, options) * kPriorUnit / static_cast<float>(root.child_count())) {}

  Floats operator()(const NodeBlock& block, Words) const {
    const Floats visits = visits_of(block, options_);
    return even_means(block, visits, per_unit_, 1) + scale_ / (1 + visits);
  }

 private:
  const SearchOptions& options_;
  float per_unit_;
  float scale_;
};

// The index of the child with the highest value, the first if there are several. `formula(block,
// priors)` computes the values of eight nodes.
template <class Formula>
std::uint32_t best_child(const Arena::Children& children, const Formula& formula) {
  Floats best = Floats{} - 1;
  Mask at = {0, 1, 2, 3, 4, 5, 6, 7};
  Mask number = at;
  const std::uint32_t groups = children.groups();
  for (std::uint32_t group = 0; group < groups; ++group, number += NodeBlock::kLanes) {
    const NodeBlock* const reached =
        Formula::kHasPriors ? children.block(group) : children.amaf_block(group);
    const NodeBlock& block = reached ? *reached : kUnreached;
    const std::uint32_t masked = reached ? block.masked.load(std::memory_order_relaxed) : kAllButFirst;
    const Floats value = formula(block, Formula::kHasPriors ? priors_of(children, group) : Words{});
    const Mask better = (value > best) & (bits(masked) == 0);
    best = better ? value : best;
    at = better ? number : at;
    if (!reached) break;
  }
  return static_cast<std::uint32_t>(at[best_lane(best, at)]);
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
