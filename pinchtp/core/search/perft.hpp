// Counting: move sequences, distinct positions, and random games as they come.
#pragma once

#include <atomic>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "../types.hpp"

namespace pinchtp::PINCHTP_LEVEL {

struct HashOfHash {
  std::size_t operator()(const Hash128& hash) const { return hash.low; }
};

// Move sequences of exactly `depth` moves; a sequence ends with the game.
template <Game G>
std::uint64_t count_sequences(const G& game, int depth, const std::atomic<bool>& stop) {
  if (depth == 0) return 1;
  if (depth == 1) return game.legal_moves().size();
  std::uint64_t count = 0;
  for (const Move move : game.legal_moves()) {
    if (stop.load(std::memory_order_relaxed)) break;
    G next = game;
    next.play(move);
    count += count_sequences(next, depth - 1, stop);
  }
  return count;
}

// Distinct positions reachable in 1..`depth` moves, each counted once. The start counts only if it
// can be reached again.
template <Game G>
std::uint64_t count_positions(const G& game, int depth, const std::atomic<bool>& stop) {
  std::unordered_set<Hash128, HashOfHash> seen;
  std::vector<G> layer{game};
  for (int ply = 0; ply < depth && !layer.empty(); ++ply) {
    std::vector<G> next_layer;
    for (const G& position : layer)
      for (const Move move : position.legal_moves()) {
        if (stop.load(std::memory_order_relaxed)) return seen.size();
        G next = position;
        next.play(move);
        if (seen.insert(next.hash()).second && ply + 1 < depth) next_layer.push_back(next);
      }
    layer = std::move(next_layer);
  }
  return seen.size();
}

}  // namespace pinchtp::PINCHTP_LEVEL
