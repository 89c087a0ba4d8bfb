// A check that holds in every build.
#pragma once

#include <cstdlib>
#include <iostream>

// Says which condition does not hold, and aborts: a sanitizer, or libFuzzer, then tells where.
#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::cerr << __FILE__ << ":" << __LINE__ << ": " << #condition << std::endl; \
      std::abort();                                                                \
    }                                                                              \
  } while (false)
