// Types that all parts of the core share: sides, moves, outcomes, rules, and the concept of a game.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace pinchtp {

class AnyGame;
class Evaluator;
class History;
class Search;
struct SearchOptions;

inline constexpr int kMinSize = 2;
inline constexpr int kMaxSize = 25;

constexpr bool is_board_size(int width, int height) {
  return kMinSize <= width && width <= kMaxSize && kMinSize <= height && height <= kMaxSize;
}

struct BoardSize {
  std::uint8_t width;
  std::uint8_t height;
};

// A side is a role, not a color: `first` made the first move of the game and, in a connection game,
// owns top and bottom. A swap only exchanges the colors of the sides.
enum class Side : std::uint8_t { first = 0, second = 1 };

constexpr Side other(Side side) { return static_cast<Side>(1 - static_cast<int>(side)); }
constexpr int index(Side side) { return static_cast<int>(side); }

// The result of a game, by side.
enum class Outcome : std::uint8_t { first = 0, second = 1, draw = 2, none = 3 };

constexpr Outcome win_for(Side side) { return static_cast<Outcome>(side); }

// The proven value of a move or a position for its player.
enum class Proof : std::uint8_t { unknown, win, loss, draw };

// The winrate of a proven move or position.
constexpr double winrate_of(Proof proof) {
  return proof == Proof::win ? 1 : proof == Proof::loss ? 0 : 0.5;
}

// The content of a point: a stone; in some games a king; empty; empty but banned for this move; or
// `none` where a non-rectangular board has no point.
enum class Cell : std::int8_t {
  none = -1,
  empty = 0,
  first = 1,
  second = 2,
  first_king = 3,
  second_king = 4,
  banned = 5,
};

constexpr Cell stone(Side side) { return side == Side::first ? Cell::first : Cell::second; }
constexpr Cell king(Side side) { return side == Side::first ? Cell::first_king : Cell::second_king; }
// The cell of a point with a stone of one side, or of neither. Without a branch, which would be
// unpredictable.
constexpr Cell stone_of(bool is_first, bool is_second) {
  return static_cast<Cell>(int{is_first} + 2 * int{is_second});
}
constexpr bool is_piece(Cell cell) { return Cell::first <= cell && cell <= Cell::second_king; }
// The side that a piece belongs to.
constexpr Side owner(Cell cell) {
  return cell == Cell::first || cell == Cell::first_king ? Side::first : Side::second;
}
// The same kind of piece of a side.
constexpr Cell piece_of(Side side, Cell piece) {
  return piece == king(owner(piece)) ? king(side) : stone(side);
}

// A move is a point, coded as y * kStride + x with x and y counted from the lower left corner, or
// one of the special moves, whose codes follow those of the points. In some games a turn has
// several steps; then each step is a move here, and the side to move changes only after the last
// one.
using Move = std::uint16_t;
inline constexpr int kStride = 32;
inline constexpr int kPoints = kStride * kStride;
inline constexpr Move kPass = kPoints;
inline constexpr Move kSwap = kPoints + 1;
inline constexpr Move kNoMove = kPoints + 2;

constexpr Move point(int x, int y) { return static_cast<Move>(y * kStride + x); }
constexpr int x_of(Move move) { return move % kStride; }
constexpr int y_of(Move move) { return move / kStride; }
constexpr bool is_point(Move move) { return move < kPoints; }

// The value of a rule option such as `pie`: 0 or 1 for a switch.
struct RuleOption {
  std::string_view name;
  int value = 0;
  friend bool operator==(const RuleOption&, const RuleOption&) = default;
};

// The rules of a game as a value: the size of its board and its rule options.
struct Rules {
  static constexpr int kMaxOptions = 4;  // per game

  int width = 9;
  int height = 9;
  std::array<RuleOption, kMaxOptions> options{};

  constexpr BoardSize size() const {
    return {static_cast<std::uint8_t>(width), static_cast<std::uint8_t>(height)};
  }

  // The value of an option; default: 0.
  constexpr int option(std::string_view name) const {
    for (const RuleOption& each : options)
      if (each.name == name) return each.value;
    return 0;
  }
  friend bool operator==(const Rules&, const Rules&) = default;
};

// A property of a position that the cells do not show, such as stones in atari: its name, its owner (a
// side or a color), and its points, if any.
template <class Owner>
struct Note {
  std::string_view name;
  Owner owner;
  std::vector<Move> points;
};

// A set-up position: its pieces, the side to move, and whether sides were swapped.
struct Setup {
  std::vector<std::pair<Move, Cell>> cells;  // nonempty cells
  Side turn = Side::first;
  bool swapped = false;
};

// The hash key of a position, wide enough to ignore collisions.
struct Hash128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend auto operator<=>(const Hash128&, const Hash128&) = default;
};

// The points on which stones were placed in a simulation, for all-moves-as-first statistics.
struct Placements {
  std::uint32_t rows[2][kStride] = {};  // by side and y; bit x
  Move first = kNoMove;

  void clear() { *this = {}; }
  void add(Side side, Move move) {
    if (first == kNoMove) first = move;
    rows[index(side)][y_of(move)] |= std::uint32_t{1} << x_of(move);
  }
};

// The result of a playout.
struct Playout {
  Outcome outcome;
  int moves;
  bool swapped = false;  // in the playout or before
};

// The reflections of the board that leave the rules of a game unchanged. `sides`: left and right,
// top and bottom, and both. `all`: on square boards also those at the diagonals.
enum class Reflections : std::uint8_t { none, sides, all };

// The number of reflections of a board of this size, including the identity, that preserve a game's
// rules.
constexpr int count_reflections(Reflections reflections, BoardSize size) {
  if (reflections == Reflections::none) return 1;
  return reflections == Reflections::all && size.width == size.height ? 8 : 4;
}

// The image of point (x, y) under a reflection, given by number.
constexpr Move reflected(int reflection, int x, int y, BoardSize size) {
  if (reflection & 1) x = size.width - 1 - x;
  if (reflection & 2) y = size.height - 1 - y;
  return reflection & 4 ? point(y, x) : point(x, y);
}

// A symmetry of the board: a reflection at the diagonal, then left-right, then top-bottom.
struct Symmetry {
  bool transposed = false;
  bool mirrored = false;  // left and right exchanged
  bool flipped = false;   // top and bottom exchanged

  // This symmetry followed by another.
  constexpr Symmetry then(const Symmetry& next) const {
    return {transposed != next.transposed, mirrored != next.mirrored, flipped != next.flipped};
  }
};

// Creates a search from a position with this history. Throws std::bad_alloc if its memory cannot be
// reserved.
using NewSearch = std::unique_ptr<Search>(const AnyGame& game, const History& history,
                                          const SearchOptions& options,
                                          std::unique_ptr<Evaluator> evaluator);

// A game, as required by any_game.hpp. A game is a small copyable value without history: the caller
// detects draws by repetition (history.hpp).
//
// Optional members: notes(), a list of Note<Side>; new_alpha_beta(), a NewSearch; kExploration, UCT's
// constant in searches by playouts; kReflections, the reflections that leave its rules unchanged. A
// game with kReflections is determined by layers(), two or three boards, of which the first two are
// the stones of the sides; the side to move; whether a swap is open; whether the move before was a
// pass; and, if it exists, queue(), a number.
template <class G>
concept Game = std::copyable<G> && std::constructible_from<G, const Rules&> &&
               std::constructible_from<G, const Rules&, const Setup&> &&
               requires(G game, const G& view, Move move, Side side) {
                 { G::kName } -> std::convertible_to<std::string_view>;
                 // The rule options that it reads from Rules.
                 { std::span<const std::string_view>(G::kOptions) };
                 // Whether the first side is White's; whether the third occurrence of a position draws;
                 // whether there are turns of several steps.
                 { G::kWhiteFirst } -> std::convertible_to<bool>;
                 { G::kRepeats } -> std::convertible_to<bool>;
                 { G::kMultiStep } -> std::convertible_to<bool>;
                 { view.turn() } -> std::same_as<Side>;
                 // Whether the side to move is within a turn of several steps.
                 { view.mid_turn() } -> std::same_as<bool>;
                 { view.swapped() } -> std::same_as<bool>;
                 { view.swap_open() } -> std::same_as<bool>;
                 { view.size() } -> std::same_as<BoardSize>;
                 { view.cell(move) } -> std::same_as<Cell>;
                 { view.winning_chain() } -> std::same_as<std::vector<Move>>;
                 { view.outcome() } -> std::same_as<Outcome>;
                 { view.is_legal(move) } -> std::same_as<bool>;
                 // In the order of their codes, except that a swap or pass comes last.
                 { view.legal_moves() } -> std::same_as<std::vector<Move>>;
                 { view.hash() } -> std::same_as<Hash128>;
                 // The side whose stone the next move puts down, if a stone there is worth about the
                 // same whenever it is placed: only such moves have all-moves-as-first statistics.
                 { view.amaf_side() } -> std::same_as<std::optional<Side>>;
                 { game.play(move) };
                 // Whether `side` would win immediately by this placement if it were its turn, and all
                 // such points; a game may omit wins that are too expensive to detect.
                 { view.wins_at(side, move) } -> std::same_as<bool>;
                 { view.winning_points(side) } -> std::same_as<std::vector<Move>>;
               };

}  // namespace pinchtp
