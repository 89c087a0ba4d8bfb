// Reports of an alpha-beta search: choices, winrates and principal variations, in steps of turns.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../../history.hpp"
#include "../../types.hpp"
#include "../search.hpp"
#include "root.hpp"
#include "scores.hpp"
#include "table.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta {

template <class State>
class Reporter {
 public:
  using Game = typename State::Game;
  using Turn = typename State::Turn;

  Reporter(const Root<State>& root, const TranspositionTable& table)
      : root_(root), table_(table), drawn_(root.drawn()) {}

  // One choice per next step, with the value of the best turn that begins with it. Best first.
  std::vector<Choice> choices() const {
    std::vector<RootTurn<State>> turns(root_.turns().begin(), root_.turns().end());
    if (turns.empty()) return {};
    // An interrupted iteration may have refuted the best turn before trying others.
    const bool leads = turns.front().value() > -kSureWin;
    std::stable_sort(turns.begin() + leads, turns.end(), has_more_value<State>);
    std::vector<Choice> choices;
    for (const auto& turn : turns) {
      const auto same = std::ranges::find(choices, turn.step, &Choice::move);
      if (same == choices.end())
        choices.push_back(describe(turn));
      else
        same->visits += turn.visits;
    }
    return choices;
  }

  // Plays a turn and appends its steps to `steps`.
  static void play(Game& game, const Turn& turn, std::vector<Move>& steps) {
    const Side side = game.turn();
    while (game.turn() == side && game.outcome() == Outcome::none) {
      steps.push_back(game.next_step(turn));
      game.play(steps.back());
    }
  }

 private:
  Choice describe(const RootTurn<State>& turn) const {
    const int value = turn.is_draw ? 0 : turn.value();
    Choice choice;
    choice.move = turn.step;
    choice.visits = turn.visits;
    choice.proof = turn.is_draw         ? Proof::draw
                   : value >= kSureWin  ? Proof::win
                   : value <= -kSureWin ? Proof::loss
                                        : Proof::unknown;
    choice.winrate = choice.proof != Proof::unknown
                         ? winrate_of(choice.proof)
                         : 1 / (1 + std::exp(-value / double{State::kPointsPerLogit}));
    choice.line = line(turn.turn, choice.proof == Proof::unknown ? kLongestLine : kMaxPly);
    if (is_sure(value)) choice.distance = distance(turn.turn, turns_to_end(value));
    return choice;
  }

  // The principal variation, as far as the table contains it.
  std::vector<Move> line(const Turn& first, int max_turns) const {
    Game game = root_.game();
    std::vector<Move> steps;
    follow(game, first, max_turns, steps);
    return steps;
  }

  // Plays the line and returns its number of turns.
  int follow(Game& game, const Turn& first, int max_turns, std::vector<Move>& steps) const {
    std::vector<std::uint64_t> seen{State(game).key};
    Turn turn = first;
    for (int count = 1;; ++count) {
      play(game, turn, steps);
      if (count == max_turns || game.outcome() != Outcome::none) return count;
      const State state(game);
      // After such a position the game may be over.
      if (drawn_.has(state.hash()) || std::ranges::find(seen, state.key) != seen.end()) return count;
      seen.push_back(state.key);
      const auto known = table_.find(state.key ^ drawn_.salt());
      if (!known) return count;
      const std::vector<Turn> turns = game.matching_turns();
      const auto next = std::ranges::find(turns, known->move, &State::code);
      if (next == turns.end()) return count;
      turn = *next;
    }
  }

  // Moves to the end; a turn missing from the table counts as two.
  int distance(const Turn& first, int turns) const {
    Game game = root_.game();
    std::vector<Move> steps;
    const int turns_known = follow(game, first, turns, steps);
    return static_cast<int>(steps.size()) + 2 * (turns - turns_known);
  }

  static constexpr int kLongestLine = 30;  // turns

  const Root<State>& root_;
  const TranspositionTable& table_;
  const RepeatedPositions drawn_;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta
