#include "network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace pinchtp {

static_assert(std::endian::native == std::endian::little, "weights are used in the file's byte order");

namespace {

constexpr int kMaxBlocks = 64;
constexpr float kMaxWeight = 1e9F;  // the largest network of such weights has outputs below 1e30

bool is_sound(const NetworkShape& shape) {
  const auto are_channels = [](int n) { return 0 < n && n <= kMaxChannels && n % kQuad == 0; };
  return are_channels(shape.channels) && are_channels(shape.head) && 0 < shape.hidden &&
         shape.hidden <= kMaxChannels && 0 <= shape.blocks && shape.blocks <= kMaxBlocks;
}

// Takes tensors from the front of a buffer. The size of each is a multiple of four bytes, so floats
// are aligned.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

  Convolution convolution(int taps, int inputs, int outputs) {
    Convolution made{taps, inputs, outputs, {}, {}, {}};
    made.weights = take<std::int8_t>(taps * inputs * outputs);
    made.scale = floats(outputs);
    made.bias = floats(outputs);
    return made;
  }

  Dense dense(int inputs, int outputs, bool has_bias) {
    Dense made{inputs, outputs, {}, {}};
    made.weights = floats(inputs * outputs);
    if (has_bias) made.bias = floats(outputs);
    return made;
  }

  std::span<const float> floats(int count) {
    const std::span<const float> taken = take<float>(count);
    const auto is_sound = [](float x) { return std::abs(x) <= kMaxWeight; };  // false for NaN
    if (!std::ranges::all_of(taken, is_sound))
      throw std::invalid_argument("a weight of the network is NaN or beyond 1e9");
    return taken;
  }

  bool is_empty() const { return left_.empty(); }

 private:
  template <class T>
  std::span<const T> take(int count) {
    const std::size_t size = sizeof(T) * static_cast<std::size_t>(count);
    if (left_.size() < size) throw std::invalid_argument("the network has too few weights");
    const auto* first = reinterpret_cast<const T*>(left_.data());
    left_ = left_.subspan(size);
    return {first, static_cast<std::size_t>(count)};
  }

  std::span<const std::byte> left_;
};

}  // namespace

Network::Network(const NetworkShape& shape, std::vector<std::string> planes,
                 std::span<const std::byte> bytes)
    : shape_(shape), planes_(std::move(planes)), bytes_(bytes.begin(), bytes.end()) {
  if (!is_sound(shape) || planes_.empty() || planes_.size() > kMaxChannels)
    throw std::invalid_argument("unsupported tensor shapes");
  Reader reader(bytes_);
  const int trunk = shape.channels;
  stem = reader.convolution(9, inputs(), trunk);
  for (int i = 0; i < shape.blocks; ++i) {
    ResidualBlock block;
    block.first = reader.convolution(9, trunk, trunk);
    block.pool = reader.dense(kBlockPools * trunk, trunk, false);
    block.second = reader.convolution(9, trunk, trunk);
    block.skip = reader.floats(1)[0];
    blocks.push_back(block);
  }
  points = reader.convolution(1, trunk, shape.head);
  points_pool = reader.dense(kTrunkPools * trunk, shape.head, false);
  points_out = reader.convolution(1, shape.head, kQuad);
  board = reader.dense(kTrunkPools * trunk, shape.hidden, true);
  board_out = reader.dense(shape.hidden, kBoardOutputs, true);
  if (!reader.is_empty()) throw std::invalid_argument("the network has too many weights");
}

}  // namespace pinchtp
