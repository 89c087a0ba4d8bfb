#include "pinch_relocate.hpp"

#include "../position.hpp"
#include "list.hpp"

namespace pinchtp::PINCHTP_LEVEL {

NewPosition pinch_relocate;
std::shared_ptr<const Position> pinch_relocate(const Rules& rules, const Placement* placement) {
  return fitted<PinchRelocate>(rules, placement);
}

}  // namespace pinchtp::PINCHTP_LEVEL
