#include "search.hpp"

#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

#include "../rng.hpp"

namespace pinchtp {

namespace {

using Clock = std::chrono::steady_clock;

// How often the waiting thread polls: a stop acts within 2 ms, and the looks cost less than 1 %.
constexpr auto kPollEvery = std::chrono::milliseconds(1);

// Threads that are told to stop and joined, whatever way the scope is left.
class Crew {
 public:
  Crew() = default;
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

  void hire(std::function<void(const std::atomic<bool>&)> task) {
    {
      const std::lock_guard lock(mutex_);
      ++busy_;
    }
    threads_.emplace_back([this, task = std::move(task)] {
      task(stop_);
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) idle_.notify_one();
    });
  }

  // Waits for all to finish by themselves, at most until `deadline` or until poll() says stop.
  void wait(Clock::time_point deadline, const std::function<bool()>& poll) {
    std::unique_lock lock(mutex_);
    while (busy_ > 0 && Clock::now() < deadline) {
      const auto next = std::min(deadline, Clock::now() + kPollEvery);
      if (idle_.wait_until(lock, next, [this] { return busy_ == 0; })) return;
      lock.unlock();
      if (poll()) return;
      lock.lock();
    }
  }

 private:
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable idle_;
  int busy_ = 0;
  std::vector<std::thread> threads_;
};

// `seconds` from now; no limit, or one beyond a year, is a time that never comes.
Clock::time_point after(double seconds) {
  if (!(seconds < 3.2e7)) return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::max(seconds, 0.0)));
}

int rank(Proof proof) { return proof == Proof::win ? 0 : proof == Proof::loss ? 2 : 1; }

}  // namespace

bool is_better(const Choice& a, const Choice& b) {
  if (rank(a.proof) != rank(b.proof)) return rank(a.proof) < rank(b.proof);
  if (a.proof == Proof::win && a.distance != b.distance) return a.distance < b.distance;
  if (a.proof == Proof::loss && a.distance != b.distance) return a.distance > b.distance;
  if (a.visits != b.visits) return a.visits > b.visits;
  return a.winrate > b.winrate;
}

void run(Search& search, const Limits& limits, const std::function<bool()>& poll) {
  const Clock::time_point deadline = after(limits.seconds);
  search.prepare(limits.seed, limits.allowed);
  Crew crew;
  for (int i = 0; i < limits.threads; ++i)
    crew.hire([&, seed = mix(limits.seed, static_cast<std::uint64_t>(i))](const auto& stop) {
      search.work(seed, limits.visits, stop);
    });
  crew.wait(deadline, poll);
}

void run_watched(const std::function<void(const std::atomic<bool>&)>& task,
                 const std::function<bool()>& poll) {
  Crew crew;
  crew.hire(task);
  crew.wait(Clock::time_point::max(), poll);
}

}  // namespace pinchtp
