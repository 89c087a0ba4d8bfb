// Bushka. Rules: Christian Freeling (pinchtp/games/README.md).
//
// A turn has several steps: the origin, the target and, where different captures lead from one to
// the other, enough victims to choose between them. The sets of victims, each in board order, are
// compared, and wherever they differ the next victim is a step.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../hash.hpp"
#include "../types.hpp"
#include "bushka_board.hpp"
#include "bushka_moves.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

class Bushka {
  using Squares = bushka_rules::Squares;
  using Turn = bushka_rules::Turn;

 public:
  static constexpr std::string_view kName = "bushka";
  static constexpr std::array<std::string_view, 0> kOptions{};
  static constexpr bool kWhiteFirst = true;
  static constexpr bool kRepeats = true;  // R19
  static constexpr bool kMultiStep = true;
  static NewSearch new_alpha_beta;  // search/alpha_beta/bushka.cpp
  // Without all-moves-as-first statistics the default constant is far too small.
  static constexpr float kExploration = 0.7F;

  // The turn at which a playout stops and is decided by material, a king counting as two men. Even
  // without draws by repetition playouts end by themselves: the longest of a million had 242 turns,
  // the mean was 60. A king is worth 1.8 men in them (logistic regression of results on pieces,
  // 8,700 positions with kings).
  static constexpr int kMaxTurns = 300;
  static constexpr int kMenPerKing = 2;

  // The starting position.
  Bushka() = default;
  // Throws std::invalid_argument for a size other than 10x10.
  explicit Bushka(const Rules& rules) {
    if (rules.width != bushka_rules::kSide || rules.height != bushka_rules::kSide)
      throw std::invalid_argument("unacceptable size: Bushka is played on 10x10");
  }

  // A set-up position. Throws std::invalid_argument for a piece outside the fifty squares, a man on
  // a square where it would have become a king, or another cell.
  Bushka(const Rules& rules, const Setup& setup) : Bushka(rules) {
    board_ = {{0, 0}, {0, 0}};
    swapped_ = setup.swapped;
    turn_ = setup.turn;
    for (const auto& [move, cell] : setup.cells) put(move, cell);
    end_if_blocked();
  }

  // Calls visit() with each member that is a board or a scalar (packed.hpp).
  template <class Self, class Visit>
  static void visit_members(Self& self, Visit& visit) {
    for (auto* pieces : {&self.board_.men, &self.board_.kings})
      visit((*pieces)[0]), visit((*pieces)[1]);
    visit(self.from_), visit(self.to_), visit(self.chosen_victims_);
    visit(self.turn_), visit(self.outcome_), visit(self.swapped_);
  }

  Side turn() const { return turn_; }
  bool mid_turn() const { return from_ != 0; }
  Outcome outcome() const { return outcome_; }
  bool swapped() const { return swapped_; }
  bool swap_open() const { return false; }

  BoardSize size() const { return {bushka_rules::kSide, bushka_rules::kSide}; }
  // Within a turn, the board is the one before the turn.
  Cell cell(Move move) const {
    const Squares at = bushka_rules::square(move);
    if (at == 0) return Cell::none;
    for (const Side side : {Side::first, Side::second}) {
      if (board_.men[index(side)] & at) return stone(side);
      if (board_.kings[index(side)] & at) return king(side);
    }
    return Cell::empty;
  }

  // The pieces at the start of the turn, and its steps so far, 0 for none.
  const bushka_rules::Pieces& pieces() const { return board_; }
  Squares origin() const { return from_; }
  Squares target() const { return to_; }
  Squares chosen_victims() const { return chosen_victims_; }
  // The pieces of a side at the start of the turn, in men.
  int material(Side side) const {
    return std::popcount(board_.men[index(side)]) +
           kMenPerKing * std::popcount(board_.kings[index(side)]);
  }

  // The legal turns that begin with the steps made so far.
  std::vector<Turn> matching_turns() const {
    bushka_rules::MoveGenerator moves;
    moves.generate(board_, turn_);
    std::vector<Turn> turns;
    for (std::uint32_t i = 0; i < moves.count(); ++i) {
      const Turn turn = moves[i];
      if ((from_ == 0 || turn.from == from_) && (to_ == 0 || turn.to == to_) && matches_choices(turn))
        turns.push_back(turn);
    }
    return turns;
  }
  // The next step of one of those.
  Move next_step(const Turn& turn) const {
    return bushka_rules::move_to(from_ == 0 ? turn.from
                                 : to_ == 0 ? turn.to
                                            : lowest(turn.taken & ~chosen_victims_));
  }

  std::vector<Move> legal_moves() const {
    std::vector<Move> moves;
    if (outcome_ != Outcome::none) return moves;
    for (const Turn& turn : matching_turns()) moves.push_back(next_step(turn));
    std::ranges::sort(moves);
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
    return moves;
  }
  bool is_legal(Move move) const {
    if (outcome_ != Outcome::none || !is_point(move)) return false;
    const std::vector<Turn> turns = matching_turns();
    return std::ranges::any_of(turns, [&](const Turn& turn) { return next_step(turn) == move; });
  }

  std::optional<Side> amaf_side() const { return std::nullopt; }

  void play(Move move) {
    assert(is_legal(move));
    if (from_ == 0) {
      from_ = bushka_rules::square(move);
      return;
    }
    (to_ == 0 ? to_ : chosen_victims_) |= bushka_rules::square(move);
    end_turn_if_decided();
  }

  std::vector<Move> winning_chain() const { return {}; }

  // The opponent loses if he has no move; too expensive to detect in advance.
  bool wins_at(Side, Move) const { return false; }
  std::vector<Move> winning_points(Side) const { return {}; }

  Hash128 hash() const { return hash(board_, turn_, swapped_, {from_, to_, chosen_victims_}); }

  // The hash key of a position with these steps of the turn in progress.
  static Hash128 hash(const bushka_rules::Pieces& board, Side turn, bool swapped,
                      const std::array<Squares, 3>& steps = {}) {
    HashChain chain(static_cast<std::uint64_t>(swapped + 2 * index(turn)));
    for (const Squares word : {board.men[0], board.men[1], board.kings[0], board.kings[1]})
      chain.add(word);
    return chain.add(steps).hash();
  }

 protected:
  void make(const Turn& turn) {
    bushka_rules::make(board_, turn_, turn);
    turn_ = other(turn_);
    from_ = to_ = chosen_victims_ = 0;
  }

  bushka_rules::Pieces board_;  // at the start of the turn
  // The steps so far, 0 for none; chosen_victims_ are the first victims in board order: chosen, or
  // common to all matching turns.
  Squares from_ = 0;
  Squares to_ = 0;
  Squares chosen_victims_ = 0;
  Side turn_ = Side::first;
  Outcome outcome_ = Outcome::none;
  bool swapped_ = false;

 private:
  void put(Move move, Cell cell) {
    const Squares at = bushka_rules::square(move);
    const auto refuse = [&](const char* why) {
      throw std::invalid_argument(std::string(why) + " (column " + std::to_string(x_of(move) + 1) +
                                  ", row " + std::to_string(y_of(move) + 1) + ")");
    };
    if (cell == Cell::none && at == 0) return;
    if (at == 0) refuse("a piece is outside the fifty squares");
    if (!is_piece(cell)) refuse("invalid piece; expected a man or a king");
    const int side = index(owner(cell));
    if (cell == king(owner(cell)))
      board_.kings[side] |= at;
    else if (at & bushka_rules::kFarRank[side])
      refuse("a man that has reached the far back rank is a king");
    else
      board_.men[side] |= at;
  }

  bool matches_choices(const Turn& turn) const {
    Squares victims = turn.taken;
    for (Squares left = chosen_victims_; left != 0;) {
      const Squares next = lowest(victims);
      if (!(left & next)) return false;
      left ^= next;
      victims ^= next;
    }
    return true;
  }

  // The first square in board order.
  static Squares lowest(Squares squares) {
    Squares first = squares & -squares;
    bushka_rules::for_each(squares, [&](Squares one) {
      if (bushka_rules::move_to(one) < bushka_rules::move_to(first)) first = one;
    });
    return first;
  }

  // Plays the turn once only one matches; victims common to all matches need not be chosen.
  void end_turn_if_decided() {
    const std::vector<Turn> turns = matching_turns();
    while (turns.size() > 1) {
      const Move next = next_step(turns.front());
      if (std::ranges::any_of(turns, [&](const Turn& turn) { return next_step(turn) != next; })) return;
      chosen_victims_ |= bushka_rules::square(next);
    }
    make(turns.front());
    end_if_blocked();
  }

  // Applies rule R2.
  void end_if_blocked() {
    if (!bushka_rules::can_move(board_, turn_)) outcome_ = win_for(other(turn_));
  }
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
