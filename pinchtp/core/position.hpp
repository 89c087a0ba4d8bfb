// A position of some game behind the face of engine.hpp, and its search. Compiled once per game and
// instruction set (games/*.cpp); CMake names the set in PINCHTP_LEVEL, which is also the namespace, so
// that the copies cannot be mixed up.
#pragma once

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "bitboard.hpp"
#include "engine.hpp"
#include "history.hpp"
#include "search/mcts.hpp"
#include "search/perft.hpp"
#include "search/solve.hpp"

namespace pinchtp::PINCHTP_LEVEL {

template <Game G>
class SearchOf final : public Search {
 public:
  SearchOf(const G& game, const History<G>& history, const SearchOptions& options)
      : tree_(game, history, options) {}
  void advance(Move move) override { tree_.advance(move); }
  void prepare(std::uint64_t seed, const Moves& allowed) override { tree_.prepare(seed, allowed); }
  void work(std::uint64_t seed, std::uint64_t visits, const std::atomic<bool>& stop) override {
    tree_.work(seed, visits, stop);
  }
  Report report() const override { return tree_.report(); }
  std::vector<float> ownership(std::uint64_t seed, int simulations) override {
    return tree_.ownership(seed, simulations);
  }

 private:
  Tree<G> tree_;
};

// Remembers the first placement of a playout only.
struct FirstPlacement {
  Move first = kNoMove;
  void add(Side, Move move) {
    if (first == kNoMove) first = move;
  }
};

template <Game G>
class PositionOf final : public Position {
 public:
  PositionOf(const G& game, const Rules& rules) : game_(game), rules_(rules), is_drawn_(false) {}

  std::string_view game() const override { return G::kName; }
  const Rules& rules() const override { return rules_; }
  Color to_move() const override { return color(game_.turn(), game_); }
  Result result() const override { return is_drawn_ ? Result::draw : result(game_.outcome(), game_); }
  bool mid_turn() const override { return game_.mid_turn(); }
  bool swapped() const override { return game_.swapped(); }
  bool swap_open() const override { return game_.swap_open(); }
  bool is_legal(Move move) const override { return !is_drawn_ && game_.is_legal(move); }
  std::vector<Move> legal_moves() const override {
    return is_drawn_ ? std::vector<Move>() : game_.legal_moves();
  }
  std::vector<Move> winning_chain() const override { return game_.winning_chain(); }
  Hash128 hash() const override { return game_.hash(); }
  std::vector<Note<Color>> notes() const override {
    std::vector<Note<Color>> notes;
    if constexpr (requires { game_.notes(); })
      for (const auto& [name, side, points] : game_.notes())
        notes.push_back({name, color(side, game_), points});
    return notes;
  }

  void fill_cells(std::span<std::int8_t> cells) const override {
    auto cell = cells.begin();
    for (int y = 0; y < rules_.height; ++y)
      for (int x = 0; x < rules_.width; ++x)
        *cell++ = static_cast<std::int8_t>(shown(game_.cell(point(x, y))));
  }

  std::shared_ptr<const Position> play(Move move) const override {
    if (!is_legal(move)) throw std::invalid_argument("illegal move");
    auto next = std::make_shared<PositionOf>(*this);
    next->history_.add(game_);
    next->game_.play(move);
    next->is_drawn_ = next->history_.draws(next->game_);
    return next;
  }

  std::uint64_t count_sequences(int depth, const std::atomic<bool>& stop) const override {
    History<G> history = history_;
    return is_drawn_ ? 0 : PINCHTP_LEVEL::count_sequences(game_, history, depth, stop);
  }
  std::uint64_t count_positions(int depth, std::size_t memory_bytes,
                                const std::atomic<bool>& stop) const override {
    return is_drawn_ ? 0 : PositionCount<G>(memory_bytes, stop).count(game_, depth);
  }

  std::size_t play_out(std::uint64_t seed, std::span<PlayoutRecord> records,
                       const std::atomic<bool>& stop) const override {
    Rng rng(seed);
    std::size_t played = 0;
    if (PositionOf::result() != Result::none) return played;
    for (PlayoutRecord& record : records) {
      if (stop.load(std::memory_order_relaxed)) break;
      G game = game_;
      FirstPlacement placed;
      const Playout playout = game.playout(rng, placed);
      record = {placed.first, static_cast<std::int16_t>(playout.moves), result(playout.outcome, game),
                game.swapped()};
      ++played;
    }
    return played;
  }

  std::unique_ptr<Search> search(const SearchOptions& options) const override {
    check(options);
    return std::make_unique<SearchOf<G>>(game_, history_, options);
  }

  std::unique_ptr<Solver> solver(std::size_t memory_bytes) const override {
    return std::make_unique<SolverOf>(rules_, memory_bytes);
  }

 private:
  // Who moves first plays the first side, until the labels are exchanged.
  static Color color(Side side, const G& game) {
    return static_cast<Color>(index(side) ^ static_cast<int>(game.swapped() != G::kWhiteFirst));
  }
  Cell shown(Cell cell) const {
    if (!is_piece(cell)) return cell;
    const Color owner = color(pinchtp::owner(cell), game_);
    const bool is_king = cell == king(pinchtp::owner(cell));
    return static_cast<Cell>(1 + static_cast<int>(owner) + 2 * is_king);
  }
  static Result result(Outcome outcome, const G& game) {
    if (outcome == Outcome::draw) return Result::draw;
    if (outcome == Outcome::none) return Result::none;
    return static_cast<Result>(color(static_cast<Side>(outcome), game));
  }

  class SolverOf final : public Solver {
   public:
    SolverOf(const Rules& rules, std::size_t memory_bytes)
        : rules_(rules), search_(rules, memory_bytes) {}
    Solution solve(const Position& position, const std::atomic<bool>& stop) override {
      const auto* known = dynamic_cast<const PositionOf*>(&position);
      if (!known || known->rules_ != rules_)
        throw std::invalid_argument("the solver is for another game");
      if (known->result() != Result::none) throw std::invalid_argument("the game is over");
      return search_.solve(known->game_, known->history_, stop);
    }

   private:
    Rules rules_;
    ProofSearch<G> search_;
  };

  G game_;
  Rules rules_;
  History<G> history_;
  bool is_drawn_;  // by repetition, which the game itself does not see
};

// Rules with each option of the game, in its order and by its own name for it. Throws
// std::invalid_argument for an option that the game does not have.
template <Game G>
Rules rules_of(const Rules& given) {
  const std::span<const std::string_view> known(G::kOptions);
  static_assert(std::size(G::kOptions) <= Rules::kMostOptions);
  for (const auto& [name, value] : given.options)
    if (!name.empty() && std::ranges::find(known, name) == known.end())
      throw std::invalid_argument(std::string(G::kName) + " has no option '" + std::string(name) + "'");
  Rules rules{given.width, given.height};
  std::ranges::transform(known, rules.options.begin(),
                         [&](std::string_view name) { return RuleOption{name, given.option(name)}; });
  return rules;
}

template <Game G>
std::shared_ptr<const Position> made(const Rules& given, const Placement* placement) {
  const Rules rules = rules_of<G>(given);
  if (!placement) return std::make_shared<PositionOf<G>>(G(rules), rules);
  return std::make_shared<PositionOf<G>>(G(rules, by_side(*placement, rules, G::kWhiteFirst)), rules);
}

// The game on the smallest board layout that it fits.
template <template <class> class G>
std::shared_ptr<const Position> fitted(const Rules& rules, const Placement* placement) {
  const int side = std::max(rules.width, rules.height);
  if (side <= Narrow::kMaxSide) return made<G<Narrow>>(rules, placement);
  if (side <= Middle::kMaxSide) return made<G<Middle>>(rules, placement);
  return made<G<Wide>>(rules, placement);
}

}  // namespace pinchtp::PINCHTP_LEVEL
