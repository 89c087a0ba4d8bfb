// Decides by an attractor whether the attacker can force a win, for games in which positions repeat.
//
// A proof search follows one path at a time, and a "no" that depends on a repetition is nearly useless
// off that path; endgames in which kings move back and forth consist of such answers. Here every
// position is expanded once, breadth first: with all of the attacker's moves, but with only one of the
// defender's, the first that is not known to lose (Liu and Smolka, 1998, on local evaluation of least
// fixed points). A win is propagated to the positions that wait for it. When nothing is left to expand,
// the positions that are not won are a set in which the defender can stay for ever.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../any_game.hpp"
#include "../../game_list.hpp"
#include "../../types.hpp"
#include "verdict.hpp"

namespace pinchtp {

// `Question` defines the question: key(game, last move), attacks(game), whether the attacker is to
// move, and initial_verdict(game, key), a verdict, of which only an answer that holds everywhere
// counts.
template <class Question>
class Attractor {
 public:
  // Takes no more than `bytes`. Throws std::bad_alloc.
  Attractor(const Question& question, const GameType& type, std::size_t bytes)
      : question_(question),
        capacity_(std::min<std::size_t>(bytes / bytes_per_node(type), kNone / kDependencies)),
        games_(type) {
    nodes_.reserve(capacity_);
    dependencies_.reserve(kDependencies * capacity_);
    fresh_.reserve(capacity_);
    index_.assign(2 * capacity_, kNone);
  }

  // Works until the answer is known, memory is used up, `stop`, or `most_nodes` are expanded.
  void run(const AnyGame& position, const Hash128& key, const std::atomic<bool>& stop,
           std::uint64_t most_nodes) {
    number_of(position, key);
    for (; next_ < nodes_.size() && !is_full_ && !nodes_.front().is_won; ++next_) {
      if (stop.load(std::memory_order_relaxed) || next_ == most_nodes) return;
      if (nodes_[next_].attacks)
        attack(next_);
      else
        defend(next_);
      spread();
    }
  }

  // Calls visit(key, verdict) for every answer found; all hold everywhere.
  template <class Visit>
  void for_each_answer(Visit&& visit) const {
    const bool is_closed = next_ == nodes_.size() && !is_full_;
    for (const Node& each : nodes_)
      if (each.is_won || is_closed)
        visit(each.key, each.is_won ? Verdict::won(each.distance) : Verdict::not_won());
  }

  // Positions that were expanded.
  std::uint64_t nodes() const { return next_; }

 private:
  using Number = std::uint32_t;
  static constexpr Number kNone = UINT32_MAX;

  struct Node {
    Hash128 key;
    Number dependents = kNone;   // the last of the dependencies on this position
    std::uint16_t tried = 0;     // the defender's first moves, which all lose
    std::uint16_t distance = 0;  // of the win; until then the largest of the moves tried
    bool attacks = false;
    bool is_won = false;
  };
  struct Dependency {
    Number node;
    Number previous;
  };
  static constexpr std::size_t kDependencies = 8;  // a position, in the mean
  // With its game, rounded up, so that memory holds as many nodes with every instruction set.
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

  // Goes on with the first move that is not known to lose.
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

  // A move leads to a win within `distance`.
  void win(Number node, std::uint16_t distance) {
    nodes_[node].is_won = true;
    nodes_[node].distance = static_cast<std::uint16_t>(std::min<int>(distance + 1, kMaxDistance));
    fresh_.push_back(node);
  }

  // Propagates new wins to the positions that wait for them.
  void spread() {
    while (!fresh_.empty() && !is_full_) {
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

  // The number of a position, a new one if it comes up for the first time.
  Number number_of(const AnyGame& game, const Hash128& key) {
    is_full_ = is_full_ || nodes_.size() == capacity_;
    if (is_full_) return kNone;
    std::size_t at = static_cast<unsigned __int128>(key.high) * index_.size() >> 64;
    for (; index_[at] != kNone; at = at + 1 == index_.size() ? 0 : at + 1)
      if (nodes_[index_[at]].key == key) return index_[at];
    index_[at] = static_cast<Number>(nodes_.size());
    games_.push_back(game);
    nodes_.push_back({.key = key, .attacks = question_.attacks(game)});
    return index_[at];
  }

  const Question& question_;
  std::size_t capacity_;
  std::vector<Node> nodes_;  // never moved, in the order of their numbers
  GameList games_;           // of the nodes
  std::vector<Dependency> dependencies_;
  std::vector<Number> fresh_;  // newly won
  std::vector<Number> index_;  // by key; kNone: free
  Number next_ = 0;            // to be looked at
  bool is_full_ = false;
};

}  // namespace pinchtp
