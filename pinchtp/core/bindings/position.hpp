// Positions of games: their rules, random playouts, and evaluations by networks.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "../position.hpp"
#include "../search/search.hpp"
#include "calls.hpp"
#include "values.hpp"

namespace pinchtp::bindings {

inline std::optional<int> result(const Position& position) {
  if (position.result() == Result::none) return std::nullopt;
  return static_cast<int>(position.result());
}

inline std::pair<std::uint64_t, std::uint64_t> hash128(const Position& position) {
  const Hash128 hash = position.game().hash();
  return {hash.low, hash.high};
}

using Options = std::map<std::string, int>;

// Rules whose option names refer to the keys of a map, which must outlive them.
inline Rules rules_with(int width, int height, const Options& options) {
  Rules rules{width, height};
  if (options.size() > rules.options.size()) throw std::invalid_argument("too many rule options");
  std::size_t i = 0;
  for (const auto& [name, value] : options) rules.options[i++] = {name, value};
  return rules;
}

inline std::unique_ptr<const Position> start(std::string_view game, int width, int height,
                                             std::optional<std::string> instruction_set,
                                             const nb::kwargs& given) {
  const auto options = nb::cast<Options>(given);
  return new_position(game, rules_with(width, height, options), nullptr,
                      instruction_set ? *instruction_set : instruction_sets().back());
}

inline std::unique_ptr<const Position> set_up(std::string_view game, int width, int height,
                                              const nb::bytes& cells, int to_move, bool swapped,
                                              const Options& options) {
  const std::span bytes(static_cast<const std::int8_t*>(cells.data()), cells.size());
  const Placement placement{bytes, color(to_move), swapped};
  return new_position(game, rules_with(width, height, options), &placement, instruction_sets().back());
}

inline Options options(const Position& position) {
  Options options;
  for (const auto& [name, value] : position.rules().options)
    if (!name.empty()) options[std::string(name)] = value;
  return options;
}

inline std::vector<std::tuple<std::string_view, int, std::vector<Move>>> notes(
    const Position& position) {
  std::vector<std::tuple<std::string_view, int, std::vector<Move>>> notes;
  for (const auto& [name, owner, points] : position.notes())
    notes.emplace_back(name, static_cast<int>(owner), points);
  return notes;
}

inline auto board(const Position& position) {
  return array_of<std::int8_t>(position.cells(), {static_cast<std::size_t>(position.rules().height),
                                                  static_cast<std::size_t>(position.rules().width)});
}

inline nb::tuple shown_in(const Position& position, unsigned symmetry) {
  const Symmetry shown = position.game().shown_in(symmetry);
  return nb::make_tuple(shown.transposed, shown.mirrored, shown.flipped);
}

inline auto planes(const Position& position, unsigned symmetry) {
  std::vector<std::uint8_t> values = position.planes(symmetry);
  const auto width = static_cast<std::size_t>(position.rules().width);
  const auto height = static_cast<std::size_t>(position.rules().height);
  const std::size_t count = values.size() / (width * height);
  return array_of<std::uint8_t>(std::move(values), {count, width * height});
}

// (winrate, priors by legal move, ownership by row and column) for the player to move. As lists,
// since engines must not load numpy, which hangs when memory is low.
inline nb::tuple evaluate(const Position& position, std::shared_ptr<const Network> network,
                          unsigned symmetry, std::optional<std::string_view> instruction_set) {
  NetworkOutput output =
      position.evaluate(std::move(network), symmetry, instruction_set.value_or(std::string_view()));
  std::vector<std::vector<float>> rows;
  for (auto at = output.ownership.cbegin(); at != output.ownership.cend(); at += position.rules().width)
    rows.emplace_back(at, at + position.rules().width);
  return nb::make_tuple(output.winrate, std::move(output.priors), std::move(rows));
}

constexpr int kMaxDepth = 1000;  // of perft, which recurses once per step of a turn

inline std::optional<std::uint64_t> perft(const Position& position, int depth, bool distinct,
                                          std::size_t memory_mb,
                                          const std::optional<nb::callable>& should_stop) {
  if (depth < 0 || depth > kMaxDepth) throw std::invalid_argument("depth must be from 0 to 1000");
  std::uint64_t count = 0;
  bool is_stopped = false;
  const auto poll = poller(should_stop);
  without_lock([&] {
    run_watched(
        [&](const std::atomic<bool>& stop) {
          count = distinct ? position.count_positions(depth, megabytes(memory_mb), stop)
                           : position.count_sequences(depth, stop);
        },
        [&] { return is_stopped = poll(); });
  });
  return is_stopped ? std::nullopt : std::optional(count);
}

// One row per game: first placement, moves, result (0 black, 1 white, 2 draw), swapped.
inline auto playouts(const Position& position, std::size_t count, std::uint64_t seed) {
  std::vector<PlayoutRecord> records(count);
  std::size_t played = 0;
  const auto poll = poller(kNoCallback);
  without_lock([&] {
    run_watched([&](const std::atomic<bool>& stop) { played = position.play_out(seed, records, stop); },
                poll);
  });
  std::vector<std::int16_t> rows;
  rows.reserve(played * 4);
  for (std::size_t i = 0; i < played; ++i) {
    const PlayoutRecord& record = records[i];
    rows.insert(rows.end(), {static_cast<std::int16_t>(record.first), record.moves,
                             static_cast<std::int16_t>(record.result), record.swapped});
  }
  return array_of<std::int16_t>(std::move(rows), {played, 4});
}

inline void bind_position(nb::module_& module) {
  nb::class_<Position>(module, "Position")
      .def_prop_ro("game", [](const Position& p) { return p.game().traits().name; })
      .def_prop_ro("width", [](const Position& p) { return p.rules().width; })
      .def_prop_ro("height", [](const Position& p) { return p.rules().height; })
      .def_prop_ro("options", &options)
      .def_prop_ro("to_move", [](const Position& p) { return static_cast<int>(p.to_move()); })
      .def_prop_ro("result", &result)
      .def_prop_ro("mid_turn", [](const Position& p) { return p.game().mid_turn(); })
      .def_prop_ro("swapped", [](const Position& p) { return p.game().swapped(); })
      .def_prop_ro("swap_open", [](const Position& p) { return p.game().swap_open(); })
      .def_prop_ro("hash128", &hash128)
      .def_prop_ro("winning_chain", [](const Position& p) { return p.game().winning_chain(); })
      .def_prop_ro("notes", &notes)
      .def_prop_ro("board", &board, nb::rv_policy::automatic)
      .def("cells",
           [](const Position& p) {
             const auto all = p.cells();
             return nb::bytes(all.data(), all.size());
           })
      .def("legal_moves", &Position::legal_moves)
      .def(
          "is_legal",
          [](const Position& p, long long move) {
            return 0 <= move && move < kNoMove && p.is_legal(static_cast<Move>(move));
          },
          "move"_a)
      .def(
          "play", [](const Position& p, long long number) { return p.play(move(number)); }, "move"_a)
      .def_prop_ro("plane_names",
                   [](const Position& p) {
                     const auto names = p.game().traits().planes;
                     return std::vector(names.begin(), names.end());
                   })
      .def_prop_ro("symmetries", [](const Position& p) { return p.game().traits().symmetries.size(); })
      .def("shown_in", &shown_in, "symmetry"_a = 0)
      .def("planes", &planes, "symmetry"_a = 0)
      .def("evaluate", &evaluate, "network"_a, "symmetry"_a = 0, nb::kw_only(),
           "instruction_set"_a = nb::none())
      .def(
          "evaluate_often",
          [](const Position& position, std::shared_ptr<const Network> network, std::size_t count,
             std::string_view instruction_set) {
            without_lock([&] { position.evaluate_often(std::move(network), instruction_set, count); });
          },
          "network"_a, "count"_a, nb::kw_only(), "instruction_set"_a)
      .def("perft", &perft, "depth"_a, "distinct"_a = false, nb::kw_only(),
           "memory_mb"_a = SearchOptions().memory_bytes >> 20, "should_stop"_a = nb::none())
      .def("playouts", &playouts, "count"_a, "seed"_a = 0)
      .def(
          "__eq__",
          [](const Position& a, const Position& b) {
            return a.game().traits().name == b.game().traits().name && a.rules() == b.rules() &&
                   a.game().hash() == b.game().hash();
          },
          nb::is_operator())
      .def("__hash__",
           [](const Position& p) { return static_cast<std::int64_t>(p.game().hash().low); });
  module.def("new_position", &start, "game"_a, "width"_a, "height"_a, nb::kw_only(),
             "instruction_set"_a = nb::none(), "options"_a);
  module.def("set_up", &set_up, "game"_a, "width"_a, "height"_a, "cells"_a, "to_move"_a, nb::kw_only(),
             "swapped"_a = false, "options"_a = Options());
}

}  // namespace pinchtp::bindings
