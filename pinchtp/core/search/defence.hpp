// Which moves meet the other side's threats to win at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "../history.hpp"
#include "../types.hpp"

namespace pinchtp::PINCHTP_LEVEL {

// Where the other side threatens to win at once, only moves that meet every threat are worth a look.
// Keeps those; where there is none, keeps one move, that to a threatened point if it is legal, and
// returns false: the position is lost.
inline bool keep_defences(const AnyGame& game, History& history, std::vector<Move>& moves) {
  const std::vector<Move> threats = game.winning_points(other(game.turn()));
  if (threats.empty()) return true;
  const std::size_t past = history.size();
  const auto fails = [&](Move move) {
    if (game.credited(move) != game.turn()) return false;  // a swap: the threats are the mover's now
    AnyGame next = game;
    next.play(move);
    if (next.outcome() != Outcome::none) return next.outcome() == win_for(other(game.turn()));
    if (next.turn() == game.turn()) return false;
    history.add(game);
    const bool draws = history.draws(next);
    history.cut(past);
    if (draws) return false;
    return std::any_of(threats.begin(), threats.end(), [&](Move threat) {
      return threat != move && next.is_legal(threat) && next.wins_at(next.turn(), threat);
    });
  };
  std::vector<Move> kept;
  std::remove_copy_if(moves.begin(), moves.end(), std::back_inserter(kept), fails);
  const bool holds = !kept.empty();
  if (!holds) kept.push_back(game.is_legal(threats.front()) ? threats.front() : moves.front());
  moves = std::move(kept);
  return holds;
}

}  // namespace pinchtp::PINCHTP_LEVEL
