// A game that only fills the board: a baseline for the speed of playouts.
#pragma once

#include <atomic>
#include <cstdint>

namespace pinchtp {

// Plays games in which the sides fill random empty points in turn; the owner of the first point
// wins. Returns the wins of the first player, of fewer games once `stop` is set.
std::uint64_t fill_boards(int points, std::uint64_t games, std::uint64_t seed,
                          const std::atomic<bool>& stop);

}  // namespace pinchtp
