#include "../evaluation/playouts/pinch.hpp"

#include "../evaluation/planes/pinch.hpp"
#include "game_type.hpp"
#include "list.hpp"

namespace pinchtp::PINCHTP_LEVEL {

GameTypeFor pinch;
const GameType& pinch(int width, int height) { return type_for<Pinch>(width, height); }

}  // namespace pinchtp::PINCHTP_LEVEL
