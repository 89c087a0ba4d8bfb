// The results of simulations, for backup.
#pragma once

#include <cstdint>

#include "../../evaluation/evaluator.hpp"
#include "../../types.hpp"

namespace pinchtp {

// One simulation from a node: its result, and its placements.
struct Simulation : Evaluation {
  explicit Simulation(int unit_bits) : unit(std::uint32_t{1} << unit_bits) {}

  void set(Outcome outcome) {
    value = outcome == Outcome::draw ? unit / 2 : outcome == Outcome::first ? unit : 0;
  }
  void add(Side side, Move move) { placed.add(side, move); }
  std::uint32_t count() const { return 1; }
  std::uint32_t score(Side side) const { return side == Side::first ? value : unit - value; }
  std::uint64_t squares() const { return std::uint64_t{value} * value; }

  std::uint32_t unit;
};

// Several simulations from one node, which are backed up to the nodes above it together.
struct Simulations {
  // A sum of a point is the number of simulations plus kOneScore times the first side's score.
  static constexpr std::uint32_t kOneScore = 1 << 16;

  explicit Simulations(int unit_bits) : unit_bits(unit_bits) {}

  // The maximum number of simulations with placements: the sum of their values has 16 bits.
  static std::uint32_t max_count(int unit_bits) { return 0xffffU >> unit_bits; }

  void clear() {
    total = 0;
    first = squared = 0;
    for (auto& side : points)
      for (std::uint32_t& point : side) point = 0;
  }

  // Adds a simulation without its placements (Kernels::add).
  void add(const Simulation& simulation) {
    ++total;
    first += simulation.value;
    squared += simulation.squares();
  }
  // Adds a stone that was put down in all of them.
  void add(Side side, Move move) {
    points[index(side)][move] = total + kOneScore * static_cast<std::uint32_t>(first);
  }

  std::uint32_t count() const { return total; }
  std::uint64_t score(Side side) const {
    return side == Side::first ? first : (std::uint64_t{total} << unit_bits) - first;
  }
  std::uint64_t squares() const { return squared; }

  int unit_bits;
  std::uint32_t total = 0;
  std::uint64_t first = 0;                            // the first side's score
  std::uint64_t squared = 0;                          // the sum of its squares
  alignas(64) std::uint32_t points[2][kPoints] = {};  // sums by side and move
};

}  // namespace pinchtp
