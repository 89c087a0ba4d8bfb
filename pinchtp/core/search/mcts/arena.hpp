// The memory of a search tree: one array of blocks, allocated in spans.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "../../memory.hpp"
#include "../../types.hpp"
#include "nodes.hpp"
#include "stop_check.hpp"

#if defined(_WIN32)
#include <malloc.h>
#endif

namespace pinchtp {

// A move and its prior.
struct Edge {
  Move move;
  std::uint16_t prior;  // of kPriorUnit
};

// Without priors, the children of a node are a span of blocks. With priors, the span contains the
// edges to all children, sorted by prior, the indices of their blocks, and the other data of the
// parent that selection reads. Only the first children, as far as selection has reached, have a
// block; most nodes have none.
//
// A discarded subtree is freed only when its memory is needed, so discarding costs nothing. There
// are no locks: the end of the used part and the tops of the stacks of free spans are changed by
// compare-and-exchange.
class Arena {
 public:
  // Reserves address space for `bytes` of blocks, or less if the system does not allow it; pages
  // become resident on first use. Throws std::bad_alloc if even a small reservation fails.
  Arena(std::size_t bytes, bool has_priors)
      : has_edges_(has_priors),
        block_bytes_(has_priors ? sizeof(NodeBlock) : sizeof(AmafBlock)),
        capacity_(static_cast<std::uint32_t>(
            std::min<std::size_t>(bytes / (block_bytes_ + sizeof(Link)), kMax))) {
    while (!memory_ && capacity_ > kMin) {
      memory_.reset(reserve(capacity_));
      if (!memory_) capacity_ /= 2;
    }
    if (!memory_) throw std::bad_alloc();
    blocks_ = static_cast<std::byte*>(memory_.get());
    links_ = reinterpret_cast<Link*>(blocks_ + capacity_ * block_bytes_);
  }

  // The children of a node. Iterates over those that have been reached.
  class Children {
   public:
    Children(const Arena& arena, std::uint32_t span, std::uint32_t count, Side turn)
        : arena_(&arena), span_(span), count_(count), turn_(turn) {}

    explicit operator bool() const { return span_ != 0; }
    std::uint32_t span() const { return span_; }
    std::uint32_t count() const { return count_; }
    Side turn() const { return turn_; }  // the side that chooses among them
    std::uint32_t groups() const { return blocks_of(count_); }

    // The number of children that have nodes: the first ones.
    std::uint32_t reached() const {
      if (!arena_->has_edges_) return count_;
      std::uint32_t group = 0;
      while (group < groups() && block(group)) ++group;
      return std::min(group * NodeBlock::kLanes, count_);
    }
    // A block of eight nodes; null if they have not been reached.
    NodeBlock* block(std::uint32_t group) const {
      if (!arena_->has_edges_) return &arena_->block(span_ + group);
      const std::uint32_t number =
          arena_->numbers(span_, count_)[group].load(std::memory_order_acquire);
      return number == 0 ? nullptr : &arena_->block(number);
    }
    // A block in a tree without priors; never null.
    AmafBlock* amaf_block(std::uint32_t group) const {
      return reinterpret_cast<AmafBlock*>(arena_->blocks_) + span_ + group;
    }
    Node operator[](std::uint32_t i) const {
      return {*block(i / NodeBlock::kLanes), i % NodeBlock::kLanes};
    }
    // The edges to all children, in trees with priors.
    std::span<Edge> edges() const { return {arena_->edges(span_), arena_->has_edges_ ? count_ : 0}; }
    Edge edge(std::uint32_t i) const {
      return arena_->has_edges_ ? edges()[i] : Edge{(*this)[i].move(), 0};
    }
    // The sum of the squares of the first side's scores at the parent, in trees with priors.
    std::atomic<std::uint64_t>& squares() const { return arena_->squares(span_, count_); }
    // The size of their memory, in blocks.
    std::uint32_t size() const {
      return arena_->size_of(count_) + (arena_->has_edges_ ? blocks_of(reached()) : 0);
    }

    struct Iterator {
      const Children* children;
      std::uint32_t number;
      Node operator*() const { return (*children)[number]; }
      Iterator& operator++() { return ++number, *this; }
      friend bool operator==(const Iterator&, const Iterator&) = default;
    };
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, reached()}; }

   private:
    const Arena* arena_;
    std::uint32_t span_;
    std::uint32_t count_;
    Side turn_;
  };

  Children children(Node node) const {
    const std::uint32_t span = node.children().load(std::memory_order_acquire);
    return {*this, span, span == 0 ? 0 : node.child_count(), node.turn()};
  }

  // Memory reserved by one thread for its next spans, so that threads rarely contend for the
  // counters of the arena.
  class ThreadCache {
   public:
    explicit ThreadCache(Arena& arena) : arena_(arena) {}
    ThreadCache(const ThreadCache&) = delete;
    ThreadCache& operator=(const ThreadCache&) = delete;
    ~ThreadCache() { give_back(); }

   private:
    friend class Arena;
    static constexpr std::uint32_t kBlocks = 256;  // 48 or 64 KB

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

  // Allocates children; null if memory is used up. With priors, none of them is reached yet. Any
  // thread may call this with its own cache.
  Children allocate(std::span<const Edge> moves, Side turn, ThreadCache& cache) {
    const auto count = static_cast<std::uint32_t>(moves.size());
    const std::uint32_t span = take(size_of(count), cache);
    const Children children(*this, span, count, turn);
    if (!children) return children;
    used_.fetch_add(count, std::memory_order_relaxed);
    if (!has_edges_) {
      for (std::uint32_t i = 0; i < count; i += NodeBlock::kLanes)
        fill(*new (&block(span + i / NodeBlock::kLanes)) AmafBlock(), moves.subspan(i), turn);
    } else {
      std::uninitialized_copy(moves.begin(), moves.end(), edges(span));
      std::uninitialized_value_construct_n(numbers(span, count), children.groups());
      new (&children.squares()) std::atomic<std::uint64_t>(0);
    }
    return children;
  }

  // The nodes of a group of eight children, allocated if they have not been reached; null if memory
  // is used up. The groups before it must have been reached.
  NodeBlock* reach(const Children& children, std::uint32_t group, ThreadCache& cache) {
    if (NodeBlock* const known = children.block(group)) return known;
    const std::uint32_t number = take(1, cache);
    if (number == 0) return nullptr;
    NodeBlock* const made = new (&block(number)) NodeBlock();
    fill(*made, children.edges().subspan(group * NodeBlock::kLanes), children.turn());
    std::uint32_t none = 0;
    if (numbers(children.span(), children.count())[group].compare_exchange_strong(
            none, number, std::memory_order_acq_rel))
      return made;
    push(free_[1], number);  // another thread was quicker
    return &block(none);
  }
  // Reaches all children; false if memory is used up.
  bool reach_all(const Children& children, ThreadCache& cache) {
    for (std::uint32_t group = 0; group < children.groups(); ++group)
      if (!reach(children, group, cache)) return false;
    return true;
  }

  // Discards children and everything below them.
  void discard(const Children& children) {
    if (!children) return;
    links_[children.span()].count = children.count();
    push(garbage_, children.span());
  }

  // Breaks up all discarded spans and merges adjacent free ones, until `stop` is due; the next call
  // continues. Returns whether this is complete. No other thread may use the arena during a call,
  // and nothing may be discarded between two calls once is_coalescing().
  bool coalesce(StopCheck& stop) {
    if (!is_coalescing()) {
      do {
        if (stop.is_due()) return false;
      } while (break_up_one());
      coalescing_ = {.stage = Coalescing::clear, .end = next_};
    }
    if (!merge_free_spans(stop)) return false;
    coalescing_ = {};
    return true;
  }
  bool is_coalescing() const { return coalescing_.stage != Coalescing::none; }

  // Children in use, reached or not.
  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  // For each span in a stack: the next span below it (0: none), and if it is garbage, its number of
  // nodes.
  struct Link {
    std::atomic<std::uint32_t> below;
    std::uint32_t count;
  };
  // The top span, and in the upper half a change counter: a thread that has read the top must
  // detect if it was popped and pushed again (ABA; R. K. Treiber, 1986; IBM's free list).
  using Stack = std::atomic<std::uint64_t>;

  static constexpr std::size_t kMax = 0xffffff00;
  static constexpr std::uint32_t kMin = 1024;
  static constexpr std::uint32_t kSizes = (kPoints + 2) / NodeBlock::kLanes + 2;

  // Blocks are in huge pages. Since a huge page takes some 130 us to allocate, the first blocks,
  // which are enough for short searches, and the links have small pages.
  void* reserve(std::size_t blocks) const {
    const std::size_t bytes =
        (blocks * (block_bytes_ + sizeof(Link)) + kHugePage - 1) / kHugePage * kHugePage;
#if defined(_WIN32)
    void* memory = _aligned_malloc(bytes, kHugePage);
#else
    void* memory = std::aligned_alloc(kHugePage, bytes);
#endif
    const std::size_t block_bytes = blocks * block_bytes_;
    if (memory && block_bytes > kHugePage)
      advise_huge_pages(static_cast<std::byte*>(memory) + kHugePage, block_bytes - kHugePage);
    return memory;
  }

  NodeBlock& block(std::uint32_t number) const {
    return *reinterpret_cast<NodeBlock*>(blocks_ + number * block_bytes_);
  }
  Edge* edges(std::uint32_t span) const { return reinterpret_cast<Edge*>(&block(span)); }
  // The indices of the blocks of eight children, after the edges; 0 if not reached.
  std::atomic<std::uint32_t>* numbers(std::uint32_t span, std::uint32_t count) const {
    return reinterpret_cast<std::atomic<std::uint32_t>*>(edges(span) + count);
  }
  // The sum of squares, at the end of the span.
  std::atomic<std::uint64_t>& squares(std::uint32_t span, std::uint32_t count) const {
    return reinterpret_cast<std::atomic<std::uint64_t>*>(&block(span + size_of(count)))[-1];
  }

  static std::uint32_t blocks_of(std::uint32_t nodes) {
    return (nodes + NodeBlock::kLanes - 1) / NodeBlock::kLanes;
  }
  // The size of the span for `count` children.
  std::uint32_t size_of(std::uint32_t count) const {
    if (!has_edges_) return blocks_of(count);
    const std::size_t bytes =
        count * sizeof(Edge) + blocks_of(count) * sizeof(std::uint32_t) + sizeof(std::uint64_t);
    return static_cast<std::uint32_t>((bytes + sizeof(NodeBlock) - 1) / sizeof(NodeBlock));
  }

  // Initializes the nodes of up to eight moves; unused lanes are masked.
  static void fill(NodeBlock& block, std::span<const Edge> moves, Side turn) {
    block.value_side = turn == Side::second ? 0xff : 0;
    for (std::uint32_t i = 0; i < NodeBlock::kLanes; ++i)
      if (i < moves.size())
        block.move[i] = moves[i].move;
      else
        Node(block, i).set_masked(true);
  }

  // Allocates a span of that size; 0 if memory is used up.
  std::uint32_t take(std::uint32_t size, ThreadCache& cache) {
    const std::uint32_t span = reuse(size);
    return span != 0 ? span : cache.take(size);
  }

  std::uint32_t extend(std::uint32_t size) {
    std::uint32_t span = next_;
    do {
      if (size > capacity_ - span) return 0;
    } while (!next_.compare_exchange_weak(span, span + size));
    return span;
  }

  std::uint32_t reuse(std::uint32_t size) {
    for (;;) {
      if (const std::uint32_t span = take_free(size); span != 0) return span;
      if (!break_up_one()) return 0;
    }
  }

  // Breaks up one discarded span; false if there is none.
  bool break_up_one() {
    const std::uint32_t span = pop(garbage_);
    if (span != 0) break_up(span, links_[span].count);
    return span != 0;
  }

  // Takes the smallest free span that is large enough; the rest of it stays free.
  std::uint32_t take_free(std::uint32_t size) {
    for (std::uint32_t larger = size; larger < kSizes; ++larger)
      if (const std::uint32_t span = pop(free_[larger]); span != 0) {
        if (larger > size) push(free_[larger - size], span + size);
        return span;
      }
    return 0;
  }

  void break_up(std::uint32_t span, std::uint32_t count) {
    const Children discarded(*this, span, count, Side::first);
    for (const Node child : discarded) discard(children(child));
    if (has_edges_)
      for (std::uint32_t group = 0; group < discarded.groups(); ++group)
        if (const std::uint32_t number = numbers(span, count)[group]; number != 0)
          push(free_[1], number);
    push(free_[size_of(count)], span);
    used_.fetch_sub(count, std::memory_order_relaxed);
  }

  bool merge_free_spans(StopCheck& stop) {
    if (coalescing_.stage == Coalescing::clear) {
      if (!clear_counts(stop)) return false;
      coalescing_.stage = Coalescing::mark;
    }
    if (coalescing_.stage == Coalescing::mark) {
      if (!mark_free_spans(stop)) return false;
      coalescing_.stage = Coalescing::push;
      coalescing_.place = 1;
    }
    return push_merged_spans(stop);
  }

  bool clear_counts(StopCheck& stop) {
    for (; coalescing_.place < coalescing_.end; ++coalescing_.place) {
      if (stop.is_due()) return false;
      links_[coalescing_.place].count = 0;
    }
    return true;
  }

  // Pops all free spans and stores their sizes in their links.
  bool mark_free_spans(StopCheck& stop) {
    for (; coalescing_.size < kSizes; ++coalescing_.size)
      while (const std::uint32_t span = pop(free_[coalescing_.size])) {
        links_[span].count = coalescing_.size;
        if (stop.is_due()) return false;
      }
    return true;
  }

  bool push_merged_spans(StopCheck& stop) {
    const std::uint32_t end = coalescing_.end;
    while (coalescing_.place < end) {
      if (stop.is_due()) return false;
      const std::uint32_t place = coalescing_.place;
      std::uint32_t size = 0;
      while (size < kLongestMerged && place + size < end && links_[place + size].count != 0)
        size += links_[place + size].count;
      for (std::uint32_t left = size; left > 0;) {
        const std::uint32_t part = std::min(left, kSizes - 1);
        left -= part;
        push(free_[part], place + left);
      }
      coalescing_.place += std::max(size, 1U);
    }
    return true;
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

  // Pops the top span; 0 if the stack is empty.
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
#if defined(_WIN32)
    void operator()(void* memory) const { _aligned_free(memory); }
#else
    void operator()(void* memory) const { std::free(memory); }
#endif
  };

  // The progress of merge_free_spans().
  struct Coalescing {
    enum Stage { none, clear, mark, push } stage = none;
    std::uint32_t end = 0;    // of the blocks in use at the start
    std::uint32_t place = 1;  // next block to clear, then to push
    std::uint32_t size = 1;   // of the free spans being marked
  };
  static constexpr std::uint32_t kLongestMerged = 1 << 12;  // blocks merged in one step

  bool has_edges_;
  std::size_t block_bytes_;
  std::uint32_t capacity_;                 // in blocks, like all numbers and sizes of spans
  std::unique_ptr<void, Release> memory_;  // the blocks, followed by the links
  std::byte* blocks_;
  Link* links_;
  // Fields that threads change, on other cache lines than those that they only read.
  alignas(64) std::atomic<std::uint32_t> next_ = 1;  // 0 stands for none
  std::atomic<std::uint64_t> used_ = 0;
  Stack garbage_ = 0;
  Stack free_[kSizes] = {};  // by size
  Coalescing coalescing_;
};

}  // namespace pinchtp
