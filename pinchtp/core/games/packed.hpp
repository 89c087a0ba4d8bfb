// Games packed into words, to copy a position to the instance of its class for another instruction
// set or board layout. A game lists its members once, in visit_members().
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../any_game.hpp"
#include "../bitboard.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// A board takes as many words as the largest one with lanes of the same width, so that boards of
// all layouts with that width are interchangeable.
template <class Lane>
inline constexpr std::size_t kPackedWords = sizeof(Lane) == 2 ? Narrow::kWords : Wide::kWords;

class Packer {
 public:
  explicit Packer(PackedGame& game) : next_(game.words.data()), left_(game.words.size()) {}

  template <class Lane, int kLanes>
  void operator()(const Bitboard<Lane, kLanes>& board) {
    constexpr std::size_t kCount = Bitboard<Lane, kLanes>::kWords;
    take(kPackedWords<Lane>);
    std::memcpy(next_, &board, sizeof board);
    if constexpr (kCount < kPackedWords<Lane>) std::fill(next_ + kCount, next_ + kPackedWords<Lane>, 0);
    next_ += kPackedWords<Lane>;
  }
  template <class Scalar>
    requires std::is_scalar_v<Scalar>
  void operator()(Scalar value) {
    take(1);
    *next_++ = static_cast<std::uint64_t>(value);
  }

 private:
  void take(std::size_t count) {
    assert(count <= left_);
    left_ -= count;
  }

  std::uint64_t* next_;
  std::size_t left_;
};

class Unpacker {
 public:
  explicit Unpacker(const PackedGame& game) : next_(game.words.data()) {}

  template <class Lane, int kLanes>
  void operator()(Bitboard<Lane, kLanes>& board) {
    typename Bitboard<Lane, kLanes>::Words words;
    std::copy_n(next_, words.size(), words.begin());
    board = Bitboard<Lane, kLanes>(words);
    next_ += kPackedWords<Lane>;
  }
  template <class Scalar>
    requires std::is_scalar_v<Scalar>
  void operator()(Scalar& value) {
    value = static_cast<Scalar>(*next_++);
  }

 private:
  const std::uint64_t* next_;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
