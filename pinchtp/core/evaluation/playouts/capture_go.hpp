// Playouts of First Capture Go.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../../games/capture_go.hpp"
#include "../../rng.hpp"
#include "capture_go_fill.hpp"
#include "playout_game.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

template <class Board>
class PlayoutGame<CaptureGo<Board>> : public CaptureGo<Board> {
  using Base = CaptureGo<Board>;
  using Base::empty, Base::stones, Base::win;
  using Base::outcome_, Base::pie_, Base::placed_, Base::swapped_, Base::turn_;

 public:
  using Base::legal_moves, Base::play;

  // Plays uniformly random legal moves to the end, but passes only if no other move is legal. Adds
  // each placement to `placed`. The object then contains the final position.
  Playout play_to_end(Rng& rng, Placements& placed) {
    const int before = play_until_no_swap(rng, placed);
    if (outcome_ != Outcome::none) return {outcome_, before};
    const Side sides[2] = {turn_, other(turn_)};
    RandomFill<Board> fill(stones(sides[0]), stones(sides[1]), empty());
    const Board captured = fill.run(rng);
    const int count = fill.placements();
    if (placed.first == kNoMove && count > 0) placed.first = fill.at(0);
    for (int i = 0; i < 2; ++i) {
      Board& board = stones(sides[i]);
      const typename Board::Rows added = (fill.stones(i) & ~board).rows();
      for (int y = 0; y < Board::kMaxSide; ++y)
        placed.rows[index(sides[i])][y] |= std::uint32_t{added[y + 1]} >> 1;
      board = fill.stones(i);
    }
    turn_ = sides[count % 2];
    if (captured.any()) {
      win(other(turn_), captured);
      return {outcome_, before + count};
    }
    play(kPass);
    return {outcome_, before + count + 1};
  }

 private:
  // Plays random moves until no swap can follow; returns their number.
  int play_until_no_swap(Rng& rng, Placements& placed) {
    int moves = 0;
    for (; pie_ && placed_ < 2 && !swapped_ && outcome_ == Outcome::none; ++moves) {
      const std::vector<Move> legal = legal_moves();  // the pass comes last
      const auto choices = static_cast<std::uint32_t>(std::max<std::size_t>(legal.size() - 1, 1));
      const Move move = legal[rng.below(choices)];
      if (is_point(move)) placed.add(turn_, move);
      play(move);
    }
    return moves;
  }
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
