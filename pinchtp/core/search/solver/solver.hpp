// The interface of solvers.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "../../types.hpp"

namespace pinchtp {

class Position;

// What a position is worth to the player to move.
enum class Value : std::uint8_t { unknown, win, loss, draw };

struct Solution {
  Value value = Value::unknown;
  std::vector<Move> line;   // best play, as far as memory kept it; empty if the value is unknown
  std::uint64_t nodes = 0;  // positions that were expanded
};

// Solves positions of one game and size, and remembers what it proved from one to the next.
class Solver {
 public:
  virtual ~Solver() = default;
  // Works until the value is certain or `stop`. Throws std::invalid_argument for a position of another
  // game or with other rules, and for one in which the game is over.
  virtual Solution solve(const Position& position, const std::atomic<bool>& stop) = 0;
  // Positions expanded so far by solve(), which may be under way in another thread.
  virtual std::uint64_t nodes() const = 0;
};

}  // namespace pinchtp
