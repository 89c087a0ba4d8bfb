// The earlier positions of a game, for the rule that the third occurrence of a position is a draw.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "any_game.hpp"
#include "types.hpp"

namespace pinchtp {

// Whether the position can recur and must be stored: at the start of a turn, in games with the
// rule.
inline bool may_recur(const AnyGame& game) { return game.traits().repeats && !game.mid_turn(); }

// Whether the position, which occurred count(hash) times before, is drawn by its third occurrence.
template <class Count>
bool is_third_occurrence(const AnyGame& game, Count&& count) {
  return may_recur(game) && game.outcome() == Outcome::none && count(game.hash()) >= 2;
}

// The positions that occurred twice: another occurrence is a draw.
class RepeatedPositions {
 public:
  RepeatedPositions() = default;
  // past: all positions before the current one.
  explicit RepeatedPositions(std::vector<Hash128> past) {
    std::ranges::sort(past);
    for (auto each = past.begin(); each != past.end();) {
      const auto next =
          std::find_if(each, past.end(), [&](const Hash128& hash) { return hash != *each; });
      if (next - each > 1) hashes_.push_back(*each);
      each = next;
    }
    for (const Hash128& hash : hashes_) salt_ ^= hash.low;
  }

  bool is_empty() const { return hashes_.empty(); }
  bool has(const Hash128& hash) const { return std::ranges::binary_search(hashes_, hash); }
  // Changes the keys of a transposition table: results found with other repetitions may be wrong.
  std::uint64_t salt() const { return salt_; }

 private:
  std::vector<Hash128> hashes_;  // sorted
  std::uint64_t salt_ = 0;
};

// The positions before the current one, for a search that makes and unmakes moves.
class History {
 public:
  History() = default;
  explicit History(std::vector<Hash128> past) : past_(std::move(past)) {}

  // Adds the position before a move.
  void add(const AnyGame& before) {
    if (may_recur(before)) past_.push_back(before.hash());
  }

  // Whether the position occurs for the third time.
  bool draws(const AnyGame& now) const {
    return past_.size() >= 4 && is_third_occurrence(now, [this](const Hash128& hash) {
             return std::ranges::count(past_, hash);
           });
  }

  RepeatedPositions repeated() const { return RepeatedPositions(past_); }

  // Whether the last position had occurred before. Allocates nothing, unlike repeated().
  bool repeats_last() const {
    return !past_.empty() && std::find(past_.begin(), past_.end(), past_.back()) != past_.end() - 1;
  }

  std::size_t size() const { return past_.size(); }
  void cut(std::size_t size) { past_.resize(size); }

 private:
  std::vector<Hash128> past_;
};

// Throws std::invalid_argument for an illegal move in a position with this history.
inline void check_legal(const AnyGame& game, const History& history, Move move) {
  if (history.draws(game) || !game.is_legal(move)) throw std::invalid_argument("illegal move");
}

// The history of immutable positions, which share it with their predecessors.
class SharedHistory {
 public:
  SharedHistory() = default;
  SharedHistory(const SharedHistory&) = default;
  SharedHistory& operator=(const SharedHistory&) = delete;
  // A loop, since a long chain of shared pointers that release each other would overflow the stack.
  ~SharedHistory() {
    while (last_ && last_.use_count() == 1) last_ = std::exchange(last_->before, nullptr);
  }

  // See History.
  void add(const AnyGame& before) {
    if (may_recur(before)) last_ = std::make_shared<Moment>(Moment{before.hash(), last_});
  }
  bool draws(const AnyGame& now) const {
    return last_ && is_third_occurrence(now, [this](const Hash128& hash) {
             int occurred = 0;
             for (const Moment* each = last_.get(); each && occurred < 2; each = each->before.get())
               occurred += each->hash == hash;
             return occurred;
           });
  }

  // Returns a copy to make moves with.
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
