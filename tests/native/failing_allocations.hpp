// An allocator that refuses memory when a test says so. It replaces operator new of the whole program,
// and, by the linker's --wrap (CMakeLists.txt), what the core asks of the C library.
#pragma once

// In its scope so many allocations are granted, and then one is refused, or all that follow.
class Refusals {
 public:
  explicit Refusals(int granted, bool one_only = false);
  Refusals(const Refusals&) = delete;
  Refusals& operator=(const Refusals&) = delete;
  ~Refusals();

  // How many were refused so far.
  int count() const;
};
