#include "failing_allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constexpr int kAll = -1;

std::atomic<int> granted{kAll};  // allocations still to be granted
std::atomic<bool> refuses_one_only{false};
std::atomic<int> refused{0};

bool is_refused() {
  if (granted.load() < 0 || granted.fetch_sub(1) > 0) return false;
  if (!refuses_one_only) granted = 0;
  ++refused;
  return true;
}

}  // namespace

Refusals::Refusals(int granted_first, bool one_only) {
  refuses_one_only = one_only;
  refused = 0;
  granted = granted_first;
}
Refusals::~Refusals() { granted = kAll; }
int Refusals::count() const { return refused; }

extern "C" {
void* __real_calloc(std::size_t count, std::size_t bytes);
void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
void* __wrap_calloc(std::size_t count, std::size_t bytes) {
  return is_refused() ? nullptr : __real_calloc(count, bytes);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return is_refused() ? nullptr : __real_aligned_alloc(alignment, bytes);
}
}

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return is_refused() ? nullptr : std::malloc(bytes);
}
void* operator new(std::size_t bytes) {
  if (void* memory = operator new(bytes, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
