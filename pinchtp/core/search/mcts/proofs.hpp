// Proven results in the tree (MCTS-Solver; Winands, Björnsson and Saito, 2008).
#pragma once

#include <algorithm>
#include <cstdint>

#include "../../types.hpp"
#include "arena.hpp"
#include "nodes.hpp"

namespace pinchtp {

inline Proof proof_of(Outcome outcome, Side value_side) {
  return outcome == Outcome::draw         ? Proof::draw
         : outcome == win_for(value_side) ? Proof::win
                                          : Proof::loss;
}

// The outcome of the game after a proven node.
inline Outcome outcome_of(Node node) {
  return node.proof() == Proof::draw  ? Outcome::draw
         : node.proof() == Proof::win ? win_for(node.value_side())
                                      : win_for(other(node.value_side()));
}

// `distance`: moves to the end, with the one that leads to the node.
inline void set_proven(Node node, Proof proof, std::uint32_t distance) {
  node.set_proof(proof, distance);
  if (proof == Proof::loss) node.set_masked(true);
}

// Proves a node by its children: by a winning one, or if none is better than a loss.
// is_useless(child): whether it is no better. It is called after the child's proof was read, which
// another thread may set at any time.
template <class IsUseless>
void update_proof(const Arena& arena, Node node, IsUseless&& is_useless) {
  const Arena::Children children = arena.children(node);
  Proof best = children.reached() == children.count() ? Proof::loss : Proof::unknown;
  std::uint16_t shortest_win = 0xffff;
  std::uint16_t longest_draw = 0;
  std::uint16_t longest_loss = 0;
  for (const Node child : children) {
    const Proof known = child.proof();
    const Proof proof = is_useless(child) ? Proof::loss : known;
    const std::uint16_t distance = child.distance();
    if (proof == Proof::win) {
      best = Proof::win;
      shortest_win = std::min(shortest_win, distance);
    } else if (best != Proof::win) {
      if (proof == Proof::unknown) best = Proof::unknown;
      if (proof == Proof::draw && best == Proof::loss) best = Proof::draw;
      std::uint16_t& longest = known == Proof::draw ? longest_draw : longest_loss;
      longest = std::max(longest, distance);
    }
  }
  if (best == Proof::unknown) return;
  const bool same_player = node.value_side() == children.turn();
  const Proof for_chooser = best == Proof::draw || same_player ? best
                            : best == Proof::win               ? Proof::loss
                                                               : Proof::win;
  const std::uint16_t distance = best == Proof::win    ? shortest_win
                                 : best == Proof::draw ? longest_draw
                                                       : longest_loss;
  set_proven(node, for_chooser, distance + 1U);
}

// A masked child is useless: it loses, or is not allowed at the root.
inline void update_proof(const Arena& arena, Node node) {
  update_proof(arena, node, [](Node child) { return child.is_masked(); });
}

}  // namespace pinchtp
