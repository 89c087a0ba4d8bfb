#include "search.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../rng.hpp"
#include "mcts/tree.hpp"
#include "worker_pool.hpp"

namespace pinchtp {

namespace {

using Clock = WorkerPool::Clock;

// The point in time `seconds` from now; never for more than a year.
Clock::time_point after(double seconds) {
  if (!(seconds < 3.2e7)) return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::max(seconds, 0.0)));
}

}  // namespace

std::unique_ptr<Search> new_tree(const AnyGame& game, const History& history,
                                 const SearchOptions& options, std::unique_ptr<Evaluator> evaluator,
                                 const Kernels& kernels) {
  return std::make_unique<Tree>(game, history, options, std::move(evaluator), kernels);
}

void check_threads(int threads) {
  if (threads < 1 || threads > kMaxThreads)
    throw std::invalid_argument("threads must be from 1 to " + std::to_string(kMaxThreads));
}

bool run(Search& search, const SearchLimits& limits, const std::function<bool()>& poll) {
  check_threads(limits.threads);
  if (std::isnan(limits.seconds)) throw std::invalid_argument("seconds must be a number");
  const Clock::time_point deadline = after(limits.seconds);
  search.prepare(limits.seed, limits.allowed);
  WorkerPool pool;
  for (int i = 0; i < limits.threads; ++i) {
    const std::uint64_t seed = mix(limits.seed, static_cast<std::uint64_t>(i));
    const auto task = [&, seed](const auto& stop) { search.work(seed, limits.visits, stop); };
    if (pool.start(task)) continue;
    if (i == 0) throw std::bad_alloc();
    break;  // continue with the threads started
  }
  return pool.finish(deadline, poll) || search.is_over(limits.visits);
}

void run_watched(const std::function<void(const std::atomic<bool>&)>& task,
                 const std::function<bool()>& poll, double seconds) {
  const Clock::time_point deadline = after(seconds);
  WorkerPool pool;
  if (!pool.start(task)) throw std::bad_alloc();
  pool.finish(deadline, poll);
}

}  // namespace pinchtp
