// Fast playouts of games in which stones are placed one at a time and can leave the board.
//
// Which stones a new stone pinches depends only on its eight neighbours. With the rows of the board
// as words in memory, these are three words and a few shifts: faster than whole boards in vectors,
// and without a branch.
//
// A connection test costs more than the rest of a move. So a block of moves is made without it,
// while the union of all stones on the board at any time in the block is recorded: if even the
// union does not join two edges, neither side was connected. Otherwise the block is replayed move
// by move.
#pragma once

#include <array>

#include "../../games/edge_connections.hpp"
#include "../../types.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// Some neighbours of a point, as bits of the row below it, its own row, and the row above; bit 1 is
// its column.
struct NeighbourMask {
  unsigned below;
  unsigned level;
  unsigned above;

  bool any() const { return (below | level | above) != 0; }
  int count() const { return static_cast<int>(below / 2 + level % 2 + level / 4 + above / 2); }
  bool meets(const NeighbourMask& other) const {
    return ((below & other.below) | (level & other.level) | (above & other.above)) != 0;
  }

  // Calls visit(point, 1) for these points next to `move`, visit(point, 0) for the others.
  template <class Visit>
  void for_each(Move move, Visit&& visit) const {
    visit(static_cast<Move>(move - kStride), below / 2);
    visit(static_cast<Move>(move - 1), level % 2);
    visit(static_cast<Move>(move + 1), level / 4);
    visit(static_cast<Move>(move + kStride), above / 2);
  }
};

// A set of points. Because of guards as in bitboard.hpp, every point has eight neighbours.
template <class Board>
class Rows {
 public:
  Rows() : rows_{} {}
  explicit Rows(const Board& board) : rows_(board.rows()) {}
  Board board() const { return Board(rows_); }

  // All eight neighbours, and the point itself; corners are bits 0 and 2 of the rows below and
  // above.
  NeighbourMask neighbourhood(Move move) const {
    const int x = x_of(move);
    return {unsigned{rows_[below(move)]} >> x, unsigned{rows_[below(move) + 1]} >> x,
            unsigned{rows_[below(move) + 2]} >> x};
  }

  void add(Move move) { rows_[below(move) + 1] |= static_cast<Row>(Row{2} << x_of(move)); }
  // Adds the missing neighbours of a point, or removes the present ones.
  void flip(Move move, const NeighbourMask& points) {
    const int x = x_of(move);
    rows_[below(move)] ^= static_cast<Row>(points.below << x);
    rows_[below(move) + 1] ^= static_cast<Row>(points.level << x);
    rows_[below(move) + 2] ^= static_cast<Row>(points.above << x);
  }

 private:
  using Row = typename Board::Row;

  static int below(Move move) { return y_of(move); }

  typename Board::Rows rows_;
};

// The stones of both sides, and the union of all stones since construction.
template <class Board>
class StoneRows {
 public:
  explicit StoneRows(const std::array<EdgeConnections<Board>, 2>& connections)
      : now_{Rows<Board>(connections[0].stones), Rows<Board>(connections[1].stones)}, ever_(now_) {}

  // The stones that a stone of `side` on this point would pinch.
  NeighbourMask pinched(Side side, Move move) const {
    const NeighbourMask own = now_[index(side)].neighbourhood(move);
    const NeighbourMask enemy = now_[1 - index(side)].neighbourhood(move);
    return {enemy.below & (own.below << 1 | own.below >> 1) & 2,
            enemy.level & (own.below | own.above) & 5,
            enemy.above & (own.above << 1 | own.above >> 1) & 2};
  }

  // Puts a stone down and removes the stones that it pinches; returns the removed ones.
  NeighbourMask put(Side side, Move move) {
    const NeighbourMask gone = pinched(side, move);
    now_[index(side)].add(move);
    ever_[index(side)].add(move);
    now_[1 - index(side)].flip(move, gone);
    return gone;
  }

  // Updates the connections. False if a side may have been connected in between; then the
  // connections are unchanged.
  bool update(std::array<EdgeConnections<Board>, 2>& connections, const Board& points) const {
    return EdgeConnections<Board>::update_both(connections, {ever_[0].board(), ever_[1].board()},
                                               {now_[0].board(), now_[1].board()}, points);
  }

 private:
  std::array<Rows<Board>, 2> now_;
  std::array<Rows<Board>, 2> ever_;
};

// The stones put down in a block, in order. A single turn may put one on every point.
struct Block {
  static constexpr int kEnough = 16;  // 12 to 24 are equally fast

  int stones = 0;
  int turns = 0;
  Side side[kEnough + kMaxSize * kMaxSize];
  Move move[kEnough + kMaxSize * kMaxSize];

  void clear() { stones = turns = 0; }
  void add(Side its_side, Move its_point) {
    side[stones] = its_side;
    move[stones++] = its_point;
  }
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
