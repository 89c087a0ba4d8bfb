// Huge pages for memory that is accessed at random: with small pages, nearly every access needs an
// address translation from memory, too.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace pinchtp {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;  // bytes

// Requests huge pages, where the system supports them, for those that lie completely within the
// memory, which must be untouched so far.
inline void ask_for_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = (address + kHugePage - 1) / kHugePage * kHugePage;
  const std::uintptr_t end = (address + bytes) / kHugePage * kHugePage;
  if (begin < end)
    madvise(static_cast<std::byte*>(memory) + (begin - address), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace pinchtp
