#include "inference.hpp"

#include <stdexcept>

#include "../../instruction_sets.hpp"

namespace pinchtp {

namespace {

// Convolutions read whole registers, including one row and one column around the board.
constexpr std::size_t kMaxWords = 16;  // per register

std::size_t rounded(std::size_t words) { return (words + kMaxWords - 1) / kMaxWords * kMaxWords; }

}  // namespace

Layout::Layout(int width, int height)
    : width_(width),
      height_(height),
      front_(rounded(static_cast<std::size_t>(width + 2))),
      computed_(rounded(static_cast<std::size_t>(height * (width + 1)))),
      size_(front_ + computed_ + front_ + kMaxWords),
      mask_(computed_, 0) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) mask_[at(x, y) - front_] = UINT32_MAX;
}

std::vector<std::string_view> inference_instruction_sets() {
  std::vector<std::string_view> names;
  for (const CompiledInference& each : compiled_inference()) names.push_back(each.instruction_set);
  return names;
}

std::string_view inference_instruction_set_for(std::string_view instruction_set) {
  std::string_view found = instruction_set;
  for (const CompiledInference& each : compiled_inference())
    if (each.positions == instruction_set) found = each.instruction_set;
  return found;
}

std::unique_ptr<Inference> make_inference(const Network& network, int width, int height,
                                          std::string_view instruction_set) {
  for (const CompiledInference& each : compiled_inference())
    if (each.instruction_set == instruction_set) return each.make(network, width, height);
  throw std::invalid_argument("unknown instruction set of inference");
}

}  // namespace pinchtp
