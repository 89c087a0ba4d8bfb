// Counting: move sequences, distinct positions, and random games as they come.
#pragma once

#include <atomic>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "../history.hpp"
#include "../types.hpp"

namespace pinchtp::PINCHTP_LEVEL {

struct HashOfHash {
  std::size_t operator()(const Hash128& hash) const { return hash.low; }
};

// Sequences of exactly `depth` turns; a sequence ends with the game. `history` is as it was before on
// return.
template <Game G>
std::uint64_t count_sequences(const G& game, History<G>& history, int depth,
                              const std::atomic<bool>& stop) {
  if (depth == 0) return 1;
  const std::vector<Move> moves = game.legal_moves();
  if (!G::kParts && depth == 1) return moves.size();
  const std::size_t past = history.size();
  history.add(game);
  std::uint64_t count = 0;
  for (const Move move : moves) {
    if (stop.load(std::memory_order_relaxed)) break;
    G next = game;
    next.play(move);
    const int left = depth - !next.mid_turn();
    if (left == 0)
      ++count;
    else if (!history.draws(next))
      count += count_sequences(next, history, left, stop);
  }
  history.cut(past);
  return count;
}

// Adds the positions after every way to end the turn.
template <Game G>
void add_turns(const G& game, std::vector<G>& ends) {
  if (!game.mid_turn()) {
    ends.push_back(game);
    return;
  }
  for (const Move move : game.legal_moves()) {
    G next = game;
    next.play(move);
    add_turns(next, ends);
  }
}

// Distinct positions reachable in 1..`depth` turns, those within a turn left out, each counted once
// and whatever went before it. The start counts only if it can be reached again.
template <Game G>
std::uint64_t count_positions(const G& game, int depth, const std::atomic<bool>& stop) {
  std::unordered_set<Hash128, HashOfHash> seen;
  std::vector<G> layer{game};
  std::vector<G> ends;
  for (int ply = 0; ply < depth && !layer.empty(); ++ply) {
    std::vector<G> next_layer;
    for (const G& position : layer)
      for (const Move move : position.legal_moves()) {
        if (stop.load(std::memory_order_relaxed)) return seen.size();
        G next = position;
        next.play(move);
        add_turns(next, ends);
        for (const G& end : ends)
          if (seen.insert(end.hash()).second && ply + 1 < depth) next_layer.push_back(end);
        ends.clear();
      }
    layer = std::move(next_layer);
  }
  return seen.size();
}

}  // namespace pinchtp::PINCHTP_LEVEL
