// The memory of a search tree: accounting and pruning; and that of a table.
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

#define PINCHTP_INSTRUCTION_SET baseline
#include "check.hpp"
#include "rng.hpp"
#include "search/alpha_beta/table.hpp"
#include "search/mcts/arena.hpp"
#include "search/mcts/proofs.hpp"
#include "search/mcts/pruning.hpp"

namespace {

using namespace pinchtp;

constexpr std::size_t kBytes = std::size_t{1} << 20;
const std::atomic<bool> never{false};

void coalesce(Arena& arena) {
  StopCheck stop(never);
  CHECK(arena.coalesce(stop));
}

std::vector<Edge> edges(std::size_t count) {
  std::vector<Edge> made;
  for (std::size_t i = 0; i < count; ++i)
    made.push_back({static_cast<Move>(i), static_cast<std::uint16_t>(60'000 / (i + 1))});
  return made;
}

// Nodes count from their allocation to their release, by any thread.
void nodes_are_counted_at_once() {
  for (const bool has_priors : {false, true}) {
    Arena arena(kBytes, has_priors);
    Arena::ThreadCache cache(arena);
    const Arena::Children children = arena.allocate(edges(100), Side::first, cache);
    CHECK(arena.used() == 100);
    CHECK(children.reached() == (has_priors ? 0 : 100));
    arena.discard(children);
    coalesce(arena);
    CHECK(arena.used() == 0);
  }
}

// With priors, children get statistics in groups of eight, in the order of the edges.
void children_are_reached_in_order() {
  Arena arena(kBytes, true);
  Arena::ThreadCache cache(arena);
  const std::vector<Edge> all = edges(20);
  const Arena::Children children = arena.allocate(all, Side::second, cache);
  const std::uint32_t record = children.size();
  for (const std::uint32_t group : {0, 1, 2}) {
    NodeBlock* const block = arena.reach(children, group, cache);
    CHECK(block && block == children.block(group) && block == arena.reach(children, group, cache));
    CHECK(children.reached() == std::min(8 * group + 8, 20U));
    CHECK(children.size() == record + group + 1);
  }
  std::uint32_t number = 0;
  for (const Node child : children) {
    CHECK(child.move() == all[number].move && child.value_side() == Side::second);
    CHECK(children.edge(number).prior == all[number].prior);
    CHECK(!child.is_masked() && child.visits() == 0);
    ++number;
  }
  CHECK(number == 20);
  for (std::uint32_t lane = 4; lane < NodeBlock::kLanes; ++lane)
    CHECK(Node(*children.block(2), lane).is_masked());
}

// Threads that reach the same children get the same nodes, and lose no memory.
void threads_reach_children_together() {
  Arena arena(kBytes, true);
  std::vector<Arena::Children> all;
  {
    Arena::ThreadCache cache(arena);
    for (int i = 0; i < 100; ++i) all.push_back(arena.allocate(edges(20), Side::first, cache));
  }
  std::vector<NodeBlock*> found[3];
  std::vector<std::thread> threads;
  for (auto& mine : found)
    threads.emplace_back([&] {
      Arena::ThreadCache cache(arena);
      for (const Arena::Children& children : all)
        for (const std::uint32_t group : {0, 1, 2}) mine.push_back(arena.reach(children, group, cache));
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(found[0] == found[1] && found[1] == found[2]);
  CHECK(std::set(found[0].begin(), found[0].end()).size() == 300);
}

// Memory that ran out can be used again once it is discarded, in spans of other sizes.
void memory_is_used_again() {
  Arena arena(kBytes, true);
  Arena::ThreadCache cache(arena);
  std::vector<std::size_t> made;
  for (const std::size_t count : {20, 300, 20}) {
    std::vector<Arena::Children> all;
    for (;;) {
      all.push_back(arena.allocate(edges(count), Side::first, cache));
      if (!all.back() || !arena.reach_all(all.back(), cache)) break;
    }
    made.push_back(all.size());
    for (const Arena::Children& children : all) arena.discard(children);
    coalesce(arena);
    CHECK(arena.used() == 0);
  }
  CHECK(made[0] > kBytes / 1000 && made[2] > made[0] * 9 / 10);
}

// Parts that are over before they begin join free memory, too, and none is lost.
void memory_is_joined_in_parts() {
  Arena arena(16 * kBytes, true);
  Arena::ThreadCache cache(arena);
  const std::atomic<bool> over{true};
  std::vector<std::size_t> made;
  for (int round = 0; round < 3; ++round) {
    std::vector<Arena::Children> all;
    for (;;) {
      all.push_back(arena.allocate(edges(20), Side::first, cache));
      if (!all.back() || !arena.reach_all(all.back(), cache)) break;
    }
    made.push_back(all.size());
    for (const Arena::Children& children : all) arena.discard(children);
    for (int parts = 1;; ++parts) {
      StopCheck stop(over);
      if (!arena.coalesce(stop)) continue;
      CHECK(parts > 20 && parts < 200);
      break;
    }
    CHECK(arena.used() == 0 && !arena.is_coalescing());
  }
  CHECK(made[2] > made[0] * 9 / 10);
}

// A node keeps what is proven of it, with long distances cut off, and the side that chooses a child.
void a_node_keeps_its_fields() {
  NodeBlock block{};
  const Node node(block, 3);
  CHECK(node.proof() == Proof::unknown && node.distance() == 0 && node.child_count() == 0);
  node.set_proof(Proof::draw, 700);
  CHECK(node.proof() == Proof::draw && node.distance() == 700);
  node.set_proof(Proof::win, 100'000);
  CHECK(node.proof() == Proof::win && node.distance() > 16'000);
  for (const Side side : {Side::second, Side::first}) {
    node.set_child_count(626, side);
    CHECK(node.child_count() == 626 && node.turn() == side);
  }
}

// A player who can draw avoids his losses, however long they are.
void a_draw_is_as_far_as_its_longest() {
  Arena arena(kBytes, false);
  Arena::ThreadCache cache(arena);
  const Arena::Children children = arena.allocate(edges(3), Side::first, cache);
  NodeBlock home{};
  const Node node(home, 0);
  node.set_value_side(Side::second);
  node.set_child_count(3, Side::first);
  node.children() = children.span();
  set_proven(children[0], Proof::draw, 2);
  set_proven(children[1], Proof::draw, 4);
  set_proven(children[2], Proof::loss, 10);
  update_proof(arena, node);
  CHECK(node.proof() == Proof::draw && node.distance() == 5);
}

// The pruning weight of a proven node is 16 times its visits, which may exceed 32 bits.
void most_visits_can_be_pruned() {
  Arena arena(kBytes, false);
  Arena::ThreadCache cache(arena);
  const auto add_child = [&](Node parent) {
    const Arena::Children children = arena.allocate(edges(1), Side::first, cache);
    parent.set_child_count(1, Side::first);
    parent.children() = children.span();
    return children[0];
  };
  NodeBlock home{};
  const Node root(home, 0);
  const Node proven = add_child(root);
  proven.visits() = UINT32_MAX;
  proven.set_proof(Proof::win, 1);
  add_child(proven);
  Pruning pruning(arena, root);
  StopCheck stop(never);
  CHECK(pruning.resume(stop));
  CHECK(pruning.least_visits() == UINT32_MAX);
  CHECK(!proven.is_expanded());
}

// Parts that are over before they begin prune a tree, and it can be read after each.
void trees_are_pruned_in_parts() {
  constexpr std::uint32_t kParents = 4000;
  const std::atomic<bool> over{true};
  Arena arena(16 * kBytes, false);
  Arena::ThreadCache cache(arena);
  const auto grow = [&](Node parent, std::uint32_t count) {
    const Arena::Children children = arena.allocate(edges(count), Side::first, cache);
    parent.set_child_count(count, Side::first);
    parent.children() = children.span();
  };
  NodeBlock home{};
  const Node root(home, 0);
  grow(root, kParents);
  const Arena::Children parents = arena.children(root);
  for (std::uint32_t i = 0; i < kParents; ++i) {
    grow(parents[i], 1);
    parents[i].visits() = i;
  }
  Pruning pruning(arena, root);
  for (int parts = 1;; ++parts) {
    StopCheck stop(over);
    const bool is_complete = pruning.resume(stop);
    for (const Node parent : parents)
      if (parent.is_expanded()) CHECK(arena.children(parent).count() == 1);
    CHECK(parts < 100);
    if (!is_complete) continue;
    CHECK(parts > 5);
    break;
  }
  const std::uint32_t least = pruning.least_visits();
  CHECK(least > kParents * 3 / 8 && least < kParents * 5 / 8);
  for (std::uint32_t i = 0; i < kParents; ++i) CHECK(parents[i].is_expanded() == (i >= least));
  CHECK(arena.used() == kParents + kParents - least);
}

long page_faults() {
  rusage usage{};
  CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
  return usage.ru_minflt;
}

// A table that grows has its next part in memory already: few stores wait for a new page. The first
// 8 MB are not counted, whose pages arrive at random.
void a_table_grows_page_by_page() {
  using namespace baseline::alpha_beta;
  TranspositionTable table(std::size_t{64} << 20);
  Rng rng(1);
  long most = 0;
  while (table.used() < 1'200'000) {  // 64 MB are used from 1,048,576 on
    const bool is_counted = table.used() > 200'000;
    const long before = page_faults();
    for (int i = 0; i < 256; ++i) table.store(rng.next(), {1, 0, 1, Bound::exact});
    if (is_counted) most = std::max(most, page_faults() - before);
  }
  CHECK(most <= 10);
}

}  // namespace

int main() {
  nodes_are_counted_at_once();
  children_are_reached_in_order();
  threads_reach_children_together();
  memory_is_used_again();
  memory_is_joined_in_parts();
  a_node_keeps_its_fields();
  a_draw_is_as_far_as_its_longest();
  most_visits_can_be_pruned();
  trees_are_pruned_in_parts();
  a_table_grows_page_by_page();
}
