#include "bushka_state.hpp"
#include "search.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

NewSearch new_bushka_search;
std::unique_ptr<Search> new_bushka_search(const AnyGame& game, const History& history,
                                          const SearchOptions& options,
                                          std::unique_ptr<Evaluator> evaluator) {
  return std::make_unique<alpha_beta::AlphaBeta<alpha_beta::BushkaState>>(game, history, options,
                                                                          std::move(evaluator));
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
