// The nodes of a search tree, eight side by side.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "../../types.hpp"
#include "../search.hpp"

namespace pinchtp {

// A node is a move in the tree, with its statistics and its children. Scores are those of `credited`,
// the side whose win is a win of the player who chooses the move.
//
// Eight nodes lie together field by field, so that a vector register holds a field of all eight. The
// cache lines are: the statistics, those of all-moves-as-first, what else is read of all children, and
// what is read of the one selected.
struct alignas(64) Nodes {
  static constexpr std::uint32_t kLanes = 8;

  std::atomic<std::uint32_t> visits[kLanes];
  std::atomic<std::uint32_t> score[kLanes];  // in units of the evaluator, see evaluator.hpp

  std::atomic<std::uint32_t> amaf_visits[kLanes];
  std::atomic<std::uint32_t> amaf_score[kLanes];

  std::uint16_t prior[kLanes];        // of kPriorUnit
  std::uint16_t child_count[kLanes];  // of `children`; 0 where there are none
  Move move[kLanes];
  std::atomic<std::uint8_t> busy[kLanes];  // rounds under way below
  std::atomic<std::uint8_t> excluded;      // a bit each: not selected: lost, not allowed, or no node
  std::uint8_t shares;                     // a bit each: in all-moves-as-first statistics
  Side stone;  // whose stones those moves put down; the same for all moves of a position
  std::atomic<std::uint8_t> expanding;  // a bit each: a thread gives it children, or has done so
  std::uint8_t credited;                // a bit each: set for the second side

  // number of the first child in the arena; 0: none yet
  alignas(64) std::atomic<std::uint32_t> children[kLanes];
  std::atomic<std::uint16_t> distance[kLanes];  // moves to the proven end
  std::atomic<Proof> proof[kLanes];
  Side turn[kLanes];  // who chooses among the children; valid once `children` is set
};
static_assert(sizeof(Nodes) == 32 * Nodes::kLanes, "the memory limit counts 32 bytes a node");
static_assert(kMaxThreads <= UINT8_MAX, "each thread may have a round under way below one node");

// A reference to one of eight, or to none. Like a pointer, it is copied freely and owns nothing.
class Node {
 public:
  Node() = default;
  Node(Nodes& nodes, std::uint32_t lane) : nodes_(&nodes), lane_(lane) {}
  explicit operator bool() const { return nodes_ != nullptr; }
  friend bool operator==(const Node&, const Node&) = default;
  bool is_expanded() const { return children().load(std::memory_order_acquire) != 0; }

  std::atomic<std::uint32_t>& visits() const { return nodes_->visits[lane_]; }
  std::atomic<std::uint32_t>& score() const { return nodes_->score[lane_]; }
  std::atomic<std::uint32_t>& amaf_visits() const { return nodes_->amaf_visits[lane_]; }
  std::atomic<std::uint32_t>& amaf_score() const { return nodes_->amaf_score[lane_]; }
  std::atomic<std::uint32_t>& children() const { return nodes_->children[lane_]; }
  Move& move() const { return nodes_->move[lane_]; }
  std::atomic<std::uint8_t>& busy() const { return nodes_->busy[lane_]; }
  void exclude(bool yes) const {
    if (yes)
      nodes_->excluded.fetch_or(bit(), std::memory_order_release);
    else
      nodes_->excluded.fetch_and(static_cast<std::uint8_t>(~bit()), std::memory_order_relaxed);
  }
  bool is_excluded() const { return (nodes_->excluded.load(std::memory_order_acquire) & bit()) != 0; }
  // Whose stone it puts down, if it has all-moves-as-first statistics.
  std::optional<Side> shares() const {
    if (((nodes_->shares >> lane_) & 1) == 0) return std::nullopt;
    return nodes_->stone;
  }
  void share(std::optional<Side> stone) const {
    nodes_->shares = static_cast<std::uint8_t>((nodes_->shares & ~bit()) | (stone ? bit() : 0));
    if (stone) nodes_->stone = *stone;
  }
  std::atomic<std::uint16_t>& distance() const { return nodes_->distance[lane_]; }
  std::uint16_t& child_count() const { return nodes_->child_count[lane_]; }
  std::atomic<Proof>& proof() const { return nodes_->proof[lane_]; }
  // Claims the right to expand it; false if another thread has it, or it is expanded.
  bool claim() const {
    return (nodes_->expanding.fetch_or(bit(), std::memory_order_acq_rel) & bit()) == 0;
  }
  void unclaim() const {
    nodes_->expanding.fetch_and(static_cast<std::uint8_t>(~bit()), std::memory_order_acq_rel);
  }
  Side credited() const { return static_cast<Side>((nodes_->credited >> lane_) & 1); }
  void credit(Side side) const {
    nodes_->credited = static_cast<std::uint8_t>((nodes_->credited & ~bit()) | (index(side) << lane_));
  }
  std::uint16_t& prior() const { return nodes_->prior[lane_]; }
  Side& turn() const { return nodes_->turn[lane_]; }

 private:
  std::uint8_t bit() const { return static_cast<std::uint8_t>(1 << lane_); }

  Nodes* nodes_ = nullptr;
  std::uint32_t lane_ = 0;
};

}  // namespace pinchtp
