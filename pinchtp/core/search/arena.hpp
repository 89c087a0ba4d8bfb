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
#include "nodes.hpp"

namespace pinchtp {

// Nodes live in blocks: all children of one node, side by side, beginning with a new eight. A block of
// a discarded subtree is taken apart only when its memory is wanted again, so that discarding costs
// nothing. Fresh memory is handed out without a lock; only what was discarded is guarded by one.
class Arena {
 public:
  // Reserves address space for `bytes` of nodes, or less if the system does not grant that much; pages
  // become resident as they are first used. Throws std::bad_alloc if there is next to nothing.
  explicit Arena(std::size_t bytes)
      : capacity_(static_cast<std::uint32_t>(std::min(bytes / sizeof(Nodes), kMost))) {
    while (!eights_ && capacity_ > kLeast) {
      eights_.reset(static_cast<Nodes*>(std::aligned_alloc(alignof(Nodes), capacity_ * sizeof(Nodes))));
      if (!eights_) capacity_ /= 2;
    }
    if (!eights_) throw std::bad_alloc();
  }

  // The node of that number, and the eight it is one of.
  Node operator[](std::uint32_t number) const { return {eight(number), number % Nodes::kLanes}; }
  Nodes& eight(std::uint32_t number) const { return eights_.get()[number / Nodes::kLanes]; }

  // The number of the first of `count` fresh nodes, or 0 when the memory is used up. What fills up their
  // last eight is shut. Safe to call from any thread.
  std::uint32_t allocate(std::uint32_t count) {
    const std::uint32_t size = size_of(count);
    std::uint32_t block = has_discarded_ ? reuse(size) : 0;
    if (block == 0) block = extend(size);
    if (block == 0) return 0;
    used_ += count;
    for (std::uint32_t i = 0; i < size; ++i) new (&eights_.get()[block + i]) Nodes();
    const std::uint32_t first = block * Nodes::kLanes;
    for (std::uint32_t i = count; i < size * Nodes::kLanes; ++i) (*this)[first + i].shut() = true;
    return first;
  }

  // Gives back a block, by its first node and the number of nodes, and everything below it.
  void discard(std::uint32_t first, std::uint32_t count) {
    if (first == 0) return;
    const std::lock_guard lock(mutex_);
    garbage_.push_back({first, count});
    has_discarded_ = true;
  }

  // Nodes handed out and not yet reclaimed.
  std::uint32_t used() const { return used_; }

 private:
  struct Garbage {
    std::uint32_t first;
    std::uint32_t count;
  };
  // The rest counts in eights: places and sizes of blocks, and the capacity.
  static constexpr std::size_t kMost = 0xffffff00 / Nodes::kLanes;
  static constexpr std::uint32_t kLeast = 1024;
  static constexpr std::uint32_t kSizes = (kPoints + 2) / Nodes::kLanes + 2;

  static std::uint32_t size_of(std::uint32_t count) {
    return (count + Nodes::kLanes - 1) / Nodes::kLanes;
  }

  std::uint32_t extend(std::uint32_t size) {
    std::uint32_t block = next_;
    do {
      if (block + size > capacity_) return 0;
    } while (!next_.compare_exchange_weak(block, block + size));
    return block;
  }

  std::uint32_t reuse(std::uint32_t size) {
    const std::lock_guard lock(mutex_);
    std::uint32_t block = take_free(size);
    while (block == 0 && !garbage_.empty()) {
      take_apart();
      block = take_free(size);
    }
    return block;
  }

  // The smallest free block that is large enough; what it has too much stays free. Free blocks of a
  // size are chained through `children` of their first node.
  std::uint32_t take_free(std::uint32_t size) {
    for (std::uint32_t larger = size; larger < kSizes; ++larger)
      if (const std::uint32_t block = free_[larger]; block != 0) {
        free_[larger] = link_of(block);
        if (larger > size) put_free(block + size, larger - size);
        return block;
      }
    return 0;
  }

  void put_free(std::uint32_t block, std::uint32_t size) {
    link_of(block) = free_[size];
    free_[size] = block;
  }

  void take_apart() {
    const Garbage block = garbage_.back();
    garbage_.pop_back();
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      const Node node = (*this)[i];
      if (node.children() != 0) garbage_.push_back({node.children(), node.child_count()});
    }
    put_free(block.first / Nodes::kLanes, size_of(block.count));
    used_ -= block.count;
  }

  std::atomic<std::uint32_t>& link_of(std::uint32_t block) const {
    return eights_.get()[block].children[0];
  }

  struct Release {
    void operator()(Nodes* eights) const { std::free(eights); }
  };

  std::uint32_t capacity_;
  std::unique_ptr<Nodes, Release> eights_;
  std::atomic<std::uint32_t> next_ = 1;  // 0 means none
  std::atomic<std::uint32_t> used_ = 0;
  std::atomic<bool> has_discarded_ = false;
  std::mutex mutex_;  // of the two below
  std::uint32_t free_[kSizes] = {};
  std::vector<Garbage> garbage_;
};

}  // namespace pinchtp
