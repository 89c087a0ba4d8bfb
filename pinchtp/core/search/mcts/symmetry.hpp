// Moves that are the same but for a reflection of the board.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "../../any_game.hpp"
#include "../../types.hpp"

namespace pinchtp {

// The reflections that leave a position as it is, which must be at the start of a turn.
class PositionSymmetry {
 public:
  explicit PositionSymmetry(const AnyGame& game)
      : width_(game.size().width), height_(game.size().height) {
    std::array<Cell, kMaxSize * kMaxSize> cells;
    game.fill_cells(cells);
    const Reflections reflections = game.traits().reflections;
    const bool transposes = reflections == Reflections::all && width_ == height_;
    const int count = reflections == Reflections::none ? 1 : transposes ? 8 : 4;
    for (int reflection = 1; reflection < count; ++reflection)
      if (is_unchanged(cells, reflection)) reflections_.push_back(reflection);
  }

  // The same move for all that are reflections of each other.
  Move representative(Move move) const {
    if (!is_point(move)) return move;
    Move least = move;
    for (const int reflection : reflections_)
      least = std::min(least, reflected(reflection, x_of(move), y_of(move)));
    return least;
  }

  // What the reflection that takes `from` to `to` makes of another move.
  Move reflect(Move move, Move from, Move to) const {
    if (!is_point(move)) return move;
    for (const int reflection : reflections_)
      if (reflected(reflection, x_of(from), y_of(from)) == to)
        return reflected(reflection, x_of(move), y_of(move));
    return move;
  }

 private:
  bool is_unchanged(const std::array<Cell, kMaxSize * kMaxSize>& cells, int reflection) const {
    const auto cell = [&](int x, int y) { return cells[static_cast<std::size_t>(y * width_ + x)]; };
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const Move to = reflected(reflection, x, y);
        if (cell(x, y) != cell(x_of(to), y_of(to))) return false;
      }
    return true;
  }

  Move reflected(int reflection, int x, int y) const {
    if (reflection & 1) x = width_ - 1 - x;
    if (reflection & 2) y = height_ - 1 - y;
    return reflection & 4 ? point(y, x) : point(x, y);
  }

  int width_;
  int height_;
  std::vector<int> reflections_;
};

}  // namespace pinchtp
