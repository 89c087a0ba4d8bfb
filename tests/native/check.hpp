// A check that holds in every build.
#pragma once

#include <cstdlib>
#include <iostream>

// Prints the failed condition and aborts, so that a sanitizer or libFuzzer reports the place.
#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::cerr << __FILE__ << ":" << __LINE__ << ": " << #condition << std::endl; \
      std::abort();                                                                \
    }                                                                              \
  } while (false)

// Whether a choice or a report with visits has a winrate, in [0, 1].
#define CHECK_WINRATE(of)                                               \
  do {                                                                  \
    CHECK((of).visits == 0 || (of).winrate);                            \
    CHECK(!(of).winrate || (0 <= *(of).winrate && *(of).winrate <= 1)); \
  } while (false)
