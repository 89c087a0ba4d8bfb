#include "../kernels.hpp"

#include "credit.hpp"
#include "selection.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

namespace {

Node select(const Arena& arena, Node parent, Formula formula, const SearchOptions& options,
            float per_unit) {
  if (formula == Formula::uct) return best_child(arena, parent, Uct(parent, options, per_unit));
  if (formula == Formula::even_uct)
    return best_child(arena, parent, EvenUct(parent, options, per_unit));
  if (formula == Formula::even_puct)
    return best_child(arena, parent, EvenPuct(parent, options, per_unit));
  const Puct puct(arena, parent, options, per_unit);
  if (formula == Formula::puct) return best_child(arena, parent, puct);
  return best_child(arena, parent, ForcedPuct(puct, parent, options));
}

}  // namespace

extern const Kernels kernels;
const Kernels kernels = {select, credit_children<Simulation>, credit_children<Simulations>, add};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
