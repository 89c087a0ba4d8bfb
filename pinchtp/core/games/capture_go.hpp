// First Capture Go: the first capture wins (pinchtp/games/README.md).
//
// No stone leaves the board before the game is over, so a group without liberties stays dead
// regardless of later placements: a dead group proves that some placement was a capture or a
// suicide. So one test of the whole board, a few vector instructions, covers many placements, and
// nothing has to be updated from move to move.
#pragma once

#include <array>
#include <cassert>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "../bitboard.hpp"
#include "../hash.hpp"
#include "../types.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// The stones of groups that contain none of the `roots`.
template <class Board>
Board groups_without(const Board& stones, const Board& roots) {
  Board apart = stones & ~roots;
  while (apart.any()) {
    const Board joined = apart & (stones & ~apart).neighbours();
    if (!joined.any()) break;
    apart &= ~joined;
  }
  return apart;
}

// The stones, all of one side, of groups without a liberty.
template <class Board>
Board dead(const Board& stones, const Board& empty) {
  return groups_without(stones, empty.neighbours());
}

// Calls visit(liberty, stones) for each last liberty of groups, with their stones.
template <class Board, class Visit>
void for_each_atari(const Board& stones, const Board& empty, Visit&& visit) {
  const Board weak = groups_without(stones, empty.between());
  (empty & weak.neighbours()).for_each([&](Move liberty) {
    const Board caught = dead(weak, empty & ~Board::at(liberty));
    if (caught.any()) visit(liberty, caught);
  });
}

// Every group has a liberty until the game ends.
template <class Board>
class CaptureGo {
 public:
  static constexpr std::string_view kName = "capture-go";
  static constexpr std::array<std::string_view, 2> kOptions{"pie", "crosscut"};
  static constexpr bool kWhiteFirst = false;
  static constexpr bool kRepeats = false;
  static constexpr bool kMultiStep = false;
  static constexpr Reflections kReflections = Reflections::all;

  // A crosscut is four stones in the centre at the start. Throws std::invalid_argument if one of
  // them would have no liberty.
  explicit CaptureGo(const Rules& rules)
      : points_(Board::rectangle(rules.size())), size_(rules.size()), pie_(rules.option("pie")) {
    assert(rules.width <= Board::kMaxSide && rules.height <= Board::kMaxSide);
    if (!rules.option("crosscut")) return;
    // On odd sizes the centre line is the right or upper one of the two lines.
    const int left = rules.width / 2 - 1;
    const int bottom = rules.height / 2 - 1;
    stones(Side::first) = Board::at(point(left, bottom)) | Board::at(point(left + 1, bottom + 1));
    stones(Side::second) = Board::at(point(left + 1, bottom)) | Board::at(point(left, bottom + 1));
    if (has_dead()) throw std::invalid_argument("a crosscut needs a side of 4 points or more");
  }

  // A set-up position, without a swap. Throws std::invalid_argument for an invalid stone or a group
  // without liberties.
  CaptureGo(const Rules& rules, const Setup& setup) : CaptureGo(Rules{rules.width, rules.height}) {
    swapped_ = setup.swapped;
    turn_ = setup.turn;
    for (const auto& [move, cell] : setup.cells) {
      if (cell != Cell::first && cell != Cell::second)
        throw std::invalid_argument("invalid cell; this game has only stones");
      stones(owner(cell)) |= Board::at(move);
    }
    if (has_dead()) throw std::invalid_argument("a group has no liberty");
  }

  // Calls visit() with each member that is a board or a scalar (packed.hpp).
  template <class Self, class Visit>
  static void visit_members(Self& self, Visit& visit) {
    visit(self.points_), visit(self.stones_[0]), visit(self.stones_[1]), visit(self.captured_);
    visit(self.placed_);
    visit(self.size_.width), visit(self.size_.height);
    visit(self.turn_), visit(self.outcome_);
    visit(self.pie_), visit(self.swapped_);
  }

  Side turn() const { return turn_; }
  bool mid_turn() const { return false; }
  Outcome outcome() const { return outcome_; }
  bool swapped() const { return swapped_; }
  bool swap_open() const { return pie_ && placed_ == 1 && !swapped_ && outcome_ == Outcome::none; }
  BoardSize size() const { return size_; }
  Cell cell(Move move) const { return stone_of(stones_[0].has(move), stones_[1].has(move)); }

  const std::array<Board, 2>& layers() const { return stones_; }
  const Board& stones(Side side) const { return stones_[index(side)]; }
  const Board& points() const { return points_; }
  Board empty() const { return points_ & ~(stones_[0] | stones_[1]); }
  // Whether the first stone, still to come, opens the swap.
  bool pie_pending() const { return pie_ && placed_ == 0; }
  // The points where a side may place a stone if it is to move. Only points without an empty
  // neighbour need a test.
  Board legal_points(Side side) const {
    const Board empty = this->empty();
    Board legal = empty & empty.neighbours();
    (empty & ~legal).for_each([&](Move move) {
      if (!is_suicide(side, Board::at(move))) legal |= Board::at(move);
    });
    return legal;
  }

  bool is_legal(Move move) const {
    if (outcome_ != Outcome::none) return false;
    if (move == kPass) return !swap_open();  // a pass as the second move is a swap
    if (move == kSwap) return swap_open();
    return is_empty(move) && !is_suicide(turn_, Board::at(move));
  }

  std::vector<Move> legal_moves() const {
    if (outcome_ != Outcome::none) return {};
    std::vector<Move> moves = moves_of(legal_points(turn_));
    moves.push_back(swap_open() ? kSwap : kPass);
    return moves;
  }

  // AMAF excludes a first stone that may be swapped.
  std::optional<Side> amaf_side() const { return pie_pending() ? std::nullopt : std::optional(turn_); }

  void play(Move move) {
    assert(is_legal(move));
    if (move == kSwap) {
      swapped_ = true;  // the side to move stays; its player is the other one
      return;
    }
    const Side mover = std::exchange(turn_, other(turn_));
    if (move == kPass) {
      outcome_ = win_for(turn_);
      return;
    }
    stones(mover) |= Board::at(move);
    ++placed_;
    const Board captured = dead(stones(turn_), empty());
    if (captured.any()) win(mover, captured);
  }

  // The winner's stones around the captured ones; empty during the game, or if a pass ended it.
  std::vector<Move> winning_chain() const {
    if (!captured_.any()) return {};
    const Board& winner = stones_[static_cast<int>(outcome_)];
    return moves_of(captured_.neighbours() & winner);
  }

  bool wins_at(Side side, Move move) const {
    return is_empty(move) && dead(stones(other(side)), empty() & ~Board::at(move)).any();
  }

  std::vector<Move> winning_points(Side side) const {
    std::vector<Move> wins;
    if (outcome_ != Outcome::none) return wins;
    for_each_atari(stones(other(side)), empty(),
                   [&](Move liberty, const Board&) { wins.push_back(liberty); });
    return wins;
  }

  // The stones in atari of each side, i.e. those of groups with exactly one liberty. Empty once the
  // game is over.
  std::vector<Note<Side>> notes() const {
    std::vector<Note<Side>> notes;
    if (outcome_ != Outcome::none) return notes;
    for (const Side side : {Side::first, Side::second}) {
      Board found;
      for_each_atari(stones(side), empty(), [&](Move, const Board& caught) { found |= caught; });
      if (!found.any()) continue;
      notes.push_back({"atari", side, {}});
      found.for_each([&](Move move) { notes.back().points.push_back(move); });
    }
    return notes;
  }

  Hash128 hash() const {
    const auto flags =
        static_cast<std::uint64_t>(swapped_ + 2 * index(turn_) + 4 * static_cast<int>(outcome_) +
                                   16 * swap_open() + 32 * pie_pending());
    HashChain chain(flags);
    for (const Board& board : {stones_[0], stones_[1], captured_}) chain.add(board.words());
    return chain.hash();
  }

 protected:
  CaptureGo() = default;

  Board& stones(Side side) { return stones_[index(side)]; }

  void win(Side winner, const Board& captured) {
    outcome_ = win_for(winner);
    captured_ = captured;
    stones(other(winner)) &= ~captured;
  }

  Board points_;                 // every point of the board
  std::array<Board, 2> stones_;  // by side
  Board captured_;               // the points of the stones that the last move captured
  std::uint16_t placed_ = 0;
  BoardSize size_{};
  Side turn_ = Side::first;
  Outcome outcome_ = Outcome::none;
  bool pie_ = false;
  bool swapped_ = false;

 private:
  bool is_empty(Move move) const { return Board::fits(move) && empty().has(move); }
  bool has_dead() const { return (dead(stones_[0], empty()) | dead(stones_[1], empty())).any(); }

  // Captures come first, then the liberties of the stone itself.
  bool is_suicide(Side side, const Board& stone) const {
    const Board left = empty() & ~stone;
    return !dead(stones(other(side)), left).any() && dead(stones(side) | stone, left).any();
  }
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
