// The nodes of a search tree, in blocks of eight.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "../../types.hpp"
#include "../search.hpp"

namespace pinchtp {

// A node is a move in the tree, with its statistics and its children. Scores are those of
// `value_side`, the side whose win is a win of the player who chooses the move.
//
// Eight nodes are stored field by field, so that a vector register holds one field of all eight.
// The cache lines are: fields read for all children, their scores, and fields read only for the
// selected one.
struct alignas(64) NodeBlock {
  static constexpr std::uint32_t kLanes = 8;

  std::atomic<std::uint32_t> visits[kLanes];  // completed
  Move move[kLanes];
  std::atomic<std::uint8_t> in_flight[kLanes];  // threads below, not in `visits` yet
  std::atomic<std::uint8_t> masked;             // one bit per lane: lost, disallowed or unused
  std::uint8_t in_amaf;                         // one bit per lane: in all-moves-as-first statistics
  Side amaf_side;  // side whose stones those moves put down, the same for all moves of a position
  std::atomic<std::uint8_t> expanding;  // one bit per lane: expanded, or being expanded by a thread
  std::uint8_t value_side;              // one bit per lane: set for the second side

  alignas(64) std::atomic<std::uint64_t> score[kLanes];  // in units of the evaluator, see evaluator.hpp

  alignas(64) std::atomic<std::uint32_t> children[kLanes];  // index in the arena; 0: none yet
  std::uint16_t child_count[kLanes];          // 0: none; and the side that chooses among them
  std::atomic<std::uint16_t> proven[kLanes];  // a Proof and the moves to the end
};
static_assert(sizeof(NodeBlock) == 24 * NodeBlock::kLanes);
static_assert(kMaxThreads <= UINT8_MAX, "each thread may be below one node");

// A block with all-moves-as-first statistics.
struct AmafBlock : NodeBlock {
  alignas(64) std::atomic<std::uint32_t> amaf_visits[kLanes];
  std::atomic<std::uint32_t> amaf_score[kLanes];
};
static_assert(sizeof(AmafBlock) == 32 * NodeBlock::kLanes);

// A reference to one node of a block, or null. Like a pointer, it is copied freely and owns nothing.
class Node {
 public:
  Node() = default;
  Node(NodeBlock& block, std::uint32_t lane) : block_(&block), lane_(lane) {}
  explicit operator bool() const { return block_ != nullptr; }
  friend bool operator==(const Node&, const Node&) = default;

  std::atomic<std::uint32_t>& visits() const { return block_->visits[lane_]; }
  std::atomic<std::uint64_t>& score() const { return block_->score[lane_]; }
  Move& move() const { return block_->move[lane_]; }
  std::atomic<std::uint8_t>& in_flight() const { return block_->in_flight[lane_]; }

  void set_masked(bool yes) const {
    if (yes)
      block_->masked.fetch_or(bit(), std::memory_order_release);
    else
      block_->masked.fetch_and(static_cast<std::uint8_t>(~bit()), std::memory_order_relaxed);
  }
  bool is_masked() const { return (block_->masked.load(std::memory_order_acquire) & bit()) != 0; }

  Side value_side() const { return static_cast<Side>((block_->value_side >> lane_) & 1); }
  void set_value_side(Side side) const {
    block_->value_side =
        static_cast<std::uint8_t>((block_->value_side & ~bit()) | (index(side) << lane_));
  }

  // The side whose stone the move puts down, if it has all-moves-as-first statistics.
  std::optional<Side> amaf_side() const {
    if (((block_->in_amaf >> lane_) & 1) == 0) return std::nullopt;
    return block_->amaf_side;
  }
  void set_amaf_side(std::optional<Side> stone) const {
    block_->in_amaf = static_cast<std::uint8_t>((block_->in_amaf & ~bit()) | (stone ? bit() : 0));
    if (stone) block_->amaf_side = *stone;
  }
  std::atomic<std::uint32_t>& amaf_visits() const { return amaf_block().amaf_visits[lane_]; }
  std::atomic<std::uint32_t>& amaf_score() const { return amaf_block().amaf_score[lane_]; }

  // -- children

  bool is_expanded() const { return children().load(std::memory_order_acquire) != 0; }
  std::atomic<std::uint32_t>& children() const { return block_->children[lane_]; }
  std::uint32_t child_count() const { return block_->child_count[lane_] % kSecond; }
  // The side that chooses among the children; valid once `children` is set.
  Side turn() const { return block_->child_count[lane_] < kSecond ? Side::first : Side::second; }
  void set_child_count(std::size_t count, Side turn) const {
    block_->child_count[lane_] =
        static_cast<std::uint16_t>(count + (turn == Side::second ? kSecond : 0));
  }
  // Claims the right to expand the node; false if another thread has it, or the node is expanded.
  bool claim() const {
    return (block_->expanding.fetch_or(bit(), std::memory_order_acq_rel) & bit()) == 0;
  }
  void unclaim() const {
    block_->expanding.fetch_and(static_cast<std::uint8_t>(~bit()), std::memory_order_acq_rel);
  }

  // -- proof

  Proof proof() const { return static_cast<Proof>(block_->proven[lane_].load() % kProofs); }
  // Moves to the proven end.
  std::uint16_t distance() const { return block_->proven[lane_].load() / kProofs; }
  void set_proof(Proof proof, std::uint32_t distance) const {
    block_->proven[lane_] = static_cast<std::uint16_t>(std::min(distance, kMaxDistance) * kProofs +
                                                       static_cast<std::uint32_t>(proof));
  }

 private:
  static constexpr std::uint16_t kSecond = 0x8000;
  static constexpr std::uint32_t kProofs = 4;
  static constexpr std::uint32_t kMaxDistance = 0xffff / kProofs;

  std::uint8_t bit() const { return static_cast<std::uint8_t>(1 << lane_); }
  AmafBlock& amaf_block() const { return static_cast<AmafBlock&>(*block_); }

  NodeBlock* block_ = nullptr;
  std::uint32_t lane_ = 0;
};

}  // namespace pinchtp
