// The nodes of a search tree, eight side by side.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "../../types.hpp"
#include "../search.hpp"

namespace pinchtp {

// A node is a move in the tree, with its statistics and its children. Scores are those of `value_side`,
// the side whose win is a win of the player who chooses the move.
//
// Eight nodes lie together field by field, so that a vector register holds a field of all eight. The
// cache lines are: the statistics, those of all-moves-as-first, other fields read of all children, and
// fields read of the selected one only.
struct alignas(64) NodeBlock {
  static constexpr std::uint32_t kLanes = 8;

  std::atomic<std::uint32_t> visits[kLanes];
  std::atomic<std::uint32_t> score[kLanes];  // in units of the evaluator, see evaluator.hpp

  std::atomic<std::uint32_t> amaf_visits[kLanes];
  std::atomic<std::uint32_t> amaf_score[kLanes];

  std::uint16_t prior[kLanes];        // of kPriorUnit
  std::uint16_t child_count[kLanes];  // of `children`; 0 where there are none
  Move move[kLanes];
  std::atomic<std::uint8_t> in_flight[kLanes];  // batches under way below
  std::atomic<std::uint8_t> masked;  // a bit each: not selected: lost, not allowed, or no node
  std::uint8_t in_amaf;              // a bit each: in all-moves-as-first statistics
  Side amaf_side;  // whose stones those moves put down; the same for all moves of a position
  std::atomic<std::uint8_t> expanding;  // a bit each: a thread gives it children, or has done so
  std::uint8_t value_side;              // a bit each: set for the second side

  // number of the first child in the arena; 0: none yet
  alignas(64) std::atomic<std::uint32_t> children[kLanes];
  std::atomic<std::uint16_t> distance[kLanes];  // moves to the proven end
  std::atomic<Proof> proof[kLanes];
  Side turn[kLanes];  // who chooses among the children; valid once `children` is set
};
static_assert(sizeof(NodeBlock) == 32 * NodeBlock::kLanes, "the memory limit counts 32 bytes a node");
static_assert(kMaxThreads <= UINT8_MAX, "each thread may have a batch under way below one node");

// A reference to one node of a block, or null. Like a pointer, it is copied freely and owns nothing.
class Node {
 public:
  Node() = default;
  Node(NodeBlock& block, std::uint32_t lane) : block_(&block), lane_(lane) {}
  explicit operator bool() const { return block_ != nullptr; }
  friend bool operator==(const Node&, const Node&) = default;
  bool is_expanded() const { return children().load(std::memory_order_acquire) != 0; }

  std::atomic<std::uint32_t>& visits() const { return block_->visits[lane_]; }
  std::atomic<std::uint32_t>& score() const { return block_->score[lane_]; }
  std::atomic<std::uint32_t>& amaf_visits() const { return block_->amaf_visits[lane_]; }
  std::atomic<std::uint32_t>& amaf_score() const { return block_->amaf_score[lane_]; }
  std::atomic<std::uint32_t>& children() const { return block_->children[lane_]; }
  Move& move() const { return block_->move[lane_]; }
  std::atomic<std::uint8_t>& in_flight() const { return block_->in_flight[lane_]; }
  void set_masked(bool yes) const {
    if (yes)
      block_->masked.fetch_or(bit(), std::memory_order_release);
    else
      block_->masked.fetch_and(static_cast<std::uint8_t>(~bit()), std::memory_order_relaxed);
  }
  bool is_masked() const { return (block_->masked.load(std::memory_order_acquire) & bit()) != 0; }
  // The side whose stone it puts down, if it has all-moves-as-first statistics.
  std::optional<Side> amaf_side() const {
    if (((block_->in_amaf >> lane_) & 1) == 0) return std::nullopt;
    return block_->amaf_side;
  }
  void set_amaf_side(std::optional<Side> stone) const {
    block_->in_amaf = static_cast<std::uint8_t>((block_->in_amaf & ~bit()) | (stone ? bit() : 0));
    if (stone) block_->amaf_side = *stone;
  }
  std::atomic<std::uint16_t>& distance() const { return block_->distance[lane_]; }
  std::uint16_t& child_count() const { return block_->child_count[lane_]; }
  std::atomic<Proof>& proof() const { return block_->proof[lane_]; }
  // Claims the right to expand it; false if another thread has it, or it is expanded.
  bool claim() const {
    return (block_->expanding.fetch_or(bit(), std::memory_order_acq_rel) & bit()) == 0;
  }
  void unclaim() const {
    block_->expanding.fetch_and(static_cast<std::uint8_t>(~bit()), std::memory_order_acq_rel);
  }
  Side value_side() const { return static_cast<Side>((block_->value_side >> lane_) & 1); }
  void set_value_side(Side side) const {
    block_->value_side =
        static_cast<std::uint8_t>((block_->value_side & ~bit()) | (index(side) << lane_));
  }
  std::uint16_t& prior() const { return block_->prior[lane_]; }
  Side& turn() const { return block_->turn[lane_]; }

 private:
  std::uint8_t bit() const { return static_cast<std::uint8_t>(1 << lane_); }

  NodeBlock* block_ = nullptr;
  std::uint32_t lane_ = 0;
};

}  // namespace pinchtp
