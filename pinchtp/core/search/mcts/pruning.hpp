// Frees memory when it is full: the least visited nodes lose their children.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../search.hpp"
#include "arena.hpp"
#include "nodes.hpp"

namespace pinchtp {

// Nodes that lose their children keep their statistics and what is proven of them, and are expanded
// again at their next visit. No other thread may be in the tree meanwhile.
class Pruning {
 public:
  // Ends early once `stop` is set; the tree is valid then, and may have been pruned in part.
  Pruning(Arena& arena, const std::atomic<bool>& stop) : arena_(arena), stop_(stop) {}

  // Makes about half of the tree's memory free. Returns the least number of visits of a node that keeps
  // its children.
  std::uint32_t prune(Node root) {
    count(root);
    std::uint64_t all = 0;
    for (const std::uint64_t blocks : blocks_by_worth_) all += blocks;
    std::uint64_t freed = 0;
    while (limit_ < kWorths && 2 * freed < all) freed += blocks_by_worth_[limit_++];
    drop(root);
    arena_.coalesce(stop_);
    const float least =
        std::bit_cast<float>(kBitsOfOne + static_cast<std::uint32_t>(limit_ << kCoarseBits)) - 1;
    return static_cast<std::uint32_t>(std::min<double>(least, UINT32_MAX));  // proofs are worth more
  }

 private:
  // Numbers of visits fall into classes, eight for each power of two.
  static constexpr int kFineBits = 3;
  static constexpr std::size_t kWorths = 40 << kFineBits;
  static constexpr int kCoarseBits = 23 - kFineBits;  // of a float, that are left out
  static constexpr auto kBitsOfOne = std::bit_cast<std::uint32_t>(1.0F);

  // A proven node is worth more than its visits, which end with the proof.
  static constexpr float kProofFactor = 16;

  bool is_stopped() const { return stop_.load(std::memory_order_relaxed); }

  static std::size_t worth(Node node) {
    const auto visits = static_cast<float>(node.visits().load(std::memory_order_relaxed));
    const float worth = 1 + visits * (node.proof() == Proof::unknown ? 1 : kProofFactor);
    return (std::bit_cast<std::uint32_t>(worth) - kBitsOfOne) >> kCoarseBits;
  }

  // Below a proven node only the proof matters.
  static bool is_useful(Node child, Node parent) {
    return parent.proof() == Proof::unknown || child.proof() != Proof::unknown;
  }

  void count(Node parent) {
    for (const Node child : arena_.children(parent)) {
      if (is_stopped()) return;
      if (!child.is_expanded()) continue;
      blocks_by_worth_[is_useful(child, parent) ? worth(child) : 0] += arena_.children(child).size();
      count(child);
    }
  }

  void drop(Node parent) {
    for (const Node child : arena_.children(parent)) {
      if (is_stopped()) return;
      if (!child.is_expanded()) continue;
      if (is_useful(child, parent) && worth(child) >= limit_) {
        drop(child);
      } else {
        arena_.discard(arena_.children(child));
        child.children() = 0;
        child.set_child_count(0, child.turn());  // it may be the root by its next visit
        child.unclaim();
      }
    }
  }

  Arena& arena_;
  const std::atomic<bool>& stop_;
  std::array<std::uint64_t, kWorths> blocks_by_worth_{};  // of the children of each class
  std::size_t limit_ = 0;                                 // below it, nodes lose their children
};

}  // namespace pinchtp
