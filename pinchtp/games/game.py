"""Game definitions: one entry per game, read by all other modules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import NamedTuple

from pinchtp import _core
from pinchtp._core import MAX_SIZE, MIN_SIZE, Position
from pinchtp.base.option_types import BOOL, Bool
from pinchtp.base.options import Option
from pinchtp.games.bushka import BushkaNotation
from pinchtp.games.notation import (
    Notation,
    PointNotation,
    cell_of,
    coordinates,
    is_point,
)

SINGLE_POINTS = PointNotation()

MCTS, UCT, ALPHA_BETA = "mcts", "uct", "alpha-beta"
"""Searches: Monte Carlo tree search with a network or enhanced playouts, plain UCT, alpha-beta."""
NOTHING_AGREED: Mapping[str, object] = {}
RuleValue = int  # the value of a rule option; a bool for a switch


class Color(IntEnum):
    """A player, by the color of the stones; the values are those of the core."""

    BLACK = 0
    WHITE = 1

    def __bool__(self) -> bool:
        """True, so that `if game.winner:` does not miss Black's wins."""
        return True

    @classmethod
    def read(cls, word: str) -> Color:
        """Returns the color of a letter or name, in any case. Raises ValueError for other words."""
        color = COLOR_WORDS.get(word.lower()) if word.isascii() else None
        if color is None:
            raise ValueError(f"invalid color {word!r}")
        return color

    @property
    def opponent(self) -> Color:
        return Color(1 - self)

    @property
    def sign(self) -> int:
        """1 for Black, -1 for White: the sign of values of the owners of points."""
        return 1 - 2 * self

    @property
    def letter(self) -> str:
        """`b` or `w`, as in GTP."""
        return str(self)[0]

    @property
    def capital(self) -> str:
        """`B` or `W`, as in SGF and in results."""
        return self.name[0]

    @property
    def title(self) -> str:
        """`Black` or `White`, the name of the player."""
        return self.name.capitalize()

    def __str__(self) -> str:
        return self.name.lower()


COLOR_WORDS = {word: color for color in Color for word in (color.letter, str(color))}
"""The words for colors in GTP and user input, in lower case."""


# Facts about positions beyond the cells; see _core.Position.notes.
ATARI, LIFTED = "atari", "lifted"


class Marker(NamedTuple):
    """A fact about a position: its name, its color, and its points, if any."""

    name: str
    color: Color
    points: list[int]


def markers(position: Position) -> list[Marker]:
    """Returns the facts about a position beyond its cells."""
    return [Marker(name, Color(color), points) for name, color, points in position.notes]


# The values of cells; see Position.cells().
PIECES = bytes([1, 2, 3, 4])
KINGS = bytes([3, 4])
BANNED = 5
NO_CELL = 255


def stone_of(color: Color) -> int:
    """Returns the cell of a color's stone."""
    return color + 1


def color_of(cell: int) -> Color:
    """Returns the color of a stone or king."""
    return Color((cell - 1) % 2)


def own_cells(color: Color) -> bytes:
    """Returns the cells of a color's stones and kings."""
    return bytes([stone_of(color), stone_of(color) + 2])


def find_cell(position: Position, move: int) -> int | None:
    """Returns the index of a point in a position's cells; None if it is not on the board."""
    x, y = coordinates(move)
    if not is_point(move) or x >= position.width or y >= position.height:
        return None
    cell = cell_of(move, position.width)
    return None if position.cells()[cell] == NO_CELL else cell


def without_stones(cells: bytes) -> bytearray:
    """Returns the cells of the same board without stones and marks."""
    return bytearray(cell if cell == NO_CELL else 0 for cell in cells)


def place_stones(board: Position, stones: Iterable[tuple[Color, str]]) -> bytes:
    """Returns the cells of a board with exactly these stones, each with its vertex.

    Raises NotationError for text that is not a move, and ValueError for a pass, a swap, and a
    vertex off the board or given twice.
    """
    cells = without_stones(board.cells())
    notation = GAMES[board.game].notation
    for color, vertex in stones:
        cell = find_cell(board, notation.parse_point(vertex, board))
        if cell is None:
            raise ValueError(f"{vertex} is not a point of the board")
        if cells[cell]:
            raise ValueError(f"{vertex} is given twice")
        cells[cell] = stone_of(color)
    return bytes(cells)


def count_cells(cells: bytes, kinds: bytes) -> int:
    return sum(map(cells.count, kinds))


@dataclass(frozen=True)
class RuleOption(Option):
    """A rule that players can agree on before a game.

    name: its name, also in the core.
    type: Bool or Int.
    default: its value without an agreement.
    title: its name in messages; empty: the name.
    opening: whether it affects only the start of a game; set-up positions do not have it.
    sgf: the words in RU for off and on; None: no word for off, and the name for on. A number is
    written as `name=value`.
    """

    title: str = ""
    opening: bool = False
    sgf: tuple[str, str] | None = None

    @property
    def is_switch(self) -> bool:
        return isinstance(self.type, Bool)

    def parse_value(self, value: object) -> RuleValue:
        """Returns the value of a text or a typed value.

        Raises ValueError, with the name of the rule, for an invalid value.
        """
        try:
            return self.read(value)  # type: ignore[no-any-return]
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None

    def to_sgf(self, value: RuleValue) -> str:
        """Returns the word for a value in RU; empty if the value has no word."""
        return self._switch_words[value] if self.is_switch else f"{self.name}={value}"

    def from_sgf(self, words: Collection[str]) -> RuleValue:
        """Returns the value in the words of RU, or the default.

        Raises ValueError for a number out of range.
        """
        if not self.is_switch:
            values = [word.partition("=")[2] for word in words if word.startswith(f"{self.name}=")]
            return self.parse_value(values[0]) if values else self.default
        off, on = self._switch_words
        return True if on in words else False if off in words else self.default

    @property
    def _switch_words(self) -> tuple[str, str]:
        return self.sgf or ("", self.name)


PIE = RuleOption(
    "pie",
    BOOL,
    True,
    "allow the second player to swap",
    title="pie rule",
    opening=True,
    sgf=("no swap", "swap"),
)
NO_PIE = replace(PIE, default=False)


@dataclass(frozen=True)
class GameType:
    """The definition of a game in Python. The core has its rules.

    name: its name in commands and in the core. title: its name for display.
    size: default columns and rows. smallest, largest: the range of columns and rows.
    options: rules that players can agree on; the game's header in the core reads them by name.
    handicap: whether the game has handicap stones.
    sides: whether each player owns two opposite sides of the board.
    first: the color that moves first.
    places_stones: whether a turn places a stone rather than moves a piece.
    expected_turns: mean length of self-play games in turns per point (pinchtp/player/README.md);
    the clock estimates the remaining turns from it.
    boards: sizes for measurements; empty: only the default.
    cells: the values of a point, as in Position.cells().
    goal: how to win, for display. win_text: how the game was won, with {winner} or {loser}. Both
    are for games without sides.
    refusal: why an empty point may be illegal; empty if it cannot.
    sgf_number: the game's GM in SGF, or None.
    abstract_play: id and name of its variant on the site Abstract Play; empty: the site's default
    variant; None: the site does not have it.
    searches: the searches that can play it, the default first.
    guides_solver: whether the game's network speeds up the solver (tools/learn/HISTORY.md).
    has_zones: whether a proof can name the part of the board that a win depends on
    (solving/zone_proof.py).
    """

    name: str
    title: str
    size: tuple[int, int]
    expected_turns: float
    options: tuple[RuleOption, ...] = ()
    sides: bool = False
    first: Color = Color.BLACK
    handicap: bool = False
    places_stones: bool = True
    smallest: int = MIN_SIZE
    largest: int = MAX_SIZE
    notation: Notation = SINGLE_POINTS
    boards: tuple[tuple[int, int], ...] = ()
    cells: bytes = bytes([0, 1, 2])
    goal: str = ""
    win_text: str = ""
    refusal: str = ""
    sgf_number: int | None = None
    abstract_play: tuple[str, ...] | None = None
    searches: tuple[str, ...] = (MCTS, UCT)
    guides_solver: bool = False
    has_zones: bool = False

    @property
    def id(self) -> str:
        """Returns the title as one word, for GoGui."""
        return self.title.title().replace(" ", "")

    @property
    def sizes(self) -> str:
        """Returns the board sizes, for display."""
        if self.smallest == self.largest:
            return f"{self.largest}x{self.largest} only"
        return f"{self.smallest} to {self.largest} columns and rows"

    def rules_of(self, position: Position) -> dict[str, RuleValue]:
        """Returns the values of the rule options of a position."""
        values = position.options
        return {
            option.name: bool(values[option.name]) if option.is_switch else values[option.name]
            for option in self.options
        }

    @property
    def swaps(self) -> bool:
        """Returns whether the game has a swap option."""
        return any(option.name == PIE.name for option in self.options)

    def rules(self, given: Mapping[str, object] = NOTHING_AGREED) -> dict[str, RuleValue]:
        """Returns the values of all rule options, with defaults for the missing ones.

        given: values or their texts. An option of another game is accepted if it is off. Raises
        ValueError for an option that the game does not have and for an invalid value.
        """
        values = {option.name: option.default for option in self.options}
        for name, value in given.items():
            if name not in RULE_OPTIONS:
                raise ValueError(f"{self.title} has no option {name!r}")
            option = RULE_OPTIONS[name]
            agreed = option.parse_value(value)
            if name in values:
                values[name] = agreed
            elif agreed:
                raise ValueError(f"{self.title} has no {option.title or name}")
        return values

    def start(self, width: int, height: int, **options: object) -> Position:
        """Returns the start position. options: see rules().

        Raises ValueError for a size out of range or an invalid option.
        """
        return _core.new_position(
            self.name, width, height, instruction_set=None, **self.rules(options)
        )

    def start_of(self, position: Position) -> Position:
        """Returns the start position with the size and rules of a position."""
        return self.start(position.width, position.height, **self.rules_of(position))

    def set_up(  # noqa: PLR0913  (the parts of a position)
        self,
        width: int,
        height: int,
        cells: bytes,
        to_move: Color,
        *,
        swapped: bool = False,
        options: Mapping[str, object] = NOTHING_AGREED,
    ) -> Position:
        """Returns a set-up position.

        cells: as in Position.cells(). swapped: whether the players have exchanged colors. options:
        see rules(); options of the opening, such as the pie rule, do not apply. Raises ValueError
        for an invalid position or option.
        """
        rules = self.rules(options)
        lasting = {option.name: rules[option.name] for option in self.options if not option.opening}
        return _core.set_up(
            self.name, width, height, cells, to_move, swapped=swapped, options=lasting
        )


GAMES: dict[str, GameType] = {
    game.name: game
    for game in (
        GameType(
            name="pinch",
            title="Pinch",
            size=(11, 11),
            options=(PIE,),
            sides=True,
            expected_turns=0.45,
            abstract_play=("original", "Flip Pinch"),
            boards=((9, 9), (11, 11), (13, 13), (19, 19)),
            guides_solver=True,
            has_zones=True,
        ),
        GameType(
            name="pinch-remove",
            title="Pinch with removal",
            size=(9, 9),
            options=(PIE,),
            sides=True,
            expected_turns=1.0,
            boards=((13, 13),),
            cells=bytes([0, 1, 2, 5]),
            refusal="a stone was captured there",
            guides_solver=True,
        ),
        GameType(
            name="pinch-relocate",
            title="Pinch with relocation",
            size=(13, 13),
            options=(PIE,),
            sides=True,
            expected_turns=0.45,
            abstract_play=(),
            notation=PointNotation(multi_part=True),
            cells=bytes([0, 1, 2, 5]),
            refusal="it changed in this turn, or a stone there would capture one on such a point",
            guides_solver=True,
        ),
        GameType(
            name="capture-go",
            title="First Capture Go",
            size=(9, 9),
            expected_turns=0.6,
            options=(
                NO_PIE,
                RuleOption(
                    "crosscut",
                    BOOL,
                    False,
                    "start First Capture Go with two crossed pairs of stones",
                    opening=True,
                ),
            ),
            handicap=True,
            goal="the first capture wins, a pass loses",
            win_text="{winner} made the first capture",
            refusal="a stone there would have no liberty",
            sgf_number=1,
            guides_solver=True,
        ),
        GameType(
            name="bushka",
            title="Bushka",
            size=(10, 10),
            expected_turns=0.9,
            first=Color.WHITE,
            places_stones=False,
            smallest=10,
            largest=10,
            notation=BushkaNotation(),
            cells=bytes([0, 1, 2, 3, 4, 255]),
            goal="who cannot move loses",
            win_text="{loser} cannot move",
            searches=(ALPHA_BETA, MCTS, UCT),
        ),
    )
}

# The rule options of all games, by name. Games that share an option differ only in its default.
RULE_OPTIONS: dict[str, RuleOption] = {
    option.name: option for game in GAMES.values() for option in game.options
}


def find_game(name: object) -> GameType:
    """Returns the game of a name. Raises ValueError."""
    if not isinstance(name, str) or name not in GAMES:
        raise ValueError(f"unknown game {name!r}: expected {', '.join(GAMES)}")
    return GAMES[name]


def sizes_of_games() -> str:
    """Returns the board sizes of all games in one line, grouped by size."""
    names: dict[str, list[str]] = {}
    for game in GAMES.values():
        names.setdefault(game.sizes, []).append(game.name)
    return "; ".join(f"{', '.join(games)}: {sizes}" for sizes, games in names.items())


def default_rule(name: str) -> RuleValue | None:
    """Returns the default of a rule option, or None if it depends on the game."""
    defaults = {
        option.default for game in GAMES.values() for option in game.options if option.name == name
    }
    return defaults.pop() if len(defaults) == 1 else None
