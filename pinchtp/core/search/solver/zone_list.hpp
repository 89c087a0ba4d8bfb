// Recently proven zones, to recognize other positions that they decide.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "../../types.hpp"
#include "../../vector.hpp"
#include "word_board.hpp"
#include "word_position.hpp"
#include "zones.hpp"

namespace pinchtp {

// A new zone replaces the oldest one. Threads do not share a list.
class ZoneList {
 public:
  struct Win {
    WordBoard zone;
    Side winner = Side::first;
    std::uint16_t distance = 0;
  };

  // `points`: of the board, in the order in which find() compares them.
  ZoneList(const Zones& zones, std::span<const Move> points) : zones_(zones) {
    for (const Move move : points) points_.push_back(WordBoard::at(move));
  }

  // `win`: of this position.
  void add(const WordPosition& position, const Win& win) {
    List& list = lists_[index(position.turn)];
    for (int reflection = 0; reflection < Zones::kReflections; ++reflection) {
      const std::size_t at = list.next++ % kLength;
      const WordPosition image{{zones_.reflected(position.stones[0], reflection),
                                zones_.reflected(position.stones[1], reflection)},
                               position.turn};
      list.wins[at] = win;
      list.wins[at].zone = zones_.reflected(win.zone, reflection);
      for (std::size_t point = 0; point < points_.size(); ++point)
        for (std::size_t content = 0; content < 3; ++content) {
          const bool fits =
              content == content_at(image, points_[point]) || !list.wins[at].zone.has(points_[point]);
          set(list.fitting[point][content], at, fits);
        }
    }
  }

  // The win of a position by a zone of the list.
  std::optional<Win> find(const WordPosition& position) const {
    const List& list = lists_[index(position.turn)];
    Vector::Lanes found[kRegisters];
    for (Vector::Lanes& each : found) each = ~Vector::Lanes{};
    for (std::size_t point = 0; point < points_.size(); ++point) {
      const Numbers& fitting = list.fitting[point][content_at(position, points_[point])];
      Vector::Lanes any{};
#pragma GCC unroll 8  // the loop would take longer than its content
      for (std::size_t at = 0; at < kRegisters; ++at) any |= found[at] &= lanes(&fitting[at * kLanes]);
      if (!Vector::any(any)) return std::nullopt;
    }
    const auto words = std::bit_cast<Numbers>(found);
    std::size_t word = 0;
    while (words[word] == 0) ++word;
    return list.wins[64 * word + static_cast<std::size_t>(std::countr_zero(words[word]))];
  }

 private:
  // Reflections are listed separately. Longer lists save nodes, but take more time.
  static constexpr std::size_t kLength = 512;
  static constexpr std::size_t kWords = kLength / 64;

  using Numbers = std::array<std::uint64_t, kWords>;  // set of zones, as bits

  // find() combines all words of a register in one instruction.
  static constexpr std::size_t kLanes = PINCHTP_INSTRUCTION_SET::kRegisterBytes / 8;
  static constexpr std::size_t kRegisters = kWords / kLanes;
  using Vector = PINCHTP_INSTRUCTION_SET::Register<std::uint64_t, 8 * kLanes>;

  struct List {
    // The zones that match a position with this content of a point.
    std::array<std::array<Numbers, 3>, WordBoard::kMaxWidth * WordBoard::kMaxHeight> fitting{};
    std::array<Win, kLength> wins;
    std::size_t next = 0;
  };

  static std::size_t content_at(const WordPosition& position, WordBoard point) {
    return static_cast<std::size_t>(position.stones[0].has(point) + 2 * position.stones[1].has(point));
  }
  static Vector::Lanes lanes(const std::uint64_t* words) {
    Vector::Lanes lanes;
    std::memcpy(&lanes, words, sizeof(lanes));
    return lanes;
  }
  static void set(Numbers& numbers, std::size_t at, bool value) {
    const std::uint64_t bit = std::uint64_t{1} << at % 64;
    numbers[at / 64] = value ? numbers[at / 64] | bit : numbers[at / 64] & ~bit;
  }

  const Zones& zones_;
  std::vector<WordBoard> points_;
  std::array<List, 2> lists_;  // by the side to move
};

}  // namespace pinchtp
