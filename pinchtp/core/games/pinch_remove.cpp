#include "pinch_remove.hpp"

#include "../position.hpp"
#include "list.hpp"

namespace pinchtp::PINCHTP_LEVEL {

NewPosition pinch_remove;
std::shared_ptr<const Position> pinch_remove(const Rules& rules, const Placement* placement) {
  return fitted<PinchRemove>(rules, placement);
}

}  // namespace pinchtp::PINCHTP_LEVEL
