// Monte-Carlo tree search with random playouts, all-moves-as-first statistics and proven results.
//
// Start reading at simulate(): select down the tree, expand, play out, tell the nodes of the path. That
// is done in rounds: several times in a row from one node deep in the tree. Threads run rounds on one
// tree without locks. What a thread is at looks to the others like lost visits (virtual loss), so that
// they try something else and seldom want the same memory.
//
// What bounds it, on 13x13: two thirds of the time are playouts; much of the rest is fetching from
// memory what is known of all children, for 2.6 nodes a simulation. Two threads make 0.96 to 0.99 of
// the simulations that they make in a tree each; without rounds it would be 0.81 to 0.87.
#pragma once

#include <algorithm>
#include <bit>
#include <iterator>
#include <new>
#include <optional>
#include <stdexcept>
#include <vector>

#include "../any_game.hpp"
#include "../history.hpp"
#include "../rng.hpp"
#include "../types.hpp"
#include "arena.hpp"
#include "defence.hpp"
#include "lanes.hpp"
#include "search.hpp"
#include "simulations.hpp"

namespace pinchtp::PINCHTP_LEVEL {

class Tree final : public Search {
 public:
  Tree(const AnyGame& position, const History& history, const SearchOptions& options)
      : options_(options), arena_(options.memory_bytes), position_(position), history_(history) {
    options_.round = std::clamp(options_.round, 1U, Simulations::kMost);
    forget_root(kNoMove);
  }

  // Makes the position after `move` the root and keeps what the tree knows below it. Throws
  // std::invalid_argument for a move that is not legal; the tree is then as it was.
  void advance(Move move) override {
    check_legal(move);
    AnyGame next = position_;
    next.play(move);
    history_.add(position_);
    position_ = next;
    const std::uint32_t block = root_.children();
    const std::uint16_t count = root_.child_count();
    forget_root(move);
    for (std::uint32_t i = block; i < block + count; ++i)
      if (arena_[i].move() == move) move_node(arena_[i], root_);
    arena_.discard(block, count);
    full_ = false;
  }

  // Gives the root all of its children, so that a search that is stopped at once has an answer too,
  // and restricts it to some of them, or to none if the list is empty. Throws std::invalid_argument if
  // one of those is not legal; the tree is then as it was.
  void prepare(std::uint64_t seed, const Moves& allowed) override {
    for (const Move move : allowed) check_legal(move);
    Worker worker(seed, history_, arena_);
    if (!is_expanded(root_) && position_.outcome() == Outcome::none) expand(root_, position_, worker);
    complete_root(worker);
    granted_ = root_.visits();
    allowed_.assign(allowed.empty() ? 0 : kNoMove, false);
    for (const Move move : allowed) allowed_[move] = true;
    for (std::uint32_t i = 0; i < root_.child_count(); ++i) {
      const Node child = arena_[root_.children() + i];
      child.shut(child.proof() == Proof::loss || !is_allowed(child.move()));
    }
  }

  // Simulates until `stop`, or the root has `visits`, or nothing is left to find out.
  void work(std::uint64_t seed, std::uint64_t visits, const std::atomic<bool>& stop) override {
    Worker worker(seed, history_, arena_);
    while (!stop.load(relaxed) && !decided()) {
      const std::uint64_t before = granted_.fetch_add(options_.round, relaxed);
      const std::uint64_t left = before < visits ? visits - before : 0;
      const auto wanted = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, options_.round));
      const std::uint32_t done = wanted > 0 ? round(worker, wanted, stop) : 0;
      granted_.fetch_sub(options_.round - done, relaxed);
      if (wanted == 0) break;
    }
  }

  bool decided() const {
    if (root_.proof() != Proof::open) return true;
    if (allowed_.empty()) return false;
    for (std::uint32_t i = 0; i < root_.child_count(); ++i) {
      const Node child = arena_[root_.children() + i];
      if (is_allowed(child.move()) && child.proof() == Proof::open) return false;
    }
    return true;
  }

  Report report() const override {
    Report report;
    report.visits = root_.visits();
    report.nodes = arena_.used();
    for (std::uint32_t i = 0; i < root_.child_count(); ++i) {
      const Node child = arena_[root_.children() + i];
      if (!is_allowed(child.move())) continue;
      report.choices.push_back(describe(child));
      for (Node node = child; node; node = best_child(node))
        report.choices.back().line.push_back(node.move());
    }
    std::stable_sort(report.choices.begin(), report.choices.end(), is_better);
    return report;
  }

  std::vector<float> ownership(std::uint64_t seed, int simulations) override {
    Worker worker(seed, history_, arena_);
    std::vector<float> sums(kPoints, 0);
    for (int i = 0; i < simulations; ++i) {
      AnyGame game = position_;
      for (Node node = root_; node && game.outcome() == Outcome::none;) {
        node = sample_child(node, worker.rng);
        if (node) game.play(node.move());
      }
      if (game.outcome() == Outcome::none) game.playout(worker.rng, worker.simulation.placed);
      for (const Move move : game.stones(Side::first)) sums[move] += 1;
      for (const Move move : game.stones(Side::second)) sums[move] -= 1;
    }
    for (float& sum : sums) sum /= static_cast<float>(std::max(simulations, 1));
    return sums;
  }

 private:
  struct Worker {
    Worker(std::uint64_t seed, const History& before, Arena& arena)
        : rng(seed), history(before), lot(arena) {}
    Rng rng;
    History history;  // to the node at the end of the path
    std::vector<Node> path;
    std::size_t base = 0;  // number of the path's node that the round's simulations begin at
    Arena::Lot lot;
    Simulation simulation;  // the latest
    Simulations round;      // those of the round
  };

  // Simulates several times in a row from one node, and then tells the nodes above it of all at once.
  // That node was visited so often that it makes no difference to the search; but upper nodes are
  // looked at less often, and the thread has the lower ones to itself. Returns how often it did so.
  // Where memory runs out in the middle (std::bad_alloc), the simulations made until then count.
  std::uint32_t round(Worker& worker, std::uint32_t simulations, const std::atomic<bool>& stop) {
    AnyGame game = position_;
    std::vector<Node>& path = worker.path;
    path.assign(1, root_);
    worker.base = 0;
    worker.history.cut(history_.size());
    worker.round.clear();
    try {
      while (const Node next = well_known_child(path.back())) {
        worker.history.add(game);
        game.play(next.move());
        path.push_back(next);
        next.busy().fetch_add(1, relaxed);
        ++worker.base;
      }
      const std::size_t past = worker.history.size();
      do {
        path.resize(worker.base + 1);
        worker.history.cut(past);
        simulate(worker, game);
        worker.round.add(worker.simulation);
      } while (worker.round.count() < simulations && path[worker.base].proof() == Proof::open &&
               !stop.load(relaxed));
    } catch (...) {
      finish_round(worker);
      throw;
    }
    finish_round(worker);
    return worker.round.count();
  }

  void finish_round(Worker& worker) {
    for (std::size_t i = 0; i < worker.base; ++i) {
      worker.path[i].visits().fetch_add(worker.round.count(), relaxed);
      worker.path[i + 1].busy().fetch_sub(1, relaxed);
    }
    tell(worker.path, 0, worker.base, worker.round);
  }

  // The child that a round goes on to, if it was visited often enough to bear the whole round.
  Node well_known_child(Node node) {
    const std::uint32_t many = kRoundsToBearOne * options_.round;
    if (!is_expanded(node) || node.visits() < many) return {};
    const Node child = select(node);
    const bool bears = child.visits() >= many && is_expanded(child) && child.proof() == Proof::open;
    return bears ? child : Node();
  }

  // From the end of the path, where the game stands like that.
  void simulate(Worker& worker, AnyGame game) try {
    std::vector<Node>& path = worker.path;
    Node node = path.back();
    node.visits().fetch_add(1, relaxed);
    while (game.outcome() == Outcome::none && node.proof() == Proof::open) {
      if (!is_expanded(node) &&
          !(node.visits() >= options_.expand_visits && expand(node, game, worker)))
        break;
      if (node.proof() != Proof::open) break;
      node = select(node);
      worker.history.add(game);
      game.play(node.move());
      path.push_back(node);
      const std::uint32_t before = node.visits().fetch_add(1, relaxed);
      if (before == 0 && worker.history.draws(game)) settle(node, Proof::draw, 0);
    }
    worker.simulation.placed.clear();
    worker.simulation.outcome = finish(node, game, worker);
    tell(path, worker.base, path.size(), worker.simulation);
  } catch (...) {
    for (std::size_t i = worker.base; i < worker.path.size(); ++i)
      worker.path[i].visits().fetch_sub(1, relaxed);
    throw;
  }

  // How the simulation ends from here: known, or by a playout.
  Outcome finish(Node node, AnyGame& game, Worker& worker) {
    if (game.outcome() != Outcome::none && node.proof() == Proof::open)
      settle(node, proof_of(game.outcome(), node.credited()), 0);
    switch (node.proof()) {
      case Proof::win:
        return win_for(node.credited());
      case Proof::loss:
        return win_for(other(node.credited()));
      case Proof::draw:
        return Outcome::draw;
      case Proof::open:
        break;
    }
    return game.playout(worker.rng, worker.simulation.placed).outcome;
  }

  // Adds one simulation, or several, to the nodes of the path from `end` up to `begin`.
  template <class S>
  void tell(const std::vector<Node>& path, std::size_t begin, std::size_t end, S& simulations) {
    for (std::size_t i = end; i-- > begin;) {
      const Node node = path[i];
      add(node.score(), simulations.score(node.credited()));
      if (is_expanded(node)) credit_children(node, simulations);
      const bool settled_below = i + 1 < path.size() && path[i + 1].proof() != Proof::open;
      if (settled_below && node.proof() == Proof::open) prove(node);
      if (const std::optional<Side> stone = node.shares()) simulations.add(*stone, node.move());
    }
  }

  // All moves as first: a child shares in the result when a stone of the same side was put on its point
  // later on.
  template <class S>
  void credit_children(Node node, const S& simulations) {
    const std::uint32_t end = node.children() + node.child_count();
    for (std::uint32_t i = node.children(); i < end; i += Nodes::kLanes) {
      Nodes& eight = arena_.eight(i);
      const Credit credit = simulations.credit(eight, node.turn());
      add_loosely(eight.amaf_visits, credit.visits);
      add_loosely(eight.amaf_score, credit.score);
    }
  }

  Node select(Node parent) {
    const float log_visits = rough_log(parent.visits().load(relaxed) + 1);
    const float unknown = first_play_value(parent);
    const std::uint32_t first = parent.children();
    const std::uint32_t count = parent.child_count();
    Floats best = Floats{} - 1;
    Mask at = {0, 1, 2, 3, 4, 5, 6, 7};
    Mask number = at;
    for (std::uint32_t i = 0; i < count; i += Nodes::kLanes, number += Nodes::kLanes) {
      const Nodes& eight = arena_.eight(first + i);
      const Floats value = values(eight, unknown, log_visits);
      const Mask better = (value > best) & (bits(eight.shut.load(relaxed)) == 0);
      best = better ? value : best;
      at = better ? number : at;
    }
    return arena_[first + static_cast<std::uint32_t>(at[best_lane(best, at)])];
  }

  // Mean result, in which that of all moves as first counts like so many visits, plus a term for
  // exploration. Divisions bound this, so there are few.
  Floats values(const Nodes& nodes, float unknown, float log_visits) const {
    const Floats visits = floats(load(nodes.visits) + options_.virtual_loss * load(nodes.busy));
    const Floats amaf_visits = floats(load(nodes.amaf_visits));
    const Floats amaf_weight = options_.amaf_visits * floats(load(nodes.amaf_score)) / amaf_visits;
    const Floats score = floats(load(nodes.score)) + (amaf_visits > 0 ? amaf_weight : Floats{});
    const Floats weight = visits + (amaf_visits > 0 ? Floats{} + options_.amaf_visits : Floats{});
    const Floats mean = weight > 0 ? 0.5F * score / weight : Floats{} + unknown;
    return mean + options_.exploration * root(log_visits / (visits + 1));
  }

  // The natural logarithm, by straight lines between powers of two: up to 0.06 too small, and unlike
  // std::log the same on every machine.
  static float rough_log(std::uint32_t n) {
    constexpr float kPerUnit = 0.6931472F / (1 << 23);  // of the bits of a float
    return kPerUnit *
           static_cast<float>(std::bit_cast<std::int32_t>(static_cast<float>(n)) - 0x3f800000);
  }

  // What an untried move is taken to be worth: what the mover gets here on the whole.
  static float first_play_value(Node parent) {
    const auto visits = static_cast<float>(parent.visits().load(relaxed));
    const float value = visits > 0 ? half(parent.score().load(relaxed)) / visits : 0.5F;
    return parent.credited() == parent.turn() ? value : 1 - value;
  }

  // Gives a leaf its children; false if another thread is at it or memory is used up.
  bool expand(Node node, const AnyGame& game, Worker& worker) {
    if (full_.load(relaxed) || node.expanding().exchange(true)) return false;
    Claim claim{node};
    const Side mover = game.turn();
    const std::vector<Move> wins = game.winning_points(mover);
    std::vector<Move> moves = wins.empty() ? game.legal_moves() : std::vector<Move>{wins.front()};
    const bool lost = wins.empty() && !keep_defences(game, worker.history, moves);
    shuffle(moves, worker.rng);
    const std::uint32_t block = arena_.allocate(static_cast<std::uint32_t>(moves.size()), worker.lot);
    if (block == 0) {
      full_ = true;
      return false;
    }
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const Node child = arena_[block + static_cast<std::uint32_t>(i)];
      if (!wins.empty()) settle(child, Proof::win, 1);
      if (lost) settle(child, Proof::loss, 2);
      begin(child, moves[i], game);
      if (child.move() == kSwap) {  // it shares in no playout's placements: an even chance
        child.amaf_visits() = 2;
        child.amaf_score() = 2;
      }
    }
    node.turn() = mover;
    node.child_count() = static_cast<std::uint16_t>(moves.size());
    node.children().store(block, std::memory_order_release);
    claim.node = Node();
    prove(node);
    return true;
  }

  // That a thread is about to expand a node; given up when it leaves without having done so.
  struct Claim {
    Node node;
    ~Claim() {
      if (node) node.expanding() = false;
    }
  };

  // Makes a fresh node the choice of `move`. A pass that ends the game is settled, so that nobody
  // visits it to find that out.
  static void begin(Node child, Move move, const AnyGame& game) {
    child.move() = move;
    child.credited() = game.credited(move);
    child.share(game.shares(move));
    if (move != kPass) return;
    AnyGame next = game;
    next.play(move);
    if (next.outcome() != Outcome::none) settle(child, proof_of(next.outcome(), child.credited()), 1);
  }

  // Looks whether the children settle the node: one that wins, or none that does better than lose.
  void prove(Node node) {
    Proof best = Proof::loss;
    std::uint16_t shortest = 0xffff;
    std::uint16_t longest = 0;
    for (std::uint32_t i = 0; i < node.child_count(); ++i) {
      const Node child = arena_[node.children() + i];
      const Proof proof = child.proof();
      const std::uint16_t distance = child.distance();
      if (proof == Proof::win) {
        best = Proof::win;
        shortest = std::min(shortest, distance);
      } else if (best != Proof::win) {
        if (proof == Proof::open) best = Proof::open;
        if (proof == Proof::draw && best == Proof::loss) best = Proof::draw;
        longest = std::max(longest, distance);
      }
    }
    if (best == Proof::open) return;
    const bool same_player = node.credited() == node.turn();
    const Proof for_chooser = best == Proof::draw || same_player ? best
                              : best == Proof::win               ? Proof::loss
                                                                 : Proof::win;
    settle(node, for_chooser,
           static_cast<std::uint16_t>((best == Proof::win ? shortest : longest) + 1));
  }

  static Proof proof_of(Outcome outcome, Side credited) {
    return outcome == Outcome::draw       ? Proof::draw
           : outcome == win_for(credited) ? Proof::win
                                          : Proof::loss;
  }

  static void settle(Node node, Proof proof, std::uint16_t distance) {
    node.distance() = distance;
    node.proof() = proof;
    node.shut(proof == Proof::loss);
  }

  Node best_child(Node node) const {
    if (!is_expanded(node)) return {};
    Node best = arena_[node.children()];
    for (std::uint32_t i = 1; i < node.child_count(); ++i) {
      const Node child = arena_[node.children() + i];
      if (is_better(describe(child), describe(best))) best = child;
    }
    return best.visits() > 0 || best.proof() != Proof::open ? best : Node();
  }

  // A child as often as it was visited; none where nothing was.
  Node sample_child(Node node, Rng& rng) const {
    if (!is_expanded(node)) return {};
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < node.child_count(); ++i) sum += arena_[node.children() + i].visits();
    if (sum == 0) return {};
    std::uint64_t pick = rng.next() % sum;
    for (std::uint32_t i = 0; i < node.child_count(); ++i) {
      const Node child = arena_[node.children() + i];
      if (pick < child.visits()) return child;
      pick -= child.visits();
    }
    return {};
  }

  bool is_allowed(Move move) const { return allowed_.empty() || allowed_[move]; }

  // A root that was an inner node has only the children worth a visit; this adds the others, so that
  // every legal move can be told about. What was left out in favour of others is known to lose,
  // except beside a win.
  void complete_root(Worker& worker) {
    const std::vector<Move> moves = position_.legal_moves();
    const std::uint32_t old = root_.children();
    if (old == 0 || root_.child_count() == moves.size()) return;
    const std::uint32_t block = arena_.allocate(static_cast<std::uint32_t>(moves.size()), worker.lot);
    if (block == 0) return;
    const bool beside_a_win = arena_[old].proof() == Proof::win && root_.child_count() == 1;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const Node child = arena_[block + static_cast<std::uint32_t>(i)];
      if (!beside_a_win) settle(child, Proof::loss, 2);
      begin(child, moves[i], position_);
      for (std::uint32_t j = old; j < old + root_.child_count(); ++j)
        if (arena_[j].move() == child.move()) move_node(arena_[j], child);
    }
    arena_.discard(old, root_.child_count());
    root_.child_count() = static_cast<std::uint16_t>(moves.size());
    root_.children() = block;
  }

  static void move_node(Node from, Node to) {
    to.visits() = from.visits().load();
    to.score() = from.score().load();
    to.amaf_visits() = from.amaf_visits().load();
    to.amaf_score() = from.amaf_score().load();
    to.child_count() = from.child_count();
    to.children() = from.children().exchange(0);
    to.distance() = from.distance().load();
    to.proof() = from.proof().load();
    to.shut(to.proof() == Proof::loss);
    to.expanding() = to.children() != 0;
    to.share(from.shares());
    to.credited() = from.credited();
    to.turn() = from.turn();
  }

  static Choice describe(Node node) {
    Choice choice;
    choice.move = node.move();
    choice.visits = node.visits();
    choice.proof = node.proof();
    choice.distance = node.distance();
    if (node.amaf_visits() > 0)
      choice.amaf = half(node.amaf_score()) / static_cast<double>(node.amaf_visits());
    choice.winrate = node.proof() == Proof::win    ? 1
                     : node.proof() == Proof::loss ? 0
                     : node.proof() == Proof::draw ? 0.5
                     : choice.visits > 0 ? half(node.score()) / static_cast<double>(choice.visits)
                                         : 0.5;
    return choice;
  }

  void check_legal(Move move) const {
    if (history_.draws(position_) || !position_.is_legal(move))
      throw std::invalid_argument("illegal move");
  }

  void forget_root(Move move) {
    new (&root_home_) Nodes();
    root_.move() = move;
    root_.credited() = other(position_.turn());
    root_.turn() = position_.turn();
    full_ = false;
  }

  static bool is_expanded(Node node) { return node.children().load(std::memory_order_acquire) != 0; }
  static void add(std::atomic<std::uint32_t>& sum, std::uint32_t term) {
    sum.fetch_add(term, std::memory_order_relaxed);
  }
  static float half(std::uint32_t score) { return 0.5F * static_cast<float>(score); }
  static void shuffle(std::vector<Move>& moves, Rng& rng) {
    for (auto left = static_cast<std::uint32_t>(moves.size()); left > 1; --left)
      std::swap(moves[left - 1], moves[rng.below(left)]);
  }

  static constexpr std::uint32_t kRoundsToBearOne = 32;  // visits of a node, in rounds
  static constexpr auto relaxed = std::memory_order_relaxed;

  SearchOptions options_;
  Arena arena_;
  AnyGame position_;
  History history_;       // before position_
  Nodes root_home_ = {};  // its own eight, of which it is the only one
  const Node root_{root_home_, 0};
  std::vector<bool> allowed_;  // by move; empty: all
  std::atomic<bool> full_{false};
  alignas(64) std::atomic<std::uint64_t> granted_{0};  // visits of the root, with those under way
};

}  // namespace pinchtp::PINCHTP_LEVEL
