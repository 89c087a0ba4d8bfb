#include "instruction_sets.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace pinchtp {

namespace {

// Whether the machine has all that CMake asks of the compiler for an instruction set.
inline bool has_baseline() { return true; }
#if defined(__x86_64__)
inline bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
// Not all compilers know its name.
inline bool has_avxvnni() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return has_avx2() && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & (1U << 4)) != 0;
}
inline bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
inline bool has_avx512vnni() { return has_avx512() && __builtin_cpu_supports("avx512vnni"); }
#elif defined(__aarch64__) && defined(__linux__)
inline bool has_dotprod() { return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0; }
#endif

}  // namespace

// CMake defines PINCHTP_GAME_SETS as X(set)X(set)..., and PINCHTP_INFERENCE_SETS as
// X(set, set of positions)....
#define X(set)       \
  namespace set {    \
  GameEntries games; \
  }
PINCHTP_GAME_SETS
#undef X
#define X(set, positions)     \
  namespace set {             \
  MakeInference make_forward; \
  }
PINCHTP_INFERENCE_SETS
#undef X

const std::vector<CompiledGames>& compiled_games() {
  static const std::vector<CompiledGames> compiled = [] {
    std::vector<CompiledGames> found;
#define X(set) \
  if (has_##set()) found.push_back({#set, set::games()});
    PINCHTP_GAME_SETS
#undef X
    return found;
  }();
  return compiled;
}

const std::vector<CompiledInference>& compiled_inference() {
  static const std::vector<CompiledInference> compiled = [] {
    std::vector<CompiledInference> found;
#define X(set, positions) \
  if (has_##set()) found.push_back({#set, #positions, set::make_forward});
    PINCHTP_INFERENCE_SETS
#undef X
    return found;
  }();
  return compiled;
}

}  // namespace pinchtp
