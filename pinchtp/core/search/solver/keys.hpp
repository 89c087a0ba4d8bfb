// Keys of positions for the solver: positions that are reflections of each other share one.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "../../any_game.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"

namespace pinchtp {

// Where a game has reflections, the key follows from the cells (see the concept Game); otherwise, and
// within a turn, from the hash.
class Keys {
 public:
  Keys(Reflections reflections, BoardSize size) {
    const int count = count_reflections(reflections, size);
    if (count == 1) return;
    images_.resize(static_cast<std::size_t>(count));
    std::vector<Codes> codes(kPoints);
    Rng rng(1);
    for (Codes& of_point : codes)
      for (Hash128& code : of_point) code = {rng.next(), rng.next()};
    for (int reflection = 0; reflection < count; ++reflection)
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
          images_[static_cast<std::size_t>(reflection)].push_back(
              codes[reflected(reflection, x, y, size)]);
  }

  // Of a position in which `attacker` tries to win (a side if there were no swaps), reached by `last`.
  // `exact`: reflections are told apart.
  Hash128 operator()(const AnyGame& game, Move last, Side attacker, bool exact) const {
    const int role = index(attacker) ^ static_cast<int>(game.swapped());
    if (exact || images_.empty() || game.mid_turn() || game.swap_open() || !is_point(last))
      return salted(game.hash(), 2 + index(attacker));
    return salted(least_image(game), 4 + 2 * index(game.turn()) + role);
  }

 private:
  static constexpr int kKinds = 5;  // of cells that are not empty
  using Codes = std::array<Hash128, kKinds>;

  Hash128 least_image(const AnyGame& game) const {
    std::array<Hash128, 8> sums{};
    std::array<Cell, kMaxSize * kMaxSize> cells;
    game.fill_cells(cells);
    for (std::size_t at = 0; at < images_[0].size(); ++at) {
      if (cells[at] <= Cell::empty) continue;
      for (std::size_t image = 0; image < images_.size(); ++image) {
        const Hash128& code = images_[image][at][static_cast<std::size_t>(cells[at]) - 1];
        sums[image].low ^= code.low;
        sums[image].high ^= code.high;
      }
    }
    return *std::min_element(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(images_.size()),
                             [](const Hash128& a, const Hash128& b) {
                               return std::pair(a.low, a.high) < std::pair(b.low, b.high);
                             });
  }

  // Unrelated keys for unrelated numbers.
  static Hash128 salted(const Hash128& hash, int salt) {
    const auto number = static_cast<std::uint64_t>(salt);
    return {hash.low ^ mix(number, 1), hash.high ^ mix(number, 2)};
  }

  std::vector<std::vector<Codes>> images_;  // by reflection, by point
};

}  // namespace pinchtp
