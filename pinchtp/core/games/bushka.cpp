#include "bushka.hpp"

#include "../position.hpp"
#include "list.hpp"

namespace pinchtp::PINCHTP_LEVEL {

NewPosition bushka;
std::shared_ptr<const Position> bushka(const Rules& rules, const Placement* placement) {
  return made<Bushka>(rules, placement);
}

}  // namespace pinchtp::PINCHTP_LEVEL
