// Playouts of Bushka.
//
// A turn takes about 50 ns. Move generation takes half of it, following piece captures a quarter,
// choosing and making a move the rest. Most branches depend on the position, so mispredicted branches
// probably limit the speed.
#pragma once

#include <cstdint>
#include <vector>

#include "../../games/bushka.hpp"
#include "../../rng.hpp"
#include "playout_game.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

template <>
class PlayoutGame<Bushka> : public Bushka {
 public:
  // Plays uniformly random legal turns to the end, or for kMaxTurns. Records no placements.
  Playout play_to_end(Rng& rng, Placements&) {
    int turns = 0;
    if (mid_turn()) {
      const std::vector<bushka_rules::Turn> left = matching_turns();
      make(left[rng.below(static_cast<std::uint32_t>(left.size()))]);
      turns = 1;
    }
    bushka_rules::MoveGenerator moves;
    for (; outcome_ == Outcome::none && turns < kMaxTurns; ++turns) {
      moves.generate(board_, turn_);
      if (moves.count() == 0) {
        outcome_ = win_for(other(turn_));  // R2
        return {outcome_, turns};
      }
      make(moves[rng.below(moves.count())]);
    }
    if (outcome_ == Outcome::none) outcome_ = outcome_by_material();
    return {outcome_, turns};
  }

 private:
  Outcome outcome_by_material() const {
    const int lead = material(Side::first) - material(Side::second);
    return lead > 0 ? Outcome::first : lead < 0 ? Outcome::second : Outcome::draw;
  }
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
