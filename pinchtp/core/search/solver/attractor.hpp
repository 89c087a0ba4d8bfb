// A second way to answer the question of a proof search, for games in which positions repeat.
//
// A proof search follows one path at a time, and a "no" that depends on a repetition is nearly useless
// off that path; endgames in which kings move back and forth consist of such answers. Here every
// position is expanded once, breadth first: with all of the attacker's moves, but with only one of the
// defender's, the first that is not known to lose (Liu and Smolka, 1998, on local evaluation of least
// fixed points). A win is propagated to the positions that wait for it. When nothing is left to expand,
// the positions that are not won are a set in which the defender can stay for ever.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../any_game.hpp"
#include "../../game_list.hpp"
#include "../../types.hpp"
#include "verdict.hpp"

namespace pinchtp {

// `Ask` defines the question: key(game, last move), attacks(game), whether the attacker is to move, and
// initial_verdict(game, key), a verdict, of which only an answer that holds everywhere counts.
template <class Ask>
class Attractor {
 public:
  // Takes no more than `bytes`. Throws std::bad_alloc.
  Attractor(const Ask& ask, const GameType& type, std::size_t bytes)
      : ask_(ask), capacity_(std::min<std::size_t>(bytes / bytes_of_place(type), kNone)), games_(type) {
    places_.reserve(capacity_);
    waits_.reserve(kWaits * capacity_);
    fresh_.reserve(capacity_);
    index_.assign(2 * capacity_, kNone);
  }

  // Works until the answer is known, memory is used up or `stop`.
  void run(const AnyGame& position, const Hash128& key, const std::atomic<bool>& stop) {
    place(position, key);
    for (; next_ < places_.size() && !is_full_ && !places_.front().is_won; ++next_) {
      if (stop.load(std::memory_order_relaxed)) return;
      if (places_[next_].attacks)
        attack(next_);
      else
        defend(next_);
      spread();
    }
  }

  // Calls visit(key, verdict) for every answer found; all hold everywhere.
  template <class Visit>
  void for_each_answer(Visit&& visit) const {
    const bool is_closed = next_ == places_.size() && !is_full_;
    for (const Place& place : places_)
      if (place.is_won || is_closed)
        visit(place.key, place.is_won ? Verdict::won(place.distance) : Verdict::not_won());
  }

  // Positions that were expanded.
  std::uint64_t nodes() const { return next_; }

 private:
  using Number = std::uint32_t;
  static constexpr Number kNone = UINT32_MAX;

  struct Place {
    Hash128 key;
    Number waiting = kNone;      // the last of the waits for this position
    std::uint16_t tried = 0;     // the defender's first moves, which all lose
    std::uint16_t distance = 0;  // of the win; the largest of the moves tried as long as it is none
    bool attacks = false;
    bool is_won = false;
  };
  struct Wait {
    Number who;
    Number previous;
  };
  static constexpr std::size_t kWaits = 8;  // a position, in the mean
  // With its game, rounded up, so that memory holds as many places with every instruction set.
  static std::size_t bytes_of_place(const GameType& type) {
    return std::bit_ceil(type.traits.bytes + sizeof(Place)) + kWaits * sizeof(Wait) +
           3 * sizeof(Number);
  }

  void attack(Number who) {
    const AnyGame game = games_[who];
    std::vector<std::pair<AnyGame, Hash128>> open;
    for (const Move move : game.legal_moves()) {
      AnyGame next = game;
      next.play(move);
      const Hash128 key = ask_.key(next, move);
      const Verdict verdict = ask_.initial_verdict(next, key);
      if (verdict.yes()) return win(who, verdict.distance);
      if (!verdict.no()) open.emplace_back(next, key);
    }
    for (const auto& [next, key] : open) {
      const Number number = place(next, key);
      if (is_full_) return;
      if (places_[number].is_won) return win(who, places_[number].distance);
      wait(who, number);
    }
  }

  // Goes on with the first move that is not known to lose.
  void defend(Number who) {
    Place& here = places_[who];
    const AnyGame game = games_[who];
    const std::vector<Move> moves = game.legal_moves();
    for (; here.tried < moves.size(); ++here.tried) {
      AnyGame next = game;
      next.play(moves[here.tried]);
      const Hash128 key = ask_.key(next, moves[here.tried]);
      Verdict verdict = ask_.initial_verdict(next, key);
      if (verdict.no()) return;
      if (!verdict.yes()) {
        const Number number = place(next, key);
        if (is_full_) return;
        if (!places_[number].is_won) return wait(who, number);
        verdict.distance = places_[number].distance;
      }
      here.distance = std::max(here.distance, verdict.distance);
    }
    win(who, here.distance);
  }

  // A move leads to a win within `distance`.
  void win(Number who, std::uint16_t distance) {
    places_[who].is_won = true;
    places_[who].distance = static_cast<std::uint16_t>(std::min<int>(distance + 1, kMostDistance));
    fresh_.push_back(who);
  }

  // Propagates new wins to the positions that wait for them.
  void spread() {
    while (!fresh_.empty() && !is_full_) {
      const Place& won = places_[fresh_.back()];
      fresh_.pop_back();
      for (Number at = won.waiting; at != kNone; at = waits_[at].previous) {
        const Number who = waits_[at].who;
        if (places_[who].is_won) continue;
        if (places_[who].attacks)
          win(who, won.distance);
        else
          defend(who);
      }
    }
  }

  void wait(Number who, Number for_whom) {
    is_full_ = is_full_ || waits_.size() == kWaits * capacity_;
    if (is_full_) return;
    waits_.push_back(
        {who, std::exchange(places_[for_whom].waiting, static_cast<Number>(waits_.size()))});
  }

  // The number of a position, a new one if it comes up for the first time.
  Number place(const AnyGame& game, const Hash128& key) {
    is_full_ = is_full_ || places_.size() == capacity_;
    if (is_full_) return kNone;
    std::size_t at = static_cast<unsigned __int128>(key.high) * index_.size() >> 64;
    for (; index_[at] != kNone; at = at + 1 == index_.size() ? 0 : at + 1)
      if (places_[index_[at]].key == key) return index_[at];
    index_[at] = static_cast<Number>(places_.size());
    games_.push_back(game);
    places_.push_back({.key = key, .attacks = ask_.attacks(game)});
    return index_[at];
  }

  const Ask& ask_;
  std::size_t capacity_;
  std::vector<Place> places_;  // never moved, in the order of their numbers
  GameList games_;             // of the places
  std::vector<Wait> waits_;
  std::vector<Number> fresh_;  // newly won
  std::vector<Number> index_;  // by key; kNone: free
  Number next_ = 0;            // to be looked at
  bool is_full_ = false;
};

}  // namespace pinchtp
