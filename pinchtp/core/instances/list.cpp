// The list of games. They are compiled together, so that the headers they share are parsed once per
// instruction set.
#include "../evaluation/planes/bushka.hpp"
#include "../evaluation/planes/capture_go.hpp"
#include "../evaluation/planes/pinch.hpp"
#include "../evaluation/playouts/bushka.hpp"
#include "../evaluation/playouts/capture_go.hpp"
#include "../evaluation/playouts/pinch.hpp"
#include "../evaluation/playouts/pinch_relocate.hpp"
#include "../evaluation/playouts/pinch_remove.hpp"
#include "../instruction_sets.hpp"
#include "game_type.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

std::span<const GameEntry> games() {
  static constexpr GameEntry entries[] = {
      {Pinch<Narrow>::kName, type_for<Pinch>},
      {PinchRemove<Narrow>::kName, type_for<PinchRemove>},
      {PinchRelocate<Narrow>::kName, type_for<PinchRelocate>},
      {CaptureGo<Narrow>::kName, type_for<CaptureGo>},
      {Bushka::kName, [](int, int) -> const GameType& { return type_of<Bushka>(); }},
  };
  return entries;
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
