// A cache of evaluations: a search reaches many positions again by other move orders.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "../any_game.hpp"
#include "../hash.hpp"
#include "../memory.hpp"
#include "../rng.hpp"
#include "../types.hpp"
#include "evaluator.hpp"

namespace pinchtp {

// Values and priors by position. A new entry replaces the oldest.
class EvaluationCache {
 public:
  // Uses up to `bytes`, which become resident on first use. Throws std::bad_alloc.
  EvaluationCache(BoardSize size, std::size_t bytes)
      : width_(size.width),
        priors_(static_cast<std::size_t>(size.width * size.height) + 2),
        stride_((sizeof(Slot) + priors_ * sizeof(std::uint16_t) + alignof(Slot) - 1) / alignof(Slot) *
                alignof(Slot)),
        count_(static_cast<std::uint32_t>(
            std::clamp<std::size_t>(bytes / (stride_ + sizeof(Place)), 1, UINT32_MAX))),
        slots_(zeroed_memory(count_, stride_)),
        places_(zeroed_memory(count_, sizeof(Place))) {}

  // Reads the evaluation of the position for these moves, in any order. False if it is not cached.
  bool find(const Hash128& key, std::span<const Move> moves, std::span<std::uint16_t> priors,
            std::uint32_t& value) {
    const std::uint32_t at = place(key).load(std::memory_order_relaxed);
    const std::lock_guard lock(locks_[at % kLocks]);
    Slot& slot = this->slot(at);
    if (slot.key != key || (!moves.empty() && slot.moves != sum(moves))) return false;
    value = slot.value;
    for (std::size_t i = 0; i < moves.size(); ++i) priors[i] = prior(slot, moves[i]);
    return true;
  }

  void store(const Hash128& key, std::span<const Move> moves, std::span<const std::uint16_t> priors,
             std::uint32_t value) {
    if (moves.empty()) return;
    const std::uint32_t at = next_.fetch_add(1, std::memory_order_relaxed) % count_;
    {
      const std::lock_guard lock(locks_[at % kLocks]);
      Slot& slot = this->slot(at);
      slot = {key, sum(moves), value};
      for (std::size_t i = 0; i < moves.size(); ++i) prior(slot, moves[i]) = priors[i];
    }
    place(key).store(at, std::memory_order_relaxed);
  }

  // The seed for drawing symmetries, together with the position: the first random number used.
  std::uint64_t seed(Rng& rng) {
    std::uint64_t seed = seed_.load(std::memory_order_relaxed);
    if (seed != 0) return seed;
    const std::uint64_t drawn = rng.next() | 1;
    return seed_.compare_exchange_strong(seed, drawn, std::memory_order_relaxed) ? drawn : seed;
  }

 private:
  struct Slot {
    Hash128 key;
    std::uint64_t moves;  // their sum
    std::uint32_t value;
    // Followed by the priors by point, and those of a swap and of a pass.
  };
  using Place = std::atomic<std::uint32_t>;
  static constexpr std::size_t kLocks = 64;  // one for every 64th slot
  static constexpr std::uint64_t kMovesSeed = 0x6d6f766573;

  // The index of the position's slot, if it has one. Slots are filled in turn, so that short
  // searches touch few pages.
  Place& place(const Hash128& key) const {
    return static_cast<Place*>(places_.get())[slot_of(key.low, count_)];
  }
  Slot& slot(std::uint32_t at) const {
    return *reinterpret_cast<Slot*>(static_cast<std::byte*>(slots_.get()) + at * stride_);
  }
  std::uint16_t& prior(Slot& slot, Move move) const {
    const auto number = is_point(move) ? static_cast<std::size_t>(y_of(move) * width_ + x_of(move))
                                       : priors_ - (move == kSwap ? 2 : 1);
    return reinterpret_cast<std::uint16_t*>(&slot + 1)[number];
  }
  // Independent of the order. The candidates of a search may depend on the positions before this
  // one.
  static std::uint64_t sum(std::span<const Move> moves) {
    std::uint64_t sum = 0;
    for (const Move move : moves) sum += mix(move, kMovesSeed);
    return sum;
  }

  int width_;            // of the board
  std::size_t priors_;   // per slot
  std::size_t stride_;   // bytes per slot
  std::uint32_t count_;  // of slots, and of places
  Memory slots_;
  Memory places_;
  std::array<std::mutex, kLocks> locks_;
  std::atomic<std::uint64_t> seed_{0};
  std::atomic<std::uint32_t> next_{0};  // next slot to fill
};

// An evaluator that evaluates a position once and then reads it from the cache while it is there.
// An evaluation must depend only on the position, the moves and random numbers. Those are drawn
// from the position, so that the cache changes only the speed.
class CachedEvaluator final : public Evaluator {
 public:
  CachedEvaluator(std::unique_ptr<Evaluator> evaluator, std::shared_ptr<EvaluationCache> cache)
      : evaluator_(std::move(evaluator)), cache_(std::move(cache)) {}

  std::unique_ptr<Evaluator> clone() const override {
    return std::make_unique<CachedEvaluator>(evaluator_->clone(), cache_);
  }
  int unit_bits() const override { return evaluator_->unit_bits(); }
  bool has_placements() const override { return false; }
  bool has_priors() const override { return evaluator_->has_priors(); }

  void evaluate(const AnyGame& game, Rng& rng, std::span<const Move> moves,
                std::span<std::uint16_t> priors, Evaluation& evaluation) override {
    const Hash128 key = game.hash();
    const std::uint64_t seed = cache_->seed(rng);
    if (cache_->find(key, moves, priors, evaluation.value)) return;
    Rng of_position(mix(key.high, seed));
    evaluator_->evaluate(game, of_position, moves, priors, evaluation);
    cache_->store(key, moves, priors, evaluation.value);
  }

  void add_ownership(const AnyGame& game, Rng& rng, std::span<float> sums) override {
    evaluator_->add_ownership(game, rng, sums);
  }

 private:
  std::unique_ptr<Evaluator> evaluator_;
  std::shared_ptr<EvaluationCache> cache_;  // shared by all threads of a search
};

}  // namespace pinchtp
