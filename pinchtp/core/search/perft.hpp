// Perft: counts of move sequences and of distinct positions.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "../any_game.hpp"
#include "../history.hpp"

namespace pinchtp {

// Sequences of exactly `depth` turns; a sequence ends with the game. Less once `stop` is set. `history`
// is as it was before on return.
std::uint64_t count_sequences(const AnyGame& game, History& history, int depth,
                              const std::atomic<bool>& stop);

// Distinct positions reachable in 1..`depth` turns, those within a turn left out, each counted once
// and whatever went before it; those found until `stop`. The start counts only if it can be reached
// again. Throws std::bad_alloc beyond the memory.
std::uint64_t count_positions(const AnyGame& game, int depth, std::size_t memory_bytes,
                              const std::atomic<bool>& stop);

}  // namespace pinchtp
