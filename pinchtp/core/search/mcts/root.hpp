// The root of a tree: its position, and which of its moves are allowed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../../any_game.hpp"
#include "../../evaluation/evaluator.hpp"
#include "../../history.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"
#include "../search.hpp"
#include "arena.hpp"
#include "expansion.hpp"
#include "noise.hpp"
#include "proofs.hpp"
#include "swap.hpp"
#include "symmetry.hpp"

namespace pinchtp {

class Root {
 public:
  Root(const AnyGame& position, const History& history) : position_(position), history_(history) {
    forget(kNoMove, lets_swap(position));
  }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;

  Node node() const { return node_; }
  const AnyGame& position() const { return position_; }
  const History& history() const { return history_; }  // before the position

  void check_legal(Move move) const { pinchtp::check_legal(position_, history_, move); }

  // Whether the opponent may take over the first stone. Then no move is worth more than an even
  // game.
  bool opens_swap() const { return opens_swap_; }

  // Advances to the position after a legal move and keeps its subtree, or the whole tree after a
  // swap. Throws std::bad_alloc, and then has changed nothing.
  void advance(Arena& arena, Move move) {
    AnyGame next = position_;
    next.play(move);
    const bool opens_swap = lets_swap(next);
    history_.add(position_);  // the last call that may throw
    position_ = next;
    restriction_.allowed.clear();
    if (move == kSwap) return;
    const Arena::Children before = arena.children(node_);
    forget(move, opens_swap);
    for (const Node child : before)
      if (child.move() == move) move_node(child, node_);
    arena.discard(before);
  }

  // Drops all nodes below the root, and its proof.
  void forget_subtree(Arena& arena) {
    const Arena::Children before = arena.children(node_);
    forget(node_.move(), opens_swap_);
    arena.discard(before);
  }

  // The allowed moves.
  struct Restriction {
    std::vector<bool> allowed;       // by move; empty: all
    std::vector<Move> searched_for;  // by move: the move searched in its place; empty: itself
  };

  // Creates a restriction to some moves, or none if the list is empty, and allocates all memory
  // that it needs. Throws std::invalid_argument for an illegal move.
  Restriction restriction_to(const std::vector<Move>& moves) {
    Restriction made;
    made.allowed.assign(moves.empty() ? 0 : kNoMove, false);
    for (const Move move : moves) {
      check_legal(move);
      made.allowed[move] = true;
    }
    if (!opens_swap_) return made;
    if (!symmetry_) symmetry_.emplace(position_);
    made.searched_for.assign(kNoMove, kNoMove);
    return made;
  }

  // Restricts the allowed moves. From then on, proofs consider only these. Returns whether they
  // changed.
  bool restrict(const Arena& arena, Restriction restriction) {
    const bool changes = restriction.allowed != restriction_.allowed;
    restriction_ = std::move(restriction);
    if (opens_swap_) mask_reflections(arena);
    for (const Node child : arena.children(node_)) child.set_masked(!is_candidate(child));
    update_proof_from_children(arena);
    return changes;
  }
  bool is_allowed(Move move) const {
    return restriction_.allowed.empty() || restriction_.allowed[move];
  }
  // Whether a child may still be chosen, or determines the value of a swap that may.
  bool is_candidate(Node child) const {
    if (searched_for(child.move()) != child.move()) return false;
    const bool is_taken_over =
        opens_swap_ && child.proof() == Proof::win && can_be_taken_over(child.distance());
    const bool is_lost = child.proof() == Proof::loss || is_taken_over;
    return !is_lost && (is_allowed(child.move()) || (position_.swap_open() && is_allowed(kSwap)));
  }

  // Copies the results of reflections to first stones that are not searched themselves.
  void fill_in_reflections(std::vector<Choice>& choices) const {
    std::vector<const Choice*> known(kNoMove, nullptr);
    for (const Choice& choice : choices) known[choice.move] = &choice;
    for (Choice& choice : choices) {
      const Move move = choice.move;
      const Move other = searched_for(move);
      if (other == move || !known[other]) continue;
      const double prior = choice.prior;
      choice = *known[other];
      choice.move = move;
      choice.prior = prior;
      choice.visits = 0;
      for (Move& each : choice.line) each = symmetry_->reflect(each, other, move);
    }
  }

  // Updates the proof of a node of the tree. A first stone that wins is taken over, so it is no
  // better than one that loses.
  void update_proof(const Arena& arena, Node node) const {
    if (!opens_swap_ || node != node_) {
      pinchtp::update_proof(arena, node);
      return;
    }
    for (const Node child : arena.children(node_)) child.set_masked(!is_candidate(child));
    pinchtp::update_proof(arena, node, [this](Node child) { return !is_candidate(child); });
  }

  // Whether the result is proven.
  bool is_decided() const { return node_.proof() != Proof::unknown; }

  // A root that was an inner node has only the children worth a visit; this adds the other legal
  // moves but a swap, and reaches all. The omitted moves are known to lose, unless the only child
  // was a win; then nothing is known of them, and they share the priors equally. `edges`: empty,
  // with capacity for the moves, so that nothing here throws. False if memory is used up.
  bool complete(Arena& arena, Arena::ThreadCache& cache, std::span<const Move> moves,
                std::vector<Edge> edges) {
    const Arena::Children old = arena.children(node_);
    if (!old) return true;
    if (!arena.reach_all(old, cache)) return false;
    if (old.count() == moves.size()) return true;
    const bool beside_a_win = old.count() == 1 && old[0].proof() == Proof::win;
    const auto share = static_cast<std::uint16_t>(beside_a_win ? kPriorUnit / moves.size() : 0);
    for (const Move move : moves) edges.push_back({move, share});
    for (const Edge& known : old.edges())
      if (!beside_a_win) std::ranges::find(edges, known.move, &Edge::move)->prior = known.prior;
    const Arena::Children all = arena.allocate(edges, position_.turn(), cache);
    if (!all || !arena.reach_all(all, cache)) {
      arena.discard(all);
      return false;
    }
    for (const Node child : all)
      if (!beside_a_win) set_proven(child, Proof::loss, 2);
    init_children(all, position_, outcome_of_pass(position_, moves));
    for (const Node known : old)
      for (const Node child : all)
        if (known.move() == child.move()) move_node(known, child);
    if (!old.edges().empty()) all.squares() = old.squares().load();
    arena.discard(old);
    node_.set_child_count(moves.size(), position_.turn());
    node_.children() = all.span();
    return true;
  }

  // Applies the self-play temperature and noise to the priors of the root's children, once per
  // root.
  void change_priors(const Arena& arena, const SearchOptions& options, std::uint64_t seed) {
    const bool changes = options.root_temperature != 1 || options.noise_fraction > 0;
    if (!changes || has_changed_priors_ || !node_.is_expanded()) return;
    const std::span<Edge> edges = arena.children(node_).edges();
    std::vector<double> priors;
    for (const Edge& edge : edges) priors.push_back(edge.prior / double{kPriorUnit});
    if (options.root_temperature != 1) apply_temperature(priors, options.root_temperature);
    if (options.noise_fraction > 0) {
      Rng rng(mix(seed, kNoiseSeed));
      add_noise(priors, options.noise_fraction, options.noise_alpha, rng);
    }
    auto prior = priors.begin();
    for (Edge& edge : edges)
      edge.prior =
          static_cast<std::uint16_t>(std::min<double>(*prior++ * kPriorUnit + 0.5, kPriorUnit));
    has_changed_priors_ = true;
  }

 private:
  // Of first stones that are reflections of each other, searches only the first allowed one. It is
  // stored at their representative first; then all of them refer to it.
  void mask_reflections(const Arena& arena) {
    std::vector<Move>& searched_for = restriction_.searched_for;
    for (const Node child : arena.children(node_)) {
      Move& known = searched_for[symmetry_->representative(child.move())];
      if (known == kNoMove && is_allowed(child.move())) known = child.move();
    }
    for (const Node child : arena.children(node_)) {
      const Move known = searched_for[symmetry_->representative(child.move())];
      searched_for[child.move()] = known == kNoMove ? child.move() : known;
    }
  }

  // The move that is searched in place of a first stone.
  Move searched_for(Move move) const {
    return restriction_.searched_for.empty() ? move : restriction_.searched_for[move];
  }

  // Proves the root by its children only: for a position that was proven elsewhere, the proving
  // move is unknown.
  void update_proof_from_children(const Arena& arena) {
    if (!node_.is_expanded()) return;
    node_.set_proof(Proof::unknown, 0);
    update_proof(arena, node_);
  }

  void forget(Move move, bool opens_swap) {
    new (&home_) AmafBlock();
    node_.move() = move;
    node_.set_value_side(other(position_.turn()));
    node_.set_child_count(0, position_.turn());
    has_changed_priors_ = false;
    opens_swap_ = opens_swap;
    symmetry_.reset();
    restriction_.searched_for.clear();
  }

  static bool lets_swap(const AnyGame& position) {
    for (const Move move : position.legal_moves()) {
      AnyGame next = position;
      next.play(move);
      if (next.outcome() == Outcome::none) return next.swap_open();
    }
    return false;
  }

  static void move_node(Node from, Node to) {
    to.visits() = from.visits().load();
    to.score() = from.score().load();
    to.set_amaf_side(from.amaf_side());
    if (from.amaf_side()) {
      to.amaf_visits() = from.amaf_visits().load();
      to.amaf_score() = from.amaf_score().load();
    }
    to.set_child_count(from.child_count(), from.turn());
    to.children() = from.children().exchange(0);
    to.set_proof(from.proof(), from.distance());
    to.set_masked(to.proof() == Proof::loss);
    if (to.is_expanded())
      to.claim();
    else
      to.unclaim();
    to.set_value_side(from.value_side());
  }

  static constexpr std::uint64_t kNoiseSeed = 0x6e6f697365;

  AnyGame position_;
  History history_;
  AmafBlock home_ = {};  // eight nodes; only the root is used
  const Node node_{home_, 0};
  bool has_changed_priors_ = false;
  bool opens_swap_ = false;
  std::optional<PositionSymmetry> symmetry_;
  Restriction restriction_;
};

}  // namespace pinchtp
