// A table entry that threads share without locks.
#pragma once

#include <atomic>
#include <cstdint>

namespace pinchtp {

// Two words, one of them XORed with the key: an entry written by two threads simultaneously does
// not match its key (Hyatt and Mann, A Lock-less Transposition Table, 2002). Zeroed memory consists
// of free entries.
class LocklessEntry {
 public:
  // The data stored last, for any key; 0 if the entry is free.
  std::uint64_t data() const { return data_.load(kRelaxed); }
  // Whether this data was stored for the key.
  bool fits(std::uint64_t key, std::uint64_t data) const {
    return (check_.load(kRelaxed) ^ data) == key && data != 0;  // rarely true: one branch to predict
  }
  // Writes to the entry's page without a change, so that the system provides it.
  void touch() {
    std::uint64_t free = 0;
    data_.compare_exchange_strong(free, 0, kRelaxed);
  }
  // Returns whether the entry was free: true only once, whichever threads fill it.
  bool store(std::uint64_t key, std::uint64_t data) {
    std::uint64_t free = 0;
    const bool was_free =
        data_.load(kRelaxed) == 0 && data_.compare_exchange_strong(free, data, kRelaxed);
    if (!was_free) data_.store(data, kRelaxed);
    check_.store(key ^ data, kRelaxed);
    return was_free;
  }

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;

  std::atomic<std::uint64_t> check_{0};
  std::atomic<std::uint64_t> data_{0};
};

}  // namespace pinchtp
