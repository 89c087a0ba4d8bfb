#include "bushka_state.hpp"
#include "search.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

std::unique_ptr<Search> Bushka::new_alpha_beta(const AnyGame& game, const History& history,
                                               const SearchOptions& options,
                                               std::unique_ptr<Evaluator> evaluator) {
  return std::make_unique<alpha_beta::AlphaBeta<alpha_beta::BushkaState>>(game, history, options,
                                                                          std::move(evaluator));
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
