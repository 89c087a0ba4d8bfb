// Depth-first proof-number search (df-pn; Nagai, 2002), run by one of several threads that share a
// proof goal: can this player, the attacker, force a win?
//
// Games with repetitions. Suppose that the third occurrence of a position is a draw. An attacker
// who can force a win can then do so without any position occurring twice: each position has a
// rank, the number of moves in which the win can be forced, and moves that lower the rank never
// lead back. So "can force a win" depends on the position alone, not on its history, with one
// exception: positions that occurred twice before the search are draws when they occur again. An
// attacker without such a win has none at all, since the other side can stay outside of the won
// positions forever. Hence a position that is already on the path counts as a "no".
//
// A "yes" found this way is final. A "no" may not be: it may hold only below the position that was
// repeated (graph-history interaction). Each "no" carries the depths of the positions on the path
// that it depends on. When the search leaves a position, that position is removed from them. A "no"
// without remaining dependencies holds everywhere, since its positions lead the attacker only to
// one another (a set in which the defender can stay). Any other "no" is stored with the path down
// to the deepest position that it depends on, and used only below that exact path (cf. Kishimoto
// and Mueller, 2004). A "no" that depends on a repetition is never a win for the other side, which
// needs a separate search.
//
// The proof numbers of a position's moves are kept while it is on the path, so that every call
// raises the numbers of one move permanently; with numbers from the table alone, the search might
// not terminate.
//
// Threads share the table, and publish the positions they are in: to the others, moves to these
// positions look slightly harder than they are (virtual proof numbers; Kaneko, 2010), so that they
// prefer other moves that are as good. Two threads need 1.06 times as many nodes as one.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../any_game.hpp"
#include "../../evaluation/evaluator.hpp"
#include "../../history.hpp"
#include "../../types.hpp"
#include "busy_positions.hpp"
#include "keys.hpp"
#include "pinch_moves.hpp"
#include "prior_heuristic.hpp"
#include "proven_zones.hpp"
#include "solution.hpp"
#include "summary.hpp"
#include "verdict.hpp"
#include "verdict_table.hpp"
#include "word_position.hpp"

namespace pinchtp {

// Players are identified by the side that they would play without swaps.
inline Side player(const AnyGame& game) { return game.swapped() ? other(game.turn()) : game.turn(); }

// The state shared by the threads of a search.
struct SharedProof {
  // `is_guided`: whether an evaluator with priors guides the search. `is_multithreaded`: whether
  // several threads search at the same time. Throws std::bad_alloc.
  SharedProof(const GameType& game_type, const Rules& rules, std::size_t table_bytes, bool is_guided,
              bool is_multithreaded)
      : type(game_type),
        size(rules.size()),
        keys(type.traits.reflections, rules.size()),
        table(table_bytes, is_multithreaded),
        is_multithreaded(is_multithreaded) {
    for (Move move = 0; move < kPoints; ++move)
      off_centre[move] = static_cast<std::uint16_t>(std::abs(2 * x_of(move) + 1 - rules.width) +
                                                    std::abs(2 * y_of(move) + 1 - rules.height));
    std::fill(off_centre.begin() + kPoints, off_centre.end(), UINT16_MAX);
    if (PinchMoves::fits(type, size) || is_guided) weighing = {.divisor = 6, .slack = 8};
  }

  // Exact if positions are repeated: a reflection of a position that occurred twice may not have.
  Hash128 key(const AnyGame& game, Move last, const Keys::Origin& origin = {}) const {
    const Hash128 key = keys(game, last, attacker, !repeated.is_empty(), origin);
    return {key.low ^ repeated.salt(), key.high};
  }
  bool attacks(const AnyGame& game) const { return player(game) == attacker; }

  // Stores a verdict. A proven win also answers the question about the other attacker, which is asked
  // next if the game is drawn. Both answers have the same distance, so that lines of best play, which
  // follow the distances, never go back.
  void store(const Hash128& key, const Path& path, const Verdict& verdict, std::uint64_t effort) {
    table.store(key, path, verdict, effort);
    if (!type.traits.repeats || !(verdict.yes() || verdict.lost)) return;
    const Verdict answer =
        verdict.yes() ? Verdict::lost_in(verdict.distance) : Verdict::won(verdict.distance);
    table.store(Keys::for_other_attacker(key), path, answer, effort);
  }

  // A draw is a third occurrence.
  bool is_drawn(const AnyGame& game) const {
    return !repeated.is_empty() && !game.mid_turn() && repeated.has(game.hash());
  }

  // Longer than any path without captures. A call of explore_place() takes less than 512 bytes of the
  // stack, and every thread has at least 1 MB (thread.hpp).
  static constexpr std::size_t kMaxDepth = 1024;

  const GameType& type;
  const BoardSize size;
  const Keys keys;
  VerdictTable table;
  const bool is_multithreaded;  // whether several threads search
  Weighing weighing;
  std::array<std::uint16_t, kNoMove + 1> off_centre;  // by move
  RepeatedPositions repeated;                         // before the search
  Side attacker = Side::first;                        // whose win is to be proven
  std::atomic<ProofNumbers> root_numbers;             // of the current search
  BusyPositions busy;
};

class DfPn {
 public:
  static constexpr std::uint64_t kNoLimit = UINT64_MAX;

  // Limits of a search.
  struct Limits {
    const std::atomic<bool>& stop;
    std::uint64_t nodes = kNoLimit;
  };

  // `evaluator`: one with priors that guides the search, or null. Throws std::bad_alloc.
  DfPn(SharedProof& shared, std::unique_ptr<Evaluator> evaluator) : shared_(shared) {
    games_.reserve(SharedProof::kMaxDepth);
    if (evaluator) prior_heuristic_.emplace(std::move(evaluator));
    if (PinchMoves::fits(shared.type, shared.size)) {
      std::vector<Move> points;
      for (int y = 0; y < shared.size.height; ++y)
        for (int x = 0; x < shared.size.width; ++x) points.push_back(point(x, y));
      sort(points);
      pinch_moves_.emplace(shared.size, shared.keys, points);
      zones_ = std::make_unique<ProvenZones>(shared.size, points);
    }
  }

  // The answer for a position, or its proof numbers if a limit was met or they overflowed.
  Verdict solve(const AnyGame& game, const Hash128& key, const Limits& limits) {
    begin(limits);
    shows_numbers_ = true;
    return search(game, key, {kMaxEffort, kMaxEffort});
  }

  // The moves of a position after such a search; valid until the next call.
  std::span<const Child> moves(const AnyGame& game, const Limits& limits) {
    begin(limits);
    shows_numbers_ = false;
    explore(game, shared_.key(game, kNoMove), {kMaxEffort, kMaxEffort});
    return children_;
  }

  // The verdict on a position without a search, or an initial estimate.
  Verdict initial_verdict(const AnyGame& game, const Hash128& key) const {
    const std::optional<Verdict> known = known_verdict(game, key);
    return known ? *known : estimate(game);
  }
  Hash128 key(const AnyGame& game, Move last) const { return shared_.key(game, last); }
  bool attacks(const AnyGame& game) const { return shared_.attacks(game); }

  // Positions expanded by this thread since forget_nodes(). Any thread may call this.
  std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
  void forget_nodes() { nodes_ = 0; }

 private:
  void begin(const Limits& limits) {
    path_.clear();  // left over if a search ran out of memory
    games_.clear();
    children_.clear();
    stop_ = &limits.stop;
    max_nodes_ = limits.nodes == kNoLimit ? kNoLimit : nodes() + limits.nodes;
  }

  void sort(std::vector<Move>& moves) const {
    std::ranges::sort(moves, {},
                      [this](Move move) { return std::pair(shared_.off_centre[move], move); });
  }

  bool is_stopped() const { return stop_->load(std::memory_order_relaxed) || nodes() >= max_nodes_; }

  // Searches a position until it is solved or one of its numbers reaches its threshold. `Place`:
  // AnyGame or WordPosition, as with the functions below.
  template <class Place>
  Verdict search(const Place& place, const Hash128& key, const Thresholds& thresholds) {
    const std::size_t first = children_.size();
    const Verdict verdict = explore(place, key, thresholds);
    children_.resize(first);
    return verdict;
  }

  // Searches like search(), but leaves the position's children in children_.
  Verdict explore(const AnyGame& game, const Hash128& key, const Thresholds& thresholds) {
    const std::optional<WordPosition> position = read(game);
    if (!position) return explore_place(game, key, thresholds);
    role_ = game.swapped() ? other(shared_.attacker) : shared_.attacker;
    return explore_place(*position, key, thresholds);
  }
  Verdict explore(const WordPosition& position, const Hash128& key, const Thresholds& thresholds) {
    return explore_place(position, key, thresholds);
  }

  template <class Place>
  Verdict explore_place(const Place& place, const Hash128& key, const Thresholds& thresholds) {
    if (path_.size() == SharedProof::kMaxDepth) return {.proof = kMaxEffort, .disproof = kMaxEffort};
    const std::uint64_t nodes_before = nodes();
    nodes_.store(nodes_before + 1, std::memory_order_relaxed);
    const std::size_t first = children_.size();
    path_.push(key);
    expand(place);
    Verdict verdict;
    std::uint64_t learned_at = nodes_before;
    bool is_busy = false;
    for (;;) {
      const std::span<Child> children = std::span(children_).subspan(first);
      if (shared_.is_multithreaded) {
        count_others(children);
        if (nodes() - learned_at >= kLearnEvery) {
          learn_from_others(children, place);
          learned_at = nodes();
        }
      }
      const Summary summary = summarize(children, attacks(place), shared_.weighing);
      verdict = summary.verdict;
      if (path_.size() == 1 && shows_numbers_)
        shared_.root_numbers.store({verdict.proof, verdict.disproof}, std::memory_order_relaxed);
      if (verdict.solved() || verdict.proof >= thresholds.proof ||
          verdict.disproof >= thresholds.disproof || is_stopped())
        break;
      if (shared_.is_multithreaded && !is_busy) {
        shared_.busy.enter(key);
        is_busy = true;
      }
      const std::size_t best = first + summary.best;
      const Move move = children_[best].move;
      const Hash128 next_key = children_[best].key;
      const Verdict found =
          search_after(place, move, next_key,
                       summary.thresholds_below(thresholds, attacks(place), shared_.weighing));
      children_[best].verdict = found;  // may have moved in memory
      share_verdict(place, first, best);
    }
    if (verdict.yes() || verdict.lost) complete(verdict, place, first);
    if (is_busy) shared_.busy.leave(key);
    path_.pop();
    drop_own_depth(verdict);
    shared_.store(key, path_, turned(verdict, place), nodes() - nodes_before);
    return verdict;
  }

  Verdict search_after(const AnyGame& game, Move move, const Hash128& key,
                       const Thresholds& thresholds) {
    games_.push_back(game);
    games_.back().play(move);
    const Verdict verdict = search(games_.back(), key, thresholds);
    games_.pop_back();
    return verdict;
  }
  Verdict search_after(const WordPosition& position, Move move, const Hash128& key,
                       const Thresholds& thresholds) {
    return search(position.after(move), key, thresholds);
  }

  bool attacks(const WordPosition& position) const { return position.turn == role_; }

  // The following parts of explore_place() run less often. Inlined, they would double its stack frame
  // (see kMaxDepth), and it is recursive.
  [[gnu::noinline]] std::optional<WordPosition> read(const AnyGame& game) const {
    return pinch_moves_ ? pinch_moves_->read(game) : std::nullopt;
  }
  // Copies the verdict on a move to all others that lead to the same content of its zone.
  void share_verdict(const AnyGame&, std::size_t, std::size_t) const {}
  [[gnu::noinline]] void share_verdict(const WordPosition& position, std::size_t first,
                                       std::size_t solved) {
    const Verdict verdict = children_[solved].verdict;
    if (!verdict.zone.any()) return;
    const WordPosition after = position.after(children_[solved].move);
    for (Child& child : std::span(children_).subspan(first)) {
      const WordPosition other_after = position.after(child.move);
      if (child.verdict.solved() || !other_after.agrees(after, verdict.zone)) continue;
      child.verdict = verdict;
      shared_.table.store(child.key, path_, zones_->turned(verdict, other_after), 1);
    }
  }
  void complete(Verdict&, const AnyGame&, std::size_t) const {}
  [[gnu::noinline]] void complete(Verdict& verdict, const WordPosition& position, std::size_t first) {
    zones_->complete(verdict, position, std::span(children_).subspan(first), role_);
  }
  // Turns a verdict's zone into the orientation used in tables, or back.
  static Verdict turned(const Verdict& verdict, const AnyGame&) { return verdict; }
  [[gnu::noinline]] Verdict turned(const Verdict& verdict, const WordPosition& position) const {
    return zones_->turned(verdict, position);
  }

  // Counts the other threads in each of a position's moves.
  void count_others(std::span<Child> children) const {
    for (Child& child : children)
      if (!child.verdict.solved()) child.others = shared_.busy.count(child.key);
  }

  // Takes over the verdicts that other threads have found for a position's moves.
  template <class Place>
  void learn_from_others(std::span<Child> children, const Place& place) const {
    for (Child& child : children) {
      Verdict found;
      if (child.verdict.solved() || !shared_.table.find(child.key, path_, found)) continue;
      const bool is_kept = shared_.type.traits.repeats && !(found.solved() && found.holds_everywhere());
      if (is_kept) continue;
      if constexpr (std::is_same_v<Place, WordPosition>) found = turned(found, place.after(child.move));
      child.verdict = found;
    }
  }

  // Removes the position itself from the dependencies of a "no".
  void drop_own_depth(Verdict& verdict) const {
    if (!verdict.no() || verdict.holds_everywhere()) return;
    const std::size_t depth = path_.size();
    if (verdict.shallowest >= depth)
      verdict = Verdict::not_won();
    else
      verdict.deepest = std::min(verdict.deepest, static_cast<std::uint16_t>(depth - 1));
  }

  // Adds the children of a position, from the centre outwards: among equal ones the first is tried
  // first. All keys are computed before any verdict, so that prefetched memory arrives in time. Not
  // inlined, since explore_place(), which is recursive, would then take three times the stack that
  // kMaxDepth assumes.
  [[gnu::noinline]] void expand(const AnyGame& game) {
    std::vector<Move> moves = game.legal_moves();
    sort(moves);
    const std::size_t first = children_.size();
    const Keys::Origin origin = shared_.keys.origin(game);
    next_games_.clear();
    for (const Move move : moves) {
      AnyGame& next = next_games_.emplace_back(game);
      next.play(move);
      children_.push_back({shared_.key(next, move, origin), {}, move});
      shared_.table.prefetch(children_.back().key);
    }
    for (std::size_t at = 0; at < moves.size(); ++at) {
      Child& child = children_[first + at];
      const std::optional<Verdict> known = known_verdict(next_games_[at], child.key);
      child.verdict = known ? *known : estimate(next_games_[at]);
      child.was_estimate = !known && !child.verdict.solved();
    }
    if (prior_heuristic_)
      prior_heuristic_->apply(game, attacks(game), std::span(children_).subspan(first));
  }

  [[gnu::noinline]] void expand(const WordPosition& position) {
    const std::span<const PinchMoves::After> moves = pinch_moves_->list(position, role_);
    const std::size_t first = children_.size();
    for (const PinchMoves::After& each : moves) {
      children_.push_back({each.key, each.verdict, each.move});
      if (!each.is_known) shared_.table.prefetch(each.key);
    }
    for (std::size_t at = 0; at < moves.size(); ++at) {
      if (moves[at].is_known) continue;
      Verdict& verdict = children_[first + at].verdict;
      const WordPosition after = position.after(moves[at].move);
      if (shared_.table.find(moves[at].key, path_, verdict)) verdict = zones_->turned(verdict, after);
      if (verdict.solved()) continue;
      if (const std::optional<Verdict> proven = zones_->find(after, role_)) {
        verdict = *proven;
        shared_.table.store(moves[at].key, path_, zones_->turned(verdict, after), 1);
      }
    }
  }

  std::optional<Verdict> known_verdict(const AnyGame& game, const Hash128& key) const {
    if (game.outcome() != Outcome::none) {
      if (game.outcome() == Outcome::draw) return Verdict::not_won();
      const Side winner =
          (game.outcome() == Outcome::first) != game.swapped() ? Side::first : Side::second;
      return winner == shared_.attacker ? Verdict::won(0) : Verdict::lost_in(0);
    }
    Verdict verdict;
    if (shared_.type.traits.repeats) {
      if (const std::uint16_t depth = path_.depth_of(key); depth != kNoDepth)
        return Verdict::repeated(depth);
      if (shared_.is_drawn(game)) return Verdict::not_won();
    }
    if (!shared_.table.find(key, path_, verdict)) return std::nullopt;
    verdict.zone = {};  // only useful for positions that PinchMoves reads
    return verdict;
  }

  // Initial proof numbers: smaller if a threat leaves few replies. Tuned by the nodes for the empty
  // boards of capture-go 5x5, pinch 5x4 and pinch-remove 4x4 (2026-11): 4, 2, 1 took three times as
  // many on the first, 16, 2, 1 more in total, 8, 3, 1 twice as many on two of them. Within a turn, 4
  // for the other player instead of 1 saves 15 to 47 % of the nodes of pinch-relocate on 4x5 and 5x4
  // (tools/learn/HISTORY.md).
  Verdict estimate(const AnyGame& game) const {
    if (game.mid_turn()) return attacks(game) ? Verdict{.disproof = 4} : Verdict{.proof = 4};
    if (!game.winning_points(game.turn()).empty())
      return attacks(game) ? Verdict::won(1) : Verdict::lost_in(1);
    const std::size_t threats = game.winning_points(other(game.turn())).size();
    const std::uint32_t answers = threats == 0 ? 8 : threats == 1 ? 2 : 1;
    return attacks(game) ? Verdict{.proof = 1, .disproof = answers}
                         : Verdict{.proof = answers, .disproof = 1};
  }

  static constexpr std::uint64_t kLearnEvery = 32;  // nodes; a larger interval costs less time

  SharedProof& shared_;
  std::optional<PriorHeuristic> prior_heuristic_;
  std::optional<PinchMoves> pinch_moves_;
  std::unique_ptr<ProvenZones> zones_;  // if there are pinch_moves_
  Side role_ = Side::first;             // that the attacker plays, in WordPositions
  bool shows_numbers_ = false;          // as SharedProof::root_numbers
  Path path_;
  std::vector<AnyGame> games_;       // of the path, except the first; never moved in memory
  std::vector<Child> children_;      // of all positions on the path
  std::vector<AnyGame> next_games_;  // after each move of the expanded position
  std::atomic<std::uint64_t> nodes_ = 0;
  std::uint64_t max_nodes_ = kNoLimit;
  const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace pinchtp
