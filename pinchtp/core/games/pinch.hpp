// Pinch, the original: captured stones flip. Rules: Craig Duncan, 2019 (pinchtp/games/README.md).
//
// It is fast because all new stones of a turn form one group, and only the mover can become
// connected, so only that group is tested after a move (edge_connections.hpp). Playouts do not even
// test after every move (pinch_blocks.hpp).
#pragma once

#include <vector>

#include "pinch_family.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// Puts the mover's stone down and flips the stones it pinches, by rules P2 and P3: a pair captures
// if one of its stones is new, and flipped stones count as new. Most moves flip nothing, and few
// flip twice, so the first flips are made without testing for them, which would be an unpredictable
// branch.
template <class Board>
PINCHTP_INLINE inline void place_and_flip(Board& own, Board& enemy,
                                          const typename Board::Cross& stone) {
  Board horizontal = own.horizontal();
  Board vertical = own.vertical();
  Board flipped = enemy & ((stone.horizontal & vertical) | (stone.vertical & horizontal));
  own |= stone.point;
  horizontal |= stone.horizontal;
  vertical |= stone.vertical;
  do {
    own |= flipped;
    enemy &= ~flipped;
    const Board flipped_horizontal = flipped.horizontal();
    const Board flipped_vertical = flipped.vertical();
    horizontal |= flipped_horizontal;
    vertical |= flipped_vertical;
    flipped = enemy & ((flipped_horizontal & vertical) | (flipped_vertical & horizontal));
  } while (flipped.any());
}

template <class Board>
class Pinch : public PinchFamily<Board> {
  using Family = PinchFamily<Board>;

 protected:
  using Family::connections_, Family::outcome_, Family::points_, Family::turn_;

  Pinch() = default;

 public:
  static constexpr std::string_view kName = "pinch";
  static constexpr bool kRepeats = false;
  static constexpr bool kMultiStep = false;
  static constexpr Reflections kReflections = Reflections::sides;

  using Family::empty, Family::swap_open;
  explicit Pinch(const Rules& rules) : Family(rules) {}
  // A set-up position. Throws std::invalid_argument if it is invalid.
  Pinch(const Rules& rules, const Setup& setup) : Family(rules, setup) {}

  bool mid_turn() const { return false; }

  bool is_legal(Move move) const {
    if (outcome_ != Outcome::none) return false;
    if (move == kSwap) return swap_open();
    return Board::fits(move) && empty().has(move);
  }

  std::vector<Move> legal_moves() const {
    if (outcome_ != Outcome::none) return {};
    std::vector<Move> moves = moves_of(empty());
    if (swap_open()) moves.push_back(kSwap);
    return moves;
  }

  void play(Move move) {
    assert(is_legal(move));
    if (move == kSwap) return Family::swap();
    if (place(connections_[index(turn_)], connections_[1 - index(turn_)], move))
      outcome_ = win_for(turn_);
    Family::end_turn();
  }

  bool wins_at(Side side, Move move) const {
    EdgeConnections<Board> mover = connections_[index(side)];
    EdgeConnections<Board> enemy = connections_[1 - index(side)];
    return place(mover, enemy, move);
  }

  std::vector<Move> winning_points(Side side) const {
    std::vector<Move> wins;
    if (outcome_ != Outcome::none) return wins;
    const EdgeConnections<Board>& connections = connections_[index(side)];
    const Board& enemy = connections_[1 - index(side)].stones;
    const Board joins = connections.low.neighbours() & connections.high.neighbours();
    (empty() & (joins | pinching(connections.stones, enemy))).for_each([&](Move move) {
      if (wins_at(side, move)) wins.push_back(move);
    });
    return wins;
  }

  Hash128 hash() const { return Family::hash_chain().hash(); }

 private:
  // Puts the mover's stone down and flips the stones it pinches; returns whether the mover is
  // connected.
  bool place(EdgeConnections<Board>& mover, EdgeConnections<Board>& enemy, Move move) const {
    const Board before = mover.stones;
    place_and_flip(mover.stones, enemy.stones, Board::cross(move));
    const Board fresh = mover.stones & ~before;
    enemy.remove(fresh);
    return mover.join(fresh, fresh.neighbours()) && mover.settle(points_);
  }
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
