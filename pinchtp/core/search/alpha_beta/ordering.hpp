// Move ordering: the transposition table's move, killer moves, then the history heuristic.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "scores.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta {

// The move statistics of one thread, by code, origin and target.
class MoveOrdering {
 public:
  template <class State>
  int rank(const State& state, const typename State::Turn& turn, std::uint16_t code, int ply) const {
    const auto& killers = killers_[static_cast<std::size_t>(ply)];
    if (code == killers[0]) return kKiller + 1;
    if (code == killers[1]) return kKiller;
    return history_[index(state.turn)][State::origin(turn)][State::target(turn)];
  }

  // Rewards a move that caused a cutoff at this depth.
  template <class State>
  void reward(const State& state, const typename State::Turn& turn, std::uint16_t code, int ply,
              int depth) {
    auto& killers = killers_[static_cast<std::size_t>(ply)];
    if (killers[0] != code) killers = {code, killers[0]};
    change(history_[index(state.turn)][State::origin(turn)][State::target(turn)], depth * depth);
  }
  // Penalizes a move tried before the one that caused the cutoff.
  template <class State>
  void penalize(const State& state, const typename State::Turn& turn, int depth) {
    change(history_[index(state.turn)][State::origin(turn)][State::target(turn)], -depth * depth);
  }

  static constexpr int kKiller = 1 << 20;
  static constexpr int kKnown = 1 << 21;  // the move of the transposition table

 private:
  static constexpr int kMaxHistory = 1 << 14;

  // Saturates, so that old rewards fade.
  static void change(int& value, int by) {
    by = std::clamp(by, -kMaxHistory / 4, kMaxHistory / 4);
    value += by - value * std::abs(by) / kMaxHistory;
  }

  std::array<std::array<std::uint16_t, 2>, kMaxPly + 1> killers_{};
  std::array<std::array<std::array<int, 64>, 64>, 2> history_{};
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta
