// The memory of a search tree: one array of nodes, handed out in blocks of children.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "../types.hpp"
#include "search.hpp"

namespace pinchtp {

// A choice in the tree: the move, its statistics, and where the answers to it are. Statistics count
// for `credited`, the side whose win the chooser of the move wants.
struct Node {
  std::atomic<std::uint32_t> visits{0};
  std::atomic<std::uint32_t> score{0};  // two for a win, one for a draw
  std::atomic<std::uint32_t> amaf_visits{0};
  std::atomic<std::uint32_t> amaf_score{0};
  std::atomic<std::uint32_t> children{0};  // number of the first child in the arena; 0: none yet
  std::uint16_t child_count = 0;           // valid once `children` is set
  Move move = kNoMove;
  std::atomic<std::uint16_t> distance{0};  // moves to the proven end
  std::atomic<Proof> proof{Proof::open};
  std::atomic<bool> expanding{false};
  bool shares = false;  // in all-moves-as-first statistics
  Side credited = Side::first;
  Side turn = Side::first;  // who chooses among the children; valid once `children` is set
};
static_assert(sizeof(Node) == 32, "the memory limit counts 32 bytes a node");

// Nodes live in blocks: all children of one node, side by side. A block of a discarded subtree is
// taken apart only when its memory is wanted again, so that discarding costs nothing.
class Arena {
 public:
  // Reserves address space for `bytes` of nodes, or less if the system does not grant that much; pages
  // become resident as they are first used. Throws std::bad_alloc if there is next to nothing.
  explicit Arena(std::size_t bytes)
      : capacity_(static_cast<std::uint32_t>(std::min(bytes / sizeof(Node), kMost))) {
    while (!nodes_ && capacity_ > kLeast) {
      nodes_.reset(static_cast<Node*>(std::malloc(std::size_t{capacity_} * sizeof(Node))));
      if (!nodes_) capacity_ /= 2;
    }
    if (!nodes_) throw std::bad_alloc();
  }

  Node& operator[](std::uint32_t number) { return nodes_.get()[number]; }
  const Node& operator[](std::uint32_t number) const { return nodes_.get()[number]; }

  // A block of `count` fresh nodes, or 0 when the memory is used up. Safe to call from any thread.
  std::uint32_t allocate(std::uint32_t count) {
    const std::lock_guard lock(mutex_);
    const std::uint32_t size = size_class(count);
    std::uint32_t block = take_free(size);
    while (block == 0 && !garbage_.empty()) {
      take_apart();
      block = take_free(size);
    }
    if (block == 0 && next_ + size * kClassStep <= capacity_) {
      block = next_;
      next_ += size * kClassStep;
    }
    if (block != 0) {
      used_ += count;
      for (std::uint32_t i = 0; i < count; ++i) new (&(*this)[block + i]) Node();
    }
    return block;
  }

  // Gives back a block and everything below it.
  void discard(std::uint32_t block, std::uint32_t count) {
    const std::lock_guard lock(mutex_);
    if (block != 0) garbage_.push_back({block, count});
  }

  // Nodes handed out and not yet reclaimed.
  std::uint32_t used() const { return used_; }

 private:
  struct Block {
    std::uint32_t first;
    std::uint32_t count;
  };
  static constexpr std::size_t kMost = 0xffffff00;
  static constexpr std::uint32_t kLeast = 8192;
  // Block sizes are multiples of this, so that a block can serve again at a later ply.
  static constexpr std::uint32_t kClassStep = 8;
  static constexpr std::uint32_t kClasses = (kPoints + 2) / kClassStep + 2;

  static std::uint32_t size_class(std::uint32_t count) { return (count + kClassStep - 1) / kClassStep; }

  // The smallest free block that is large enough; what it has too much stays free. Free blocks of a
  // class are chained through `children` of their first node.
  std::uint32_t take_free(std::uint32_t size) {
    for (std::uint32_t larger = size; larger < kClasses; ++larger)
      if (const std::uint32_t block = free_[larger]; block != 0) {
        free_[larger] = (*this)[block].children;
        if (larger > size) put_free(block + size * kClassStep, larger - size);
        return block;
      }
    return 0;
  }

  void put_free(std::uint32_t block, std::uint32_t size) {
    (*this)[block].children = free_[size];
    free_[size] = block;
  }

  void take_apart() {
    const Block block = garbage_.back();
    garbage_.pop_back();
    for (std::uint32_t i = 0; i < block.count; ++i) {
      const Node& node = (*this)[block.first + i];
      if (node.children != 0) garbage_.push_back({node.children, node.child_count});
    }
    put_free(block.first, size_class(block.count));
    used_ -= block.count;
  }

  struct Release {
    void operator()(Node* nodes) const { std::free(nodes); }
  };

  std::uint32_t capacity_;
  std::unique_ptr<Node, Release> nodes_;
  std::uint32_t next_ = 1;               // 0 means none
  std::atomic<std::uint32_t> used_ = 0;  // read by reports while threads allocate
  std::uint32_t free_[kClasses] = {};
  std::vector<Block> garbage_;
  std::mutex mutex_;
};

}  // namespace pinchtp
