#include "engine.hpp"

#include <algorithm>
#include <stdexcept>

namespace pinchtp {

using NewPosition = std::shared_ptr<const Position>(std::string_view game, const Rules& rules,
                                                    const Setup* setup);

namespace baseline {
NewPosition new_position;
}
#if defined(PINCHTP_X86_LEVELS)
namespace avx2 {
NewPosition new_position;
}
namespace avx512 {
NewPosition new_position;
}
#endif

namespace {

struct Level {
  std::string_view name;
  NewPosition* new_position;
};

std::vector<Level> usable_levels() {
  std::vector<Level> usable = {{"baseline", baseline::new_position}};
#if defined(PINCHTP_X86_LEVELS)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt")) {
    usable.push_back({"avx2", avx2::new_position});
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
      usable.push_back({"avx512", avx512::new_position});
  }
#endif
  return usable;
}

// The same told by side. Throws std::invalid_argument for cells that are not a board of this size.
Setup by_side(const Placement& placement, const Rules& rules) {
  if (placement.cells.size() != static_cast<std::size_t>(rules.width * rules.height))
    throw std::invalid_argument("the cells do not fit the board");
  Setup setup;
  const int swapped = placement.swapped;
  setup.swapped = placement.swapped;
  setup.turn = static_cast<Side>(static_cast<int>(placement.to_move) ^ swapped);
  for (int i = 0; i < rules.width * rules.height; ++i) {
    const int cell = placement.cells[static_cast<std::size_t>(i)];
    if (cell < 0 || cell > 2) throw std::invalid_argument("a cell is 0, 1 or 2");
    if (cell != 0)
      setup.stones[(cell - 1) ^ swapped].push_back(point(i % rules.width, i / rules.width));
  }
  return setup;
}

bool is_size(int size) { return kMinSize <= size && size <= kMaxSize; }

}  // namespace

std::vector<std::string_view> levels() {
  std::vector<std::string_view> names;
  for (const Level& level : usable_levels()) names.push_back(level.name);
  return names;
}

std::shared_ptr<const Position> new_position(std::string_view game, const Rules& rules,
                                             const Placement* placement, std::string_view level) {
  if (!is_size(rules.width) || !is_size(rules.height)) throw std::invalid_argument("unacceptable size");
  const std::vector<Level> usable = usable_levels();
  const auto chosen =
      std::find_if(usable.begin(), usable.end(), [&](const Level& each) { return each.name == level; });
  if (chosen == usable.end()) throw std::invalid_argument("unknown level");
  if (placement == nullptr) return chosen->new_position(game, rules, nullptr);
  const Setup setup = by_side(*placement, rules);
  return chosen->new_position(game, rules, &setup);
}

}  // namespace pinchtp
