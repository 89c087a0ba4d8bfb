// Pinch with relocation: the captor lifts captured stones off the board and puts them down
// elsewhere, where they can capture in turn. Rules: Craig Duncan, 2019 (pinchtp/games/README.md).
//
// A turn consists of several moves here, one for every stone put down. Two numbers represent the
// queue of lifted stones: stones of one side lift only stones of the other side, which join the end
// of the queue, so the stones of the side being placed come first, then those of the other.
#pragma once

#include <array>
#include <vector>

#include "pinch_family.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

template <class Board>
class PinchRelocate : public PinchFamily<Board> {
  using Family = PinchFamily<Board>;

 protected:
  using Family::connections_, Family::outcome_, Family::points_, Family::turn_;

  PinchRelocate() = default;

 public:
  static constexpr std::string_view kName = "pinch-relocate";
  static constexpr bool kRepeats = true;
  static constexpr bool kMultiStep = true;
  static constexpr Reflections kReflections = Reflections::sides;

  using Family::empty, Family::swap_open;
  explicit PinchRelocate(const Rules& rules) : Family(rules) { begin_turn(); }
  // A set-up position, at the start of a turn. Throws std::invalid_argument if it is invalid.
  PinchRelocate(const Rules& rules, const Setup& setup) : Family(rules, setup) { begin_turn(); }

  template <class Self, class Visit>
  static void visit_members(Self& self, Visit& visit) {
    Family::visit_members(self, visit);
    visit(self.changed_);
    visit(self.waiting_[0]), visit(self.waiting_[1]);
    visit(self.placing_);
  }

  bool mid_turn() const { return changed_.any(); }
  // One note for each lifted stone that has to be put down in this turn, in order.
  std::vector<Note<Side>> notes() const {
    std::vector<Note<Side>> notes;
    if (!mid_turn()) return notes;
    for (const Side side : {placing_, other(placing_)})
      notes.insert(notes.end(), waiting_[index(side)], {"lifted", side, {}});
    return notes;
  }
  // A stone on a point has about the same value whichever side put it there.
  std::optional<Side> amaf_side() const {
    return Family::pie_pending() ? std::nullopt : std::optional(placing_);
  }
  Cell cell(Move move) const {
    const Cell cell = Family::cell(move);
    return mid_turn() && cell == Cell::empty && !open().has(move) ? Cell::banned : cell;
  }

  bool is_legal(Move move) const {
    if (outcome_ != Outcome::none) return false;
    if (move == kSwap) return swap_open();
    return Board::fits(move) && open().has(move);
  }

  std::vector<Move> legal_moves() const {
    if (outcome_ != Outcome::none) return {};
    std::vector<Move> moves = moves_of(open());
    if (swap_open()) moves.push_back(kSwap);
    return moves;
  }

  void play(Move move) {
    assert(is_legal(move));
    if (move == kSwap) return Family::swap();
    put(Board::at(move));
    if (!next_points().any()) end_turn();
  }

  bool wins_at(Side side, Move move) const { return wins(side).has(move); }
  std::vector<Move> winning_points(Side side) const {
    if (outcome_ != Outcome::none) return {};
    return moves_of(wins(side));
  }

  Hash128 hash() const { return Family::hash_chain(queue()).add(changed_.words()).hash(); }
  std::array<Board, 3> layers() const { return Family::layers(changed_); }
  // The stones still to be put down in this turn, and the side of the next one.
  std::uint64_t queue() const { return 2048 * waiting_[0] + 2 * waiting_[1] + index(placing_); }

  // The points where the next stone may be put (rule L4).
  Board open() const {
    const Board& own = connections_[index(placing_)].stones;
    const Board& enemy = connections_[1 - index(placing_)].stones;
    return empty() & ~changed_ & ~pinching(own, enemy & changed_);
  }

  // The points that changed between occupied and empty in this turn.
  const Board& changed() const { return changed_; }
  // The side of the next stone.
  Side next_stone() const { return placing_; }
  // The stones of a side still to be put down in this turn.
  int waiting(Side side) const { return waiting_[index(side)]; }
  // The points where a side wins by a turn of one step; empty within its own turn.
  Board wins(Side side) const {
    if (mid_turn() && side == turn_) return {};
    const EdgeConnections<Board>& connections = connections_[index(side)];
    const Board quiet = empty() & ~pinching(connections.stones, connections_[1 - index(side)].stones);
    return quiet & connections.links(points_);
  }

 protected:
  void begin_turn() {
    placing_ = turn_;
    waiting_ = {};
    waiting_[index(turn_)] = 1;
  }

  Board changed_;                           // between occupied and empty, in this turn
  std::array<std::uint16_t, 2> waiting_{};  // stones to be put down, by side
  Side placing_ = Side::first;              // the side whose stones come first

 private:
  // Puts the next stone down and lifts the stones it captures; returns the lifted ones.
  Board put(const Board& stone) {
    EdgeConnections<Board>& own = connections_[index(placing_)];
    EdgeConnections<Board>& enemy = connections_[1 - index(placing_)];
    const Board lifted = pinched(stone, own.stones, enemy.stones);
    own.stones |= stone;
    changed_ |= stone | lifted;
    --waiting_[index(placing_)];
    if (lifted.any()) {
      enemy.remove(lifted);
      waiting_[1 - index(placing_)] += static_cast<std::uint16_t>(lifted.count());
    }
    if (own.join(stone, stone.neighbours())) own.join_both(stone);
    return lifted;
  }

  // Advances to the next stone that has a legal point and returns its points; empty at the end of
  // the turn.
  Board next_points() {
    for (int side = 0; side < 2; ++side) {
      std::uint16_t& waiting = waiting_[index(placing_)];
      if (waiting > 0) {
        const Board points = open();
        if (points.any()) return points;
        waiting = 0;  // rule L5: they leave the game
      }
      placing_ = other(placing_);
    }
    return {};
  }

  // Applies rule L6. Both sides cannot be connected.
  void end_turn() {
    for (const Side side : {Side::first, Side::second}) {
      EdgeConnections<Board>& connections = connections_[index(side)];
      if (connections.is_settled() || !connections.settle(points_)) continue;
      assert(outcome_ == Outcome::none);
      outcome_ = win_for(side);
    }
    changed_ = {};
    Family::end_turn();
    begin_turn();
  }
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
