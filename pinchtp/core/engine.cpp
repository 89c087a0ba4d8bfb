#include <algorithm>
#include <span>
#include <stdexcept>

#include "instances/list.hpp"
#include "position.hpp"
#include "processor.hpp"

namespace pinchtp {

namespace {

struct CompiledGames {
  std::string_view instruction_set;
  std::span<const GameEntry> games;
};

std::vector<CompiledGames> usable_games() {
  std::vector<CompiledGames> usable;
#if defined(PINCHTP_GAMES_baseline)
  usable.push_back({"baseline", baseline::games()});
#endif
#if defined(PINCHTP_GAMES_avx2)
  if (has_avx2()) usable.push_back({"avx2", avx2::games()});
#endif
#if defined(PINCHTP_GAMES_avx512)
  if (has_avx512()) usable.push_back({"avx512", avx512::games()});
#endif
  return usable;
}

bool is_size(int size) { return kMinSize <= size && size <= kMaxSize; }

}  // namespace

std::vector<std::string_view> games() {
  std::vector<std::string_view> names;
  const std::span<const GameEntry> entries = usable_games().front().games;
  for (const GameEntry& game : entries) names.push_back(game.name);
  return names;
}

std::vector<std::string_view> instruction_sets() {
  std::vector<std::string_view> names;
  for (const CompiledGames& each : usable_games()) names.push_back(each.instruction_set);
  return names;
}

std::unique_ptr<const Position> new_position(std::string_view game, const Rules& rules,
                                             const Placement* placement,
                                             std::string_view instruction_set) {
  if (!is_size(rules.width) || !is_size(rules.height)) throw std::invalid_argument("unacceptable size");
  const std::vector<CompiledGames> usable = usable_games();
  const auto chosen = std::find_if(usable.begin(), usable.end(), [&](const CompiledGames& each) {
    return each.instruction_set == instruction_set;
  });
  if (chosen == usable.end()) throw std::invalid_argument("unknown instruction set");
  const auto entry = std::find_if(chosen->games.begin(), chosen->games.end(),
                                  [&](const GameEntry& each) { return each.name == game; });
  if (entry == chosen->games.end()) throw std::invalid_argument("unknown game");
  return std::make_unique<Position>(entry->type_for(rules.width, rules.height), rules, placement);
}

}  // namespace pinchtp
