// A board of bits in vector registers: a row of the board per lane, a column per bit.
//
// Lane y + 1, bit x + 1 holds point (x, y). The lanes and bits around the board are guards: no
// stone is ever placed there, so shifts cannot wrap around, and a side's edge can be a row of guard
// bits. Code that uses boards is written with | & ~ and shifts; vector.hpp has the instructions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "types.hpp"
#include "vector.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// For each column of the board, a long column of lanes, empty except for its middle. A board with a
// single point is a window of it; the offset of the window determines the row of the point.
template <class Lane, int kLanes>
struct Crosses {
  static constexpr int kLaneBits = sizeof(Lane) * 8;
  using Columns = Lane[kLaneBits][2 * kLanes];
  Columns point{};
  Columns horizontal{};
  Columns vertical{};

  constexpr Crosses() {
    for (int bit = 0; bit < kLaneBits; ++bit) {
      const auto row = static_cast<std::uint64_t>(1) << bit;
      point[bit][kLanes] = static_cast<Lane>(row);
      horizontal[bit][kLanes] = static_cast<Lane>(row << 1 | row >> 1);
      vertical[bit][kLanes - 1] = vertical[bit][kLanes + 1] = static_cast<Lane>(row);
    }
  }
};
template <class Lane, int kLanes>
inline constexpr Crosses<Lane, kLanes> kCrosses;

template <class Lane, int kLanes>
class Bitboard {
 public:
  static constexpr int kMaxSide = kLanes - 2;
  static constexpr int kBytes = sizeof(Lane) * kLanes;
  static constexpr int kWords = kBytes / 8;
  using Words = std::array<std::uint64_t, kWords>;

  using Row = Lane;
  using Rows = std::array<Row, kLanes>;

  Bitboard() : part_{} {}
  explicit Bitboard(const Rows& rows) : part_(std::bit_cast<decltype(part_)>(rows)) {}
  // Copies register by register: GCC would copy wide boards in smaller pieces, and loading them as
  // whole registers afterwards stalls (three times slower on 19x19 with AVX2).
  Bitboard(const Bitboard& other) { *this = other; }
  Bitboard& operator=(const Bitboard& other) {
    for (int i = 0; i < kParts; ++i) part_[i] = other.part_[i];
    return *this;
  }
  explicit Bitboard(const Words& words) : part_(std::bit_cast<decltype(part_)>(words)) {}

  static Bitboard at(int lane, int bit) {
    Bitboard board;
    const Lane row = static_cast<Lane>(Lane{1} << bit);
    for (int i = 0; i < kParts; ++i)
      board.part_[i] = (kNumbers == static_cast<Lane>(lane - i * kPartLanes)) & (Lanes{} + row);
    return board;
  }
  static Bitboard at(Move move) { return at(y_of(move) + 1, x_of(move) + 1); }
  // All points of a board of this size.
  static Bitboard rectangle(BoardSize size) {
    Bitboard points;
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) points |= at(point(x, y));
    return points;
  }
  // Whether a move is a point of the largest board.
  static constexpr bool fits(Move move) {
    return is_point(move) && x_of(move) < kMaxSide && y_of(move) < kMaxSide;
  }

  // A point, its two neighbours in the row, and those in the column, from a table: fewer
  // instructions than at() and neighbours(), but higher latency.
  struct Cross {
    Bitboard point;
    Bitboard horizontal;
    Bitboard vertical;
  };
  PINCHTP_INLINE static Cross cross(Move move) { return cross_of_bit(bit_of(move)); }
  PINCHTP_INLINE static Cross cross_of_bit(int bit) {
    const auto& [point, horizontal, vertical] = kCrosses<Lane, kLanes>;
    const int column = bit % kLaneBits;
    const int from = kLanes - bit / kLaneBits;
    return {load(&point[column][from]), load(&horizontal[column][from]), load(&vertical[column][from])};
  }

  // The bit of words() for a point, and the point of a bit; bits count from the lowest of the first
  // word.
  static constexpr int bit_of(Move move) { return (y_of(move) + 1) * kLaneBits + x_of(move) + 1; }
  static constexpr Move point_at(int bit) { return point(bit % kLaneBits - 1, bit / kLaneBits - 1); }

  bool has(Move move) const {
    const int lane = y_of(move) + 1;
    return (part_[lane / kPartLanes][lane % kPartLanes] >> (x_of(move) + 1)) & 1;
  }

  PINCHTP_INLINE friend Bitboard operator|(Bitboard a, const Bitboard& b) { return a |= b; }
  PINCHTP_INLINE friend Bitboard operator&(Bitboard a, const Bitboard& b) { return a &= b; }
  PINCHTP_INLINE friend Bitboard operator~(Bitboard a) {
    for (Lanes& part : a.part_) part = ~part;
    return a;
  }
  PINCHTP_INLINE Bitboard& operator|=(const Bitboard& b) {
    for (int i = 0; i < kParts; ++i) part_[i] |= b.part_[i];
    return *this;
  }
  PINCHTP_INLINE Bitboard& operator&=(const Bitboard& b) {
    for (int i = 0; i < kParts; ++i) part_[i] &= b.part_[i];
    return *this;
  }
  PINCHTP_INLINE friend bool operator==(const Bitboard& a, const Bitboard& b) {
    Bitboard difference;
    for (int i = 0; i < kParts; ++i) difference.part_[i] = a.part_[i] ^ b.part_[i];
    return !difference.any();
  }

  PINCHTP_INLINE bool any() const {
    Lanes all = part_[0];
    for (int i = 1; i < kParts; ++i) all |= part_[i];
    return Vector::any(all);
  }

  // All bits shifted up or down by one row; the neighbours in the row, in the column, and all four.
  PINCHTP_INLINE Bitboard north() const {
    Bitboard moved;
    for (int i = 0; i < kParts; ++i)
      moved.part_[i] = Vector::up(part_[i], i > 0 ? part_[i - 1] : Lanes{});
    return moved;
  }
  PINCHTP_INLINE Bitboard south() const {
    Bitboard moved;
    for (int i = 0; i < kParts; ++i)
      moved.part_[i] = Vector::down(part_[i], i + 1 < kParts ? part_[i + 1] : Lanes{});
    return moved;
  }
  PINCHTP_INLINE Bitboard horizontal() const {
    Bitboard moved;
    for (int i = 0; i < kParts; ++i) moved.part_[i] = (part_[i] << 1) | (part_[i] >> 1);
    return moved;
  }
  PINCHTP_INLINE Bitboard vertical() const { return north() | south(); }
  PINCHTP_INLINE Bitboard neighbours() const { return horizontal() | vertical(); }

  // Points with two or more neighbours in this set.
  Bitboard between() const {
    const Bitboard above = south();
    const Bitboard below = north();
    Bitboard found = above & below;
    const Bitboard upright = above | below;
    for (int i = 0; i < kParts; ++i) {
      const Lanes right = part_[i] << 1;
      const Lanes left = part_[i] >> 1;
      found.part_[i] |= (right & left) | ((right | left) & upright.part_[i]);
    }
    return found;
  }

  // Flood fill: the points of `area` connected to this set; points outside `area` are dropped.
  Bitboard flood(const Bitboard& area) const {
    Bitboard filled = neighbours() & area;
    for (;;) {
      const Bitboard grown = filled | (filled.neighbours() & area);
      if (grown == filled) return filled;
      filled = grown;
    }
  }

  Rows rows() const { return std::bit_cast<Rows>(part_); }
  Words words() const { return std::bit_cast<Words>(part_); }

  // Calls visit(bit) for every set bit of words(), row by row from the bottom, each row from left
  // to right.
  template <class Visit>
  void for_each_bit(Visit&& visit) const {
    const Words all = words();
    for (int i = 0; i < kWords; ++i)
      for (std::uint64_t rest = all[i]; rest != 0; rest &= rest - 1)
        visit(i * 64 + std::countr_zero(rest));
  }

  int count() const {
    int count = 0;
    for (const std::uint64_t word : words()) count += std::popcount(word);
    return count;
  }

  // The set point with this index in the order of for_each_bit().
  Move nth(int number) const {
    const Words all = words();
    int word = 0;
    for (int count; number >= (count = std::popcount(all[word])); ++word) number -= count;
    std::uint64_t rest = all[word];
    for (; number > 0; --number) rest &= rest - 1;
    return point_at(word * 64 + std::countr_zero(rest));
  }

  // Calls visit(move) for every set point, in the order of for_each_bit().
  template <class Visit>
  void for_each(Visit&& visit) const {
    for_each_bit([&](int bit) { visit(point_at(bit)); });
  }

 private:
  static constexpr int kLaneBits = sizeof(Lane) * 8;
  static constexpr int kPartBytes = std::min(kBytes & -kBytes, kRegisterBytes);  // a power of two
  static constexpr int kParts = kBytes / kPartBytes;
  static constexpr int kPartLanes = kLanes / kParts;
  using Vector = Register<Lane, kPartBytes>;
  using Lanes = typename Vector::Lanes;

  template <int... kNumber>
  static constexpr Lanes numbers(std::integer_sequence<int, kNumber...>) {
    return Lanes{static_cast<Lane>(kNumber)...};
  }
  static constexpr Lanes kNumbers = numbers(std::make_integer_sequence<int, kPartLanes>());

  // Loads boards of several registers through one register at a time: GCC would clear the board and
  // copy smaller pieces. It loads a single register better without this.
  PINCHTP_INLINE static Bitboard load(const Lane* lanes) {
    Bitboard board;
    if constexpr (kParts == 1) {
      std::memcpy(&board.part_[0], lanes, kPartBytes);
    } else {
      for (int i = 0; i < kParts; ++i) {
        Lanes part;
        std::memcpy(&part, lanes + i * kPartLanes, kPartBytes);
        board.part_[i] = part;
      }
    }
    return board;
  }

  std::array<Lanes, kParts> part_;
};

// The set points as moves, with room for a swap and a pass.
template <class Board>
std::vector<Move> moves_of(const Board& board) {
  std::vector<Move> moves;
  if (!board.any()) return moves;
  moves.reserve(static_cast<std::size_t>(board.count()) + 2);
  board.for_each([&](Move move) { moves.push_back(move); });
  return moves;
}

// An array of uninitialized boards: each must be set before it is read.
template <class Board, std::size_t kCount>
class UnsetBoards {
 public:
  void set(std::size_t number, const Board& board) { std::construct_at(&slots_[number].board, board); }
  const Board& operator[](std::size_t number) const { return slots_[number].board; }

 private:
  union Slot {
    Slot() {}
    Board board;
  };
  std::array<Slot, kCount> slots_;
};

// Boards up to 14x14 fit sixteen lanes of sixteen bits; larger ones take lanes of thirty-two bits.
using Narrow = Bitboard<std::uint16_t, 16>;
using Middle = Bitboard<std::uint32_t, 24>;
using Wide = Bitboard<std::uint32_t, 32>;

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
