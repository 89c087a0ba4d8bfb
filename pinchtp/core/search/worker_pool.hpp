// The threads of a search.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "thread.hpp"

namespace pinchtp {

// Threads that are stopped and joined at the end of the scope.
class WorkerPool {
 public:
  using Clock = std::chrono::steady_clock;

  WorkerPool() = default;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool() { join(); }

  // Starts a task on a new thread; false if the system has none left. If a task throws, all are
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
  // The polling interval of the waiting thread: a stop takes effect within 2 ms, and polling costs
  // less than 1 %.
  static constexpr auto kPollEvery = std::chrono::milliseconds(1);

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
    for (Thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }

  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable idle_;
  std::size_t finished_ = 0;
  std::exception_ptr error_;  // the first one thrown by a task
  std::vector<Thread> threads_;
};

}  // namespace pinchtp
