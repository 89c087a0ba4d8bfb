// The visit budget of a search's threads, and the signal to stop.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta {

// Shared by all threads.
struct SharedBudget {
  alignas(64) std::atomic<std::uint64_t> granted{0};  // visits made or reserved by threads
  std::atomic<std::uint64_t> made{0};
  std::atomic<bool> finished{false};  // the search is complete
};

// One thread's part of the budget, reserved in small shares.
class Budget {
 public:
  Budget(SharedBudget& shared, std::uint64_t max, const std::atomic<bool>& stop)
      : shared_(shared), max_(max), stop_(stop) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;
  ~Budget() { settle(); }

  // Takes one visit; false once the search has to stop.
  bool take() {
    if (left_ == 0 && !refill()) return false;
    --left_;
    return true;
  }
  bool is_spent() const { return is_spent_; }
  std::uint64_t taken() const { return settled_ + share_ - left_; }

 private:
  static constexpr std::uint64_t kShare = 256;  // visits, some 50 µs
  static constexpr auto kRelaxed = std::memory_order_relaxed;

  bool refill() {
    settle();
    if (is_spent_ || stop_.load(kRelaxed) || shared_.finished.load(kRelaxed)) {
      is_spent_ = true;
      return false;
    }
    const std::uint64_t before = shared_.granted.fetch_add(kShare, kRelaxed);
    share_ = left_ = before < max_ ? std::min(max_ - before, kShare) : 0;
    shared_.granted.fetch_sub(kShare - share_, kRelaxed);
    is_spent_ = share_ == 0;
    return !is_spent_;
  }

  void settle() {
    shared_.made.fetch_add(share_ - left_, kRelaxed);
    shared_.granted.fetch_sub(left_, kRelaxed);
    settled_ += share_ - left_;
    share_ = left_ = 0;
  }

  SharedBudget& shared_;
  const std::uint64_t max_;
  const std::atomic<bool>& stop_;
  std::uint64_t share_ = 0;
  std::uint64_t left_ = 0;
  std::uint64_t settled_ = 0;
  bool is_spent_ = false;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta
