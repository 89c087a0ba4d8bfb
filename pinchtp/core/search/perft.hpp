// Perft: counts of move sequences and of distinct positions.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "../any_game.hpp"
#include "../history.hpp"

namespace pinchtp {

// Counts sequences of exactly `depth` turns, or fewer if the game ends. Incomplete if `stop` is
// set. `history` is unchanged on return.
std::uint64_t count_sequences(const AnyGame& game, History& history, int depth,
                              const std::atomic<bool>& stop);

// Counts the distinct positions reachable in 1 to `depth` turns, regardless of history, without
// those within a turn; if `stop` is set, only those found so far. The start counts only if it can
// be reached again. Throws std::bad_alloc if memory is exceeded.
std::uint64_t count_positions(const AnyGame& game, int depth, std::size_t memory_bytes,
                              const std::atomic<bool>& stop);

}  // namespace pinchtp
