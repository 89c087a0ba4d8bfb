#include "position.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evaluation/network/evaluator.hpp"
#include "evaluation/planes/planes.hpp"
#include "evaluation/playouts/playouts.hpp"
#include "history.hpp"
#include "search/perft.hpp"
#include "search/solver/solve.hpp"

namespace pinchtp {

namespace {

class GamePosition final : public Position {
 public:
  GamePosition(const AnyGame& game, const Rules& rules)
      : game_(game), rules_(rules), is_drawn_(false) {}

  std::string_view game() const override { return game_.traits().name; }
  const Rules& rules() const override { return rules_; }
  Color to_move() const override { return color(game_.turn(), game_.swapped()); }
  Result result() const override {
    return is_drawn_ ? Result::draw : result(game_.outcome(), game_.swapped());
  }
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
    for (const auto& [name, side, points] : game_.notes())
      notes.push_back({name, color(side, game_.swapped()), points});
    return notes;
  }

  void fill_cells(std::span<std::int8_t> cells) const override {
    std::vector<Cell> told(cells.size());
    game_.fill_cells(rules_.width, rules_.height, told.data());
    std::transform(told.begin(), told.end(), cells.begin(),
                   [this](Cell cell) { return static_cast<std::int8_t>(shown(cell)); });
  }

  std::unique_ptr<const Position> play(Move move) const override {
    if (!is_legal(move)) throw std::invalid_argument("illegal move");
    auto next = std::make_unique<GamePosition>(*this);
    next->history_.add(game_);
    next->game_.play(move);
    next->is_drawn_ = next->history_.draws(next->game_);
    return next;
  }

  std::uint64_t count_sequences(int depth, const std::atomic<bool>& stop) const override {
    History history = history_.history();
    return is_drawn_ ? 0 : pinchtp::count_sequences(game_, history, depth, stop);
  }
  std::uint64_t count_positions(int depth, std::size_t memory_bytes,
                                const std::atomic<bool>& stop) const override {
    return is_drawn_ ? 0 : pinchtp::count_positions(game_, depth, memory_bytes, stop);
  }

  std::size_t play_out(std::uint64_t seed, std::span<PlayoutRecord> records,
                       const std::atomic<bool>& stop) const override {
    Rng rng(seed);
    std::size_t played = 0;
    if (GamePosition::result() != Result::none) return played;
    for (PlayoutRecord& record : records) {
      if (stop.load(std::memory_order_relaxed)) break;
      const RandomGame random = game_.random_game(rng);
      record = {random.first, static_cast<std::int16_t>(random.moves),
                result(random.outcome, random.swapped), random.swapped};
      ++played;
    }
    return played;
  }

  std::vector<std::string_view> plane_names() const override {
    const auto names = game_.traits().planes;
    return {names.begin(), names.end()};
  }

  unsigned images() const override { return static_cast<unsigned>(game_.traits().images.size()); }
  Symmetry shown_in(unsigned image) const override { return game_.shown_in(image); }

  std::vector<std::uint8_t> planes(unsigned image) const override {
    const Symmetry symmetry = shown_in(image);
    const Layout layout(symmetry.transposed ? rules_.height : rules_.width,
                        symmetry.transposed ? rules_.width : rules_.height);
    const PointMap map(layout, symmetry);
    std::vector<std::uint32_t> words(game_.traits().planes.size() / kQuad * layout.size());
    PlaneWriter writer(words, layout, map);
    game_.write_planes(symmetry, writer);
    return bytes_of(words, layout);
  }

  NetworkOutput evaluate(std::shared_ptr<const Network> network, unsigned image,
                         std::string_view instruction_set) const override {
    NetworkEvaluator evaluator(std::move(network), game_.traits(), rules_, instruction_set);
    const PositionPrediction prediction = evaluator.predict(game_, image);
    const std::vector<Move> moves = game_.legal_moves();
    NetworkOutput output;
    output.winrate = prediction.winrate();
    output.priors.resize(moves.size());
    prediction.fill_priors(moves, output.priors);
    for (int y = 0; y < rules_.height; ++y)
      for (int x = 0; x < rules_.width; ++x)
        output.ownership.push_back(prediction.ownership(point(x, y)));
    return output;
  }

  void evaluate_often(std::shared_ptr<const Network> network, std::string_view instruction_set,
                      std::size_t count) const override {
    NetworkEvaluator evaluator(std::move(network), game_.traits(), rules_, instruction_set);
    for (std::size_t i = 0; i < count; ++i) evaluator.predict(game_, static_cast<unsigned>(i));
  }

  std::unique_ptr<Search> search(const SearchOptions& options,
                                 std::shared_ptr<const Network> network) const override {
    if (network && options.method != SearchMethod::tree)
      throw std::invalid_argument("alpha-beta search takes no network");
    std::unique_ptr<Evaluator> evaluator = evaluator_of(std::move(network));
    if (!evaluator) evaluator = std::make_unique<RandomPlayouts>();
    return game_.type().search(game_, history_.history(), options, std::move(evaluator));
  }

  std::unique_ptr<Solver> solver(std::size_t memory_bytes,
                                 std::shared_ptr<const Network> network) const override {
    return std::make_unique<GameSolver>(game_.type(), rules_, memory_bytes,
                                        evaluator_of(std::move(network)));
  }

 private:
  // None if there is no network.
  std::unique_ptr<Evaluator> evaluator_of(std::shared_ptr<const Network> network) const {
    if (!network) return nullptr;
    return std::make_unique<NetworkEvaluator>(std::move(network), game_.traits(), rules_);
  }

  // Who moves first plays the first side, until a swap.
  Color color(Side side, bool swapped) const {
    return static_cast<Color>(index(side) ^ static_cast<int>(swapped != game_.traits().white_first));
  }
  Cell shown(Cell cell) const {
    if (!is_piece(cell)) return cell;
    const Color owner = color(pinchtp::owner(cell), game_.swapped());
    const bool is_king = cell == king(pinchtp::owner(cell));
    return static_cast<Cell>(1 + static_cast<int>(owner) + 2 * is_king);
  }
  Result result(Outcome outcome, bool swapped) const {
    if (outcome == Outcome::draw) return Result::draw;
    if (outcome == Outcome::none) return Result::none;
    return static_cast<Result>(color(static_cast<Side>(outcome), swapped));
  }

  class GameSolver final : public Solver {
   public:
    GameSolver(const GameType& type, const Rules& rules, std::size_t memory_bytes,
               std::unique_ptr<Evaluator> evaluator)
        : type_(type), rules_(rules), search_(type, rules, memory_bytes, std::move(evaluator)) {}
    Solution solve(const Position& position, const std::atomic<bool>& stop) override {
      const auto& known = dynamic_cast<const GamePosition&>(position);
      if (&known.game_.type() != &type_ || known.rules_ != rules_)
        throw std::invalid_argument("the solver is for another game");
      if (known.result() != Result::none) throw std::invalid_argument("the game is over");
      return search_.solve(known.game_, known.history_.history(), stop);
    }
    std::uint64_t nodes() const override { return search_.nodes(); }

   private:
    const GameType& type_;
    Rules rules_;
    ProofSearch search_;
  };

  AnyGame game_;
  Rules rules_;
  SharedHistory history_;
  bool is_drawn_;  // by repetition, which the game itself does not know
};

static_assert(alignof(GamePosition) == alignof(Position));  // as engine.hpp says

// Rules with each option of the game, in its order and by its own name for it. Throws
// std::invalid_argument for an option that the game does not have.
Rules rules_of(const GameTraits& traits, const Rules& given) {
  for (const auto& [name, value] : given.options)
    if (!name.empty() && std::ranges::find(traits.options, name) == traits.options.end())
      throw std::invalid_argument(std::string(traits.name) + " has no option '" + std::string(name) +
                                  "'");
  Rules rules{given.width, given.height};
  std::ranges::transform(traits.options, rules.options.begin(),
                         [&](std::string_view name) { return RuleOption{name, given.option(name)}; });
  return rules;
}
}  // namespace

std::unique_ptr<const Position> position_of(const GameType& type, const Rules& given,
                                            const Placement* placement) {
  const Rules rules = rules_of(type.traits, given);
  if (!placement) return std::make_unique<GamePosition>(type.start(rules), rules);
  const Setup setup = by_side(*placement, rules, type.traits.white_first);
  return std::make_unique<GamePosition>(type.set_up(rules, setup), rules);
}

}  // namespace pinchtp
