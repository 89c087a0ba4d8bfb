// Playouts of Pinch.
#pragma once

#include <array>

#include "../../games/pinch.hpp"
#include "../../rng.hpp"
#include "pinch_blocks.hpp"
#include "playout_game.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

template <class Board>
class PlayoutGame<Pinch<Board>> : public Pinch<Board> {
  using Base = Pinch<Board>;
  using Family = PinchFamily<Board>;
  using Family::connections_, Family::outcome_, Family::pie_, Family::points_, Family::turn_;

 public:
  using Base::empty, Base::play, Base::swap_open;

  // Plays uniformly random legal moves to the end and adds each placement to `placed`. The object
  // then contains the final board.
  Playout play_to_end(Rng& rng, Placements& placed) {
    RandomOrder<Board> order(empty());
    int moves = 0;
    if (pie_) {
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
    PinchBlocks<Board> blocks(connections_[index(sides[0])], connections_[index(sides[1])], points_);
    const int winner = blocks.run(rng, order, [&](int who, int bit) {
      placed.add(sides[who], Board::point_at(bit));
      ++moves;
    });
    // A finished game does not need the other members of connections.
    for (int who = 0; who < 2; ++who) connections_[index(sides[who])].stones = blocks.stones(who);
    outcome_ = winner == PinchBlocks<Board>::kNobody ? Outcome::draw : win_for(sides[winner]);
    return {outcome_, moves};
  }
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
