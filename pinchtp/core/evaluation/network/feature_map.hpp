// Activations of a layer, rounding to activations, and dense layers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "dot.hpp"
#include "inference.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

inline Quads load(const std::uint32_t* words) {
  Quads quads;
  std::memcpy(&quads, words, sizeof quads);
  return quads;
}

inline void store(std::uint32_t* words, Quads quads) { std::memcpy(words, &quads, sizeof quads); }

// Activations of some channels at every point: [channels / kQuad][layout size] words.
class FeatureMap {
 public:
  FeatureMap(int channels, const Layout& layout)
      : quads_(channels / kQuad),
        size_(layout.size()),
        words_(static_cast<std::size_t>(quads_) * size_) {}
  int quads() const { return quads_; }
  std::size_t size() const { return size_; }
  std::uint32_t* quad(int i) { return &words_[static_cast<std::size_t>(i) * size_]; }
  const std::uint32_t* quad(int i) const { return &words_[static_cast<std::size_t>(i) * size_]; }
  std::span<std::uint32_t> words() { return words_; }

 private:
  int quads_;
  std::size_t size_;
  std::vector<std::uint32_t> words_;
};

// Rounds to the nearest activation, halves up.
inline Quads rectified(Reals values) {
  const Reals limited = least(greatest(values, Reals{}), Reals{} + kOne);
  return (Quads) __builtin_convertvector(limited + 0.5F, Sums);
}

inline Reals reals(Quads words) { return __builtin_convertvector((Sums)words, Reals); }

// Adds inputs times weights to the outputs, summing in the order of the inputs.
inline void add_dense(const Dense& layer, const float* inputs, float* outputs) {
  const auto count = static_cast<std::size_t>(layer.outputs);
  const auto add = [&](auto sums, std::size_t at) {  // as many outputs as `sums` has elements
    std::memcpy(&sums, outputs + at, sizeof sums);
    for (std::size_t i = 0; i < static_cast<std::size_t>(layer.inputs); ++i) {
      decltype(sums) weights;
      std::memcpy(&weights, &layer.weights[i * count + at], sizeof weights);
      sums += inputs[i] * weights;
    }
    std::memcpy(outputs + at, &sums, sizeof sums);
  };
  std::size_t at = 0;
  for (; at + kWords <= count; at += kWords) add(Reals{}, at);
  for (; at < count; ++at) add(0.0F, at);
}

// The biases of a convolution plus the contribution of pooled values.
class PooledBias {
 public:
  PooledBias(const Convolution& layer, const Dense& pool, const float* pooled)
      : count_(layer.bias.size()) {
    std::ranges::copy(layer.bias, values_);
    add_dense(pool, pooled, values_);
  }
  std::span<const float> values() const { return {values_, count_}; }

 private:
  std::size_t count_;
  float values_[kMaxChannels];
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
