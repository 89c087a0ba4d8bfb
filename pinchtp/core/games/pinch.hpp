// Pinch, the original: captured stones flip. Rules: Craig Duncan, 2019 (section `pinch` of
// protocol.md).
//
// What makes it fast: all stones that are new in a turn form one group, and only the mover can become
// connected, so after a move only that group needs a look. For each side and each of its two edges we
// keep a superset of the stones joined to that edge. New stones next to a set are flooded into it; only
// when they touch both sets does one exact flood decide, and tighten the sets if it finds no win.
#pragma once

#include <array>
#include <cassert>
#include <stdexcept>
#include <vector>

#include "../bitboard.hpp"
#include "../rng.hpp"
#include "../types.hpp"

namespace pinchtp::PINCHTP_LEVEL {

template <class Board>
class Pinch {
 public:
  static constexpr std::string_view kName = "pinch";
  static constexpr bool kWhiteFirst = false;
  static constexpr bool kRepeats = false;
  static constexpr bool kParts = false;
  static constexpr Reflections kReflections = Reflections::sides;

  explicit Pinch(const Rules& rules) : pie_(rules.pie) {
    assert(rules.width <= Board::kMaxSide && rules.height <= Board::kMaxSide);
    Camp& first = camps_[index(Side::first)];
    Camp& second = camps_[index(Side::second)];
    for (int y = 0; y < rules.height; ++y) {
      for (int x = 0; x < rules.width; ++x) points_ |= Board::at(point(x, y));
      second.low |= Board::at(y + 1, 0);
      second.high |= Board::at(y + 1, rules.width + 1);
    }
    for (int x = 0; x < rules.width; ++x) {
      first.low |= Board::at(0, x + 1);
      first.high |= Board::at(rules.height + 1, x + 1);
    }
  }

  // A position set up by hand: there is no swap. Throws std::invalid_argument if both are connected, or
  // for what is no stone.
  Pinch(const Rules& rules, const Setup& setup) : Pinch(rules) {
    pie_ = false;
    swapped_ = setup.swapped;
    turn_ = setup.turn;
    for (const auto& [move, cell] : setup.cells) {
      if (cell != Cell::first && cell != Cell::second)
        throw std::invalid_argument("there are only stones in this game");
      camps_[index(owner(cell))].stones |= Board::at(move);
    }
    for (const Side side : {Side::first, Side::second}) {
      if (!settle(camps_[index(side)])) continue;
      if (outcome_ != Outcome::none) throw std::invalid_argument("both players are connected");
      outcome_ = win_for(side);
    }
  }

  Side turn() const { return turn_; }
  bool mid_turn() const { return false; }
  Outcome outcome() const { return outcome_; }
  bool swapped() const { return swapped_; }
  bool swap_open() const { return pie_ && placed_ == 1 && !swapped_; }
  Cell cell(Move move) const {
    return camps_[0].stones.has(move)   ? Cell::first
           : camps_[1].stones.has(move) ? Cell::second
                                        : Cell::empty;
  }
  Board empty() const { return points_ & ~(camps_[0].stones | camps_[1].stones); }

  bool is_legal(Move move) const {
    if (outcome_ != Outcome::none) return false;
    if (move == kSwap) return swap_open();
    return is_point(move) && x_of(move) < Board::kMaxSide && y_of(move) < Board::kMaxSide &&
           empty().has(move);
  }

  std::vector<Move> legal_moves() const {
    std::vector<Move> moves;
    if (outcome_ != Outcome::none) return moves;
    empty().for_each([&](Move move) { moves.push_back(move); });
    if (swap_open()) moves.push_back(kSwap);
    return moves;
  }

  // After a swap the mover owns the first stone: a win of the other side is then theirs.
  Side credited(Move move) const { return move == kSwap ? other(turn_) : turn_; }
  bool shares(Move move) const { return is_point(move); }

  void play(Move move) {
    assert(is_legal(move));
    if (move == kSwap) {
      swapped_ = true;  // the side to move stays; the players behind the sides have changed
      return;
    }
    if (place(camps_[index(turn_)], camps_[1 - index(turn_)], Board::at(move)))
      outcome_ = win_for(turn_);
    ++placed_;
    turn_ = other(turn_);
  }

  // The winner's group that joins both edges; empty while the game goes on.
  std::vector<Move> winning_chain() const {
    std::vector<Move> chain;
    if (outcome_ == Outcome::none) return chain;
    const Camp& winner = camps_[static_cast<int>(outcome_)];
    const Board from_low = (winner.low & ~points_).flood(winner.stones);
    const Board from_high = (winner.high & ~points_).flood(winner.stones);
    (from_low & from_high).for_each([&](Move move) { chain.push_back(move); });
    return chain;
  }

  bool wins_at(Side side, Move move) const {
    Camp mover = camps_[index(side)];
    Camp enemy = camps_[1 - index(side)];
    return place(mover, enemy, Board::at(move));
  }

  std::vector<Move> winning_points(Side side) const {
    std::vector<Move> wins;
    if (outcome_ != Outcome::none) return wins;
    empty().for_each([&](Move move) {
      if (wins_at(side, move)) wins.push_back(move);
    });
    return wins;
  }

  // Calls visit(side, move) for every stone.
  template <class Visit>
  void for_each_stone(Visit&& visit) const {
    for (const Side side : {Side::first, Side::second})
      camps_[index(side)].stones.for_each([&](Move move) { visit(side, move); });
  }

  // Plays uniformly random legal moves to the end and adds each placement to `placed`; what is left is
  // the final board. A full board always has a winner, so the empty points never run out.
  template <class Placed>
  Playout playout(Rng& rng, Placed& placed) {
    Move order[kMaxSize * kMaxSize];
    std::uint32_t left = 0;
    empty().for_each([&](Move move) { order[left++] = move; });
    int moves = 0;
    const auto draw = [&] {
      const std::uint32_t pick = rng.below(left);
      const Move move = order[pick];
      order[pick] = order[--left];
      ++moves;
      return move;
    };
    if (pie_ && placed_ == 0) {
      const Move move = draw();
      placed.add(turn_, move);
      play(move);
    }
    if (swap_open() && rng.below(left + 1) == left) {
      swapped_ = true;
      ++moves;
    }
    // Both camps in registers, the mover known at compile time: twice as fast as play() in a loop.
    const Side side = turn_;
    Camp mover = camps_[index(side)];
    Camp enemy = camps_[1 - index(side)];
    for (;;) {
      Move move = draw();
      placed.add(side, move);
      if (place(mover, enemy, Board::at(move))) {
        outcome_ = win_for(side);
        break;
      }
      move = draw();
      placed.add(other(side), move);
      if (place(enemy, mover, Board::at(move))) {
        outcome_ = win_for(other(side));
        break;
      }
    }
    camps_[index(side)] = mover;
    camps_[1 - index(side)] = enemy;
    return {outcome_, moves};
  }

  Hash128 hash() const {
    const std::uint64_t flags = static_cast<std::uint64_t>(swapped_ + 2 * index(turn_));
    Hash128 hash{mix(flags, 1), mix(flags, 2)};
    for (const Camp& camp : camps_)
      for (const std::uint64_t word : camp.stones.words())
        hash = {mix(hash.low ^ word, 3), mix(hash.high + word, hash.low)};
    return hash;
  }

 private:
  // One side's stones, and supersets of those joined to its edges (bottom and top, or left and
  // right); each set holds the guard bits of its edge as well.
  struct Camp {
    Board stones;
    Board low;
    Board high;
  };

  // Puts the mover's stone down and flips what it pinches; tells whether the mover is connected.
  bool place(Camp& mover, Camp& enemy, const Board& stone) const {
    mover.stones |= stone;
    Board fresh = stone;
    Board beside = stone.horizontal();
    Board upright = stone.vertical();
    Board around = beside | upright;
    // Rules 2, 3: a pair captures when one of it is new; what is flipped is new in its turn.
    for (;;) {
      const Board flipped =
          enemy.stones & ((beside & mover.stones.vertical()) | (upright & mover.stones.horizontal()));
      if (!flipped.any()) break;
      mover.stones |= flipped;
      enemy.stones &= ~flipped;
      enemy.low &= ~flipped;
      enemy.high &= ~flipped;
      fresh |= flipped;
      beside = flipped.horizontal();
      upright = flipped.vertical();
      around |= beside | upright;
    }
    const bool at_low = (around & mover.low).any();
    const bool at_high = (around & mover.high).any();
    if (at_low && at_high) return settle(mover);
    if (at_low) mover.low |= fresh | fresh.flood(mover.stones & ~mover.low);
    if (at_high) mover.high |= fresh | fresh.flood(mover.stones & ~mover.high);
    return false;
  }

  // One exact look at the mover's stones: a win, or both sets made exact again.
  bool settle(Camp& mover) const {
    const Board low_edge = mover.low & ~points_;
    const Board high_edge = mover.high & ~points_;
    const Board from_low = low_edge.flood(mover.stones);
    if ((from_low.neighbours() & high_edge).any()) return true;
    mover.low = low_edge | from_low;
    mover.high = high_edge | high_edge.flood(mover.stones);
    return false;
  }

  Board points_;               // every point of the board
  std::array<Camp, 2> camps_;  // by side
  std::uint16_t placed_ = 0;
  Side turn_ = Side::first;
  Outcome outcome_ = Outcome::none;
  bool pie_;
  bool swapped_ = false;
};

}  // namespace pinchtp::PINCHTP_LEVEL
