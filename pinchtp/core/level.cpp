// Everything that is templated, compiled once per instruction set. CMake names the set in
// PINCHTP_LEVEL, which is also the namespace, so that the copies cannot be mixed up.
#include <stdexcept>

#include "engine.hpp"
#include "games/pinch.hpp"
#include "search/mcts.hpp"
#include "search/perft.hpp"

namespace pinchtp::PINCHTP_LEVEL {

namespace {

template <Game G>
class SearchOf final : public Search {
 public:
  SearchOf(const G& game, const SearchOptions& options) : tree_(game, options) {}
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
  PositionOf(const G& game, const Rules& rules) : game_(game), rules_(rules) {}

  std::string_view game() const override { return G::kName; }
  const Rules& rules() const override { return rules_; }
  Color to_move() const override { return color(game_.turn(), game_); }
  Result result() const override { return result(game_.outcome(), game_); }
  bool swapped() const override { return game_.swapped(); }
  bool swap_open() const override { return game_.swap_open(); }
  bool is_legal(Move move) const override { return game_.is_legal(move); }
  std::vector<Move> legal_moves() const override { return game_.legal_moves(); }
  std::vector<Move> winning_chain() const override { return game_.winning_chain(); }
  Hash128 hash() const override { return game_.hash(); }

  void fill_cells(std::span<std::int8_t> cells) const override {
    auto cell = cells.begin();
    for (int y = 0; y < rules_.height; ++y)
      for (int x = 0; x < rules_.width; ++x) {
        const auto side = game_.occupant(point(x, y));
        *cell++ = side ? static_cast<std::int8_t>(1 + static_cast<int>(color(*side, game_))) : 0;
      }
  }

  std::shared_ptr<const Position> play(Move move) const override {
    if (!game_.is_legal(move)) throw std::invalid_argument("illegal move");
    auto next = std::make_shared<PositionOf>(*this);
    next->game_.play(move);
    return next;
  }

  std::uint64_t count_sequences(int depth, const std::atomic<bool>& stop) const override {
    return PINCHTP_LEVEL::count_sequences(game_, depth, stop);
  }
  std::uint64_t count_positions(int depth, const std::atomic<bool>& stop) const override {
    return PINCHTP_LEVEL::count_positions(game_, depth, stop);
  }

  std::size_t play_out(std::uint64_t seed, std::span<PlayoutRecord> records,
                       const std::atomic<bool>& stop) const override {
    Rng rng(seed);
    std::size_t played = 0;
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
    return std::make_unique<SearchOf<G>>(game_, options);
  }

 private:
  // Black plays the first side until the labels are exchanged.
  static Color color(Side side, const G& game) {
    return static_cast<Color>(index(side) ^ static_cast<int>(game.swapped()));
  }
  static Result result(Outcome outcome, const G& game) {
    if (outcome == Outcome::draw) return Result::draw;
    if (outcome == Outcome::none) return Result::none;
    return static_cast<Result>(color(static_cast<Side>(outcome), game));
  }

  G game_;
  Rules rules_;
};

template <Game G>
std::shared_ptr<const Position> made(const Rules& rules, const Setup* setup) {
  return std::make_shared<PositionOf<G>>(setup ? G(rules, *setup) : G(rules), rules);
}

// The game on the smaller board layout if it fits.
template <template <class> class G>
std::shared_ptr<const Position> fitted(const Rules& rules, const Setup* setup) {
  const bool is_small = std::max(rules.width, rules.height) <= Narrow::kMaxSide;
  return is_small ? made<G<Narrow>>(rules, setup) : made<G<Wide>>(rules, setup);
}

}  // namespace

std::shared_ptr<const Position> new_position(std::string_view game, const Rules& rules,
                                             const Setup* setup) {
  if (game == Pinch<Narrow>::kName) return fitted<Pinch>(rules, setup);
  throw std::invalid_argument("unknown game");
}

}  // namespace pinchtp::PINCHTP_LEVEL
