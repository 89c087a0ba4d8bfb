// The input planes for Pinch and its variants, from the view of the player to move, whose edges become
// top and bottom: the stones, and what follows from them by the rules but is hard for convolutions to
// find.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "../../games/edge_connections.hpp"
#include "../../games/pinch.hpp"
#include "../../games/pinch_family.hpp"
#include "../../games/pinch_relocate.hpp"
#include "../../games/pinch_remove.hpp"
#include "planes.hpp"
#include "shortest_connection.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// A stone that could be pinched flips in one game, is captured in another, and lifted in a third.
struct PinchPlanes {
  static constexpr std::span<const Symmetry> kImages = kSideImages;
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
                                                              kSwapOpen,
                                                              "first stone may be swapped"};

  // The mover's sides become top and bottom.
  static Symmetry turned(Side turn) { return {turn == Side::second, false, false}; }

  template <class Board>
  static void write(const PinchFamily<Board>& game, const Symmetry& symmetry, PlaneWriter& writer) {
    const EdgeConnections<Board>& own = game.connections(game.turn());
    const EdgeConnections<Board>& enemy = game.connections(other(game.turn()));
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
  static void write_joined(const EdgeConnections<Board>& connections, const Board& points,
                           bool exchanged, int plane, PlaneWriter& writer) {
    const Board low = (connections.low & ~points).flood(connections.stones);
    const Board high = (connections.high & ~points).flood(connections.stones);
    writer.fill(plane, exchanged ? high : low);
    writer.fill(plane + 1, exchanged ? low : high);
  }

  // A side without any way counts as far behind.
  static std::uint32_t lead(std::optional<int> own, std::optional<int> enemy) {
    constexpr int kStep = 12;
    constexpr int kFar = 2 * kMaxSize;
    return lead_value(enemy.value_or(kFar) - own.value_or(kFar), kStep);
  }
};

// The names of those above and of more.
template <std::size_t kMore>
constexpr auto with_pinch_planes(const std::array<std::string_view, kMore>& more) {
  std::array<std::string_view, PinchPlanes::kNames.size() + kMore> names{};
  std::ranges::copy(more, std::ranges::copy(PinchPlanes::kNames, names.begin()).out);
  return names;
}

// With removal: also the ban, and the wins that the flood fill over banned points does not tell.
struct PinchRemovePlanes : PinchPlanes {
  static constexpr auto kNames = with_pinch_planes<4>(
      {"banned", "own winning points", "opponent's winning points", "own points to be captured on"});

  template <class Board>
  static void write(const PinchRemove<Board>& game, const Symmetry& symmetry, PlaneWriter& writer) {
    PinchPlanes::write(game, symmetry, writer);
    const Board& enemy = game.connections(other(game.turn())).stones;
    writer.fill(16, game.banned());
    writer.fill(17, game.wins(game.turn()));
    writer.fill(18, game.wins(other(game.turn())));
    writer.fill(19, pinched(game.empty(), enemy, game.open()));
  }
};

// With relocation: also where the turn has come to, and the wins by a turn of one part.
struct PinchRelocatePlanes : PinchPlanes {
  static constexpr auto kNames = with_pinch_planes<8>(
      {"open to the next stone", "changed in this turn", "the next stone is the opponent's",
       "within a turn", "own stones waiting", "opponent's stones waiting", "own winning points",
       "opponent's winning points"});

  template <class Board>
  static void write(const PinchRelocate<Board>& game, const Symmetry& symmetry, PlaneWriter& writer) {
    PinchPlanes::write(game, symmetry, writer);
    const Side own = game.turn();
    writer.fill(16, game.open());
    writer.fill(17, game.changed());
    writer.fill_all(18, game.next_stone() == own ? 0 : kOne);
    writer.fill_all(19, game.mid_turn() ? kOne : 0);
    writer.fill_all(20, scaled(game.waiting(own)));
    writer.fill_all(21, scaled(game.waiting(other(own))));
    writer.fill(22, game.wins(own));
    writer.fill(23, game.wins(other(own)));
  }

 private:
  // Eight waiting stones are as good as any number.
  static std::uint32_t scaled(int stones) {
    constexpr int kStep = 16;
    return static_cast<std::uint32_t>(std::min(kStep * stones, kOne));
  }
};

template <class Board>
struct PlanesOf<Pinch<Board>> {
  using type = PinchPlanes;
};
template <class Board>
struct PlanesOf<PinchRemove<Board>> {
  using type = PinchRemovePlanes;
};
template <class Board>
struct PlanesOf<PinchRelocate<Board>> {
  using type = PinchRelocatePlanes;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
