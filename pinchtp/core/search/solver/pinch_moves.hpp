// Generates all moves of a position of Pinch in one pass, for the solver, on boards that fit one
// word: asking AnyGame move by move would take many times as long.
//
// The initial estimates compare shortest paths. Measured on every first stone of 5x5, 6x5 after C3
// and the empty 5x5 (2026-11): estimates by threats alone, as in other games, took 5, 12 and 11
// times as many nodes, and with a network's guidance 2, 4 and 5 times as many.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../../any_game.hpp"
#include "../../types.hpp"
#include "keys.hpp"
#include "pinch_connections.hpp"
#include "verdict.hpp"
#include "word_board.hpp"
#include "word_position.hpp"

namespace pinchtp {

class PinchMoves {
 public:
  // A move, and the position after it.
  struct After {
    Move move;
    bool is_known;    // whether the verdict is certain
    Verdict verdict;  // or an estimate
    Hash128 key{};    // if the verdict is not certain
  };

  static bool fits(const GameType& type, BoardSize size) {
    return type.traits.name == "pinch" && WordBoard::fits(size);
  }

  // `points`: in the order in which moves are listed.
  PinchMoves(BoardSize size, const Keys& keys, std::span<const Move> points)
      : size_(size),
        keys_(keys),
        order_(points.begin(), points.end()),
        edges_(edges_of(size)),
        points_(WordBoard::rectangle(size)) {}

  // The position, if its moves can be listed: no swap is open or may follow.
  std::optional<WordPosition> read(const AnyGame& game) const {
    if (game.swap_open()) return std::nullopt;
    std::array<Cell, kMaxSize * kMaxSize> cells;
    game.fill_cells(cells);
    WordPosition position{{}, game.turn()};
    for (int y = 0, at = 0; y < size_.height; ++y)
      for (int x = 0; x < size_.width; ++x, ++at)
        if (is_piece(cells[at])) position.stones[index(owner(cells[at]))] |= WordBoard::at(x, y);
    if (!(position.own() | position.enemy()).any()) return std::nullopt;
    return position;
  }

  // The moves of a position. `attacker`: the side that tries to win.
  std::span<const After> list(const WordPosition& position, Side attacker) {
    const Side turn = position.turn;
    attacks_ = turn == attacker;
    own_ = turn;
    enemy_ = other(turn);
    salt_ = keys_.salt(other(turn), index(attacker));
    images_ = {};
    position.own().for_each([&](WordBoard each) { keys_.toggle(images_, each.move(), own_); });
    position.enemy().for_each([&](WordBoard each) { keys_.toggle(images_, each.move(), enemy_); });
    const Node node = evaluate(position);
    afters_.clear();
    for (const Move move : order_)
      if (const WordBoard stone = WordBoard::at(move); node.empty.has(stone))
        afters_.push_back(after(node, move, stone));
    return afters_;
  }

 private:
  // The cheapest paths between two edges: an empty point costs one stone, a stone of the other side
  // two, since it has to be captured.
  struct Paths {
    int length;
    WordBoard points;  // the empty points on them
    WordBoard needed;  // those that are on all of them
  };

  // A position, from the view of the player to move.
  struct Node {
    const WordEdges& edges;
    const WordEdges& enemy_edges;
    WordBoard empty;
    ConnectedStones own;
    ConnectedStones enemy;
    WordBoard threats;  // captures that win for the other player
    Paths paths;
    Paths enemy_paths;
  };

  Node evaluate(const WordPosition& position) const {
    const WordEdges& edges = edges_[index(position.turn)];
    const WordEdges& enemy_edges = edges_[1 - index(position.turn)];
    const WordBoard own = position.own();
    const WordBoard enemy = position.enemy();
    const WordBoard empty = points_ & ~(own | enemy);
    const ConnectedStones enemy_stones(enemy, enemy_edges);
    return {edges,
            enemy_edges,
            empty,
            {own, edges},
            enemy_stones,
            enemy_stones.winning_captures(own, empty),
            paths_of(own, enemy, edges),
            paths_of(enemy, own, enemy_edges)};
  }

  After after(const Node& node, Move move, WordBoard stone) const {
    WordBoard own = node.own.stones;
    WordBoard enemy = node.enemy.stones;
    PINCHTP_INSTRUCTION_SET::place_and_flip(own, enemy, stone.cross());
    const WordBoard fresh = own & ~node.own.stones;
    if (node.own.connects(fresh)) return {move, true, attacks_ ? Verdict::won(0) : Verdict::lost_in(0)};
    if (node.empty == stone) return {move, true, Verdict::not_won()};
    const WordBoard flipped = fresh & ~stone;
    const ConnectedStones left = flipped.any() ? ConnectedStones(enemy, node.enemy_edges) : node.enemy;
    const WordBoard empty = node.empty & ~stone;
    if ((empty & left.reach.low & left.reach.high).any() ||
        (empty & node.threats).has_any([&](WordBoard answer) { return left.wins_at(answer, own); }))
      return {move, true, attacks_ ? Verdict::lost_in(1) : Verdict::won(1)};
    const int lead = flipped.any()
                         ? length_of(enemy, own, node.enemy_edges) - length_of(own, enemy, node.edges)
                         : node.enemy_paths.length + node.enemy_paths.needed.has(stone) -
                               node.paths.length + node.paths.points.has(stone);
    return {move, false, estimate(lead), key(stone, flipped)};
  }

  // An estimate from the lead in path length of the player to move. All moves of a loss must be
  // refuted, but one move is enough for a win: hence the asymmetric efforts.
  Verdict estimate(int lead) const {
    lead = std::clamp(lead, -5, 5);
    const std::uint32_t win = 1U << (6 - lead);
    const std::uint32_t loss = 1U << std::max(3 + lead, 0);
    return attacks_ ? Verdict{.proof = win, .disproof = loss} : Verdict{.proof = loss, .disproof = win};
  }

  Hash128 key(WordBoard stone, WordBoard flipped) const {
    Keys::Images images = images_;
    keys_.toggle(images, stone.move(), own_);
    flipped.for_each([&](WordBoard each) {
      keys_.toggle(images, each.move(), own_);
      keys_.toggle(images, each.move(), enemy_);
    });
    return keys_.least(images, salt_);
  }

  // The points reached from an edge, by cost, up to the opposite edge.
  static constexpr int kMaxLength = 2 * WordBoard::kMaxHeight;
  using Layers = PINCHTP_INSTRUCTION_SET::UnsetBoards<WordBoard, kMaxLength + 1>;

  // Returns the cost of reaching the opposite edge.
  int flood_by_cost(WordBoard from, WordBoard to, WordBoard own, WordBoard enemy,
                    Layers& layers) const {
    const WordBoard empty = points_ & ~(own | enemy);
    layers.set(0, (from & own).grown(own));
    WordBoard border_before;
    for (int cost = 0;; ++cost) {
      if ((layers[cost] & to).any()) return cost;
      const WordBoard border = from | layers[cost].neighbours();
      layers.set(cost + 1, (layers[cost] | (border & empty) | (border_before & enemy)).grown(own));
      border_before = border;
    }
  }

  // The length of a side's cheapest paths.
  int length_of(WordBoard own, WordBoard enemy, const WordEdges& edges) const {
    Layers layers;
    return flood_by_cost(edges.low, edges.high, own, enemy, layers);
  }

  Paths paths_of(WordBoard own, WordBoard enemy, const WordEdges& edges) const {
    Layers low, high;
    const int length = flood_by_cost(edges.low, edges.high, own, enemy, low);
    flood_by_cost(edges.high, edges.low, own, enemy, high);
    Paths paths{length, {}, {}};
    const WordBoard empty = points_ & ~(own | enemy);
    for (int cost = 1; cost <= length; ++cost) {
      // Every path takes its stone of this cost on one of these points, or within a capture.
      const WordBoard next = low[cost] & ~low[cost - 1];
      const WordBoard points = empty & next & high[length + 1 - cost] & ~high[length - cost];
      WordBoard captured;
      if (cost > 1) captured |= next & high[length + 2 - cost];
      if (cost < length) captured |= low[cost + 1] & ~low[cost] & high[length + 1 - cost];
      paths.points |= points;
      if (points.is_single() && !(captured & enemy).any()) paths.needed |= points;
    }
    return paths;
  }

  BoardSize size_;
  const Keys& keys_;
  std::vector<Move> order_;
  std::array<WordEdges, 2> edges_;  // by side
  WordBoard points_;
  // The position whose moves are listed:
  bool attacks_ = false;
  Side own_ = Side::first;
  Side enemy_ = Side::second;
  Hash128 salt_;
  Keys::Images images_{};
  std::vector<After> afters_;
};

}  // namespace pinchtp
