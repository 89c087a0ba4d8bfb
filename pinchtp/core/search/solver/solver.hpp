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

// The remaining effort to prove a "yes" and a "no" (Allis, 1994).
struct ProofNumbers {
  std::uint32_t proof = 1;
  std::uint32_t disproof = 1;
};

struct Solution {
  Proof value = Proof::unknown;
  std::vector<Move> line;   // best play, as far as in memory; empty if the value is unknown
  std::uint64_t nodes = 0;  // positions expanded
  // For a win of the player to move. For a draw, and if only a win is ruled out, the disproof
  // number is that of the other player's win.
  ProofNumbers proof_numbers;
};

// Solves positions of one game and size, and reuses its proofs for later positions.
class Solver {
 public:
  // `evaluator`: one with priors that guides the search, or null. Throws std::bad_alloc, and
  // std::invalid_argument for an invalid number of threads.
  Solver(const GameType& type, const Rules& rules, std::size_t memory_bytes,
         std::unique_ptr<Evaluator> evaluator, int threads);
  ~Solver();
  // Keeps its proofs in this memory, which must outlive the solver, and uses those that another
  // solver of this game kept there. Not while solve() runs. Throws std::invalid_argument if the
  // memory is too small or not aligned.
  void attach(std::span<std::byte> memory);
  // Runs until the value is certain, `stop` is set, or a limit is met. Throws std::invalid_argument
  // for a position of another game or with other rules, or if its game is over.
  Solution solve(const Position& position, const std::atomic<bool>& stop,
                 const SolverLimits& limits = {});
  // Positions expanded so far by solve(), which may be running in another thread.
  std::uint64_t nodes() const;
  // For the current proof goal: first a win of the player to move, then one of the other player.
  ProofNumbers proof_numbers() const;

 private:
  const GameType& type_;
  Rules rules_;
  std::unique_ptr<ProofSearch> search_;
};

}  // namespace pinchtp
