// The interface of inference, which is compiled once per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "network.hpp"

namespace pinchtp {

// The memory layout of a board: rows of points, with a column and several rows of zeros around
// them, so that every neighbour of a point is at a fixed offset.
class Layout {
 public:
  Layout(int width, int height);

  int width() const { return width_; }
  int height() const { return height_; }
  int points() const { return width_ * height_; }
  int stride() const { return width_ + 1; }
  // The index of a point among the words of a plane.
  std::size_t at(int x, int y) const { return front_ + static_cast<std::size_t>(y * stride() + x); }
  std::size_t front() const { return front_; }        // words before the first point
  std::size_t computed() const { return computed_; }  // words from there that convolutions write
  std::size_t size() const { return size_; }          // words of a plane
  // For each computed word: all bits set if it is a point, else 0.
  std::span<const std::uint32_t> mask() const { return mask_; }

 private:
  int width_;
  int height_;
  std::size_t front_;
  std::size_t computed_;
  std::size_t size_;
  std::vector<std::uint32_t> mask_;
};

// The output of a network, with one value for each computed word of the layout.
struct Prediction {
  float value = 0;  // log odds that the player to move wins
  float pass = 0;   // logit of the policy
  float swap = 0;   // logit of the policy
  // In the order of the layout's computed words: logits of the policy, and log odds that the player
  // to move owns the point at the end.
  std::vector<float> policy;
  std::vector<float> ownership;
};

// Evaluates one position at a time, for one thread, one network and one size of board.
class Inference {
 public:
  virtual ~Inference() = default;
  virtual const Layout& layout() const = 0;
  // The input to fill in: [network inputs / kQuad][layout().size()] words, initially zero.
  virtual std::span<std::uint32_t> input() = 0;
  // The output for that input.
  virtual const Prediction& run() = 0;
};

// The compiled instruction sets that this machine supports, slowest first.
std::vector<std::string_view> inference_instruction_sets();

// The fastest of those for positions computed with the given instruction set: it may have more
// instructions, but not wider registers.
std::string_view inference_instruction_set_for(std::string_view instruction_set);

// `network` must outlive the result. Throws std::invalid_argument for an unknown instruction set.
std::unique_ptr<Inference> make_inference(const Network& network, int width, int height,
                                          std::string_view instruction_set);

}  // namespace pinchtp
