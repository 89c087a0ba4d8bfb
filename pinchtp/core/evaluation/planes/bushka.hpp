// The input planes for Bushka, from the view of the player to move, who plays from the lower right: the
// pieces, the parts of the turn that have been told, and what could be captured.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "../../games/bushka.hpp"
#include "planes.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// A set of squares as the points that they are.
struct BushkaPoints {
  bushka_rules::Squares squares;

  template <class Visit>
  void for_each(Visit&& visit) const {
    bushka_rules::for_each(squares,
                           [&](bushka_rules::Squares one) { visit(bushka_rules::move_to(one)); });
  }
};

struct BushkaPlanes {
  static constexpr std::array<Symmetry, 2> kImages{{{false, false, false}, {true, true, true}}};
  static constexpr std::array<std::string_view, 20> kNames = {"own men",
                                                              "own kings",
                                                              "opponent's men",
                                                              "opponent's kings",
                                                              "squares",
                                                              "origin",
                                                              "target",
                                                              "victims told",
                                                              "own origins",
                                                              "own targets",
                                                              "opponent's origins",
                                                              "opponent's targets",
                                                              "own pieces that can be taken",
                                                              "opponent's pieces that can be taken",
                                                              "own turn captures",
                                                              "opponent's turn would capture",
                                                              "lead in pieces",
                                                              "lead in moves",
                                                              "within a turn",
                                                              "board"};

  // The second side, which plays from the upper left, sees the board turned by half.
  static Symmetry turned(Side turn) { return {false, turn == Side::second, turn == Side::second}; }

  static void write(const Bushka& game, const Symmetry&, PlaneWriter& writer) {
    using bushka_rules::kBoard;
    const bushka_rules::Pieces& pieces = game.pieces();
    const int own = index(game.turn());
    writer.fill(0, BushkaPoints{pieces.men[own]});
    writer.fill(1, BushkaPoints{pieces.kings[own]});
    writer.fill(2, BushkaPoints{pieces.men[1 - own]});
    writer.fill(3, BushkaPoints{pieces.kings[1 - own]});
    writer.fill(4, BushkaPoints{kBoard});
    writer.fill(5, BushkaPoints{game.origin()});
    writer.fill(6, BushkaPoints{game.target()});
    writer.fill(7, BushkaPoints{game.told_victims()});
    const Turns ours(pieces, game.turn());
    const Turns theirs(pieces, other(game.turn()));
    writer.fill(8, BushkaPoints{ours.origins});
    writer.fill(9, BushkaPoints{ours.targets});
    writer.fill(10, BushkaPoints{theirs.origins});
    writer.fill(11, BushkaPoints{theirs.targets});
    writer.fill(12, BushkaPoints{theirs.victims});
    writer.fill(13, BushkaPoints{ours.victims});
    writer.fill_all(14, ours.victims != 0 ? kOne : 0);
    writer.fill_all(15, theirs.victims != 0 ? kOne : 0);
    writer.fill_all(16, lead_value(worth(pieces, own) - worth(pieces, 1 - own), 8));
    writer.fill_all(17, lead_value(ours.count - theirs.count, 2));
    writer.fill_all(18, game.mid_turn() ? kOne : 0);
    writer.fill_all(19);
  }

 private:
  // What a side's legal turns, if it were to move, have in common.
  struct Turns {
    bushka_rules::Squares origins = 0;
    bushka_rules::Squares targets = 0;
    bushka_rules::Squares victims = 0;
    int count = 0;

    Turns(const bushka_rules::Pieces& pieces, Side side) {
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

  static int worth(const bushka_rules::Pieces& pieces, int side) {
    return std::popcount(pieces.men[side]) + Bushka::kKingWorth * std::popcount(pieces.kings[side]);
  }
};

template <>
struct PlanesOf<Bushka> {
  using type = BushkaPlanes;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
