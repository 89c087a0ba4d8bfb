// The list of games, for each instruction set.
#pragma once

#include <span>
#include <string_view>

namespace pinchtp {

class GameType;

struct GameEntry {
  std::string_view name;
  // On a board of this size, or of any size if the game has one only.
  const GameType& (*type_for)(int width, int height);
};

// All games, for each instruction set; CMake says which were compiled (PINCHTP_GAMES_...).
using GameEntries = std::span<const GameEntry>();
namespace baseline {
GameEntries games;
}
namespace avx2 {
GameEntries games;
}
namespace avx512 {
GameEntries games;
}

}  // namespace pinchtp
