// Backup: adds the result of a simulation, or the sum of several, to the nodes on its path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../../evaluation/evaluator.hpp"
#include "../../types.hpp"
#include "arena.hpp"
#include "lanes.hpp"
#include "nodes.hpp"
#include "proofs.hpp"

namespace pinchtp::PINCHTP_LEVEL {

// What is added to the all-moves-as-first statistics of eight nodes: the number of simulations in which
// the stone was put down, by this move or later, and their score.
struct Credit {
  Words visits;
  Words score;
};

// One simulation from some node on: its result, and where stones were put down.
struct Simulation : Evaluation {
  explicit Simulation(int unit_bits) : unit(std::uint32_t{1} << unit_bits) {}

  void set(Outcome outcome) {
    value = outcome == Outcome::draw ? unit / 2 : outcome == Outcome::first ? unit : 0;
  }
  void add(Side side, Move move) { placed.add(side, move); }
  std::uint32_t score(Side side) const { return side == Side::first ? value : unit - value; }
  void exchange_players() { value = unit - value; }

  // For choices of `chooser`.
  Credit credit(const Nodes& nodes, Side chooser) const {
    const Words moves = points(nodes);
    const Words hits = (pick(placed.rows[index(nodes.stone)], moves / kStride) >> (moves % kStride)) &
                       bits(nodes.shares) & 1;
    return {hits, hits * score(chooser)};
  }

  std::uint32_t unit;
};

// Several simulations from one node on, which are backed up to the nodes above it at once.
class Simulations {
 public:
  explicit Simulations(int unit_bits) : unit_bits_(unit_bits) {}

  // How many there can be: the sum of their values has 16 bits.
  static std::uint32_t most(int unit_bits) { return 0xffffU >> unit_bits; }

  void clear() {
    total_ = 0;
    for (auto& side : points_)
      for (std::uint32_t& point : side) point = 0;
  }

  void add(const Simulation& simulation) {
    const std::uint32_t one = 1 + kOneScore * simulation.score(Side::first);
    total_ += one;
    for (int side = 0; side < 2; ++side)
      for (std::uint32_t y = 0; y < kStride; ++y)
        if (const std::uint32_t row = simulation.placed.rows[side][y]; row != 0)
          add_row(&points_[side][y * kStride], row, one);
  }

  // The same stone was put down in all of them.
  void add(Side side, Move move) { points_[index(side)][move] = total_; }

  std::uint32_t count() const { return total_ % kOneScore; }
  std::uint32_t score(Side side) const {
    const std::uint32_t first = total_ / kOneScore;
    return side == Side::first ? first : (count() << unit_bits_) - first;
  }

  void exchange_players() {
    const std::uint32_t first = total_ / kOneScore;
    total_ += kOneScore * ((count() << unit_bits_) - 2 * first);
  }

  Credit credit(const Nodes& nodes, Side chooser) const {
    const Words sums =
        pick(points_[index(nodes.stone)], points(nodes)) & (Words{} - bits(nodes.shares));
    const Words visits = sums % kOneScore;
    const Words first = sums / kOneScore;
    return {visits, chooser == Side::first ? first : (visits << unit_bits_) - first};
  }

 private:
  // A sum is a number of simulations and, times this, the first side's score in them.
  static constexpr std::uint32_t kOneScore = 1 << 16;

  static void add_row(std::uint32_t* sums, std::uint32_t row, std::uint32_t one) {
    for (std::uint32_t x = 0; x < kStride; x += Nodes::kLanes) {
      auto& eight = *reinterpret_cast<Words*>(sums + x);
      eight += bits(row >> x) * one;
    }
  }

  int unit_bits_;
  std::uint32_t total_ = 0;
  alignas(64) std::uint32_t points_[2][kPoints] = {};  // by side and move
};

// All moves as first: a child is credited with the result if a stone of the same side was put on its
// point in this move or later.
template <class S>
void credit_children(Arena& arena, Node node, const S& simulations) {
  const std::uint32_t end = node.children() + node.child_count();
  for (std::uint32_t i = node.children(); i < end; i += Nodes::kLanes) {
    Nodes& eight = arena.eight(i);
    const Credit credit = simulations.credit(eight, node.turn());
    add_loosely(eight.amaf_visits, credit.visits);
    add_loosely(eight.amaf_score, credit.score);
  }
}

// Adds one simulation, or several, to the nodes of the path from `end` up to `begin`, all of which were
// visited, and settles those that are proven now. Above a swap each player has the other side, and so
// the other's result.
template <class S>
void back_up(Arena& arena, const std::vector<Node>& path, std::size_t begin, std::size_t end,
             S& simulations, bool has_placements) {
  for (std::size_t i = end; i-- > begin;) {
    const Node node = path[i];
    if (has_placements && node.is_expanded()) credit_children(arena, node, simulations);
    if (i + 1 < path.size() && path[i + 1].move() == kSwap) simulations.exchange_players();
    node.score().fetch_add(simulations.score(node.credited()), std::memory_order_relaxed);
    const bool settled_below = i + 1 < path.size() && path[i + 1].proof() != Proof::open;
    if (settled_below && node.proof() == Proof::open) prove(arena, node);
    if (const std::optional<Side> stone = node.shares()) simulations.add(*stone, node.move());
  }
}

}  // namespace pinchtp::PINCHTP_LEVEL
