// Counting: move sequences, distinct positions, and random games as they come.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <unordered_set>
#include <vector>

#include "../history.hpp"
#include "../types.hpp"

namespace pinchtp::PINCHTP_LEVEL {

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

// Memory from the system up to a limit; beyond it, std::bad_alloc.
class LimitedMemory final : public std::pmr::memory_resource {
 public:
  explicit LimitedMemory(std::size_t bytes) : left_(bytes) {}

 private:
  static constexpr std::size_t kOverhead = 16;  // of the system, a piece

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (left_ < kOverhead || left_ - kOverhead < bytes) throw std::bad_alloc();
    void* memory = std::pmr::new_delete_resource()->allocate(bytes, alignment);
    left_ -= bytes + kOverhead;
    return memory;
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
    left_ += bytes + kOverhead;
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::size_t left_;
};

// Distinct positions reachable in 1..`depth` turns, those within a turn left out, each counted once
// and whatever went before it. The start counts only if it can be reached again.
template <Game G>
class PositionCount {
 public:
  PositionCount(std::size_t memory_bytes, const std::atomic<bool>& stop)
      : memory_(memory_bytes), stop_(stop) {}

  // Those found until `stop`. Throws std::bad_alloc beyond the memory.
  std::uint64_t count(const G& game, int depth) {
    std::pmr::vector<G> layer({game}, &memory_);
    while (depth-- > 0 && !layer.empty() && !is_stopped()) {
      for (const G& position : layer) add_turns(position, depth > 0);
      layer = std::move(next_layer_);
      next_layer_.clear();
    }
    return seen_.size();
  }

 private:
  struct HashOfHash {
    std::size_t operator()(const Hash128& hash) const { return hash.low; }
  };

  // Adds the positions after every way to end the turn, if there is a further one to the next layer.
  void add_turns(const G& game, bool is_further) {
    for (const Move move : game.legal_moves()) {
      if (is_stopped()) return;
      G next = game;
      next.play(move);
      if (next.mid_turn())
        add_turns(next, is_further);
      else if (seen_.insert(next.hash()).second && is_further)
        next_layer_.push_back(next);
    }
  }

  bool is_stopped() const { return stop_.load(std::memory_order_relaxed); }

  LimitedMemory memory_;
  const std::atomic<bool>& stop_;
  std::pmr::unordered_set<Hash128, HashOfHash> seen_{&memory_};
  std::pmr::vector<G> next_layer_{&memory_};
};

}  // namespace pinchtp::PINCHTP_LEVEL
