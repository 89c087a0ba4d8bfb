// How a position becomes the input of a network: what every game's planes have in common.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "../../types.hpp"
#include "../network/inference.hpp"

namespace pinchtp {

// The way a board is turned before a network sees it: first reflected at its diagonal, then left and
// right exchanged, then top and bottom.
struct Symmetry {
  bool transposed = false;
  bool mirrored = false;  // left and right exchanged
  bool flipped = false;   // top and bottom exchanged
};

// Where a board's points come to lie among the words of a network's planes.
class PointMap {
 public:
  // layout: of the turned board.
  PointMap(const Layout& layout, const Symmetry& symmetry) : words_(kPoints, 0) {
    const int width = symmetry.transposed ? layout.height() : layout.width();
    const int height = symmetry.transposed ? layout.width() : layout.height();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        int turned_x = symmetry.transposed ? y : x;
        int turned_y = symmetry.transposed ? x : y;
        if (symmetry.mirrored) turned_x = layout.width() - 1 - turned_x;
        if (symmetry.flipped) turned_y = layout.height() - 1 - turned_y;
        words_[point(x, y)] = static_cast<std::uint16_t>(layout.at(turned_x, turned_y));
      }
  }
  std::size_t operator[](Move move) const { return words_[move]; }

 private:
  std::vector<std::uint16_t> words_;  // by point
};

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

 private:
  std::uint32_t* quad(int plane) {
    return &input_[static_cast<std::size_t>(plane / kQuad) * layout_.size()];
  }

  std::span<std::uint32_t> input_;
  const Layout& layout_;
  const PointMap& map_;
};

// Planes as single bytes: [planes][rows from the bottom][columns].
inline std::vector<std::uint8_t> bytes_of(std::span<const std::uint32_t> words, const Layout& layout) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t plane = 0; plane < kQuad * (words.size() / layout.size()); ++plane)
    for (int y = 0; y < layout.height(); ++y)
      for (int x = 0; x < layout.width(); ++x) {
        const std::uint32_t word = words[plane / kQuad * layout.size() + layout.at(x, y)];
        bytes.push_back(static_cast<std::uint8_t>(word >> (8 * (plane % kQuad))));
      }
  return bytes;
}

}  // namespace pinchtp

namespace pinchtp::PINCHTP_LEVEL {

// The planes of a game, if it has some: specialized beside them.
template <class G>
struct PlanesOf {
  using type = void;
};

}  // namespace pinchtp::PINCHTP_LEVEL
