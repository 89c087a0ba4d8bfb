// The points on which stones were placed in a simulation, for all-moves-as-first statistics.
#pragma once

#include <cstdint>

#include "types.hpp"

namespace pinchtp {

struct Placements {
  std::uint32_t rows[2][kStride];  // by side and y; bit x

  void clear() {
    for (auto& side : rows)
      for (auto& row : side) row = 0;
  }
  void add(Side side, Move move) { rows[index(side)][y_of(move)] |= std::uint32_t{1} << x_of(move); }
};

}  // namespace pinchtp
