// Decides whether the attacker can force a win by computing an attractor, for games with
// repetitions.
//
// A proof search follows one path at a time, and a "no" that depends on a repetition is nearly
// useless on other paths; endgames in which kings move back and forth are full of such results.
// Here every position is expanded once, breadth first: with all moves of the attacker, but only one
// of the defender, the first that is not known to lose (Liu and Smolka, 1998, on local evaluation
// of least fixed points). Wins are propagated to the positions that wait for them. When nothing is
// left to expand, the positions that are not won form a set in which the defender can stay forever.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../any_game.hpp"
#include "../../game_list.hpp"
#include "../../hash.hpp"
#include "../../types.hpp"
#include "verdict.hpp"

namespace pinchtp {

// `Question` defines the proof goal: key(game, last move); attacks(game), whether the attacker is
// to move; and initial_verdict(game, key), which counts only if it is a path-independent answer.
template <class Question>
class Attractor {
 public:
  // Takes at most `bytes`. Throws std::bad_alloc.
  Attractor(const Question& question, const GameType& type, std::size_t bytes)
      : question_(question),
        capacity_(std::min<std::size_t>(bytes / bytes_per_node(type), kNone / kDependencies)),
        games_(type) {
    nodes_.reserve(capacity_);
    dependencies_.reserve(kDependencies * capacity_);
    fresh_.reserve(capacity_);
    index_.assign(2 * capacity_, kNone);
  }

  // Runs until the answer is known, memory is used up, `stop` is set, or `most_nodes` are expanded.
  // `count`: incremented by each, for other threads to read.
  void run(const AnyGame& position, const Hash128& key, const std::atomic<bool>& stop,
           std::uint64_t most_nodes, std::atomic<std::uint64_t>& count) {
    number_of(position, key);
    for (; next_ < nodes_.size() && !is_full_ && !nodes_.front().is_won; ++next_) {
      if (stop.load(std::memory_order_relaxed) || next_ == most_nodes) return;
      if (nodes_[next_].attacks)
        attack(next_);
      else
        defend(next_);
      propagate_wins(stop);
      count.fetch_add(1, std::memory_order_relaxed);
    }
  }

  // Calls visit(key, verdict) for every answer found; all are independent of the path.
  template <class Visit>
  void for_each_answer(Visit&& visit) const {
    const bool is_closed = next_ == nodes_.size() && fresh_.empty() && !is_full_;
    for (const Node& each : nodes_)
      if (each.is_won || is_closed)
        visit(each.key, each.is_won ? Verdict::won(each.distance) : Verdict::not_won());
  }

  // The number of expanded positions.
  std::uint64_t expanded() const { return next_; }

 private:
  using Number = std::uint32_t;
  static constexpr Number kNone = UINT32_MAX;

  struct Node {
    Hash128 key;
    Number dependents = kNone;   // the last dependency on this position
    std::uint16_t tried = 0;     // the defender's first moves, all losing
    std::uint16_t distance = 0;  // of the win; before, the maximum of the moves tried
    bool attacks = false;
    bool is_won = false;
  };
  struct Dependency {
    Number node;
    Number previous;
  };
  static constexpr std::size_t kDependencies = 8;  // per position, on average
  // Including the position, rounded up, so that the capacity is equal with every instruction set.
  static std::size_t bytes_per_node(const GameType& type) {
    return std::bit_ceil(type.traits.bytes + sizeof(Node)) + kDependencies * sizeof(Dependency) +
           3 * sizeof(Number);
  }

  void attack(Number node) {
    const AnyGame game = games_[node];
    std::vector<std::pair<AnyGame, Hash128>> open;
    for (const Move move : game.legal_moves()) {
      AnyGame next = game;
      next.play(move);
      const Hash128 key = question_.key(next, move);
      const Verdict verdict = question_.initial_verdict(next, key);
      if (verdict.yes()) return win(node, verdict.distance);
      if (!verdict.no()) open.emplace_back(next, key);
    }
    for (const auto& [next, key] : open) {
      const Number number = number_of(next, key);
      if (is_full_) return;
      if (nodes_[number].is_won) return win(node, nodes_[number].distance);
      depend(node, number);
    }
  }

  // Continues with the first move that is not known to lose.
  void defend(Number node) {
    Node& here = nodes_[node];
    const AnyGame game = games_[node];
    const std::vector<Move> moves = game.legal_moves();
    for (; here.tried < moves.size(); ++here.tried) {
      AnyGame next = game;
      next.play(moves[here.tried]);
      const Hash128 key = question_.key(next, moves[here.tried]);
      Verdict verdict = question_.initial_verdict(next, key);
      if (verdict.no()) return;
      if (!verdict.yes()) {
        const Number number = number_of(next, key);
        if (is_full_) return;
        if (!nodes_[number].is_won) return depend(node, number);
        verdict.distance = nodes_[number].distance;
      }
      here.distance = std::max(here.distance, verdict.distance);
    }
    win(node, here.distance);
  }

  // Records that a move leads to a win within `distance`.
  void win(Number node, std::uint16_t distance) {
    nodes_[node].is_won = true;
    nodes_[node].distance = static_cast<std::uint16_t>(std::min<int>(distance + 1, kMaxDistance));
    fresh_.push_back(node);
  }

  // Propagates new wins to the positions that wait for them, unless `stop` is set: they can be many.
  void propagate_wins(const std::atomic<bool>& stop) {
    while (!fresh_.empty() && !is_full_ && !stop.load(std::memory_order_relaxed)) {
      const Node& won = nodes_[fresh_.back()];
      fresh_.pop_back();
      for (Number at = won.dependents; at != kNone; at = dependencies_[at].previous) {
        const Number node = dependencies_[at].node;
        if (nodes_[node].is_won) continue;
        if (nodes_[node].attacks)
          win(node, won.distance);
        else
          defend(node);
      }
    }
  }

  void depend(Number node, Number on) {
    is_full_ = is_full_ || dependencies_.size() == kDependencies * capacity_;
    if (is_full_) return;
    dependencies_.push_back(
        {node, std::exchange(nodes_[on].dependents, static_cast<Number>(dependencies_.size()))});
  }

  // The index of a position; new if it occurs for the first time.
  Number number_of(const AnyGame& game, const Hash128& key) {
    is_full_ = is_full_ || nodes_.size() == capacity_;
    if (is_full_) return kNone;
    std::size_t at = slot_of(key.high, index_.size());
    for (; index_[at] != kNone; at = at + 1 == index_.size() ? 0 : at + 1)
      if (nodes_[index_[at]].key == key) return index_[at];
    index_[at] = static_cast<Number>(nodes_.size());
    games_.push_back(game);
    nodes_.push_back({.key = key, .attacks = question_.attacks(game)});
    return index_[at];
  }

  const Question& question_;
  std::size_t capacity_;
  std::vector<Node> nodes_;  // never moved, by index
  GameList games_;           // of the nodes
  std::vector<Dependency> dependencies_;
  std::vector<Number> fresh_;  // newly won
  std::vector<Number> index_;  // by key; kNone: free
  Number next_ = 0;            // next to expand
  bool is_full_ = false;
};

}  // namespace pinchtp
