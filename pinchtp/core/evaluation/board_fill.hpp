// A game that only fills the board: a yardstick for the speed of playouts of real games.
#pragma once

#include <atomic>
#include <cstdint>

namespace pinchtp {

// Plays random games in which the sides put stones on empty points in turns until none is left; who
// owns the first point has won. Returns how many games the side won that moved first; less once
// `stop` is set.
std::uint64_t fill_boards(int points, std::uint64_t games, std::uint64_t seed,
                          const std::atomic<bool>& stop);

}  // namespace pinchtp
