#include "position.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "evaluation/network/evaluator.hpp"
#include "evaluation/planes/planes.hpp"
#include "evaluation/playouts/playouts.hpp"
#include "instances/list.hpp"
#include "search/perft.hpp"

namespace pinchtp {

namespace {

// The rules with every option of the game, in the game's order, with names owned by the game.
// Throws std::invalid_argument for an option that the game does not have.
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

// Converts a placement to sides. Throws std::invalid_argument for cells that are not a board of
// this size.
Setup by_side(const Placement& placement, const Rules& rules, bool white_first) {
  if (placement.cells.size() != static_cast<std::size_t>(rules.width * rules.height))
    throw std::invalid_argument("the number of cells does not match the board");
  Setup setup;
  const bool is_exchanged = placement.swapped != white_first;
  setup.swapped = placement.swapped;
  const auto to_move = static_cast<Side>(placement.to_move);
  setup.turn = is_exchanged ? other(to_move) : to_move;
  for (int i = 0; i < rules.width * rules.height; ++i) {
    auto cell = static_cast<Cell>(placement.cells[static_cast<std::size_t>(i)]);
    if (cell < Cell::none || cell > Cell::banned)
      throw std::invalid_argument("invalid cell; expected -1 to 5");
    if (cell == Cell::empty) continue;
    if (is_piece(cell) && is_exchanged) cell = piece_of(other(owner(cell)), cell);
    setup.cells.emplace_back(point(i % rules.width, i / rules.width), cell);
  }
  return setup;
}

}  // namespace

Position::Position(const GameType& type, const Rules& rules, const Placement* placement)
    : rules_(rules_of(type.traits, rules)),
      game_(placement ? type.set_up(rules_, by_side(*placement, rules_, type.traits.white_first))
                      : type.start(rules_)) {}

std::vector<Move> Position::legal_moves() const {
  return is_drawn_ ? std::vector<Move>() : game_.legal_moves();
}

std::vector<Note<Color>> Position::notes() const {
  std::vector<Note<Color>> notes;
  for (const auto& [name, side, points] : game_.notes())
    notes.push_back({name, color(side, game_.swapped()), points});
  return notes;
}

std::vector<std::int8_t> Position::cells() const {
  std::vector<Cell> by_side(static_cast<std::size_t>(rules_.width * rules_.height));
  game_.fill_cells(by_side);
  std::vector<std::int8_t> cells(by_side.size());
  std::ranges::transform(by_side, cells.begin(),
                         [this](Cell cell) { return static_cast<std::int8_t>(by_color(cell)); });
  return cells;
}

std::unique_ptr<const Position> Position::play(Move move) const {
  if (!is_legal(move)) throw std::invalid_argument("illegal move");
  auto next = std::make_unique<Position>(*this);
  next->history_.add(game_);
  next->game_.play(move);
  next->is_drawn_ = next->history_.draws(next->game_);
  return next;
}

std::uint64_t Position::count_sequences(int depth, const std::atomic<bool>& stop) const {
  History past = history();
  return is_drawn_ ? 0 : pinchtp::count_sequences(game_, past, depth, stop);
}

std::uint64_t Position::count_positions(int depth, std::size_t memory_bytes,
                                        const std::atomic<bool>& stop) const {
  return is_drawn_ ? 0 : pinchtp::count_positions(game_, depth, memory_bytes, stop);
}

std::size_t Position::play_out(std::uint64_t seed, std::span<PlayoutRecord> records,
                               const std::atomic<bool>& stop) const {
  Rng rng(seed);
  std::size_t played = 0;
  if (result() != Result::none) return played;
  for (PlayoutRecord& record : records) {
    if (stop.load(std::memory_order_relaxed)) break;
    Placements placed;
    const Playout playout = game_.playout(rng, placed);
    record = {placed.first, static_cast<std::int16_t>(playout.moves),
              result(playout.outcome, playout.swapped), playout.swapped};
    ++played;
  }
  return played;
}

std::vector<std::uint8_t> Position::planes(unsigned symmetry) const {
  const Symmetry shown = game_.shown_in(symmetry);
  const Layout layout(shown.transposed ? rules_.height : rules_.width,
                      shown.transposed ? rules_.width : rules_.height);
  const PointMap map(layout, shown);
  std::vector<std::size_t> all(game_.traits().planes.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::uint32_t> words(static_cast<std::size_t>(padded(all.size()) / kQuad) *
                                   layout.size());
  PlaneWriter writer(words, layout, map);
  game_.write_planes(shown, all, writer);
  return bytes_of(words, layout);
}

NetworkOutput Position::evaluate(std::shared_ptr<const Network> network, unsigned symmetry,
                                 std::string_view instruction_set) const {
  NetworkEvaluator evaluator(std::move(network), game_.traits(), rules_, instruction_set);
  const PositionPrediction prediction = evaluator.predict(game_, symmetry);
  const std::vector<Move> moves = legal_moves();
  NetworkOutput output;
  output.winrate = prediction.winrate();
  output.priors.resize(moves.size());
  prediction.fill_priors(moves, output.priors);
  for (int y = 0; y < rules_.height; ++y)
    for (int x = 0; x < rules_.width; ++x)
      output.ownership.push_back(prediction.ownership(point(x, y)));
  return output;
}

void Position::evaluate_often(std::shared_ptr<const Network> network, std::string_view instruction_set,
                              std::size_t count) const {
  NetworkEvaluator evaluator(std::move(network), game_.traits(), rules_, instruction_set);
  for (std::size_t i = 0; i < count; ++i) evaluator.predict(game_, static_cast<unsigned>(i));
}

std::unique_ptr<Search> Position::search(const SearchOptions& options,
                                         std::shared_ptr<const Network> network) const {
  if (network && options.method != SearchMethod::tree)
    throw std::invalid_argument("alpha-beta search does not use a network");
  if (!network)
    return game_.type().search(game_, history(), options, std::make_unique<RandomPlayouts>());
  SearchOptions rest = options;
  const auto cache =
      static_cast<std::size_t>(static_cast<double>(options.memory_bytes) * options.cache);
  rest.memory_bytes -= cache;
  return game_.type().search(game_, history(), rest,
                             cached_network(std::move(network), game_.traits(), rules_, cache));
}

Cell Position::by_color(Cell cell) const {
  if (!is_piece(cell)) return cell;
  return piece_of(static_cast<Side>(color(owner(cell), game_.swapped())), cell);  // by color
}

Result Position::result(Outcome outcome, bool swapped) const {
  if (outcome == Outcome::draw) return Result::draw;
  if (outcome == Outcome::none) return Result::none;
  return static_cast<Result>(color(static_cast<Side>(outcome), swapped));
}

std::vector<std::string_view> games() {
  std::vector<std::string_view> names;
  for (const auto& type : all_games().front().types)
    if (names.empty() || names.back() != type->traits.name) names.push_back(type->traits.name);
  return names;
}

std::vector<std::string_view> instruction_sets() {
  std::vector<std::string_view> names;
  for (const GamesOfSet& each : all_games()) names.push_back(each.instruction_set);
  return names;
}

std::unique_ptr<const Position> new_position(std::string_view game, const Rules& rules,
                                             const Placement* placement,
                                             std::string_view instruction_set) {
  if (!is_board_size(rules.width, rules.height)) throw std::invalid_argument("unacceptable size");
  const auto& sets = all_games();
  const auto chosen = std::ranges::find(sets, instruction_set, &GamesOfSet::instruction_set);
  if (chosen == sets.end()) throw std::invalid_argument("unknown instruction set");
  const int side = std::max(rules.width, rules.height);
  const auto type = std::ranges::find_if(chosen->types, [&](const auto& each) {
    return each->traits.name == game && side <= each->traits.max_side;
  });
  if (type == chosen->types.end()) throw std::invalid_argument("unknown game");
  return std::make_unique<Position>(**type, rules, placement);
}

}  // namespace pinchtp
