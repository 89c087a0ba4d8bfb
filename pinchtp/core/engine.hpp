// The interface of the core: positions of any game, by color, with everything that is templated (the
// game, its board layout, the instruction set) hidden behind it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/board_fill.hpp"
#include "evaluation/network/inference.hpp"
#include "search/search.hpp"
#include "search/solver/solver.hpp"
#include "types.hpp"

namespace pinchtp {

enum class Color : std::uint8_t { black = 0, white = 1 };

// The state of a game, by color.
enum class Result : std::uint8_t { black = 0, white = 1, draw = 2, none = 3 };

// A random game: its first placement, its length in moves (a swap is one), how it ended.
struct PlayoutRecord {
  Move first;
  std::int16_t moves;
  Result result;
  bool swapped;
};

// The output of a network for a position: the chance to win of the player to move, a prior for each
// legal move in their order, and, row by row from the bottom, the chance of the player to move to own
// each point at the end.
struct NetworkOutput {
  float winrate = 0.5F;
  std::vector<float> priors;
  std::vector<float> ownership;
};

// An immutable position, with as much of its history as the rules need. Aligned as all that derive
// from it, since the bindings free it by this class.
class alignas(64) Position {
 public:
  virtual ~Position() = default;

  virtual std::string_view game() const = 0;
  virtual const Rules& rules() const = 0;
  virtual Color to_move() const = 0;
  virtual Result result() const = 0;
  virtual bool mid_turn() const = 0;
  virtual bool swapped() const = 0;
  virtual bool swap_open() const = 0;
  virtual bool is_legal(Move move) const = 0;
  virtual std::vector<Move> legal_moves() const = 0;
  virtual std::vector<Move> winning_chain() const = 0;
  virtual Hash128 hash() const = 0;

  // Properties that the cells do not show; most games have none.
  virtual std::vector<Note<Color>> notes() const = 0;

  // One byte per point, rows from the bottom, each from the left: 0 empty, 1 black, 2 white, 3 and 4
  // their kings, 5 empty but banned for this move, -1 no point.
  virtual void fill_cells(std::span<std::int8_t> cells) const = 0;

  // The position after a move; throws std::invalid_argument if it is not legal.
  virtual std::unique_ptr<const Position> play(Move move) const = 0;

  // Perft: the number of sequences of `depth` turns, and of distinct positions after 1 to `depth`
  // turns; less once `stop` is set. Throws std::bad_alloc if the positions need more than
  // `memory_bytes`.
  virtual std::uint64_t count_sequences(int depth, const std::atomic<bool>& stop) const = 0;
  virtual std::uint64_t count_positions(int depth, std::size_t memory_bytes,
                                        const std::atomic<bool>& stop) const = 0;

  // Plays uniformly random games from here, one record each, until the span is full or `stop` is set;
  // returns their number.
  virtual std::size_t play_out(std::uint64_t seed, std::span<PlayoutRecord> records,
                               const std::atomic<bool>& stop) const = 0;

  // The names of the input planes of this game's networks; none if no network plays the game.
  virtual std::vector<std::string_view> plane_names() const = 0;

  // The board is turned for networks as the planes of the game say, so that both players see it alike,
  // and may then be shown in one of its images, by number, which counts modulo images(). How that is:
  virtual unsigned images() const = 0;
  virtual Symmetry shown_in(unsigned image) const = 0;

  // The input of a network, from the view of the player to move: [planes][rows from the bottom]
  // [columns], from 0 to kOne.
  virtual std::vector<std::uint8_t> planes(unsigned image) const = 0;

  // The output of a network. instruction_set: of inference_instruction_sets(); none: the fastest there
  // is for the position's. Throws std::invalid_argument if the network does not fit the game.
  virtual NetworkOutput evaluate(std::shared_ptr<const Network> network, unsigned image,
                                 std::string_view instruction_set = {}) const = 0;

  // Evaluates the position by a network `count` times: for measurements. instruction_set: likewise.
  // Throws std::invalid_argument likewise.
  virtual void evaluate_often(std::shared_ptr<const Network> network, std::string_view instruction_set,
                              std::size_t count) const = 0;

  // A search rooted here, by random playouts if there is no network. Throws std::invalid_argument for
  // options out of range or a network that does not fit, std::bad_alloc if its memory cannot be
  // reserved.
  virtual std::unique_ptr<Search> search(const SearchOptions& options,
                                         std::shared_ptr<const Network> network) const = 0;

  // A solver of positions of this game, size and options, guided by a network if there is one; throws
  // likewise.
  virtual std::unique_ptr<Solver> solver(std::size_t memory_bytes,
                                         std::shared_ptr<const Network> network = nullptr) const = 0;
};

// A position set up by hand, by color: cells as in Position::fill_cells.
struct Placement {
  std::span<const std::int8_t> cells;
  Color to_move = Color::black;
  bool swapped = false;
};

// The same by side. Throws std::invalid_argument for cells that are not a board of this size.
Setup by_side(const Placement& placement, const Rules& rules, bool white_first);

// The names of all games.
std::vector<std::string_view> games();

// The instruction sets this build has code for and this machine can run, plainest first.
std::vector<std::string_view> instruction_sets();

// A game's starting position, or the one set up, computed with the given instruction set. Throws
// std::invalid_argument for an unknown game or instruction set, a size out of range, an option that the
// game does not have, or cells that make no position.
std::unique_ptr<const Position> new_position(std::string_view game, const Rules& rules,
                                             const Placement* placement,
                                             std::string_view instruction_set);

}  // namespace pinchtp
