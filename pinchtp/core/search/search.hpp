// The interface of searches: limits and threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "../types.hpp"
#include "choices.hpp"
#include "options.hpp"

namespace pinchtp {

struct Kernels;

inline constexpr int kMaxThreads = 255;  // per search

// Throws std::invalid_argument for a number of threads out of range.
void check_threads(int threads);

struct SearchLimits {
  double seconds = 1;
  // Visits of the root. Those kept from earlier searches count, except those of moves that were
  // already proven lost, or not allowed, when this root was first searched for these moves; in
  // alpha-beta search, only those of earlier steps of the same turn. Exceeded only until a move
  // that is not proven lost has been visited.
  std::uint64_t visits = UINT64_MAX;
  int threads = 1;
  std::uint64_t seed = 0;
  std::vector<Move> allowed = {};  // the allowed moves of the root; empty: every legal move
};

// A search tree with its root. Other threads may call report() and ownership() at any time. Several
// threads may call work() simultaneously; advance() and prepare() require that none does. Each may
// throw std::bad_alloc; the search stays usable.
class Search {
 public:
  virtual ~Search() = default;
  // Makes the position after `move` the root and keeps the tree below it. Throws
  // std::invalid_argument for an illegal move. If it throws, the tree is unchanged.
  virtual void advance(Move move) = 0;
  // Gives the root all of its children, so that even a search stopped immediately has a result, and
  // restricts it to `allowed` unless that is empty. Throws std::invalid_argument for an illegal
  // move. If it throws, nothing has changed.
  virtual void prepare(std::uint64_t seed, const std::vector<Move>& allowed) = 0;
  // Simulates until `stop` is set, the root has `visits`, or the result is proven. Requires
  // prepare().
  virtual void work(std::uint64_t seed, std::uint64_t visits, const std::atomic<bool>& stop) = 0;
  // Whether work() would do nothing: the root has `visits`, or the result is proven.
  virtual bool is_over(std::uint64_t visits) const = 0;
  virtual Report report() const = 0;
  // The expected owner of each point, coded as a move, at the end: the mean over `simulations`,
  // which leave the tree unchanged, of 1 for a black stone and -1 for a white one.
  virtual std::vector<float> ownership(std::uint64_t seed, int simulations) = 0;
};

// Monte-Carlo tree search (mcts/) with the kernels of an instruction set. Throws like NewSearch.
std::unique_ptr<Search> new_tree(const AnyGame& game, const History& history,
                                 const SearchOptions& options, std::unique_ptr<Evaluator> evaluator,
                                 const Kernels& kernels);

// Runs the search's threads until a limit is met, the result is proven, or `poll`, called every
// millisecond on this thread, returns true. Rethrows an exception of `poll` or of a thread
// (std::bad_alloc) once all threads have ended; the search stays usable. Runs with fewer threads if
// the system cannot start all of them; throws std::bad_alloc if it cannot start any. Throws
// std::invalid_argument for invalid limits. Returns false if the time ran out, otherwise true: a
// limit was met, the result is proven, or `poll` returned true.
bool run(Search& search, const SearchLimits& limits, const std::function<bool()>& poll);

// Runs a task on its own thread in the same way, for at most `seconds`; the task must watch its
// flag.
void run_watched(const std::function<void(const std::atomic<bool>&)>& task,
                 const std::function<bool()>& poll,
                 double seconds = std::numeric_limits<double>::infinity());

}  // namespace pinchtp
