#include "../evaluation/playouts/pinch_relocate.hpp"

#include "game_type.hpp"
#include "list.hpp"

namespace pinchtp::PINCHTP_LEVEL {

GameTypeFor pinch_relocate;
const GameType& pinch_relocate(int width, int height) { return type_for<PinchRelocate>(width, height); }

}  // namespace pinchtp::PINCHTP_LEVEL
