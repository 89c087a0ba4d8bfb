// The vectorized loops of a tree: over all children of a node, and over all points.
// They are compiled for each instruction set (vectors/), the rest of the tree once for all.
#pragma once

#include <cstdint>

#include "../search.hpp"
#include "arena.hpp"
#include "nodes.hpp"
#include "simulation.hpp"

namespace pinchtp {

// How a child is selected: see vectors/selection.hpp.
enum class Formula : std::uint8_t { uct, even_uct, puct, even_puct };

struct Kernels {
  // The number of the child of the highest value, of equals the first. It may be the first of those
  // that have not been reached.
  std::uint32_t (*select)(const Arena& arena, Node parent, Formula formula,
                          const SearchOptions& options, float per_unit);
  // All moves as first: credits the children of a node with one simulation, or with several.
  void (*credit_one)(const Arena& arena, Node node, const Simulation& simulation);
  void (*credit_several)(const Arena& arena, Node node, const Simulations& simulations);
  // Adds to several simulations where the stones of one more were put down.
  void (*add)(Simulations& sums, const Simulation& simulation);
};

}  // namespace pinchtp
