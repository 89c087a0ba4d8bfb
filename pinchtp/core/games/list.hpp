// The one list of games: a function of this name in every level's namespace makes positions of it, and
// its underscores are hyphens in the game's own name.
#pragma once

#include <memory>

#include "../types.hpp"

#define PINCHTP_GAMES(X) X(pinch) X(pinch_remove) X(capture_go) X(bushka)

namespace pinchtp {

class Position;
struct Placement;

// A starting position, or the one set up. Throws std::invalid_argument for what makes no position.
using NewPosition = std::shared_ptr<const Position>(const Rules& rules, const Placement* placement);

}  // namespace pinchtp
