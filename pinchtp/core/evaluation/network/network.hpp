// A network in memory: its shape and its weights; forward.cpp does the arithmetic.
//
// The input consists of planes: integers from 0 to kOne for every point. A stem and residual blocks
// of 3x3 convolutions follow. Each block adds a bias computed from the mean and the maximum of its
// inner channels over the whole board (global pooling; Wu, "Accelerating Self-Play Learning in Go",
// 2019). Two heads read the trunk: the point head (policy and ownership) and the board head (value,
// and the policy of moves without a point). Only the means depend on the size of the board, so one
// network plays on all sizes.
//
// Activations are integers from 0 to kOne after each layer, weights of convolutions 8-bit integers
// with one scale per output channel. Products of seven by eight bits allow adding four of them in
// sixteen bits, so every instruction set computes the same sums (inference.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <typeindex>
#include <vector>

namespace pinchtp {

inline constexpr int kOne = 127;  // the largest activation; a 1 in an input plane
inline constexpr int kQuad = 4;   // channels per word, one byte each
inline constexpr int kMaxChannels = 256;
inline constexpr int kBoardOutputs = 3;  // value, policy of a pass, policy of a swap
inline constexpr int kBlockPools = 2;    // means and maxima of all channels
inline constexpr int kTrunkPools = 3;    // means, means scaled by the size of the board, maxima

// Channels rounded up to a multiple of kQuad.
constexpr int padded(std::size_t channels) {
  return (static_cast<int>(channels) + kQuad - 1) / kQuad * kQuad;
}

// The dimensions of a network. channels and head are multiples of kQuad.
struct NetworkShape {
  int channels = 0;  // of the trunk
  int blocks = 0;    // of two convolutions each
  int head = 0;      // channels of the point head
  int hidden = 0;    // hidden units of the board head
};

// A quantized convolution: the sum over taps and input channels, times `scale`, plus `bias`, is the
// output in units of the next activation.
struct Convolution {
  int taps = 0;                          // 9: 3x3, from the lower left; 1: the point alone
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

// A float matrix and a bias: the contributions of pooled values, in their order, to each output.
struct Dense {
  int inputs = 0;
  int outputs = 0;
  std::span<const float> weights;  // [input][output]
  std::span<const float> bias;     // by output
};

struct ResidualBlock {
  Convolution first;
  Dense pool;  // from means, then maxima, of the first one's outputs; its bias is in `second`
  Convolution second;
  float skip = 0;  // factor of the block's input in its output
};

class Network {
 public:
  // `planes`: the names of the input planes, in order; the constructor pads them with empty ones to
  // padded() channels. Reads the weights from `bytes`: the tensors in the order of the members
  // below, each as listed in its struct, without gaps, integers as bytes and floats as four bytes,
  // little-endian. Throws std::invalid_argument if shape and bytes do not match, or if a number is
  // so large that the outputs might not be finite.
  Network(const NetworkShape& shape, std::vector<std::string> planes, std::span<const std::byte> bytes);
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  const NetworkShape& shape() const { return shape_; }
  std::span<const std::string> planes() const { return planes_; }
  int inputs() const { return padded(planes_.size()); }

  // T(network): the weights in the form that an instruction set needs. Made by the first call, by
  // any thread, and shared by all. Throws std::bad_alloc.
  template <class T>
  const T& prepared() const {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const void>& known = prepared_[typeid(T)];
    if (!known) known = std::make_shared<const T>(*this);
    return *static_cast<const T*>(known.get());
  }

  Convolution stem;
  std::vector<ResidualBlock> blocks;
  Convolution points;      // of the point head: one tap
  Dense points_pool;       // of the pooled trunk; its bias is in `points`
  Convolution points_out;  // one quad, two of its channels used: policy and ownership
  Dense board;             // of the pooled trunk, rectified
  Dense board_out;         // kBoardOutputs

 private:
  NetworkShape shape_;
  std::vector<std::string> planes_;
  std::vector<std::byte> bytes_;
  mutable std::mutex mutex_;
  mutable std::map<std::type_index, std::shared_ptr<const void>> prepared_;
};

}  // namespace pinchtp
