// A position of any game as a value, so that code without vector instructions is compiled once, not
// for each game, board layout and instruction set.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rng.hpp"
#include "types.hpp"

namespace pinchtp {

class PlaneWriter;

// Properties shared by all positions of a game.
struct GameTraits {
  std::string_view name;
  bool white_first;                           // whether White plays the first side
  bool repeats;                               // whether the third occurrence is a draw
  bool multi_step;                            // whether a turn can have several steps
  Reflections reflections;                    // that preserve its rules
  std::span<const std::string_view> options;  // names of its rule options
  std::size_t bytes;                          // size of a position
  int max_side;                               // largest side of a board
  std::string_view instruction_set;           // of playouts and searches
  float exploration;                          // UCT's constant with playouts
  std::span<const std::string_view> planes;   // input planes of networks
  std::span<const Symmetry> symmetries;       // of the oriented board, for network input
};

// Frequently used properties of a position, cached.
struct Status {
  Side turn;
  Outcome outcome;
  bool mid_turn;
  std::optional<Side> amaf_side;  // see the concept Game
};

// A position packed into words, the same for every instruction set (games/packed.hpp).
struct PackedGame {
  std::array<std::uint64_t, 144> words;  // Pinch with relocation needs 138
};

// The rows of a position's layers (see the concept Game).
using LayerRows = std::array<std::array<std::uint32_t, kMaxSize>, 3>;

// The operations on positions of a game on one board layout, with playouts and searches for one
// instruction set. Positions take traits.bytes of memory, aligned to kAlignment, and need no
// destructor. The functions are documented in the concept Game.
class GameType {
 public:
  static constexpr std::size_t kAlignment = 64;  // for the widest vectors

  explicit GameType(const GameTraits& traits) : traits(traits) {}
  virtual ~GameType() = default;

  const GameTraits traits;

  // The starting position, or a set-up one. Throw std::invalid_argument for an invalid position.
  virtual AnyGame start(const Rules& rules) const = 0;
  virtual AnyGame set_up(const Rules& rules, const Setup& setup) const = 0;

  virtual void copy(void* to, const void* from) const = 0;
  virtual Status status(const void* game) const = 0;
  virtual Status play(void* game, Move move) const = 0;
  // Plays random moves to the end and adds to `placed` every stone put down that counts in the
  // all-moves-as-first statistics. Writes the final position to `end`, memory for one, unless it is
  // null.
  virtual Playout playout(const void* game, Rng& rng, Placements& placed, void* end) const = 0;

  virtual bool swapped(const void* game) const = 0;
  virtual bool swap_open(const void* game) const = 0;
  virtual bool is_legal(const void* game, Move move) const = 0;
  virtual std::vector<Move> legal_moves(const void* game) const = 0;
  virtual bool wins_at(const void* game, Side side, Move move) const = 0;
  virtual std::vector<Move> winning_points(const void* game, Side side) const = 0;
  virtual std::vector<Move> winning_chain(const void* game) const = 0;
  virtual Hash128 hash(const void* game) const = 0;
  virtual BoardSize size(const void* game) const = 0;
  // Row by row from the bottom, each from left to right.
  virtual void fill_cells(const void* game, std::span<Cell> cells) const = 0;
  // For games with reflections: writes the rows of each layer from the bottom, with bit x for the
  // point (x, y). Returns the queue, or 0 without one.
  virtual std::uint64_t fill_layers(const void* game, LayerRows& rows) const = 0;
  virtual std::vector<Note<Side>> notes(const void* game) const = 0;

  // The symmetry that orients the board for networks, so that the mover's edges are always the
  // same; and the given planes, by number, of the board in such a symmetry.
  virtual Symmetry orientation(const void* game) const = 0;
  virtual void write_planes(const void* game, const Symmetry& symmetry,
                            std::span<const std::size_t> planes, PlaneWriter& writer) const = 0;

  // A search, its hot loops compiled for the same instruction set. Throws std::invalid_argument for a
  // method that the game does not have, std::bad_alloc if its memory cannot be reserved.
  virtual std::unique_ptr<Search> search(const AnyGame& game, const History& history,
                                         const SearchOptions& options,
                                         std::unique_ptr<Evaluator> evaluator) const = 0;
};

class AnyGame {
 public:
  // A copy of the position in memory owned by the caller.
  AnyGame(const GameType& type, const void* game) : type_(&type), status_(type.status(game)) {
    type.copy(memory_, game);
  }
  AnyGame(const AnyGame& other) : type_(other.type_), status_(other.status_) {
    type_->copy(memory_, other.memory_);
  }
  AnyGame& operator=(const AnyGame& other) {
    type_ = other.type_;
    status_ = other.status_;
    type_->copy(memory_, other.memory_);
    return *this;
  }

  const GameType& type() const { return *type_; }
  const GameTraits& traits() const { return type_->traits; }
  const void* memory() const { return memory_; }

  Side turn() const { return status_.turn; }
  Outcome outcome() const { return status_.outcome; }
  bool mid_turn() const { return status_.mid_turn; }
  // The side whose stone `move` puts down, if the move has all-moves-as-first statistics.
  std::optional<Side> amaf_side(Move move) const {
    return is_point(move) ? status_.amaf_side : std::nullopt;
  }

  bool swapped() const { return type_->swapped(memory_); }
  // The side that Black plays.
  Side black() const { return swapped() == traits().white_first ? Side::first : Side::second; }
  bool swap_open() const { return type_->swap_open(memory_); }
  bool is_legal(Move move) const { return type_->is_legal(memory_, move); }
  std::vector<Move> legal_moves() const { return type_->legal_moves(memory_); }
  bool wins_at(Side side, Move move) const { return type_->wins_at(memory_, side, move); }
  std::vector<Move> winning_points(Side side) const { return type_->winning_points(memory_, side); }
  std::vector<Move> winning_chain() const { return type_->winning_chain(memory_); }
  Hash128 hash() const { return type_->hash(memory_); }
  BoardSize size() const { return type_->size(memory_); }
  void fill_cells(std::span<Cell> cells) const { type_->fill_cells(memory_, cells); }
  std::uint64_t fill_layers(LayerRows& rows) const { return type_->fill_layers(memory_, rows); }
  std::vector<Note<Side>> notes() const { return type_->notes(memory_); }
  // The symmetry of the board for network input, by number, modulo the number of symmetries.
  Symmetry shown_in(unsigned symmetry) const {
    return type_->orientation(memory_).then(traits().symmetries[symmetry % traits().symmetries.size()]);
  }
  void write_planes(const Symmetry& symmetry, std::span<const std::size_t> planes,
                    PlaneWriter& writer) const {
    type_->write_planes(memory_, symmetry, planes, writer);
  }

  void play(Move move) { status_ = type_->play(memory_, move); }
  Playout playout(Rng& rng, Placements& placed) const {
    return type_->playout(memory_, rng, placed, nullptr);
  }
  AnyGame played_to_end(Rng& rng) const {
    AnyGame end = *this;
    Placements placed;
    type_->playout(memory_, rng, placed, end.memory_);
    end.status_ = type_->status(end.memory_);
    return end;
  }

  static constexpr std::size_t kMaxBytes = 1152;

 private:
  const GameType* type_;
  Status status_;
  alignas(GameType::kAlignment) std::byte memory_[kMaxBytes];
};

}  // namespace pinchtp
