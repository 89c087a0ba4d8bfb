// Bushka for alpha-beta search: complete turns and incremental keys.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../../evaluation/static_eval/bushka.hpp"
#include "../../games/bushka.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta {

struct BushkaState {
  using Game = Bushka;
  using Turn = bushka_rules::Turn;
  using Squares = bushka_rules::Squares;

  bushka_rules::Pieces board;
  Side turn;
  bool swapped;
  std::uint64_t key;
  BushkaEvaluation evaluation;

  // The position at the start of a turn.
  explicit BushkaState(const Bushka& game)
      : board(game.pieces()), turn(game.turn()), swapped(game.swapped()), key(0), evaluation(board) {
    for (const Side side : {Side::first, Side::second}) {
      key ^= keys(board.men[index(side)], 2 * index(side));
      key ^= keys(board.kings[index(side)], 2 * index(side) + 1);
    }
    if (turn == Side::second) key ^= kTurnKey;
  }

  // The game's own hash key.
  Hash128 hash() const { return Bushka::hash(board, turn, swapped); }

  static constexpr int kPointsPerLogit = BushkaEvaluation::kPointsPerLogit;
  int score() const { return evaluation.score(board, turn); }

  bool is_ending() const {
    return std::popcount(board.of(Side::first) | board.of(Side::second)) <= kPiecesOfEnding;
  }

  std::uint64_t key_after(const Turn& made) const {
    const int own = index(turn);
    const int enemy = 1 - own;
    return key ^ kTurnKey ^ keys(made.from, 2 * own + is_king(made)) ^
           keys(made.to, 2 * own + becomes_king(made)) ^
           keys(made.taken & board.men[enemy], 2 * enemy) ^
           keys(made.taken & board.kings[enemy], 2 * enemy + 1);
  }

  void make(const Turn& made) {
    key = key_after(made);
    evaluation.remove(turn, is_king(made), made.from);
    evaluation.add(turn, becomes_king(made), made.to);
    if (made.taken != 0) {
      const int enemy = index(other(turn));
      evaluation.remove(other(turn), false, made.taken & board.men[enemy]);
      evaluation.remove(other(turn), true, made.taken & board.kings[enemy]);
    }
    bushka_rules::make(board, turn, made);
    turn = other(turn);
  }

  // Whether later turns can undo the turn.
  bool is_reversible(const Turn& made) const { return made.taken == 0 && is_king(made); }

  // A 16-bit code, nearly always unique among the legal turns of a position; never 0.
  static std::uint16_t code(const Turn& made) {
    return static_cast<std::uint16_t>(1U << 15 | origin(made) << 9 | target(made) << 3 |
                                      (made.taken * 0x9e3779b97f4a7c15ULL) >> 61);
  }
  static unsigned origin(const Turn& made) {
    return static_cast<unsigned>(std::countr_zero(made.from));
  }
  static unsigned target(const Turn& made) { return static_cast<unsigned>(std::countr_zero(made.to)); }

  // Whether the other side could capture if it were to move.
  bool is_threatened() const {
    using namespace bushka_rules;
    const Side enemy = other(turn);
    const Squares vacant = board.vacant();
    const Squares own = board.of(turn);
    const Squares men = board.men[index(enemy)];
    for (int direction = 0; direction < kDirections; ++direction)
      if (men & step(vacant & step(own, back(direction)), back(direction))) return true;
    const Squares kings = board.kings[index(enemy)];
    for (int direction = 0; direction < kDirections && kings != 0; ++direction)
      if (step(slide(kings, direction, vacant), direction) & own) return true;
    return false;
  }

  using Generator = bushka_rules::MoveGenerator;
  void generate(Generator& moves) const { moves.generate(board, turn); }

 private:
  bool is_king(const Turn& made) const { return (board.kings[index(turn)] & made.from) != 0; }
  bool becomes_king(const Turn& made) const {
    return is_king(made) || (made.to & bushka_rules::kFarRank[index(turn)]) != 0;
  }

  static constexpr int kPiecesOfEnding = 6;
  static constexpr std::uint64_t kTurnKey = 0x6c62272e07bb0142ULL;
  static std::uint64_t keys(Squares squares, int kind) {
    std::uint64_t key = 0;
    bushka_rules::for_each(squares, [&](Squares one) {
      key ^= kKeys[static_cast<std::size_t>(kind)][static_cast<std::size_t>(std::countr_zero(one))];
    });
    return key;
  }
  // A compile-time constant, since no code of an instruction set may run before its support is
  // known.
  static constexpr auto kKeys = [] {
    std::array<std::array<std::uint64_t, 64>, 4> keys{};
    for (std::size_t kind = 0; kind < keys.size(); ++kind)
      for (std::size_t bit = 0; bit < keys[kind].size(); ++bit) keys[kind][bit] = mix(kind, bit);
    return keys;
  }();
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta
