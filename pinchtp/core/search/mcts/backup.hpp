// Backup: adds the result of a simulation, or the sum of several, to the nodes on its path.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "../../types.hpp"
#include "arena.hpp"
#include "kernels.hpp"
#include "nodes.hpp"
#include "proofs.hpp"
#include "root.hpp"
#include "simulation.hpp"

namespace pinchtp {

// Adds one simulation, or several, to the nodes of the path from `end` up to `begin`, all of which were
// visited, and updates their proofs. The path begins at `root`. `credit_children`: the loop for them;
// none without all-moves-as-first statistics.
template <class S>
void back_up(Arena& arena, const Root& root, const std::vector<Node>& path, std::size_t begin,
             std::size_t end, S& simulations, void (*credit_children)(Arena&, Node, const S&)) {
  for (std::size_t i = end; i-- > begin;) {
    const Node node = path[i];
    if (credit_children && node.is_expanded()) credit_children(arena, node, simulations);
    node.score().fetch_add(simulations.score(node.value_side()), std::memory_order_relaxed);
    const bool proven_below = i + 1 < path.size() && path[i + 1].proof() != Proof::unknown;
    if (proven_below && node.proof() == Proof::unknown) root.update_proof(arena, node);
    if (const std::optional<Side> stone = node.amaf_side()) simulations.add(*stone, node.move());
  }
}

}  // namespace pinchtp
