// Search with an evaluator that has fixed priors and known values.
//
// Prints failures; exit status 1 if there were any.
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "any_game.hpp"
#include "check.hpp"
#include "evaluation/cache.hpp"
#include "evaluation/evaluator.hpp"
#include "history.hpp"
#include "position.hpp"
#include "search/mcts/formulas.hpp"
#include "search/mcts/nodes.hpp"
#include "search/mcts/noise.hpp"
#include "search/mcts/report.hpp"
#include "search/search.hpp"

namespace {

using namespace pinchtp;

constexpr Move kFavourite = point(1, 1);  // has half of all priors
constexpr Move kGood = point(3, 2);       // a stone of the first side here has a bonus

std::atomic<int> evaluations;

// `bonus`: added to a draw for the side with a stone on kGood, in units of 1/256. `spread`: added, or
// subtracted, by the position's hash. `has_priors`: false for values alone.
class FixedPriors final : public Evaluator {
 public:
  explicit FixedPriors(std::uint32_t bonus, std::uint32_t spread = 0, bool has_priors = true)
      : bonus_(bonus), spread_(spread), has_priors_(has_priors) {}
  std::unique_ptr<Evaluator> clone() const override { return std::make_unique<FixedPriors>(*this); }
  int unit_bits() const override { return 8; }
  bool has_placements() const override { return false; }
  bool has_priors() const override { return has_priors_; }

  void evaluate(const AnyGame& game, Rng&, std::span<const Move> moves, std::span<std::uint16_t> priors,
                Evaluation& evaluation) override {
    ++evaluations;
    evaluation.value = game.hash().low % 2 == 0 ? 128 + spread_ : 128 - spread_;
    if (has_good(game, Side::first)) evaluation.value += bonus_;
    if (has_good(game, Side::second)) evaluation.value -= bonus_;
    std::uint32_t weights = 0;
    for (const Move move : moves) weights += weight(move, moves);
    for (std::size_t i = 0; i < moves.size(); ++i)
      priors[i] = static_cast<std::uint16_t>(kPriorUnit * weight(moves[i], moves) / weights);
  }
  void add_ownership(const AnyGame&, Rng&, std::span<float> sums) override { sums[kGood] += 1; }

 private:
  static bool has_good(const AnyGame& game, Side side) {
    std::array<Cell, kMaxSize * kMaxSize> cells;
    game.fill_cells(cells);
    return cells[static_cast<std::size_t>(y_of(kGood) * game.size().width + x_of(kGood))] ==
           stone(side);
  }
  static std::uint32_t weight(Move move, std::span<const Move> moves) {
    return move == kFavourite && moves.size() > 1 ? static_cast<std::uint32_t>(moves.size()) - 1 : 1;
  }

  std::uint32_t bonus_;
  std::uint32_t spread_;
  bool has_priors_;
};

AnyGame start(int width, int height) {
  Rules rules;
  rules.width = width;
  rules.height = height;
  return new_position("pinch", rules, nullptr, instruction_sets().back())->game();
}

// Independent of the default, which determines how soon values outweigh priors.
constexpr float kCpuct = 1.4F;

std::unique_ptr<Search> search_of(const AnyGame& position, std::uint32_t bonus,
                                  const SearchOptions& options = {}) {
  evaluations = 0;
  SearchOptions small = options;
  small.memory_bytes = std::size_t{4} << 20;
  small.cpuct = kCpuct;
  return position.type().search(position, History(), small, std::make_unique<FixedPriors>(bonus));
}

void run_to(Search& search, std::uint64_t visits, int threads = 1,
            const std::vector<Move>& allowed = {}) {
  SearchLimits limits;
  limits.seconds = 1e6;  // sanitizers are slow
  limits.visits = visits;
  limits.threads = threads;
  limits.allowed = allowed;
  run(search, limits, [] { return false; });
}

const Choice& of_move(const Report& report, Move move) {
  for (const Choice& choice : report.choices)
    if (choice.move == move) return choice;
  CHECK(!"the move is reported");
  std::abort();
}

// If all positions have the same value, visits follow the priors; every visit is one evaluation.
void visits_follow_priors() {
  SearchOptions options;
  options.fpu_reduction = 0;
  const auto search = search_of(start(9, 9), 0, options);
  run_to(*search, 400);
  const Report report = search->report();
  CHECK(report.visits == 400);
  CHECK(evaluations == 400);
  const Choice& favourite = of_move(report, kFavourite);
  CHECK(report.choices.front().move == kFavourite);
  CHECK(std::abs(favourite.prior - 0.5) < 0.001);
  CHECK(235 <= favourite.visits && favourite.visits <= 243);  // 1 + visits: half of 399 + 81
  std::uint64_t sum = 0;
  for (const Choice& choice : report.choices) {
    CHECK(choice.winrate == 0.5);
    CHECK(choice.visits <= 3 || choice.move == kFavourite);
    sum += choice.visits;
  }
  CHECK(sum == 399);  // and one of the root's own
}

// Values outweigh priors, and are means of fixed-point numbers.
void values_overcome_priors() {
  const auto search = search_of(start(9, 9), 64);
  run_to(*search, 3000);
  const Report report = search->report();
  CHECK(report.choices.front().move == kGood);
  CHECK(std::abs(of_move(report, kGood).winrate.value() - 0.75) <
        0.05);  // the stone may be lost later on
  CHECK(report.choices.front().visits > 1500);
  const auto forced = search_of(start(9, 9), 64);
  run_to(*forced, 20, 1, {kGood});
  CHECK(of_move(forced->report(), kGood).winrate == 0.75);
}

// The deviation of a node's values, also where their squares were not counted from the first visit on.
void values_deviate() {
  NodeBlock block{};
  const Node node(block, 3);
  CHECK(value_stdev(node, prior_squares(node, 0.2F, 1.0F / 256), 0.2F, 1.0F / 256) == 0.2F);
  node.visits() = 98;
  for (const Side side : {Side::first, Side::second}) {  // the first side has 49 times 1/4, and 1
    node.set_value_side(side);
    node.score() = side == Side::first ? 49 * 320 : 49 * 192;
    const std::uint64_t squares = 49 * (64 * 64 + 256 * 256);
    const double deviation = std::sqrt((2 * 0.2 * 0.2 + 98 * 0.375 * 0.375) / 100);
    CHECK(std::abs(value_stdev(node, squares, 0.2F, 1.0F / 256) - deviation) < 1e-5);
    const std::uint64_t unknown = prior_squares(node, 0.2F, 1.0F / 256);
    CHECK(std::abs(value_stdev(node, unknown, 0.2F, 1.0F / 256) - 0.2F) < 1e-4F);
  }
}

// Means stay in [0, 1] where another thread has added half of a visit, and where a float rounds up.
void means_are_at_most_one() {
  AmafBlock block{};
  const Node node(block, 3);
  node.visits() = 1;
  node.score() = 2 * 256;
  CHECK(winrate_of(node, 1.0F / 256) == 1);
  node.visits() = (1U << 24) + 3;
  node.score() = std::uint64_t{256} * node.visits();
  CHECK(winrate_of(node, 1.0F / 256) == 1);
  node.set_amaf_side(Side::first);
  node.amaf_visits() = 1;
  node.amaf_score() = 2 * 256;
  CHECK(describe(node, 1.0F / 256).amaf == 1);
}

// The moves that are tried: more where values differ by more than cpuct_stdev_prior, fewer where by
// less.
void values_that_differ_are_explored() {
  const auto tried = [](std::uint32_t spread, float share) {
    SearchOptions options;
    options.memory_bytes = std::size_t{4} << 20;
    options.cpuct = kCpuct;
    options.cpuct_stdev = share;
    const AnyGame position = start(9, 9);
    const auto search =
        position.type().search(position, History(), options, std::make_unique<FixedPriors>(0, spread));
    run_to(*search, 300);
    int moves = 0;
    for (const Choice& choice : search->report().choices) moves += choice.visits > 0;
    return moves;
  };
  CHECK(tried(128, 1) > tried(128, 0));
  CHECK(tried(8, 1) < tried(8, 0));
}

// The first visits of a root: its own evaluation, then the child of the largest prior.
void first_visits() {
  const auto search = search_of(start(9, 9), 64);
  run_to(*search, 1);
  CHECK(search->report().visits == 1 && evaluations == 1);
  CHECK(search->report().choices.size() == 81);
  CHECK(search->report().winrate == 0.5);
  CHECK(!of_move(search->report(), kFavourite).winrate);
  run_to(*search, 2);
  CHECK(search->report().visits == 2 && evaluations == 2);
  CHECK(of_move(search->report(), kFavourite).visits == 1);
}

std::vector<int> thread_counts{1, 3};  // that searches are tried with

// Limits are exact for all batches and threads, also after moves of the game.
void limits_are_exact() {
  for (const std::uint32_t batch : {1, 16, 5000})
    for (const int threads : thread_counts) {
      SearchOptions options;
      options.batch = batch;
      const auto search = search_of(start(9, 9), 64, options);
      run_to(*search, 5000, threads);
      CHECK(search->report().visits == 5000);
      const std::uint64_t kept = of_move(search->report(), kGood).visits;
      search->advance(kGood);
      CHECK(search->report().visits == kept);
      CHECK(std::abs(of_move(search->report(), kFavourite).prior - 0.5) < 0.001);
      run_to(*search, kept + 1000, threads);
      CHECK(search->report().visits == kept + 1000);
      for (const Choice& choice : search->report().choices) CHECK_WINRATE(choice);
    }
}

// The same seed gives the same tree.
void searches_repeat() {
  std::vector<std::uint64_t> visits[2];
  for (auto& found : visits) {
    const auto search = search_of(start(7, 7), 32);
    run_to(*search, 2500);
    for (const Choice& choice : search->report().choices) found.push_back(choice.visits);
  }
  CHECK(visits[0] == visits[1]);
}

// A cache changes nothing but the number of evaluations, however small it is.
void positions_are_evaluated_once() {
  std::vector<std::uint64_t> visits[3];
  std::vector<int> evaluated;
  for (const std::size_t bytes : {0, 1 << 16, 1 << 20}) {
    const AnyGame position = start(5, 5);
    evaluations = 0;
    auto cache = std::make_shared<EvaluationCache>(position.size(), bytes);
    const auto search = position.type().search(
        position, History(), {.memory_bytes = std::size_t{4} << 20},
        std::make_unique<CachedEvaluator>(std::make_unique<FixedPriors>(64), std::move(cache)));
    run_to(*search, 3000);
    for (const Choice& choice : search->report().choices)
      visits[evaluated.size()].push_back(choice.visits);
    evaluated.push_back(evaluations);
    run_to(*search, 6000, 3);
    CHECK(search->report().visits == 6000);
  }
  CHECK(visits[0] == visits[1] && visits[1] == visits[2]);
  CHECK(evaluated[0] > evaluated[1] && evaluated[1] > evaluated[2]);
}

// Small boards are solved with any evaluator; an immediate win needs no visit.
void proofs_are_found() {
  const auto search = search_of(start(3, 3), 64);
  run_to(*search, 1'000'000, 2);
  CHECK(search->report().choices.front().proof == Proof::win);
  AnyGame position = start(3, 3);
  for (const Move move : {point(0, 0), point(2, 2), point(0, 1), point(2, 1)}) position.play(move);
  const auto won = search_of(position, 0);
  run_to(*won, 1);
  CHECK(won->report().choices.front().proof == Proof::win);
  CHECK(won->report().choices.front().move == point(0, 2));
  CHECK(evaluations == 0);
}

// A high bound of few visits does not count; a draw is certain without visits.
void few_visits_do_not_win() {
  const auto order = [](std::vector<Choice> choices) {
    sort_by_bound(choices);
    std::vector<Move> moves;
    for (const Choice& choice : choices) moves.push_back(choice.move);
    return moves;
  };
  const auto choice = [](Move move, std::uint64_t visits, double winrate,
                         Proof proof = Proof::unknown) {
    Choice made;
    made.move = move;
    made.visits = visits;
    made.winrate = winrate;
    made.proof = proof;
    return made;
  };
  const Choice often = choice(1, 1000, 0.52);
  const Choice enough = choice(2, 150, 0.60);
  const Choice too_few = choice(3, 149, 0.90);
  const Choice draw = choice(4, 2, 0.5, Proof::draw);
  const Choice lost = choice(5, 5000, 0, Proof::loss);
  const Choice few = choice(6, 2, 0.90);
  CHECK(order({few, lost, draw, too_few, enough, often}) == std::vector<Move>({2, 1, 4, 3, 6, 5}));
  CHECK(order({few, often}) == std::vector<Move>({1, 6}));
}

void some_moves_only() {
  const auto search = search_of(start(9, 9), 64);
  const std::vector<Move> allowed{point(0, 0), point(5, 5)};
  run_to(*search, 500, 1, allowed);
  const Report report = search->report();
  CHECK(report.choices.size() == 2);
  CHECK(report.choices[0].visits + report.choices[1].visits == 499);
}

// Noise changes the root's priors once, and keeps their sum.
void noise_changes_priors() {
  SearchOptions options;
  options.noise_fraction = 0.25F;
  const auto search = search_of(start(9, 9), 0, options);
  run_to(*search, 1);
  const Report before = search->report();
  CHECK(0.37 < of_move(before, kFavourite).prior && of_move(before, kFavourite).prior < 0.63);
  double sum = 0;
  int changed = 0;
  for (const Choice& choice : before.choices) {
    sum += choice.prior;
    changed += std::abs(choice.prior - 0.5 / 80) > 0.001;
  }
  CHECK(std::abs(sum - 1) < 0.01);
  CHECK(changed > 20);
  run_to(*search, 100);
  for (const Choice& choice : before.choices)
    CHECK(of_move(search->report(), choice.move).prior == choice.prior);
}

// A higher temperature makes the root's priors more even.
void temperature_changes_priors() {
  SearchOptions options;
  options.root_temperature = 2;
  const auto search = search_of(start(9, 9), 0, options);
  run_to(*search, 1);
  // 80 moves of 1 / 160 and one of a half, after square roots.
  const double favourite = std::sqrt(0.5) / (std::sqrt(0.5) + 80 * std::sqrt(1 / 160.0));
  CHECK(std::abs(of_move(search->report(), kFavourite).prior - favourite) < 0.002);
  double sum = 0;
  for (const Choice& choice : search->report().choices) sum += choice.prior;
  CHECK(std::abs(sum - 1) < 0.01);
}

// Shares of a Dirichlet distribution have the mean 1 / n and the variance (n - 1) / (n^2 (n a + 1)).
void noise_is_distributed_so() {
  constexpr int kShares = 10;
  constexpr int kSamples = 20'000;
  Rng rng(1);
  for (const double alpha : {0.03, 0.3, 1.0}) {
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kSamples; ++i) {
      const double share = dirichlet(kShares, alpha, rng)[3];
      sum += share;
      squares += share * share;
    }
    const double mean = sum / kSamples;
    const double variance = squares / kSamples - mean * mean;
    CHECK(std::abs(mean - 0.1) < 0.01);
    CHECK(std::abs(variance / (9 / (100 * (kShares * alpha + 1))) - 1) < 0.1);
  }
  for (const double x : {1e-300, 1e-5, 0.3, 0.7071, 1.0, 42.0})
    CHECK(std::abs(noise::log(x) - std::log(x)) <= 1e-14 * std::abs(std::log(x)));
  for (const double x : {-600.0, -42.0, -1.0, -1e-9, 0.0})
    CHECK(std::abs(noise::exp(x) / std::exp(x) - 1) < 1e-13);
}

// A tree at its memory limit prunes the least visited nodes repeatedly while other threads read it, and
// its counts stay exact.
void a_full_tree_is_pruned() {
  for (const int threads : thread_counts) {
    constexpr std::size_t kBytes = std::size_t{1} << 20;  // full after 900 visits that add 196 nodes
    const AnyGame position = start(14, 14);
    const auto search =
        position.type().search(position, History(), {.memory_bytes = kBytes, .cpuct = kCpuct},
                               std::make_unique<FixedPriors>(64));
    SearchLimits limits;
    limits.seconds = 600;
    limits.visits = 10'000;
    limits.threads = threads;
    run(*search, limits, [&] { return search->report().choices.empty(); });
    const Report report = search->report();
    CHECK(report.visits == 10'000);
    CHECK(report.nodes <= kBytes / 5);
    // Several threads may find a good reply to another move as well, before its refutation.
    if (threads == 1) CHECK(report.choices.front().move == kGood);
    CHECK(of_move(report, kGood).visits > of_move(report, kFavourite).visits);
    std::uint64_t sum = 0;
    for (const Choice& choice : report.choices) sum += choice.visits;
    CHECK(sum == 9'999);
  }
}

// Slices of a search that are over before they begin prune a full tree, each a part; the game may go on
// in between.
void short_slices_prune() {
  const std::atomic<bool> over{true};
  for (const int parts : {100, 1, 2, 3, 4, 6, 8, 10}) {
    const AnyGame position = start(14, 14);
    const auto search = position.type().search(
        position, History(), {.memory_bytes = std::size_t{4} << 20, .expand_visits = 1},
        std::make_unique<FixedPriors>(64, 0, false));
    std::uint64_t visits = 0;
    std::uint64_t nodes = 0;
    for (; search->report().nodes > nodes || visits < 2; run_to(*search, ++visits))
      nodes = search->report().nodes;  // the last visit has found no room
    for (int i = 0; i < parts; ++i) search->work(0, UINT64_MAX, over);
    CHECK(search->report().visits == visits);
    if (parts == 100) CHECK(search->report().nodes < nodes * 3 / 5);
    const Choice best = search->report().choices.front();
    search->advance(best.move);
    run_to(*search, best.visits + visits);
    CHECK(search->report().visits == best.visits + visits && search->report().nodes <= nodes);
  }
}

// The game continues below a node with pruned children, and their proofs are found again.
void pruned_games_go_on() {
  AnyGame position = start(3, 4);
  const auto search = position.type().search(
      position, History(), {.memory_bytes = std::size_t{300} << 10}, std::make_unique<FixedPriors>(0));
  run_to(*search, 1'000'000, 2);
  CHECK(search->report().choices.front().proof == Proof::win);
  for (bool wins = true; position.outcome() == Outcome::none; wins = !wins) {
    const Report report = search->report();
    CHECK(report.choices.front().proof == (wins ? Proof::win : Proof::loss));
    position.play(report.choices.front().move);
    search->advance(report.choices.front().move);
    if (position.outcome() == Outcome::none) run_to(*search, search->report().visits + 1'000'000, 2);
  }
  CHECK(position.outcome() == Outcome::first);
}

}  // namespace

// With an argument, runs only the tests of threads.
int main(int count, char**) {
  if (count > 1) {
    thread_counts = {3};
    limits_are_exact();
    positions_are_evaluated_once();
    proofs_are_found();
    a_full_tree_is_pruned();
    pruned_games_go_on();
    return 0;
  }
  visits_follow_priors();
  values_overcome_priors();
  values_deviate();
  means_are_at_most_one();
  values_that_differ_are_explored();
  first_visits();
  limits_are_exact();
  searches_repeat();
  positions_are_evaluated_once();
  proofs_are_found();
  few_visits_do_not_win();
  some_moves_only();
  noise_changes_priors();
  noise_is_distributed_so();
  temperature_changes_priors();
  a_full_tree_is_pruned();
  short_slices_prune();
  pruned_games_go_on();
}
