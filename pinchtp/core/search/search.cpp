#include "search.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "../rng.hpp"
#include "mcts/tree.hpp"

namespace pinchtp {

namespace {

using Clock = std::chrono::steady_clock;

// How often the waiting thread polls: a stop takes effect within 2 ms, and polling costs less than 1 %.
constexpr auto kPollEvery = std::chrono::milliseconds(1);

// Threads that are stopped and joined at the end of the scope.
class WorkerPool {
 public:
  WorkerPool() = default;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool() { join(); }

  // Starts a task on a thread of its own; false if the system has none left. If it throws, all are
  // stopped.
  bool start(std::function<void(const std::atomic<bool>&)> task) {
    try {
      threads_.emplace_back([this, task = std::move(task)] { work(task); });
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

  // Waits until all tasks have finished, the deadline has passed or poll() returns true. Then stops
  // them and rethrows the first exception of a task. Returns whether poll() returned true.
  bool finish(Clock::time_point deadline, const std::function<bool()>& poll) {
    const bool is_stopped = wait(deadline, poll);
    join();
    if (error_) std::rethrow_exception(error_);
    return is_stopped;
  }

 private:
  void work(const std::function<void(const std::atomic<bool>&)>& task) {
    std::exception_ptr error;
    try {
      task(stop_);
    } catch (...) {
      error = std::current_exception();
      stop_ = true;
    }
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
    ++finished_;
    idle_.notify_one();
  }

  bool wait(Clock::time_point deadline, const std::function<bool()>& poll) {
    std::unique_lock lock(mutex_);
    const auto is_idle = [this] { return finished_ == threads_.size(); };
    while (!is_idle() && Clock::now() < deadline) {
      const auto next = std::min(deadline, Clock::now() + kPollEvery);
      if (idle_.wait_until(lock, next, is_idle)) return false;
      lock.unlock();
      if (poll()) return true;
      lock.lock();
    }
    return false;
  }

  void join() {
    stop_ = true;
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }

  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable idle_;
  std::size_t finished_ = 0;
  std::exception_ptr error_;  // the first that a task threw
  std::vector<std::thread> threads_;
};

// The time in `seconds`; never if that is more than a year.
Clock::time_point after(double seconds) {
  if (!(seconds < 3.2e7)) return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::max(seconds, 0.0)));
}

// Margin of the lower bound after one visit; it shrinks with the square root of the visits. Choosing
// by this bound instead of by visits won 119 of 200 games on 9x9 (tools/learn/HISTORY.md).
constexpr double kLcbWidth = 0.5;
// Of the most visits: with fewer a bound does not count, however high it is (KataGo's lcbMinVisitProp).
constexpr double kMinShare = 0.15;

int rank(Proof proof) { return proof == Proof::win ? 0 : proof == Proof::loss ? 2 : 1; }

}  // namespace

bool is_better(const Choice& a, const Choice& b) {
  if (rank(a.proof) != rank(b.proof)) return rank(a.proof) < rank(b.proof);
  if (a.proof == Proof::win && a.distance != b.distance) return a.distance < b.distance;
  if (a.proof == Proof::loss && a.distance != b.distance) return a.distance > b.distance;
  if (a.visits != b.visits) return a.visits > b.visits;
  if (a.winrate != b.winrate) return a.winrate > b.winrate;
  return a.prior > b.prior;
}

void sort_by_bound(std::vector<Choice>& choices) {
  std::uint64_t max = 0;
  for (const Choice& choice : choices)
    if (choice.proof == Proof::unknown) max = std::max(max, choice.visits);
  const auto bound = [least = kMinShare * static_cast<double>(max)](const Choice& choice) {
    const double winrate = choice.winrate.value_or(0);
    if (choice.proof == Proof::draw) return winrate;
    const auto visits = static_cast<double>(choice.visits);
    if (visits < least) return -std::numeric_limits<double>::infinity();
    return winrate - kLcbWidth / std::sqrt(visits);
  };
  const auto lcb_better = [&](const Choice& a, const Choice& b) {
    const bool both_unsettled = rank(a.proof) == 1 && rank(b.proof) == 1;
    if (both_unsettled && bound(a) != bound(b)) return bound(a) > bound(b);
    return is_better(a, b);
  };
  std::stable_sort(choices.begin(), choices.end(), lcb_better);
}

Report calibrated(Report report, double slope) {
  const auto calibrate = [slope](std::optional<double>& winrate) {
    if (!winrate) return;
    const double odds = std::pow(*winrate / (1 - *winrate), slope);
    winrate = std::isinf(odds) ? 1 : odds / (1 + odds);
  };
  calibrate(report.winrate);
  for (Choice& choice : report.choices) calibrate(choice.winrate);
  return report;
}

std::unique_ptr<Search> new_tree(const AnyGame& game, const History& history,
                                 const SearchOptions& options, std::unique_ptr<Evaluator> evaluator,
                                 const Kernels& kernels) {
  return std::make_unique<Tree>(game, history, options, std::move(evaluator), kernels);
}

bool run(Search& search, const SearchLimits& limits, const std::function<bool()>& poll) {
  if (limits.threads < 1 || limits.threads > kMaxThreads)
    throw std::invalid_argument("threads are 1 to " + std::to_string(kMaxThreads));
  if (std::isnan(limits.seconds)) throw std::invalid_argument("seconds are a number");
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
