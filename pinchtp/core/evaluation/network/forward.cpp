// Inference for one position. Compiled once per instruction set. Integer sums are exact, and floats
// are added in an order independent of the register width, so the results are equal to the bit.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "../../instruction_sets.hpp"
#include "direct.hpp"
#include "inference.hpp"
#include "winograd.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

namespace {

class Forward final : public Inference {
 public:
  Forward(const Network& network, int width, int height)
      : network_(network),
        layout_(width, height),
        input_(network.inputs(), layout_),
        trunk_(network.shape().channels, layout_),
        head_(network.shape().head, layout_),
        compute_trunk_(network, layout_),
        points_(network.points, layout_),
        points_out_(network.points_out, layout_),
        // Scales the means, so that the heads can use the size of the board; about -1 to 1.
        by_size_(0.125F * (static_cast<float>(width + height) * 0.5F - 9.0F)) {
    prediction_.policy.resize(layout_.computed());
    prediction_.ownership.resize(layout_.computed());
  }

  const Layout& layout() const override { return layout_; }
  std::span<std::uint32_t> input() override { return input_.words(); }

  const Prediction& run() override {
    compute_trunk_.run(input_, trunk_);
    pool_trunk();
    run_points();
    run_board();
    return prediction_;
  }

 private:
  void pool_trunk() {
    const auto channels = static_cast<std::size_t>(network_.shape().channels);
    pool(trunk_, layout_, pooled_, pooled_ + 2 * channels);
    for (std::size_t i = 0; i < channels; ++i) pooled_[channels + i] = pooled_[i] * by_size_;
  }

  void run_points() {
    const PooledBias bias(network_.points, network_.points_pool, pooled_);
    convolve(points_, trunk_, layout_, bias.values(), nullptr, 0, head_);
    std::vector<float>* const out[] = {&prediction_.policy, &prediction_.ownership};
    convolve_to_reals(points_out_, head_, layout_, out);
  }

  void run_board() {
    float hidden[kMaxChannels];
    std::ranges::copy(network_.board.bias, hidden);
    add_dense(network_.board, pooled_, hidden);
    for (int i = 0; i < network_.shape().hidden; ++i) hidden[i] = std::max(hidden[i], 0.0F);
    float out[kBoardOutputs];
    std::ranges::copy(network_.board_out.bias, out);
    add_dense(network_.board_out, hidden, out);
    prediction_.value = out[0];
    prediction_.pass = out[1];
    prediction_.swap = out[2];
  }

  using Trunk = std::conditional_t<kHasFastDot, DirectTrunk, WinogradTrunk>;

  const Network& network_;
  Layout layout_;
  FeatureMap input_;
  FeatureMap trunk_;
  FeatureMap head_;
  Trunk compute_trunk_;
  DirectConvolution points_;
  DirectConvolution points_out_;
  float by_size_;
  float pooled_[kTrunkPools * kMaxChannels];  // of the trunk
  Prediction prediction_;
};

}  // namespace

std::unique_ptr<Inference> make_forward(const Network& network, int width, int height) {
  return std::make_unique<Forward>(network, width, height);
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
