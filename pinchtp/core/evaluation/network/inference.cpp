#include "inference.hpp"

#include <algorithm>
#include <stdexcept>

#if defined(PINCHTP_ARM_LEVELS)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace pinchtp {

namespace {

// Convolutions read whole registers, and look one row and one column around.
constexpr std::size_t kMostWords = 16;  // of a register

std::size_t rounded(std::size_t words) { return (words + kMostWords - 1) / kMostWords * kMostWords; }

}  // namespace

Layout::Layout(int width, int height)
    : width_(width),
      height_(height),
      front_(rounded(static_cast<std::size_t>(width + 2))),
      computed_(rounded(static_cast<std::size_t>(height * (width + 1)))),
      size_(front_ + computed_ + front_ + kMostWords),
      mask_(computed_, 0) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) mask_[at(x, y) - front_] = UINT32_MAX;
}

using MakeInference = std::unique_ptr<Inference>(const Network&, int width, int height);

#define PINCHTP_DECLARE(level) \
  namespace level {            \
  MakeInference make_forward;  \
  }

PINCHTP_DECLARE(baseline)
#if defined(PINCHTP_X86_LEVELS)
PINCHTP_DECLARE(avx2)
PINCHTP_DECLARE(avx512)
PINCHTP_DECLARE(avx512vnni)
#elif defined(PINCHTP_ARM_LEVELS)
PINCHTP_DECLARE(dotprod)
#endif

namespace {

struct InferenceLevel {
  std::string_view name;
  std::string_view positions;  // the level of positions that it is for
  MakeInference* make;
};

std::vector<InferenceLevel> find_inference_levels() {
  std::vector<InferenceLevel> usable = {{"baseline", "baseline", baseline::make_forward}};
#if defined(PINCHTP_X86_LEVELS)
  if (__builtin_cpu_supports("avx2")) {
    usable.push_back({"avx2", "avx2", avx2::make_forward});
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
      usable.push_back({"avx512", "avx512", avx512::make_forward});
      if (__builtin_cpu_supports("avx512vnni"))
        usable.push_back({"avx512vnni", "avx512", avx512vnni::make_forward});
    }
  }
#elif defined(PINCHTP_ARM_LEVELS)
  if ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0)
    usable.push_back({"dotprod", "baseline", dotprod::make_forward});
#endif
  return usable;
}

const std::vector<InferenceLevel>& usable_inference_levels() {
  static const std::vector<InferenceLevel> usable = find_inference_levels();
  return usable;
}

}  // namespace

std::vector<std::string_view> inference_levels() {
  std::vector<std::string_view> names;
  for (const InferenceLevel& level : usable_inference_levels()) names.push_back(level.name);
  return names;
}

std::string_view inference_level_for(std::string_view level) {
  std::string_view found = level;
  for (const InferenceLevel& each : usable_inference_levels())
    if (each.positions == level) found = each.name;
  return found;
}

std::unique_ptr<Inference> make_inference(const Network& network, int width, int height,
                                          std::string_view level) {
  for (const InferenceLevel& each : usable_inference_levels())
    if (each.name == level) return each.make(network, width, height);
  throw std::invalid_argument("unknown level of inference");
}

}  // namespace pinchtp
