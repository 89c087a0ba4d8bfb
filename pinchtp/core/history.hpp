// What a game went through before, for the rule that a position's third occurrence draws.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "any_game.hpp"
#include "types.hpp"

namespace pinchtp {

// The positions before the present one, each at the start of its turn. Stays empty in games without
// the rule.
class History {
 public:
  // Notes the position that a move is about to be made in.
  void add(const AnyGame& before) {
    if (before.traits().repeats && !before.mid_turn()) past_.push_back(before.hash());
  }

  // Whether the position occurs for the third time.
  bool draws(const AnyGame& now) const {
    if (past_.size() < 4 || now.mid_turn() || now.outcome() != Outcome::none) return false;
    return std::count(past_.begin(), past_.end(), now.hash()) >= 2;
  }

  // The positions that occurred twice: a further occurrence draws.
  std::vector<Hash128> used_up() const {
    std::vector<Hash128> found;
    for (auto each = past_.begin(); each != past_.end(); ++each)
      if (std::count(past_.begin(), each, *each) == 1) found.push_back(*each);
    return found;
  }

  std::size_t size() const { return past_.size(); }
  void cut(std::size_t size) { past_.resize(size); }

 private:
  std::vector<Hash128> past_;
};

}  // namespace pinchtp
