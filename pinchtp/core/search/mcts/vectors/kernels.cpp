#include "../kernels.hpp"

#include "credit.hpp"
#include "selection.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

namespace {

std::uint32_t select(const Arena& arena, Node parent, Formula formula, const SearchOptions& options,
                     float per_unit) {
  const Arena::Children children = arena.children(parent);
  switch (formula) {
    case Formula::uct:
      return best_child(children, Uct(parent, options, per_unit));
    case Formula::even_uct:
      return best_child(children, EvenUct(parent, options, per_unit));
    case Formula::even_puct:
      return best_child(children, EvenPuct(parent, options, per_unit));
    case Formula::puct:
      break;
  }
  return best_child(children, Puct(children, parent, options, per_unit));
}

}  // namespace

extern const Kernels kernels;
const Kernels kernels = {select, credit_children<Simulation>, credit_children<Simulations>, add};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
