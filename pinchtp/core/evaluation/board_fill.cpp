#include "board_fill.hpp"

#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

#include "../rng.hpp"
#include "../types.hpp"

namespace pinchtp {

namespace {

constexpr std::size_t kMaxPoints = static_cast<std::size_t>(kMaxSize) * kMaxSize;

// Fills the board; returns whether the side that moved first owns the first point at the end.
bool fill(Rng& rng, std::size_t points, std::array<std::uint16_t, kMaxPoints>& order,
          std::array<std::uint8_t, kMaxPoints>& owners) {
  for (std::size_t move = 0; move < points; ++move) {
    const std::size_t at = move + rng.below(static_cast<std::uint32_t>(points - move));
    std::swap(order[move], order[at]);
    owners[order[move]] = move % 2;
  }
  return owners[0] == 0;
}

}  // namespace

std::uint64_t fill_boards(int points, std::uint64_t games, std::uint64_t seed,
                          const std::atomic<bool>& stop) {
  Rng rng(mix(seed, 0));
  std::array<std::uint16_t, kMaxPoints> order;
  std::array<std::uint8_t, kMaxPoints> owners{};
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  const auto count = static_cast<std::size_t>(points);
  std::uint64_t won = 0;
  for (std::uint64_t game = 0; game < games && !stop; ++game) won += fill(rng, count, order, owners);
  return won;
}

}  // namespace pinchtp
