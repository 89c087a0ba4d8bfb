// The memory of a search tree: one array of nodes, handed out in spans of children.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "../../types.hpp"
#include "nodes.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace pinchtp {

// Nodes lie in spans: all children of one node, side by side, beginning with a new block. A discarded
// subtree is freed only when its memory is needed, so that discarding costs nothing. There are no
// locks: the end of the used part and the tops of the stacks of free spans are changed by compare and
// exchange.
class Arena {
 public:
  // Reserves address space for `bytes` of nodes, or less if the system refuses; pages become resident
  // on first use. Throws std::bad_alloc if even a little is refused.
  explicit Arena(std::size_t bytes)
      : capacity_(static_cast<std::uint32_t>(std::min(bytes / kBytesPerBlock, kMax))) {
    while (!memory_ && capacity_ > kMin) {
      memory_.reset(reserve(capacity_));
      if (!memory_) capacity_ /= 2;
    }
    if (!memory_) throw std::bad_alloc();
    blocks_ = static_cast<NodeBlock*>(memory_.get());
    links_ = reinterpret_cast<Link*>(blocks_ + capacity_);
  }

  // The node of that number, and the block it is one of.
  Node operator[](std::uint32_t number) const { return {block(number), number % NodeBlock::kLanes}; }
  NodeBlock& block(std::uint32_t number) const { return blocks_[number / NodeBlock::kLanes]; }

  // The children of a node, to be iterated over.
  struct Children {
    struct Iterator {
      const Arena* arena;
      std::uint32_t number;
      Node operator*() const { return (*arena)[number]; }
      Iterator& operator++() { return ++number, *this; }
      friend bool operator==(const Iterator&, const Iterator&) = default;
    };
    Iterator first;
    Iterator last;
    Iterator begin() const { return first; }
    Iterator end() const { return last; }
  };
  Children children(Node node) const {
    const std::uint32_t first = node.children();
    return {{this, first}, {this, first + node.child_count()}};
  }

  // Memory that one thread has reserved for its next spans, so that threads seldom contend for the
  // counters of the arena.
  class ThreadCache {
   public:
    explicit ThreadCache(Arena& arena) : arena_(arena) {}
    ThreadCache(const ThreadCache&) = delete;
    ThreadCache& operator=(const ThreadCache&) = delete;
    ~ThreadCache() { give_back(); }

   private:
    friend class Arena;
    static constexpr std::uint32_t kBlocks = 256;  // 64 KB

    std::uint32_t take(std::uint32_t size) {
      if (size > left_) refill(size);
      if (size > left_) return 0;
      left_ -= size;
      return std::exchange(next_, next_ + size);
    }

    void refill(std::uint32_t least) {
      give_back();
      for (const std::uint32_t size : {std::max(least, kBlocks), least}) {
        next_ = arena_.extend(size);
        if (next_ != 0) {
          left_ = size;
          return;
        }
      }
    }

    void give_back() {
      while (left_ > 0) {
        const std::uint32_t size = std::min(left_, kSizes - 1);
        left_ -= size;
        arena_.push(arena_.free_[size], next_ + left_);
      }
    }

    Arena& arena_;
    std::uint32_t next_ = 0;
    std::uint32_t left_ = 0;
  };

  // The number of the first of `count` new nodes, or 0 when memory is used up. The lanes that are left
  // over in their last block are masked. Can be called by any thread, with a cache of its own.
  std::uint32_t allocate(std::uint32_t count, ThreadCache& cache) {
    const std::uint32_t size = size_of(count);
    std::uint32_t span = reuse(size);
    if (span == 0) span = cache.take(size);
    if (span == 0) return 0;
    used_.fetch_add(count, std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < size; ++i) new (&blocks_[span + i]) NodeBlock();
    const std::uint32_t first = span * NodeBlock::kLanes;
    for (std::uint32_t i = count; i < size * NodeBlock::kLanes; ++i)
      (*this)[first + i].set_masked(true);
    return first;
  }

  // Discards a span, given by its first node and number of nodes, and everything below it.
  void discard(std::uint32_t first, std::uint32_t count) {
    if (first == 0) return;
    links_[first / NodeBlock::kLanes].count = count;
    push(garbage_, first / NodeBlock::kLanes);
  }

  // Takes all discarded spans apart and coalesces adjacent free ones, unless `stop` is set first. No
  // other thread may use the arena meanwhile.
  void coalesce(const std::atomic<bool>& stop) {
    while (!stop.load(std::memory_order_relaxed))
      if (!take_apart_one()) return join_free_spans();
  }

  // Nodes in use.
  std::uint32_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  // Places and sizes of spans, and the capacity, count in blocks from here on.

  // For each span in a stack: the span below it (0: none), and if it is garbage, its number of nodes.
  struct Link {
    std::atomic<std::uint32_t> below;
    std::uint32_t count;
  };
  // The uppermost span, and in the upper half the number of changes: a thread that was looking at the
  // uppermost span must notice if it left and came back (R. K. Treiber, 1986; IBM's free list).
  using Stack = std::atomic<std::uint64_t>;

  static constexpr std::size_t kBytesPerBlock = sizeof(NodeBlock) + sizeof(Link);
  static constexpr std::size_t kMax = 0xffffff00 / NodeBlock::kLanes;
  static constexpr std::uint32_t kMin = 1024;
  static constexpr std::uint32_t kSizes = (kPoints + 2) / NodeBlock::kLanes + 2;
  static constexpr std::size_t kPage = std::size_t{2} << 20;

  // Nodes are in huge pages where the system has them: a search accesses all of its memory at
  // random. But a huge page takes some 130 us to get, so the first nodes, which are enough for short
  // searches, and the links have small pages.
  static void* reserve(std::size_t blocks) {
    void* memory = std::aligned_alloc(kPage, (blocks * kBytesPerBlock + kPage - 1) / kPage * kPage);
#if defined(__linux__)
    const std::size_t pages = blocks * sizeof(NodeBlock) / kPage;
    if (memory && pages > 1)
      madvise(static_cast<std::byte*>(memory) + kPage, (pages - 1) * kPage, MADV_HUGEPAGE);
#endif
    return memory;
  }

  static std::uint32_t size_of(std::uint32_t count) {
    return (count + NodeBlock::kLanes - 1) / NodeBlock::kLanes;
  }

  std::uint32_t extend(std::uint32_t size) {
    std::uint32_t span = next_;
    do {
      if (span + size > capacity_) return 0;
    } while (!next_.compare_exchange_weak(span, span + size));
    return span;
  }

  std::uint32_t reuse(std::uint32_t size) {
    for (;;) {
      if (const std::uint32_t span = take_free(size); span != 0) return span;
      if (!take_apart_one()) return 0;
    }
  }

  // False if there is no garbage.
  bool take_apart_one() {
    const std::uint32_t span = pop(garbage_);
    if (span != 0) take_apart(span, links_[span].count);
    return span != 0;
  }

  // The smallest free span that is large enough; the rest of it stays free.
  std::uint32_t take_free(std::uint32_t size) {
    for (std::uint32_t larger = size; larger < kSizes; ++larger)
      if (const std::uint32_t span = pop(free_[larger]); span != 0) {
        if (larger > size) push(free_[larger - size], span + size);
        return span;
      }
    return 0;
  }

  void take_apart(std::uint32_t span, std::uint32_t count) {
    const std::uint32_t first = span * NodeBlock::kLanes;
    for (std::uint32_t i = first; i < first + count; ++i)
      discard((*this)[i].children(), (*this)[i].child_count());
    push(free_[size_of(count)], span);
    used_.fetch_sub(count, std::memory_order_relaxed);
  }

  void join_free_spans() {
    const std::uint32_t end = next_;
    for (std::uint32_t place = 1; place < end; ++place) links_[place].count = 0;
    for (std::uint32_t size = 1; size < kSizes; ++size)
      while (const std::uint32_t span = pop(free_[size])) links_[span].count = size;
    for (std::uint32_t place = 1; place < end;) {
      std::uint32_t size = 0;
      while (place + size < end && links_[place + size].count != 0) size += links_[place + size].count;
      for (std::uint32_t left = size; left > 0;) {
        const std::uint32_t part = std::min(left, kSizes - 1);
        left -= part;
        push(free_[part], place + left);
      }
      place += std::max(size, 1U);
    }
  }

  static constexpr std::uint64_t kOneChange = std::uint64_t{1} << 32;

  void push(Stack& stack, std::uint32_t span) {
    std::uint64_t top = stack.load(std::memory_order_relaxed);
    std::uint64_t changed;
    do {
      links_[span].below.store(static_cast<std::uint32_t>(top), std::memory_order_relaxed);
      changed = (top / kOneChange + 1) * kOneChange + span;
    } while (!stack.compare_exchange_weak(top, changed, std::memory_order_release,
                                          std::memory_order_relaxed));
  }

  // The uppermost span, which leaves the stack; 0 if there is none.
  std::uint32_t pop(Stack& stack) {
    std::uint64_t top = stack.load(std::memory_order_acquire);
    while (static_cast<std::uint32_t>(top) != 0) {
      const auto span = static_cast<std::uint32_t>(top);
      const std::uint64_t below = links_[span].below.load(std::memory_order_relaxed);
      const std::uint64_t changed = (top / kOneChange + 1) * kOneChange + below;
      if (stack.compare_exchange_weak(top, changed, std::memory_order_acq_rel,
                                      std::memory_order_acquire))
        return span;
    }
    return 0;
  }

  struct Release {
    void operator()(void* memory) const { std::free(memory); }
  };

  std::uint32_t capacity_;
  std::unique_ptr<void, Release> memory_;  // the nodes, and behind them the links
  NodeBlock* blocks_;
  Link* links_;
  // Fields that threads change, apart from those that they only read.
  alignas(64) std::atomic<std::uint32_t> next_ = 1;  // 0 means none
  std::atomic<std::uint32_t> used_ = 0;
  Stack garbage_ = 0;
  Stack free_[kSizes] = {};  // by size
};

}  // namespace pinchtp
