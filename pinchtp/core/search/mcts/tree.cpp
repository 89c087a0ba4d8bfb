#include "tree.hpp"

namespace pinchtp {

std::unique_ptr<Search> new_tree(const AnyGame& game, const History& history,
                                 const SearchOptions& options, std::unique_ptr<Evaluator> evaluator,
                                 const Kernels& kernels) {
  return std::make_unique<Tree>(game, history, options, std::move(evaluator), kernels);
}

}  // namespace pinchtp
