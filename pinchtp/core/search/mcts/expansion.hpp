// Expansion: the moves that become children, and immediate proofs.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "../../any_game.hpp"
#include "../../history.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"
#include "arena.hpp"
#include "nodes.hpp"
#include "proofs.hpp"

namespace pinchtp {

// If the other side threatens an immediate win, keeps only the moves that parry every threat. If
// none does, keeps one, on a threatened point if legal, and returns false: the position is lost.
inline bool keep_defences(const AnyGame& game, History& history, std::vector<Move>& moves) {
  const std::vector<Move> threats = game.winning_points(other(game.turn()));
  if (threats.empty()) return true;
  const std::size_t past = history.size();
  const auto fails = [&](Move move) {
    AnyGame next = game;
    next.play(move);
    if (next.outcome() != Outcome::none) return next.outcome() == win_for(other(game.turn()));
    if (next.turn() == game.turn()) return false;
    history.add(game);
    const bool draws = history.draws(next);
    history.cut(past);
    if (draws) return false;
    return std::ranges::any_of(threats, [&](Move threat) {
      return threat != move && next.is_legal(threat) && next.wins_at(next.turn(), threat);
    });
  };
  std::vector<Move> kept;
  std::remove_copy_if(moves.begin(), moves.end(), std::back_inserter(kept), fails);
  const bool holds = !kept.empty();
  if (!holds) kept.push_back(game.is_legal(threats.front()) ? threats.front() : moves.front());
  moves = std::move(kept);
  return holds;
}

inline std::vector<Move> moves_without_swap(const AnyGame& game) {
  std::vector<Move> moves = game.legal_moves();
  std::erase(moves, kSwap);
  return moves;
}

// The moves that become children, and the proof that they have in common, for the player to move.
struct Candidates {
  std::vector<Move> moves;
  Proof proof = Proof::unknown;
};

// All legal moves but a swap (swap.hpp); or, if `solve_forced_moves`, one win in one move if there
// is any, and otherwise the moves that parry threats. In random order, since the first of equal
// children is tried first.
inline Candidates candidates(const AnyGame& game, History& history, Rng& rng, bool solve_forced_moves) {
  Candidates found;
  const std::vector<Move> wins =
      solve_forced_moves ? game.winning_points(game.turn()) : std::vector<Move>();
  if (!wins.empty()) {
    found = {{wins.front()}, Proof::win};
  } else {
    found.moves = moves_without_swap(game);
    if (solve_forced_moves && !keep_defences(game, history, found.moves)) found.proof = Proof::loss;
  }
  shuffle(std::span(found.moves), rng);
  return found;
}

// The outcome if one of the moves is a pass that ends the game: it is proven without a visit.
inline Outcome outcome_of_pass(const AnyGame& game, std::span<const Move> moves) {
  if (std::ranges::find(moves, kPass) == moves.end()) return Outcome::none;
  AnyGame next = game;
  next.play(kPass);
  return next.outcome();
}

// Sorts moves by prior, with a radix sort by bytes: three times as fast as comparisons, which are
// unpredictable branches. Stable. `buffer`: scratch memory.
inline void sort_by_prior(std::vector<Edge>& edges, std::vector<Edge>& buffer) {
  buffer.resize(edges.size());
  for (const int shift : {0, 8}) {
    const auto digit = [shift](const Edge& edge) { return 0xff - ((edge.prior >> shift) & 0xff); };
    std::array<std::uint32_t, 256> places{};
    for (const Edge& edge : edges) ++places[digit(edge)];
    std::exclusive_scan(places.begin(), places.end(), places.begin(), 0U);
    for (const Edge& edge : edges) buffer[places[digit(edge)]++] = edge;
    edges.swap(buffer);
  }
}

// Initializes the new children of a position that have been reached.
inline void init_children(const Arena::Children& children, const AnyGame& game,
                          Outcome outcome_of_pass) {
  for (const Node child : children) {
    if (children.edges().empty()) child.set_amaf_side(game.amaf_side(child.move()));
    if (child.move() == kPass && outcome_of_pass != Outcome::none)
      set_proven(child, proof_of(outcome_of_pass, child.value_side()), 1);
  }
}

}  // namespace pinchtp
