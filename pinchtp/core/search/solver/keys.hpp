// Keys of positions for the solver: reflections of a position share a key.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "../../any_game.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"

namespace pinchtp {

// In games with reflections, the key is computed from the layers of the position (see the concept
// Game); otherwise from the hash.
class Keys {
 public:
  Keys(Reflections reflections, BoardSize size)
      : size_(size), images_(static_cast<std::size_t>(count_reflections(reflections, size))) {
    if (images_ == 1) return;
    std::vector<Hash128> codes(kLayers * kPoints);
    Rng rng(1);
    for (Hash128& code : codes) code = {rng.next(), rng.next()};
    for (std::size_t layer = 0; layer < kLayers; ++layer)
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
          for (std::size_t image = 0; image < images_; ++image)
            codes_.push_back(codes[layer * kPoints + reflected(static_cast<int>(image), x, y, size)]);
  }

  // The sums of the codes of the points of all layers, for each reflection.
  using Images = std::array<Hash128, 8>;

  // A position from which the keys of those after its moves are computed, by what differs. An empty
  // board by default.
  struct Origin {
    LayerRows rows;
    Images images;
  };
  Origin origin(const AnyGame& game) const {
    Origin origin{};
    if (codes_.empty()) return origin;
    game.fill_layers(origin.rows);
    origin.images = images(origin.rows, {});
    return origin;
  }

  // The key of a position, reached by `last`, in which `attacker` tries to win (named by the side
  // it would play without swaps). `exact`: reflections get different keys.
  Hash128 operator()(const AnyGame& game, Move last, Side attacker, bool exact,
                     const Origin& origin = {}) const {
    const int role = index(attacker) ^ static_cast<int>(game.swapped());
    if (exact || codes_.empty() || game.swap_open() || !is_point(last))
      return combined(game.hash(), role_salt(role));
    LayerRows rows{};
    const std::uint64_t queue = game.fill_layers(rows);
    const Hash128 key = least(images(rows, origin), salt(game.turn(), role));
    return queue == 0 ? key : combined(key, salt(4 + queue));
  }

  // Adds a stone to a point, or removes it.
  void toggle(Images& sums, Move move, Side side) const {
    toggle(sums, static_cast<std::size_t>(index(side)), x_of(move), y_of(move));
  }
  // The key at the start of a turn, with its salt. By masks, since GCC would compile a conditional to
  // an unpredictable branch. Of two sums with equal lower halves, either will do.
  Hash128 least(const Images& sums, const Hash128& salt) const {
    Hash128 least = sums[0];
    for (std::size_t image = 1; image < images_; ++image) {
      const std::uint64_t is_less = -std::uint64_t{sums[image].low < least.low};  // all bits or none
      least.low ^= (least.low ^ sums[image].low) & is_less;
      least.high ^= (least.high ^ sums[image].high) & is_less;
    }
    return combined(least, salt);
  }
  // `role`: the side that the attacker plays.
  static Hash128 salt(Side turn, int role) {
    return combined(role_salt(role), salt(2 + static_cast<std::uint64_t>(index(turn))));
  }

  // The key of the same position with the other player as the attacker.
  static Hash128 for_other_attacker(const Hash128& key) {
    return combined(key, combined(role_salt(0), role_salt(1)));
  }

 private:
  static constexpr std::size_t kLayers = std::tuple_size_v<LayerRows>;

  Images images(const LayerRows& rows, const Origin& origin) const {
    Images sums = origin.images;
    for (std::size_t layer = 0; layer < kLayers; ++layer)
      for (int y = 0; y < size_.height; ++y)
        for (std::uint32_t rest = rows[layer][y] ^ origin.rows[layer][y]; rest != 0; rest &= rest - 1)
          toggle(sums, layer, std::countr_zero(rest), y);
    return sums;
  }

  void toggle(Images& sums, std::size_t layer, int x, int y) const {
    const std::size_t row = layer * size_.height + static_cast<std::size_t>(y);
    const Hash128* code = &codes_[(row * size_.width + static_cast<std::size_t>(x)) * images_];
    for (std::size_t image = 0; image < images_; ++image, ++code) {
      sums[image].low ^= code->low;
      sums[image].high ^= code->high;
    }
  }

  // Different numbers give unrelated salts.
  static Hash128 salt(std::uint64_t number) { return {mix(number, 1), mix(number, 2)}; }
  static Hash128 role_salt(int role) { return salt(static_cast<std::uint64_t>(role)); }
  static Hash128 combined(const Hash128& a, const Hash128& b) {
    return {a.low ^ b.low, a.high ^ b.high};
  }

  BoardSize size_;
  std::size_t images_;          // reflections of a position, itself included
  std::vector<Hash128> codes_;  // by layer, row, column, and reflection
};

}  // namespace pinchtp
