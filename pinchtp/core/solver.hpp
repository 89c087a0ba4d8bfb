// Exact values of positions, by the proof search of search/solver/.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "evaluation/network/network.hpp"
#include "position.hpp"
#include "search/solver/solution.hpp"

namespace pinchtp {

class ProofSearch;

// Solves positions of one game, size and rule options, and reuses its proofs for later positions.
class Solver {
 public:
  // For positions like `start`, guided by a network if there is one. Throws std::invalid_argument
  // for a network that does not fit or an invalid number of threads, std::bad_alloc if the memory
  // cannot be reserved.
  Solver(const Position& start, std::size_t memory_bytes,
         std::shared_ptr<const Network> network = nullptr, int threads = 1);
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
