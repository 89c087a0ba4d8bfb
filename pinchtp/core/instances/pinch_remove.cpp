#include "../evaluation/playouts/pinch_remove.hpp"

#include "game_type.hpp"
#include "list.hpp"

namespace pinchtp::PINCHTP_LEVEL {

GameTypeFor pinch_remove;
const GameType& pinch_remove(int width, int height) { return type_for<PinchRemove>(width, height); }

}  // namespace pinchtp::PINCHTP_LEVEL
