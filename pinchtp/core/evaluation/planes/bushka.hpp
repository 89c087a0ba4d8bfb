// The input planes for Bushka, for the player to move, who plays from the lower right: the pieces,
// the steps of the turn so far, and possible captures.
#pragma once

#include <array>
#include <cstdint>

#include "../../games/bushka.hpp"
#include "planes.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// A set of squares as points.
struct BushkaPoints {
  bushka_rules::Squares squares;

  template <class Visit>
  void for_each(Visit&& visit) const {
    bushka_rules::for_each(squares,
                           [&](bushka_rules::Squares one) { visit(bushka_rules::move_to(one)); });
  }
};

// The union of a side's legal turns, as if it were to move.
struct BushkaTurns {
  bushka_rules::Squares origins = 0;
  bushka_rules::Squares targets = 0;
  bushka_rules::Squares victims = 0;
  int count = 0;

  BushkaTurns(const bushka_rules::Pieces& pieces, Side side) {
    bushka_rules::MoveGenerator generator;
    generator.generate(pieces, side);
    count = static_cast<int>(generator.count());
    for (std::uint32_t i = 0; i < generator.count(); ++i) {
      const bushka_rules::Turn turn = generator[i];
      origins |= turn.from;
      targets |= turn.to;
      victims |= turn.taken;
    }
  }
};

struct BushkaScene {
  const Bushka& game;
  const bushka_rules::Pieces& pieces;
  int own;
  int enemy;
  BushkaTurns ours;
  BushkaTurns theirs;

  BushkaScene(const Bushka& shown, const Symmetry&)
      : game(shown),
        pieces(game.pieces()),
        own(index(game.turn())),
        enemy(1 - own),
        ours(pieces, game.turn()),
        theirs(pieces, other(game.turn())) {}

  // Of the side to move, in men.
  int lead() const { return game.material(game.turn()) - game.material(other(game.turn())); }
};

template <>
struct PlanesOf<Bushka> {
  using Scene = BushkaScene;
  static constexpr std::array<Symmetry, 2> kSymmetries{{{false, false, false}, {true, true, true}}};

  // The second side, which plays from the upper left, gets the board rotated by 180 degrees.
  static Symmetry orientation(Side turn) { return {false, turn == Side::second, turn == Side::second}; }

  static constexpr auto kPlanes = std::to_array<Plane<Scene>>({
      {"own men", [](const Scene& s) { return BushkaPoints{s.pieces.men[s.own]}; }},
      {"own kings", [](const Scene& s) { return BushkaPoints{s.pieces.kings[s.own]}; }},
      {"opponent's men", [](const Scene& s) { return BushkaPoints{s.pieces.men[s.enemy]}; }},
      {"opponent's kings", [](const Scene& s) { return BushkaPoints{s.pieces.kings[s.enemy]}; }},
      {"squares", [](const Scene&) { return BushkaPoints{bushka_rules::kBoard}; }},
      {"origin", [](const Scene& s) { return BushkaPoints{s.game.origin()}; }},
      {"target", [](const Scene& s) { return BushkaPoints{s.game.target()}; }},
      {"victims chosen", [](const Scene& s) { return BushkaPoints{s.game.chosen_victims()}; }},
      {"own origins", [](const Scene& s) { return BushkaPoints{s.ours.origins}; }},
      {"own targets", [](const Scene& s) { return BushkaPoints{s.ours.targets}; }},
      {"opponent's origins", [](const Scene& s) { return BushkaPoints{s.theirs.origins}; }},
      {"opponent's targets", [](const Scene& s) { return BushkaPoints{s.theirs.targets}; }},
      {"own pieces that can be taken", [](const Scene& s) { return BushkaPoints{s.theirs.victims}; }},
      {"opponent's pieces that can be taken",
       [](const Scene& s) { return BushkaPoints{s.ours.victims}; }},
      {"own turn captures", [](const Scene& s) { return s.ours.victims != 0; }},
      {"opponent's turn would capture", [](const Scene& s) { return s.theirs.victims != 0; }},
      {"lead in pieces", [](const Scene& s) { return lead_value(s.lead(), 8); }},
      {"lead in moves", [](const Scene& s) { return lead_value(s.ours.count - s.theirs.count, 2); }},
      {"within a turn", [](const Scene& s) { return s.game.mid_turn(); }},
      {"board", [](const Scene&) { return true; }},
  });
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
