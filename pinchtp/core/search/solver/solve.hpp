// Exact values of positions by depth-first proof-number search (df-pn; Nagai, 2002).
//
// A search answers one question: can this player, the attacker, force a win? It asks for the player to
// move first; where the answer is no, and not because the other wins, it asks for the other as well. If
// neither can, the position is a draw.
//
// Games with repetitions. Where the third occurrence of a position is a draw, an attacker who can force
// a win can do so without any position occurring twice: each position has a rank, the number of moves
// in which the win can be forced, and moves that lower the rank never lead back. So "can force a win"
// depends on the position alone, whatever came before it, with one exception: positions that occurred
// twice before the search began are draws when they occur again. And an attacker who has no such win
// has none at all, as the other side can stay outside of the won positions for ever. Hence a position
// that is already on the path counts as a "no".
//
// A "yes" found that way is final. A "no" need not be: it may hold only below the position that was
// repeated (graph-history interaction). Each "no" carries the depths of the positions on the path that
// it depends on. When the search leaves a position, that position is removed from them: a "no" that
// depends on nothing else holds everywhere, since its positions lead the attacker only to one another
// (a set in which the defender can stay). Any other "no" is stored with the path down to the deepest
// position that it depends on, and used only below that very path (cf. Kishimoto and Mueller, 2004). A
// "no" that depends on a repetition is never a win for the other side, for whom a search of its own is
// made.
//
// Where draws are made by moving back and forth there are too many of these. A question that is not
// answered after some nodes is therefore tried in a second way (attractor.hpp), as far as memory goes.
//
// The proof numbers of a position's moves are kept while it is on the path, so that every call raises
// those of one move for good; with numbers from the table alone, the search might not terminate.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../../any_game.hpp"
#include "../../evaluation/evaluator.hpp"
#include "../../history.hpp"
#include "../../types.hpp"
#include "attractor.hpp"
#include "keys.hpp"
#include "pinch_moves.hpp"
#include "prior_heuristic.hpp"
#include "solver.hpp"
#include "summary.hpp"
#include "verdict.hpp"

namespace pinchtp {

class ProofSearch {
 public:
  // `evaluator`: one with priors that guides the search, or none. `df_pn_node_limit`: after so many,
  // games with repetitions are tried in the second way. Throws std::bad_alloc.
  ProofSearch(const GameType& type, const Rules& rules, std::size_t memory_bytes,
              std::unique_ptr<Evaluator> evaluator = nullptr, std::uint64_t df_pn_node_limit = 20'000)
      : type_(type),
        max_depth_(kStackBytes / (512 + std::bit_ceil(type.traits.bytes))),
        df_pn_node_limit_(df_pn_node_limit),
        keys_(type.traits.reflections, rules.size()),
        memory_for_attractor_(type.traits.repeats ? memory_bytes / 2 : 0),
        table_(memory_bytes - memory_for_attractor_) {
    games_.reserve(max_depth_);
    if (evaluator) prior_heuristic_.emplace(std::move(evaluator));
    for (Move move = 0; move < kPoints; ++move)
      off_centre_[move] = static_cast<std::uint16_t>(std::abs(2 * x_of(move) + 1 - rules.width) +
                                                     std::abs(2 * y_of(move) + 1 - rules.height));
    std::fill(off_centre_.begin() + kPoints, off_centre_.end(), UINT16_MAX);
    if (PinchMoves::fits(type, rules.size())) {
      std::vector<Move> points;
      for (int y = 0; y < rules.height; ++y)
        for (int x = 0; x < rules.width; ++x) points.push_back(point(x, y));
      std::stable_sort(points.begin(), points.end(),
                       [this](Move a, Move b) { return off_centre_[a] < off_centre_[b]; });
      pinch_moves_.emplace(rules.size(), keys_, points);
      weighing_ = {.share = 6, .slack = 8};
    }
  }

  // Works until the value is certain or `stop`; unknown if the numbers outgrow their range too.
  Solution solve(const AnyGame& position, const History& history, const std::atomic<bool>& stop) {
    forget_other_past(history);
    forget_broken_off();
    stop_ = &stop;
    nodes_ = 0;
    const Side mover = player(position);
    Verdict verdict = ask(position, mover);
    Solution solution;
    if (verdict.yes()) {
      solution = {Proof::win, line(position, mover), 0};
    } else if (verdict.no() && verdict.lost) {
      solution = {Proof::loss, line(position, other(mover)), 0};
    } else if (verdict.no()) {
      verdict = ask(position, other(mover));
      if (verdict.yes()) solution = {Proof::loss, line(position, other(mover)), 0};
      if (verdict.no()) solution = {Proof::draw, drawing_line(position), 0};
    }
    solution.nodes = nodes_;
    return solution;
  }

  // The nodes of the search under way, or of the last one; for any thread.
  std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

 private:
  friend class Attractor<ProofSearch>;

  static constexpr std::uint64_t kNoLimit = UINT64_MAX;
  // Deeper, the search gives up. A thread's stack can be as small as 512 KB (macOS); a call takes less
  // than 512 bytes, and a position is counted too, rounded up so that the depth is the same with every
  // instruction set.
  static constexpr std::size_t kStackBytes = std::size_t{384} << 10;

  // Players are named by the side they would play without swaps.
  static Side player(const AnyGame& game) { return game.swapped() ? other(game.turn()) : game.turn(); }
  static Side winner(const AnyGame& game) {
    return (game.outcome() == Outcome::first) != game.swapped() ? Side::first : Side::second;
  }

  void forget_other_past(const History& history) {
    RepeatedPositions repeated = history.repeated();
    if (repeated == repeated_) return;
    table_.clear();
    repeated_ = std::move(repeated);
  }

  // Clears the state of a search that ran out of memory.
  void forget_broken_off() {
    path_.clear();
    games_.clear();
    children_.clear();
    max_nodes_ = kNoLimit;
  }

  // A reflection of a position that occurred twice has not occurred twice itself.
  Hash128 key(const AnyGame& game, Move last) const {
    return keys_(game, last, attacker_, !repeated_.is_empty());
  }

  Verdict ask(const AnyGame& position, Side attacker) {
    attacker_ = attacker;
    const Hash128 root = key(position, kNoMove);
    const Thresholds thresholds{kMaxEffort, kMaxEffort};
    if (type_.traits.repeats) {
      max_nodes_ = nodes_ + df_pn_node_limit_;
      const Verdict verdict = search(position, root, thresholds);
      max_nodes_ = kNoLimit;
      if (verdict.solved() || is_stopped()) return verdict;
      run_attractor(position, root);
    }
    return search(position, root, thresholds);
  }

  // Stores the answers of the attractor search; if that was completed, the search finds its answer
  // there.
  void run_attractor(const AnyGame& position, const Hash128& root) try {
    Attractor<ProofSearch> attractor(*this, type_, memory_for_attractor_);
    attractor.run(position, root, *stop_);
    nodes_ += attractor.nodes();
    attractor.for_each_answer([&](const Hash128& key, const Verdict& verdict) {
      table_.store(key, path_, verdict, attractor.nodes());
    });
  } catch (const std::bad_alloc&) {
    // Out of memory: the search continues without the attractor.
  }

  bool is_stopped() const { return stop_->load(std::memory_order_relaxed) || nodes_ >= max_nodes_; }
  bool attacks(const AnyGame& game) const { return player(game) == attacker_; }

  // Searches a position until it is solved or one of its numbers reaches its threshold.
  Verdict search(const AnyGame& game, const Hash128& key, const Thresholds& thresholds) {
    const std::size_t first = children_.size();
    const Verdict verdict = explore(game, key, thresholds);
    children_.resize(first);
    return verdict;
  }

  // The same, but leaves the position's children in children_.
  Verdict explore(const AnyGame& game, const Hash128& key, const Thresholds& thresholds) {
    if (path_.size() == max_depth_) return {.proof = kMaxEffort, .disproof = kMaxEffort};
    const std::uint64_t nodes_before = nodes_++;
    const std::size_t first = children_.size();
    path_.push(key);
    expand(game);
    Verdict verdict;
    for (;;) {
      const Summary summary = summarize(std::span(children_).subspan(first), attacks(game), weighing_);
      verdict = summary.verdict;
      if (verdict.solved() || verdict.proof >= thresholds.proof ||
          verdict.disproof >= thresholds.disproof || is_stopped())
        break;
      const std::size_t best = first + summary.best;
      const Move move = children_[best].move;
      const Hash128 next_key = children_[best].key;
      games_.push_back(game);
      games_.back().play(move);
      const Verdict found = search(games_.back(), next_key,
                                   summary.thresholds_below(thresholds, attacks(game), weighing_));
      games_.pop_back();
      children_[best].verdict = found;
    }
    path_.pop();
    leave(verdict);
    table_.store(key, path_, verdict, nodes_ - nodes_before);
    return verdict;
  }

  // Removes the position itself from those that a "no" depends on.
  void leave(Verdict& verdict) const {
    if (!verdict.no() || verdict.holds_everywhere()) return;
    const std::size_t depth = path_.size();
    if (verdict.shallowest >= depth)
      verdict = Verdict::not_won();
    else
      verdict.deepest = std::min(verdict.deepest, static_cast<std::uint16_t>(depth - 1));
  }

  // Adds the children of a position, from the centre outwards: of equal ones the first is tried first.
  // All keys come before any verdict: what memory is asked for meanwhile arrives in time.
  // Not inlined, since explore(), which calls itself, would then take three times the stack that
  // kStackBytes counts.
  [[gnu::noinline]] void expand(const AnyGame& game) {
    std::array<Cell, kMaxSize * kMaxSize> cells;
    if (pinch_moves_) {
      game.fill_cells(cells);
      if (PinchMoves::knows(game, cells)) return add(pinch_moves_->list(game, cells, attacker_));
    }
    std::vector<Move> moves = game.legal_moves();
    std::stable_sort(moves.begin(), moves.end(),
                     [this](Move a, Move b) { return off_centre_[a] < off_centre_[b]; });
    const std::size_t first = children_.size();
    next_games_.clear();
    for (const Move move : moves) {
      AnyGame& next = next_games_.emplace_back(game);
      next.play(move);
      children_.push_back({key(next, move), {}, move});
      table_.prefetch(children_.back().key);
    }
    for (std::size_t at = 0; at < moves.size(); ++at) {
      Child& child = children_[first + at];
      const std::optional<Verdict> known = known_verdict(next_games_[at], child.key);
      child.verdict = known ? *known : estimate(next_games_[at]);
      child.is_estimated = !known && !child.verdict.solved();
    }
    if (prior_heuristic_)
      prior_heuristic_->apply(game, attacks(game), std::span(children_).subspan(first));
  }

  void add(std::span<const PinchMoves::After> moves) {
    const std::size_t first = children_.size();
    for (const PinchMoves::After& each : moves) {
      children_.push_back({each.key, each.verdict, each.move});
      if (!each.is_known) table_.prefetch(each.key);
    }
    for (std::size_t at = 0; at < moves.size(); ++at)
      if (!moves[at].is_known) table_.find(moves[at].key, path_, children_[first + at].verdict);
  }

  // By a third occurrence.
  bool is_drawn(const AnyGame& game) const {
    return !repeated_.is_empty() && !game.mid_turn() && repeated_.has(game.hash());
  }

  Verdict initial_verdict(const AnyGame& game, const Hash128& key) const {
    const std::optional<Verdict> known = known_verdict(game, key);
    return known ? *known : estimate(game);
  }

  std::optional<Verdict> known_verdict(const AnyGame& game, const Hash128& key) const {
    if (game.outcome() != Outcome::none) {
      if (game.outcome() == Outcome::draw) return Verdict::not_won();
      return winner(game) == attacker_ ? Verdict::won(0) : Verdict::lost_in(0);
    }
    Verdict verdict;
    if (type_.traits.repeats) {
      if (const std::uint16_t depth = path_.depth_of(key); depth != kNoDepth)
        return Verdict::repeated(depth);
      if (is_drawn(game)) return Verdict::not_won();
    }
    if (table_.find(key, path_, verdict)) return verdict;
    return std::nullopt;
  }

  // Initial proof numbers: smaller where a threat leaves few answers. Tuned by the nodes
  // that the empty boards of capture-go 5x5, pinch 5x4 and pinch-remove 4x4 took (2026-11): 4, 2, 1
  // took three times as many in the first, 16, 2, 1 more in all, 8, 3, 1 twice as many in two of them.
  Verdict estimate(const AnyGame& game) const {
    if (game.mid_turn()) return {};
    if (!game.winning_points(game.turn()).empty())
      return attacks(game) ? Verdict::won(1) : Verdict::lost_in(1);
    const std::size_t threats = game.winning_points(other(game.turn())).size();
    const std::uint32_t answers = threats == 0 ? 8 : threats == 1 ? 2 : 1;
    return attacks(game) ? Verdict{.proof = 1, .disproof = answers}
                         : Verdict{.proof = answers, .disproof = 1};
  }

  // -- best play

  // Play in which `winner` wins as quickly as known, against the longest defence known. Where memory
  // kept too little it could repeat a position; then it ends before that.
  std::vector<Move> line(const AnyGame& game, Side winner) {
    return play_on(game, false, [&](const AnyGame& at) { return best_for_winner(at, winner); });
  }

  // Play in which neither lets the other win.
  std::vector<Move> drawing_line(const AnyGame& game) {
    return play_on(game, true, [&](const AnyGame& at) {
      attacker_ = other(player(at));
      max_nodes_ = nodes_ + df_pn_node_limit_;
      const Move move =
          known_move(at, [](const Verdict& a, const Verdict* best) { return a.no() && !best; });
      max_nodes_ = kNoLimit;
      return move;
    });
  }

  // Makes moves until the game ends, a position is repeated, or no good move is known. `circle`:
  // whether the moves back to that position stay in the line.
  template <class Choose>
  std::vector<Move> play_on(AnyGame game, bool circle, Choose&& choose) {
    std::vector<Move> moves;
    std::vector<Hash128> seen;
    while (game.outcome() == Outcome::none && !is_drawn(game)) {
      const auto before = std::find(seen.begin(), seen.end(), game.hash());
      if (before != seen.end()) {
        if (!circle) moves.resize(static_cast<std::size_t>(before - seen.begin()));
        break;
      }
      const Move move = choose(game);
      if (move == kNoMove) break;
      seen.push_back(game.hash());
      moves.push_back(move);
      game.play(move);
    }
    return moves;
  }

  // Where the attacker's loss is not in memory any more, the other side's win is searched instead.
  Move best_for_winner(const AnyGame& game, Side winner) {
    const bool wins = player(game) == winner;
    const auto prefer = [&](const Verdict& verdict, const Verdict* best) {
      if (!(attacker_ == winner ? verdict.yes() : verdict.lost)) return false;
      return !best || (wins ? verdict.distance < best->distance : verdict.distance > best->distance);
    };
    const Move move = known_move(game, prefer);
    if (move != kNoMove || attacker_ == winner) return move;
    attacker_ = winner;
    return known_move(game, prefer);
  }

  // The move whose verdict is preferred, `prefer(verdict, best so far or null)`, once the position is
  // solved; that is at once if memory kept enough.
  template <class Prefer>
  Move known_move(const AnyGame& game, Prefer&& prefer) {
    explore(game, key(game, kNoMove), {kMaxEffort, kMaxEffort});
    const Child* best = nullptr;
    for (const Child& child : children_)
      if (prefer(child.verdict, best ? &best->verdict : nullptr)) best = &child;
    const Move move = best ? best->move : kNoMove;
    children_.clear();
    return move;
  }

  const GameType& type_;
  std::size_t max_depth_;
  std::uint64_t df_pn_node_limit_;
  Keys keys_;
  std::size_t memory_for_attractor_;
  VerdictTable table_;
  std::optional<PriorHeuristic> prior_heuristic_;
  std::optional<PinchMoves> pinch_moves_;
  Weighing weighing_;
  RepeatedPositions repeated_;   // before the search
  Side attacker_ = Side::first;  // whose win is asked about
  Path path_;
  std::vector<AnyGame> games_;       // of the path, without the first; never moved in memory
  std::vector<Child> children_;      // of all positions on the path
  std::vector<AnyGame> next_games_;  // after each move of the position that is expanded
  std::array<std::uint16_t, kNoMove + 1> off_centre_;  // by move
  std::atomic<std::uint64_t> nodes_ = 0;
  std::uint64_t max_nodes_ = kNoLimit;
  const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace pinchtp
