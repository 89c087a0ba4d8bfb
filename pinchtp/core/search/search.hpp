// The interface of searches: limits, reports, and running threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "../types.hpp"
#include "options.hpp"

namespace pinchtp {

struct Kernels;

inline constexpr int kMaxThreads = 255;  // of a search

// Throws std::invalid_argument for a number of threads out of range.
void check_threads(int threads);

struct SearchLimits {
  double seconds = 1;
  // Visits of the root. Those kept from earlier searches count, except those of moves already proven
  // lost or not allowed now. Exceeded only until a move that is not proven lost has been visited.
  std::uint64_t visits = UINT64_MAX;
  int threads = 1;
  std::uint64_t seed = 0;
  std::vector<Move> allowed = {};  // moves that the root is restricted to; empty: every legal move
};

// One move at the root. The winrate is that of the player to move, in [0, 1]; none if the move was
// neither visited nor proven. A swap is evaluated with the position.
struct Choice {
  Move move = kNoMove;
  std::uint64_t visits = 0;
  std::optional<double> winrate = {};
  Proof proof = Proof::unknown;
  int distance = 0;                        // moves to the proven end
  double amaf = 0.5;                       // all-moves-as-first winrate
  double prior = 0;                        // in [0, 1]; 0 where the evaluator has none
  std::vector<Move> line;                  // the principal variation, this move first
  std::vector<std::uint64_t> line_visits;  // of each of its moves; empty where there is no tree
};

// The order of preference: quick wins, then by visits, winrate and prior, then slow losses.
bool is_better(const Choice& a, const Choice& b);

// Sorts choices by a lower bound of the winrate before visits, if they have enough of those.
void sort_by_bound(std::vector<Choice>& choices);

struct Report {
  std::vector<Choice> choices;  // best first
  // Of the side to move, in [0, 1]: the best move's, or where too little is known of that, the mean of
  // all visits of the root; none before the first.
  std::optional<double> winrate = {};
  std::uint64_t visits = 0;
  std::uint64_t nodes = 0;
};

// The report with calibrated winrates: their log odds times `slope`, which was fitted to results of
// games. Proven ones (1, 0 and 1/2) stay.
Report calibrated(Report report, double slope);

// A search tree with its root. report() and ownership() may be called by other threads at any time,
// work() by several at once; advance() and prepare() only while none is at work. Any of them may throw
// std::bad_alloc: the search can still be used then.
class Search {
 public:
  virtual ~Search() = default;
  // Makes the position after `move` the root and keeps the tree below it. Throws
  // std::invalid_argument for a move that is not legal. Where it throws, the tree is as it was.
  virtual void advance(Move move) = 0;
  // Gives the root all of its children, so that a search stopped at once has an answer too, and
  // restricts it to `allowed` unless that is empty. Throws std::invalid_argument for an illegal move;
  // where it throws, nothing has changed.
  virtual void prepare(std::uint64_t seed, const std::vector<Move>& allowed) = 0;
  // Simulates until `stop` is set, the root has `visits`, or the result is proven. After prepare().
  virtual void work(std::uint64_t seed, std::uint64_t visits, const std::atomic<bool>& stop) = 0;
  // Whether work() would do nothing: the root has `visits`, or the result is proven.
  virtual bool is_over(std::uint64_t visits) const = 0;
  virtual Report report() const = 0;
  // The expected owner of each point, coded as a move, at the end: the mean over `simulations`, which
  // leave the tree unchanged, of 1 for a stone of the first side and -1 for one of the second.
  virtual std::vector<float> ownership(std::uint64_t seed, int simulations) = 0;
};

// Monte-Carlo tree search (mcts/), with the kernels of some instruction set. Throws as NewSearch.
std::unique_ptr<Search> new_tree(const AnyGame& game, const History& history,
                                 const SearchOptions& options, std::unique_ptr<Evaluator> evaluator,
                                 const Kernels& kernels);

// Runs the search's threads until a limit is met, the result is proven, or `poll`, called every
// millisecond on this thread, returns true. An exception of `poll` or of a thread (std::bad_alloc) is
// thrown once all threads have ended; the search can still be used then. Runs with fewer threads if the
// system refuses some; throws std::bad_alloc if it refuses all. Throws std::invalid_argument for limits
// out of range. Returns whether the search is over; if not, only its time is.
bool run(Search& search, const SearchLimits& limits, const std::function<bool()>& poll);

// Runs one task on its own thread in the same way, for at most `seconds`; the task must watch its flag.
void run_watched(const std::function<void(const std::atomic<bool>&)>& task,
                 const std::function<bool()>& poll,
                 double seconds = std::numeric_limits<double>::infinity());

}  // namespace pinchtp
