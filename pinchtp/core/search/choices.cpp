#include "choices.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace pinchtp {

namespace {

// The width of the confidence bound after one visit; it shrinks with the square root of the visits.
// Choosing by this lower bound instead of by visits won 119 of 200 games on 9x9
// (tools/learn/HISTORY.md).
constexpr double kLcbWidth = 0.5;
// Minimum fraction of the most visits: with fewer, a bound does not count, however high it is
// (KataGo's lcbMinVisitProp).
constexpr double kMinShare = 0.15;

int rank(Proof proof) { return proof == Proof::win ? 0 : proof == Proof::loss ? 2 : 1; }

}  // namespace

bool is_better(const Choice& a, const Choice& b) {
  if (rank(a.proof) != rank(b.proof)) return rank(a.proof) < rank(b.proof);
  if (a.proof == Proof::win && a.distance != b.distance) return a.distance < b.distance;
  if (a.proof == Proof::loss && a.distance != b.distance) return a.distance > b.distance;
  if (a.visits != b.visits) return a.visits > b.visits;
  if (a.winrate != b.winrate) return a.winrate > b.winrate;
  return a.prior > b.prior;
}

void sort_by_bound(std::vector<Choice>& choices) {
  std::uint64_t max = 0;
  for (const Choice& choice : choices)
    if (choice.proof == Proof::unknown) max = std::max(max, choice.visits);
  const auto bound = [least = kMinShare * static_cast<double>(max)](const Choice& choice) {
    const double winrate = choice.winrate.value_or(0);
    if (choice.proof == Proof::draw) return winrate;
    const auto visits = static_cast<double>(choice.visits);
    if (visits < least) return -std::numeric_limits<double>::infinity();
    return winrate - kLcbWidth / std::sqrt(visits);
  };
  const auto lcb_better = [&](const Choice& a, const Choice& b) {
    const bool both_unsettled = rank(a.proof) == 1 && rank(b.proof) == 1;
    if (both_unsettled && bound(a) != bound(b)) return bound(a) > bound(b);
    return is_better(a, b);
  };
  std::ranges::stable_sort(choices, lcb_better);
}

Report calibrated(Report report, double slope) {
  const auto calibrate = [slope](std::optional<double>& winrate) {
    if (!winrate) return;
    const double odds = std::pow(*winrate / (1 - *winrate), slope);
    winrate = std::isinf(odds) ? 1 : odds / (1 + odds);
  };
  calibrate(report.winrate);
  for (Choice& choice : report.choices) calibrate(choice.winrate);
  const auto swap = std::ranges::find(report.choices, kSwap, &Choice::move);
  if (swap != report.choices.end() && swap->winrate && swap->prior > 0 && swap->prior < 1) {
    const double others = (1 - *swap->winrate) / (1 - swap->prior);
    for (Choice& choice : report.choices) choice.prior *= others;
    swap->prior = *swap->winrate;
  }
  return report;
}

}  // namespace pinchtp
