#include "pinch.hpp"

#include "../position.hpp"
#include "list.hpp"

namespace pinchtp::PINCHTP_LEVEL {

NewPosition pinch;
std::shared_ptr<const Position> pinch(const Rules& rules, const Placement* placement) {
  return fitted<Pinch>(rules, placement);
}

}  // namespace pinchtp::PINCHTP_LEVEL
