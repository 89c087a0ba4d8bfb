// The solver's zones on random fillings: a win has to stand whatever is outside its zone, by exhaustive
// play. On random positions of small boards, for both attackers; the zones are of positions and of all
// their moves, from searches, from the table and from the list.
#define PINCHTP_INSTRUCTION_SET test
#include "search/solver/zones.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <unordered_map>

#include "check.hpp"
#include "evaluation/planes/pinch.hpp"
#include "games/pinch.hpp"
#include "instances/game_type.hpp"
#include "no_search.hpp"
#include "rng.hpp"
#include "search/solver/df_pn.hpp"

namespace {

using namespace pinchtp;

const test::GameTypeOf<test::Pinch<test::Narrow>> type({}, test::Narrow::kMaxSide);  // no random games

// The results of exhaustive play.
class Exhaustive {
 public:
  explicit Exhaustive(BoardSize size) : edges_(edges_of(size)) {
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) points_ |= WordBoard::at(x, y);
  }

  WordBoard points() const { return points_; }
  WordBoard empty(const WordPosition& position) const {
    return points_ & ~(position.stones[0] | position.stones[1]);
  }
  bool is_connected(const WordPosition& position, Side side) const {
    const WordEdges& edges = edges_[index(side)];
    const WordBoard stones = position.stones[index(side)];
    return (edges.low & stones).grown(stones).has(edges.high);
  }
  bool is_over(const WordPosition& position) const {
    return !empty(position).any() || is_connected(position, Side::first) ||
           is_connected(position, Side::second);
  }

  // Returns the outcome of a position where neither side is connected.
  Outcome outcome(const WordPosition& position) {
    if (!empty(position).any()) return Outcome::draw;
    const std::uint64_t key = key_of(position);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const Outcome win = win_for(position.turn);
    Outcome best = win_for(other(position.turn));
    empty(position).has_any([&](WordBoard stone) {
      const WordPosition after = position.after(stone);
      const Outcome result = is_connected(after, position.turn) ? win : outcome(after);
      if (result != win_for(other(position.turn))) best = result;
      return best == win;
    });
    return known_[key] = best;
  }

 private:
  std::uint64_t key_of(const WordPosition& position) const {
    std::uint64_t key = static_cast<std::uint64_t>(index(position.turn));
    points_.for_each([&](WordBoard point) {
      key = 3 * key + position.stones[0].has(point) + 2 * position.stones[1].has(point);
    });
    return key;
  }

  std::array<WordEdges, 2> edges_;
  WordBoard points_;
  std::unordered_map<std::uint64_t, Outcome> known_;
};

class Trial {
 public:
  Trial(int width, int height, Rng& rng)
      : rules_{width, height},
        exhaustive_(rules_.size()),
        shared_(type, rules_, std::size_t{1} << 16, false, false),  // a table that forgets
        search_(shared_, nullptr),
        rng_(rng) {}

  // Solves a random position, and checks its zone and those of its moves.
  void run() {
    const WordPosition position = filled({}, {}, static_cast<Side>(rng_.below(2)));
    if (exhaustive_.is_over(position)) return;
    const AnyGame game = game_of(position);
    shared_.attacker = static_cast<Side>(rng_.below(2));
    const Verdict verdict = search_.solve(game, search_.key(game, 0), {stop_});
    const Outcome outcome = exhaustive_.outcome(position);
    CHECK(verdict.yes() == (outcome == win_for(shared_.attacker)));
    CHECK(!verdict.lost || outcome == win_for(other(shared_.attacker)));
    check(position, verdict);
    for (const Child& child : search_.moves(game, {stop_}))
      check(position.after(child.move), child.verdict);
  }

  int fillings() const { return fillings_; }

 private:
  // The position on a zone, and random stones outside, often more of one color.
  WordPosition filled(const WordPosition& position, WordBoard zone, Side turn) {
    WordPosition filled{{position.stones[0] & zone, position.stones[1] & zone}, turn};
    const std::uint32_t kinds = 2 + rng_.below(4);
    const std::uint32_t frequent = rng_.below(3);
    (exhaustive_.points() & ~zone).for_each([&](WordBoard point) {
      const std::uint32_t kind = rng_.below(kinds);
      const std::uint32_t content = kind < 3 ? kind : frequent;
      if (content < 2) filled.stones[content] |= point;
    });
    return filled;
  }

  AnyGame game_of(const WordPosition& position) const {
    Setup setup;
    setup.turn = position.turn;
    for (const Side side : {Side::first, Side::second})
      position.stones[index(side)].for_each(
          [&](WordBoard each) { setup.cells.emplace_back(each.move(), stone(side)); });
    return type.set_up(rules_, setup);
  }

  void check(const WordPosition& position, const Verdict& verdict) {
    if (!verdict.zone.any()) return;
    CHECK(verdict.yes() || verdict.lost);
    const Side winner = verdict.yes() ? shared_.attacker : other(shared_.attacker);
    for (int i = 0; i < 20; ++i) {
      const WordPosition other_position = filled(position, verdict.zone, position.turn);
      if (exhaustive_.is_over(other_position)) continue;
      CHECK(exhaustive_.outcome(other_position) == win_for(winner));
      ++fillings_;
    }
  }

  Rules rules_;
  Exhaustive exhaustive_;
  SharedProof shared_;
  DfPn search_;
  Rng& rng_;
  std::atomic<bool> stop_{false};
  int fillings_ = 0;
};

void check_size(int width, int height, int positions, Rng& rng) {
  Trial trial(width, height, rng);
  for (int i = 0; i < positions; ++i) trial.run();
  CHECK(trial.fillings() > positions);
}

}  // namespace

int main(int, char** arguments) {
  const int positions = std::atoi(arguments[1]);
  Rng rng(1);
  check_size(3, 3, positions, rng);
  check_size(4, 3, positions, rng);
  check_size(3, 4, positions, rng);
  check_size(6, 2, positions, rng);
  check_size(2, 6, positions, rng);
}
