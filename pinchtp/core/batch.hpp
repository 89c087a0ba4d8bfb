// Games of the same kind side by side, for learning: one call makes a move in each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "position.hpp"

namespace pinchtp {

// Moves are actions here: point (x, y) is y * width + x; the pass and the swap follow the points.
class PositionBatch {
 public:
  static constexpr std::int64_t kNoAction = -1;

  // `count` games from one position. Throws std::invalid_argument for 0.
  PositionBatch(const Position& start, std::size_t count);
  PositionBatch(const PositionBatch&) = delete;
  PositionBatch& operator=(const PositionBatch&) = delete;

  std::size_t size() const { return positions_.size(); }
  std::size_t actions() const { return points_ + 2; }
  // Throws std::out_of_range for an invalid index.
  const Position& position(std::size_t game) const { return *positions_.at(game); }
  // Replaces a game's position. Throws std::out_of_range for an invalid index,
  // std::invalid_argument for a position of another game or size.
  void set(std::size_t game, const Position& position);

  // Makes a move in each game, except where the action is kNoAction. Throws std::invalid_argument
  // for an illegal action, and then changes nothing.
  void play(std::span<const std::int64_t> actions);

  // The legal actions of all games, one game after the other, and the index where each game's
  // begin, followed by the end.
  struct LegalActions {
    std::vector<std::int32_t> actions;
    std::vector<std::int64_t> begins;
  };
  LegalActions legal_actions() const;

  // By game and action: 1 if legal.
  std::vector<std::uint8_t> legal_mask() const;
  // By game: the cells, as in Position::cells().
  std::vector<std::int8_t> cells() const;

 private:
  std::int32_t action_of(Move move) const;
  Move move_of(std::int64_t action) const;

  std::size_t points_;
  int width_;
  int height_;
  std::vector<std::unique_ptr<const Position>> positions_;
};

}  // namespace pinchtp
