// The list of games.
#include "list.hpp"

#include "../evaluation/planes/bushka.hpp"
#include "../evaluation/planes/capture_go.hpp"
#include "../evaluation/planes/pinch.hpp"
#include "../games/pinch_relocate.hpp"
#include "../games/pinch_remove.hpp"
#include "../instruction_sets.hpp"
#include "game_type.hpp"

namespace pinchtp {

namespace PINCHTP_INSTRUCTION_SET {

namespace {

template <Game G>
void add(GameTypes& types, const CompiledSet& set, int max_side) {
  const VectorCode code{set.instruction_set, playouts(set, G::kName, max_side), set.kernels};
  types.push_back(std::make_unique<GameTypeOf<G>>(code, max_side));
}

// The rules for board sizes that playouts handle as Middle are compiled as Wide.
template <template <class> class G>
void add_layouts(GameTypes& types, const CompiledSet& set) {
  add<G<Narrow>>(types, set, Narrow::kMaxSide);
  add<G<Wide>>(types, set, Middle::kMaxSide);
  add<G<Wide>>(types, set, Wide::kMaxSide);
}

GameTypes games_for(const CompiledSet& set) {
  GameTypes types;
  add_layouts<Pinch>(types, set);
  add_layouts<PinchRemove>(types, set);
  add_layouts<PinchRelocate>(types, set);
  add_layouts<CaptureGo>(types, set);
  add<Bushka>(types, set, kMaxSize);
  return types;
}

}  // namespace

}  // namespace PINCHTP_INSTRUCTION_SET

const std::vector<GamesOfSet>& all_games() {
  static const std::vector<GamesOfSet> all = [] {
    std::vector<GamesOfSet> found;
    for (const CompiledSet& set : compiled_sets())
      found.push_back({set.instruction_set, PINCHTP_INSTRUCTION_SET::games_for(set)});
    return found;
  }();
  return all;
}

}  // namespace pinchtp
