// All games, in listing order.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "../any_game.hpp"

namespace pinchtp {

// By game, and by traits.max_side.
using GameTypes = std::vector<std::unique_ptr<const GameType>>;

struct GamesOfSet {
  std::string_view instruction_set;  // of their playouts and searches
  GameTypes types;
};

// Plainest first.
const std::vector<GamesOfSet>& all_games();

}  // namespace pinchtp
