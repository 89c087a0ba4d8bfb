// The input planes for Pinch and its variants, for the player to move, whose edges become top and
// bottom: the stones, and consequences of the rules that convolutions can hardly compute.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "../../games/edge_connections.hpp"
#include "../../games/pinch.hpp"
#include "../../games/pinch_family.hpp"
#include "../../games/pinch_relocate.hpp"
#include "../../games/pinch_remove.hpp"
#include "planes.hpp"
#include "shortest_connection.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// The data for the planes of a position of game G. A pinched stone flips in Pinch, is captured in
// Pinch with removal, and is lifted in Pinch with relocation.
template <class G, class Board>
struct PinchScene {
  using Connections = EdgeConnections<Board>;

  const G& game;
  Symmetry symmetry;
  Side turn;
  const Connections& own;
  const Connections& enemy;
  Board empty;
  ShortestConnection<Board> own_way;
  ShortestConnection<Board> enemy_way;

  PinchScene(const G& shown, const Symmetry& shown_in)
      : game(shown),
        symmetry(shown_in),
        turn(game.turn()),
        own(game.connections(turn)),
        enemy(game.connections(other(turn))),
        empty(game.empty()),
        own_way(own, empty, game.points()),
        enemy_way(enemy, empty, game.points()) {}

  // The stones of a side connected to one of its edges, in the orientation of the board.
  Board connected(const Connections& side, bool is_high) const {
    return ((is_high ? side.high : side.low) & ~game.points()).flood(side.stones);
  }

  // The difference in stones needed to connect. A side that cannot connect counts as far from it.
  std::uint32_t lead() const {
    constexpr int kStep = 12;
    constexpr int kFar = 2 * kMaxSize;
    return lead_value(enemy_way.stones().value_or(kFar) - own_way.stones().value_or(kFar), kStep);
  }

  // Stones still to be put down, up to eight.
  std::uint32_t waiting(Side side) const {
    constexpr int kStep = 16;
    return static_cast<std::uint32_t>(std::min(kStep * game.waiting(side), kOne));
  }
};

template <class G, class Board>
struct PinchPlanes {
  using Scene = PinchScene<G, Board>;
  static constexpr std::span<const Symmetry> kSymmetries = kSideSymmetries;

  // The mover's edges become top and bottom.
  static Symmetry orientation(Side turn) { return {turn == Side::second, false, false}; }

  static constexpr auto kPlanes = std::to_array<Plane<Scene>>({
      {"own stones", [](const Scene& s) { return s.own.stones; }},
      {"opponent's stones", [](const Scene& s) { return s.enemy.stones; }},
      {"board", [](const Scene&) { return true; }},
      {"own joined to bottom", [](const Scene& s) { return s.connected(s.own, s.symmetry.flipped); }},
      {"own joined to top", [](const Scene& s) { return s.connected(s.own, !s.symmetry.flipped); }},
      {"opponent's joined to left",
       [](const Scene& s) { return s.connected(s.enemy, s.symmetry.mirrored); }},
      {"opponent's joined to right",
       [](const Scene& s) { return s.connected(s.enemy, !s.symmetry.mirrored); }},
      {"own pinching points",
       [](const Scene& s) { return s.empty & pinching(s.own.stones, s.enemy.stones); }},
      {"opponent's pinching points",
       [](const Scene& s) { return s.empty & pinching(s.enemy.stones, s.own.stones); }},
      {"own stones in danger",
       [](const Scene& s) { return pinched(s.empty, s.enemy.stones, s.own.stones); }},
      {"opponent's stones in danger",
       [](const Scene& s) { return pinched(s.empty, s.own.stones, s.enemy.stones); }},
      {"own shortest connections", [](const Scene& s) { return s.own_way.points(); }},
      {"opponent's shortest connections", [](const Scene& s) { return s.enemy_way.points(); }},
      {"lead in stones to connect", [](const Scene& s) { return s.lead(); }},
      {kSwapOpen, [](const Scene& s) { return s.game.swap_open(); }},
      {"first stone may be swapped", [](const Scene& s) { return s.game.pie_pending(); }},
  });
};

template <class Board>
struct PlanesOf<Pinch<Board>> : PinchPlanes<Pinch<Board>, Board> {};

// With removal: also the bans, and the wins that a flood fill over banned points misses.
template <class Board>
struct PlanesOf<PinchRemove<Board>> : PinchPlanes<PinchRemove<Board>, Board> {
  using Shared = PinchPlanes<PinchRemove<Board>, Board>;
  using typename Shared::Scene;

  static constexpr auto kPlanes = concatenated(
      Shared::kPlanes,
      std::to_array<Plane<Scene>>({
          {"banned", [](const Scene& s) { return s.game.banned(); }},
          {"own winning points", [](const Scene& s) { return s.game.wins(s.turn); }},
          {"opponent's winning points", [](const Scene& s) { return s.game.wins(other(s.turn)); }},
          {"own points to be captured on",
           [](const Scene& s) { return pinched(s.empty, s.enemy.stones, s.game.open()); }},
      }));
};

// With relocation: also the state of the turn, and wins in one step.
template <class Board>
struct PlanesOf<PinchRelocate<Board>> : PinchPlanes<PinchRelocate<Board>, Board> {
  using Shared = PinchPlanes<PinchRelocate<Board>, Board>;
  using typename Shared::Scene;

  static constexpr auto kPlanes = concatenated(
      Shared::kPlanes,
      std::to_array<Plane<Scene>>({
          {"open to the next stone", [](const Scene& s) { return s.game.open(); }},
          {"changed in this turn", [](const Scene& s) { return s.game.changed(); }},
          {"the next stone is the opponent's",
           [](const Scene& s) { return s.game.next_stone() != s.turn; }},
          {"within a turn", [](const Scene& s) { return s.game.mid_turn(); }},
          {"own stones waiting", [](const Scene& s) { return s.waiting(s.turn); }},
          {"opponent's stones waiting", [](const Scene& s) { return s.waiting(other(s.turn)); }},
          {"own winning points", [](const Scene& s) { return s.game.wins(s.turn); }},
          {"opponent's winning points", [](const Scene& s) { return s.game.wins(other(s.turn)); }},
      }));
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
