// The interface of evaluators: the value of a position, priors of its moves, ownership of points.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "../any_game.hpp"
#include "../rng.hpp"
#include "../types.hpp"

namespace pinchtp {

// The value of a position in fixed point: 0 if the first side loses, unit() if it wins.
struct Evaluation {
  std::uint32_t value = 0;
  Placements placed = {};  // for evaluators that report placements
};

// A prior of 1. The priors of a position's moves sum to about this.
inline constexpr std::uint32_t kPriorUnit = 0xffff;

// Random playouts (playouts/) are one evaluator; others can have priors. A search chooses one at
// run time. Each search thread has its own copy, which may contain scratch memory.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // A copy for another thread.
  virtual std::unique_ptr<Evaluator> clone() const = 0;

  // The binary logarithm of unit(): 1 for playouts, 16 for a network. With placements, sums of
  // values are 32 bits wide, so that fewer bits allow more visits (Tree::max_visits).
  virtual int unit_bits() const = 0;
  std::uint32_t unit() const { return std::uint32_t{1} << unit_bits(); }

  virtual bool has_placements() const = 0;
  // Whether evaluate() fills in priors. The search then uses PUCT, expands and evaluates a leaf in
  // one step at its first visit, and ignores placements.
  virtual bool has_priors() const = 0;

  // Evaluates a position before the end of the game, ignoring the swap, which the search handles
  // (mcts/swap.hpp). `evaluation.placed` is empty on entry. `moves` are the candidates of the
  // search, or empty if it needs no priors; priors[i] becomes the prior of moves[i], times
  // kPriorUnit.
  virtual void evaluate(const AnyGame& game, Rng& rng, std::span<const Move> moves,
                        std::span<std::uint16_t> priors, Evaluation& evaluation) = 0;

  // Adds the expected ownership to each point, coded as a move: 1 if Black will own it, -1 if White
  // will, or a value in between.
  virtual void add_ownership(const AnyGame& game, Rng& rng, std::span<float> sums) = 0;
};

// The ownership at the end of a game: adds 1 to each point with a black piece, -1 to each with a
// white one.
inline void add_pieces(const AnyGame& game, std::span<float> sums) {
  std::array<Cell, kMaxSize * kMaxSize> cells;
  game.fill_cells(cells);
  const auto [width, height] = game.size();
  for (int i = 0; i < width * height; ++i)
    if (const Cell cell = cells[static_cast<std::size_t>(i)]; is_piece(cell))
      sums[point(i % width, i / width)] += owner(cell) == game.black() ? 1 : -1;
}

// The mean ownership over simulations, by point, coded as a move. Each starts from begin(rng).
template <class Begin>
std::vector<float> mean_ownership(Evaluator& evaluator, std::uint64_t seed, int simulations,
                                  Begin&& begin) {
  Rng rng(seed);
  std::vector<float> sums(kPoints, 0);
  for (int i = 0; i < simulations; ++i) {
    const AnyGame game = begin(rng);
    if (game.outcome() == Outcome::none)
      evaluator.add_ownership(game, rng, sums);
    else
      add_pieces(game, sums);
  }
  for (float& sum : sums) sum /= static_cast<float>(std::max(simulations, 1));
  return sums;
}

}  // namespace pinchtp
