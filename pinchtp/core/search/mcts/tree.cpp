#include "tree.hpp"

namespace pinchtp::PINCHTP_LEVEL {

NewSearch new_search;
std::unique_ptr<Search> new_search(const AnyGame& game, const History& history,
                                   const SearchOptions& options, std::unique_ptr<Evaluator> evaluator) {
  return std::make_unique<Tree>(game, history, options, std::move(evaluator));
}

}  // namespace pinchtp::PINCHTP_LEVEL
