// The solver on random graphs with cycles, compared with exhaustive play by the rules.
//
// A graph is a game: at each node, its player moves to one of its successors, and the third visit of a
// node draws. Small graphs allow every course of the game to be tried, so that the rule itself checks
// the solver's values of repetitions. Draws, multi-step moves, games with history and a minimal table
// occur all the time.
//
// Each run ends with a line of a thousand moves, in threads with little stack by default, and with a
// final answer that an answer for one path must not replace, and a table that grows.
//
// Prints failures; exit status 1 if there were any.
#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>

#define PINCHTP_INSTRUCTION_SET test
#include "instances/game_type.hpp"
#include "no_search.hpp"
#include "search/solver/solve.hpp"

namespace {

using namespace pinchtp;

struct Node {
  Side turn = Side::first;
  bool mid_turn = false;
  Outcome outcome = Outcome::none;
  std::vector<Move> next;
};
std::vector<Node> graph;

class Walk {
 public:
  static constexpr std::string_view kName = "walk";
  static constexpr std::array<std::string_view, 0> kOptions{};
  static constexpr bool kWhiteFirst = false;
  static constexpr bool kRepeats = true;
  static constexpr bool kMultiStep = true;

  explicit Walk(const Rules&, Move at = 0) : at_(at) {}
  Walk(const Rules&, const Setup&) {}
  const Node& node() const { return graph[at_]; }
  Move at() const { return at_; }

  template <class Visit>
  static void visit_members(const Walk&, Visit&) {}

  Side turn() const { return node().turn; }
  bool mid_turn() const { return node().mid_turn; }
  bool swapped() const { return false; }
  bool swap_open() const { return false; }
  BoardSize size() const { return {1, 1}; }
  Cell cell(Move) const { return Cell::empty; }
  std::vector<Move> winning_chain() const { return {}; }
  Outcome outcome() const { return node().outcome; }
  bool is_legal(Move move) const {
    return std::count(node().next.begin(), node().next.end(), move) > 0;
  }
  std::vector<Move> legal_moves() const { return node().next; }
  Hash128 hash() const { return {mix(at_, 5), mix(at_, 6)}; }
  std::optional<Side> amaf_side() const { return std::nullopt; }
  void play(Move move) { at_ = move; }
  bool wins_at(Side side, Move move) const {
    return side == turn() && is_legal(move) && graph[move].outcome == win_for(side);
  }
  std::vector<Move> winning_points(Side side) const {
    std::vector<Move> wins;
    for (const Move move : node().next)
      if (wins_at(side, move)) wins.push_back(move);
    return wins;
  }

 private:
  Move at_ = 0;
};
}  // namespace

namespace {

const test::GameTypeOf<Walk> walk_type({}, kMaxSize);  // without random games

AnyGame any(const Walk& walk) { return {walk_type, &walk}; }

// Sides alternate: even nodes belong to the first side. A step of a turn leads to a later step of the
// same turn or ends it.
bool leads(Move from, Move to) {
  if (!graph[to].mid_turn) return from % 2 != to % 2;
  return from % 2 == to % 2 && (!graph[from].mid_turn || from < to);
}

void make_graph(Rng& rng, std::uint32_t size) {
  graph.assign(size, {});
  for (Move at = 0; at < size; ++at) {
    Node& node = graph[at];
    node.turn = static_cast<Side>(at % 2);
    if (at < 2) continue;
    const std::uint32_t kind = rng.below(24);
    node.mid_turn = kind < 3;
    if (kind == 3 || kind == 4) node.outcome = Outcome::first;
    if (kind == 5 || kind == 6) node.outcome = Outcome::second;
    if (kind == 7) node.outcome = Outcome::draw;
  }
  for (Move at = 0; at < size; ++at) {
    Node& node = graph[at];
    if (node.outcome != Outcome::none) continue;
    for (std::uint32_t i = 1 + rng.below(5); i > 0; --i) {
      const auto to = static_cast<Move>(rng.below(size));
      if (leads(at, to) && std::count(node.next.begin(), node.next.end(), to) == 0)
        node.next.push_back(to);
    }
    if (node.next.empty()) node.next.push_back(1 - at % 2);
  }
}

// The value by the rule: 1, 0 or -1 for the first side; `visits` counts nodes at the start of a turn.
int value(Move at, std::vector<int>& visits) {
  const Node& node = graph[at];
  if (node.outcome != Outcome::none)
    return node.outcome == Outcome::first ? 1 : node.outcome == Outcome::second ? -1 : 0;
  if (!node.mid_turn && visits[at] == 2) return 0;
  if (!node.mid_turn) ++visits[at];
  const int sign = node.turn == Side::first ? 1 : -1;
  int best = -1;
  for (const Move next : node.next) best = std::max(best, sign * value(next, visits));
  if (!node.mid_turn) --visits[at];
  return sign * best;
}

// The value by iteration over the graph, for large graphs; without history.
int value_by_passes(Move start) {
  std::map<Move, int> known;
  for (bool changed = true; changed;) {
    changed = false;
    for (Move at = 0; at < graph.size(); ++at) {
      if (known.contains(at)) continue;
      const Node& node = graph[at];
      const int sign = node.turn == Side::first ? 1 : -1;
      int found = 0;
      if (node.outcome != Outcome::none) {
        found = node.outcome == Outcome::first ? 1 : node.outcome == Outcome::second ? -1 : 0;
      } else {
        const auto is = [&](int wanted) {
          return [&known, wanted](Move next) { return known.contains(next) && known[next] == wanted; };
        };
        if (std::any_of(node.next.begin(), node.next.end(), is(sign))) found = sign;
        if (std::all_of(node.next.begin(), node.next.end(), is(-sign))) found = -sign;
      }
      if (found == 0) continue;
      known[at] = found;
      changed = true;
    }
  }
  return known.contains(start) ? known[start] : 0;
}

int value_of(const Solution& solution, Side turn) {
  const int sign = turn == Side::first ? 1 : -1;
  return solution.value == Proof::win ? sign : solution.value == Proof::loss ? -sign : 0;
}

// Whether the line's moves are legal and it ends with the win of the winning side, if any; with minimal
// memory it may end earlier.
bool is_sound(const Solution& solution, Move start, bool may_stop) {
  Walk walk(Rules{}, start);
  for (const Move move : solution.line) {
    if (!walk.is_legal(move)) return false;
    walk.play(move);
  }
  if (solution.value == Proof::draw)
    return walk.outcome() == Outcome::draw || walk.outcome() == Outcome::none;
  if (may_stop && walk.outcome() == Outcome::none) return true;
  const Side mover = graph[start].turn;
  return walk.outcome() == win_for(solution.value == Proof::win ? mover : other(mover));
}

bool is_right(int number, Rng& rng, bool is_small) {
  make_graph(rng, is_small ? 2 + rng.below(7) : 10 + rng.below(190));
  const std::size_t bytes = rng.below(2) == 0 ? 1 : 1 << 17;
  const std::atomic<bool> stop{false};
  const std::uint64_t df_pn_node_limit = rng.below(3) * 10;
  const int threads = number % 50 == 0 ? 3 : 1;
  ProofSearch search(walk_type, Rules{}, bytes, nullptr, threads, df_pn_node_limit);
  // One solver for a whole game.
  Walk walk(Rules{}, 0);
  History history;
  std::vector<int> visits(graph.size(), 0);
  for (int ply = 0; ply < 8; ++ply) {
    if (walk.outcome() != Outcome::none || history.draws(any(walk))) break;
    const Solution solution = search.solve(any(walk), history, stop);
    const bool has_past = !is_small && !history.repeated().is_empty();
    const int right = is_small ? value(walk.at(), visits) : value_by_passes(walk.at());
    const bool is_value_right =
        solution.value != Proof::unknown && (has_past || value_of(solution, walk.turn()) == right);
    if (!is_value_right || !is_sound(solution, walk.at(), bytes == 1)) {
      std::printf("graph %d, ply %d: value %d, not %d%s\n", number, ply,
                  value_of(solution, walk.turn()), right, is_value_right ? "; the line" : "");
      return false;
    }
    history.add(any(walk));
    if (!walk.mid_turn()) ++visits[walk.at()];
    walk.play(walk.node().next[rng.below(static_cast<std::uint32_t>(walk.node().next.size()))]);
  }
  return true;
}

bool solves_long_line() {
#ifdef __GLIBC__  // the default of musl
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{128} << 10);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
#endif
  graph.assign(1000, {});
  for (Move at = 0; at < graph.size(); ++at) {
    graph[at].turn = static_cast<Side>(at % 2);
    graph[at].next = {static_cast<Move>(at + 1)};
  }
  graph.back().outcome = Outcome::first;
  ProofSearch search(walk_type, Rules{}, 1 << 16, nullptr, 2, 10'000);
  const std::atomic<bool> stop{false};
  const Solution solution =
      search.solve(any(Walk(Rules{}, 0)), {}, stop, {.nodes = 10'000, .turns = 0});
  if (solution.value != Proof::win) std::printf("the long line is not solved\n");
  return solution.value == Proof::win;
}

bool keeps_final_answer() {
  VerdictTable table(1, false);
  Path path;
  path.push({1, 2});
  const Hash128 key{3, 4};
  table.store(key, path, Verdict::not_won(), 1);
  table.store(key, path, Verdict::repeated(0), 1);
  Verdict found;
  const bool is_kept = table.find(key, {}, found) && found.holds_everywhere();
  if (!is_kept) std::printf("a final answer is lost\n");
  return is_kept;
}

// A table loses no answer while it grows and afterwards, except that a new one may replace it.
bool keeps_answers_while_growing() {
  constexpr std::uint16_t kBefore = 24'000;  // the table grows from 24,576 entries on, of 65,536
  constexpr std::uint16_t kGrowing = 27'000, kAfter = 30'000;
  VerdictTable table(64 << 20, false);
  Rng rng(1);
  std::vector<Hash128> keys;
  const auto store_until = [&](std::uint16_t count) {
    for (auto at = static_cast<std::uint16_t>(keys.size()); at < count; ++at) {
      keys.push_back({rng.next(), rng.next()});
      table.store(keys.back(), {}, Verdict::won(at), 1);
    }
  };
  const auto count_kept = [&] {
    int kept = 0;
    for (std::uint16_t at = 0; at < kBefore; ++at) {
      Verdict found;
      kept += table.find(keys[at], {}, found) && found.distance == at;
    }
    return kept;
  };
  store_until(kBefore);
  const int before = count_kept();
  bool is_kept = before > kBefore * 9 / 10;
  for (const std::uint16_t count : {kGrowing, kAfter}) {
    store_until(count);
    const int after = count_kept();
    is_kept = is_kept && after >= before - (count - kBefore);
    if (!is_kept) std::printf("%d of %d answers are kept\n", after, before);
  }
  return is_kept;
}

}  // namespace

int main(int, char** arguments) {
  const int count = std::atoi(arguments[1]);
  Rng rng(1);
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += !is_right(i, rng, i % 4 != 0);
  return wrong > 0 || !solves_long_line() || !keeps_final_answer() || !keeps_answers_while_growing();
}
