// Monte-Carlo tree search with proofs, by playouts or any other evaluator.
//
// This is the interface of a search tree; worker.hpp has the simulations, root.hpp the special
// treatment of the root.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "../../any_game.hpp"
#include "../../evaluation/evaluator.hpp"
#include "../../history.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"
#include "../search.hpp"
#include "kernels.hpp"
#include "pruning.hpp"
#include "report.hpp"
#include "simulation.hpp"
#include "swap.hpp"
#include "worker.hpp"

namespace pinchtp {

class Tree final : public Search {
 public:
  Tree(const AnyGame& position, const History& history, const SearchOptions& options,
       std::unique_ptr<Evaluator> evaluator, const Kernels& kernels)
      : tree_(position, history, options, std::move(evaluator), kernels) {
    tree_.options.exploration = options.exploration.value_or(position.traits().exploration);
    if (tree_.has_placements)
      tree_.options.batch = std::min(options.batch, Simulations::max_count(tree_.unit_bits));
  }

  void advance(Move move) override {
    const std::unique_lock lock(tree_.access);
    tree_.root.check_legal(move);
    abandon_pruning();
    tree_.root.advance(tree_.arena, move);
    tree_.forget_proofs_that_history_forbids();
    uncounted_.reset();
    tree_.expansion_threshold = tree_.options.expand_visits;
    tree_.full = false;
  }

  void prepare(std::uint64_t seed, const std::vector<Move>& allowed) override {
    const std::unique_lock lock(tree_.access);
    Root::Restriction restriction = tree_.root.restriction_to(allowed);
    Worker worker(tree_, seed);
    if (!worker.grow_root()) {
      const std::atomic<bool> never{false};
      prune(never);
      worker.grow_root();
    }
    if (tree_.has_priors) tree_.root.change_priors(tree_.arena, tree_.options, seed);
    granted_ = tree_.root.node().visits();
    restrict(std::move(restriction));
  }

  void work(std::uint64_t seed, std::uint64_t visits, const std::atomic<bool>& stop) override {
    const std::uint64_t limit = granted_for(visits);
    const std::uint32_t batch = tree_.options.batch;
    Worker worker(tree_, seed);
    if (tree_.full.load(kRelaxed)) make_room(stop);  // some progress even if there is no time
    while (!stop.load(kRelaxed) && !tree_.root.is_decided()) {
      if (tree_.full.load(kRelaxed)) {
        make_room(stop);
        if (stop.load(kRelaxed)) break;
      }
      const std::uint64_t before = granted_.fetch_add(batch, kRelaxed);
      const std::uint64_t left = before < limit ? limit - before : only_useless_visited();
      const auto wanted = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, batch));
      const std::uint32_t done = wanted > 0 ? worker.run_batch(wanted, stop) : 0;
      granted_.fetch_sub(batch - done, kRelaxed);
      if (wanted == 0) break;
    }
  }

  bool is_over(std::uint64_t visits) const override {
    return tree_.root.is_decided() ||
           (granted_.load(kRelaxed) >= granted_for(visits) && !only_useless_visited());
  }

  Report report() const override {
    const std::shared_lock lock(tree_.access);
    return report_root();
  }

  std::vector<float> ownership(std::uint64_t seed, int simulations) override {
    const std::shared_lock lock(tree_.access);
    const bool swaps = prefers_swap(report_root().choices);
    return mean_ownership(*tree_.evaluator->clone(), seed, simulations,
                          [&](Rng& rng) { return sample_line(swaps, rng); });
  }

 private:
  // The position after a line of the tree, drawn by visits, with the swap where it is better.
  AnyGame sample_line(bool swaps, Rng& rng) const {
    AnyGame game = tree_.root.position();
    if (swaps) game.play(kSwap);
    bool opens_swap = tree_.root.opens_swap();
    Node node = tree_.root.node();
    while (game.outcome() == Outcome::none && (node = sample_child(tree_.arena, node, rng))) {
      game.play(node.move());
      if (std::exchange(opens_swap, false) && is_taken_over(describe(node, tree_.per_unit)))
        game.play(kSwap);
    }
    return game;
  }

  Report report_root() const {
    Report report;
    report.visits = tree_.root.node().visits();
    report.nodes = tree_.arena.used();
    // The value of the swap follows from all other moves.
    const bool has_swap = tree_.root.position().swap_open() && tree_.root.is_allowed(kSwap);
    const Arena::Children children = root_children();
    const std::uint32_t reached = children.reached();
    for (std::uint32_t i = 0; i < children.count(); ++i) {
      const Edge edge = children.edge(i);
      if (!has_swap && !tree_.root.is_allowed(edge.move)) continue;
      report.choices.push_back(choice_of(edge, i < reached ? children[i] : Node()));
      if (tree_.root.opens_swap()) make_even(report.choices.back());
    }
    if (tree_.root.opens_swap()) tree_.root.fill_in_reflections(report.choices);
    if (tree_.has_priors)
      sort_by_bound(report.choices);
    else
      std::stable_sort(report.choices.begin(), report.choices.end(),
                       [](const Choice& a, const Choice& b) { return is_better(a, b); });
    if (has_swap && !report.choices.empty())
      add_swap(report.choices, describe(tree_.root.node(), tree_.per_unit));
    std::erase_if(report.choices,
                  [&](const Choice& choice) { return !tree_.root.is_allowed(choice.move); });
    report.winrate = winrate(report.choices);
    return report;
  }

  Arena::Children root_children() const { return tree_.arena.children(tree_.root.node()); }

  // A move of the root and its principal variation. `child`: its node, or null.
  Choice choice_of(const Edge& edge, Node child) const {
    Choice choice = child ? describe(child, tree_.per_unit) : Choice();
    choice.move = edge.move;
    choice.prior = static_cast<double>(edge.prior) / kPriorUnit;
    choice.line.push_back(edge.move);
    choice.line_visits.push_back(choice.visits);
    Node node = child;
    while (node && (node = preferred_child(tree_.arena, node, tree_.per_unit))) {
      choice.line.push_back(node.move());
      choice.line_visits.push_back(node.visits());
    }
    return choice;
  }

  // The maximum number of visits of a root, such that visits and all-moves-as-first scores fit 32
  // bits.
  std::uint64_t max_visits() const {
    return std::uint64_t{UINT32_MAX} >> (tree_.has_placements ? tree_.unit_bits : 0);
  }

  // The total visits of the root at which `visits` of them count.
  std::uint64_t granted_for(std::uint64_t visits) const {
    const std::uint64_t uncounted = uncounted_.value();  // prepare() has counted them
    return std::min(visits, max_visits() - uncounted) + uncounted;
  }

  // Restricts the root. Visits of moves that are now lost or not allowed do not count towards
  // limits, which they might use up.
  void restrict(Root::Restriction restriction) {
    const bool changes = tree_.root.restrict(tree_.arena, std::move(restriction));
    if (uncounted_ && !changes) return;
    uncounted_ = 0;
    for (const Node child : root_children())
      if (!tree_.root.is_candidate(child)) *uncounted_ += child.visits();
  }

  // Whether all visited moves are proven lost or not allowed: then a search continues beyond its
  // limit until it has visited another move.
  bool only_useless_visited() const {
    bool any = false;
    bool open = false;
    for (const Node child : root_children()) {
      if (child.visits() == 0) continue;
      any = true;
      open = open || tree_.root.is_candidate(child);
    }
    return any && !open;
  }

  // Frees memory when it is used up, once all threads have left the tree.
  void make_room(const std::atomic<bool>& stop) {
    const std::unique_lock lock(tree_.access);
    if (tree_.full.load(kRelaxed)) prune(stop);  // unless another thread has done it
  }

  // Frees memory while no other thread is in the tree. If `stop` becomes due, the next call
  // continues.
  void prune(const std::atomic<bool>& stop) {
    if (!pruning_) pruning_.emplace(tree_.arena, tree_.root.node());
    StopCheck check(stop);
    if (!pruning_->resume(check)) return;
    tree_.expansion_threshold = std::max(tree_.options.expand_visits, pruning_->least_visits());
    pruning_.reset();
    tree_.full = false;
  }

  // Before the tree changes. The coalescing of free memory is completed, since it cannot be
  // interrupted.
  void abandon_pruning() {
    pruning_.reset();
    const std::atomic<bool> never{false};
    StopCheck check(never);
    if (tree_.arena.is_coalescing()) tree_.arena.coalesce(check);
  }

  // See Report::winrate.
  std::optional<double> winrate(const std::vector<Choice>& choices) const {
    const std::uint64_t least = tree_.has_priors ? 1 : kPlayoutsToTrust;
    if (!choices.empty()) {
      const Choice& best = choices.front();
      if (best.visits >= least || best.proof != Proof::unknown) return best.winrate;
    }
    const Node root = tree_.root.node();
    const std::optional<double> mean = winrate_of(root, tree_.per_unit);
    const bool is_movers = root.value_side() == tree_.root.position().turn();
    if (!mean) return mean;
    const double value = is_movers == prefers_swap(choices) ? 1 - *mean : *mean;
    // A network's value of the root allows for the swap; the mean of playouts does not.
    return tree_.root.opens_swap() && !tree_.has_priors ? std::min(value, 1 - value) : value;
  }

  static constexpr auto kRelaxed = std::memory_order_relaxed;

  SharedTree tree_;
  std::optional<Pruning> pruning_;  // continued when a thread works again
  // Visits of the root that do not count towards limits; none until it is searched.
  std::optional<std::uint64_t> uncounted_;
  alignas(64) std::atomic<std::uint64_t> granted_{0};  // visits of the root, with those in progress
};

}  // namespace pinchtp
