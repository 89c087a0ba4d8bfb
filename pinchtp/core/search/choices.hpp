// The moves that a search reports: their order and their winrates.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "../types.hpp"

namespace pinchtp {

// A move at the root. The winrate is that of the player to move, in [0, 1]; none if the move is
// neither visited nor proven. A swap is evaluated with the position.
struct Choice {
  Move move = kNoMove;
  std::uint64_t visits = 0;
  std::optional<double> winrate = {};
  Proof proof = Proof::unknown;
  int distance = 0;                        // moves to the proven end
  double amaf = 0.5;                       // all-moves-as-first winrate
  double prior = 0;                        // in [0, 1]; 0 if the evaluator has no priors
  std::vector<Move> line;                  // the principal variation, this move first
  std::vector<std::uint64_t> line_visits;  // of each move of the line; empty if there is no tree
};

// The order of preference: quick wins, then by visits, winrate and prior, then slow losses last.
bool is_better(const Choice& a, const Choice& b);

// Sorts choices that have enough visits by a lower bound of the winrate first, then by visits.
void sort_by_bound(std::vector<Choice>& choices);

struct Report {
  std::vector<Choice> choices;  // best first
  // The winrate of the side to move, in [0, 1]: that of the best move or, if that has too few
  // visits, the mean of all visits of the root; none before the first visit.
  std::optional<double> winrate = {};
  std::uint64_t visits = 0;
  std::uint64_t nodes = 0;
};

// The report with calibrated winrates: their log odds times `slope`, which was fitted to game
// results. Proven values (1, 0 and 1/2) stay unchanged. The prior of a swap stays its winrate.
Report calibrated(Report report, double slope);

}  // namespace pinchtp
