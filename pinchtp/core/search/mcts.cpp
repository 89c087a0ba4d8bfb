#include "mcts.hpp"

namespace pinchtp::PINCHTP_LEVEL {

NewSearch new_search;
std::unique_ptr<Search> new_search(const AnyGame& game, const History& history,
                                   const SearchOptions& options) {
  return std::make_unique<Tree>(game, history, options);
}

}  // namespace pinchtp::PINCHTP_LEVEL
