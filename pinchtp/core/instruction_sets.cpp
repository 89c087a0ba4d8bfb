#include "instruction_sets.hpp"

#include <ranges>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace pinchtp {

namespace {

#if defined(__x86_64__)
// CPUID results, and the registers that the operating system saves. With some compilers,
// __builtin_cpu_supports() does not cover all of this; with others, it returns 0 for everything.
class Processor {
 public:
  Processor() {
    unsigned unused = 0;
    __get_cpuid(1, &unused, &unused, &basic_, &unused);
    __get_cpuid_count(7, 0, &unused, &extended_b_, &extended_c_, &unused);
    __get_cpuid_count(7, 1, &extended_1_a_, &unused, &unused, &unused);
    if (has(basic_, kOsxsave)) asm("xgetbv" : "=a"(saved_) : "c"(0) : "edx");
  }

  // See Intel's manual, volume 2, CPUID. Checks all features that CMake enables for a set.
  bool avx2() const {
    return (saved_ & 0x6) == 0x6 && has(basic_, kPopcnt) && has(extended_b_, kAvx2 | kBmi | kBmi2);
  }
  bool avxvnni() const { return avx2() && has(extended_1_a_, kAvxVnni); }
  bool avx512vnni() const {
    return avx2() && (saved_ & 0xe6) == 0xe6 &&
           has(extended_b_, kAvx512F | kAvx512Dq | kAvx512Bw | kAvx512Vl) &&
           has(extended_c_, kAvx512Vnni);
  }

 private:
  static bool has(unsigned bits, unsigned wanted) { return (bits & wanted) == wanted; }

  static constexpr unsigned kPopcnt = 1U << 23, kOsxsave = 1U << 27;
  static constexpr unsigned kBmi = 1U << 3, kAvx2 = 1U << 5, kBmi2 = 1U << 8;
  static constexpr unsigned kAvx512F = 1U << 16, kAvx512Dq = 1U << 17, kAvx512Bw = 1U << 30,
                            kAvx512Vl = 1U << 31;
  static constexpr unsigned kAvx512Vnni = 1U << 11, kAvxVnni = 1U << 4;

  unsigned basic_ = 0, extended_b_ = 0, extended_c_ = 0, extended_1_a_ = 0;
  unsigned saved_ = 0;
};

const Processor processor;

inline bool has_avx2() { return processor.avx2(); }
inline bool has_avxvnni() { return processor.avxvnni(); }
inline bool has_avx512vnni() { return processor.avx512vnni(); }
#elif defined(__aarch64__) && defined(__linux__)
inline bool has_dotprod() { return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0; }
#endif
inline bool has_baseline() { return true; }

}  // namespace

// CMake defines PINCHTP_VECTOR_SETS as X(set)X(set)..., and PINCHTP_INFERENCE_SETS as
// X(set, set of positions)....
#define X(set)                    \
  namespace set {                 \
  PlayoutEntries playout_entries; \
  extern const Kernels kernels;   \
  }
PINCHTP_VECTOR_SETS
#undef X
#define X(set, positions)     \
  namespace set {             \
  MakeInference make_forward; \
  }
PINCHTP_INFERENCE_SETS
#undef X

const std::vector<CompiledSet>& compiled_sets() {
  static const std::vector<CompiledSet> compiled = [] {
    std::vector<CompiledSet> found;
#define X(set) \
  if (has_##set()) found.push_back({#set, set::playout_entries(), &set::kernels});
    PINCHTP_VECTOR_SETS
#undef X
    return found;
  }();
  return compiled;
}

PlayToEnd* playouts(const CompiledSet& set, std::string_view game, int max_side) {
  const std::span usable(compiled_sets().data(), &set + 1);
  for (const CompiledSet& each : std::views::reverse(usable))
    for (const PlayoutEntry& entry : each.playouts)
      if (entry.game == game && entry.max_side == max_side) return entry.play_to_end;
  return nullptr;
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
