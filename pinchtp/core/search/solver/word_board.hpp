// A small board of bits in one word: the part of a Bitboard that the solver needs, without vectors.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>

#include "../../types.hpp"

namespace pinchtp {

// Each row takes eight bits; the last one is a guard, which shifts may set, but where no stone is.
class WordBoard {
 public:
  static constexpr int kMaxWidth = 7;
  static constexpr int kMaxHeight = 8;

  struct Cross;

  WordBoard() = default;
  explicit WordBoard(std::uint64_t bits) : bits_(bits) {}
  static WordBoard at(int x, int y) { return WordBoard(std::uint64_t{1} << (8 * y + x)); }
  static WordBoard at(Move move) { return at(x_of(move), y_of(move)); }
  // All points of a board of this size.
  static WordBoard rectangle(BoardSize size) {
    WordBoard points;
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) points |= at(x, y);
    return points;
  }
  static constexpr bool fits(BoardSize size) {
    return size.width <= kMaxWidth && size.height <= kMaxHeight;
  }

  friend WordBoard operator|(WordBoard a, WordBoard b) { return WordBoard(a.bits_ | b.bits_); }
  friend WordBoard operator&(WordBoard a, WordBoard b) { return WordBoard(a.bits_ & b.bits_); }
  friend WordBoard operator^(WordBoard a, WordBoard b) { return WordBoard(a.bits_ ^ b.bits_); }
  friend WordBoard operator~(WordBoard a) { return WordBoard(~a.bits_); }
  WordBoard& operator|=(WordBoard b) { return *this = *this | b; }
  WordBoard& operator&=(WordBoard b) { return *this = *this & b; }
  friend auto operator<=>(WordBoard, WordBoard) = default;

  bool any() const { return bits_ != 0; }
  bool is_single() const { return any() && (bits_ & (bits_ - 1)) == 0; }
  int count() const { return std::popcount(bits_); }
  std::uint64_t bits() const { return bits_; }
  bool has(WordBoard point) const { return (*this & point).any(); }

  WordBoard horizontal() const { return WordBoard(bits_ << 1 | bits_ >> 1); }
  WordBoard vertical() const { return WordBoard(bits_ << 8 | bits_ >> 8); }
  WordBoard neighbours() const { return horizontal() | vertical(); }
  WordBoard around() const {  // with diagonals
    const WordBoard rows = *this | horizontal();
    return rows | rows.vertical();
  }
  // Moves all points in one of four directions, in rotational order.
  WordBoard step(int direction) const {
    switch (direction % 4) {
      case 0:
        return WordBoard(bits_ << 1);
      case 1:
        return WordBoard(bits_ << 8);
      case 2:
        return WordBoard(bits_ >> 1);
      default:
        return WordBoard(bits_ >> 8);
    }
  }
  Cross cross() const;  // of one point

  // This board and the points of `area` connected to it.
  WordBoard grown(WordBoard area) const {
    for (WordBoard filled = *this;;) {
      const WordBoard more = filled | (filled.neighbours() & area);
      if (more == filled) return filled;
      filled = more;
    }
  }

  WordBoard mirrored(int width) const {
    const std::uint64_t pairs = (bits_ & 0x5555555555555555) << 1 | (bits_ & 0xAAAAAAAAAAAAAAAA) >> 1;
    const std::uint64_t fours = (pairs & 0x3333333333333333) << 2 | (pairs & 0xCCCCCCCCCCCCCCCC) >> 2;
    const std::uint64_t rows = (fours & 0x0F0F0F0F0F0F0F0F) << 4 | (fours & 0xF0F0F0F0F0F0F0F0) >> 4;
    return WordBoard(rows >> (8 - width));
  }
  WordBoard flipped(int height) const {
    return WordBoard(__builtin_bswap64(bits_) >> (8 * (8 - height)));
  }

  WordBoard first() const { return WordBoard(bits_ & -bits_); }
  // The move to the first point.
  Move move() const {
    const int bit = std::countr_zero(bits_);
    return point(bit % 8, bit / 8);
  }
  // Whether test() holds for one of the points, each passed as a board.
  template <class Test>
  bool has_any(Test&& test) const {
    for (std::uint64_t rest = bits_; rest != 0; rest &= rest - 1)
      if (test(WordBoard(rest & -rest))) return true;
    return false;
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint64_t rest = bits_; rest != 0; rest &= rest - 1) visit(WordBoard(rest & -rest));
  }

 private:
  std::uint64_t bits_ = 0;
};

struct WordBoard::Cross {
  WordBoard point;
  WordBoard horizontal;
  WordBoard vertical;
};
inline WordBoard::Cross WordBoard::cross() const { return {*this, horizontal(), vertical()}; }

}  // namespace pinchtp
