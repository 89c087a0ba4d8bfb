// All moves as first (AMAF): a child gets the result of a simulation if it put a stone of the same
// side on the child's point, in this move or later.
#pragma once

#include <cstdint>

#include "../../../types.hpp"
#include "../arena.hpp"
#include "../nodes.hpp"
#include "../simulation.hpp"
#include "lanes.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// The AMAF update of eight nodes: the number of simulations in which the stone was put down, by
// this move or later, and their score.
struct Credit {
  Words visits;
  Words score;
};

// The update for choices of `chooser`.
inline Credit credit_of(const Simulation& simulation, const AmafBlock& block, Side chooser) {
  const Words moves = points(block);
  const Words rows = pick(simulation.placed.rows[index(block.amaf_side)], moves / kStride);
  const Words hits = (rows >> (moves % kStride)) & bits(block.in_amaf) & 1;
  return {hits, hits * simulation.score(chooser)};
}

inline Credit credit_of(const Simulations& simulations, const AmafBlock& block, Side chooser) {
  const Words sums =
      pick(simulations.points[index(block.amaf_side)], points(block)) & (Words{} - bits(block.in_amaf));
  const Words visits = sums % Simulations::kOneScore;
  const Words first = sums / Simulations::kOneScore;
  return {visits, chooser == Side::first ? first : (visits << simulations.unit_bits) - first};
}

template <class S>
void credit_children(const Arena& arena, Node node, const S& simulations) {
  const Arena::Children children = arena.children(node);
  for (std::uint32_t group = 0; group < children.groups(); ++group) {
    AmafBlock& block = *children.amaf_block(group);
    const Credit credit = credit_of(simulations, block, children.turn());
    add_loosely(block.amaf_visits, credit.visits);
    add_loosely(block.amaf_score, credit.score);
  }
}

inline void add_row(std::uint32_t* sums, std::uint32_t row, std::uint32_t one) {
  for (std::uint32_t x = 0; x < kStride; x += NodeBlock::kLanes) {
    auto& words = *reinterpret_cast<Words*>(sums + x);
    words += bits(row >> x) * one;
  }
}

// Adds the placements of one more simulation.
inline void add(Simulations& sums, const Simulation& simulation) {
  const std::uint32_t one = 1 + Simulations::kOneScore * simulation.score(Side::first);
  for (int side = 0; side < 2; ++side)
    for (std::uint32_t y = 0; y < kStride; ++y)
      if (const std::uint32_t row = simulation.placed.rows[side][y]; row != 0)
        add_row(&sums.points[side][y * kStride], row, one);
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
