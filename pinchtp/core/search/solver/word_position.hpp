// A position of Pinch on a board that fits one word, for the solver.
#pragma once

#include <array>

#include "../../games/pinch.hpp"
#include "../../types.hpp"
#include "word_board.hpp"

namespace pinchtp {

// Not over, and without any swap to come.
struct WordPosition {
  WordBoard own() const { return stones[index(turn)]; }
  WordBoard enemy() const { return stones[1 - index(turn)]; }
  WordPosition passed() const { return {stones, other(turn)}; }
  WordPosition after(WordBoard stone) const {
    WordPosition next = passed();
    PINCHTP_INSTRUCTION_SET::place_and_flip(next.stones[index(turn)], next.stones[index(next.turn)],
                                            stone.cross());
    return next;
  }
  WordPosition after(Move move) const { return after(WordBoard::at(move)); }

  bool agrees(const WordPosition& position, WordBoard zone) const {
    const WordBoard first = stones[0] ^ position.stones[0];
    const WordBoard second = stones[1] ^ position.stones[1];
    return !(first | second).has(zone);
  }

  std::array<WordBoard, 2> stones;  // by side
  Side turn;
};

}  // namespace pinchtp
