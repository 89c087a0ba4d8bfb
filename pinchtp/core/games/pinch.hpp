// Pinch, the original: captured stones flip. Rules: Craig Duncan, 2019 (section `pinch` of
// protocol.md).
//
// What makes it fast: all stones that are new in a turn form one group, and only the mover can become
// connected, so after a move only that group needs a look (camp.hpp).
#pragma once

#include <vector>

#include "../rng.hpp"
#include "pinch_family.hpp"

namespace pinchtp::PINCHTP_LEVEL {

template <class Board>
class Pinch : public PinchFamily<Board> {
  using Family = PinchFamily<Board>;
  using Family::camps_, Family::outcome_, Family::points_, Family::turn_;

 public:
  static constexpr std::string_view kName = "pinch";
  static constexpr bool kRepeats = false;
  static constexpr bool kParts = false;
  static constexpr Reflections kReflections = Reflections::sides;

  using Family::empty, Family::swap_open;
  explicit Pinch(const Rules& rules) : Family(rules) {}
  // A position set up by hand. Throws std::invalid_argument for what makes none.
  Pinch(const Rules& rules, const Setup& setup) : Family(rules, setup) {}

  bool mid_turn() const { return false; }
  std::optional<Side> shares(Move move) const {
    return is_point(move) ? std::optional(turn_) : std::nullopt;
  }

  bool is_legal(Move move) const {
    if (outcome_ != Outcome::none) return false;
    if (move == kSwap) return swap_open();
    return Family::is_on_boards(move) && empty().has(move);
  }

  std::vector<Move> legal_moves() const {
    if (outcome_ != Outcome::none) return {};
    std::vector<Move> moves = Family::list(empty());
    if (swap_open()) moves.push_back(kSwap);
    return moves;
  }

  void play(Move move) {
    assert(is_legal(move));
    if (move == kSwap) return Family::swap();
    if (place(camps_[index(turn_)], camps_[1 - index(turn_)], Board::at(move)))
      outcome_ = win_for(turn_);
    Family::end_turn();
  }

  bool wins_at(Side side, Move move) const {
    Camp<Board> mover = camps_[index(side)];
    Camp<Board> enemy = camps_[1 - index(side)];
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
    if (Family::pie_) {
      const Move move = draw();
      placed.add(turn_, move);
      play(move);
    }
    if (swap_open() && rng.below(left + 1) == left) {
      play(kSwap);
      ++moves;
    }
    // Both camps in registers, the mover known at compile time: twice as fast as play() in a loop.
    const Side side = turn_;
    Camp<Board> mover = camps_[index(side)];
    Camp<Board> enemy = camps_[1 - index(side)];
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

  Hash128 hash() const { return Family::family_hash(); }

 private:
  // Puts the mover's stone down and flips what it pinches; tells whether the mover is connected.
  bool place(Camp<Board>& mover, Camp<Board>& enemy, const Board& stone) const {
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
      enemy.remove(flipped);
      fresh |= flipped;
      beside = flipped.horizontal();
      upright = flipped.vertical();
      around |= beside | upright;
    }
    return mover.join(fresh, around) && mover.settle(points_);
  }
};

}  // namespace pinchtp::PINCHTP_LEVEL
