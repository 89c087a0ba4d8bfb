// What a game went through before, for the rule that a position's third occurrence draws.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "any_game.hpp"
#include "types.hpp"

namespace pinchtp {

// Whether a move made here can lead to a repetition, so that the position is worth remembering: at the
// start of a turn, in games with the rule.
inline bool may_recur(const AnyGame& game) { return game.traits().repeats && !game.mid_turn(); }

// The positions before the present one, for who walks to and fro in one game.
class History {
 public:
  History() = default;
  explicit History(std::vector<Hash128> past) : past_(std::move(past)) {}

  // Notes the position that a move is about to be made in.
  void add(const AnyGame& before) {
    if (may_recur(before)) past_.push_back(before.hash());
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

// The same for a position that stays as it is: it shares its past with the positions it came from.
class SharedHistory {
 public:
  SharedHistory() = default;
  SharedHistory(const SharedHistory&) = default;
  SharedHistory& operator=(const SharedHistory&) = default;
  // Moment by moment: a long chain that released itself link by link would use up the stack.
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

  // All of it, to walk on from.
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
