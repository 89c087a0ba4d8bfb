// The operations on positions of a game (any_game.hpp), for each board layout and instruction set.
// CMake names the set in PINCHTP_INSTRUCTION_SET, which is also the namespace, so that the linker keeps
// the copies apart.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../any_game.hpp"
#include "../bitboard.hpp"
#include "../evaluation/evaluator.hpp"
#include "../evaluation/planes/planes.hpp"
#include "../evaluation/playouts/playout_game.hpp"
#include "../search/search.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

extern const Kernels kernels;  // search/mcts/vectors/kernels.cpp

// Remembers the first placement of a playout only.
struct FirstPlacement {
  Move first = kNoMove;
  void add(Side, Move move) {
    if (first == kNoMove) first = move;
  }
};

template <Game G>
  requires PlaysToTheEnd<G>
class GameTypeOf final : public GameType {
 public:
  GameTypeOf() : GameType(traits_of()) {}

  AnyGame start(const Rules& rules) const override { return any(G(rules)); }
  AnyGame set_up(const Rules& rules, const Setup& setup) const override { return any(G(rules, setup)); }

  void copy(void* to, const void* from) const override { new (to) G(game(from)); }
  Status status(const void* at) const override {
    const G& game = GameTypeOf::game(at);
    return {game.turn(), game.outcome(), game.mid_turn(), game.amaf_side()};
  }
  Status play(void* at, Move move) const override {
    game(at).play(move);
    return status(at);
  }
  Playout playout(const void* at, Rng& rng, Placements& placed) const override {
    return PlayoutGame<G>(game(at)).play_to_end(rng, placed);
  }
  AnyGame played_to_end(const void* at, Rng& rng) const override {
    PlayoutGame<G> game(GameTypeOf::game(at));
    FirstPlacement placed;
    game.play_to_end(rng, placed);
    return any(game);
  }
  RandomGame random_game(const void* at, Rng& rng) const override {
    PlayoutGame<G> game(GameTypeOf::game(at));
    FirstPlacement placed;
    const Playout playout = game.play_to_end(rng, placed);
    return {placed.first, playout.moves, playout.outcome, game.swapped()};
  }

  bool swapped(const void* at) const override { return game(at).swapped(); }
  bool swap_open(const void* at) const override { return game(at).swap_open(); }
  bool is_legal(const void* at, Move move) const override { return game(at).is_legal(move); }
  std::vector<Move> legal_moves(const void* at) const override { return game(at).legal_moves(); }
  bool wins_at(const void* at, Side side, Move move) const override {
    return game(at).wins_at(side, move);
  }
  std::vector<Move> winning_points(const void* at, Side side) const override {
    return game(at).winning_points(side);
  }
  std::vector<Move> winning_chain(const void* at) const override { return game(at).winning_chain(); }
  Hash128 hash(const void* at) const override { return game(at).hash(); }
  BoardSize size(const void* at) const override { return game(at).size(); }
  void fill_cells(const void* at, std::span<Cell> cells) const override {
    const auto [width, height] = game(at).size();
    auto next = cells.begin();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) *next++ = game(at).cell(point(x, y));
  }
  std::vector<Note<Side>> notes(const void* at) const override {
    if constexpr (requires { game(at).notes(); }) return game(at).notes();
    return {};
  }

  Symmetry orientation(const void* at) const override { return Planes::orientation(game(at).turn()); }
  void write_planes(const void* at, const Symmetry& symmetry, std::span<const std::size_t> planes,
                    PlaneWriter& writer) const override {
    const typename Planes::Scene scene(game(at), symmetry);
    int number = 0;
    for (const std::size_t plane : planes) Planes::kPlanes[plane].write(scene, writer, number++);
  }

  std::unique_ptr<Search> search(const AnyGame& game, const History& history,
                                 const SearchOptions& options,
                                 std::unique_ptr<Evaluator> evaluator) const override {
    if (options.method == SearchMethod::tree)
      return new_tree(game, history, options, std::move(evaluator), kernels);
    if constexpr (requires { G::new_alpha_beta; })
      return G::new_alpha_beta(game, history, options, std::move(evaluator));
    throw std::invalid_argument(std::string(G::kName) + " has no alpha-beta search");
  }

 private:
  static_assert(sizeof(G) <= AnyGame::kMaxBytes && alignof(G) <= kAlignment);
  static_assert(std::is_trivially_destructible_v<G>);
  static_assert(std::size(G::kOptions) <= Rules::kMaxOptions);

  using Planes = PlanesOf<G>;
  static constexpr auto kPlaneNames = [] {
    std::array<std::string_view, std::size(Planes::kPlanes)> names;
    std::ranges::transform(Planes::kPlanes, names.begin(),
                           [](const auto& plane) { return plane.name; });
    return names;
  }();

  static const G& game(const void* at) { return *static_cast<const G*>(at); }
  static G& game(void* at) { return *static_cast<G*>(at); }
  AnyGame any(const G& game) const { return {*this, &game}; }

  static GameTraits traits_of() {
    GameTraits traits{};
    traits.name = G::kName;
    traits.white_first = G::kWhiteFirst;
    traits.repeats = G::kRepeats;
    traits.parts = G::kParts;
    if constexpr (requires { G::kReflections; }) traits.reflections = G::kReflections;
    traits.options = G::kOptions;
    traits.bytes = sizeof(G);
    traits.instruction_set = kInstructionSet;
    traits.exploration = exploration<G>();
    traits.planes = kPlaneNames;
    traits.symmetries = Planes::kSymmetries;
    return traits;
  }
};

template <Game G>
  requires PlaysToTheEnd<G>
const GameType& type_of() {
  static const GameTypeOf<G> type;
  return type;
}

// The game on the smallest board layout that this size fits.
template <template <class> class G>
const GameType& type_for(int width, int height) {
  const int side = std::max(width, height);
  if (side <= Narrow::kMaxSide) return type_of<G<Narrow>>();
  if (side <= Middle::kMaxSide) return type_of<G<Middle>>();
  return type_of<G<Wide>>();
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
