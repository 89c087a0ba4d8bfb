// The one list of games: a function of this name in every level's namespace tells how to play it, and
// its underscores are hyphens in the game's own name.
#pragma once

#define PINCHTP_GAMES(X) X(pinch) X(pinch_remove) X(pinch_relocate) X(capture_go) X(bushka)

namespace pinchtp {

class GameType;

// A game on a board of this size, or of any size if it has one only.
using GameTypeFor = const GameType&(int width, int height);

}  // namespace pinchtp
