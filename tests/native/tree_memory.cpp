// The memory of a search tree: accounting and pruning.
#include <atomic>
#include <cstdint>

#include "check.hpp"
#include "search/mcts/arena.hpp"
#include "search/mcts/pruning.hpp"

namespace {

using namespace pinchtp;

constexpr std::size_t kBytes = std::size_t{1} << 20;
const std::atomic<bool> never{false};

// Blocks count from their allocation to their release, by any thread.
void nodes_are_counted_at_once() {
  Arena arena(kBytes);
  Arena::ThreadCache cache(arena);
  const std::uint32_t block = arena.allocate(100, cache);
  CHECK(arena.used() == 100);
  arena.discard(block, 100);
  arena.coalesce(never);
  CHECK(arena.used() == 0);
}

// The pruning weight of a proven node is 16 times its visits, which may exceed 32 bits.
void most_visits_can_be_pruned() {
  Arena arena(kBytes);
  Arena::ThreadCache cache(arena);
  const auto add_child = [&](Node parent) {
    const std::uint32_t block = arena.allocate(1, cache);
    parent.children() = block;
    parent.child_count() = 1;
    return arena[block];
  };
  NodeBlock home{};
  const Node root(home, 0);
  const Node proven = add_child(root);
  proven.visits() = UINT32_MAX;
  proven.proof() = Proof::win;
  add_child(proven);
  CHECK(Pruning(arena, never).prune(root) == UINT32_MAX);
  CHECK(!proven.is_expanded());
}

}  // namespace

int main() {
  nodes_are_counted_at_once();
  most_visits_can_be_pruned();
}
