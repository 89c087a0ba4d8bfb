// The code compiled for several instruction sets, as far as this machine supports it. CMake lists
// the sets; each is a namespace. Rules are compiled once, for the baseline.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "any_game.hpp"

namespace pinchtp {

class Inference;
class Network;
struct Kernels;

// Plays a game to its end, like GameType::playout(). end: receives the final position, unless null.
using PlayToEnd = Playout(const PackedGame& start, Rng& rng, Placements& placed, PackedGame* end);

struct PlayoutEntry {
  std::string_view game;
  int max_side;  // of boards
  PlayToEnd* play_to_end;
};

// Declared in each namespace: playouts by board size, without those that are no faster than a
// plainer set's, and tree kernels (instances/instruction_set.cpp); inference for a network that
// outlives it (evaluation/network/forward.cpp).
using PlayoutEntries = std::span<const PlayoutEntry>();
using MakeInference = std::unique_ptr<Inference>(const Network& network, int width, int height);

struct CompiledSet {
  std::string_view instruction_set;
  std::span<const PlayoutEntry> playouts;
  const Kernels* kernels;
};

struct CompiledInference {
  std::string_view instruction_set;
  std::string_view positions;  // the instruction set of the positions it is for
  MakeInference* make;
};

// Plainest first.
const std::vector<CompiledSet>& compiled_sets();
const std::vector<CompiledInference>& compiled_inference();

// The playouts of a set, or of the fastest plainer set that has them.
PlayToEnd* playouts(const CompiledSet& set, std::string_view game, int max_side);

}  // namespace pinchtp
