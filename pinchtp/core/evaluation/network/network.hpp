// A network in memory: its shape and its weights; forward.cpp does the arithmetic.
//
// The input is planes: small integers from 0 to kOne for every point. A stem and
// residual blocks of 3x3 convolutions follow, each block with a bias from the mean and the maximum of
// its inner channels over the whole board (global pooling; Wu, "Accelerating Self-Play Learning in Go",
// 2019). Two heads read the trunk: one has a value for every point (policy and ownership), the other
// for the whole board (value, and the policy of moves without a point). Only the means depend on
// the size of the board, so one network plays on all.
//
// Activations are integers from 0 to kOne after each layer, weights of convolutions integers of eight
// bits with one scale per output channel: seven times eight bits leave room to add four products in
// sixteen bits, so every instruction set computes the same sums (inference.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pinchtp {

inline constexpr int kOne = 127;  // the largest activation, and one in an input plane
inline constexpr int kQuad = 4;   // channels in a word: activations of four channels, a byte each
inline constexpr int kMaxChannels = 256;
inline constexpr int kBoardOutputs = 3;  // value, policy of a pass, policy of a swap
inline constexpr int kBlockPools = 2;    // means and maxima of all channels
inline constexpr int kTrunkPools = 3;    // means, means by the size of the board, and maxima

// Channels rounded up to whole words.
constexpr int padded(std::size_t channels) {
  return (static_cast<int>(channels) + kQuad - 1) / kQuad * kQuad;
}

// Sizes of a network. channels and head are multiples of kQuad.
struct NetworkShape {
  int channels = 0;  // of the trunk
  int blocks = 0;    // of two convolutions each
  int head = 0;      // channels of the head of points
  int hidden = 0;    // units of the head of the board
};

// A convolution, as integers: the sum over taps and input channels, times `scale`, plus `bias`, is the
// output in units of the next activation.
struct Convolution {
  int taps = 0;                          // 9: three by three, from the lower left; 1: the point alone
  int inputs = 0;                        // channels
  int outputs = 0;                       // channels
  std::span<const std::int8_t> weights;  // [output / 4][tap][input / 4][output % 4][input % 4]
  std::span<const float> scale;          // by output
  std::span<const float> bias;           // by output

  std::int8_t weight(std::size_t output, std::size_t tap, std::size_t input) const {
    const auto all_taps = static_cast<std::size_t>(taps);
    const auto quads = static_cast<std::size_t>(inputs / kQuad);
    const std::size_t block = (output / kQuad * all_taps + tap) * quads + input / kQuad;
    return weights[(block * kQuad + output % kQuad) * kQuad + input % kQuad];
  }
};

// A matrix and a bias, as floats: what pooled values, in their order, add to each output.
struct Dense {
  int inputs = 0;
  int outputs = 0;
  std::span<const float> weights;  // [input][output]
  std::span<const float> bias;     // by output
};

struct ResidualBlock {
  Convolution first;
  Dense pool;  // of means, then maxima, of the first one's outputs; its bias is in `second`
  Convolution second;
  float skip = 0;  // factor of the block's input in its output
};

class Network {
 public:
  // `planes`: the names of the input planes, in their order; padded() makes channels of them and adds
  // empty ones. Reads the weights: the tensors in the order of the members below, each as
  // its struct lists them, without gaps, integers as bytes and floats as four bytes each, lowest first.
  // Throws std::invalid_argument if shape and bytes do not fit each other, or a number is so large that
  // the outputs might not be finite.
  Network(const NetworkShape& shape, std::vector<std::string> planes, std::span<const std::byte> bytes);
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  const NetworkShape& shape() const { return shape_; }
  std::span<const std::string> planes() const { return planes_; }
  int inputs() const { return padded(planes_.size()); }

  Convolution stem;
  std::vector<ResidualBlock> blocks;
  Convolution points;      // of the head of points: one tap
  Dense points_pool;       // of the pooled trunk; its bias is in `points`
  Convolution points_out;  // a quad, two of them used: policy and ownership
  Dense board;             // of the pooled trunk; its outputs are rectified
  Dense board_out;         // kBoardOutputs

 private:
  NetworkShape shape_;
  std::vector<std::string> planes_;
  std::vector<std::byte> bytes_;
};

}  // namespace pinchtp
