// The earlier positions of a game, for the rule that the third occurrence of a position is a draw.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "any_game.hpp"
#include "types.hpp"

namespace pinchtp {

// Whether the position can be repeated, so that it has to be remembered: at the start of a turn, in
// games with the rule.
inline bool may_recur(const AnyGame& game) { return game.traits().repeats && !game.mid_turn(); }

// The positions before the current one, for a search that makes moves and takes them back.
class History {
 public:
  History() = default;
  explicit History(std::vector<Hash128> past) : past_(std::move(past)) {}

  // Adds the position in which a move is about to be made.
  void add(const AnyGame& before) {
    if (may_recur(before)) past_.push_back(before.hash());
  }

  // Whether the position occurs for the third time.
  bool draws(const AnyGame& now) const {
    if (past_.size() < 4 || now.mid_turn() || now.outcome() != Outcome::none) return false;
    return std::count(past_.begin(), past_.end(), now.hash()) >= 2;
  }

  // The positions that occurred twice: a further occurrence draws.
  std::vector<Hash128> occurred_twice() const {
    std::vector<Hash128> found;
    for (auto each = past_.begin(); each != past_.end(); ++each)
      if (std::count(past_.begin(), each, *each) == 1) found.push_back(*each);
    return found;
  }

  // Whether there are any such.
  bool has_repetition() const {
    for (auto each = past_.begin(); each != past_.end(); ++each)
      if (std::find(past_.begin(), each, *each) != each) return true;
    return false;
  }

  std::size_t size() const { return past_.size(); }
  void cut(std::size_t size) { past_.resize(size); }

 private:
  std::vector<Hash128> past_;
};

// The same for immutable positions, which share their history with the positions they came from.
class SharedHistory {
 public:
  SharedHistory() = default;
  SharedHistory(const SharedHistory&) = default;
  SharedHistory& operator=(const SharedHistory&) = delete;
  // In a loop: a long chain of shared pointers that released each other would overflow the stack.
  ~SharedHistory() {
    while (last_ && last_.use_count() == 1) last_ = std::exchange(last_->before, nullptr);
  }

  // As in History.
  void add(const AnyGame& before) {
    if (may_recur(before)) last_ = std::make_shared<Moment>(Moment{before.hash(), last_});
  }
  bool draws(const AnyGame& now) const {
    if (!last_ || now.mid_turn() || now.outcome() != Outcome::none) return false;
    const Hash128 hash = now.hash();
    int occurred = 0;
    for (const Moment* each = last_.get(); each && occurred < 2; each = each->before.get())
      occurred += each->hash == hash;
    return occurred == 2;
  }

  // A copy to make moves with.
  History history() const {
    std::vector<Hash128> past;
    for (const Moment* each = last_.get(); each; each = each->before.get()) past.push_back(each->hash);
    std::ranges::reverse(past);
    return History(std::move(past));
  }

 private:
  struct Moment {
    Hash128 hash;
    std::shared_ptr<Moment> before;
  };
  std::shared_ptr<Moment> last_;
};

}  // namespace pinchtp
