// The input planes for First Capture Go, for the player to move: the stones by the liberties of
// their groups, immediate captures, working ladders, and the points that only one player may fill,
// since a player without safe moves has to fill his own liberties.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "../../games/capture_go.hpp"
#include "ladders.hpp"
#include "planes.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// The groups of a side, by liberties and by the threats of the other side.
template <class Board>
struct CaptureGoGroups {
  std::array<Board, 3> with_liberties;  // one, two and three
  Board captures;                       // points
  Board in_ladder;
  Board ladder_moves;  // of the other side

  CaptureGoGroups(const CaptureGo<Board>& game, Side side) {
    const Board& stones = game.stones(side);
    Board rest = stones;
    while (rest.any()) {
      const Board seed = Board::at(rest.nth(0));
      const Board group = seed | seed.flood(stones);
      rest &= ~group;
      const Board liberties = group.neighbours() & game.empty();
      const auto count = static_cast<std::size_t>(liberties.count());
      if (count > with_liberties.size()) continue;
      with_liberties[count - 1] |= group;
      if (count == 1) captures |= liberties;
      if (count != 2) continue;
      const Ladder<Board> ladder(group, game.stones(other(side)), stones, game.points());
      if (!ladder.moves().any()) continue;
      in_ladder |= group;
      ladder_moves |= ladder.moves();
    }
  }
};

template <class Board>
struct CaptureGoScene {
  const CaptureGo<Board>& game;
  Side own;
  Side enemy;
  CaptureGoGroups<Board> own_groups;
  CaptureGoGroups<Board> enemy_groups;
  Board own_legal;
  Board enemy_legal;

  CaptureGoScene(const CaptureGo<Board>& shown, const Symmetry&)
      : game(shown),
        own(game.turn()),
        enemy(other(own)),
        own_groups(game, own),
        enemy_groups(game, enemy),
        own_legal(game.legal_points(own)),
        enemy_legal(game.legal_points(enemy)) {}
};

template <class Board>
struct PlanesOf<CaptureGo<Board>> {
  using Scene = CaptureGoScene<Board>;
  static constexpr std::span<const Symmetry> kSymmetries = kSquareSymmetries;

  static Symmetry orientation(Side) { return {}; }

  static constexpr auto kPlanes = std::to_array<Plane<Scene>>({
      {"own stones", [](const Scene& s) { return s.game.stones(s.own); }},
      {"opponent's stones", [](const Scene& s) { return s.game.stones(s.enemy); }},
      {"board", [](const Scene&) { return true; }},
      {"own with one liberty", [](const Scene& s) { return s.own_groups.with_liberties[0]; }},
      {"own with two liberties", [](const Scene& s) { return s.own_groups.with_liberties[1]; }},
      {"own with three liberties", [](const Scene& s) { return s.own_groups.with_liberties[2]; }},
      {"opponent's with one liberty", [](const Scene& s) { return s.enemy_groups.with_liberties[0]; }},
      {"opponent's with two liberties",
       [](const Scene& s) { return s.enemy_groups.with_liberties[1]; }},
      {"opponent's with three liberties",
       [](const Scene& s) { return s.enemy_groups.with_liberties[2]; }},
      {"own captures", [](const Scene& s) { return s.enemy_groups.captures; }},
      {"opponent's captures", [](const Scene& s) { return s.own_groups.captures; }},
      {"own stones in a ladder", [](const Scene& s) { return s.own_groups.in_ladder; }},
      {"opponent's stones in a ladder", [](const Scene& s) { return s.enemy_groups.in_ladder; }},
      {"own ladder moves", [](const Scene& s) { return s.enemy_groups.ladder_moves; }},
      {"opponent's ladder moves", [](const Scene& s) { return s.own_groups.ladder_moves; }},
      {"own legal points", [](const Scene& s) { return s.own_legal; }},
      {"opponent's legal points", [](const Scene& s) { return s.enemy_legal; }},
      {"lead in legal points",
       [](const Scene& s) { return lead_value(s.own_legal.count() - s.enemy_legal.count(), 8); }},
      {kSwapOpen, [](const Scene& s) { return s.game.swap_open(); }},
      {"first stone may be swapped", [](const Scene& s) { return s.game.pie_pending(); }},
  });
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
