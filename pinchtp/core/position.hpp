// The interface of the core: positions of any game, by color. AnyGame hides all template
// parameters: the game, its board layout and the instruction set.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "any_game.hpp"
#include "evaluation/network/network.hpp"
#include "history.hpp"
#include "search/search.hpp"
#include "types.hpp"

namespace pinchtp {

enum class Color : std::uint8_t { black = 0, white = 1 };

// The result of a game, by color.
enum class Result : std::uint8_t { black = 0, white = 1, draw = 2, none = 3 };

// A playout: its first placement, its length in moves (a swap is one), its result.
struct PlayoutRecord {
  Move first;
  std::int16_t moves;
  Result result;
  bool swapped;
};

// The output of a network for a position: the winrate of the player to move, a prior for each legal
// move in order, and, row by row from the bottom, the probability that the player to move owns each
// point at the end.
struct NetworkOutput {
  float winrate = 0.5F;
  std::vector<float> priors;
  std::vector<float> ownership;
};

// A set-up position, by color; cells as in Position::cells().
struct Placement {
  std::span<const std::int8_t> cells;
  Color to_move = Color::black;
  bool swapped = false;
};

// An immutable position, with as much history as the rules need.
class Position {
 public:
  // A starting position, or a set-up one. Throws std::invalid_argument for an unknown option or an
  // invalid position.
  Position(const GameType& type, const Rules& rules, const Placement* placement);

  // The position without its history.
  const AnyGame& game() const { return game_; }
  // The positions before it, as far as the rules need them.
  History history() const { return history_.history(); }
  const Rules& rules() const { return rules_; }
  Color to_move() const { return color(game_.turn(), game_.swapped()); }
  Result result() const { return is_drawn_ ? Result::draw : result(game_.outcome(), game_.swapped()); }
  bool is_legal(Move move) const { return !is_drawn_ && game_.is_legal(move); }
  std::vector<Move> legal_moves() const;

  // Properties that the cells do not show; most games have none.
  std::vector<Note<Color>> notes() const;

  // One byte per point, in rows from the bottom, each from left to right: 0 empty, 1 black, 2
  // white, 3 and 4 their kings, 5 empty but banned for this move, -1 no point.
  std::vector<std::int8_t> cells() const;

  // Returns the position after a move; throws std::invalid_argument if it is illegal.
  std::unique_ptr<const Position> play(Move move) const;

  // Perft: the number of sequences of `depth` turns, and of distinct positions after 1 to `depth`
  // turns; incomplete if `stop` is set. Throws std::bad_alloc if the positions need more than
  // `memory_bytes`.
  std::uint64_t count_sequences(int depth, const std::atomic<bool>& stop) const;
  std::uint64_t count_positions(int depth, std::size_t memory_bytes,
                                const std::atomic<bool>& stop) const;

  // Plays uniformly random games from here, one record per game, until the span is full or `stop`
  // is set; returns their number.
  std::size_t play_out(std::uint64_t seed, std::span<PlayoutRecord> records,
                       const std::atomic<bool>& stop) const;

  // The input of a network for the player to move, in a symmetry of the board, modulo the number of
  // symmetries: [padded planes][rows from the bottom][columns], values from 0 to kOne.
  std::vector<std::uint8_t> planes(unsigned symmetry) const;

  // The output of a network. instruction_set: one of inference_instruction_sets(); default: the
  // fastest for the position's own. Throws std::invalid_argument if the network does not fit the
  // game.
  NetworkOutput evaluate(std::shared_ptr<const Network> network, unsigned symmetry,
                         std::string_view instruction_set = {}) const;

  // Evaluates the position by a network `count` times, for benchmarks. instruction_set, errors: as
  // for evaluate().
  void evaluate_often(std::shared_ptr<const Network> network, std::string_view instruction_set,
                      std::size_t count) const;

  // A search from this position, by playouts if there is no network. Throws std::invalid_argument
  // for a method that the game does not have or a network that does not fit, std::bad_alloc if its
  // memory cannot be reserved.
  std::unique_ptr<Search> search(const SearchOptions& options,
                                 std::shared_ptr<const Network> network) const;

 private:
  // The first player plays the first side, until a swap.
  Color color(Side side, bool swapped) const {
    return static_cast<Color>(index(side) ^ static_cast<int>(swapped != game_.traits().white_first));
  }
  Cell by_color(Cell cell) const;
  Result result(Outcome outcome, bool swapped) const;

  Rules rules_;
  AnyGame game_;
  SharedHistory history_;
  bool is_drawn_ = false;  // by repetition, which the game itself does not detect
};

// The names of all games.
std::vector<std::string_view> games();

// The instruction sets that this build has code for and this machine supports, plainest first.
std::vector<std::string_view> instruction_sets();

// The starting position of a game, or a set-up one, computed with the given instruction set. Throws
// std::invalid_argument for an unknown game or instruction set, a size out of range, and like the
// constructor.
std::unique_ptr<const Position> new_position(std::string_view game, const Rules& rules,
                                             const Placement* placement,
                                             std::string_view instruction_set);

}  // namespace pinchtp
