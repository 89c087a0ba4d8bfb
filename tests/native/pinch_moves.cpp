// The solver's own lists of Pinch moves, compared with the rules: positions set up at random, and
// played on from there, on all boards that fit, by both attackers, before and after a swap.
#define PINCHTP_INSTRUCTION_SET test
#include "search/solver/pinch_moves.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <memory>
#include <vector>

#include "check.hpp"
#include "evaluation/planes/pinch.hpp"
#include "games/pinch.hpp"
#include "instances/game_type.hpp"
#include "no_search.hpp"
#include "rng.hpp"

namespace {

using namespace pinchtp;

const test::GameTypeOf<test::Pinch<test::Narrow>> type({}, test::Narrow::kMaxSide);  // no random games

// The cheapest way to connect a side's edges: costs are lowered until nothing changes.
int distance(const AnyGame& game, Side side) {
  const auto [width, height] = game.size();
  std::array<Cell, kMaxSize * kMaxSize> cells;
  game.fill_cells(cells);
  const int points = width * height;
  const auto is_at = [&](int at, bool high) {
    if (side == Side::first) return at / width == (high ? height - 1 : 0);
    return at % width == (high ? width - 1 : 0);
  };
  std::vector<int> costs(static_cast<std::size_t>(points), 1000);
  int least = 1000;
  for (bool changes = true; changes;) {
    changes = false;
    for (int at = 0; at < points; ++at) {
      int before = is_at(at, false) ? 0 : 1000;
      if (at % width > 0) before = std::min(before, costs[at - 1]);
      if (at % width < width - 1) before = std::min(before, costs[at + 1]);
      if (at >= width) before = std::min(before, costs[at - width]);
      if (at + width < points) before = std::min(before, costs[at + width]);
      const int cost = before + (cells[at] == stone(side) ? 0 : cells[at] == Cell::empty ? 1 : 2);
      if (cost < costs[at]) changes = true, costs[at] = cost;
      if (is_at(at, true)) least = std::min(least, costs[at]);
    }
  }
  return least;
}

void check_moves(const AnyGame& game, PinchMoves& moves, const Keys& keys, Side attacker) {
  const std::optional<WordPosition> position = moves.read(game);
  if (!position) return;
  const Side player = game.swapped() ? other(game.turn()) : game.turn();
  const std::span<const PinchMoves::After> afters =
      moves.list(*position, game.swapped() ? other(attacker) : attacker);
  CHECK(afters.size() == game.legal_moves().size());
  for (const PinchMoves::After& after : afters) {
    CHECK(game.is_legal(after.move));
    AnyGame next = game;
    next.play(after.move);
    const bool is_won = next.outcome() == win_for(game.turn());
    const bool is_lost = !next.winning_points(next.turn()).empty();
    CHECK(after.is_known == after.verdict.solved());
    CHECK(!is_won || after.verdict.distance == 0);
    CHECK(!is_won || (player == attacker ? after.verdict.yes() : after.verdict.lost));
    CHECK((next.outcome() == Outcome::draw) == (after.verdict.no() && !after.verdict.lost));
    if (is_won || next.outcome() == Outcome::draw) continue;
    CHECK(!after.is_known || is_lost);
    CHECK(!after.is_known || after.verdict.distance == 1);
    CHECK(!after.is_known || (player == attacker ? after.verdict.lost : after.verdict.yes()));
    if (after.is_known) continue;
    CHECK(after.key == keys(next, after.move, attacker, false));
    const int lead = distance(next, next.turn()) - distance(next, game.turn());
    const std::uint32_t win = player == attacker ? after.verdict.proof : after.verdict.disproof;
    CHECK(win == 1U << (6 - std::clamp(lead, -5, 5)));
  }
}

void play_from_random_stones(Rng& rng) {
  Rules rules{2 + static_cast<int>(rng.below(6)), 2 + static_cast<int>(rng.below(7))};
  Setup setup;
  setup.turn = static_cast<Side>(rng.below(2));
  setup.swapped = rng.below(2) > 0;
  std::vector<Move> points;
  for (int y = 0; y < rules.height; ++y)
    for (int x = 0; x < rules.width; ++x) {
      points.push_back(point(x, y));
      const std::uint32_t kind = rng.below(6);
      if (kind < 2) setup.cells.emplace_back(points.back(), kind == 0 ? Cell::first : Cell::second);
    }
  const Keys keys(type.traits.reflections, rules.size());
  PinchMoves moves(rules.size(), keys, points);
  CHECK(PinchMoves::fits(type, rules.size()));
  try {
    AnyGame game = type.set_up(rules, setup);
    while (game.outcome() == Outcome::none) {
      check_moves(game, moves, keys, static_cast<Side>(rng.below(2)));
      const std::vector<Move> legal = game.legal_moves();
      game.play(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
    }
  } catch (const std::invalid_argument&) {  // both are connected
  }
}

}  // namespace

int main(int, char** arguments) {
  Rng rng(1);
  for (int i = std::atoi(arguments[1]); i > 0; --i) play_from_random_stones(rng);
}
