// The operations on positions of a game (any_game.hpp), for each board layout.
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
#include "../evaluation/evaluator.hpp"
#include "../evaluation/planes/planes.hpp"
#include "../games/packed.hpp"
#include "../instruction_sets.hpp"
#include "../search/search.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

// The vectorized code for the playouts and searches of a GameType.
struct VectorCode {
  std::string_view instruction_set;
  PlayToEnd* play_to_end;
  const Kernels* kernels;
};

template <Game G>
class GameTypeOf final : public GameType {
 public:
  // max_side: the largest side of a board.
  GameTypeOf(const VectorCode& code, int max_side)
      : GameType(traits_of(code.instruction_set, max_side)), code_(code) {}

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
  Playout playout(const void* at, Rng& rng, Placements& placed, void* end) const override {
    PackedGame packed;
    Packer packer(packed);
    G::visit_members(game(at), packer);
    const Playout playout = code_.play_to_end(packed, rng, placed, end ? &packed : nullptr);
    if (end) {
      Unpacker unpacker(packed);
      G::visit_members(game(end), unpacker);
    }
    return playout;
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
  std::uint64_t fill_layers(const void* at, LayerRows& rows) const override {
    if constexpr (requires { game(at).layers(); }) {
      const int height = game(at).size().height;
      auto next = rows.begin();
      for (const auto& layer : game(at).layers()) {
        const auto lanes = layer.rows();
        for (int y = 0; y < height; ++y) (*next)[y] = lanes[y + 1] >> 1;
        ++next;
      }
    }
    if constexpr (requires { game(at).queue(); }) return game(at).queue();
    return 0;
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
      return new_tree(game, history, options, std::move(evaluator), *code_.kernels);
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

  static GameTraits traits_of(std::string_view instruction_set, int max_side) {
    GameTraits traits{};
    traits.name = G::kName;
    traits.white_first = G::kWhiteFirst;
    traits.repeats = G::kRepeats;
    traits.multi_step = G::kMultiStep;
    if constexpr (requires { G::kReflections; }) traits.reflections = G::kReflections;
    traits.options = G::kOptions;
    traits.bytes = sizeof(G);
    traits.max_side = max_side;
    traits.instruction_set = instruction_set;
    traits.exploration = 0.01F;
    if constexpr (requires { G::kExploration; }) traits.exploration = G::kExploration;
    traits.planes = kPlaneNames;
    traits.symmetries = Planes::kSymmetries;
    return traits;
  }

  VectorCode code_;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
