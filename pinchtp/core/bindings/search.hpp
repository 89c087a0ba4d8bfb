// Searches, their options and reports, and networks.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../position.hpp"
#include "../search/search.hpp"
#include "calls.hpp"
#include "values.hpp"

namespace pinchtp::bindings {

inline void bind_network(nb::module_& module) {
  nb::class_<Network>(module, "Network")
      .def(nb::new_([](std::vector<std::string> planes, int channels, int blocks, int head, int hidden,
                       const nb::bytes& weights) {
             const std::span bytes(static_cast<const std::byte*>(weights.data()), weights.size());
             return std::make_shared<const Network>(NetworkShape{channels, blocks, head, hidden},
                                                    std::move(planes), bytes);
           }),
           nb::kw_only(), "planes"_a, "channels"_a, "blocks"_a, "head"_a, "hidden"_a, "weights"_a);
}

inline bool search_for(Search& search, double seconds, std::uint64_t visits, int threads,
                       std::uint64_t seed, const std::optional<nb::callable>& should_stop,
                       const std::vector<long long>& allowed) {
  std::vector<Move> moves;
  for (const long long number : allowed) moves.push_back(move(number));
  bool is_over = false;
  const auto poll = poller(should_stop);
  without_lock(
      [&] { is_over = run(search, SearchLimits{seconds, visits, threads, seed, moves}, poll); });
  return is_over;
}

inline SearchMethod method_of(std::string_view name) {
  if (name == "tree") return SearchMethod::tree;
  if (name == "alpha-beta") return SearchMethod::alpha_beta;
  throw std::invalid_argument("invalid search method; expected tree or alpha-beta");
}

inline void bind_search_options(nb::module_& module) {
  nb::class_<SearchOption>(module, "SearchOption")
      .def_ro("name", &SearchOption::name)
      .def_prop_ro("default", [](const SearchOption& option) { return value_of(option, {}); })
      .def_ro("min", &SearchOption::min)
      .def_ro("max", &SearchOption::max)
      .def_ro("help", &SearchOption::help);
  module.def("search_options", [] {
    return std::vector<SearchOption>(std::begin(kSearchOptions), std::end(kSearchOptions));
  });
}

inline void bind_report(nb::module_& module) {
  nb::enum_<Proof>(module, "Proof")
      .value("UNKNOWN", Proof::unknown)
      .value("WIN", Proof::win)
      .value("LOSS", Proof::loss)
      .value("DRAW", Proof::draw);
  nb::class_<Choice>(module, "Choice")
      .def_ro("move", &Choice::move)
      .def_ro("visits", &Choice::visits)
      .def_ro("winrate", &Choice::winrate)
      .def_ro("proof", &Choice::proof)
      .def_ro("distance", &Choice::distance)
      .def_ro("amaf", &Choice::amaf)
      .def_ro("prior", &Choice::prior)
      .def_ro("line", &Choice::line)
      .def_ro("line_visits", &Choice::line_visits);
  nb::class_<Report>(module, "Report")
      .def_ro("choices", &Report::choices)
      .def_ro("winrate", &Report::winrate)
      .def_ro("visits", &Report::visits)
      .def_ro("nodes", &Report::nodes)
      .def("calibrated", &calibrated, "slope"_a);
}

inline void bind_search(nb::module_& module) {
  nb::class_<Search>(module, "Search")
      .def(nb::new_([](const Position& position, std::string_view method, std::size_t memory_mb,
                       std::shared_ptr<const Network> network, const nb::kwargs& given) {
             SearchOptions options{.method = method_of(method), .memory_bytes = megabytes(memory_mb)};
             using Values = std::map<std::string, std::optional<double>>;
             for (const auto& [name, value] : nb::cast<Values>(given))
               if (value) set_option(options, name, *value);
             return position.search(options, std::move(network));
           }),
           "position"_a, nb::kw_only(), "method"_a = "tree",
           "memory_mb"_a = SearchOptions().memory_bytes >> 20, "network"_a = nb::none(), "options"_a)
      .def(
          "advance",
          [](Search& search, long long number) {
            const Move next = move(number);
            without_lock([&] { search.advance(next); });
          },
          "move"_a)
      .def("run", &search_for, "seconds"_a, "visits"_a, "threads"_a, "seed"_a,
           "should_stop"_a = nb::none(), "allowed"_a = std::vector<long long>())
      .def(
          "ownership",
          [](Search& search, std::uint64_t seed, int simulations) {
            std::vector<float> owners;
            without_lock([&] { owners = search.ownership(seed, simulations); });
            return owners;
          },
          "seed"_a, "simulations"_a)
      .def("report", [](const Search& search) {
        Report report;
        without_lock([&] { report = search.report(); });
        return report;
      });
}

}  // namespace pinchtp::bindings
