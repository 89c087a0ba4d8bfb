// Common code of the Pinch games: the board, two sides with two edges each, and the swap.
#pragma once

#include <array>
#include <cassert>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../bitboard.hpp"
#include "../hash.hpp"
#include "../types.hpp"
#include "edge_connections.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// The stones of `enemy` that a stone on point `stone`, of the side that owns `own`, pinches: left
// or right of it with one of `own` above or below them, or above or below it with one of `own` left
// or right of them.
template <class Board>
Board pinched(const Board& stone, const Board& own, const Board& enemy) {
  return enemy & ((stone.horizontal() & own.vertical()) | (stone.vertical() & own.horizontal()));
}

// The points where a stone of `own` side would pinch one of `enemy`.
template <class Board>
Board pinching(const Board& own, const Board& enemy) {
  return (enemy & own.vertical()).horizontal() | (enemy & own.horizontal()).vertical();
}

template <class Board>
class PinchFamily {
 public:
  static constexpr bool kWhiteFirst = false;
  static constexpr std::array<std::string_view, 1> kOptions{"pie"};

  Side turn() const { return turn_; }
  Outcome outcome() const { return outcome_; }
  bool swapped() const { return swapped_; }
  bool swap_open() const { return swap_open_; }
  BoardSize size() const { return size_; }
  Cell cell(Move move) const {
    return stone_of(connections_[0].stones.has(move), connections_[1].stones.has(move));
  }
  const EdgeConnections<Board>& connections(Side side) const { return connections_[index(side)]; }
  const Board& points() const { return points_; }
  // Whether the first turn is still to come and opens the swap.
  bool pie_pending() const { return pie_; }
  // See the concept Game. A first stone that may change hands differs from one placed later.
  std::optional<Side> amaf_side() const { return pie_ ? std::nullopt : std::optional(turn_); }
  Board empty() const { return points_ & ~(connections_[0].stones | connections_[1].stones); }

  // See the concept Game.
  template <class... More>
  std::array<Board, 2 + sizeof...(More)> layers(const More&... more) const {
    return {connections_[0].stones, connections_[1].stones, more...};
  }

  // Calls visit() with each member that is a board or a scalar (packed.hpp).
  template <class Derived, class Visit>
  static void visit_members(Derived& game, Visit& visit) {
    std::conditional_t<std::is_const_v<Derived>, const PinchFamily, PinchFamily>& self = game;
    visit(self.points_);
    for (auto& connections : self.connections_)
      for (auto* board : {&connections.stones, &connections.low, &connections.high}) visit(*board);
    visit(self.size_.width), visit(self.size_.height);
    visit(self.turn_), visit(self.outcome_);
    visit(self.pie_), visit(self.swap_open_), visit(self.swapped_);
  }

  // The winner's chain that joins both edges; empty during the game.
  std::vector<Move> winning_chain() const {
    if (outcome_ == Outcome::none || outcome_ == Outcome::draw) return {};
    return moves_of(connections_[static_cast<int>(outcome_)].connection(points_));
  }

 protected:
  PinchFamily() = default;
  explicit PinchFamily(const Rules& rules)
      : points_(Board::rectangle(rules.size())),
        connections_{EdgeConnections<Board>::of(Side::first, rules.width, rules.height),
                     EdgeConnections<Board>::of(Side::second, rules.width, rules.height)},
        size_(rules.size()),
        pie_(rules.option("pie")) {
    assert(rules.width <= Board::kMaxSide && rules.height <= Board::kMaxSide);
  }

  // A set-up position, without a swap. Only such a position can fill up without a winner. Throws
  // std::invalid_argument if both sides are connected, or for cells other than stones.
  PinchFamily(const Rules& rules, const Setup& setup) : PinchFamily(rules) {
    pie_ = false;
    swapped_ = setup.swapped;
    turn_ = setup.turn;
    for (const auto& [move, cell] : setup.cells) {
      if (cell != Cell::first && cell != Cell::second)
        throw std::invalid_argument("invalid cell; this game has only stones");
      connections_[index(owner(cell))].stones |= Board::at(move);
    }
    for (const Side side : {Side::first, Side::second}) {
      if (!connections_[index(side)].settle(points_)) continue;
      if (outcome_ != Outcome::none) throw std::invalid_argument("both players are connected");
      outcome_ = win_for(side);
    }
    draw_if_full();
  }

  // The swap: the side to move stays the same, but the players exchange sides.
  void swap() {
    swap_open_ = false;
    swapped_ = true;
  }

  // Makes `side` the side to move, after turns made outside this class.
  void skip_to(Side side) {
    turn_ = side;
    swap_open_ = false;
  }

  // A full board without a connection is a draw.
  void draw_if_full() {
    if (outcome_ == Outcome::none && !empty().any()) outcome_ = Outcome::draw;
  }

  // Ends a turn other than a swap. The first one opens the swap to the other player.
  void end_turn() {
    draw_if_full();
    swap_open_ = std::exchange(pie_, false);
    turn_ = other(turn_);
  }

  // The hash key of the stones, the side to move, the players' sides and a swap that is open or
  // still to come, with `more` (up to 60 bits) mixed in.
  HashChain hash_chain(std::uint64_t more = 0) const {
    const auto swap = static_cast<std::uint64_t>(swap_open_ + 2 * pie_);
    HashChain chain(static_cast<std::uint64_t>(swapped_ + 2 * index(turn_)) + 4 * more + (swap << 62));
    for (const EdgeConnections<Board>& connections : connections_)
      chain.add(connections.stones.words());
    return chain;
  }

  Board points_;                                       // every point of the board
  std::array<EdgeConnections<Board>, 2> connections_;  // by side
  BoardSize size_{};
  Side turn_ = Side::first;
  Outcome outcome_ = Outcome::none;
  bool pie_ = false;  // whether the first turn, still to come, opens the swap
  bool swap_open_ = false;
  bool swapped_ = false;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
