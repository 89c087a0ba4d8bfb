// How a position becomes the input of a network: what every game's planes have in common.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "../../types.hpp"
#include "../network/inference.hpp"

namespace pinchtp {

// The symmetries under which a network may be shown the board after its planes have turned it: those
// that keep the mover's edges, and all eight of the square.
inline constexpr std::array<Symmetry, 4> kSideImages{
    {{false, false, false}, {false, true, false}, {false, false, true}, {false, true, true}}};
inline constexpr std::array<Symmetry, 8> kSquareImages{{{false, false, false},
                                                        {false, true, false},
                                                        {false, false, true},
                                                        {false, true, true},
                                                        {true, false, false},
                                                        {true, true, false},
                                                        {true, false, true},
                                                        {true, true, true}}};

// The place of each point of a board among the words of a plane, after a symmetry: a fixed distance for
// each column and each row.
class PointMap {
 public:
  // layout: of the turned board.
  PointMap(const Layout& layout, const Symmetry& symmetry) {
    int right = 1;
    int up = layout.stride();
    int first_x = 0;
    int first_y = 0;
    if (symmetry.mirrored) {
      right = -right;
      first_x = layout.width() - 1;
    }
    if (symmetry.flipped) {
      up = -up;
      first_y = layout.height() - 1;
    }
    first_ = static_cast<int>(layout.at(first_x, first_y));
    column_ = symmetry.transposed ? up : right;
    row_ = symmetry.transposed ? right : up;
  }
  std::size_t operator[](Move move) const {
    return static_cast<std::size_t>(first_ + x_of(move) * column_ + y_of(move) * row_);
  }

 private:
  int first_;
  int column_;
  int row_;
};

// The plane that shows whether the swap is open, in games that have one.
inline constexpr std::string_view kSwapOpen = "swap open";

// Writes planes into the input of a network: values from 0 to kOne.
class PlaneWriter {
 public:
  // input: [planes / kQuad][layout.size()] words; they are cleared.
  PlaneWriter(std::span<std::uint32_t> input, const Layout& layout, const PointMap& map)
      : input_(input), layout_(layout), map_(map) {
    for (std::uint32_t& word : input_) word = 0;
  }

  // The same value on each of some points, given as a set of bits or whatever calls visit(move).
  template <class Points>
  void fill(int plane, const Points& points, std::uint32_t value = kOne) {
    std::uint32_t* words = quad(plane);
    const std::uint32_t byte = value << (8 * (plane % kQuad));
    points.for_each([&](Move move) { words[map_[move]] |= byte; });
  }

  // The same value on all points of the board.
  void fill_all(int plane, std::uint32_t value = kOne) {
    if (value == 0) return;
    std::uint32_t* words = quad(plane) + layout_.front();
    const std::uint32_t byte = value << (8 * (plane % kQuad));
    const std::span<const std::uint32_t> mask = layout_.mask();
    for (std::size_t i = 0; i < mask.size(); ++i) words[i] |= byte & mask[i];
  }

  void clear(int plane) {
    std::uint32_t* words = quad(plane);
    const std::uint32_t byte = 0xffU << (8 * (plane % kQuad));
    for (std::size_t i = 0; i < layout_.size(); ++i) words[i] &= ~byte;
  }

 private:
  std::uint32_t* quad(int plane) {
    return &input_[static_cast<std::size_t>(plane / kQuad) * layout_.size()];
  }

  std::span<std::uint32_t> input_;
  const Layout& layout_;
  const PointMap& map_;
};

// How far the player to move is ahead, as a value of a plane: even is in the middle.
inline std::uint32_t lead_value(int ahead, int step) {
  constexpr int kEven = 64;
  return static_cast<std::uint32_t>(std::clamp(kEven + step * ahead, 0, kOne));
}

// Planes as single bytes: [planes][rows from the bottom][columns].
inline std::vector<std::uint8_t> bytes_of(std::span<const std::uint32_t> words, const Layout& layout) {
  const std::size_t planes = kQuad * (words.size() / layout.size());
  std::vector<std::uint8_t> bytes(planes * static_cast<std::size_t>(layout.points()));
  std::uint8_t* next = bytes.data();
  for (std::size_t plane = 0; plane < planes; ++plane)
    for (int y = 0; y < layout.height(); ++y) {
      const std::uint32_t* row = &words[plane / kQuad * layout.size() + layout.at(0, y)];
      for (int x = 0; x < layout.width(); ++x)
        *next++ = static_cast<std::uint8_t>(row[x] >> (8 * (plane % kQuad)));
    }
  return bytes;
}

}  // namespace pinchtp

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// Of a game that networks do not play.
struct NoPlanes {
  static constexpr std::array<std::string_view, 0> kNames{};
  static constexpr std::array<Symmetry, 1> kImages{};

  static Symmetry turned(Side) { return {}; }
  template <class G>
  static void write(const G&, const Symmetry&, PlaneWriter&) {}
};

// The planes of a game, specialized beside them:
//
//   kNames    what each plane shows; a multiple of kQuad
//   kImages   of the turned board that show the same to a network, the board itself first
//   turned    how the board is turned for a player to move
//   write     writes the planes after a symmetry: an image of the turned board
template <class G>
struct PlanesOf {
  using type = NoPlanes;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
