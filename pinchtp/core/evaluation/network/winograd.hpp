// 3x3 convolutions by Winograd's minimal filtering: a tile of nine outputs takes 25 products per
// pair of channels instead of 81 (A. Lavin and S. Gray, "Fast Algorithms for Convolutional Neural
// Networks", 2015; here with the points 0, 1, -1, 2 and infinity).
//
// Filters are scaled by six in each direction, so that all numbers are integers. The sums are 36
// times those of the convolution. Intermediate sums may overflow, but are correct modulo 2^32, and
// the final ones are below 2^31 for 256 channels. So the results equal direct convolution to the
// bit.
//
// Channels are adjacent in registers, sixteen bits each.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#include "feature_map.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

inline constexpr std::size_t kTileSide = 3;
inline constexpr std::size_t kInputSide = kTileSide + 2;        // the points that a tile depends on
inline constexpr std::size_t kParts = kInputSide * kInputSide;  // elements of a transformed tile
inline constexpr std::size_t kLanes = 2 * kWords;               // channels in a register

template <class T, std::size_t kCount>
using Row = std::array<T, kCount>;
template <class T, std::size_t kCount>
using Square = Row<Row<T, kCount>, kCount>;

struct TransformTaps {
  template <class T>
  Row<T, 5> operator()(const Row<T, 3>& g) const {
    return {g[0] * 3, (g[0] + g[1] + g[2]) * -3, g[1] - g[0] - g[2], g[0] + g[1] * 2 + g[2] * 4,
            g[2] * 6};
  }
};

struct TransformInputs {
  template <class T>
  Row<T, 5> operator()(const Row<T, 5>& d) const {
    const T step = d[3] - d[1];
    const T rest = d[3] - d[2];
    return {(d[0] - d[2]) * 2 + step, rest - d[1] * 2, rest + (d[1] - d[2]) * 2, step,
            d[4] - d[2] - step * 2};
  }
};

struct TransformProducts {
  template <class T>
  Row<T, 3> operator()(const Row<T, 5>& m) const {
    const T sum = m[1] + m[2];
    return {m[0] + sum + m[3], m[1] - m[2] + m[3] * 2, sum + m[3] * 4 + m[4]};
  }
};

// Transforms each row of a square, then each column.
template <class Transform, class T, std::size_t kCount>
inline auto transformed(const Square<T, kCount>& square) {
  constexpr std::size_t kResult = std::tuple_size_v<decltype(Transform()(square[0]))>;
  Row<Row<T, kResult>, kCount> rows;
  for (std::size_t y = 0; y < kCount; ++y) rows[y] = Transform()(square[y]);
  Square<T, kResult> result;
  for (std::size_t x = 0; x < kResult; ++x) {
    Row<T, kCount> column;
    for (std::size_t y = 0; y < kCount; ++y) column[y] = rows[y][x];
    const Row<T, kResult> made = Transform()(column);
    for (std::size_t y = 0; y < kResult; ++y) result[y][x] = made[y];
  }
  return result;
}

// The number of registers for the channels of a point.
inline std::size_t registers_of(int channels) {
  return (static_cast<std::size_t>(channels) + kLanes - 1) / kLanes;
}

// Activations of all channels at every point of a board extended to whole tiles, with a border.
// Everything outside the board stays zero.
class ChannelMap {
 public:
  ChannelMap(int channels, const Layout& layout)
      : layout_(layout),
        depth_(registers_of(channels)),
        columns_(tiles(layout.width())),
        rows_(tiles(layout.height())),
        pairs_((rows_ * kTileSide + 2) * row()) {}

  std::size_t depth() const { return depth_; }  // registers per point
  std::size_t columns() const { return columns_; }
  std::size_t tiles() const { return columns_ * rows_; }

  std::size_t row() const { return (columns_ * kTileSide + 2) * depth_; }  // registers per row

  // The registers of a point; x and y start at -1.
  Pairs* at(int x, int y) { return const_cast<Pairs*>(std::as_const(*this).at(x, y)); }
  const Pairs* at(int x, int y) const {
    return &pairs_[static_cast<std::size_t>(y + 1) * row() + static_cast<std::size_t>(x + 1) * depth_];
  }

  void read(const FeatureMap& from) {
    for (int quad = 0; quad < from.quads(); ++quad)
      for_points(quad, [&](std::byte* channels, std::size_t at) {
        std::uint64_t bytes = from.quad(quad)[at];
        bytes = (bytes | bytes << 16) & 0x0000'ffff'0000'ffffU;
        bytes = (bytes | bytes << 8) & 0x00ff'00ff'00ff'00ffU;
        std::memcpy(channels, &bytes, sizeof bytes);
      });
  }

  void write(FeatureMap& to) {
    for (int quad = 0; quad < to.quads(); ++quad)
      for_points(quad, [&](const std::byte* channels, std::size_t at) {
        std::uint64_t bytes;
        std::memcpy(&bytes, channels, sizeof bytes);
        bytes = (bytes | bytes >> 8) & 0x0000'ffff'0000'ffffU;
        to.quad(quad)[at] = static_cast<std::uint32_t>(bytes | bytes >> 16);
      });
  }

  // Means and maxima of the activations over all points, by channel.
  void pool(int channels, float* means, float* maxima) const {
    const float share = 1.0F / static_cast<float>(layout_.points());
    for (std::size_t i = 0; i < depth_; ++i) {
      std::array<std::int32_t, kLanes> sums{};
      Pairs highest{};
      for (int y = 0; y < layout_.height(); ++y) {
        Pairs sum{};  // of a row, which fits sixteen bits
        for (int x = 0; x < layout_.width(); ++x) {
          const Pairs here = at(x, y)[i];
          sum += here;
          highest = here > highest ? here : highest;
        }
        for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += sum[lane];
      }
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::size_t channel = i * kLanes + lane;
        if (channel >= static_cast<std::size_t>(channels)) return;
        means[channel] = static_cast<float>(sums[lane]) * share;
        maxima[channel] = highest[lane];
      }
    }
  }

 private:
  static std::size_t tiles(int points) {
    return (static_cast<std::size_t>(points) + kTileSide - 1) / kTileSide;
  }

  // Calls visit(four channels of sixteen bits, index in the layout) for all points.
  template <class Visit>
  void for_points(int quad, Visit&& visit) {
    for (int y = 0; y < layout_.height(); ++y) {
      auto* channels = reinterpret_cast<std::byte*>(at(0, y)) +
                       static_cast<std::size_t>(quad) * sizeof(std::uint64_t);
      for (int x = 0; x < layout_.width(); ++x, channels += depth_ * sizeof(Pairs))
        visit(channels, layout_.at(x, y));
    }
  }

  const Layout& layout_;
  std::size_t depth_;
  std::size_t columns_;
  std::size_t rows_;
  std::vector<Pairs> pairs_;
};

// The weights of a convolution, transformed.
class WinogradFilters {
 public:
  explicit WinogradFilters(const Convolution& layer)
      : pairs_(static_cast<std::size_t>(layer.inputs) / 2),
        outputs_(static_cast<std::size_t>(layer.outputs)),
        registers_(registers_of(layer.outputs)),
        weights_(registers_ * kParts * pairs_),
        scale_(layer.scale.begin(), layer.scale.end()) {
    scale_.resize(registers_ * kLanes);
    for (std::size_t output = 0; output < outputs_; ++output)
      for (std::size_t input = 0; input < 2 * pairs_; ++input) {
        Square<int, 3> taps;
        for (std::size_t tap = 0; tap < 9; ++tap)
          taps[tap / 3][tap % 3] = layer.weight(output, tap, input);
        const auto parts = transformed<TransformTaps>(taps);
        for (std::size_t part = 0; part < kParts; ++part) {
          Weights& weights = weights_[(output / kLanes * kParts + part) * pairs_ + input / 2];
          weights[output / kWords % 2][output % kWords * 2 + input % 2] =
              static_cast<std::int16_t>(parts[part / kInputSide][part % kInputSide]);
        }
      }
  }

  // The weights of a pair of inputs for one register of outputs: two halves, whose sums take a
  // register each.
  using Weights = std::array<Pairs, 2>;

  std::size_t pairs() const { return pairs_; }          // of inputs
  std::size_t registers() const { return registers_; }  // of outputs
  // The halves of a register that contain outputs: both, except perhaps in the last register.
  std::size_t halves(std::size_t i) const { return i * kLanes + kWords < outputs_ ? 2 : 1; }
  // The weights of all pairs, for a part and a register.
  const Weights* weights(std::size_t part, std::size_t i) const {
    return &weights_[(i * kParts + part) * pairs_];
  }
  const float* scale(std::size_t i) const { return &scale_[i * kLanes]; }

 private:
  std::size_t pairs_;
  std::size_t outputs_;
  std::size_t registers_;
  std::vector<Weights> weights_;
  std::vector<float> scale_;
};

// The filters of the stem and of both convolutions of each block, in order.
struct TrunkFilters {
  explicit TrunkFilters(const Network& network) {
    all.emplace_back(network.stem);
    for (const ResidualBlock& block : network.blocks) {
      all.emplace_back(block.first);
      all.emplace_back(block.second);
    }
  }

  std::vector<WinogradFilters> all;
};

// The stem and the blocks of a network.
class WinogradTrunk {
 public:
  WinogradTrunk(const Network& network, const Layout& layout)
      : network_(network),
        filters_(network.prepared<TrunkFilters>()),
        layout_(layout),
        input_(network.inputs(), layout),
        trunk_(network.shape().channels, layout),
        inner_(network.shape().channels, layout),
        inputs_(kParts * kGroup * std::max(input_.depth(), trunk_.depth())) {}

  // Computes the trunk's activations.
  void run(const FeatureMap& input, FeatureMap& trunk) {
    input_.read(input);
    const WinogradFilters* filters = filters_.all.data();
    convolve(*filters++, input_, network_.stem.bias, nullptr, 0, trunk_);
    for (const ResidualBlock& block : network_.blocks) {
      convolve(*filters++, trunk_, block.first.bias, nullptr, 0, inner_);
      float pooled[kBlockPools * kMaxChannels];
      inner_.pool(block.first.outputs, pooled, pooled + block.first.outputs);
      const PooledBias bias(block.second, block.pool, pooled);
      // In place: each output depends on the trunk only at the same point.
      convolve(*filters++, inner_, bias.values(), &trunk_, block.skip, trunk_);
    }
    trunk_.write(trunk);
  }

 private:
  static constexpr std::size_t kTogether = 5;           // tiles whose sums fit the registers
  static constexpr std::size_t kGroup = 3 * kTogether;  // tiles whose data fit the cache

  // A convolution with rectified outputs. bias: replaces the layer's own. skip: added to the outputs.
  void convolve(const WinogradFilters& filters, const ChannelMap& in, std::span<const float> bias,
                const ChannelMap* skip, float skip_factor, ChannelMap& out) {
    std::ranges::copy(bias, bias_.begin());
    for (std::size_t first = 0; first < in.tiles(); first += kGroup) {
      const std::size_t count = std::min(kGroup, in.tiles() - first);
      for (std::size_t t = 0; t < count; ++t) transform_inputs(in, first + t, t);
      for (std::size_t i = 0; i < filters.registers(); ++i) {
        const std::size_t halves = filters.halves(i);
        for (std::size_t part = 0; part < kParts; ++part) {
          const auto rest = std::make_index_sequence<kTogether - 1>();
          if (halves == 2)
            multiply<2>(filters, part, i, in.depth(), count, rest);
          else
            multiply<1>(filters, part, i, in.depth(), count, rest);
        }
        const Activate activate(filters.scale(i), &bias_[i * kLanes], skip_factor);
        for (std::size_t t = 0; t < count; ++t)
          write_tile(first + t, t, activate, skip, out, i, halves);
      }
    }
  }

  // Fills inputs_, [part][tile][register], for a tile, the t-th of its group.
  void transform_inputs(const ChannelMap& in, std::size_t tile, std::size_t t) {
    const Pairs* corner = in.at(left(in, tile) - 1, bottom(in, tile) - 1);
    for (std::size_t i = 0; i < in.depth(); ++i) {
      Square<Pairs, kInputSide> points;
      for (std::size_t y = 0; y < kInputSide; ++y)
        for (std::size_t x = 0; x < kInputSide; ++x)
          points[y][x] = corner[y * in.row() + x * in.depth() + i];
      const auto parts = transformed<TransformInputs>(points);
      for (std::size_t y = 0; y < kInputSide; ++y)
        for (std::size_t x = 0; x < kInputSide; ++x)
          inputs_[((y * kInputSide + x) * kGroup + t) * in.depth() + i] = parts[y][x];
    }
  }

  // Fills products_ for a part, for `count` tiles and some halves of a register of outputs.
  template <std::size_t kHalves, std::size_t... kRest>
  void multiply(const WinogradFilters& filters, std::size_t part, std::size_t i, std::size_t depth,
                std::size_t count, std::index_sequence<kRest...>) {
    const WinogradFilters::Weights* weights = filters.weights(part, i);
    const Pairs* inputs = &inputs_[part * kGroup * depth];
    std::size_t t = 0;
    for (; t + kTogether <= count; t += kTogether)
      multiply_tiles<kHalves, kTogether>(weights, filters.pairs(), inputs + t * depth, depth,
                                         &products_[t], part);
    ((count - t == kRest + 1
          ? multiply_tiles<kHalves, kRest + 1>(weights, filters.pairs(), inputs + t * depth, depth,
                                               &products_[t], part)
          : void()),
     ...);
  }

  using Products = std::array<Row<Quads, kParts>, 2>;  // of a tile, for each half of a register

  // Multiplies kTiles tiles, whose sums stay in registers.
  template <std::size_t kHalves, std::size_t kTiles>
  static void multiply_tiles(const WinogradFilters::Weights* weights, std::size_t pairs,
                             const Pairs* inputs, std::size_t depth, Products* products,
                             std::size_t part) {
    Quads sums[kTiles][kHalves] = {};
    const auto* next = reinterpret_cast<const std::byte*>(inputs);
    for (std::size_t pair = 0; pair < pairs; ++pair, next += sizeof(std::uint32_t))
      for (std::size_t t = 0; t < kTiles; ++t) {
        std::uint32_t word;
        std::memcpy(&word, next + t * depth * sizeof(Pairs), sizeof word);
        const auto input = (Pairs)(Quads{} + word);
        for (std::size_t half = 0; half < kHalves; ++half)
          sums[t][half] = dot_pairs(sums[t][half], input, weights[pair][half]);
      }
    for (std::size_t t = 0; t < kTiles; ++t)
      for (std::size_t half = 0; half < kHalves; ++half) products[t][half][part] = sums[t][half];
  }

  // Turns the sums of half a register into activations.
  class Activate {
   public:
    Activate(const float* scale, const float* bias, float skip_factor) : skip_factor_(skip_factor) {
      std::memcpy(scale_, scale, sizeof scale_);
      std::memcpy(bias_, bias, sizeof bias_);
    }

    // skip: activations of the same channels to add, or null.
    void operator()(Sums sums, std::size_t half, const Pairs* skip, Pairs* to) const {
      typedef std::int16_t Half __attribute__((vector_size(2 * kWords)));
      const std::size_t offset = half * sizeof(Half);
      Reals value = __builtin_convertvector(sums, Reals) * scale_[half] + bias_[half];
      if (skip) {
        Half skipped;
        std::memcpy(&skipped, reinterpret_cast<const std::byte*>(skip) + offset, sizeof skipped);
        value += __builtin_convertvector(__builtin_convertvector(skipped, Sums), Reals) * skip_factor_;
      }
      const Half made = __builtin_convertvector((Sums)rectified(value), Half);
      std::memcpy(reinterpret_cast<std::byte*>(to) + offset, &made, sizeof made);
    }

   private:
    Reals scale_[2];
    Reals bias_[2];
    float skip_factor_;
  };

  // Writes the activations of a register of channels at the points of a tile.
  void write_tile(std::size_t tile, std::size_t t, const Activate& activate, const ChannelMap* skip,
                  ChannelMap& out, std::size_t i, std::size_t halves) const {
    const int x0 = left(out, tile);
    const int y0 = bottom(out, tile);
    const auto width = std::min(kTileSide, static_cast<std::size_t>(layout_.width() - x0));
    const auto height = std::min(kTileSide, static_cast<std::size_t>(layout_.height() - y0));
    Pairs* const corner = out.at(x0, y0) + i;
    const Pairs* const skipped = skip ? skip->at(x0, y0) + i : nullptr;
    for (std::size_t half = 0; half < halves; ++half) {
      Square<Quads, kInputSide> parts;
      for (std::size_t y = 0; y < kInputSide; ++y)
        for (std::size_t x = 0; x < kInputSide; ++x)
          parts[y][x] = products_[t][half][y * kInputSide + x];
      const auto sums = transformed<TransformProducts>(parts);
      for (std::size_t y = 0; y < kTileSide && y < height; ++y)
        for (std::size_t x = 0; x < kTileSide && x < width; ++x) {
          const std::size_t at = y * out.row() + x * out.depth();
          // Divides by 36: 0x38e38e39 times 9 is 1 modulo 2^32.
          const Sums sum = (Sums)(sums[y][x] * 0x38e38e39U) >> 2;
          activate(sum, half, skipped ? skipped + at : nullptr, corner + at);
        }
    }
  }

  static int left(const ChannelMap& map, std::size_t tile) {
    return static_cast<int>(tile % map.columns() * kTileSide);
  }
  static int bottom(const ChannelMap& map, std::size_t tile) {
    return static_cast<int>(tile / map.columns() * kTileSide);
  }

  const Network& network_;
  const TrunkFilters& filters_;
  const Layout& layout_;
  ChannelMap input_;
  ChannelMap trunk_;
  ChannelMap inner_;
  std::vector<Pairs> inputs_;
  std::array<Products, kGroup> products_;
  std::array<float, kMaxChannels + kLanes> bias_{};
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
