// Playouts of Pinch with removal, tested for a winner after blocks of moves (stone_rows.hpp).
//
// A chain of dependent steps takes two thirds of the time: the number of free points, the point
// drawn, its captures, and hence the points excluded from the next draw. Testing blocks takes a
// tenth, and replaying a block move by move, usually the last one, a seventh.
#pragma once

#include "../../games/pinch_remove.hpp"
#include "../../rng.hpp"
#include "candidate_moves.hpp"
#include "playout_game.hpp"
#include "stone_rows.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

template <class Board>
class PlayoutGame<PinchRemove<Board>> : public PinchRemove<Board> {
  using Base = PinchRemove<Board>;
  using Family = PinchFamily<Board>;
  using Base::banned_, Base::open;
  using Family::connections_, Family::outcome_, Family::pie_, Family::points_, Family::turn_;

 public:
  using Base::empty, Base::play, Base::swap_open;

  // Plays uniformly random legal moves to the end and adds each placement to `placed`. The object
  // then contains the final board. Ignores repetitions; after kLongest moves per point the game is
  // a draw.
  Playout play_to_end(Rng& rng, Placements& placed) {
    int moves = 0;
    const auto make = [&](Move move) {
      if (is_point(move)) placed.add(turn_, move);
      play(move);
      ++moves;
    };
    if (pie_) make(random_point(open(), rng));
    if (swap_open() && takes_swap(open(), rng)) make(kSwap);
    CandidateMoves candidates;
    open().for_each([&](Move move) { candidates.add(move); });
    banned_.for_each([&](Move move) { candidates.hold(move); });
    const int longest = moves + kLongest * points_.count();
    Block block;
    while (outcome_ == Outcome::none) {
      if (moves >= longest) {
        outcome_ = Outcome::draw;
      } else if (candidates.free() == 0 && candidates.held() == 0) {
        outcome_ = Outcome::draw;
      } else if (candidates.free() == 0) {
        banned_ = empty();
        make(kPass);
        candidates.release();
      } else if (run_ahead(rng, candidates, block)) {
        for (int i = 0; i < block.stones; ++i) placed.add(block.side[i], block.move[i]);
        moves += block.turns;
      } else {
        for (int i = 0; i < block.stones && outcome_ == Outcome::none; ++i) make(block.move[i]);
      }
    }
    return {outcome_, moves};
  }

 private:
  // Makes a block of random moves, at least one. False if a side may have been connected within it;
  // then only `candidates` and `block` have changed.
  bool run_ahead(Rng& rng, CandidateMoves& candidates, Block& block) {
    StoneRows<Board> rows(connections_);
    Side side = turn_;
    for (block.clear(); block.turns < Block::kEnough && candidates.free() > 0; ++block.turns) {
      const Move move = candidates.take(candidates.pick(rng));
      block.add(side, move);
      candidates.release();
      rows.put(side, move).for_each(move, [&](Move neighbour, unsigned is_gone) {
        candidates.hold_if(neighbour, is_gone);
      });
      side = other(side);
    }
    if (!rows.update(connections_, points_)) return false;
    Family::skip_to(side);
    banned_ = {};  // candidates holds them back
    return true;
  }

  // In a million playouts from the start on nine boards, none took 3 moves per point.
  static constexpr int kLongest = 16;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
