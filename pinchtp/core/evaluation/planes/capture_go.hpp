// The input planes for First Capture Go, from the view of the player to move: the stones by the
// liberties of their groups, captures at hand, ladders that work, and the points that only one player
// may fill, since who runs out of harmless moves has to fill his own liberties.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "../../games/capture_go.hpp"
#include "ladders.hpp"
#include "planes.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

struct CaptureGoPlanes {
  static constexpr std::span<const Symmetry> kImages = kSquareImages;
  static constexpr std::array<std::string_view, 20> kNames = {"own stones",
                                                              "opponent's stones",
                                                              "board",
                                                              "own with one liberty",
                                                              "own with two liberties",
                                                              "own with three liberties",
                                                              "opponent's with one liberty",
                                                              "opponent's with two liberties",
                                                              "opponent's with three liberties",
                                                              "own captures",
                                                              "opponent's captures",
                                                              "own stones in a ladder",
                                                              "opponent's stones in a ladder",
                                                              "own ladder moves",
                                                              "opponent's ladder moves",
                                                              "own legal points",
                                                              "opponent's legal points",
                                                              "lead in legal points",
                                                              kSwapOpen,
                                                              "first stone may be swapped"};

  static Symmetry turned(Side) { return {}; }

  template <class Board>
  static void write(const CaptureGo<Board>& game, const Symmetry&, PlaneWriter& writer) {
    const Side own = game.turn();
    const Side enemy = other(own);
    writer.fill(0, game.stones(own));
    writer.fill(1, game.stones(enemy));
    writer.fill_all(2);
    write_groups(game, own, {3, 10, 11, 14}, writer);
    write_groups(game, enemy, {6, 9, 12, 13}, writer);
    const Board own_legal = game.legal_points(own);
    const Board enemy_legal = game.legal_points(enemy);
    writer.fill(15, own_legal);
    writer.fill(16, enemy_legal);
    writer.fill_all(17, lead_value(own_legal.count() - enemy_legal.count(), 8));
    writer.fill_all(18, game.swap_open() ? kOne : 0);
    writer.fill_all(19, game.pie_pending() ? kOne : 0);
  }

 private:
  // Where the planes of a side's groups are, and of what the other side does to them.
  struct Places {
    int with_one_liberty;  // two and three follow
    int captures;
    int in_ladder;
    int ladder_moves;
  };

  template <class Board>
  static void write_groups(const CaptureGo<Board>& game, Side side, const Places& at,
                           PlaneWriter& writer) {
    constexpr int kMostLiberties = 3;
    const Board& stones = game.stones(side);
    Board rest = stones;
    while (rest.any()) {
      const Board seed = Board::at(rest.nth(0));
      const Board group = seed | seed.flood(stones);
      rest &= ~group;
      const Board liberties = group.neighbours() & game.empty();
      const int count = liberties.count();
      if (count > kMostLiberties) continue;
      writer.fill(at.with_one_liberty + count - 1, group);
      if (count == 1) writer.fill(at.captures, liberties);
      if (count != 2) continue;
      const Ladder<Board> ladder(group, game.stones(other(side)), stones, game.points());
      if (!ladder.moves().any()) continue;
      writer.fill(at.in_ladder, group);
      writer.fill(at.ladder_moves, ladder.moves());
    }
  }
};

template <class Board>
struct PlanesOf<CaptureGo<Board>> {
  using type = CaptureGoPlanes;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
