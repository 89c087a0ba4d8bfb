// Frees memory when it is full by removing the children of the least visited nodes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../search.hpp"
#include "arena.hpp"
#include "nodes.hpp"
#include "stop_check.hpp"

namespace pinchtp {

// Frees about half of a tree's memory, in parts. Nodes that lose their children keep their
// statistics and proofs, and are expanded again at their next visit. No thread may be in the tree
// during a part, or change it between two parts; between parts the tree is valid and may be read.
class Pruning {
 public:
  Pruning(Arena& arena, Node root) : arena_(arena), root_(root) { enter(root); }

  // Continues until `stop` is due. Returns whether the pruning is complete.
  bool resume(StopCheck& stop) {
    if (phase_ == Phase::count) {
      if (!walk(stop, [this](Node child, Node parent) { return count(child, parent); })) return false;
      choose_limit();
      enter(root_);
      phase_ = Phase::drop;
    }
    if (phase_ == Phase::drop) {
      if (!walk(stop, [this](Node child, Node parent) { return drop(child, parent); })) return false;
      phase_ = Phase::coalesce;
    }
    return arena_.coalesce(stop);
  }

  // The minimum number of visits of a node that keeps its children, once the pruning is complete.
  std::uint32_t least_visits() const {
    const float least =
        std::bit_cast<float>(kBitsOfOne + static_cast<std::uint32_t>(limit_ << kCoarseBits)) - 1;
    return static_cast<std::uint32_t>(std::min<double>(least, UINT32_MAX));  // proofs can exceed it
  }

 private:
  enum class Phase { count, drop, coalesce };

  // Visit counts fall into classes, eight for each power of two.
  static constexpr int kFineBits = 3;
  static constexpr std::size_t kClasses = 40 << kFineBits;
  static constexpr int kCoarseBits = 23 - kFineBits;  // low bits of a float to drop
  static constexpr auto kBitsOfOne = std::bit_cast<std::uint32_t>(1.0F);

  // A proven node is worth more than its visits, which end with the proof.
  static constexpr float kProofFactor = 16;

  // A node on the path of a walk, and its next child.
  struct Step {
    Node parent;
    Arena::Children children;
    std::uint32_t next;
    std::uint32_t end;
  };

  static std::size_t class_of(Node node) {
    const auto visits = static_cast<float>(node.visits().load(std::memory_order_relaxed));
    const float value = 1 + visits * (node.proof() == Proof::unknown ? 1 : kProofFactor);
    return (std::bit_cast<std::uint32_t>(value) - kBitsOfOne) >> kCoarseBits;
  }

  // Below a proven node only the proof matters.
  static bool is_useful(Node child, Node parent) {
    return parent.proof() == Proof::unknown || child.proof() != Proof::unknown;
  }

  void enter(Node parent) {
    const Arena::Children children = arena_.children(parent);
    path_.push_back({parent, children, 0, children.reached()});
  }

  // Continues a depth-first walk through all nodes that have children. visit(child, parent) returns
  // whether to enter the child. Returns whether the walk is complete.
  bool walk(StopCheck& stop, const auto& visit) {
    while (!path_.empty()) {
      if (stop.is_due()) return false;
      Step& step = path_.back();
      if (step.next == step.end) {
        path_.pop_back();
        continue;
      }
      const Node child = step.children[step.next++];
      if (child.is_expanded() && visit(child, step.parent)) enter(child);
    }
    return true;
  }

  bool count(Node child, Node parent) {
    blocks_by_class_[is_useful(child, parent) ? class_of(child) : 0] += arena_.children(child).size();
    return true;
  }

  void choose_limit() {
    std::uint64_t all = 0;
    for (const std::uint64_t blocks : blocks_by_class_) all += blocks;
    std::uint64_t freed = 0;
    while (limit_ < kClasses && 2 * freed < all) freed += blocks_by_class_[limit_++];
  }

  bool drop(Node child, Node parent) {
    if (is_useful(child, parent) && class_of(child) >= limit_) return true;
    arena_.discard(arena_.children(child));
    child.children() = 0;
    child.set_child_count(0, child.turn());  // it may be the root at its next visit
    child.unclaim();
    return false;
  }

  Arena& arena_;
  Node root_;
  Phase phase_ = Phase::count;
  std::vector<Step> path_;
  std::array<std::uint64_t, kClasses> blocks_by_class_{};  // of the children of each class
  std::size_t limit_ = 0;                                  // lower classes lose their children
};

}  // namespace pinchtp
