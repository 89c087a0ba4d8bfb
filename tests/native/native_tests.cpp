// The core without Python, for builds with sanitizers and with assertions: complete playouts, set-ups,
// counts and searches of every game, compared between all instruction sets.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "check.hpp"
#include "position.hpp"
#include "rng.hpp"
#include "solver.hpp"

using namespace pinchtp;

namespace {

using At = std::shared_ptr<const Position>;

constexpr std::size_t kMemory = std::size_t{1} << 20;

struct Board {
  std::string game;
  int width;
  int height;
};

// With a swap ahead, in games that have one.
At start(const Board& board, std::string_view instruction_set) {
  Rules rules{board.width, board.height};
  if (board.game != "bushka") rules.options[0] = {"pie", 1};
  return new_position(board.game, rules, nullptr, instruction_set);
}

// Every game on boards of all supported layouts.
std::vector<Board> boards() {
  std::vector<Board> found;
  for (const std::string_view game : games())
    for (const auto& [width, height] :
         {std::pair(2, 2), {3, 5}, {9, 9}, {10, 10}, {14, 14}, {17, 15}, {23, 25}}) {
      const Board board{std::string(game), width, height};
      try {
        start(board, instruction_sets().front());
        found.push_back(board);
      } catch (const std::invalid_argument&) {  // the game does not support this size
      }
    }
  return found;
}

void check_equal(const Position& a, const Position& b) {
  CHECK(a.cells() == b.cells());
  CHECK(a.game().hash() == b.game().hash());
  CHECK(a.result() == b.result());
  CHECK(a.to_move() == b.to_move());
  CHECK(a.game().mid_turn() == b.game().mid_turn());
  CHECK(a.legal_moves() == b.legal_moves());
  CHECK(a.game().winning_chain() == b.game().winning_chain());
}

// Plays a random game on all instruction sets in parallel; legal moves agree with is_legal at every
// position.
void play_game(const Board& board, std::uint64_t seed, int most) {
  std::vector<At> now;
  for (const std::string_view instruction_set : instruction_sets())
    now.push_back(start(board, instruction_set));
  Rng rng(seed);
  for (int ply = 0; ply < most; ++ply) {
    for (const At& each : now) check_equal(*now.front(), *each);
    const std::vector<Move> moves = now.front()->legal_moves();
    if (now.front()->result() != Result::none) {
      CHECK(moves.empty());
      return;
    }
    CHECK(!moves.empty());
    std::size_t legal = 0;
    for (Move move = 0; move < kNoMove; ++move) legal += now.front()->is_legal(move);
    CHECK(legal == moves.size());
    const Move move = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
    for (At& each : now) each = each->play(move);
  }
}

// A position in the middle of a game, and its set-up copy.
void set_up_again(const Board& board, std::uint64_t seed) {
  Rng rng(seed);
  At now = start(board, instruction_sets().back());
  for (int ply = 0; ply < 12 && now->result() == Result::none; ++ply) {
    const std::vector<Move> moves = now->legal_moves();
    now = now->play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
  }
  if (now->game().mid_turn() || now->result() != Result::none) return;
  const std::vector<std::int8_t> shown = now->cells();
  const Placement placement{shown, now->to_move(), now->game().swapped()};
  const Rules rules{board.width, board.height};
  for (const std::string_view instruction_set : instruction_sets()) {
    const At again = new_position(board.game, rules, &placement, instruction_set);
    CHECK(again->cells() == shown);
    CHECK(again->to_move() == now->to_move());
  }
}

void play_out(const Board& board) {
  const std::atomic<bool> stop{false};
  std::vector<std::vector<PlayoutRecord>> found;
  for (const std::string_view instruction_set : instruction_sets()) {
    found.emplace_back(40);
    CHECK(start(board, instruction_set)->play_out(7, found.back(), stop) == found.back().size());
    for (std::size_t i = 0; i < found.back().size(); ++i) {
      CHECK(found.back()[i].first == found.front()[i].first);
      CHECK(found.back()[i].moves == found.front()[i].moves);
      CHECK(found.back()[i].result == found.front()[i].result);
    }
  }
}

void count(const Board& board) {
  const std::atomic<bool> stop{false};
  const At first = start(board, instruction_sets().front());
  const At last = start(board, instruction_sets().back());
  CHECK(first->count_sequences(2, stop) == last->count_sequences(2, stop));
  if (board.width * board.height < 30)
    CHECK(first->count_positions(2, kMemory, stop) == last->count_positions(2, kMemory, stop));
}

// Each visit to a large board is a hundred times the work of one to a small board, and no other code.
bool is_large(const Board& board) { return board.width > 14; }

// The search methods of a game.
std::vector<SearchMethod> methods(const Board& board) {
  if (board.game == "bushka") return {SearchMethod::tree, SearchMethod::alpha_beta};
  return {SearchMethod::tree};
}

// A self-play game in batches from the start, in so little memory that blocks are split and reused.
void search_game(const Board& board, SearchMethod method, int threads) {
  At now = start(board, instruction_sets().back());
  SearchOptions options;
  options.method = method;
  options.memory_bytes = kMemory;
  options.batch = 2;
  const std::unique_ptr<Search> search = now->search(options, nullptr);
  const int plies = is_large(board) ? 6 : 30;
  for (int ply = 0; ply < plies && now->result() == Result::none; ++ply) {
    SearchLimits limits;
    limits.visits = search->report().visits + (is_large(board) ? 100 : 400);
    limits.threads = threads;
    limits.seed = static_cast<std::uint64_t>(ply);
    run(*search, limits, [] { return false; });
    const Report report = search->report();
    CHECK(!report.choices.empty());
    for (const Choice& choice : report.choices) CHECK(now->is_legal(choice.move));
    search->ownership(1, 20);
    const Move move = report.choices.front().move;
    now = now->play(move);
    search->advance(move);
  }
}

// Random moves, with every possible swap and pass, after searches of few visits: the root often was not
// searched before.
void follow_random_game(const Board& board, SearchMethod method, std::uint64_t seed) {
  At now = start(board, instruction_sets().back());
  SearchOptions options;
  options.method = method;
  options.memory_bytes = kMemory;
  const std::unique_ptr<Search> search = now->search(options, nullptr);
  Rng rng(seed);
  for (int ply = 0; ply < 40 && now->result() == Result::none; ++ply) {
    SearchLimits limits;
    limits.visits = search->report().visits + rng.below(30);
    limits.seed = rng.next();
    run(*search, limits, [] { return false; });
    const std::vector<Move> moves = now->legal_moves();
    const bool is_special = !is_point(moves.back()) && (moves.back() == kSwap || rng.below(8) == 0);
    const Move move =
        is_special ? moves.back() : moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
    now = now->play(move);
    search->advance(move);
  }
}

// Reads reports and stops the search while threads run.
void stop_search(const Board& board, SearchMethod method, int threads) {
  const At now = start(board, instruction_sets().back());
  SearchOptions options;
  options.method = method;
  const std::unique_ptr<Search> search = now->search(options, nullptr);
  int polls = 0;
  SearchLimits limits;
  limits.threads = threads;
  limits.seconds = 10;
  run(*search, limits, [&] {
    CHECK(search->report().choices.size() <= now->legal_moves().size());
    return ++polls == 5;
  });
}

// Plays moves while another thread reads the search's report.
void look_on(const Board& board, SearchMethod method) {
  At now = start(board, instruction_sets().back());
  SearchOptions options;
  options.method = method;
  options.memory_bytes = kMemory;
  const std::unique_ptr<Search> search = now->search(options, nullptr);
  std::atomic<bool> is_over{false};
  std::thread onlooker([&] {
    while (!is_over) {
      for (const float owned : search->ownership(1, 3)) CHECK(-1 <= owned && owned <= 1);
      for (const Choice& choice : search->report().choices) CHECK(!choice.line.empty());
    }
  });
  for (int ply = 0; ply < 6 && now->result() == Result::none; ++ply) {
    SearchLimits limits;
    limits.visits = search->report().visits + 200;
    run(*search, limits, [] { return false; });
    const Move move = search->report().choices.front().move;
    now = now->play(move);
    search->advance(move);
  }
  is_over = true;
  onlooker.join();
}

// Small boards are solved completely, with the same result on all instruction sets, with a small table.
void solve(const Board& board) {
  if (board.width * board.height > 15) return;
  const std::atomic<bool> stop{false};
  std::vector<Solution> found;
  for (const std::string_view instruction_set : instruction_sets()) {
    const At now = start(board, instruction_set);
    found.push_back(Solver(*now, 1 << 14).solve(*now, stop));
    CHECK(found.back().value != Proof::unknown);
    CHECK(found.back().line == found.front().line);
    CHECK(found.back().nodes == found.front().nodes);
  }
}

// Threads solve together until they are stopped.
void solve_together(const Board& board) {
  const At now = start(board, instruction_sets().front());
  std::atomic<bool> stop{false};
  Solver solver(*now, kMemory, nullptr, 3);
  std::atomic<bool> is_over{false};
  std::thread onlooker([&] {
    while (!is_over && solver.nodes() < 100) std::this_thread::yield();
    stop = true;
  });
  const Solution solution = solver.solve(*now, stop);
  is_over = true;
  onlooker.join();
  CHECK(solution.value != Proof::unknown || solution.nodes >= 100);
}

void check_in_one_thread(const Board& board) {
  for (std::uint64_t seed = 0; seed < (is_large(board) ? 2 : 5); ++seed) {
    play_game(board, seed, 300);
    set_up_again(board, seed);
  }
  play_out(board);
  count(board);
  solve(board);
  for (const SearchMethod method : methods(board)) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) follow_random_game(board, method, seed);
    search_game(board, method, 1);
    stop_search(board, method, 1);
  }
}

// Boards whose searches end with a proof, normal ones and a large one: threads share the tree or the
// table, which are the same for all layouts.
void check_threads(const Board& board, bool is_sampled) {
  const bool is_large = board.width == 23 && (!is_sampled || board.game == "pinch");
  if (board.width != 3 && board.width != 9 && !is_large && board.game != "bushka") return;
  solve_together(board);
  for (const SearchMethod method : methods(board)) {
    search_game(board, method, 4);
    stop_search(board, method, 4);
    look_on(board, method);
  }
}

}  // namespace

// native_tests [threads [sampled]]    all tests, or only those with several threads, on fewer boards
int main(int count, char**) {
  const bool only_threads = count > 1, is_sampled = count > 2;
  for (const Board& board : boards()) {
    std::cerr << board.game << " " << board.width << "x" << board.height << std::endl;
    if (!only_threads) check_in_one_thread(board);
    check_threads(board, is_sampled);
  }
  std::cout << "passed" << std::endl;
}
