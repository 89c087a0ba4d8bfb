// Monte-Carlo tree search with proven results, by random playouts or by any other evaluator.
//
// Start reading at simulate(): descend the tree, evaluate its leaf, back the result up. That is done in
// rounds: several times in a row from one node deep in the tree. Threads run rounds on one tree without
// locks. What a thread is at looks to the others like lost visits (virtual loss), so that they try
// something else and seldom want the same memory.
//
// What bounds it with playouts, on 13x13: two thirds of the time are playouts; much of the rest is
// fetching from memory what is known of all children, for 2.6 nodes a simulation. Two threads make 0.96
// to 0.99 of the simulations that they make in a tree each; without rounds it would be 0.81 to 0.87.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../../any_game.hpp"
#include "../../evaluation/evaluator.hpp"
#include "../../history.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"
#include "../search.hpp"
#include "arena.hpp"
#include "backup.hpp"
#include "expansion.hpp"
#include "noise.hpp"
#include "proofs.hpp"
#include "pruning.hpp"
#include "report.hpp"
#include "selection.hpp"

namespace pinchtp::PINCHTP_LEVEL {

class Tree final : public Search {
 public:
  Tree(const AnyGame& position, const History& history, const SearchOptions& options,
       std::unique_ptr<Evaluator> evaluator)
      : options_(options),
        evaluator_(std::move(evaluator)),
        unit_bits_(evaluator_->unit_bits()),
        per_unit_(1 / static_cast<float>(evaluator_->unit())),
        has_placements_(evaluator_->has_placements()),
        has_priors_(evaluator_->has_priors()),
        arena_(options.memory_bytes),
        position_(position),
        history_(history) {
    options_.exploration = options.exploration.value_or(position.traits().exploration);
    options_.round = std::clamp(options_.round, 1U, Simulations::most(unit_bits_));
    forget_root(kNoMove);
  }

  void advance(Move move) override {
    check_legal(move);
    AnyGame next = position_;
    next.play(move);
    history_.add(position_);
    position_ = next;
    const std::uint32_t block = root_.children();
    const std::uint16_t count = root_.child_count();
    forget_root(move);
    for (std::uint32_t i = block; i < block + count; ++i)
      if (arena_[i].move() == move) move_node(arena_[i], root_);
    arena_.discard(block, count);
    full_ = false;
  }

  void prepare(std::uint64_t seed, const std::vector<Move>& allowed) override {
    for (const Move move : allowed) check_legal(move);
    Worker worker(*this, seed);
    if (!grow_root(worker)) {
      full_ = true;
      prune(std::atomic<bool>(false));
      grow_root(worker);
    }
    if (has_priors_) change_priors(seed);
    granted_ = root_.visits();
    allowed_.assign(allowed.empty() ? 0 : kNoMove, false);
    for (const Move move : allowed) allowed_[move] = true;
    for (std::uint32_t i = 0; i < root_.child_count(); ++i) {
      const Node child = arena_[root_.children() + i];
      child.shut(child.proof() == Proof::loss || !is_allowed(child.move()));
    }
  }

  void work(std::uint64_t seed, std::uint64_t visits, const std::atomic<bool>& stop) override {
    const std::uint64_t most = std::min(visits, most_visits());
    Worker worker(*this, seed);
    while (!stop.load(relaxed) && !decided()) {
      if (full_.load(relaxed)) prune(stop);
      const std::uint64_t before = granted_.fetch_add(options_.round, relaxed);
      const std::uint64_t left = before < most ? most - before : 0;
      const auto wanted = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, options_.round));
      const std::uint32_t done = wanted > 0 ? run_round(worker, wanted, stop) : 0;
      granted_.fetch_sub(options_.round - done, relaxed);
      if (wanted == 0) break;
    }
  }

  Report report() const override {
    const std::shared_lock lock(pruning_);
    Report report;
    report.visits = root_.visits();
    report.nodes = arena_.used();
    for (std::uint32_t i = 0; i < root_.child_count(); ++i) {
      const Node child = arena_[root_.children() + i];
      if (!is_allowed(child.move())) continue;
      report.choices.push_back(describe(child, per_unit_));
      report.choices.back().weight = weight(child);
      for (Node node = child; node; node = preferred_child(arena_, node, per_unit_))
        report.choices.back().line.push_back(node.move());
    }
    std::stable_sort(report.choices.begin(), report.choices.end(), is_better);
    return report;
  }

  std::vector<float> ownership(std::uint64_t seed, int simulations) override {
    Worker worker(*this, seed);
    std::vector<float> sums(kPoints, 0);
    for (int i = 0; i < simulations; ++i) {
      AnyGame game = position_;
      for (Node node = root_; node && game.outcome() == Outcome::none;) {
        node = sample_child(arena_, node, worker.rng);
        if (node) game.play(node.move());
      }
      if (game.outcome() == Outcome::none) {
        worker.evaluator->add_ownership(game, worker.rng, sums);
      } else {
        for (const Move move : game.stones(Side::first)) sums[move] += 1;
        for (const Move move : game.stones(Side::second)) sums[move] -= 1;
      }
    }
    for (float& sum : sums) sum /= static_cast<float>(std::max(simulations, 1));
    return sums;
  }

 private:
  struct Worker {
    Worker(const Tree& tree, std::uint64_t seed)
        : rng(seed),
          evaluator(tree.evaluator_->clone()),
          history(tree.history_),
          lot(tree.arena_),
          simulation(tree.unit_bits_),
          sums(tree.unit_bits_) {}
    Rng rng;
    std::unique_ptr<Evaluator> evaluator;
    History history;  // to the node at the end of the path
    std::vector<Node> path;
    std::size_t base = 0;  // number of the path's node that the round's simulations begin at
    Arena::Lot lot;
    Simulation simulation;              // the latest
    Simulations sums;                   // those of the round
    std::vector<std::uint16_t> priors;  // of the leaf
  };

  // The most visits of a root: sums of 32 bits hold their score, and that of all-moves-as-first, which
  // begins with two visits for a swap.
  std::uint64_t most_visits() const { return (std::uint64_t{UINT32_MAX} >> unit_bits_) - 2; }

  bool decided() const {
    if (root_.proof() != Proof::open) return true;
    if (allowed_.empty()) return false;
    for (std::uint32_t i = 0; i < root_.child_count(); ++i) {
      const Node child = arena_[root_.children() + i];
      if (is_allowed(child.move()) && child.proof() == Proof::open) return false;
    }
    return true;
  }

  // -- rounds

  // Simulates several times in a row from one node, and then backs all of it up to the nodes above at
  // once. That node was visited so often that it makes no difference to the search; but upper nodes are
  // looked at less often, and the thread has the lower ones to itself. Returns how often it did so.
  // Where memory runs out in the middle (std::bad_alloc), the simulations made until then count.
  std::uint32_t run_round(Worker& worker, std::uint32_t simulations, const std::atomic<bool>& stop) {
    const std::shared_lock lock(pruning_);
    AnyGame game = position_;
    std::vector<Node>& path = worker.path;
    path.assign(1, root_);
    worker.base = 0;
    worker.history.cut(history_.size());
    worker.sums.clear();
    try {
      while (const Node next = well_known_child(path.back())) {
        worker.history.add(game);
        game.play(next.move());
        path.push_back(next);
        next.busy().fetch_add(1, relaxed);
        ++worker.base;
      }
      const std::size_t past = worker.history.size();
      do {
        path.resize(worker.base + 1);
        worker.history.cut(past);
        simulate(worker, game);
        worker.sums.add(worker.simulation);
      } while (worker.sums.count() < simulations && path[worker.base].proof() == Proof::open &&
               !stop.load(relaxed));
    } catch (...) {
      finish_round(worker);
      throw;
    }
    finish_round(worker);
    return worker.sums.count();
  }

  void finish_round(Worker& worker) {
    for (std::size_t i = 0; i < worker.base; ++i) {
      worker.path[i].visits().fetch_add(worker.sums.count(), relaxed);
      worker.path[i + 1].busy().fetch_sub(1, relaxed);
    }
    back_up(arena_, worker.path, 0, worker.base, worker.sums, has_placements_);
  }

  // The child that a round goes on to, if it was visited often enough to bear the whole round.
  Node well_known_child(Node node) {
    const std::uint32_t many = kRoundsToBearOne * options_.round;
    if (!node.is_expanded() || node.visits() < many) return {};
    const Node child = select(node);
    const bool bears = child.visits() >= many && child.is_expanded() && child.proof() == Proof::open;
    return bears ? child : Node();
  }

  // -- one simulation, from the end of the path, where the game stands like that

  void simulate(Worker& worker, AnyGame game) try {
    descend(worker, game);
    evaluate(worker, game);
    back_up(arena_, worker.path, worker.base, worker.path.size(), worker.simulation, has_placements_);
  } catch (...) {
    for (std::size_t i = worker.base; i < worker.path.size(); ++i)
      worker.path[i].visits().fetch_sub(1, relaxed);
    throw;
  }

  // Goes down to a leaf, or to where the end of the game is known.
  void descend(Worker& worker, AnyGame& game) {
    Node node = worker.path.back();
    node.visits().fetch_add(1, relaxed);
    while (game.outcome() == Outcome::none && node.proof() == Proof::open) {
      if (!node.is_expanded() && !expand_on_the_way(worker, game, node)) break;
      if (node.proof() != Proof::open) break;
      node = select(node);
      worker.history.add(game);
      game.play(node.move());
      worker.path.push_back(node);
      const std::uint32_t before = node.visits().fetch_add(1, relaxed);
      if (before == 0 && worker.history.draws(game)) settle(node, Proof::draw, 0);
    }
    if (game.outcome() != Outcome::none && node.proof() == Proof::open)
      settle(node, proof_of(game.outcome(), node.credited()), 0);
  }

  Node select(Node parent) const {
    if (!has_priors_) return best_child(arena_, parent, Uct(parent, options_, per_unit_));
    const Puct puct(arena_, parent, options_, per_unit_);
    if (options_.forced_playouts > 0 && parent == root_)
      return best_child(arena_, parent, ForcedPuct(puct, parent, options_));
    return best_child(arena_, parent, puct);
  }

  // Without priors a leaf is expanded some visits after the first, the more of them the less memory
  // there is; with them, when it is evaluated.
  bool expand_on_the_way(Worker& worker, const AnyGame& game, Node node) {
    return !has_priors_ && node.visits() >= least_to_expand_ && expand(worker, game, node);
  }

  // What the end of the path is worth: known, or as the evaluator says.
  void evaluate(Worker& worker, const AnyGame& game) {
    const Node leaf = worker.path.back();
    worker.simulation.placed.clear();
    if (has_priors_ && leaf.proof() == Proof::open && expand(worker, game, leaf) &&
        leaf.proof() == Proof::open)
      return;  // expansion has evaluated it
    if (leaf.proof() == Proof::open)
      worker.evaluator->evaluate(game, worker.rng, {}, {}, worker.simulation);
    else
      worker.simulation.set(outcome_of(leaf));
  }

  // Makes room where memory is used up, once all threads have left the tree.
  void prune(const std::atomic<bool>& stop) {
    const std::unique_lock lock(pruning_);
    if (!full_.load(relaxed)) return;  // somebody else has done it
    least_to_expand_ = std::max(options_.expand_visits, Pruning(arena_, stop).prune(root_));
    full_ = false;
  }

  // Gives a leaf its children; with priors, evaluates it too, unless it is proven. False if another
  // thread is at it or memory is used up.
  bool expand(Worker& worker, const AnyGame& game, Node node) {
    if (full_.load(relaxed) || !node.claim()) return false;
    Claim claim{node};
    const auto [moves, proof] = candidates(game, worker.history, worker.rng);
    worker.priors.assign(moves.size(), 0);
    if (has_priors_ && proof == Proof::open)
      worker.evaluator->evaluate(game, worker.rng, moves, worker.priors, worker.simulation);
    const std::uint32_t block = arena_.allocate(static_cast<std::uint32_t>(moves.size()), worker.lot);
    if (block == 0) {
      full_ = true;
      return false;
    }
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const Node child = arena_[block + static_cast<std::uint32_t>(i)];
      if (proof != Proof::open) settle(child, proof, proof == Proof::win ? 1 : 2);
      begin(child, moves[i], game, evaluator_->unit());
      child.prior() = worker.priors[i];
    }
    node.turn() = game.turn();
    node.child_count() = static_cast<std::uint16_t>(moves.size());
    node.children().store(block, std::memory_order_release);
    claim.node = Node();
    prove(arena_, node);
    return true;
  }

  // That a thread is about to expand a node; given up when it leaves without having done so.
  struct Claim {
    Node node;
    ~Claim() {
      if (node) node.unclaim();
    }
  };

  // -- the root

  bool is_allowed(Move move) const { return allowed_.empty() || allowed_[move]; }

  void check_legal(Move move) const {
    if (history_.draws(position_) || !position_.is_legal(move))
      throw std::invalid_argument("illegal move");
  }

  // Gives the root all of its children. False if memory is used up.
  bool grow_root(Worker& worker) {
    if (position_.outcome() != Outcome::none) return true;
    if (!root_.is_expanded()) expand_root(worker);
    return root_.is_expanded() && complete_root(worker);
  }

  // With priors that is an evaluation, which counts as a visit. What was proven of a root whose
  // children were pruned is to be proven again: the moves that do it are unknown.
  void expand_root(Worker& worker) {
    root_.proof() = Proof::open;
    root_.distance() = 0;
    if (!expand(worker, position_, root_) || !has_priors_ || root_.proof() != Proof::open) return;
    root_.visits() += 1;
    root_.score() += worker.simulation.score(root_.credited());
  }

  // A root that was an inner node has only the children worth a visit; this adds the others, so that
  // every legal move can be told about. What was left out in favour of others is known to lose,
  // except beside a win. False if memory is used up.
  bool complete_root(Worker& worker) {
    const std::vector<Move> moves = position_.legal_moves();
    const std::uint32_t old = root_.children();
    if (old == 0 || root_.child_count() == moves.size()) return true;
    const std::uint32_t block = arena_.allocate(static_cast<std::uint32_t>(moves.size()), worker.lot);
    if (block == 0) return false;
    const bool beside_a_win = arena_[old].proof() == Proof::win && root_.child_count() == 1;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const Node child = arena_[block + static_cast<std::uint32_t>(i)];
      if (!beside_a_win) settle(child, Proof::loss, 2);
      begin(child, moves[i], position_, evaluator_->unit());
      for (std::uint32_t j = old; j < old + root_.child_count(); ++j)
        if (arena_[j].move() == child.move()) move_node(arena_[j], child);
    }
    arena_.discard(old, root_.child_count());
    root_.child_count() = static_cast<std::uint16_t>(moves.size());
    root_.children() = block;
    return true;
  }

  // What self-play does to a root's priors, once for each root.
  void change_priors(std::uint64_t seed) {
    const bool changes = options_.root_temperature != 1 || options_.noise_fraction > 0;
    if (!changes || has_own_priors_ || !root_.is_expanded()) return;
    std::vector<double> priors;
    for (std::uint32_t i = 0; i < root_.child_count(); ++i)
      priors.push_back(arena_[root_.children() + i].prior() / double{kPriorUnit});
    if (options_.root_temperature != 1) temper(priors, options_.root_temperature);
    if (options_.noise_fraction > 0) {
      Rng rng(mix(seed, kNoiseSeed));
      add_noise(priors, options_.noise_fraction, options_.noise_alpha, rng);
    }
    for (std::uint32_t i = 0; i < root_.child_count(); ++i)
      arena_[root_.children() + i].prior() =
          static_cast<std::uint16_t>(std::min<double>(priors[i] * kPriorUnit + 0.5, kPriorUnit));
    has_own_priors_ = true;
  }

  std::uint32_t weight(Node child) const {
    if (child.proof() == Proof::loss) return 0;
    if (!has_priors_ || options_.forced_playouts == 0) return child.visits();
    Node best = child;
    for (std::uint32_t i = 0; i < root_.child_count(); ++i)
      if (const Node each = arena_[root_.children() + i]; each.visits() > best.visits()) best = each;
    return unforced_visits(child, best, root_, options_, per_unit_);
  }

  static void move_node(Node from, Node to) {
    to.visits() = from.visits().load();
    to.score() = from.score().load();
    to.amaf_visits() = from.amaf_visits().load();
    to.amaf_score() = from.amaf_score().load();
    to.prior() = from.prior();
    to.child_count() = from.child_count();
    to.children() = from.children().exchange(0);
    to.distance() = from.distance().load();
    to.proof() = from.proof().load();
    to.shut(to.proof() == Proof::loss);
    if (to.is_expanded())
      to.claim();
    else
      to.unclaim();
    to.share(from.shares());
    to.credit(from.credited());
    to.turn() = from.turn();
  }

  void forget_root(Move move) {
    new (&root_home_) Nodes();
    root_.move() = move;
    root_.credit(other(position_.turn()));
    root_.turn() = position_.turn();
    has_own_priors_ = false;
    full_ = false;
    least_to_expand_ = options_.expand_visits;
  }

  static constexpr std::uint32_t kRoundsToBearOne = 32;  // visits of a node, in rounds
  static constexpr std::uint64_t kNoiseSeed = 0x6e6f697365;
  static constexpr auto relaxed = std::memory_order_relaxed;

  SearchOptions options_;
  std::unique_ptr<Evaluator> evaluator_;
  int unit_bits_;
  float per_unit_;  // of score, in wins
  bool has_placements_;
  bool has_priors_;
  mutable Arena arena_;
  AnyGame position_;
  History history_;       // before position_
  Nodes root_home_ = {};  // its own eight, of which it is the only one
  const Node root_{root_home_, 0};
  bool has_own_priors_ = false;        // the root: those of self-play
  std::vector<bool> allowed_;          // by move; empty: all
  std::uint32_t least_to_expand_ = 0;  // visits of a leaf, without priors
  std::atomic<bool> full_{false};      // memory is used up
  mutable std::shared_mutex pruning_;  // shared by who is in the tree, exclusive for who prunes it
  alignas(64) std::atomic<std::uint64_t> granted_{0};  // visits of the root, with those under way
};

}  // namespace pinchtp::PINCHTP_LEVEL
