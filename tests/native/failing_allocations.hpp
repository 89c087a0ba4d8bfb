// An allocator that fails when a test requests it. It replaces operator new of the whole program and,
// by the linker's --wrap (CMakeLists.txt), the core's allocations from the C library.
#pragma once

// In its scope the first `granted` allocations succeed, and then one fails, or all later ones.
class Refusals {
 public:
  explicit Refusals(int granted, bool one_only = false);
  Refusals(const Refusals&) = delete;
  Refusals& operator=(const Refusals&) = delete;
  ~Refusals();

  // Returns the number of failed allocations.
  int count() const;
};
