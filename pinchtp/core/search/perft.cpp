#include "perft.hpp"

#include <memory>
#include <memory_resource>
#include <new>
#include <unordered_set>
#include <vector>

#include "../game_list.hpp"

namespace pinchtp {

namespace {

// System memory up to a limit; throws std::bad_alloc beyond it.
class LimitedMemory final : public std::pmr::memory_resource {
 public:
  explicit LimitedMemory(std::size_t bytes) : left_(bytes) {}

 private:
  static constexpr std::size_t kOverhead = 16;  // of the system, per allocation

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

class PositionCount {
 public:
  PositionCount(const GameType& type, std::size_t memory_bytes, const std::atomic<bool>& stop)
      : memory_(memory_bytes), stop_(stop), next_layer_(type, memory_) {}

  std::uint64_t count(const AnyGame& game, int depth) {
    GameList layer(game.type(), memory_);
    layer.push_back(game);
    while (depth-- > 0 && layer.size() > 0 && !is_stopped()) {
      for (std::size_t i = 0; i < layer.size(); ++i) add_turns(layer[i], depth > 0);
      layer.swap(next_layer_);
      next_layer_.clear();
    }
    return seen_.size();
  }

 private:
  struct HashOfHash {
    std::size_t operator()(const Hash128& hash) const { return hash.low; }
  };

  // Adds the positions after all ways to complete the turn. `is_further`: whether another layer
  // follows, to which new positions are added.
  void add_turns(const AnyGame& game, bool is_further) {
    const auto next = std::make_unique<AnyGame>(game);  // stacks are small
    for (const Move move : game.legal_moves()) {
      if (is_stopped()) return;
      *next = game;
      next->play(move);
      if (next->mid_turn())
        add_turns(*next, is_further);
      else if (seen_.insert(next->hash()).second && is_further)
        next_layer_.push_back(*next);
    }
  }

  bool is_stopped() const { return stop_.load(std::memory_order_relaxed); }

  LimitedMemory memory_;
  const std::atomic<bool>& stop_;
  std::pmr::unordered_set<Hash128, HashOfHash> seen_{&memory_};
  GameList next_layer_;
};

}  // namespace

std::uint64_t count_sequences(const AnyGame& game, History& history, int depth,
                              const std::atomic<bool>& stop) {
  if (depth == 0) return 1;
  const std::vector<Move> moves = game.legal_moves();
  if (!game.traits().multi_step && depth == 1) return moves.size();
  const std::size_t past = history.size();
  history.add(game);
  std::uint64_t count = 0;
  const auto next = std::make_unique<AnyGame>(game);  // stacks are small
  for (const Move move : moves) {
    if (stop.load(std::memory_order_relaxed)) break;
    *next = game;
    next->play(move);
    const int left = depth - !next->mid_turn();
    if (left == 0)
      ++count;
    else if (!history.draws(*next))
      count += count_sequences(*next, history, left, stop);
  }
  history.cut(past);
  return count;
}

std::uint64_t count_positions(const AnyGame& game, int depth, std::size_t memory_bytes,
                              const std::atomic<bool>& stop) {
  return PositionCount(game.type(), memory_bytes, stop).count(game, depth);
}

}  // namespace pinchtp
