// Exact values of positions (solve.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "../../types.hpp"

namespace pinchtp {

class Evaluator;
class GameType;
class Position;
class ProofSearch;

struct SolverLimits {
  std::uint64_t nodes = UINT64_MAX;  // for the value
  std::size_t turns = SIZE_MAX;      // of the line
};

// How much is left to be proven for a "yes" and for a "no" (Allis, 1994).
struct ProofNumbers {
  std::uint32_t proof = 1;
  std::uint32_t disproof = 1;
};

struct Solution {
  Proof value = Proof::unknown;
  std::vector<Move> line;   // best play, as far as memory kept it; empty if the value is unknown
  std::uint64_t nodes = 0;  // positions that were expanded
  // Of a win of the player to move; of a draw, and where only a win is ruled out, the second number is
  // that of the other's win.
  ProofNumbers proof_numbers;
};

// Solves positions of one game and size, and remembers what it proved from one to the next.
class Solver {
 public:
  // `evaluator`: one with priors that guides it, or none. Throws std::bad_alloc, and
  // std::invalid_argument for a number of threads out of range.
  Solver(const GameType& type, const Rules& rules, std::size_t memory_bytes,
         std::unique_ptr<Evaluator> evaluator, int threads);
  ~Solver();
  // Keeps what it knows in this memory, which outlives it, and knows what another solver of this game
  // kept there. Not while solve() runs. Throws std::invalid_argument if it is too small or not aligned.
  void attach(std::span<std::byte> memory);
  // Works until the value is certain, `stop`, or a limit. Throws std::invalid_argument for a
  // position of another game or with other rules, and for one in which the game is over.
  Solution solve(const Position& position, const std::atomic<bool>& stop,
                 const SolverLimits& limits = {});
  // Positions expanded so far by solve(), which may be under way in another thread.
  std::uint64_t nodes() const;
  // Of its question so far: first whether the player to move can force a win, then the other.
  ProofNumbers proof_numbers() const;

 private:
  const GameType& type_;
  Rules rules_;
  std::unique_ptr<ProofSearch> search_;
};

}  // namespace pinchtp
