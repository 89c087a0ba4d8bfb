// Alpha-beta search with iterative deepening, over complete turns.
//
// The first thread is the main thread. The others search the same root in other move orders and
// share only the transposition table (Lazy SMP).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "../../any_game.hpp"
#include "../../evaluation/evaluator.hpp"
#include "../../history.hpp"
#include "../../rng.hpp"
#include "../search.hpp"
#include "budget.hpp"
#include "ordering.hpp"
#include "report.hpp"
#include "root.hpp"
#include "table.hpp"
#include "worker.hpp"

namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta {

template <class State>
class AlphaBeta final : public Search {
 public:
  AlphaBeta(const AnyGame& position, const History& history, const SearchOptions& options,
            std::unique_ptr<Evaluator> evaluator)
      : table_(options.memory_bytes), root_(position, history), evaluator_(std::move(evaluator)) {}

  void advance(Move move) override {
    const std::lock_guard lock(mutex_);
    root_.check_legal(move);
    Root<State> next = root_;  // so that nothing has changed if memory runs out
    next.advance(move);
    root_ = std::move(next);
    set_visits(root_.visits());
    if (!root_.position().mid_turn()) table_.begin_search();
  }

  void prepare(std::uint64_t seed, const std::vector<Move>& allowed) override {
    const std::lock_guard lock(mutex_);
    for (const Move move : allowed) root_.check_legal(move);
    // Excludes the visits of other turns, which might use up the limit.
    if (root_.restrict(allowed)) set_visits(root_.visits());
    root_.shuffle(seed);
    budget_.finished = root_.is_finished();
    has_leader_ = false;
  }

  void work(std::uint64_t seed, std::uint64_t visits, const std::atomic<bool>& stop) override {
    Budget budget(budget_, visits, stop);
    const RepeatedPositions drawn = root_.drawn();
    const State state(root_.game());
    if (has_leader_.exchange(true)) {
      MoveOrdering ordering;
      Worker<State> worker(table_, ordering, budget, drawn);
      help(worker, budget, state, seed);
    } else {
      Worker<State> worker(table_, ordering_, budget, drawn);
      lead(worker, budget, state);
    }
  }

  bool is_over(std::uint64_t visits) const override {
    return budget_.finished.load(kRelaxed) || budget_.granted.load(kRelaxed) >= visits;
  }

  Report report() const override {
    Report report;
    const std::lock_guard lock(mutex_);
    report.visits = budget_.made.load(kRelaxed);
    report.nodes = table_.used();
    report.choices = Reporter<State>(root_, table_).choices();
    if (!report.choices.empty()) report.winrate = report.choices.front().winrate;
    return report;
  }

  // By playouts from the end of the principal variation.
  std::vector<float> ownership(std::uint64_t seed, int simulations) override {
    return mean_ownership(*evaluator_, seed, simulations,
                          [game = end_of_line()](Rng&) { return game; });
  }

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;
  static constexpr int kAspiration = 30;  // of the window around the previous iteration's score
  static constexpr int kLag = 4;          // depth reduction of estimates of later turns

  AnyGame end_of_line() const {
    const std::lock_guard lock(mutex_);
    AnyGame game = root_.position();
    const std::vector<Choice> choices = Reporter<State>(root_, table_).choices();
    if (!choices.empty())
      for (const Move move : choices.front().line) game.play(move);
    return game;
  }

  void set_visits(std::uint64_t visits) { budget_.granted = budget_.made = visits; }

  void lead(Worker<State>& worker, Budget& budget, const State& state) {
    while (!root_.is_finished()) {
      std::uint64_t before = budget.taken();
      const auto spent = [&] { return budget.taken() - std::exchange(before, budget.taken()); };
      const RootTurn<State> turn = root_.turns()[root_.next()];
      const int depth = root_.depth();
      if (root_.next() > 0 && depth > kLag + 1 && !turn.is_draw) {
        const int score = worker.search_turn(state, turn.turn, depth - kLag, Window());
        const std::lock_guard lock(mutex_);
        if (budget.is_spent()) return root_.record_interrupted(spent());
        root_.estimate(score, spent());
      }
      const int score = turn.is_draw ? 0 : search_next(worker, budget, state, turn, depth);
      const std::lock_guard lock(mutex_);
      if (budget.is_spent()) return root_.record_interrupted(spent());
      root_.record(score, spent());
    }
    budget_.finished = true;
  }

  int search_next(Worker<State>& worker, const Budget& budget, const State& state,
                  const RootTurn<State>& turn, int depth) const {
    if (depth == 1) return worker.search_turn(state, turn.turn, depth, Window());
    const bool is_first = root_.next() == 0;
    const Window better{.alpha = root_.turns().front().score};
    const Window window = is_first ? Window{std::max(turn.score - kAspiration, -kWin),
                                            std::min(turn.score + kAspiration, kWin)}
                                   : better.minimal();
    const int score = worker.search_turn(state, turn.turn, depth, window);
    if (budget.is_spent() || window.contains(score) || (!is_first && score <= window.alpha))
      return score;
    return worker.search_turn(state, turn.turn, depth, is_first ? Window() : better);
  }

  // Runs the same iterations, with all turns but the first in random order.
  void help(Worker<State>& worker, const Budget& budget, const State& state, std::uint64_t seed) {
    std::vector<typename State::Turn> turns;
    int depth = 0;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& each : root_.turns()) turns.push_back(each.turn);
      depth = root_.depth() + static_cast<int>(seed % 2);
    }
    Rng rng(seed);
    for (; depth < kMaxPly && !turns.empty(); ++depth) {
      shuffle(std::span(turns).subspan(1), rng);
      Window better;
      for (const auto& turn : turns) {
        const Window window = better.alpha == -kWin ? better : better.minimal();
        const int score = worker.search_turn(state, turn, depth, window);
        if (budget.is_spent()) return;
        better.alpha = std::max(better.alpha, score);
      }
    }
  }

  TranspositionTable table_;
  MoveOrdering ordering_;     // of the main thread, kept between steps and between searches
  mutable std::mutex mutex_;  // guards the root
  Root<State> root_;
  SharedBudget budget_;
  std::atomic<bool> has_leader_{false};
  std::unique_ptr<Evaluator> evaluator_;
};

}  // namespace pinchtp::PINCHTP_INSTRUCTION_SET::alpha_beta
