#include "capture_go.hpp"

#include "../position.hpp"
#include "list.hpp"

namespace pinchtp::PINCHTP_LEVEL {

NewPosition capture_go;
std::shared_ptr<const Position> capture_go(const Rules& rules, const Placement* placement) {
  return fitted<CaptureGo>(rules, placement);
}

}  // namespace pinchtp::PINCHTP_LEVEL
