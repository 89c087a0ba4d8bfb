// Zones of proven positions in a proof search, and the verdicts that they give.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "../../types.hpp"
#include "summary.hpp"
#include "verdict.hpp"
#include "word_board.hpp"
#include "word_position.hpp"
#include "zone_list.hpp"
#include "zones.hpp"

namespace pinchtp {

// Each thread has its own. `attacker`: the side that tries to win.
class ProvenZones {
 public:
  // `points`: of the board, from the centre outwards.
  ProvenZones(BoardSize size, std::span<const Move> points) : zones_(size), list_(zones_, points) {}

  // The verdict on a position, if a zone of the list gives it.
  std::optional<Verdict> find(const WordPosition& position, Side attacker) const {
    const std::optional<ZoneList::Win> win = list_.find(position);
    if (!win) return std::nullopt;
    return win->winner == attacker ? Verdict::won(win->distance, win->zone)
                                   : Verdict::lost_in(win->distance, win->zone);
  }

  // Adds the zone to the verdict on a position that one side wins, from the zones of its moves.
  void complete(Verdict& verdict, const WordPosition& position, std::span<const Child> children,
                Side attacker) {
    const bool attacks = position.turn == attacker;
    const bool wins = verdict.yes() == attacks;
    verdict.zone = wins ? of_win(position, children, attacks) : of_loss(position, children);
    if (!verdict.zone.any()) return;
    const Side winner = wins ? position.turn : other(position.turn);
    list_.add(position, {verdict.zone, winner, verdict.distance});
  }

  // Turns a verdict's zone into the orientation used in tables, or back.
  Verdict turned(Verdict verdict, const WordPosition& position) const {
    if (verdict.zone.any()) verdict.zone = zones_.turned(verdict.zone, position);
    return verdict;
  }

 private:
  WordBoard of_win(const WordPosition& position, std::span<const Child> children, bool attacks) const {
    const Child* const best = best_answer(children, attacks);
    const WordBoard stone = WordBoard::at(best->move);
    if (best->verdict.distance == 0) return zones_.of_connection(position, stone);
    return zones_.of_win(position, stone, best->verdict.zone);
  }

  WordBoard of_loss(const WordPosition& position, std::span<const Child> children) {
    replies_.clear();
    for (const Child& child : children)
      replies_.push_back({position.after(child.move), child.verdict.zone});
    return zones_.of_loss(position, replies_);
  }

  Zones zones_;
  ZoneList list_;
  std::vector<Zones::Reply> replies_;
};

}  // namespace pinchtp
