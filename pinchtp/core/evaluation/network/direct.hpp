// Direct convolutions: sums of products.
//
// Points are adjacent in registers, four channels to a word. A convolution is computed in tiles of
// points by four output channels; their sums stay in registers while weights are broadcast.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <utility>

#include "feature_map.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// Vectors of points in a tile: its sums (four per vector) and its activations fill the registers.
#if defined(__AVX512VNNI__)
inline constexpr int kTile = 6;
#elif defined(__aarch64__)
inline constexpr int kTile = 4;
#elif defined(__AVXVNNI__) && !defined(__clang__)
// Needs no register for products of pairs. Clang runs out of registers.
inline constexpr int kTile = 3;
#else
inline constexpr int kTile = 2;
#endif

// The weights between four input and four output channels at one tap.
struct Term {
  std::int32_t offset;  // of the input channels' words from those of channel 0 at the same point
  std::int8_t weights[kQuad * kQuad];  // [output % 4][input % 4]
};

// The terms of a convolution on a board, without those whose weights are all zero.
class DirectConvolution {
 public:
  DirectConvolution(const Convolution& layer, const Layout& layout) : layer_(layer) {
    const std::int8_t* weights = layer.weights.data();
    for (int quad = 0; quad < layer.outputs / kQuad; ++quad) {
      for (int tap = 0; tap < layer.taps; ++tap) {
        const int neighbour = layer.taps == 1 ? 0 : (tap / 3 - 1) * layout.stride() + tap % 3 - 1;
        for (int input = 0; input < layer.inputs / kQuad; ++input, weights += kQuad * kQuad) {
          if (std::all_of(weights, weights + kQuad * kQuad, [](auto weight) { return weight == 0; }))
            continue;
          Term term{input * static_cast<int>(layout.size()) + neighbour, {}};
          std::copy_n(weights, kQuad * kQuad, term.weights);
          terms_.push_back(term);
        }
      }
      ends_.push_back(terms_.size());
    }
  }

  const Convolution& layer() const { return layer_; }
  int quads() const { return static_cast<int>(ends_.size()); }  // of output channels
  std::span<const Term> terms(int quad) const {
    const auto at = static_cast<std::size_t>(quad);
    const std::size_t begin = quad == 0 ? 0 : ends_[at - 1];
    return std::span(terms_).subspan(begin, ends_[at] - begin);
  }

 private:
  const Convolution& layer_;
  std::vector<Term> terms_;
  std::vector<std::size_t> ends_;  // by four output channels
};

// The sums of four output channels at kVectors vectors of points. words: of channel 0 at the first
// point.
template <int kVectors>
inline void sum_tile(const std::uint32_t* words, std::span<const Term> terms,
                     Sums (&sums)[kQuad][kVectors]) {
  Sums kept[kQuad][kVectors] = {};  // Clang keeps only local arrays in registers
  for (const Term& term : terms) {
    Activations a[kVectors];
    for (int i = 0; i < kVectors; ++i) a[i] = activations(load(words + term.offset + i * kWords));
    for (int output = 0; output < kQuad; ++output) {
      std::uint32_t word;
      std::memcpy(&word, term.weights + output * kQuad, sizeof word);
      const Weights w = weights(word);
      for (int i = 0; i < kVectors; ++i) kept[output][i] = dot(kept[output][i], a[i], w);
    }
  }
  std::memcpy(sums, kept, sizeof kept);
}

// Turns the sums of four output channels at vectors of points into activations.
struct Activate {
  const float* scale;
  const float* bias;
  const std::uint32_t* skip = nullptr;  // words of the same four channels in a block's input
  float skip_factor = 0;
  std::uint32_t* out = nullptr;

  Quads operator()(const Sums (&sums)[kQuad], std::size_t at) const {
    const Quads kept = skip ? load(skip + at) : Quads{};
    Quads packed{};
    for (int output = 0; output < kQuad; ++output) {
      Reals value = __builtin_convertvector(sums[output], Reals) * scale[output] + bias[output];
      if (skip) value += reals((kept >> (8 * output)) & 0xff) * skip_factor;
      packed |= rectified(value) << (8 * output);
    }
    return packed;
  }
};

template <int kVectors>
inline void activate_tile(const FeatureMap& in, std::size_t at, const Layout& layout,
                          std::span<const Term> terms, const Activate& activate) {
  Sums sums[kQuad][kVectors];
  sum_tile<kVectors>(in.quad(0) + at, terms, sums);
#pragma GCC unroll 8  // otherwise the sums leave their registers
  for (int i = 0; i < kVectors; ++i) {
    const std::size_t here = at + static_cast<std::size_t>(i * kWords);
    const Sums four[kQuad] = {sums[0][i], sums[1][i], sums[2][i], sums[3][i]};
    store(activate.out + here, activate(four, here) & load(&layout.mask()[here - layout.front()]));
  }
}

// Calls visit(vectors, at) for tiles of kTile vectors of points, then for a smaller last tile.
template <class Visit, int... kRest>
void for_tiles(const Layout& layout, std::integer_sequence<int, kRest...>, Visit&& visit) {
  std::size_t at = layout.front();
  std::size_t left = layout.computed() / kWords;
  for (; left >= kTile; left -= kTile, at += kTile * kWords)
    visit(std::integral_constant<int, kTile>(), at);
  ((left == kRest + 1 ? visit(std::integral_constant<int, kRest + 1>(), at) : void()), ...);
}

// A convolution with rectified outputs. bias: replaces the layer's own. skip: added to the outputs.
inline void convolve(const DirectConvolution& direct, const FeatureMap& in, const Layout& layout,
                     std::span<const float> bias, const FeatureMap* skip, float skip_factor,
                     FeatureMap& out) {
  for (int quad = 0; quad < direct.quads(); ++quad) {
    const auto first = static_cast<std::size_t>(quad * kQuad);
    const Activate activate{&direct.layer().scale[first], &bias[first],
                            skip ? skip->quad(quad) : nullptr, skip_factor, out.quad(quad)};
    const std::span<const Term> terms = direct.terms(quad);
    for_tiles(layout, std::make_integer_sequence<int, kTile - 1>(), [&](auto vectors, std::size_t at) {
      activate_tile<vectors()>(in, at, layout, terms, activate);
    });
  }
}

// The outputs of four channels without activation, for points in the order of the layout.
inline void convolve_to_reals(const DirectConvolution& direct, const FeatureMap& in,
                              const Layout& layout, std::span<std::vector<float>* const> out) {
  const Convolution& layer = direct.layer();
  for (std::size_t at = layout.front(); at < layout.front() + layout.computed(); at += kWords) {
    Sums sums[kQuad][1];
    sum_tile<1>(in.quad(0) + at, direct.terms(0), sums);
    for (std::size_t output = 0; output < out.size(); ++output) {
      const Reals values =
          __builtin_convertvector(sums[output][0], Reals) * layer.scale[output] + layer.bias[output];
      std::memcpy(&(*out[output])[at - layout.front()], &values, sizeof values);
    }
  }
}

// Combines the four-word parts of a vector with `combine`.
template <class Part, class Whole, class Combine>
inline Part folded(const Whole& whole, Combine&& combine) {
  Part parts[sizeof whole / sizeof(Part)];
  std::memcpy(parts, &whole, sizeof whole);
  for (std::size_t i = 1; i < std::size(parts); ++i) parts[0] = combine(parts[0], parts[i]);
  return parts[0];
}

// Means and maxima of the activations over all points, by channel.
inline void pool(const FeatureMap& planes, const Layout& layout, float* means, float* maxima) {
  typedef std::uint8_t Bytes __attribute__((vector_size(4 * kWords)));
  typedef std::uint8_t FewBytes __attribute__((vector_size(16)));
  typedef std::int32_t FewSums __attribute__((vector_size(16)));
  const auto higher = [](auto a, auto b) { return a > b ? a : b; };
  const float share = 1.0F / static_cast<float>(layout.points());
  for (int quad = 0; quad < planes.quads(); ++quad) {
    Sums sums[kQuad] = {};
    Bytes highest{};
    for (std::size_t i = 0; i < layout.computed(); i += kWords) {
      const Quads words = load(planes.quad(quad) + layout.front() + i);
      for (int c = 0; c < kQuad; ++c) sums[c] += (Sums)((words >> (8 * c)) & 0xff);
      highest = higher((Bytes)words, highest);
    }
    const auto bytes = folded<FewBytes>(highest, higher);
    for (int c = 0; c < kQuad; ++c) {
      const auto sum = folded<FewSums>(sums[c], std::plus<>());
      means[quad * kQuad + c] = static_cast<float>(sum[0] + sum[1] + sum[2] + sum[3]) * share;
      maxima[quad * kQuad + c] = std::max({bytes[c], bytes[c + 4], bytes[c + 8], bytes[c + 12]});
    }
  }
}

// The stem and the blocks of a network.
class DirectTrunk {
 public:
  DirectTrunk(const Network& network, const Layout& layout)
      : network_(network),
        layout_(layout),
        stem_(network.stem, layout),
        inner_(network.shape().channels, layout) {
    for (const ResidualBlock& block : network.blocks)
      blocks_.push_back({{block.first, layout}, {block.second, layout}});
  }

  // Computes the trunk's activations.
  void run(const FeatureMap& input, FeatureMap& trunk) {
    convolve(stem_, input, layout_, network_.stem.bias, nullptr, 0, trunk);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const ResidualBlock& block = network_.blocks[i];
      convolve(blocks_[i].first, trunk, layout_, block.first.bias, nullptr, 0, inner_);
      float pooled[kBlockPools * kMaxChannels];
      pool(inner_, layout_, pooled, pooled + block.first.outputs);
      const PooledBias bias(block.second, block.pool, pooled);
      // In place: each output depends on the trunk only at the same point.
      convolve(blocks_[i].second, inner_, layout_, bias.values(), &trunk, block.skip, trunk);
    }
  }

 private:
  struct Block {
    DirectConvolution first;
    DirectConvolution second;
  };

  const Network& network_;
  const Layout& layout_;
  DirectConvolution stem_;
  std::vector<Block> blocks_;
  FeatureMap inner_;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
