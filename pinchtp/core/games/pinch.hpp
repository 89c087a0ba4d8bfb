// Pinch, the original: captured stones flip. Rules: Craig Duncan, 2019 (section `pinch` of
// protocol.md).
//
// What makes it fast: all stones that are new in a turn form one group, and only the mover can become
// connected, so after a move only that group needs a look (camp.hpp). Random games do not even look
// after every move (pinch_race.hpp).
#pragma once

#include <array>
#include <vector>

#include "../rng.hpp"
#include "pinch_family.hpp"
#include "pinch_race.hpp"

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
  std::optional<Side> placing() const { return turn_; }

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
    if (place(camps_[index(turn_)], camps_[1 - index(turn_)], move)) outcome_ = win_for(turn_);
    Family::end_turn();
  }

  bool wins_at(Side side, Move move) const {
    Camp<Board> mover = camps_[index(side)];
    Camp<Board> enemy = camps_[1 - index(side)];
    return place(mover, enemy, move);
  }

  std::vector<Move> winning_points(Side side) const {
    std::vector<Move> wins;
    if (outcome_ != Outcome::none) return wins;
    const Camp<Board>& camp = camps_[index(side)];
    const Board& enemy = camps_[1 - index(side)].stones;
    const Board joins = camp.low.neighbours() & camp.high.neighbours();
    const Board flips =
        (enemy & camp.stones.vertical()).horizontal() | (enemy & camp.stones.horizontal()).vertical();
    (empty() & (joins | flips)).for_each([&](Move move) {
      if (wins_at(side, move)) wins.push_back(move);
    });
    return wins;
  }

  // Plays uniformly random legal moves to the end and adds each placement to `placed`; what is left is
  // the final board.
  template <class Placed>
  Playout playout(Rng& rng, Placed& placed) {
    RandomOrder<Board> order(empty());
    int moves = 0;
    if (Family::pie_) {
      const Move move = Board::point_at(order.draw(rng));
      placed.add(turn_, move);
      play(move);
      ++moves;
    }
    if (swap_open() && rng.below(order.left() + 1) == order.left()) {
      play(kSwap);
      ++moves;
    }
    const std::array<Side, 2> sides{turn_, other(turn_)};
    PinchRace<Board> race(camps_[index(sides[0])], camps_[index(sides[1])], points_);
    const int winner = race.run(rng, order, [&](int who, int bit) {
      placed.add(sides[who], Board::point_at(bit));
      ++moves;
    });
    // What else the camps know is of no use in a finished game.
    for (int who = 0; who < 2; ++who) camps_[index(sides[who])].stones = race.stones(who);
    outcome_ = winner == PinchRace<Board>::kNobody ? Outcome::draw : win_for(sides[winner]);
    return {outcome_, moves};
  }

  Hash128 hash() const { return Family::family_hash(); }

 private:
  // Puts the mover's stone down and flips what it pinches; tells whether the mover is connected.
  bool place(Camp<Board>& mover, Camp<Board>& enemy, Move move) const {
    const Board before = mover.stones;
    place_and_flip(mover.stones, enemy.stones, Board::cross(move));
    const Board fresh = mover.stones & ~before;
    enemy.remove(fresh);
    return mover.join(fresh, fresh.neighbours()) && mover.settle(points_);
  }
};

}  // namespace pinchtp::PINCHTP_LEVEL
