// Memory for large tables: zeroed, and in huge pages where it is accessed at random.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace pinchtp {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<void, Free>;

// Zeroed memory for `count` objects of `size` bytes. Its pages become resident on first use. Throws
// std::bad_alloc.
inline Memory zeroed_memory(std::size_t count, std::size_t size) {
  Memory memory(std::calloc(count, size));
  if (!memory) throw std::bad_alloc();
  return memory;
}

// Huge pages are for memory that is accessed at random: with small pages, nearly every access needs
// an address translation from memory, too.
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;  // bytes

// Requests huge pages, where the system supports them, for those that lie completely within the
// memory, which must be untouched so far.
inline void advise_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = (address + kHugePage - 1) / kHugePage * kHugePage;
  const std::uintptr_t end = (address + bytes) / kHugePage * kHugePage;
  if (begin < end)
    madvise(static_cast<std::byte*>(memory) + (begin - address), end - begin, MADV_HUGEPAGE);
#endif
}

// Zeroed objects in huge pages. Each is aligned to its size.
template <class T>
class HugeArray {
  static_assert(std::has_single_bit(sizeof(T)));

 public:
  // Throws std::bad_alloc.
  explicit HugeArray(std::size_t count)
      : memory_(zeroed_memory(count + 1, sizeof(T))) {  // calloc() aligns less strictly
    std::size_t bytes = (count + 1) * sizeof(T);
    advise_huge_pages(memory_.get(), bytes);
    void* memory = memory_.get();
    first_ = static_cast<T*>(std::align(sizeof(T), count * sizeof(T), memory, bytes));
  }

  T* get() const { return first_; }
  void release() {
    memory_.reset();
    first_ = nullptr;
  }

 private:
  Memory memory_;
  T* first_;
};

}  // namespace pinchtp
