// Tells work in several parts when to pause.
#pragma once

#include <atomic>
#include <cstdint>

namespace pinchtp {

// Each part makes some steps even if `stop` is already set, so that the work completes after a
// bounded number of parts, even if their time is over before they start.
class StopCheck {
 public:
  explicit StopCheck(const std::atomic<bool>& stop) : stop_(stop) {}

  // Whether to pause before the next step.
  bool is_due() { return steps_++ >= kLeastSteps && stop_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint32_t kLeastSteps = 4096;  // memory accesses: less than a millisecond

  const std::atomic<bool>& stop_;
  std::uint32_t steps_ = 0;
};

}  // namespace pinchtp
