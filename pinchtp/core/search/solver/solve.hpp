// Exact values of positions.
//
// The solver first tries to prove that the player to move can force a win (df_pn.hpp). If this is
// disproven, and not by a win of the other player, it tries to prove the latter. If neither can
// win, the position is a draw.
//
// If draws arise from moving back and forth, too many results hold on one path only. A proof goal
// that is not decided after some nodes is therefore tried by an attractor search (attractor.hpp),
// as far as memory allows.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../../any_game.hpp"
#include "../../evaluation/evaluator.hpp"
#include "../../history.hpp"
#include "../../types.hpp"
#include "../worker_pool.hpp"
#include "attractor.hpp"
#include "df_pn.hpp"
#include "solution.hpp"
#include "summary.hpp"
#include "verdict.hpp"

namespace pinchtp {

class ProofSearch {
 public:
  // `evaluator`: one with priors that guides the search, or null. `df_pn_node_limit`: nodes per
  // thread after which games with repetitions try the attractor search; default: kGuidedNodeLimit
  // with an evaluator, kNodeLimit without. Throws std::bad_alloc.
  ProofSearch(const GameType& type, const Rules& rules, std::size_t memory_bytes,
              std::unique_ptr<Evaluator> evaluator = nullptr, int threads = 1,
              std::optional<std::uint64_t> df_pn_node_limit = {})
      : df_pn_node_limit_(df_pn_node_limit.value_or(evaluator ? kGuidedNodeLimit : kNodeLimit)),
        memory_for_attractor_(type.traits.repeats ? memory_bytes / 2 : 0),
        shared_(type, rules, memory_bytes - memory_for_attractor_, evaluator != nullptr, threads > 1) {
    for (int i = 0; i < threads; ++i)
      searches_.push_back(std::make_unique<DfPn>(shared_, evaluator ? evaluator->clone() : nullptr));
  }

  // Moves the table into this memory; see VerdictTable.
  void attach(std::span<std::byte> memory) { shared_.table.attach(memory); }

  // Runs until the value is certain, `stop` is set, or a limit is met; unknown also if the proof
  // numbers overflow. The line takes additional nodes, one per move if memory still contains it.
  Solution solve(const AnyGame& position, const History& history, const std::atomic<bool>& stop,
                 const SolverLimits& limits = {}) {
    stop_ = &stop;
    limits_ = limits;
    shared_.repeated = history.repeated();
    shared_.busy.clear();
    for (const auto& each : searches_) each->forget_nodes();
    attractor_nodes_ = 0;
    const Side mover = player(position);
    Solution solution;
    Verdict verdict = prove_win(position, mover);
    solution.proof_numbers = {verdict.proof, verdict.disproof};
    if (verdict.yes()) {
      solution.value = Proof::win;
    } else if (verdict.no() && verdict.lost) {
      solution.value = Proof::loss;
    } else if (verdict.no()) {
      verdict = prove_win(position, other(mover));
      solution.proof_numbers.disproof = verdict.proof;
      if (verdict.yes()) solution.value = Proof::loss;
      if (verdict.no()) solution.value = Proof::draw;
    }
    solution.line = best_play(position, solution.value);
    solution.nodes = nodes();
    return solution;
  }

  // The proof numbers of the current or last proof goal; any thread may call this.
  ProofNumbers proof_numbers() const { return shared_.root_numbers.load(std::memory_order_relaxed); }

  // The nodes of the current or last search; any thread may call this.
  std::uint64_t nodes() const {
    std::uint64_t sum = attractor_nodes_;
    for (const auto& each : searches_) sum += each->nodes();
    return sum;
  }

 private:
  DfPn& first() { return *searches_.front(); }

  // Nodes left until the limit.
  std::uint64_t nodes_left() const { return limits_.nodes - std::min(nodes(), limits_.nodes); }

  Verdict prove_win(const AnyGame& position, Side attacker) {
    shared_.attacker = attacker;
    const Hash128 root = shared_.key(position, kNoMove);
    if (shared_.type.traits.repeats) {
      const Verdict verdict = search(position, root, df_pn_node_limit_);
      if (verdict.solved() || *stop_ || nodes_left() == 0) return verdict;
      run_attractor(position, root);
    }
    return search(position, root, DfPn::kNoLimit);
  }

  // Searches with all threads, up to `nodes` per thread, or its share of the nodes left.
  Verdict search(const AnyGame& position, const Hash128& root, std::uint64_t nodes) {
    nodes = std::min(nodes, nodes_left() / searches_.size());
    if (searches_.size() == 1) return first().solve(position, root, {*stop_, nodes});
    std::mutex mutex;
    Verdict answer;
    std::atomic<bool> is_answered{false};
    WorkerPool pool;
    for (const auto& each : searches_) {
      const bool is_started = pool.start([&, &search = *each](const std::atomic<bool>& stop) {
        const Verdict verdict = search.solve(position, root, {stop, nodes});
        const std::lock_guard lock(mutex);
        if (is_answered) return;
        answer = verdict;
        is_answered = verdict.solved();
      });
      if (!is_started && each == searches_.front()) throw std::bad_alloc();
      if (!is_started) break;
    }
    try {
      pool.finish(WorkerPool::Clock::time_point::max(), [&] { return is_answered || *stop_; });
    } catch (const std::bad_alloc&) {  // of a thread; another one may have the answer
      if (!is_answered) throw;
    }
    return answer;
  }

  // Stores the verdicts of an attractor search; if it was complete, the next search finds its
  // answer there.
  void run_attractor(const AnyGame& position, const Hash128& root) try {
    Attractor<DfPn> attractor(first(), shared_.type, memory_for_attractor_);
    attractor.run(position, root, *stop_, nodes_left(), attractor_nodes_);
    attractor.for_each_answer([&](const Hash128& key, const Verdict& verdict) {
      shared_.store(key, {}, verdict, attractor.expanded());
    });
  } catch (const std::bad_alloc&) {
    // Out of memory: the search continues without the attractor.
  }

  // -- best play

  std::vector<Move> best_play(const AnyGame& position, Proof value) {
    const Side mover = player(position);
    if (value == Proof::unknown) return {};
    if (value == Proof::draw) return drawing_line(position);
    return line(position, value == Proof::win ? mover : other(mover));
  }

  // A line in which `winner` wins as quickly as known, against the longest known defence. If memory
  // has lost too much, it could repeat a position; then it ends before that.
  std::vector<Move> line(const AnyGame& game, Side winner) {
    return play_on(game, false, [&](const AnyGame& at) { return best_for_winner(at, winner); });
  }

  // A line in which neither player lets the other win.
  std::vector<Move> drawing_line(const AnyGame& game) {
    return play_on(game, true, [&](const AnyGame& at) {
      shared_.attacker = other(player(at));
      const auto prefer = [](const Verdict& verdict, const Verdict* best) {
        return verdict.no() && !best;
      };
      return known_move(at, prefer, std::min(df_pn_node_limit_, kNodeLimit));
    });
  }

  // Makes moves until the game ends, a position is repeated, no good move is known, or the line has
  // enough turns. `circle`: whether the moves back to that position stay in the line.
  template <class Choose>
  std::vector<Move> play_on(AnyGame game, bool circle, Choose&& choose) {
    std::vector<Move> moves;
    std::vector<Hash128> seen;
    std::size_t turns = 0;
    while (turns < limits_.turns && game.outcome() == Outcome::none && !shared_.is_drawn(game)) {
      const auto before = std::ranges::find(seen, game.hash());
      if (before != seen.end()) {
        if (!circle) moves.resize(static_cast<std::size_t>(before - seen.begin()));
        break;
      }
      const Move move = choose(game);
      if (move == kNoMove) break;
      seen.push_back(game.hash());
      moves.push_back(move);
      game.play(move);
      if (!game.mid_turn()) ++turns;
    }
    return moves;
  }

  // If the attacker's loss is no longer in memory, the win of the other side is searched instead.
  Move best_for_winner(const AnyGame& game, Side winner) {
    const bool wins = player(game) == winner;
    const auto prefer = [&](const Verdict& verdict, const Verdict* best) {
      if (!(shared_.attacker == winner ? verdict.yes() : verdict.lost)) return false;
      return !best || (wins ? verdict.distance < best->distance : verdict.distance > best->distance);
    };
    const Move move = known_move(game, prefer);
    if (move != kNoMove || shared_.attacker == winner) return move;
    shared_.attacker = winner;
    return known_move(game, prefer);
  }

  // The move with the best verdict by `prefer(verdict, best so far or null)`, once the position is
  // solved, which is immediately if memory still contains enough.
  template <class Prefer>
  Move known_move(const AnyGame& game, Prefer&& prefer, std::uint64_t nodes = DfPn::kNoLimit) {
    const Child* best = nullptr;
    for (const Child& child : first().moves(game, {*stop_, std::min(nodes, nodes_left())}))
      if (prefer(child.verdict, best ? &best->verdict : nullptr)) best = &child;
    return best ? best->move : kNoMove;
  }

  // With guidance a longer proof search pays off: the empty board of pinch-relocate 4x4 takes
  // 90,000 nodes, but 427,000 if the attractor search starts after 20,000 (tools/learn/HISTORY.md).
  static constexpr std::uint64_t kNodeLimit = 20'000;
  static constexpr std::uint64_t kGuidedNodeLimit = 1'000'000;

  std::uint64_t df_pn_node_limit_;
  SolverLimits limits_;  // of the current search
  std::size_t memory_for_attractor_;
  SharedProof shared_;
  std::vector<std::unique_ptr<DfPn>> searches_;  // one per thread
  std::atomic<std::uint64_t> attractor_nodes_ = 0;
  const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace pinchtp
