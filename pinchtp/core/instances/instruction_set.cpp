// The code that is compiled for several instruction sets (playouts, tree kernels and inference), as
// one translation unit, so that headers are parsed once. (CMake's own unity files have a different
// path in each build, so that ccache would miss.)
#include <vector>

#include "../evaluation/network/forward.cpp"
#include "../evaluation/playouts/bushka.hpp"
#include "../evaluation/playouts/capture_go.hpp"
#include "../evaluation/playouts/pinch.hpp"
#include "../evaluation/playouts/pinch_relocate.hpp"
#include "../evaluation/playouts/pinch_remove.hpp"
#include "../games/packed.hpp"
#include "../instruction_sets.hpp"
#include "../search/mcts/vectors/kernels.cpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET {

namespace {

template <Game G>
Playout play_to_end(const PackedGame& start, Rng& rng, Placements& placed, PackedGame* end) {
  PlayoutGame<G> game;
  G& position = game;
  Unpacker unpacker(start);
  G::visit_members(position, unpacker);
  Playout playout = game.play_to_end(rng, placed);
  playout.swapped = game.swapped();
  if (end) {
    Packer packer(*end);
    G::visit_members(std::as_const(position), packer);
  }
  return playout;
}

template <class Board>
void add_layout(std::vector<PlayoutEntry>& entries, int max_side) {
  const auto add = [&]<class G>(std::type_identity<G>) {
    entries.push_back({G::kName, max_side, play_to_end<G>});
  };
  add(std::type_identity<Pinch<Board>>());
  add(std::type_identity<PinchRemove<Board>>());
  add(std::type_identity<PinchRelocate<Board>>());
  add(std::type_identity<CaptureGo<Board>>());
}

}  // namespace

// Boards that fit the registers of a plainer set gain nothing from wider ones. Bushka would gain
// 14 % from AVX2, but is searched by alpha-beta unless asked otherwise.
std::span<const PlayoutEntry> playout_entries() {
  static const std::vector<PlayoutEntry> entries = [] {
    std::vector<PlayoutEntry> added;
    if constexpr (kRegisterBytes <= Narrow::kBytes) add_layout<Narrow>(added, Narrow::kMaxSide);
    add_layout<Middle>(added, Middle::kMaxSide);
    add_layout<Wide>(added, Wide::kMaxSide);
    if constexpr (std::string_view(kInstructionSet) == "baseline")
      added.push_back({Bushka::kName, kMaxSize, play_to_end<Bushka>});
    return added;
  }();
  return entries;
}

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET
