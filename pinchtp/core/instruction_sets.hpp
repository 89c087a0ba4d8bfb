// The code that is compiled for several instruction sets: what of it this machine can run. CMake names
// the sets, and each is a namespace. Rules are compiled once, for the baseline.
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

// Plays a game to its end, as GameType::playout() does. end: for the final position, or null.
using PlayToEnd = Playout(const PackedGame& start, Rng& rng, Placements& placed, PackedGame* end);

struct PlayoutEntry {
  std::string_view game;
  int max_side;  // of boards
  PlayToEnd* play_to_end;
};

// Declared in each namespace: random games by size, without those that are no faster than with a
// plainer set, and loops of trees (instances/instruction_set.cpp); inference for a network that
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
  std::string_view positions;  // the instruction set of positions that it is for
  MakeInference* make;
};

// Plainest first.
const std::vector<CompiledSet>& compiled_sets();
const std::vector<CompiledInference>& compiled_inference();

// The random games of a set, or of the fastest plainer one that has these.
PlayToEnd* playouts(const CompiledSet& set, std::string_view game, int max_side);

}  // namespace pinchtp
