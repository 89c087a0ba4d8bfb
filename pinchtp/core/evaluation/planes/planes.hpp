// The input of networks: common code for the planes of all games.
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

// The symmetries for network input of an oriented board: those that preserve the mover's edges, and
// all eight of a square.
inline constexpr std::array<Symmetry, 4> kSideSymmetries{
    {{false, false, false}, {false, true, false}, {false, false, true}, {false, true, true}}};
inline constexpr std::array<Symmetry, 8> kSquareSymmetries{{{false, false, false},
                                                            {false, true, false},
                                                            {false, false, true},
                                                            {false, true, true},
                                                            {true, false, false},
                                                            {true, true, false},
                                                            {true, false, true},
                                                            {true, true, true}}};

// Maps each point of a board, after a symmetry, to its index among the words of a plane: a fixed
// distance per column and per row.
class PointMap {
 public:
  // layout: of the oriented board.
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

// The plane for an open swap, in games that have one.
inline constexpr std::string_view kSwapOpen = "swap open";

// Writes planes into the input of a network: values from 0 to kOne.
class PlaneWriter {
 public:
  // input: [planes / kQuad][layout.size()] words; cleared by the constructor.
  PlaneWriter(std::span<std::uint32_t> input, const Layout& layout, const PointMap& map)
      : input_(input), layout_(layout), map_(map) {
    for (std::uint32_t& word : input_) word = 0;
  }

  // Sets the points of a bitboard or of BushkaPoints to kOne.
  template <class Points>
  void show(int plane, const Points& points) {
    std::uint32_t* words = quad(plane);
    const std::uint32_t byte = std::uint32_t{kOne} << (8 * (plane % kQuad));
    points.for_each([&](Move move) { words[map_[move]] |= byte; });
  }

  // Sets all points of the board to the same value: kOne or zero, or the given one.
  void show(int plane, bool yes) { show(plane, yes ? std::uint32_t{kOne} : 0); }
  void show(int plane, std::uint32_t value) {
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

// The lead of the player to move as the value of a plane; an even position is in the middle.
inline std::uint32_t lead_value(int ahead, int step) {
  constexpr int kEven = 64;
  return static_cast<std::uint32_t>(std::clamp(kEven + step * ahead, 0, kOne));
}

// Planes with one byte per point: [planes][rows from the bottom][columns].
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

// An input plane: its name and the function that writes it from a game's Scene.
template <class Scene>
struct Plane {
  std::string_view name;
  void (*write)(const Scene& scene, PlaneWriter& writer, int plane) = nullptr;

  constexpr Plane() = default;
  // `show` captures nothing; show(scene) returns an argument of PlaneWriter::show().
  template <class Show>
  constexpr Plane(std::string_view plane_name, Show)
      : name(plane_name), write([](const Scene& scene, PlaneWriter& writer, int plane) {
          writer.show(plane, Show()(scene));
        }) {}
};

template <class Scene, std::size_t kFirst, std::size_t kMore>
constexpr auto concatenated(const std::array<Plane<Scene>, kFirst>& first,
                            const std::array<Plane<Scene>, kMore>& more) {
  std::array<Plane<Scene>, kFirst + kMore> all;
  std::ranges::copy(more, std::ranges::copy(first, all.begin()).out);
  return all;
}

// The planes of a game, specialized in its file; the default is for games without networks.
template <class G>
struct PlanesOf {
  // The data of a position for its planes. `symmetry`: of the oriented board, in which to write it.
  struct Scene {
    Scene(const G&, const Symmetry&) {}
  };
  // The planes, by number.
  static constexpr std::array<Plane<Scene>, 0> kPlanes{};
  // Symmetries of the oriented board that preserve the meaning of the planes, the identity first.
  static constexpr std::array<Symmetry, 1> kSymmetries{};
  // The symmetry that orients the board for a player to move, so that it looks alike to both.
  static Symmetry orientation(Side) { return {}; }
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
