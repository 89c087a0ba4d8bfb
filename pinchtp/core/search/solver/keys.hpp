// Keys of positions for the solver: reflections of a position share a key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../any_game.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"

namespace pinchtp {

// In games with reflections, the key is computed from the cells (see the concept Game); otherwise,
// and within a turn, from the hash.
class Keys {
 public:
  Keys(Reflections reflections, BoardSize size)
      : size_(size), images_(static_cast<std::size_t>(count_reflections(reflections, size))) {
    if (images_ == 1) return;
    std::vector<std::array<Hash128, kKinds>> codes(kPoints);
    Rng rng(1);
    for (auto& of_point : codes)
      for (Hash128& code : std::span(of_point).subspan(1)) code = {rng.next(), rng.next()};
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        for (std::size_t kind = 0; kind < kKinds; ++kind)
          for (std::size_t image = 0; image < images_; ++image)
            codes_.push_back(codes[reflected(static_cast<int>(image), x, y, size)][kind]);
  }

  // The key of a position, reached by `last`, in which `attacker` tries to win (named by the side
  // it would play without swaps). `exact`: reflections get different keys.
  Hash128 operator()(const AnyGame& game, Move last, Side attacker, bool exact) const {
    const int role = index(attacker) ^ static_cast<int>(game.swapped());
    if (exact || codes_.empty() || game.mid_turn() || game.swap_open() || !is_point(last))
      return salted(game.hash(), 2 + index(attacker));
    std::array<Cell, kMaxSize * kMaxSize> cells;
    game.fill_cells(cells);
    return least(images(cells), salt(game.turn(), role));
  }

  // The sums of the codes of a position's cells, for each reflection.
  using Images = std::array<Hash128, 8>;

  // The sums for cells given row by row from the bottom, none of them Cell::none. Empty cells have
  // codes of zero: skipping them would take unpredictable jumps.
  Images images(std::span<const Cell> cells) const {
    Images sums{};
    for (std::size_t at = 0; at < std::size_t{size_.width} * size_.height; ++at)
      toggle(sums, at, cells[at]);
    return sums;
  }
  // Adds a stone to a point, or removes it.
  void toggle(Images& sums, Move move, Cell cell) const {
    toggle(sums, static_cast<std::size_t>(y_of(move) * size_.width + x_of(move)), cell);
  }
  // The key at the start of a turn, with its salt. By masks, since GCC makes an unpredictable jump of
  // a choice; of two sums with the same lower half, either is fine.
  Hash128 least(const Images& sums, const Hash128& salt) const {
    Hash128 least = sums[0];
    for (std::size_t image = 1; image < images_; ++image) {
      const std::uint64_t is_less = -std::uint64_t{sums[image].low < least.low};  // all bits or none
      least.low ^= (least.low ^ sums[image].low) & is_less;
      least.high ^= (least.high ^ sums[image].high) & is_less;
    }
    return {least.low ^ salt.low, least.high ^ salt.high};
  }
  // `role`: the side that the attacker plays.
  static Hash128 salt(Side turn, int role) { return salted({}, 4 + 2 * index(turn) + role); }

 private:
  static constexpr int kKinds = 6;  // of cells

  void toggle(Images& sums, std::size_t at, Cell cell) const {
    const Hash128* code = &codes_[(at * kKinds + static_cast<std::size_t>(cell)) * images_];
    for (std::size_t image = 0; image < images_; ++image, ++code) {
      sums[image].low ^= code->low;
      sums[image].high ^= code->high;
    }
  }

  // Mixes in a salt; different salts give unrelated keys.
  static Hash128 salted(const Hash128& hash, int salt) {
    const auto number = static_cast<std::uint64_t>(salt);
    return {hash.low ^ mix(number, 1), hash.high ^ mix(number, 2)};
  }

  BoardSize size_;
  std::size_t images_;          // reflections of a position, itself included
  std::vector<Hash128> codes_;  // by point, kind of cell, and reflection
};

}  // namespace pinchtp
