// The root of an alpha-beta search: its turns, their scores, and the progress of the search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "../../any_game.hpp"
#include "../../history.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"
#include "scores.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta {

template <class State>
struct RootTurn {
  typename State::Turn turn;
  Move step;             // its next step
  bool is_draw = false;  // immediately, by repetition
  int score = 0;         // for the side that makes it, from a shallower search
  int bound = kWin;      // an upper bound, from the deepest search
  std::uint64_t visits = 0;

  int value() const { return std::min(score, bound); }
  bool is_decided() const { return is_draw || is_sure(value()); }
};

template <class State>
bool has_more_value(const RootTurn<State>& a, const RootTurn<State>& b) {
  return a.value() > b.value();
}

// The root position of a search. Allowed turns come first, the best one so far in front.
template <class State>
class Root {
 public:
  using Game = typename State::Game;
  using Turns = std::vector<RootTurn<State>>;

  Root(const AnyGame& position, const History& history) : position_(position), history_(history) {
    list_turns();
  }

  const AnyGame& position() const { return position_; }
  const Game& game() const { return *static_cast<const Game*>(position_.memory()); }
  RepeatedPositions drawn() const { return history_.repeated(); }
  std::span<const RootTurn<State>> turns() const { return {turns_.data(), count_}; }
  int depth() const { return depth_; }        // of the current iteration
  std::size_t next() const { return next_; }  // the first turn not yet searched in it
  bool is_finished() const { return is_finished_; }

  void check_legal(Move move) const { pinchtp::check_legal(position_, history_, move); }

  // Advances to the position after a legal move. The visits of a turn stay until it is complete.
  void advance(Move move) {
    const bool is_best = !turns_.empty() && turns_.front().step == move;
    std::erase_if(turns_, [&](const auto& each) { return each.step != move; });
    count_ = turns_.size();
    history_.add(position_);
    position_.play(move);
    allowed_.clear();
    if (position_.mid_turn())
      continue_turn(is_best);
    else
      list_turns();
  }

  // Restricts the choice to some moves; an empty list allows all. Returns whether it changed.
  bool restrict(std::vector<Move> allowed) {
    if (allowed == allowed_) return false;
    allowed_ = std::move(allowed);
    const auto end = std::stable_partition(turns_.begin(), turns_.end(), [&](const auto& each) {
      return allowed_.empty() || std::ranges::find(allowed_, each.step) != allowed_.end();
    });
    count_ = static_cast<std::size_t>(end - turns_.begin());
    restart();
    return true;
  }

  // The visits of all allowed turns.
  std::uint64_t visits() const {
    return std::accumulate(turns().begin(), turns().end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& each) { return sum + each.visits; });
  }

  // Shuffles turns of equal value if the search has not started. Not in a drawn ending, so that
  // positions recur sooner.
  void shuffle(std::uint64_t seed) {
    if (depth_ > 1 || next_ > 0) return;
    if (std::ranges::all_of(turns(), [](const auto& each) { return each.value() == 0; })) return;
    Rng rng(seed);
    pinchtp::shuffle(std::span(turns_).first(count_), rng);
    sort(turns_.begin());
  }

  // Records the score of the next turn by a shallower exact search.
  void estimate(int score, std::uint64_t visits) {
    turns_[next_].score = score;
    turns_[next_].visits += visits;
  }

  // Records an interrupted search of the next turn.
  void record_interrupted(std::uint64_t visits) { turns_[next_].visits += visits; }

  // Records a completed search of the next turn. If the score is below that of the best turn so
  // far, it is only an upper bound.
  void record(int score, std::uint64_t visits) {
    RootTurn<State>& turn = turns_[next_];
    turn.visits += visits;
    turn.bound = score;
    if (depth_ == 1) turn.score = score;
    if (next_ == 0 || score > turns_.front().score) {
      turn.score = score;
      std::rotate(turns_.begin(), turns_.begin() + static_cast<std::ptrdiff_t>(next_),
                  turns_.begin() + static_cast<std::ptrdiff_t>(next_) + 1);
    }
    if (++next_ == count_) end_iteration();
  }

 private:
  // Continues with the turns that begin with the steps made.
  void continue_turn(bool is_best) {
    for (auto& each : turns_) each.step = game().next_step(each.turn);
    next_ = 0;
    if (!is_best) restart();
  }

  void list_turns() {
    turns_.clear();
    if (position_.outcome() == Outcome::none && !history_.draws(position_)) {
      const State state(game());
      for (const auto& turn : game().matching_turns()) {
        State after = state;
        after.make(turn);
        turns_.push_back({turn, game().next_step(turn), draws(turn), -after.score()});
      }
    }
    count_ = turns_.size();
    restart();
  }

  bool draws(const typename State::Turn& turn) const {
    AnyGame next = position_;
    while (next.turn() == position_.turn())
      next.play(static_cast<const Game*>(next.memory())->next_step(turn));
    History history = history_;
    history.add(position_);
    return history.draws(next);
  }

  void restart() {
    depth_ = 1;
    next_ = 0;
    is_finished_ = turns_.empty();
    for (auto& each : turns_) each.bound = kWin;
  }

  void end_iteration() {
    next_ = 0;
    ++depth_;
    const auto chosen = turns();
    is_finished_ = depth_ > kMaxDepth || turns_.front().value() >= kSureWin ||
                   std::ranges::all_of(chosen, [](const auto& each) { return each.is_decided(); });
    sort(turns_.begin() + 1);
  }

  void sort(typename Turns::iterator first) {
    const auto end = turns_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (first < end) std::stable_sort(first, end, has_more_value<State>);
  }

  static constexpr int kMaxDepth = 100;

  AnyGame position_;
  History history_;  // before the position
  Turns turns_;
  std::size_t count_ = 0;  // allowed turns
  std::vector<Move> allowed_;
  int depth_ = 1;
  std::size_t next_ = 0;
  bool is_finished_ = false;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta
