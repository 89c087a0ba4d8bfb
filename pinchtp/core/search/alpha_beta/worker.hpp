// The search of one thread: principal variation search with a transposition table, late move
// reductions, extensions where few moves are legal, and quiescence search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../history.hpp"
#include "../../types.hpp"
#include "budget.hpp"
#include "ordering.hpp"
#include "scores.hpp"
#include "table.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta {

template <class State>
class Worker {
 public:
  using Turn = typename State::Turn;

  Worker(TranspositionTable& table, MoveOrdering& ordering, Budget& budget,
         const RepeatedPositions& drawn)
      : table_(table), ordering_(ordering), budget_(budget), drawn_(drawn), plies_(kMaxPly + 2) {}

  // The score of a turn at the root for the side that makes it; meaningless if the budget ran out.
  int search_turn(const State& root, const Turn& turn, int depth, Window window) {
    return after(root, turn, depth, window, 0);
  }

 private:
  struct Candidate {
    Turn turn;
    int rank;
    std::uint16_t code;
  };
  // The data of a position on the path; its memory is reused.
  struct Ply {
    typename State::Generator moves;
    std::vector<Candidate> candidates;
    std::uint64_t key;
    int reversible;  // consecutive reversible turns before it
    int hope;        // the most that a later turn is expected to score
  };

  int after(const State& at, const Turn& turn, int depth, Window window, int ply) {
    table_.prefetch(at.key_after(turn) ^ drawn_.salt());
    plies_[ply].key = at.key;
    const bool is_reversible = at.is_reversible(turn);
    State next = at;
    next.make(turn);
    plies_[ply + 1].reversible = is_reversible ? plies_[ply].reversible + 1 : 0;
    return -search(next, depth - 1, -window, ply + 1);
  }

  int search(const State& at, int depth, Window window, int ply) {
    if (!budget_.take()) return 0;
    if (is_repeated(at, ply)) return 0;
    if (ply >= kMaxPly) return std::clamp(at.score(), -kHighest, kHighest);
    // Mate distance pruning: no score here can be outside this window.
    window.alpha = std::max(window.alpha, -kWin + ply);
    window.beta = std::min(window.beta, kWin - ply - 1);
    if (window.alpha >= window.beta) return window.alpha;

    const std::uint64_t key = at.key ^ drawn_.salt();
    std::uint16_t known_move = 0;
    if (const auto known = table_.find(key)) {
      const int score = from_table(known->score, ply);
      if ((known->depth >= depth || is_sure(score)) && cuts(known->bound, score, window)) return score;
      known_move = known->move;
    }

    Ply& here = plies_[ply];
    at.generate(here.moves);
    if (here.moves.count() == 0) return -kWin + ply;
    const bool captures = here.moves.has_captures();
    const bool is_extended =
        at.is_ending() ? here.moves.count() <= kFewTurns : captures && here.moves.count() == 1;
    if (captures || (is_extended && depth > -kQuiescenceDepth)) {
      depth = std::max(depth, 0) + is_extended;
    } else if (depth <= 0 && (depth <= -kQuiescenceDepth || !at.is_threatened())) {
      return std::clamp(at.score(), -kHighest, kHighest);
    }
    here.hope = kWin;
    if (may_prune(at, depth, window) && !captures && !is_extended) {
      const int score = std::clamp(at.score(), -kHighest, kHighest);
      if (score - kMargin * depth >= window.beta && !at.is_threatened()) return score;
      here.hope = score + kMargin * (depth + 1);
    }
    list_candidates(at, here, known_move, ply);
    return try_all(at, here, depth, window, ply, captures);
  }

  // Whether static evaluations may decide near the leaves: not the score of the principal variation,
  // nor whether a side wins or loses by force. In endings any move may be the only one.
  static bool may_prune(const State& at, int depth, Window window) {
    return depth > 0 && depth <= kPrunedDepth && window.is_minimal() && !is_sure(window.alpha) &&
           !is_sure(window.beta) && !at.is_ending();
  }

  int try_all(const State& at, Ply& here, int depth, Window window, int ply, bool captures) {
    int best = -kWin;
    std::uint16_t best_code = 0;
    const int alpha_before = window.alpha;
    auto& candidates = here.candidates;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      std::swap(
          candidates[i],
          *std::max_element(candidates.begin() + static_cast<std::ptrdiff_t>(i), candidates.end(),
                            [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; }));
      const Candidate candidate = candidates[i];
      // A loss is proven only by trying all turns.
      if (here.hope <= window.alpha && best > -kSureWin && candidate.rank < MoveOrdering::kKiller)
        break;
      const int reduction = captures ? 0 : reduction_of(candidate, static_cast<int>(i), depth);
      const int score = try_one(at, candidate.turn, depth, reduction, window, ply, i == 0);
      if (budget_.is_spent()) return 0;
      if (score <= best) continue;
      best = score;
      best_code = candidate.code;
      if (score <= window.alpha) continue;
      window.alpha = score;
      if (score < window.beta) continue;
      if (!captures) update_ordering(at, candidates, i, ply, std::max(depth, 1));
      break;
    }
    const Bound bound = best >= window.beta   ? Bound::lower
                        : best > alpha_before ? Bound::exact
                                              : Bound::upper;
    table_.store(at.key ^ drawn_.salt(),
                 {best_code, static_cast<std::int16_t>(to_table(best, ply)),
                  static_cast<std::int8_t>(std::clamp(depth, -100, 120)), bound});
    return best;
  }

  // Principal variation search: moves after the first are only proven not to be better.
  int try_one(const State& at, const Turn& turn, int depth, int reduction, Window window, int ply,
              bool is_first) {
    if (is_first) return after(at, turn, depth, window, ply);
    int score = after(at, turn, depth - reduction, window.minimal(), ply);
    if (score > window.alpha && reduction > 0 && !budget_.is_spent())
      score = after(at, turn, depth, window.minimal(), ply);
    if (window.contains(score) && !budget_.is_spent()) score = after(at, turn, depth, window, ply);
    return score;
  }

  static int reduction_of(const Candidate& candidate, int number, int depth) {
    if (depth < 3 || number < 3 || candidate.rank >= MoveOrdering::kKiller) return 0;
    return 1 + (number >= 8) + (depth >= 7);
  }

  void update_ordering(const State& at, const std::vector<Candidate>& candidates, std::size_t best,
                       int ply, int depth) {
    ordering_.reward(at, candidates[best].turn, candidates[best].code, ply, depth);
    for (std::size_t i = 0; i < best; ++i) ordering_.penalize(at, candidates[i].turn, depth);
  }

  void list_candidates(const State& at, Ply& here, std::uint16_t known_move, int ply) {
    here.candidates.clear();
    here.moves.for_each_turn([&](const Turn& turn) {
      const std::uint16_t code = State::code(turn);
      const int rank = code == known_move ? MoveOrdering::kKnown : ordering_.rank(at, turn, code, ply);
      here.candidates.push_back({turn, rank, code});
    });
  }

  static bool cuts(Bound bound, int score, Window window) {
    return bound == Bound::exact || (bound == Bound::lower && score >= window.beta) ||
           (bound == Bound::upper && score <= window.alpha);
  }

  // A repeated position on the path counts as a draw: either side could repeat it again.
  bool is_repeated(const State& at, int ply) const {
    const int reversible = plies_[ply].reversible;
    for (int back = 4; back <= reversible && back <= ply; back += 2)
      if (plies_[ply - back].key == at.key) return true;
    return reversible == ply && ply > 0 && !drawn_.is_empty() && drawn_.has(at.hash());
  }

  // Plies beyond depth 0 that quiet positions are searched while a capture threatens.
  static constexpr int kQuiescenceDepth = 2;
  // Static evaluations prune up to this depth, with a margin in points per ply.
  static constexpr int kPrunedDepth = 4;
  static constexpr int kMargin = 60;
  // In an ending, a side with at most this many turns may soon be trapped.
  static constexpr std::uint32_t kFewTurns = 3;

  TranspositionTable& table_;
  MoveOrdering& ordering_;
  Budget& budget_;
  const RepeatedPositions& drawn_;
  std::vector<Ply> plies_;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta
