// The input planes for Pinch, from the view of the player to move, whose edges become top and bottom:
// the stones, and what follows from them by the rules but is hard for convolutions to find.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "../../games/camp.hpp"
#include "../../games/pinch.hpp"
#include "../../games/pinch_family.hpp"
#include "planes.hpp"

namespace pinchtp::PINCHTP_LEVEL {

// How many more stones a side needs at least to join its edges if the other side never moves, and the
// empty points on all shortest ways.
template <class Board>
class ShortestConnection {
 public:
  ShortestConnection(const Camp<Board>& camp, const Board& empty, const Board& points) {
    const Board low_edge = camp.low & ~points;
    const Board high_edge = camp.high & ~points;
    Steps up;
    Steps down;
    const int count = walk(low_edge, high_edge, camp.stones, empty, up);
    if (count > kMost) return;
    stones_ = count;
    walk(high_edge, low_edge, camp.stones, empty, down);
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      on_way_ |= up[at] & down[static_cast<std::size_t>(count) - 1 - at];
    }
  }

  // Nothing if there is no way, or a very long one only.
  std::optional<int> stones() const { return stones_; }
  const Board& points() const { return on_way_; }

 private:
  static constexpr int kMost = 32;
  using Steps =
      std::array<Board, kMost + 1>;  // empty points by the stones needed to join them, less one

  // Flood fill in steps of one stone; returns how many steps lead to `to`, or more than kMost.
  static int walk(const Board& from, const Board& to, const Board& stones, const Board& empty,
                  Steps& steps) {
    Board reached = from | from.flood(stones);
    for (int count = 0; count <= kMost; ++count) {
      if ((reached.neighbours() & to).any()) return count;
      const Board next = reached.neighbours() & empty & ~reached;
      if (!next.any()) return kMost + 1;
      steps[static_cast<std::size_t>(count)] = next;
      reached |= next | next.flood(stones & ~reached);
    }
    return kMost + 1;
  }

  std::optional<int> stones_;
  Board on_way_;
};

struct PinchPlanes {
  static constexpr Reflections kSymmetries = Reflections::sides;
  static constexpr std::array<std::string_view, 16> kNames = {"own stones",
                                                              "opponent's stones",
                                                              "board",
                                                              "own joined to bottom",
                                                              "own joined to top",
                                                              "opponent's joined to left",
                                                              "opponent's joined to right",
                                                              "own pinching points",
                                                              "opponent's pinching points",
                                                              "own stones in danger",
                                                              "opponent's stones in danger",
                                                              "own shortest connections",
                                                              "opponent's shortest connections",
                                                              "lead in stones to connect",
                                                              "swap open",
                                                              "first stone may be swapped"};

  // The mover's sides become top and bottom.
  static bool transposes(Side turn) { return turn == Side::second; }

  template <class Board>
  static void write(const PinchFamily<Board>& game, const Symmetry& symmetry, PlaneWriter& writer) {
    const Camp<Board>& own = game.camp(game.turn());
    const Camp<Board>& enemy = game.camp(other(game.turn()));
    const Board empty = game.empty();
    writer.fill(0, own.stones);
    writer.fill(1, enemy.stones);
    writer.fill_all(2);
    write_joined(own, game.points(), symmetry.flipped, 3, writer);
    write_joined(enemy, game.points(), symmetry.mirrored, 5, writer);
    writer.fill(7, empty & pinching(own.stones, enemy.stones));
    writer.fill(8, empty & pinching(enemy.stones, own.stones));
    writer.fill(9, pinched(empty, enemy.stones, own.stones));
    writer.fill(10, pinched(empty, own.stones, enemy.stones));
    const ShortestConnection<Board> own_way(own, empty, game.points());
    const ShortestConnection<Board> enemy_way(enemy, empty, game.points());
    writer.fill(11, own_way.points());
    writer.fill(12, enemy_way.points());
    writer.fill_all(13, lead(own_way.stones(), enemy_way.stones()));
    writer.fill_all(14, game.swap_open() ? kOne : 0);
    writer.fill_all(15, game.pie_pending() ? kOne : 0);
  }

 private:
  template <class Board>
  static void write_joined(const Camp<Board>& camp, const Board& points, bool exchanged, int plane,
                           PlaneWriter& writer) {
    const Board low = (camp.low & ~points).flood(camp.stones);
    const Board high = (camp.high & ~points).flood(camp.stones);
    writer.fill(plane, exchanged ? high : low);
    writer.fill(plane + 1, exchanged ? low : high);
  }

  // Even is in the middle; a side without any way counts as far behind.
  static std::uint32_t lead(std::optional<int> own, std::optional<int> enemy) {
    constexpr int kEven = 64;
    constexpr int kStep = 12;
    constexpr int kFar = 2 * kMaxSize;
    const int stones = enemy.value_or(kFar) - own.value_or(kFar);
    return static_cast<std::uint32_t>(std::clamp(kEven + kStep * stones, 0, kOne));
  }
};

template <class Board>
struct PlanesOf<Pinch<Board>> {
  using type = PinchPlanes;
};

}  // namespace pinchtp::PINCHTP_LEVEL
