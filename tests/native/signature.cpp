// The core's results as bytes, for CPUs that run no Python here. The test compares them with those of
// the module (pinchtp/bench/signature.py and Position.evaluate()).
//
//   signature playouts GAME WIDTH HEIGHT [OPTION=VALUE...]
//       200 playouts, then three searches of 4000 visits along a game: their choices. At the end, eight
//       bytes: the nodes of the trees.
//   signature network FILE PLANES CHANNELS BLOCKS HEAD HIDDEN WIDTH HEIGHT MOVE...
//       the output of a network, whose weights are in the file, for a position of Pinch, and a search
//       of 300 visits with it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "position.hpp"
#include "search/search.hpp"

namespace {

using namespace pinchtp;
using At = std::shared_ptr<const Position>;

template <class T>
void write(const T* values, std::size_t count) {
  std::fwrite(values, sizeof(T), count, stdout);
}

std::vector<Choice> choices_of(Search& search, std::uint64_t visits, std::uint64_t seed) {
  SearchLimits limits;
  limits.seconds = 1e6;
  limits.visits = visits;
  limits.seed = seed;
  run(search, limits, [] { return false; });
  return search.report().choices;
}

void write_choices(const std::vector<Choice>& choices) {
  for (const Choice& choice : choices) {
    const std::uint32_t found[] = {choice.move, static_cast<std::uint32_t>(choice.visits)};
    write(found, 2);
  }
}

void playouts(const At& position) {
  const std::atomic<bool> stop{false};
  std::vector<PlayoutRecord> records(200);
  position->play_out(1, records, stop);
  for (const PlayoutRecord& record : records) {
    const std::int16_t row[] = {static_cast<std::int16_t>(record.first), record.moves,
                                static_cast<std::int16_t>(record.result), record.swapped};
    write(row, 4);
  }
  SearchOptions options;
  options.memory_bytes = std::size_t{64} << 20;
  options.exploration = 0.01F;
  const auto search = position->search(options, nullptr);
  std::uint64_t nodes = 0;
  for (std::uint64_t ply = 0; ply < 3; ++ply) {
    const auto choices = choices_of(*search, search->report().visits + 4000, 1 + ply);
    nodes += search->report().nodes;
    write_choices(choices);
    search->advance(choices.front().move);
  }
  write(&nodes, 1);
}

void network(const char* file, const NetworkShape& shape, const At& position) {
  std::ifstream stream(file, std::ios::binary);
  const std::string weights{std::istreambuf_iterator<char>(stream), {}};
  const auto names = position->game().traits().planes;
  const auto network = std::make_shared<const Network>(
      shape, std::vector<std::string>(names.begin(), names.end()),
      std::as_bytes(std::span<const char>(weights.data(), weights.size())));
  for (unsigned symmetry = 0; symmetry < position->game().traits().symmetries.size(); ++symmetry) {
    const NetworkOutput said = position->evaluate(network, symmetry);
    write(&said.winrate, 1);
    write(said.priors.data(), said.priors.size());
    write(said.ownership.data(), said.ownership.size());
  }
  SearchOptions options;
  options.memory_bytes = std::size_t{16} << 20;
  write_choices(choices_of(*position->search(options, network), 300, 1));
}

At start(const char* game, Rules rules, int width, int height) {
  rules.width = width;
  rules.height = height;
  return new_position(game, rules, nullptr, instruction_sets().back());
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<const char*> given(arguments, arguments + count);
  const auto number = [&](std::size_t at) { return std::atoi(given.at(at)); };
  if (std::string_view(given.at(1)) == "playouts") {
    Rules rules;
    for (std::size_t i = 5; i < given.size(); ++i) {
      const char* equals = std::strchr(given[i], '=');
      rules.options.at(i - 5) = {{given[i], static_cast<std::size_t>(equals - given[i])},
                                 std::atoi(equals + 1)};
    }
    playouts(start(given.at(2), rules, number(3), number(4)));
  } else {
    At position = start("pinch", {}, number(7), number(8));
    for (std::size_t i = 9; i < given.size(); ++i)
      position = position->play(static_cast<Move>(number(i)));
    network(given.at(2), {number(3), number(4), number(5), number(6)}, position);
  }
}
