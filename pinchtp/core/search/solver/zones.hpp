// Relevance zones: the part of a board on which a proven win of Pinch depends (Thomsen,
// Lambda-Search in Game Trees, 2000). If Z is the zone of a win of player A, then A wins every
// position with the same player to move and the same content of Z in which neither side is
// connected. D is the other player.
//
// This holds although stones flip. A set is *closed* for a move inside it if, for every stone in it
// of the mover's opponent:
// - if the move flips it: the set has two of its neighbours at a right angle that were the mover's
//   at that moment, one of them since this move;
// - if not: of every two neighbours at a right angle, the set has one that is not the mover's after
//   the move, or both, and both were the mover's before.
// Then the move does the same to the set in every position with the same content there: of the
// stones that flip in only one of two such positions, the first to flip would need a neighbour in
// the set that differed before. A set closed for a pass, by the second rule, is also safe from
// moves outside.
// - A wins by a move: Z is closed for it, and contains the zone of the position after it, or a
//   chain if the move connects. Z also has a path between A's edges, diagonal steps included, without
//   a stone of D: D did not connect outside.
// - D loses: the witness is the zone of the position after a pass, or after a move that changes
//   nothing in its zone. Z contains it and the points that close it for a pass, so that A wins after
//   moves outside Z. For each empty point of Z, it contains a zone of A's win after D's move there,
//   and the points that close that zone for the move.
// tests/native/zones.cpp compares zones with exhaustive search.
#pragma once

#include <array>
#include <climits>
#include <span>

#include "../../types.hpp"
#include "pinch_connections.hpp"
#include "word_board.hpp"
#include "word_position.hpp"

namespace pinchtp {

// An empty zone is unknown: the win may depend on the whole board.
class Zones {
 public:
  // The position after a move of a player who loses, and its zone.
  struct Reply {
    WordPosition after;
    WordBoard zone;
  };

  explicit Zones(BoardSize size)
      : size_(size), edges_(edges_of(size)), points_(WordBoard::rectangle(size)) {}

  // The zone of a position whose player wins by a move, from the zone of the position after it.
  WordBoard of_win(const WordPosition& position, WordBoard stone, WordBoard zone) const {
    if (!zone.any()) return {};
    return blocking(position, closed(position.own(), position.enemy(), stone, zone));
  }

  // The zone of a position whose player connects by a move.
  WordBoard of_connection(const WordPosition& position, WordBoard stone) const {
    const WordBoard own = position.after(stone).stones[index(position.turn)];
    const WordBoard chain =
        path(own, edges_[index(position.turn)], stone, [](WordBoard at) { return at.neighbours(); });
    return of_win(position, stone, chain);
  }

  // The zone of a position whose player loses, from all of his moves.
  WordBoard of_loss(const WordPosition& position, std::span<const Reply> replies) const {
    const WordPosition passed = position.passed();
    const WordBoard threat = of_threat(passed);
    WordBoard zone = threat;
    for (const Reply& reply : replies)
      if (is_smaller(reply.zone, zone) && reply.after.agrees(passed, reply.zone)) zone = reply.zone;
    if (!zone.any()) return {};
    zone = closed(position.own(), position.enemy(), {}, zone);
    WordBoard done;
    for (;;) {
      const WordBoard stone = (zone & empty(position) & ~done).first();
      if (!stone.any()) return zone;
      done |= stone;
      const WordBoard needed = after_reply(position.after(stone), replies, {threat, passed}, zone);
      if (!needed.any()) return {};
      zone = closed(position.own(), position.enemy(), stone, zone | needed);
    }
  }

  // Turns a board into the orientation shared by the reflections of a position, or back.
  WordBoard turned(WordBoard zone, const WordPosition& position) const {
    int least = 0;
    std::array<WordBoard, 2> least_stones = position.stones;
    for (int reflection = 1; reflection < kReflections; ++reflection) {
      const std::array stones = {reflected(position.stones[0], reflection),
                                 reflected(position.stones[1], reflection)};
      if (stones < least_stones) {
        least_stones = stones;
        least = reflection;
      }
    }
    return reflected(zone, least);
  }

  // Each reflection is its own inverse.
  static constexpr int kReflections = 4;
  WordBoard reflected(WordBoard board, int reflection) const {
    if (reflection & 1) board = board.mirrored(size_.width);
    if (reflection & 2) board = board.flipped(size_.height);
    return board;
  }

 private:
  struct Known {
    WordBoard zone;
    const WordPosition& position;
  };

  static bool is_smaller(WordBoard zone, WordBoard than) {
    return zone.any() && (!than.any() || zone.count() < than.count());
  }

  WordBoard empty(const WordPosition& position) const {
    return points_ & ~(position.stones[0] | position.stones[1]);
  }

  // The smallest zone of a connecting move, if there is one.
  WordBoard of_threat(const WordPosition& position) const {
    const ConnectedStones own(position.own(), edges_[index(position.turn)]);
    const WordBoard wins = (empty(position) & own.reach.low & own.reach.high) |
                           own.winning_captures(position.enemy(), empty(position));
    WordBoard least;
    wins.for_each([&](WordBoard stone) {
      const WordBoard zone = of_connection(position, stone);
      if (is_smaller(zone, least)) least = zone;
    });
    return least;
  }

  // A zone of the position after a losing move: of the known ones that apply to it, the one that
  // adds the fewest points to `zone`.
  WordBoard after_reply(const WordPosition& after, std::span<const Reply> replies, const Known& threat,
                        WordBoard zone) const {
    WordBoard least;
    int least_added = INT_MAX;
    const auto consider = [&](WordBoard each, const WordPosition& position) {
      const int added = (each & ~zone).count();
      if (!each.any() || added >= least_added || !after.agrees(position, each)) return;
      least = each;
      least_added = added;
    };
    consider(threat.zone, threat.position);
    for (const Reply& reply : replies) consider(reply.zone, reply.after);
    return least.any() ? least : of_threat(after);
  }

  // The zone, extended until it is closed for a move of the owner of `own`, or for a pass.
  WordBoard closed(WordBoard own, WordBoard enemy, WordBoard stone, WordBoard zone) const {
    const Flips flips(own, enemy, stone);
    zone |= stone;
    WordBoard done;
    for (;;) {
      const WordBoard each = (zone & enemy & ~done).first();
      if (!each.any()) return zone;
      done |= each;
      zone |= flips.after.has(each) ? capturing_pair(flips, own, enemy, each, zone)
                                    : protection(flips.after, enemy, each, zone);
    }
  }

  // The stones that a move flips, in waves.
  struct Flips {
    Flips(WordBoard own, WordBoard enemy, WordBoard stone) : after(own | stone) {
      for (WordBoard fresh = stone;;) {
        const WordBoard horizontal = fresh.horizontal();
        const WordBoard vertical = fresh.vertical();
        fresh = enemy & ((horizontal & after.vertical()) | (vertical & after.horizontal()));
        if (!fresh.any()) return;
        waves.set(count++, {after, fresh});
        after |= fresh;
        enemy &= ~fresh;
      }
    }
    // The mover's stones before a stone flips.
    WordBoard before(WordBoard flipped) const {
      std::size_t wave = 0;
      while (!waves[wave].flipped.has(flipped)) ++wave;
      return waves[wave].before;
    }

    struct Wave {
      WordBoard before;
      WordBoard flipped;
    };
    PINCHTP_INSTRUCTION_SET::UnsetBoards<Wave, WordBoard::kMaxWidth * WordBoard::kMaxHeight> waves;
    std::size_t count = 0;
    WordBoard after;
  };

  // Two neighbours that flip a stone, chosen to add the fewest points to the zone, including stones
  // that have to flip first.
  WordBoard capturing_pair(const Flips& flips, WordBoard own, WordBoard enemy, WordBoard stone,
                           WordBoard zone) const {
    const WordBoard before = flips.before(stone);
    WordBoard best;
    int least = INT_MAX;
    for (int direction = 0; direction < 4; ++direction) {
      const WordBoard one = stone.step(direction) & before;
      const WordBoard next = stone.step(direction + 1) & before;
      const WordBoard pair = one | next;
      if (!one.any() || !next.any() || !pair.has(~own)) continue;
      const int cost = 4 * (pair & ~zone).count() + (pair & ~zone & enemy).count();
      if (cost < least) {
        least = cost;
        best = pair;
      }
    }
    return best;
  }

  // Points which show that a stone does not flip: first the points without a choice, then of each
  // two the one that the next pair shares, or else the one that is not itself a stone to be
  // protected.
  WordBoard protection(WordBoard after, WordBoard enemy, WordBoard stone, WordBoard zone) const {
    WordBoard added;
    for (const bool may_choose : {false, true})
      for (int direction = 0; direction < 4; ++direction) {
        const WordBoard one = stone.step(direction) & points_;
        const WordBoard next = stone.step(direction + 1) & points_;
        const WordBoard pair = one | next;
        const WordBoard known = pair & (zone | added);
        const WordBoard safe = pair & ~after;
        if (!one.any() || !next.any() || known.has(safe)) continue;
        if (!safe.any()) {
          added |= pair;
        } else if (safe.is_single()) {
          added |= safe;
        } else if (may_choose) {
          const bool is_shared = (stone.step(direction + 2) & points_).any();
          const WordBoard choice = is_shared ? next : one;
          added |= choice.has(enemy) && !(pair & ~choice).has(enemy) ? pair & ~choice : choice;
        }
      }
    return added;
  }

  // The zone plus a path between the edges of `position`'s player that is free of enemy stones.
  WordBoard blocking(const WordPosition& position, WordBoard zone) const {
    const WordBoard way = path(points_ & ~position.enemy(), edges_[index(position.turn)], zone,
                               [](WordBoard at) { return at.around(); });
    return way.any() ? zone | way : WordBoard();
  }

  // A path of `cells` between two edges with few points outside of `zone`; empty if there is none.
  template <class Step>
  WordBoard path(WordBoard cells, const WordEdges& edges, WordBoard zone, Step&& step) const {
    // The cells in the order in which they are reached; those of the zone are free.
    PINCHTP_INSTRUCTION_SET::UnsetBoards<WordBoard, WordBoard::kMaxWidth * WordBoard::kMaxHeight + 1>
        reached;
    std::size_t count = 0;
    WordBoard all;
    const auto reach = [&](WordBoard fresh) {
      reached.set(count++, fresh);
      all |= fresh;
    };
    reach(edges.low & cells & zone);
    for (;;) {
      while (!all.has(edges.high)) {
        const WordBoard free = step(all) & cells & zone & ~all;
        if (!free.any()) break;
        reach(free);
      }
      if (all.has(edges.high)) break;
      const WordBoard fresh = (edges.low | step(all)) & cells & ~all;
      if (!fresh.any()) return {};
      reach(fresh);
    }
    WordBoard at = (all & edges.high).first();
    WordBoard path = at;
    while (!edges.low.has(at)) {
      std::size_t first = 0;
      while (!step(at).has(reached[first])) ++first;
      at = (step(at) & reached[first]).first();
      path |= at;
    }
    return path;
  }

  BoardSize size_;
  std::array<WordEdges, 2> edges_;  // by side
  WordBoard points_;
};

}  // namespace pinchtp
