// The swap in a tree. It only exchanges the players' labels, so its value is one minus the value of
// the position without it. The tree therefore searches positions without the swap; its effect on
// values is computed here, when moves are compared and reported.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "../search.hpp"

namespace pinchtp {

// Whether a first stone that is a proven win can be taken over: not if it ends the game.
inline bool can_be_taken_over(int distance) { return distance > 1; }

// Whether a choice is worth more than one half to its player.
inline bool is_better_than_even(const Choice& choice) {
  return choice.proof == Proof::win || (choice.proof != Proof::loss && choice.winrate > 0.5);
}

// Whether the opponent takes over a first stone if the swap is allowed.
inline bool is_taken_over(const Choice& stone) {
  const bool ends_game = stone.proof == Proof::win && !can_be_taken_over(stone.distance);
  return !ends_game && is_better_than_even(stone);
}

// Limits the value of a first stone that the opponent may take over to an even game.
inline void make_even(Choice& stone) {
  if (!is_taken_over(stone)) return;
  stone.winrate = 1 - stone.winrate.value();
  if (stone.proof == Proof::win) {
    stone.proof = Proof::loss;
    ++stone.distance;
  }
  stone.line.insert(stone.line.begin() + 1, kSwap);
  stone.line_visits.insert(stone.line_visits.begin() + 1, stone.visits);
}

// Sets the visits of a choice. Its line reports no more of them than the choice does.
inline void set_visits(Choice& choice, std::uint64_t visits) {
  choice.visits = visits;
  for (std::uint64_t& each : choice.line_visits) each = std::min(each, visits);
}

// Adds the swap to the other moves, best first. `value`: of the position for the other player. The
// visits of all moves count for the swap, too: if it is the better choice, it is reported with all
// of them, except for one per visited move; otherwise with a single one. Its prior is its winrate,
// if the other moves have priors.
inline void add_swap(std::vector<Choice>& choices, const Choice& value) {
  Choice swap = value;
  swap.move = kSwap;
  Choice& best = choices.front();
  if (best.visits > 0) swap.winrate = 1 - best.winrate.value();
  swap.line.assign(1, kSwap);
  swap.line_visits.assign(1, value.visits);
  if (best.visits > 0 || best.proof != Proof::unknown) {
    swap.line.insert(swap.line.end(), best.line.begin(), best.line.end());
    swap.line_visits.insert(swap.line_visits.end(), best.line_visits.begin(), best.line_visits.end());
  }
  swap.amaf = swap.winrate.value_or(0.5);
  const auto has_prior = [](const Choice& choice) { return choice.prior > 0; };
  swap.prior = std::ranges::any_of(choices, has_prior) ? swap.amaf : 0;
  for (Choice& choice : choices) choice.prior *= 1 - swap.prior;
  if (!is_better_than_even(swap)) {
    const std::uint64_t moved = best.visits > 1 ? 1 : 0;
    set_visits(best, best.visits - moved);
    set_visits(swap, moved);
    const auto is_behind = [&](const Choice& choice) {
      return choice.visits == 0 || choice.winrate < swap.winrate;
    };
    choices.insert(std::find_if(choices.begin() + 1, choices.end(), is_behind), std::move(swap));
    return;
  }
  std::uint64_t moved = 0;
  for (Choice& choice : choices) {
    const std::uint64_t left = std::min<std::uint64_t>(choice.visits, 1);
    moved += choice.visits - left;
    set_visits(choice, left);
  }
  set_visits(swap, moved);
  choices.insert(choices.begin(), std::move(swap));
}

// Whether the swap is the best of the choices of add_swap().
inline bool prefers_swap(const std::vector<Choice>& choices) {
  return !choices.empty() && choices.front().move == kSwap;
}

}  // namespace pinchtp
