// Playouts of Pinch with relocation, tested for a winner after blocks of moves (stone_rows.hpp).
//
// Whether a stone lifts others, which happens in every third turn on 13x13, is an unpredictable
// branch, and so are the following ones; this takes most of the time. The rest is as in Pinch with
// removal.
#pragma once

#include <array>
#include <cstdint>

#include "../../games/pinch_relocate.hpp"
#include "../../rng.hpp"
#include "candidate_moves.hpp"
#include "playout_game.hpp"
#include "stone_rows.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

template <class Board>
class PlayoutGame<PinchRelocate<Board>> : public PinchRelocate<Board> {
  using Base = PinchRelocate<Board>;
  using Family = PinchFamily<Board>;
  using Base::begin_turn, Base::open, Base::placing_;
  using Family::connections_, Family::outcome_, Family::pie_, Family::points_, Family::turn_;

 public:
  using Base::empty, Base::mid_turn, Base::play, Base::swap_open;

  // Plays uniformly random steps of turns to the end and adds each stone put down to `placed`. The
  // object then contains the final board. Counts turns. Ignores repetitions; after kLongest more
  // turns per point of the board, the game is a draw.
  Playout play_to_end(Rng& rng, Placements& placed) {
    int turns = 0;
    const auto make = [&](Move move) {
      if (is_point(move)) placed.add(placing_, move);
      play(move);
      turns += !mid_turn();
    };
    while (outcome_ == Outcome::none && (mid_turn() || pie_)) make(random_point(open(), rng));
    if (swap_open() && takes_swap(empty(), rng)) make(kSwap);
    CandidateMoves candidates;
    empty().for_each([&](Move move) { candidates.add(move); });
    const int longest = turns + kLongest * points_.count();
    Block block;
    while (outcome_ == Outcome::none) {
      if (turns >= longest) {
        outcome_ = Outcome::draw;
      } else if (run_ahead(rng, candidates, block)) {
        for (int i = 0; i < block.stones; ++i) placed.add(block.side[i], block.move[i]);
        turns += block.turns;
        if (candidates.free() == 0) outcome_ = Outcome::draw;
      } else {
        for (int i = 0; i < block.stones && outcome_ == Outcome::none; ++i) make(block.move[i]);
      }
    }
    return {outcome_, turns};
  }

 private:
  // Makes a block of random turns, at least one. False if a side may have been connected within it;
  // then only `candidates` and `block` have changed.
  bool run_ahead(Rng& rng, CandidateMoves& candidates, Block& block) {
    StoneRows<Board> rows(connections_);
    Side side = turn_;
    for (block.clear(); block.stones < Block::kEnough && candidates.free() > 0; ++block.turns) {
      const Move move = candidates.take(candidates.pick(rng));
      block.add(side, move);
      const NeighbourMask lifted = rows.put(side, move);
      if (lifted.any()) relocate(rng, candidates, block, rows, lifted);
      side = other(side);
    }
    if (!rows.update(connections_, points_)) return false;
    Family::skip_to(side);
    begin_turn();
    return true;
  }

  // Plays the rest of a turn whose placement, the last stone of the block, has lifted something.
  static void relocate(Rng& rng, CandidateMoves& candidates, Block& block, StoneRows<Board>& rows,
                       NeighbourMask lifted) {
    Rows<Board> changed;
    std::array<int, 2> waiting{};
    Side side = block.side[block.stones - 1];
    for (Move move = block.move[block.stones - 1]; move != kNoMove;) {
      changed.add(move);
      changed.flip(move, lifted);
      lifted.for_each(
          move, [&](Move neighbour, unsigned is_gone) { candidates.hold_if(neighbour, is_gone); });
      waiting[1 - index(side)] += lifted.count();
      move = kNoMove;
      for (int i = 0; i < 2 && move == kNoMove; ++i) {  // as in next_points()
        if (waiting[index(side)] > 0) move = draw_point(rng, candidates, rows, changed, side);
        if (move == kNoMove) {
          waiting[index(side)] = 0;
          side = other(side);
        }
      }
      if (move == kNoMove) break;
      --waiting[index(side)];
      block.add(side, move);
      lifted = rows.put(side, move);
    }
    candidates.release();
  }

  // Draws one of the points where a stone of `side` may be put (rule L4); kNoMove if there is none.
  static Move draw_point(Rng& rng, CandidateMoves& candidates, const StoneRows<Board>& rows,
                         const Rows<Board>& changed, Side side) {
    const auto fits = [&](std::uint32_t at) {
      return !rows.pinched(side, candidates[at]).meets(changed.neighbourhood(candidates[at]));
    };
    if (candidates.free() == 0) return kNoMove;
    for (int i = 0; i < kTries; ++i)
      if (const std::uint32_t at = candidates.pick(rng); fits(at)) return candidates.take(at);
    std::array<std::uint16_t, kMaxSize * kMaxSize> fitting;
    std::uint32_t count = 0;
    for (std::uint32_t at = 0; at < candidates.free(); ++at)
      if (fits(at)) fitting[count++] = static_cast<std::uint16_t>(at);
    return count > 0 ? candidates.take(fitting[rng.below(count)]) : kNoMove;
  }

  // In a million playouts from the start on nine boards, none took 3 turns per point.
  static constexpr int kLongest = 16;
  static constexpr int kTries = 8;  // the first one usually fits
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
