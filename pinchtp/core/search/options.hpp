// Options of searches: a member of SearchOptions and a line of kSearchOptions each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <variant>

namespace pinchtp {

// Monte-Carlo tree search or, in games that have it, alpha-beta search, which uses only
// memory_bytes, and the evaluator only for ownership.
enum class SearchMethod : std::uint8_t { tree, alpha_beta };

// Experiments on the defaults: tools/learn/HISTORY.md.
struct SearchOptions {
  SearchMethod method = SearchMethod::tree;
  std::size_t memory_bytes = std::size_t{512} << 20;
  std::optional<float> exploration = {};
  float amaf_visits = 300;
  std::uint32_t expand_visits = 8;
  std::uint32_t batch = 16;
  std::uint32_t virtual_loss = 128;
  bool solve_forced_moves = true;
  float cpuct = 0.6F;
  float cpuct_log = 0;
  float cpuct_log_visits = 500;
  float cpuct_stdev = 0.85F;
  float cpuct_stdev_prior = 0.2F;
  float fpu_reduction = 0.05F;
  float noise_fraction = 0;
  float noise_alpha = 0.3F;
  float root_temperature = 1;
  float cache = 0.125F;
};

// An option set by name: its range and its description.
struct SearchOption {
  std::string_view name;
  std::variant<float SearchOptions::*, std::optional<float> SearchOptions::*,
               std::uint32_t SearchOptions::*, bool SearchOptions::*>
      member;
  double min;
  double max;
  std::string_view help;
};

inline constexpr SearchOption kSearchOptions[] = {
    {"exploration", &SearchOptions::exploration, 0, 1e9,
     "factor of sqrt(ln(visits of the parent) / visits of the child); by default the one that the "
     "game's random playouts were tuned with"},
    {"amaf_visits", &SearchOptions::amaf_visits, 0, 1e9,
     "visits at which a move's own mean weighs as much as its all-moves-as-first mean"},
    {"expand_visits", &SearchOptions::expand_visits, 0, UINT32_MAX,
     "the visit at which a leaf gets children"},
    {"batch", &SearchOptions::batch, 1, UINT32_MAX,
     "simulations in a row from one node, where it was visited often enough"},
    {"virtual_loss", &SearchOptions::virtual_loss, 0, 1e6,
     "lost visits that a batch under way counts for in other threads"},
    {"solve_forced_moves", &SearchOptions::solve_forced_moves, 0, 1,
     "every expansion looks for wins in one move and for threats of them"},
    // With priors (PUCT):
    {"cpuct", &SearchOptions::cpuct, 0, 1e9,
     "factor of prior * sqrt(visits of the parent) / (1 + visits of the child)"},
    {"cpuct_log", &SearchOptions::cpuct_log, 0, 1e9,
     "factor of ln(1 + visits of the parent / cpuct_log_visits), which is added to cpuct"},
    {"cpuct_log_visits", &SearchOptions::cpuct_log_visits, 1, 1e9, "see cpuct_log"},
    {"cpuct_stdev", &SearchOptions::cpuct_stdev, 0, 1,
     "share of exploration in proportion to the standard deviation of the values below the parent"},
    {"cpuct_stdev_prior", &SearchOptions::cpuct_stdev_prior, 1e-3, 1,
     "the deviation, in wins, at which nothing changes, and that a node begins with"},
    {"fpu_reduction", &SearchOptions::fpu_reduction, 0, 1,
     "an unvisited move is valued below its parent by this * sqrt(priors of the moves visited)"},
    {"noise_fraction", &SearchOptions::noise_fraction, 0, 1,
     "share of the root's priors that is noise"},
    {"noise_alpha", &SearchOptions::noise_alpha, std::numeric_limits<float>::denorm_min(), 1,
     "parameter of that noise, a symmetric Dirichlet distribution"},
    {"root_temperature", &SearchOptions::root_temperature, 0.1, 10,
     "the root's priors are taken to the power of one over this"},
    {"cache", &SearchOptions::cache, 0, 0.5, "share of the memory for evaluations by a network"},
};

// The value of an option; none if it is unset.
std::optional<double> value_of(const SearchOption& option, const SearchOptions& options);

// Sets an option by name; a switch is 0 or 1. Throws std::invalid_argument for an unknown name or a
// value out of range.
void set_option(SearchOptions& options, std::string_view name, double value);

}  // namespace pinchtp
