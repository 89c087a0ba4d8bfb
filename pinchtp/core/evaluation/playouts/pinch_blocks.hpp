// A playout of Pinch, in blocks of moves.
//
// Connections are rare, and the first one wins. So the test for connections follows a block of
// moves: does the union of a side's stones on the board at any time in the block join its edges? If
// so, the boards saved after each move show which move won, if any: one in fifteen of these blocks
// has no winner.
//
// Speed on 13x13 with AVX-512: of 13 ns per move, placing and flipping takes 7.5, testing the edges
// 2, drawing points and recording them 1.7, finding the winning move 1.3. One move in twelve flips
// a second time, an unpredictable branch: without it a move would take 9 ns.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "../../bitboard.hpp"
#include "../../games/edge_connections.hpp"
#include "../../games/pinch.hpp"
#include "../../rng.hpp"
#include "../../types.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// Points, as bits of a board's words(), drawn in random order.
template <class Board>
class RandomOrder {
 public:
  explicit RandomOrder(const Board& points) {
    points.for_each_bit([&](int bit) { bits_[left_++] = static_cast<std::uint16_t>(bit); });
  }
  std::uint32_t left() const { return left_; }

  int draw(Rng& rng) { return take(rng.below(left_)); }

  // Draws two points into `bits`, or one if only one is left.
  void draw_two(Rng& rng, std::uint16_t* bits) {
    const auto [first, second] = rng.two_below(left_, left_ - 1);
    bits[0] = take(first);
    if (left_ > 0) bits[1] = take(second);
  }

 private:
  std::uint16_t take(std::uint32_t at) {
    assert(at < left_);
    const std::uint16_t bit = bits_[at];
    bits_[at] = bits_[--left_];
    return bit;
  }

  std::uint16_t bits_[kMaxSize * kMaxSize];
  std::uint32_t left_ = 0;
};

template <class Board>
class PinchBlocks {
 public:
  static constexpr int kNobody = 2;

  // Neither side may be connected yet.
  PinchBlocks(const EdgeConnections<Board>& mover, const EdgeConnections<Board>& enemy,
              const Board& points)
      : players_{Player(mover, points), Player(enemy, points)} {}

  // Makes moves in that order until a side is connected, and calls visit(who, bit) for each: `who`
  // is 0 for the side that moves first, 1 for the other. Returns the side of the last move, or
  // kNobody if the board fills up without a connection.
  template <class Visit>
  int run(Rng& rng, RandomOrder<Board>& order, Visit&& visit) {
    while (order.left() > 0) {
      draw(rng, order);
      move();
      const int winning = may_be_connected() ? winning_move() : count_;
      for (int i = 0; i < std::min(winning + 1, count_); ++i) visit(i % 2, bits_[i]);
      if (winning < count_) return winning % 2;
    }
    return kNobody;
  }

  const Board& stones(int who) const { return players_[who].stones; }

 private:
  // The best of a dozen values on boards from 9x9 to 19x19. Even, so that the same side moves first
  // in each block.
  static constexpr int kShortest = 8;
  static constexpr int kLongest = 64;
  static int length(std::uint32_t left) {
    return std::clamp(static_cast<int>(left) / 4, kShortest, kLongest) / 2 * 2;
  }

  struct Player {
    Player(const EdgeConnections<Board>& connections, const Board& points)
        : stones(connections.stones),
          low(connections.low),
          low_edge(connections.low & ~points),
          high_edge(connections.high & ~points) {}

    // Based on `low`, which may be a superset.
    bool is_connected() const { return (low.neighbours() & high_edge).any(); }
    // Removes stones that have been flipped since.
    void trim() { low &= stones | low_edge; }

    Board stones;
    Board ever;  // stones on the board at any time in the block
    Board low;   // as in EdgeConnections; restored while the block is examined
    Board low_edge;
    Board high_edge;
    bool may_be_connected = false;
    UnsetBoards<Board, kLongest / 2 + 1> after;  // the stones before the block and after each own move
  };

  void draw(Rng& rng, RandomOrder<Board>& order) {
    count_ = std::min(length(order.left()), static_cast<int>(order.left()));
    for (int i = 0; i < count_; i += 2) order.draw_two(rng, &bits_[i]);
  }

  void move() {
    auto& [mover, enemy] = players_;
    Board own = mover.ever = mover.stones;  // keeps them in registers
    Board other = enemy.ever = enemy.stones;
    mover.after.set(0, own);
    enemy.after.set(0, other);
    std::size_t made = 0;
    for (int i = 0; i + 1 < count_; i += 2) {
      ++made;
      place_and_flip(own, other, Board::cross_of_bit(bits_[i]));
      mover.after.set(made, own);
      mover.ever |= own;
      place_and_flip(other, own, Board::cross_of_bit(bits_[i + 1]));
      enemy.after.set(made, other);
      enemy.ever |= other;
    }
    if (count_ % 2 != 0) {
      place_and_flip(own, other, Board::cross_of_bit(bits_[count_ - 1]));
      mover.after.set(made + 1, own);
      mover.ever |= own;
    }
    mover.stones = own;
    enemy.stones = other;
  }

  bool may_be_connected() {
    auto& [mover, enemy] = players_;
    std::array<Board, 2> low{mover.low, enemy.low};
    flood_both(low, mover.ever, enemy.ever);
    for (int who = 0; who < 2; ++who) {
      Player& player = players_[who];
      std::swap(player.low, low[who]);
      player.may_be_connected = player.is_connected();
      if (player.may_be_connected)
        player.low = low[who];
      else
        player.trim();
    }
    return mover.may_be_connected || enemy.may_be_connected;
  }

  // The index in the block of the first move that connected a side, or the length of the block if
  // none did. Undoes the moves after it.
  int winning_move() {
    for (int i = 0; i < count_; ++i) {
      Player& player = players_[i % 2];
      if (!player.may_be_connected) continue;
      const Board& now = player.after[static_cast<std::size_t>(i / 2 + 1)];
      player.low |= player.low.flood(now);
      if (!player.is_connected()) continue;
      player.low = player.low_edge | player.low_edge.flood(now);
      if (!player.is_connected()) continue;
      Player& loser = players_[1 - i % 2];
      loser.stones = loser.after[static_cast<std::size_t>((i + 1) / 2)] & ~now;
      player.stones = now;
      return i;
    }
    for (Player& player : players_) player.trim();
    return count_;
  }

  std::array<Player, 2> players_;
  std::uint16_t bits_[kLongest];  // the points of the block
  int count_ = 0;                 // number of points in bits_
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
