// A game that only fills the board: a baseline for the speed of playouts.
#pragma once

#include <atomic>
#include <cstdint>

namespace pinchtp {

// Plays random games in which the sides fill the empty points in turns; the owner of the first point
// wins. Returns the wins of the first player; fewer once `stop` is set.
std::uint64_t fill_boards(int points, std::uint64_t games, std::uint64_t seed,
                          const std::atomic<bool>& stop);

}  // namespace pinchtp
