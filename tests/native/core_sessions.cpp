// Sessions with the core's interface, chosen by bytes: any board, any set-up position, then moves,
// legal or not, playouts, searches and solutions, with invariants checked after each.
//
//   core_sessions SECONDS SEED    sessions by random bytes, for some seconds
//   core_sessions FILE            the session of a file, such as one that failed
//
// With clang and PINCHTP_LIBFUZZER it is a target of libFuzzer instead, which keeps inputs that reach
// new code.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "position.hpp"
#include "rng.hpp"
#include "solver.hpp"

using namespace pinchtp;

namespace {

using At = std::shared_ptr<const Position>;

constexpr std::size_t kMemory = std::size_t{1} << 20;
constexpr int kSmall = 8;  // points of a board that is solved, and its positions counted, in a moment
constexpr std::size_t kMaxRandomGames = 12;  // in a row: less than 2 to the power of this

// Totals of all sessions.
struct Totals {
  std::uint64_t sessions = 0;
  std::uint64_t moves = 0;         // one by one
  std::uint64_t random_moves = 0;  // of random games
  std::uint64_t visits = 0;        // of searches
  std::uint64_t solved = 0;
};
Totals totals;

void print_totals() {
  std::cerr << totals.sessions << " sessions, " << totals.moves << " moves, " << totals.random_moves
            << " moves of random games, " << totals.visits << " visits of searches, " << totals.solved
            << " solutions" << std::endl;
}

// The bytes of a session, from the first to the last.
class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  bool is_over() const { return bytes_.empty(); }
  // Returns an integer in [0, bound), for bound <= 2^16; 0 after the last byte.
  std::uint32_t below(std::size_t bound) {
    std::uint32_t value = next();
    if (bound > 256) value = 256 * value + next();
    return value % static_cast<std::uint32_t>(bound);
  }

 private:
  std::uint8_t next() {
    if (bytes_.empty()) return 0;
    const std::uint8_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }
  std::span<const std::uint8_t> bytes_;
};

template <class T>
const T& one_of(const std::vector<T>& all, Input& input) {
  return all[input.below(all.size())];
}

int points(const Position& position) { return position.rules().width * position.rules().height; }

// Whether a call throws std::invalid_argument, as documented.
template <class Ask>
bool is_refused(Ask&& ask) {
  try {
    ask();
    return false;
  } catch (const std::invalid_argument&) {
    return true;
  }
}

// --- starts of sessions

Rules rules(const std::string& game, Input& input) {
  const auto side = [&] {
    return kMinSize + static_cast<int>(input.below(2) ? input.below(4) : input.below(kMaxSize));
  };
  Rules rules{side(), side()};
  if (game == "bushka") rules.width = rules.height = 10;  // it has no other size
  if (game != "bushka") rules.options[0] = {"pie", static_cast<int>(input.below(2))};
  if (game == "capture-go") rules.options[1] = {"crosscut", static_cast<int>(input.below(2))};
  if (input.below(50) == 1) rules.options[2] = {"nonsense", 1};
  return rules;
}

// Arbitrary cells, or stones on some points.
std::vector<std::int8_t> picture(const Rules& rules, Input& input) {
  std::vector<std::int8_t> cells(static_cast<std::size_t>(rules.width * rules.height));
  const bool is_wild = input.below(4) == 1;
  const std::size_t kinds = 3 + input.below(8);  // 0: nothing, 1, 2: stones
  for (std::int8_t& cell : cells) {
    const auto kind = static_cast<int>(input.below(is_wild ? 8 : kinds));
    cell = static_cast<std::int8_t>(is_wild ? kind - 1 : kind < 3 ? kind : 0);
  }
  return cells;
}

At set_up(const std::string& game, const Rules& rules, Input& input) {
  const std::vector<std::int8_t> given = picture(rules, input);
  const auto to_move = static_cast<Color>(input.below(2));
  const Placement placement{given, to_move, input.below(2) == 1};
  At made = new_position(game, rules, &placement, instruction_sets().back());
  const auto is_shown = [](std::int8_t cell, std::int8_t shown) {
    return cell == shown || (cell == 0 && shown == -1);  // nothing, where there is no point
  };
  CHECK(std::ranges::equal(given, made->cells(), is_shown));
  CHECK(made->to_move() == to_move);
  CHECK(made->game().swapped() == placement.swapped);
  return made;
}

At start(Input& input) {
  const std::vector<std::string_view> names = games();
  const std::string game(one_of(names, input));
  const Rules given = rules(game, input);
  if (input.below(3) == 1) return set_up(game, given, input);
  return new_position(game, given, nullptr, instruction_sets().back());
}

// --- actions

class Session {
 public:
  Session(At position, Input& input) : now_(std::move(position)), input_(input) {}

  void run() {
    check_position();
    while (!input_.is_over() && now_->result() == Result::none) {
      act(input_.below(16));
      check_position();
    }
  }

 private:
  void act(std::uint32_t action) {
    switch (action) {
      case 1:
        return play_anything();
      case 2:
        return play_out();
      case 3:
        return search();
      case 4:
        return forget_search();
      case 5:
        return set_up_again();
      case 6:
        return count();
      case 7:
        return look();
      case 8:
        return solve();
      default:
        return play(one_of(now_->legal_moves(), input_));
    }
  }

  void check_position() const {
    const std::vector<Move> moves = now_->legal_moves();
    CHECK(moves.empty() == (now_->result() != Result::none));
    CHECK(std::ranges::all_of(moves, [&](Move move) { return now_->is_legal(move); }));
    CHECK(std::ranges::adjacent_find(moves, std::equal_to()) == moves.end());
    const std::vector<Move> chain = now_->game().winning_chain();
    CHECK(chain.empty() || now_->result() != Result::none);
  }

  void play(Move move) {
    const At before = now_;
    const std::vector<std::int8_t> shown = before->cells();
    now_ = before->play(move);
    if (search_) search_->advance(move);
    CHECK(before->cells() == shown);
    ++totals.moves;
  }

  void play_anything() {
    const auto move = static_cast<Move>(input_.below(1 << 16));
    if (now_->is_legal(move)) return play(move);
    CHECK(is_refused([&] { now_->play(move); }));
    if (search_) CHECK(is_refused([&] { search_->advance(move); }));
  }

  void play_out() const {
    std::vector<PlayoutRecord> records(std::size_t{1} << input_.below(kMaxRandomGames));
    CHECK(now_->play_out(input_.below(1 << 16), records, never_) == records.size());
    for (const PlayoutRecord& record : records) {
      CHECK(record.result != Result::none);
      CHECK(record.moves > 0);
      totals.random_moves += static_cast<std::uint64_t>(record.moves);
    }
  }

  void search() {
    if (!search_) {
      SearchOptions options;
      options.memory_bytes = kMemory;
      options.batch = 1 + input_.below(16);
      options.expand_visits = 1 + input_.below(8);
      options.solve_forced_moves = input_.below(2);
      if (now_->game().traits().name == "bushka" && input_.below(2) == 1)
        options.method = SearchMethod::alpha_beta;
      search_ = now_->search(options, nullptr);
    }
    const std::uint64_t seed = input_.below(1 << 16);
    const std::uint64_t before = search_->report().visits;
    std::vector<Move> allowed;
    if (input_.below(4) == 1) allowed.push_back(one_of(now_->legal_moves(), input_));
    search_->prepare(seed, allowed);
    search_->work(seed, before + input_.below(200), never_);
    check_report(allowed);
    totals.visits += search_->report().visits - before;
    for (const float owned : search_->ownership(seed, 1)) CHECK(-1 <= owned && owned <= 1);
  }

  void check_report(const std::vector<Move>& allowed) const {
    const Report report = search_->report();
    CHECK(!report.choices.empty());
    std::uint64_t visits = 0;
    for (const Choice& choice : report.choices) {
      CHECK(allowed.empty() || choice.move == allowed.front());
      CHECK_WINRATE(choice);
      CHECK(choice.line.front() == choice.move);
      visits += choice.visits;
      At at = now_;
      for (const Move move : choice.line) at = at->play(move);  // must be legal
      if (choice.proof != Proof::unknown && points(*now_) <= kSmall)
        CHECK(choice.proof == worth(choice.move));
    }
    CHECK(visits <= report.visits);
    if (report.visits > 0) CHECK_WINRATE(report);
  }

  // Compares a move's value for the player to move with the solver's.
  Proof worth(Move move) const {
    const At next = now_->play(move);
    const bool is_same = next->to_move() == now_->to_move();
    if (next->result() == Result::draw) return Proof::draw;
    if (next->result() != Result::none) {
      const bool is_won = static_cast<int>(next->result()) == static_cast<int>(now_->to_move());
      return is_won ? Proof::win : Proof::loss;
    }
    const Proof value = solved(*next);
    if (value == Proof::draw) return Proof::draw;
    return (value == Proof::win) == is_same ? Proof::win : Proof::loss;
  }

  void forget_search() { search_.reset(); }

  // The cells of a position set up the same position, without its history.
  void set_up_again() const {
    if (now_->game().mid_turn()) return;
    const std::vector<std::int8_t> shown = now_->cells();
    const Placement placement{shown, now_->to_move(), now_->game().swapped()};
    const At again =
        new_position(now_->game().traits().name, now_->rules(), &placement, instruction_sets().back());
    CHECK(again->cells() == shown);
    CHECK(again->to_move() == now_->to_move());
    CHECK(again->game().swapped() == now_->game().swapped());
  }

  void count() const {
    if (points(*now_) > kSmall) return;
    const std::uint64_t sequences = now_->count_sequences(2, never_);
    try {
      CHECK(now_->count_positions(2, kMemory, never_) <= sequences + now_->count_sequences(1, never_));
    } catch (const std::bad_alloc&) {  // they may need more memory
    }
  }

  void look() const {
    now_->game().hash();
    for (const auto& note : now_->notes())
      CHECK(std::ranges::all_of(note.points, [](Move move) { return is_point(move); }));
    if (now_->game().traits().planes.empty()) return;
    const unsigned symmetry = input_.below(256);
    const auto size = now_->game().traits().planes.size() * static_cast<std::size_t>(points(*now_));
    CHECK(now_->planes(symmetry).size() == size);
  }

  void solve() const {
    if (points(*now_) <= kSmall) solved(*now_);
  }

  Proof solved(const Position& position) const {
    const Solution solution = Solver(position, kMemory).solve(position, never_);
    CHECK(solution.value != Proof::unknown);
    ++totals.solved;
    return solution.value;
  }

  const std::atomic<bool> never_{false};
  At now_;
  Input& input_;
  std::unique_ptr<Search> search_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (totals.sessions++ == 0) std::atexit(print_totals);
  Input input(std::span(data, size));
  At first;
  if (is_refused([&] { first = start(input); })) return 0;
  Session(first, input).run();
  return 0;
}

#if !defined(PINCHTP_LIBFUZZER)

namespace {

constexpr std::uint32_t kLongest = 1000;  // bytes of a session
constexpr const char* kLast = "core_session";

// The next session, to be found after it has ended the program.
void keep(const std::vector<std::uint8_t>& bytes) {
  std::ofstream file(kLast, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void play_random(double seconds, std::uint64_t seed) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  Rng rng(seed);
  while (Clock::now() < end) {
    std::vector<std::uint8_t> bytes(rng.below(kLongest));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(rng.next());
    keep(bytes);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3) {
    play_random(std::atof(arguments[1]), std::strtoull(arguments[2], nullptr, 10));
    return 0;
  }
  std::ifstream file(arguments[count - 1], std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

#endif
