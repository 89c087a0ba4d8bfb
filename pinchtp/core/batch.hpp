// Games of one kind side by side, for learning: a move in all of them at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "position.hpp"

namespace pinchtp {

// Moves are actions here: a point is y * width + x; a pass and a swap follow the points.
class PositionBatch {
 public:
  static constexpr std::int64_t kNoAction = -1;

  // That many games from one position. Throws std::invalid_argument for none.
  PositionBatch(const Position& start, std::size_t count);
  PositionBatch(const PositionBatch&) = delete;
  PositionBatch& operator=(const PositionBatch&) = delete;

  std::size_t size() const { return positions_.size(); }
  std::size_t actions() const { return points_ + 2; }
  // Throws std::out_of_range for a game that is not there.
  const Position& position(std::size_t game) const { return *positions_.at(game); }
  // Replaces a game's position; throws likewise, and std::invalid_argument for another size.
  void set(std::size_t game, const Position& position);

  // Makes a move in each game, except for kNoAction. Throws std::invalid_argument for an illegal one;
  // then nothing has changed.
  void play(std::span<const std::int64_t> actions);

  // The legal actions of all games in a row, and where those of each game begin, with the end.
  struct LegalActions {
    std::vector<std::int32_t> actions;
    std::vector<std::int64_t> begins;
  };
  LegalActions legal_actions() const;

  // Per game: [actions], 1 for legal ones.
  std::vector<std::uint8_t> legal_mask() const;
  // Per game: the cells, as Position::cells().
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
