#include "../evaluation/playouts/bushka.hpp"

#include "game_type.hpp"
#include "list.hpp"

namespace pinchtp::PINCHTP_LEVEL {

GameTypeFor bushka;
const GameType& bushka(int, int) { return type_of<Bushka>(); }

}  // namespace pinchtp::PINCHTP_LEVEL
