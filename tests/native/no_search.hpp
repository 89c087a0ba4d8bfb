// For programs that solve and never search: they need no trees, which take long to compile.
#pragma once

#include <memory>

#include "any_game.hpp"
#include "evaluation/evaluator.hpp"
#include "history.hpp"
#include "search/search.hpp"

std::unique_ptr<pinchtp::Search> pinchtp::new_tree(const AnyGame&, const History&, const SearchOptions&,
                                                   std::unique_ptr<Evaluator>, const Kernels&) {
  return nullptr;
}
