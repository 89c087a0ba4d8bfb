// The moves of Bushka, by rules R1 to R18 (pinchtp/games/README.md).
//
// Ordinary moves and phalanx captures are generated for all men in parallel: a man moves along a
// line to the square in front of the line of own men before it, so an origin and a direction define
// one move. Only piece captures, which can turn, are followed one by one.
#pragma once

#include <algorithm>
#include <bit>
#include <iterator>
#include <vector>

#include "../types.hpp"
#include "bushka_board.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET::bushka_rules {

// A complete turn; victims are removed after it. In a phalanx, the rear man moves to the front.
struct Turn {
  Squares from;
  Squares to;
  Squares taken;
  friend bool operator==(const Turn&, const Turn&) = default;
};

inline void make(Pieces& board, Side side, const Turn& turn) {
  const int own = index(side);
  const int enemy = 1 - own;
  board.men[enemy] &= ~turn.taken;
  board.kings[enemy] &= ~turn.taken;
  if (board.kings[own] & turn.from) {
    board.kings[own] = (board.kings[own] & ~turn.from) | turn.to;
  } else {
    board.men[own] = (board.men[own] & ~turn.from) | (turn.to & ~kFarRank[own]);
    board.kings[own] |= turn.to & kFarRank[own];  // R4, R8; never after a capture: R18
  }
}

// Whether a side has any legal move: a piece moves or captures only across a vacant square next to it.
inline bool can_move(const Pieces& board, Side side) {
  const Squares men = board.men[index(side)];
  const Squares kings = board.kings[index(side)];
  const Squares vacant = board.vacant();
  const Squares enemy = board.of(other(side));
  for (int direction = 0; direction < kDirections; ++direction) {
    const bool is_forward = direction == forward(side, 0) || direction == forward(side, 1);
    const Squares ways = is_forward ? vacant : vacant & step(enemy, back(direction));
    if ((men & step(ways, back(direction))) | (kings & step(vacant, back(direction)))) return true;
  }
  return false;
}

// Follows the piece captures of R12 to R17 and keeps those that capture most.
class PieceCaptures {
 public:
  PieceCaptures(const Pieces& board, Side side, std::vector<Turn>& found)
      : vacant_(board.vacant()), enemy_(board.of(other(side))), found_(found) {}

  void from_man(Squares origin) {
    begin(origin);
    follow<false>(origin, 0);
  }
  void from_king(Squares origin) {
    begin(origin);
    follow<true>(origin, 0);
  }

 private:
  void begin(Squares origin) {
    origin_ = origin;
    free_ = vacant_ | origin;  // R16
  }

  template <bool kKing>
  void follow(Squares at, Squares taken) {
    bool is_end = true;
    for (int direction = 0; direction < kDirections; ++direction) {
      Squares landing = step(at, direction) & free_;
      if (landing == 0) continue;
      if constexpr (kKing)
        while (const Squares next = step(landing, direction) & free_) landing = next;
      const Squares victim = step(landing, direction) & enemy_ & ~taken;
      if (victim == 0) continue;
      is_end = false;
      follow<kKing>(landing, taken | victim);
    }
    if (is_end && taken != 0) keep({origin_, at, taken});
  }

  void keep(const Turn& turn) {
    const int count = std::popcount(turn.taken);
    if (count < most_) return;
    if (count > most_) found_.clear();
    most_ = count;
    // Another order of the same captures is the same move.
    if (std::ranges::find(found_, turn) == found_.end()) found_.push_back(turn);
  }

  Squares vacant_;
  Squares enemy_;
  Squares origin_ = 0;
  Squares free_ = 0;
  int most_ = 0;
  std::vector<Turn>& found_;
};

// All legal moves of a side. Reuse a generator: it keeps its buffers.
class MoveGenerator {
 public:
  // By R3, only moves of the first available kind.
  void generate(const Pieces& board, Side side) {
    batch_count_ = 0;
    victims_ = 0;
    captures_.clear();
    const Squares vacant = board.vacant();
    const Squares men = men_ = board.men[index(side)];
    const Squares enemy = board.of(other(side));
    Squares poised = 0;  // men that have a vacant square and an enemy ahead
    Squares fronts[kDirections];
    Squares any_front = 0;
    for (int direction = 0; direction < kDirections; ++direction) {
      const Squares here = men & step(vacant & step(enemy, back(direction)), back(direction));
      poised |= here;
      fronts[direction] = here & step(men, direction);
      any_front |= fronts[direction];
    }
    if (any_front != 0) {
      add_phalanx_captures(enemy, board.men[index(other(side))], fronts);
    } else {
      // R13 needs no test: if a man has another in front of it that can capture, that is a phalanx
      // capture.
      PieceCaptures captures(board, side, captures_);
      for_each(poised, [&](Squares man) { captures.from_man(man); });
      for_each(board.kings[index(side)], [&](Squares king) { captures.from_king(king); });
      if (captures_.empty()) add_ordinary(board.kings[index(side)], vacant, side);
    }
    count_ = static_cast<std::uint32_t>(captures_.size());
    for (int i = 0; i < batch_count_; ++i)
      count_ += static_cast<std::uint32_t>(std::popcount(batches_[i].origins));
  }

  std::uint32_t count() const { return count_; }

  bool has_captures() const { return victims_ > 0 || !captures_.empty(); }

  // Calls visit(turn) for every move, in the order of their indices.
  template <class Visit>
  void for_each_turn(Visit&& visit) const {
    for (const Turn& each : captures_) visit(each);
    for (int i = 0; i < batch_count_; ++i)
      for_each(batches_[i].origins, [&](Squares from) { visit(turn(batches_[i], from)); });
  }

  Turn operator[](std::uint32_t number) const {
    if (!captures_.empty()) return captures_[number];
    const Batch* batch = batches_;
    for (;; ++batch) {
      const auto size = static_cast<std::uint32_t>(std::popcount(batch->origins));
      if (number < size) break;
      number -= size;
    }
    Squares origins = batch->origins;
    while (number-- > 0) origins &= origins - 1;
    return turn(*batch, origins & -origins);
  }

 private:
  // Moves in one direction, one from each origin: kings move by `distance`, men (distance 0) past
  // the line of men before them.
  struct Batch {
    Squares origins;
    int direction;
    int distance;
  };

  void add(Squares origins, int direction, int distance) {
    if (origins != 0) batches_[batch_count_++] = {origins, direction, distance};
  }

  // Adds phalanx captures (R9 to R11), given the fronts of phalanxes that can capture.
  void add_phalanx_captures(Squares enemy, Squares enemy_men, const Squares (&fronts)[kDirections]) {
    Squares last[kDirections];  // the farthest victims
    for (int direction = 0; direction < kDirections; ++direction)
      last[direction] = step(fronts[direction], direction, 2) & enemy;
    for (victims_ = 1;; ++victims_) {
      Squares farther[kDirections];
      Squares any = 0;
      for (int direction = 0; direction < kDirections; ++direction) {
        farther[direction] = step(last[direction] & enemy_men, direction) & enemy_men;
        any |= farther[direction];
      }
      if (any == 0) break;
      std::copy(std::begin(farther), std::end(farther), std::begin(last));
    }
    for (int direction = 0; direction < kDirections; ++direction) {
      const Squares heads = step(last[direction], back(direction), victims_ + 1);
      add(with_line_behind(heads, direction, men_) & ~heads, direction, 0);
    }
  }

  // Adds ordinary moves (R4, R5, R7).
  void add_ordinary(Squares kings, Squares vacant, Side side) {
    for (const int direction : {forward(side, 0), forward(side, 1)}) {
      const Squares heads = men_ & step(vacant, back(direction));
      add(with_line_behind(heads, direction, men_), direction, 0);
    }
    if (kings == 0) return;
    for (int direction = 0; direction < kDirections; ++direction) {
      Squares reached = kings;
      for (int distance = 1; (reached = step(reached, direction) & vacant) != 0; ++distance)
        add(step(reached, back(direction), distance), direction, distance);
    }
  }

  Turn turn(const Batch& batch, Squares from) const {
    Squares to = from;
    if (batch.distance > 0)
      to = step(from, batch.direction, batch.distance);
    else
      do to = step(to, batch.direction);
      while (to & men_);
    Squares taken = 0;
    for (int ahead = 1; ahead <= victims_; ++ahead) taken |= step(to, batch.direction, ahead);
    return {from, to, taken};
  }

  static constexpr int kMaxBatches = 2 + kDirections * 8;  // a king moves at most eight squares

  Squares men_ = 0;
  Batch batches_[kMaxBatches];
  int batch_count_ = 0;
  int victims_ = 0;  // of each phalanx capture
  std::uint32_t count_ = 0;
  std::vector<Turn> captures_;  // piece captures
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET::bushka_rules
