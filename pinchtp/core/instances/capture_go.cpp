#include "../evaluation/playouts/capture_go.hpp"

#include "game_type.hpp"
#include "list.hpp"

namespace pinchtp::PINCHTP_LEVEL {

GameTypeFor capture_go;
const GameType& capture_go(int width, int height) { return type_for<CaptureGo>(width, height); }

}  // namespace pinchtp::PINCHTP_LEVEL
