#include "inference.hpp"

#include <algorithm>
#include <stdexcept>

#include "../../processor.hpp"

#if defined(PINCHTP_INFERENCE_dotprod)
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

#define PINCHTP_DECLARE(instruction_set) \
  namespace instruction_set {            \
  MakeInference make_forward;            \
  }

PINCHTP_DECLARE(baseline)
PINCHTP_DECLARE(avx2)
PINCHTP_DECLARE(avxvnni)
PINCHTP_DECLARE(avx512)
PINCHTP_DECLARE(avx512vnni)
PINCHTP_DECLARE(dotprod)

namespace {

struct CompiledInference {
  std::string_view instruction_set;
  std::string_view positions;  // the instruction set of positions that it is for
  MakeInference* make;
};

// Of those that CMake says were compiled.
std::vector<CompiledInference> find_usable_inference() {
  std::vector<CompiledInference> usable;
#if defined(PINCHTP_INFERENCE_baseline)
  usable.push_back({"baseline", "baseline", baseline::make_forward});
#endif
#if defined(PINCHTP_INFERENCE_avx2)
  if (has_avx2()) usable.push_back({"avx2", "avx2", avx2::make_forward});
#endif
#if defined(PINCHTP_INFERENCE_avxvnni)
  if (has_avxvnni()) usable.push_back({"avxvnni", "avx2", avxvnni::make_forward});
#endif
#if defined(PINCHTP_INFERENCE_avx512)
  if (has_avx512()) usable.push_back({"avx512", "avx512", avx512::make_forward});
#endif
#if defined(PINCHTP_INFERENCE_avx512vnni)
  if (has_avx512vnni()) usable.push_back({"avx512vnni", "avx512", avx512vnni::make_forward});
#endif
#if defined(PINCHTP_INFERENCE_dotprod)
  if ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0)
    usable.push_back({"dotprod", "baseline", dotprod::make_forward});
#endif
  return usable;
}

const std::vector<CompiledInference>& usable_inference() {
  static const std::vector<CompiledInference> usable = find_usable_inference();
  return usable;
}

}  // namespace

std::vector<std::string_view> inference_instruction_sets() {
  std::vector<std::string_view> names;
  for (const CompiledInference& each : usable_inference()) names.push_back(each.instruction_set);
  return names;
}

std::string_view inference_instruction_set_for(std::string_view instruction_set) {
  std::string_view found = instruction_set;
  for (const CompiledInference& each : usable_inference())
    if (each.positions == instruction_set) found = each.instruction_set;
  return found;
}

std::unique_ptr<Inference> make_inference(const Network& network, int width, int height,
                                          std::string_view instruction_set) {
  for (const CompiledInference& each : usable_inference())
    if (each.instruction_set == instruction_set) return each.make(network, width, height);
  throw std::invalid_argument("unknown instruction set of inference");
}

}  // namespace pinchtp
