// Pinch with removal: captured stones leave the board, and their points are banned for the next
// move. Rules: Craig Duncan, 2019 (pinchtp/games/README.md).
//
// It is fast because only the mover can become connected, and only by the stone just put down
// (edge_connections.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "pinch_family.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

template <class Board>
class PinchRemove : public PinchFamily<Board> {
  using Family = PinchFamily<Board>;

 protected:
  using Family::connections_, Family::outcome_, Family::points_, Family::turn_;

  PinchRemove() = default;

 public:
  static constexpr std::string_view kName = "pinch-remove";
  static constexpr bool kRepeats = true;
  static constexpr bool kMultiStep = false;
  static constexpr Reflections kReflections = Reflections::sides;

  using Family::empty, Family::swap_open;
  explicit PinchRemove(const Rules& rules) : Family(rules) {}
  // A set-up position, with the points banned for the side to move. Throws std::invalid_argument if
  // it is invalid.
  PinchRemove(const Rules& rules, const Setup& setup) : Family(rules, without_bans(setup)) {
    for (const auto& [move, cell] : setup.cells)
      if (cell == Cell::banned) banned_ |= Board::at(move);
    if (banned_.any() && !explains_bans())
      throw std::invalid_argument("no single stone can have captured on all banned points");
  }

  template <class Self, class Visit>
  static void visit_members(Self& self, Visit& visit) {
    Family::visit_members(self, visit);
    visit(self.banned_);
  }

  bool mid_turn() const { return false; }
  Cell cell(Move move) const { return banned_.has(move) ? Cell::banned : Family::cell(move); }

  bool is_legal(Move move) const {
    if (outcome_ != Outcome::none) return false;
    if (move == kSwap) return swap_open();
    if (move == kPass) return !open().any();
    return Board::fits(move) && open().has(move);
  }

  std::vector<Move> legal_moves() const {
    if (outcome_ != Outcome::none) return {};
    std::vector<Move> moves = moves_of(open());
    if (moves.empty()) moves.push_back(kPass);
    if (swap_open()) moves.push_back(kSwap);
    return moves;
  }

  void play(Move move) {
    assert(is_legal(move));
    if (move == kSwap) return Family::swap();
    if (move == kPass) {
      banned_ = {};
    } else {
      EdgeConnections<Board>& mover = connections_[index(turn_)];
      banned_ = place(mover, connections_[1 - index(turn_)], Board::at(move));
      if (connects(mover, Board::at(move))) outcome_ = win_for(turn_);
    }
    Family::end_turn();
  }

  bool wins_at(Side side, Move move) const { return wins(side).has(move); }
  std::vector<Move> winning_points(Side side) const {
    if (outcome_ != Outcome::none) return {};
    return moves_of(wins(side));
  }

  std::array<Board, 3> layers() const { return Family::layers(banned_); }
  Hash128 hash() const { return Family::hash_chain().add(banned_.words()).hash(); }

  // The points where the side to move may put a stone.
  Board open() const { return empty() & ~banned_; }
  const Board& banned() const { return banned_; }
  // The points where a side wins in one move.
  Board wins(Side side) const {
    const Board free = side == turn_ ? open() : empty();
    return free & connections_[index(side)].links(points_);
  }

 protected:
  Board banned_;  // for the side to move, in this move

 private:
  static Setup without_bans(Setup setup) {
    std::erase_if(setup.cells, [](const auto& each) { return each.second == Cell::banned; });
    return setup;
  }

  // Whether the other side has a stone that can have captured on the banned points.
  bool explains_bans() const {
    const Board& captors = connections_[1 - index(turn_)].stones;
    bool explained = false;
    captors.for_each([&](Move move) {
      explained = explained || pinched(Board::at(move), captors, banned_) == banned_;
    });
    return explained;
  }

  // Puts the mover's stone down and removes the stones it captures; returns the removed ones.
  static Board place(EdgeConnections<Board>& mover, EdgeConnections<Board>& enemy, const Board& stone) {
    const Board captured = pinched(stone, mover.stones, enemy.stones);
    mover.stones |= stone;
    if (captured.any()) enemy.remove(captured);
    return captured;
  }
  bool connects(EdgeConnections<Board>& mover, const Board& stone) const {
    return mover.join(stone, stone.neighbours()) && mover.settle(points_);
  }
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
