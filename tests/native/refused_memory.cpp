// The core without memory: every operation is repeated with each of its allocations failing in turn,
// alone or with all later ones. A failed operation throws std::bad_alloc, changes nothing, and succeeds
// once there is memory.
//
//   refused_memory [GAME...]            everything, on one thread, in these games or in all
//   refused_memory threads [sampled] [GAME...]    operations of several threads
#include <algorithm>
#include <atomic>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "check.hpp"
#include "failing_allocations.hpp"
#include "position.hpp"
#include "rng.hpp"
#include "solver.hpp"

using namespace pinchtp;

namespace {

using At = std::shared_ptr<const Position>;

constexpr std::size_t kMemory = std::size_t{1} << 20;
constexpr std::size_t kLittleMemory = std::size_t{300} << 10;  // little more than a tree needs
const std::atomic<bool> never{false};

// --- comparisons

auto state_of(const Position& position) {
  return std::tuple(position.cells(), position.game().hash().low, position.legal_moves(),
                    position.to_move(), position.result(), position.game().mid_turn(),
                    position.game().swapped(), position.game().swap_open(), position.notes().size());
}

auto facts(const Choice& choice) {
  return std::tuple(choice.move, choice.visits, choice.winrate, choice.proof, choice.distance,
                    choice.amaf, choice.prior, choice.line);
}

auto state_of(const Search& search) {
  const Report report = search.report();
  std::vector<decltype(facts(Choice()))> choices;
  for (const Choice& choice : report.choices) choices.push_back(facts(choice));
  return std::tuple(report.visits, report.nodes, choices);
}

// --- failing allocations

// Each step-th allocation of several threads fails. The order of threads differs from run to run, so
// every eighth one suffices for most faults.
int step_with_threads = 1;
int step_of(int threads) { return threads > 1 ? step_with_threads : 1; }

// Repeats act() on new subjects until each allocation, or each step-th, has failed once, and calls
// check(subject, whether act() returned).
template <class Make, class Act, class Check>
void refuse_each(Make&& make, Act&& act, Check&& check, int step = 1) {
  for (const bool one_only : {false, true}) {
    int refused = 1;
    for (int granted = 0; refused > 0; granted += step) {
      const auto subject = make();
      bool is_done = false;
      {
        const Refusals refusals(granted, one_only);
        try {
          act(*subject);
          is_done = true;
        } catch (const std::bad_alloc&) {
        }
        refused = refusals.count();
      }
      CHECK(is_done || refused > 0);
      check(*subject, is_done);
    }
  }
}

// The same for operations without effect after an exception: state_of(subject) is unchanged, and a
// repetition, followed by use(subject), succeeds.
template <class Make, class Act, class Use>
void refuse_each_without_trace(Make&& make, Act&& act, Use&& use) {
  const auto usual = make();
  const auto before = state_of(*usual);
  act(*usual);
  use(*usual);
  const auto after = state_of(*usual);
  refuse_each(make, act, [&](auto& subject, bool is_done) {
    if (!is_done) {
      CHECK(state_of(subject) == before);
      act(subject);
    }
    use(subject);
    CHECK(state_of(subject) == after);
  });
}

// --- positions

struct Board {
  std::string game;
  int width;
  int height;
};

At start(const Board& board) {
  Rules rules{board.width, board.height};
  if (board.game != "bushka") rules.options[0] = {"pie", 1};
  return new_position(board.game, rules, nullptr, instruction_sets().back());
}

// A position in the middle of a game, with history.
At after_some_moves(const Board& board, int moves) {
  Rng rng(1);
  At now = start(board);
  for (int i = 0; i < moves; ++i) {
    const std::vector<Move> legal = now->legal_moves();
    const At next = now->play(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
    if (next->result() == Result::none) now = next;
  }
  return now;
}

// A network with equal priors. No block: sanitizers are slow in convolutions.
std::shared_ptr<const Network> network_for(const Position& position) {
  const auto names = position.game().traits().planes;
  const NetworkShape shape{4, 0, 4, 2};
  const auto convolution = [](int taps, int inputs, int outputs) {
    return taps * inputs * outputs + 8 * outputs;
  };
  const auto [channels, blocks, head, hidden] = shape;
  const int bytes = convolution(9, padded(names.size()), channels) + convolution(1, channels, head) +
                    4 * kTrunkPools * channels * head + convolution(1, head, kQuad) +
                    4 * kTrunkPools * channels * hidden + 4 * hidden + 4 * hidden * kBoardOutputs +
                    4 * kBoardOutputs;
  return std::make_shared<const Network>(shape, std::vector<std::string>(names.begin(), names.end()),
                                         std::vector<std::byte>(static_cast<std::size_t>(bytes)));
}

// Runs a query on a position, which must not change.
template <class Ask>
void refuse_each_to(const At& position, Ask&& ask) {
  refuse_each_without_trace([&] { return position; }, ask, [](const Position&) {});
}

void set_up(const Board& board) {
  const At now = after_some_moves(board, 6);
  refuse_each_to(now, [&](const Position&) { start(board); });
  if (now->game().mid_turn()) return;
  const std::vector<std::int8_t> shown = now->cells();
  const Placement placement{shown, now->to_move(), now->game().swapped()};
  refuse_each_to(now, [&](const Position& position) {
    new_position(board.game, position.rules(), &placement, instruction_sets().back());
  });
}

// Runs all queries of a position.
void ask(const Board& board) {
  const At now = after_some_moves(board, 6);
  const std::vector<Move> legal = now->legal_moves();
  const int depth = legal.size() < 20 ? 2 : 1;
  const auto network = network_for(*now);
  refuse_each_to(now, [&](const Position& position) {
    for (const Move move : legal) {
      const At next = position.play(move);
      next->game().winning_chain();
      next->notes();
    }
  });
  refuse_each_to(now, [&](const Position& position) { position.count_sequences(depth, never); });
  refuse_each_to(now,
                 [&](const Position& position) { position.count_positions(depth, kMemory, never); });
  refuse_each_to(now, [&](const Position& position) {
    std::vector<PlayoutRecord> records(3);
    position.play_out(1, records, never);
  });
  refuse_each_to(now, [&](const Position& position) { position.planes(3); });
  refuse_each_to(now, [&](const Position& position) { position.evaluate(network, 3); });
  refuse_each_to(now, [&](const Position& position) { Solver(position, kMemory, network); });
}

// --- searches

struct Kind {
  At start;
  SearchMethod method = SearchMethod::tree;
  bool has_network = false;
  std::uint64_t visits = 60;  // of the first search
};

void run_on(Search& search, std::uint64_t visits, int threads = 1) {
  SearchLimits limits;
  limits.seconds = 1e6;  // sanitizers are slow
  limits.visits = search.report().visits + visits;
  limits.threads = threads;
  limits.seed = 3;
  run(search, limits, [] { return false; });
}

std::unique_ptr<Search> new_search(const Kind& kind) {
  SearchOptions options;
  options.method = kind.method;
  options.memory_bytes = kLittleMemory;
  options.batch = 4;
  return kind.start->search(options, kind.has_network ? network_for(*kind.start) : nullptr);
}

// The stages of a search: new, after a search, and one or two moves later.
constexpr int kStages[] = {0, 1, 2, 3};

std::unique_ptr<Search> search_at(int stage, const Kind& kind) {
  At now = kind.start;
  std::unique_ptr<Search> search = new_search(kind);
  if (stage > 0) run_on(*search, kind.visits);
  for (; stage > 1 && now->result() == Result::none; --stage) {
    const Move move = search->report().choices.front().move;
    now = now->play(move);
    search->advance(move);
    if (stage > 2) run_on(*search, 20);
  }
  return search;
}

// Returns the legal moves, the best first.
std::vector<Move> moves_at(int stage, const Kind& kind) {
  const auto search = search_at(stage, kind);
  search->prepare(1, {});
  std::vector<Move> moves;
  for (const Choice& choice : search->report().choices) moves.push_back(choice.move);
  return moves;
}

void begin(const Kind& kind) {
  refuse_each_to(kind.start, [&](const Position&) { new_search(kind); });
}

// Runs the operations that may change a search; afterwards it can continue.
void change(const Kind& kind) {
  for (const int stage : kStages) {
    const std::vector<Move> moves = moves_at(stage, kind);
    if (moves.empty()) continue;  // the game is over
    const auto refuse_each_to = [&](const std::function<void(Search&)>& act) {
      refuse_each_without_trace([&] { return search_at(stage, kind); }, act,
                                [](Search& search) { run_on(search, 30); });
    };
    refuse_each_to([&](Search& search) { search.advance(moves.front()); });
    refuse_each_to([&](Search& search) { search.advance(moves.back()); });
    refuse_each_to([&](Search& search) { search.prepare(7, {}); });
    refuse_each_to([&](Search& search) { search.prepare(7, {moves.back(), moves.front()}); });
    refuse_each_to([&](Search& search) { search.report(); });
    refuse_each_to([&](Search& search) { search.ownership(7, 3); });
  }
}

// Whether no known result is lost. Visits are reported as those of a swap or of the other moves,
// whichever is better.
bool is_kept(const Report& before, const Report& now) {
  const auto is_known = [&](const Choice& old) {
    const auto same = std::ranges::find(now.choices, old.move, &Choice::move);
    return same != now.choices.end() && old.visits <= same->visits &&
           (old.proof == Proof::unknown || old.proof == same->proof);
  };
  const bool has_swap = std::ranges::find(now.choices, kSwap, &Choice::move) != now.choices.end();
  return before.visits <= now.visits && (has_swap || std::ranges::all_of(before.choices, is_known));
}

void check_sound(const Report& report) {
  std::uint64_t visits = 0;
  for (const Choice& choice : report.choices) {
    CHECK(choice.line.front() == choice.move);
    visits += choice.visits;
  }
  CHECK(visits <= report.visits);
}

bool is_decided(const Report& report) {
  return std::ranges::all_of(report.choices,
                             [](const Choice& choice) { return choice.proof != Proof::unknown; }) ||
         report.choices.front().proof == Proof::win;
}

// A search that runs out of memory keeps its results, and continues to its limit.
void search(int stage, const Kind& kind, int threads) {
  constexpr std::uint64_t kVisits = 20;
  const Report before = search_at(stage, kind)->report();
  refuse_each([&] { return search_at(stage, kind); },
              [&](Search& search) { run_on(search, kVisits, threads); },
              [&](Search& search, bool) {
                const Report refused = search.report();
                CHECK(is_kept(before, refused));
                check_sound(refused);
                run_on(search, kVisits, threads);
                const Report after = search.report();
                CHECK(after.visits >= refused.visits + kVisits || is_decided(after));
                check_sound(after);
              },
              step_of(threads));
}

// --- solvers

// Values proven before an allocation failed stay correct.
void solve(const Board& board, int threads) {
  const At now = start(board);
  const Proof value = Solver(*now, kMemory).solve(*now, never).value;
  refuse_each([&] { return std::make_unique<Solver>(*now, kMemory, nullptr, threads); },
              [&](Solver& solver) { solver.solve(*now, never); },
              [&](Solver& solver, bool) {
                const Solution solution = solver.solve(*now, never);
                CHECK(solution.value == value);
                At at = now;
                for (const Move move : solution.line) at = at->play(move);
              },
              step_of(threads));
}

// Two kings have moved back and forth, so that the next turn, or the latest, repeats a position.
At kings(bool go_on) {
  std::vector<std::int8_t> cells(100, 0);
  cells[4] = 4;   // white, on e1
  cells[95] = 3;  // black, on f0
  const Placement placement{cells, Color::white};
  At now = new_position("bushka", {10, 10}, &placement, instruction_sets().back());
  const std::vector<Move> there{point(4, 0), point(4, 1), point(5, 9), point(5, 8)};
  const std::vector<Move> back{point(4, 1), point(4, 0), point(5, 8), point(5, 9)};
  for (const auto& turns : go_on ? std::vector{there, back, there} : std::vector{there, back})
    for (const Move step : turns) now = now->play(step);
  return now;
}

std::vector<Kind> kinds_on(const Board& board) {
  constexpr std::uint64_t kEnough = 400;  // visits to fill the memory
  const At middle = after_some_moves(board, 5);
  if (board.game != "bushka")
    return {{start(board), SearchMethod::tree, false},  // the swap is ahead, or open
            {after_some_moves(board, 1), SearchMethod::tree, true},
            {middle, SearchMethod::tree, false},
            {middle, SearchMethod::tree, true, kEnough}};
  return {{middle, SearchMethod::tree, false},
          {middle, SearchMethod::tree, true},
          {middle, SearchMethod::alpha_beta, false},
          {kings(false), SearchMethod::tree, true},
          {kings(true), SearchMethod::alpha_beta, false}};
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string_view> named(arguments + 1, arguments + count);
  const bool only_threads = std::erase(named, "threads") > 0;
  if (std::erase(named, "sampled") > 0) step_with_threads = 8;
  const std::vector<std::string_view> all = games();
  for (const std::string_view game : named.empty() ? all : named) {
    std::cerr << game << std::endl;
    const Board board{std::string(game), game == "bushka" ? 10 : 5, game == "bushka" ? 10 : 4};
    const std::vector<Kind> kinds = kinds_on(board);
    if (only_threads) {  // one kind suffices for them: the others differ in single-threaded code
      search(1, kinds.back(), 3);
      if (board.game != "bushka") solve({board.game, 2, 2}, 3);
      continue;
    }
    for (const Kind& kind : kinds) {
      begin(kind);
      change(kind);
      for (const int stage : kStages) search(stage, kind, 1);
    }
    set_up(board);
    ask(board);
    if (board.game != "bushka") solve({board.game, 2, 2}, 1);
  }
  std::cout << "passed" << std::endl;
}
