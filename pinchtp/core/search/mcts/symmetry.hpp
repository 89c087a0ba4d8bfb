// Moves that are equivalent by a reflection of the board.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "../../any_game.hpp"
#include "../../types.hpp"

namespace pinchtp {

// The reflections that map a position, at the start of a turn, to itself.
class PositionSymmetry {
 public:
  explicit PositionSymmetry(const AnyGame& game) : size_(game.size()) {
    std::array<Cell, kMaxSize * kMaxSize> cells;
    game.fill_cells(cells);
    const int count = count_reflections(game.traits().reflections, size_);
    for (int reflection = 1; reflection < count; ++reflection)
      if (is_unchanged(cells, reflection)) reflections_.push_back(reflection);
  }

  // The common representative of all moves that are reflections of each other.
  Move representative(Move move) const {
    if (!is_point(move)) return move;
    Move least = move;
    for (const int reflection : reflections_)
      least = std::min(least, reflected(reflection, x_of(move), y_of(move), size_));
    return least;
  }

  // The image of a move under the reflection that maps `from` to `to`.
  Move reflect(Move move, Move from, Move to) const {
    if (!is_point(move)) return move;
    for (const int reflection : reflections_)
      if (reflected(reflection, x_of(from), y_of(from), size_) == to)
        return reflected(reflection, x_of(move), y_of(move), size_);
    return move;
  }

 private:
  bool is_unchanged(const std::array<Cell, kMaxSize * kMaxSize>& cells, int reflection) const {
    const auto cell = [&](int x, int y) {
      return cells[static_cast<std::size_t>(y * size_.width + x)];
    };
    for (int y = 0; y < size_.height; ++y)
      for (int x = 0; x < size_.width; ++x) {
        const Move to = reflected(reflection, x, y, size_);
        if (cell(x, y) != cell(x_of(to), y_of(to))) return false;
      }
    return true;
  }

  BoardSize size_;
  std::vector<int> reflections_;
};

}  // namespace pinchtp
