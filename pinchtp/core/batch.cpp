#include "batch.hpp"

#include <stdexcept>
#include <utility>

namespace pinchtp {

PositionBatch::PositionBatch(const Position& start, std::size_t count)
    : points_(static_cast<std::size_t>(start.rules().width * start.rules().height)),
      width_(start.rules().width),
      height_(start.rules().height) {
  if (count == 0) throw std::invalid_argument("a batch needs at least one game");
  positions_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) positions_.push_back(std::make_unique<Position>(start));
}

void PositionBatch::set(std::size_t game, const Position& position) {
  if (position.game().traits().name != positions_.front()->game().traits().name ||
      position.rules().width != width_ || position.rules().height != height_)
    throw std::invalid_argument("a position of another game or size");
  positions_.at(game) = std::make_unique<Position>(position);
}

void PositionBatch::play(std::span<const std::int64_t> actions) {
  if (actions.size() != size()) throw std::invalid_argument("one action per game is needed");
  std::vector<std::unique_ptr<const Position>> after(size());
  for (std::size_t i = 0; i < size(); ++i)
    if (actions[i] != kNoAction) after[i] = positions_[i]->play(move_of(actions[i]));
  for (std::size_t i = 0; i < size(); ++i)
    if (after[i]) positions_[i] = std::move(after[i]);
}

PositionBatch::LegalActions PositionBatch::legal_actions() const {
  LegalActions legal;
  legal.begins.reserve(size() + 1);
  for (const auto& position : positions_) {
    legal.begins.push_back(static_cast<std::int64_t>(legal.actions.size()));
    for (const Move move : position->legal_moves()) legal.actions.push_back(action_of(move));
  }
  legal.begins.push_back(static_cast<std::int64_t>(legal.actions.size()));
  return legal;
}

std::vector<std::uint8_t> PositionBatch::legal_mask() const {
  std::vector<std::uint8_t> mask(size() * actions(), 0);
  for (std::size_t i = 0; i < size(); ++i)
    for (const Move move : positions_[i]->legal_moves())
      mask[i * actions() + static_cast<std::size_t>(action_of(move))] = 1;
  return mask;
}

std::vector<std::int8_t> PositionBatch::cells() const {
  std::vector<std::int8_t> cells;
  cells.reserve(size() * points_);
  for (const auto& position : positions_) {
    const std::vector<std::int8_t> board = position->cells();
    cells.insert(cells.end(), board.begin(), board.end());
  }
  return cells;
}

std::int32_t PositionBatch::action_of(Move move) const {
  const auto points = static_cast<std::int32_t>(points_);
  if (!is_point(move)) return points + (move == kSwap ? 1 : 0);
  return y_of(move) * width_ + x_of(move);
}

Move PositionBatch::move_of(std::int64_t action) const {
  if (action < 0 || static_cast<std::size_t>(action) >= actions())
    throw std::invalid_argument("an action is beyond the range");
  const auto number = static_cast<int>(action);
  const auto points = static_cast<int>(points_);
  if (number >= points) return number == points ? kPass : kSwap;
  return point(number % width_, number / width_);
}

}  // namespace pinchtp
