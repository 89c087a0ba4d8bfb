// The core as a Python module: the only file that knows Python. _core.pyi documents it for Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "batch.hpp"
#include "evaluation/board_fill.hpp"
#include "evaluation/network/inference.hpp"
#include "position.hpp"
#include "search/search.hpp"
#include "search/solver/solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace pinchtp {

namespace {

// Makes room for the exceptions of every thread. The runtime keeps them in thread-local data, which a
// library loaded at run time gets at the first exception of a thread. Where memory has run out, glibc
// aborts there, so std::bad_alloc could not be thrown. call_once() refers to the same data; compiled
// with TLS descriptors (CMakeLists.txt), the reference has them placed in the room that glibc reserves
// in each thread as it starts. Where none is left, nothing is lost.
void reserve_exceptions() {
  static std::once_flag flag;
  std::call_once(flag, [] {});
}

constexpr int kMaxDepth = 1000;  // of perft: it calls itself once a turn or a part of one

Color color(int number) {
  if (number != 0 && number != 1) throw std::invalid_argument("a color is 0 or 1");
  return static_cast<Color>(number);
}

// Checks a move from Python, which may be any number.
Move move(long long number) {
  if (number < 0 || number >= kNoMove) throw std::invalid_argument("illegal move");
  return static_cast<Move>(number);
}

// Calls that run without the lock of Python. As a program ends, Python ends each daemon thread that
// takes the lock again, which aborts the program if frames of C++ are on the thread's stack. So the end
// stops these calls first and waits for them; SystemExit then ends their threads, and every thread that
// calls later.
std::atomic<int> calls = 0;
std::atomic<bool> is_ending = false;
std::thread::id ending_thread;  // may make further calls

bool must_end() { return is_ending && std::this_thread::get_id() != ending_thread; }

void exit_at_end() {
  if (!must_end()) return;
  PyErr_SetNone(PyExc_SystemExit);
  throw nb::python_error();
}

template <class Task>
void without_lock(Task&& task) {
  struct Counted {
    Counted() { ++calls; }
    ~Counted() { --calls; }
  };
  exit_at_end();
  {
    const Counted until_the_lock_is_back;
    const nb::gil_scoped_release release;
    task();
  }
  exit_at_end();
}

void end_calls() {
  ending_thread = std::this_thread::get_id();
  is_ending = true;
  const nb::gil_scoped_release release;
  while (calls > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// Python calls end_calls() as it ends. A forked child has none of the threads whose calls are counted.
void watch_end() {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&end_calls));
  const nb::module_ os = nb::module_::import_("os");
  if (nb::hasattr(os, "register_at_fork"))
    os.attr("register_at_fork")("after_in_child"_a = nb::cpp_function([] { calls = 0; }));
}

const std::optional<nb::callable> kNoCallback;

// Lets Python handle signals (Ctrl-C) and asks its callback, if any, whether to stop. The callback has
// to outlive the result: where the lock of Python is released, it must not be copied.
std::function<bool()> poller(std::optional<nb::callable>&& should_stop) = delete;
std::function<bool()> poller(const std::optional<nb::callable>& should_stop) {
  return [&should_stop] {
    if (must_end()) return true;
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return should_stop && nb::cast<bool>((*should_stop)());
  };
}

// A numpy array that keeps the values alive; Shown is their type for Python.
template <class Shown, class T>
auto array_of(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, Shown>(kept->data(), shape, owner);
}

std::optional<int> result(const Position& position) {
  if (position.result() == Result::none) return std::nullopt;
  return static_cast<int>(position.result());
}

std::pair<std::uint64_t, std::uint64_t> hash128(const Position& position) {
  const Hash128 hash = position.game().hash();
  return {hash.low, hash.high};
}

using Options = std::map<std::string, int>;

// Rules whose option names are the keys of a map, which must outlive them.
Rules rules_with(int width, int height, const Options& options) {
  Rules rules{width, height};
  if (options.size() > rules.options.size()) throw std::invalid_argument("too many rule options");
  std::size_t i = 0;
  for (const auto& [name, value] : options) rules.options[i++] = {name, value};
  return rules;
}

std::unique_ptr<const Position> start(std::string_view game, int width, int height,
                                      std::optional<std::string> instruction_set,
                                      const nb::kwargs& given) {
  const auto options = nb::cast<Options>(given);
  return new_position(game, rules_with(width, height, options), nullptr,
                      instruction_set ? *instruction_set : instruction_sets().back());
}

std::unique_ptr<const Position> set_up(std::string_view game, int width, int height,
                                       const nb::bytes& cells, int to_move, bool swapped,
                                       const Options& options) {
  const std::span bytes(static_cast<const std::int8_t*>(cells.data()), cells.size());
  const Placement placement{bytes, color(to_move), swapped};
  return new_position(game, rules_with(width, height, options), &placement, instruction_sets().back());
}

Options options(const Position& position) {
  Options options;
  for (const auto& [name, value] : position.rules().options)
    if (!name.empty()) options[std::string(name)] = value;
  return options;
}

std::vector<std::tuple<std::string_view, int, std::vector<Move>>> notes(const Position& position) {
  std::vector<std::tuple<std::string_view, int, std::vector<Move>>> notes;
  for (const auto& [name, owner, points] : position.notes())
    notes.emplace_back(name, static_cast<int>(owner), points);
  return notes;
}

auto board(const Position& position) {
  return array_of<std::int8_t>(position.cells(), {static_cast<std::size_t>(position.rules().height),
                                                  static_cast<std::size_t>(position.rules().width)});
}

auto legal_mask(const Position& position) {
  const int width = position.rules().width;
  const int height = position.rules().height;
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(width * height), 0);
  for (const Move move : position.legal_moves())
    if (is_point(move)) mask[static_cast<std::size_t>(y_of(move) * width + x_of(move))] = 1;
  return array_of<bool>(std::move(mask),
                        {static_cast<std::size_t>(height), static_cast<std::size_t>(width)});
}

// Megabytes in bytes, or the largest number.
std::size_t megabytes(std::size_t count) { return count > (SIZE_MAX >> 20) ? SIZE_MAX : count << 20; }

nb::tuple shown_in(const Position& position, unsigned symmetry) {
  const Symmetry shown = position.game().shown_in(symmetry);
  return nb::make_tuple(shown.transposed, shown.mirrored, shown.flipped);
}

auto planes(const Position& position, unsigned symmetry) {
  std::vector<std::uint8_t> values = position.planes(symmetry);
  const auto width = static_cast<std::size_t>(position.rules().width);
  const auto height = static_cast<std::size_t>(position.rules().height);
  const std::size_t count = values.size() / (width * height);
  return array_of<std::uint8_t>(std::move(values), {count, width * height});
}

// (winrate, priors by legal move, ownership by row and column), of the player to move. Lists: engines
// must not load numpy, which hangs where there is little memory.
nb::tuple evaluate(const Position& position, std::shared_ptr<const Network> network, unsigned symmetry,
                   std::optional<std::string_view> instruction_set) {
  NetworkOutput said =
      position.evaluate(std::move(network), symmetry, instruction_set.value_or(std::string_view()));
  std::vector<std::vector<float>> rows;
  for (auto at = said.ownership.cbegin(); at != said.ownership.cend(); at += position.rules().width)
    rows.emplace_back(at, at + position.rules().width);
  return nb::make_tuple(said.winrate, std::move(said.priors), std::move(rows));
}

std::optional<std::uint64_t> perft(const Position& position, int depth, bool distinct,
                                   std::size_t memory_mb,
                                   const std::optional<nb::callable>& should_stop) {
  if (depth < 0 || depth > kMaxDepth) throw std::invalid_argument("a depth is 0 to 1000");
  std::uint64_t count = 0;
  bool is_stopped = false;
  const auto poll = poller(should_stop);
  without_lock([&] {
    run_watched(
        [&](const std::atomic<bool>& stop) {
          count = distinct ? position.count_positions(depth, megabytes(memory_mb), stop)
                           : position.count_sequences(depth, stop);
        },
        [&] { return is_stopped = poll(); });
  });
  return is_stopped ? std::nullopt : std::optional(count);
}

// One row a game: first placement, moves, result (0 black, 1 white, 2 draw), swapped.
auto playouts(const Position& position, std::size_t count, std::uint64_t seed) {
  std::vector<PlayoutRecord> records(count);
  std::size_t played = 0;
  const auto poll = poller(kNoCallback);
  without_lock([&] {
    run_watched([&](const std::atomic<bool>& stop) { played = position.play_out(seed, records, stop); },
                poll);
  });
  std::vector<std::int16_t> rows;
  rows.reserve(played * 4);
  for (std::size_t i = 0; i < played; ++i) {
    const PlayoutRecord& record = records[i];
    rows.insert(rows.end(), {static_cast<std::int16_t>(record.first), record.moves,
                             static_cast<std::int16_t>(record.result), record.swapped});
  }
  return array_of<std::int16_t>(std::move(rows), {played, 4});
}

std::uint64_t fill_board(int width, int height, std::uint64_t games, std::uint64_t seed) {
  if (width < kMinSize || width > kMaxSize || height < kMinSize || height > kMaxSize)
    throw std::invalid_argument("unacceptable size");
  std::uint64_t won = 0;
  const auto poll = poller(kNoCallback);
  without_lock([&] {
    run_watched(
        [&](const std::atomic<bool>& stop) { won = fill_boards(width * height, games, seed, stop); },
        poll);
  });
  return won;
}

bool search_for(Search& search, double seconds, std::uint64_t visits, int threads, std::uint64_t seed,
                const std::optional<nb::callable>& should_stop, const std::vector<long long>& allowed) {
  std::vector<Move> moves;
  for (const long long number : allowed) moves.push_back(move(number));
  bool is_over = false;
  const auto poll = poller(should_stop);
  without_lock(
      [&] { is_over = run(search, SearchLimits{seconds, visits, threads, seed, moves}, poll); });
  return is_over;
}

std::pair<std::uint32_t, std::uint32_t> pair(const ProofNumbers& numbers) {
  return {numbers.proof, numbers.disproof};
}

Solution solve(Solver& solver, const Position& position, double seconds,
               const std::optional<nb::callable>& should_stop, std::optional<std::uint64_t> most_nodes,
               std::optional<std::size_t> most_turns) {
  Solution solution;
  const SolverLimits limits{most_nodes.value_or(UINT64_MAX), most_turns.value_or(SIZE_MAX)};
  const auto poll = poller(should_stop);
  without_lock([&] {
    run_watched([&](const std::atomic<bool>& stop) { solution = solver.solve(position, stop, limits); },
                poll, seconds);
  });
  return solution;
}

void bind_position(nb::module_& module) {
  nb::class_<Position>(module, "Position")
      .def_prop_ro("game", [](const Position& p) { return p.game().traits().name; })
      .def_prop_ro("width", [](const Position& p) { return p.rules().width; })
      .def_prop_ro("height", [](const Position& p) { return p.rules().height; })
      .def_prop_ro("options", &options)
      .def_prop_ro("to_move", [](const Position& p) { return static_cast<int>(p.to_move()); })
      .def_prop_ro("result", &result)
      .def_prop_ro("mid_turn", [](const Position& p) { return p.game().mid_turn(); })
      .def_prop_ro("swapped", [](const Position& p) { return p.game().swapped(); })
      .def_prop_ro("swap_open", [](const Position& p) { return p.game().swap_open(); })
      .def_prop_ro("hash128", &hash128)
      .def_prop_ro("winning_chain", [](const Position& p) { return p.game().winning_chain(); })
      .def_prop_ro("notes", &notes)
      .def_prop_ro("board", &board, nb::rv_policy::automatic)
      .def_prop_ro("legal_mask", &legal_mask, nb::rv_policy::automatic)
      .def("cells",
           [](const Position& p) {
             const auto all = p.cells();
             return nb::bytes(all.data(), all.size());
           })
      .def("legal_moves", &Position::legal_moves)
      .def(
          "is_legal",
          [](const Position& p, long long move) {
            return 0 <= move && move < kNoMove && p.is_legal(static_cast<Move>(move));
          },
          "move"_a)
      .def(
          "play", [](const Position& p, long long number) { return p.play(move(number)); }, "move"_a)
      .def_prop_ro("plane_names",
                   [](const Position& p) {
                     const auto names = p.game().traits().planes;
                     return std::vector(names.begin(), names.end());
                   })
      .def_prop_ro("symmetries", [](const Position& p) { return p.game().traits().symmetries.size(); })
      .def("shown_in", &shown_in, "symmetry"_a = 0)
      .def("planes", &planes, "symmetry"_a = 0)
      .def("evaluate", &evaluate, "network"_a, "symmetry"_a = 0, nb::kw_only(),
           "instruction_set"_a = nb::none())
      .def(
          "evaluate_often",
          [](const Position& position, std::shared_ptr<const Network> network, std::size_t count,
             std::string_view instruction_set) {
            without_lock([&] { position.evaluate_often(std::move(network), instruction_set, count); });
          },
          "network"_a, "count"_a, nb::kw_only(), "instruction_set"_a)
      .def("perft", &perft, "depth"_a, "distinct"_a = false, nb::kw_only(),
           "memory_mb"_a = SearchOptions().memory_bytes >> 20, "should_stop"_a = nb::none())
      .def("playouts", &playouts, "count"_a, "seed"_a = 0)
      .def(
          "__eq__",
          [](const Position& a, const Position& b) {
            return a.game().traits().name == b.game().traits().name && a.rules() == b.rules() &&
                   a.game().hash() == b.game().hash();
          },
          nb::is_operator())
      .def("__hash__",
           [](const Position& p) { return static_cast<std::int64_t>(p.game().hash().low); });
}

// A value of each game of a batch.
template <class T, class Value>
auto of_each(const PositionBatch& batch, Value&& value) {
  std::vector<T> values;
  values.reserve(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) values.push_back(value(batch.position(i)));
  return array_of<T>(std::move(values), {batch.size()});
}

nb::tuple legal_actions(const PositionBatch& batch) {
  PositionBatch::LegalActions legal = batch.legal_actions();
  const std::size_t count = legal.actions.size();
  return nb::make_tuple(array_of<std::int32_t>(std::move(legal.actions), {count}),
                        array_of<std::int64_t>(std::move(legal.begins), {batch.size() + 1}));
}

void bind_batch(nb::module_& module) {
  using Actions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  nb::class_<PositionBatch>(module, "PositionBatch")
      .def(nb::init<const Position&, std::size_t>(), "start"_a, "count"_a)
      .def("__len__", &PositionBatch::size)
      .def_prop_ro("actions", &PositionBatch::actions)
      .def(
          "position",
          [](const PositionBatch& b, std::size_t i) {
            return std::make_unique<Position>(b.position(i));
          },
          "game"_a)
      .def("set", &PositionBatch::set, "game"_a, "position"_a)
      .def(
          "play",
          [](PositionBatch& b, const Actions& actions) { b.play({actions.data(), actions.size()}); },
          "actions"_a)
      .def("legal_actions", &legal_actions)
      .def("legal_mask",
           [](const PositionBatch& b) {
             return array_of<bool>(b.legal_mask(), {b.size(), b.actions()});
           })
      .def("cells",
           [](const PositionBatch& b) {
             std::vector<std::int8_t> cells = b.cells();
             const Rules& rules = b.position(0).rules();
             return array_of<std::int8_t>(std::move(cells),
                                          {b.size(), static_cast<std::size_t>(rules.height),
                                           static_cast<std::size_t>(rules.width)});
           })
      .def("to_move",
           [](const PositionBatch& b) {
             return of_each<std::int8_t>(
                 b, [](const Position& p) { return static_cast<std::int8_t>(p.to_move()); });
           })
      .def("results", [](const PositionBatch& b) {
        return of_each<std::int8_t>(
            b, [](const Position& p) { return static_cast<std::int8_t>(p.result()); });
      });
}

void bind_network(nb::module_& module) {
  nb::class_<Network>(module, "Network")
      .def(nb::new_([](std::vector<std::string> planes, int channels, int blocks, int head, int hidden,
                       const nb::bytes& weights) {
             const std::span bytes(static_cast<const std::byte*>(weights.data()), weights.size());
             return std::make_shared<const Network>(NetworkShape{channels, blocks, head, hidden},
                                                    std::move(planes), bytes);
           }),
           nb::kw_only(), "planes"_a, "channels"_a, "blocks"_a, "head"_a, "hidden"_a, "weights"_a);
}

SearchMethod method_of(std::string_view name) {
  if (name == "tree") return SearchMethod::tree;
  if (name == "alpha-beta") return SearchMethod::alpha_beta;
  throw std::invalid_argument("a method is tree or alpha-beta");
}

void bind_search(nb::module_& module) {
  nb::enum_<Proof>(module, "Proof")
      .value("UNKNOWN", Proof::unknown)
      .value("WIN", Proof::win)
      .value("LOSS", Proof::loss)
      .value("DRAW", Proof::draw);
  nb::class_<SearchOption>(module, "SearchOption")
      .def_ro("name", &SearchOption::name)
      .def_prop_ro("default", [](const SearchOption& option) { return value_of(option, {}); })
      .def_ro("min", &SearchOption::min)
      .def_ro("max", &SearchOption::max)
      .def_ro("help", &SearchOption::help);
  module.def("search_options", [] {
    return std::vector<SearchOption>(std::begin(kSearchOptions), std::end(kSearchOptions));
  });
  nb::class_<Choice>(module, "Choice")
      .def_ro("move", &Choice::move)
      .def_ro("visits", &Choice::visits)
      .def_ro("winrate", &Choice::winrate)
      .def_ro("proof", &Choice::proof)
      .def_ro("distance", &Choice::distance)
      .def_ro("amaf", &Choice::amaf)
      .def_ro("prior", &Choice::prior)
      .def_ro("line", &Choice::line)
      .def_ro("line_visits", &Choice::line_visits);
  nb::class_<Report>(module, "Report")
      .def_ro("choices", &Report::choices)
      .def_ro("winrate", &Report::winrate)
      .def_ro("visits", &Report::visits)
      .def_ro("nodes", &Report::nodes)
      .def("calibrated", &calibrated, "slope"_a);
  nb::class_<Search>(module, "Search")
      .def(nb::new_([](const Position& position, std::string_view method, std::size_t memory_mb,
                       std::shared_ptr<const Network> network, const nb::kwargs& given) {
             SearchOptions options{.method = method_of(method), .memory_bytes = megabytes(memory_mb)};
             using Values = std::map<std::string, std::optional<double>>;
             for (const auto& [name, value] : nb::cast<Values>(given))
               if (value) set_option(options, name, *value);
             return position.search(options, std::move(network));
           }),
           "position"_a, nb::kw_only(), "method"_a = "tree",
           "memory_mb"_a = SearchOptions().memory_bytes >> 20, "network"_a = nb::none(), "options"_a)
      .def(
          "advance", [](Search& search, long long number) { search.advance(move(number)); }, "move"_a)
      .def("run", &search_for, "seconds"_a, "visits"_a, "threads"_a, "seed"_a,
           "should_stop"_a = nb::none(), "allowed"_a = std::vector<long long>())
      .def(
          "ownership",
          [](Search& search, std::uint64_t seed, int simulations) {
            std::vector<float> owners;
            without_lock([&] { owners = search.ownership(seed, simulations); });
            return owners;
          },
          "seed"_a, "simulations"_a)
      .def("report", &Search::report);
}

void bind_solver(nb::module_& module) {
  nb::class_<Solution>(module, "Solution")
      .def_ro("value", &Solution::value)
      .def_ro("line", &Solution::line)
      .def_ro("nodes", &Solution::nodes)
      .def_prop_ro("proof_numbers", [](const Solution& s) { return pair(s.proof_numbers); });
  nb::class_<Solver>(module, "Solver")
      .def(nb::new_([](const Position& position, std::size_t memory_mb,
                       std::shared_ptr<const Network> network, int threads) {
             return position.solver(megabytes(memory_mb), std::move(network), threads);
           }),
           "position"_a, nb::kw_only(), "memory_mb"_a = SearchOptions().memory_bytes >> 20,
           "network"_a = nb::none(), "threads"_a = 1)
      .def_prop_ro("nodes", &Solver::nodes)
      .def_prop_ro("proof_numbers", [](const Solver& s) { return pair(s.proof_numbers()); })
      .def(
          "attach",
          [](Solver& solver, const nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig>& memory) {
            solver.attach(std::as_writable_bytes(std::span(memory.data(), memory.size())));
          },
          "memory"_a.noconvert(), nb::keep_alive<1, 2>())  // a converted copy would not live as long
      .def("solve", &solve, "position"_a, "seconds"_a = std::numeric_limits<double>::infinity(),
           "should_stop"_a = nb::none(), nb::kw_only(), "nodes"_a = nb::none(), "turns"_a = nb::none());
}

}  // namespace

}  // namespace pinchtp

NB_MODULE(_core, module) {
  using namespace pinchtp;
  reserve_exceptions();
  watch_end();
#ifdef NDEBUG
  // Objects alive when the interpreter ends are none of the users' business.
  nb::set_leak_warnings(false);
#endif
  module.attr("MIN_SIZE") = kMinSize;
  module.attr("MAX_SIZE") = kMaxSize;
  module.attr("STRIDE") = kStride;
  module.attr("MAX_THREADS") = kMaxThreads;
  module.attr("PASS") = kPass;
  module.attr("SWAP") = kSwap;
  module.def("instruction_sets", &instruction_sets);
  module.def("inference_instruction_sets", &inference_instruction_sets);
  module.def("fill_board", &fill_board, "width"_a, "height"_a, "games"_a, "seed"_a = 0);
  bind_position(module);
  bind_batch(module);
  bind_network(module);
  bind_search(module);
  bind_solver(module);
  module.def("new_position", &start, "game"_a, "width"_a, "height"_a, nb::kw_only(),
             "instruction_set"_a = nb::none(), "options"_a);
  module.def("set_up", &set_up, "game"_a, "width"_a, "height"_a, "cells"_a, "to_move"_a, nb::kw_only(),
             "swapped"_a = false, "options"_a = Options());
}
