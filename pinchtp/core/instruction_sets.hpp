// The code that is compiled once for each instruction set: what of it this machine can run. CMake names
// the sets, and each is a namespace.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace pinchtp {

class GameType;
class Inference;
class Network;

struct GameEntry {
  std::string_view name;
  // On a board of this size, or of any size if the game has one only.
  const GameType& (*type_for)(int width, int height);
};

// Declared in each namespace: all games (instances/list.cpp), and inference for a network that outlives
// it (evaluation/network/forward.cpp).
using GameEntries = std::span<const GameEntry>();
using MakeInference = std::unique_ptr<Inference>(const Network& network, int width, int height);

struct CompiledGames {
  std::string_view instruction_set;
  std::span<const GameEntry> games;
};

struct CompiledInference {
  std::string_view instruction_set;
  std::string_view positions;  // the instruction set of positions that it is for
  MakeInference* make;
};

// Plainest first.
const std::vector<CompiledGames>& compiled_games();
const std::vector<CompiledInference>& compiled_inference();

}  // namespace pinchtp
