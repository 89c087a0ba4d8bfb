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
  bool was_estimate = false;  // whether the verdict was only an estimate at first
  int others = 0;             // number of other threads searching it
};

// A search ends when one of its position's numbers reaches its threshold.
struct Thresholds {
  std::uint32_t proof;
  std::uint32_t disproof;
};

// Weights of efforts in a search, tuned for each kind of estimate.
struct Weighing {
  std::uint32_t divisor = 1;  // of the sum of the smaller numbers
  std::uint32_t slack = 4;    // the best move may exceed the second by one part in this many
};

// The combined moves of a position. `own` numbers are for the answer that is good for the player to
// move, which needs only one move. The `opposed` answer needs all moves.
struct Summary {
  Verdict verdict;
  // The move with the smallest own number, where moves searched by other threads appear to have
  // more.
  std::size_t best = 0;
  std::uint32_t own_of_best = 0;
  std::uint32_t second = 0;  // smallest apparent number of the other moves
  std::uint32_t open = 0;    // moves without an answer
  // Opposed numbers: of the best move, and the largest and the sum of the others.
  std::uint32_t of_best = 0;
  std::uint32_t most_of_rest = 0;
  std::uint64_t sum_of_rest = 0;

  // The effort to prove all moves is a sum. Positions that are reached in many ways are counted
  // many times, and cycles make that worse; so a large sum is replaced by the largest number plus
  // one for each other move (Ueda et al., 2008), and with good estimates the smaller numbers never
  // count in full.
  static constexpr std::uint32_t kMaxSum = 1U << 20;

  static std::uint64_t total(std::uint32_t most, std::uint64_t others, const Weighing& weighing) {
    return most + others / weighing.divisor;
  }

  Thresholds thresholds_below(const Thresholds& thresholds, bool attacks,
                              const Weighing& weighing) const {
    const std::uint32_t own = attacks ? thresholds.proof : thresholds.disproof;
    const std::uint32_t opposed = attacks ? thresholds.disproof : thresholds.proof;
    // Some slack, so that the search does not switch between two moves too often (Pawlewicz and
    // Lew, 2007).
    const std::uint64_t own_below = std::uint64_t{second} + second / weighing.slack + 1;
    const auto own_limit =
        std::max(static_cast<std::uint32_t>(std::min<std::uint64_t>({own, own_below, kMaxEffort})),
                 own_of_best + 1);
    const std::uint32_t opposed_limit = std::max(below(opposed, weighing), of_best + 1);
    return attacks ? Thresholds{own_limit, opposed_limit} : Thresholds{opposed_limit, own_limit};
  }

 private:
  // The opposed number of the best move at which the total of all moves reaches `limit`.
  std::uint32_t below(std::uint32_t limit, const Weighing& weighing) const {
    if (limit > kMaxSum) return limit - (open - 1);
    if (total(most_of_rest, sum_of_rest, weighing) < limit)
      return limit - static_cast<std::uint32_t>(sum_of_rest / weighing.divisor);
    return weighing.divisor * (limit - most_of_rest) -
           static_cast<std::uint32_t>(sum_of_rest - most_of_rest);
  }
};

inline std::uint32_t number(const Verdict& verdict, bool proof) {
  return proof ? verdict.proof : verdict.disproof;
}

// Whether one of two equal answers is better: wins first, then path-independent ones, then quick
// ones.
inline bool is_better(const Verdict& a, const Verdict& b) {
  if (a.lost != b.lost) return a.lost;
  if (a.holds_everywhere() != b.holds_everywhere()) return a.holds_everywhere();
  return a.distance < b.distance;
}

// The best of the moves that give the player to move the answer he wants; null if none does.
inline const Child* best_answer(std::span<const Child> children, bool attacks) {
  const Child* best = nullptr;
  for (const Child& child : children)
    if (number(child.verdict, attacks) == 0 && (!best || is_better(child.verdict, best->verdict)))
      best = &child;
  return best;
}

// The verdict when one move gives the player to move the wanted answer, or no move does.
inline Verdict settled(std::span<const Child> children, bool attacks, bool wanted) {
  const bool yes = wanted == attacks;
  Verdict result = yes ? Verdict::won(0) : Verdict::lost_in(0);
  if (wanted) {
    result = best_answer(children, attacks)->verdict;
  } else {
    for (const Child& child : children) {
      const Verdict& verdict = child.verdict;
      result.distance = std::max(result.distance, verdict.distance);
      result.lost = result.lost && verdict.lost;
      result.shallowest = std::min(result.shallowest, verdict.shallowest);
      result.deepest = std::max(result.deepest, verdict.deepest);
    }
  }
  result.zone = {};
  result.distance = static_cast<std::uint16_t>(std::min<int>(result.distance + 1, kMaxDistance));
  return result;
}

// The number of a move, raised if other threads search it.
inline std::uint32_t apparent_number(std::uint32_t own, int others) {
  if (others == 0 || own >= kMaxEffort) return own;
  const std::uint64_t apparent = own + static_cast<std::uint64_t>(others) * (own / 32 + 1);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(apparent, kMaxEffort));
}

// `attacks`: whether the attacker is to move.
inline Summary summarize(std::span<const Child> children, bool attacks, const Weighing& weighing) {
  Summary summary;
  std::uint32_t least = kSolved;
  std::uint32_t least_apparent = kSolved;
  summary.second = kSolved;
  std::uint64_t sum = 0;
  std::uint32_t most = 0;
  std::uint32_t next_most = 0;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const std::uint32_t own = number(children[i].verdict, attacks);
    const std::uint32_t opposed = number(children[i].verdict, !attacks);
    sum += opposed;
    next_most = std::max(next_most, std::min(most, opposed));
    most = std::max(most, opposed);
    summary.open += opposed > 0;
    least = std::min(least, own);
    const std::uint32_t apparent = apparent_number(own, children[i].others);
    if (apparent < least_apparent) {
      summary.second = least_apparent;
      least_apparent = apparent;
      summary.best = i;
    } else if (apparent < summary.second) {
      summary.second = apparent;
    }
  }
  if (least == 0 || sum == 0) {
    summary.verdict = settled(children, attacks, least == 0);
    return summary;
  }
  summary.own_of_best = number(children[summary.best].verdict, attacks);
  summary.of_best = number(children[summary.best].verdict, !attacks);
  summary.most_of_rest = summary.of_best == most ? next_most : most;
  summary.sum_of_rest = sum - summary.of_best;
  const std::uint64_t all = Summary::total(most, sum - most, weighing);
  const std::uint32_t opposed = all <= Summary::kMaxSum
                                    ? static_cast<std::uint32_t>(all)
                                    : std::clamp(most + summary.open - 1, Summary::kMaxSum, kMaxEffort);
  summary.verdict.proof = attacks ? least : opposed;
  summary.verdict.disproof = attacks ? opposed : least;
  return summary;
}

}  // namespace pinchtp
