// Random games of Pinch with removal, looked at for many moves at once (stone_rows.hpp).
//
// What bounds one: the chain from the number of free points over the one drawn to what it captures,
// which are the points held back from the next draw. That is two thirds of the time. Looking at
// stretches takes a tenth, and making one move by move, mostly the last, a seventh.
#pragma once

#include "../../games/pinch_remove.hpp"
#include "../../rng.hpp"
#include "bag.hpp"
#include "playout_game.hpp"
#include "stone_rows.hpp"

namespace pinchtp::PINCHTP_LEVEL {

template <class Board>
class PlayoutGame<PinchRemove<Board>> : public PinchRemove<Board> {
  using Base = PinchRemove<Board>;
  using Family = PinchFamily<Board>;
  using Base::banned_, Base::open;
  using Family::camps_, Family::outcome_, Family::pie_, Family::points_, Family::turn_;

 public:
  using Base::empty, Base::play, Base::swap_open;
  explicit PlayoutGame(const Base& start) : Base(start) {}

  // Plays uniformly random legal moves to the end and adds each placement to `placed`; what is left is
  // the final board. Nobody looks for repetitions; kLongest more moves per point of the board draw.
  template <class Placed>
  Playout play_to_end(Rng& rng, Placed& placed) {
    int moves = 0;
    const auto make = [&](Move move) {
      if (is_point(move)) placed.add(turn_, move);
      play(move);
      ++moves;
    };
    if (pie_) make(random_point(open(), rng));
    if (swap_open() && takes_swap(open(), rng)) make(kSwap);
    Bag bag;
    open().for_each([&](Move move) { bag.add(move); });
    banned_.for_each([&](Move move) { bag.hold(move); });
    const int longest = moves + kLongest * points_.count();
    Stretch stretch;
    while (outcome_ == Outcome::none) {
      if (moves >= longest) {
        outcome_ = Outcome::draw;
      } else if (bag.free() == 0 && bag.held() == 0) {
        outcome_ = Outcome::draw;
      } else if (bag.free() == 0) {
        banned_ = empty();
        make(kPass);
        bag.release();
      } else if (run_ahead(rng, bag, stretch)) {
        for (int i = 0; i < stretch.stones; ++i) placed.add(stretch.side[i], stretch.move[i]);
        moves += stretch.turns;
      } else {
        for (int i = 0; i < stretch.stones && outcome_ == Outcome::none; ++i) make(stretch.move[i]);
      }
    }
    return {outcome_, moves};
  }

 private:
  // Makes a stretch of random moves, at least one. False if somebody may have been connected on the
  // way: only `bag` and `stretch` have then changed.
  bool run_ahead(Rng& rng, Bag& bag, Stretch& stretch) {
    StoneRows<Board> rows(camps_);
    Side side = turn_;
    for (stretch.clear(); stretch.turns < Stretch::kEnough && bag.free() > 0; ++stretch.turns) {
      const Move move = bag.take(bag.pick(rng));
      stretch.add(side, move);
      bag.release();
      rows.put(side, move).for_each(move, [&](Move beside, unsigned is_gone) {
        bag.hold_if(beside, is_gone);
      });
      side = other(side);
    }
    if (!rows.hand_over(camps_, points_)) return false;
    Family::skip_to(side);
    banned_ = {};  // the bag knows them
    return true;
  }

  // Of a million random games from the start, on nine boards, none took 3 moves per point.
  static constexpr int kLongest = 16;
};

}  // namespace pinchtp::PINCHTP_LEVEL
