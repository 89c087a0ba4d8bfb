// The vectorized loops of a tree: over all children of a node, and over all points. They are
// compiled for each instruction set (vectors/), the rest of the tree only once.
#pragma once

#include <cstdint>

#include "../search.hpp"
#include "arena.hpp"
#include "nodes.hpp"
#include "simulation.hpp"

namespace pinchtp {

// The selection formula; see vectors/selection.hpp.
enum class Formula : std::uint8_t { uct, even_uct, puct, even_puct };

struct Kernels {
  // The index of the child with the highest value, the first if there are several. It may be the
  // first of those that have not been reached.
  std::uint32_t (*select)(const Arena& arena, Node parent, Formula formula,
                          const SearchOptions& options, float per_unit);
  // AMAF updates: adds one simulation, or several, to the statistics of a node's children.
  void (*credit_one)(const Arena& arena, Node node, const Simulation& simulation);
  void (*credit_several)(const Arena& arena, Node node, const Simulations& simulations);
  // Adds the placements of one more simulation to several.
  void (*add)(Simulations& sums, const Simulation& simulation);
};

}  // namespace pinchtp
