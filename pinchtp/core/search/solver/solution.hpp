// The result of a solver, and its limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../types.hpp"

namespace pinchtp {

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

}  // namespace pinchtp
