// Combines the verdicts on the moves of a position into a verdict on the position.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../../types.hpp"
#include "verdict.hpp"

namespace pinchtp {

// A move of a position on the path, and the verdict on the position after it.
struct Child {
  Hash128 key;
  Verdict verdict;
  Move move;
  bool is_estimated = false;  // the verdict was neither known nor found yet when the child was added
};

// A search ends when a number of its position reaches one of these.
struct Thresholds {
  std::uint32_t proof;
  std::uint32_t disproof;
};

// The moves of a position taken together. `own` numbers are those of the answer that the player to
// move wants: one move is enough for it. The `opposed` answer needs all moves.
struct Summary {
  Verdict verdict;
  std::size_t best = 0;           // with the least own number
  std::uint32_t second = 0;       // least own number of the others
  std::uint32_t sum_of_rest = 0;  // of the opposed numbers, without that of the best move
  std::uint32_t open = 0;         // moves without an answer

  // The effort to prove all moves is a sum. Positions that are reached in many ways are counted
  // many times, and cycles make that worse; so a large sum is replaced by the largest number plus one
  // for each other move (Ueda et al., 2008).
  static constexpr std::uint32_t kMaxSum = 1U << 20;

  Thresholds thresholds_below(const Thresholds& thresholds, bool attacks) const {
    const std::uint32_t own = attacks ? thresholds.proof : thresholds.disproof;
    const std::uint32_t opposed = attacks ? thresholds.disproof : thresholds.proof;
    // Some slack, so that the search does not switch between two moves too often (Pawlewicz and Lew,
    // 2007).
    const std::uint32_t own_below =
        std::min(own, static_cast<std::uint32_t>(
                          std::min<std::uint64_t>(kMaxEffort, std::uint64_t{second} + second / 4 + 1)));
    const std::uint32_t opposed_below = opposed - (opposed <= kMaxSum ? sum_of_rest : open - 1);
    return attacks ? Thresholds{own_below, opposed_below} : Thresholds{opposed_below, own_below};
  }
};

inline std::uint32_t number(const Verdict& verdict, bool proof) {
  return proof ? verdict.proof : verdict.disproof;
}

// Of two answers that are the same: quick wins first, then what holds everywhere.
inline bool is_better(const Verdict& a, const Verdict& b) {
  if (a.lost != b.lost) return a.lost;
  if (a.holds_everywhere() != b.holds_everywhere()) return a.holds_everywhere();
  return a.distance < b.distance;
}

// The verdict when one move gives the player to move the answer it wants, or no move does.
inline Verdict settled(std::span<const Child> children, bool attacks, bool wanted) {
  const bool yes = wanted == attacks;
  Verdict all = yes ? Verdict::won(0) : Verdict::lost_in(0);
  const Verdict* one = nullptr;
  for (const Child& child : children) {
    const Verdict& verdict = child.verdict;
    if (wanted) {
      if (number(verdict, attacks) == 0 && (!one || is_better(verdict, *one))) one = &verdict;
      continue;
    }
    all.distance = std::max(all.distance, verdict.distance);
    all.lost = all.lost && verdict.lost;
    all.shallowest = std::min(all.shallowest, verdict.shallowest);
    all.deepest = std::max(all.deepest, verdict.deepest);
  }
  Verdict result = one ? *one : all;
  result.distance = static_cast<std::uint16_t>(std::min<int>(result.distance + 1, kMaxDistance));
  return result;
}

// `attacks`: whether the attacker is to move.
inline Summary summarize(std::span<const Child> children, bool attacks) {
  Summary summary;
  std::uint32_t least = kSolved;
  summary.second = kSolved;
  std::uint64_t sum = 0;
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const std::uint32_t own = number(children[i].verdict, attacks);
    const std::uint32_t opposed = number(children[i].verdict, !attacks);
    sum += opposed;
    most = std::max(most, opposed);
    summary.open += opposed > 0;
    if (own < least) {
      summary.second = least;
      least = own;
      summary.best = i;
    } else if (own < summary.second) {
      summary.second = own;
    }
  }
  if (least == 0 || sum == 0) {
    summary.verdict = settled(children, attacks, least == 0);
    return summary;
  }
  const bool sums_up = sum <= Summary::kMaxSum;
  const std::uint32_t opposed = sums_up
                                    ? static_cast<std::uint32_t>(sum)
                                    : std::clamp(most + summary.open - 1, Summary::kMaxSum, kMaxEffort);
  if (sums_up) summary.sum_of_rest = opposed - number(children[summary.best].verdict, !attacks);
  summary.verdict.proof = attacks ? least : opposed;
  summary.verdict.disproof = attacks ? opposed : least;
  return summary;
}

}  // namespace pinchtp
