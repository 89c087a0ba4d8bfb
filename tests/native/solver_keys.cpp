// Keys of the solver: two positions of random games have the same key exactly if one is a reflection
// of the other, within turns as well, and for each attacker.
#define PINCHTP_INSTRUCTION_SET test
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "check.hpp"
#include "evaluation/planes/capture_go.hpp"
#include "evaluation/planes/pinch.hpp"
#include "games/capture_go.hpp"
#include "games/pinch_relocate.hpp"
#include "games/pinch_remove.hpp"
#include "instances/game_type.hpp"
#include "no_search.hpp"
#include "rng.hpp"
#include "search/solver/keys.hpp"

namespace {

using namespace pinchtp;

// All that a position after a placement consists of; equal for its reflections.
std::string describe(const AnyGame& game, Side attacker) {
  const auto [width, height] = game.size();
  LayerRows layers{};
  const std::uint64_t queue = game.fill_layers(layers);
  std::string least;
  for (int image = 0; image < count_reflections(game.traits().reflections, game.size()); ++image) {
    std::string points(static_cast<std::size_t>(layers.size()) * width * height, '0');
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          const Move to = reflected(image, x, y, game.size());
          const std::size_t row = layer * height + static_cast<std::size_t>(y_of(to));
          points[row * width + x_of(to)] = (layers[layer][y] >> x & 1) != 0 ? '1' : '0';
        }
    if (least.empty() || points < least) least = points;
  }
  const int role = index(attacker) ^ static_cast<int>(game.swapped());
  return least + " " + std::to_string(queue) + " " + std::to_string(index(game.turn())) +
         std::to_string(role);
}

// Plays games on one small board, so that positions and their reflections recur.
void check_keys(const GameType& type, const Rules& rules, Rng& rng) {
  const Keys keys(type.traits.reflections, rules.size());
  std::map<std::string, Hash128> by_description;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> by_key;
  for (int games = 0; games < 40; ++games) {
    AnyGame game = type.start(rules);
    for (int moves = 0; moves < 60 && game.outcome() == Outcome::none; ++moves) {
      const Keys::Origin origin = keys.origin(game);
      const std::vector<Move> legal = game.legal_moves();
      const Move move = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
      game.play(move);
      if (!is_point(move) || game.swap_open()) continue;  // the key of these is the hash
      for (const Side attacker : {Side::first, Side::second}) {
        const Hash128 key = keys(game, move, attacker, false, origin);
        CHECK(key == keys(game, move, attacker, false));
        CHECK(Keys::for_other_attacker(key) == keys(game, move, other(attacker), false));
        const std::string description = describe(game, attacker);
        CHECK(by_description.try_emplace(description, key).first->second == key);
        CHECK(by_key.try_emplace({key.low, key.high}, description).first->second == description);
      }
    }
  }
}

template <template <class> class G>
void check_game(Rng& rng) {
  const test::GameTypeOf<G<test::Narrow>> type({}, test::Narrow::kMaxSide);
  for (const Rules& rules : {Rules{3, 3}, Rules{2, 3}, Rules{4, 4}, Rules{5, 3}})
    check_keys(type, rules, rng);
}

}  // namespace

int main(int, char** arguments) {
  Rng rng(1);
  for (int i = std::atoi(arguments[1]); i > 0; --i) {
    check_game<test::CaptureGo>(rng);
    check_game<test::PinchRelocate>(rng);
    check_game<test::PinchRemove>(rng);
  }
}
