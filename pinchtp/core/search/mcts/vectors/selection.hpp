// Selection: the child that a simulation descends to.
#pragma once

#include <cmath>
#include <cstdint>

#include "../../search.hpp"
#include "../arena.hpp"
#include "../formulas.hpp"
#include "../nodes.hpp"
#include "lanes.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// Other threads see a batch in flight as lost visits (virtual loss).
inline Floats visits_of(const NodeBlock& block, const SearchOptions& options) {
  return floats(load(block.visits) + options.virtual_loss * load(block.in_flight));
}

// UCT (Kocsis and Szepesvári, 2006) with all-moves-as-first statistics (RAVE; Gelly and Silver, 2007):
// the mean result, in which that of all moves as first counts as amaf_visits visits, plus an
// exploration term. An unvisited move has the value of its parent.
class Uct {
 public:
  Uct(Node parent, const SearchOptions& options, float per_unit)
      : options_(options),
        per_unit_(per_unit),
        log_visits_(rough_log(static_cast<float>(parent.visits().load(std::memory_order_relaxed) + 1))),
        fpu_(mean_value(parent, per_unit)) {}

  // Divisions bound this, so there are few.
  Floats operator()(const NodeBlock& block) const {
    const Floats visits = visits_of(block, options_);
    const Floats amaf_visits = floats(load(block.amaf_visits));
    const Floats amaf_weight = options_.amaf_visits * floats(load(block.amaf_score)) / amaf_visits;
    const Floats score = floats(load(block.score)) + (amaf_visits > 0 ? amaf_weight : Floats{});
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

// PUCT (Silver et al., 2017): the mean value, plus a term for exploration in proportion to the prior.
// An unvisited move is valued below its parent, the lower the more of the prior mass was visited
// (first-play urgency; Wu, 2019). Only + - * / and square roots, so that every instruction set finds
// the same.
class Puct {
 public:
  Puct(const Arena& arena, Node parent, const SearchOptions& options, float per_unit)
      : options_(options),
        per_unit_(per_unit),
        scale_(puct_scale(parent, options)),
        fpu_(mean_value(parent, per_unit) -
             options.fpu_reduction * std::sqrt(visited_mass(arena, parent))) {}

  Floats operator()(const NodeBlock& block) const {
    const Floats visits = visits_of(block, options_);
    const Floats mean = visits > 0 ? per_unit_ * floats(load(block.score)) / visits : Floats{} + fpu_;
    return mean + scale_ * floats(load(block.prior)) / (1 + visits);
  }

 private:
  // The sum of the priors of the children that were visited, in [0, 1].
  static float visited_mass(const Arena& arena, Node parent) {
    Words sums{};
    const std::uint32_t end = parent.children() + parent.child_count();
    for (std::uint32_t i = parent.children(); i < end; i += NodeBlock::kLanes) {
      const NodeBlock& block = arena.block(i);
      sums += load(block.visits) > 0 ? load(block.prior) : Words{};
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

// The mean values of stones that the opponent may take over: none is better than an even game, which
// counts as `even_results` results, since a few make any stone look uneven. `visits` include virtual
// losses.
inline Floats even_means(const NodeBlock& block, Floats visits, float per_unit, float even_results) {
  const Floats won = per_unit * floats(load(block.score));
  const Floats lost = floats(load(block.visits)) - won;
  return ((won < lost ? won : lost) + even_results / 2) / (visits + even_results);
}

// UCT for such stones, which have no all-moves-as-first statistics.
class EvenUct {
 public:
  EvenUct(Node root, const SearchOptions& options, float per_unit)
      : options_(options),
        per_unit_(per_unit),
        log_visits_(rough_log(static_cast<float>(root.visits().load(std::memory_order_relaxed) + 1))) {}

  Floats operator()(const NodeBlock& block) const {
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

// PUCT for such stones, with the same prior for all of them.
class EvenPuct {
 public:
  EvenPuct(Node root, const SearchOptions& options, float per_unit)
      : options_(options),
        per_unit_(per_unit),
        scale_(puct_scale(root, options) * kPriorUnit / static_cast<float>(root.child_count())) {}

  Floats operator()(const NodeBlock& block) const {
    const Floats visits = visits_of(block, options_);
    return even_means(block, visits, per_unit_, 1) + scale_ / (1 + visits);
  }

 private:
  const SearchOptions& options_;
  float per_unit_;
  float scale_;
};

// PUCT at a root in self-play: a move once visited first gets the visits that its prior entitles it to,
// so that noise is followed up (forced playouts; Wu, 2019).
class ForcedPuct {
 public:
  ForcedPuct(const Puct& puct, Node root, const SearchOptions& options)
      : puct_(puct), options_(options), scale_(forced_scale(root, options)) {}

  Floats operator()(const NodeBlock& block) const {
    const Floats visits = visits_of(block, options_);
    const Mask forced = (visits > 0) & (visits * visits < scale_ * floats(load(block.prior)));
    return forced ? Floats{} + kFirst : puct_(block);
  }

 private:
  static constexpr float kFirst = 1e30F;

  Puct puct_;
  const SearchOptions& options_;
  float scale_;
};

// The child of the highest value, of equals the first. `formula(block)` values eight nodes at once.
template <class Formula>
Node best_child(const Arena& arena, Node parent, const Formula& formula) {
  const std::uint32_t first = parent.children();
  const std::uint32_t count = parent.child_count();
  Floats best = Floats{} - 1;
  Mask at = {0, 1, 2, 3, 4, 5, 6, 7};
  Mask number = at;
  for (std::uint32_t i = 0; i < count; i += NodeBlock::kLanes, number += NodeBlock::kLanes) {
    const NodeBlock& block = arena.block(first + i);
    const Floats value = formula(block);
    const Mask better = (value > best) & (bits(block.masked.load(std::memory_order_relaxed)) == 0);
    best = better ? value : best;
    at = better ? number : at;
  }
  return arena[first + static_cast<std::uint32_t>(at[best_lane(best, at)])];
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
