"""The games pinchtp plays: one entry each, from which everything else takes its facts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import NamedTuple

from pinchtp import _core
from pinchtp._core import MAX_SIZE, MIN_SIZE, Position
from pinchtp.base.options import BOOL, Bool, Option
from pinchtp.games.bushka import BushkaNotation
from pinchtp.games.notation import Notation, PointNotation

SINGLE_POINTS = PointNotation()

MCTS, UCT, ALPHA_BETA = "mcts", "uct", "alpha-beta"
"""Searches: Monte-Carlo tree search by the network or by random playouts with all that helps them,
the plainest form of it, and alpha-beta search."""
NOTHING_AGREED: Mapping[str, object] = {}
RuleValue = int  # of a rule option; a bool for a switch


class Color(IntEnum):
    """A player, by the color of the stones; the values are those of the core."""

    BLACK = 0
    WHITE = 1

    @classmethod
    def read(cls, word: str) -> Color:
        """A color by its letter or its name, in any case. Raises ValueError for another word."""
        color = COLOR_WORDS.get(word.lower()) if word.isascii() else None
        if color is None:
            raise ValueError(f"{word!r} is no color")
        return color

    @property
    def opponent(self) -> Color:
        return Color(1 - self)

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
        """`Black` or `White`, as a player is called."""
        return self.name.capitalize()

    def __str__(self) -> str:
        return self.name.lower()


COLOR_WORDS = {word: color for color in Color for word in (color.letter, str(color))}
"""The words for colors in GTP and wherever people type them, in small letters."""


# What games tell about positions beyond the cells; see _core.Position.notes.
ATARI, LIFTED = "atari", "lifted"


class Marker(NamedTuple):
    """One of those: its name, whose it is, and the points it is about, if it is about any."""

    name: str
    color: Color
    points: list[int]


def markers(position: Position) -> list[Marker]:
    """What the game tells about a position beyond the cells."""
    return [Marker(name, Color(color), points) for name, color, points in position.notes]


@dataclass(frozen=True)
class RuleOption(Option):
    """A rule that players can agree on before a game.

    name: also as the core knows it. type: Bool or Int. default: unless players agree on another.
    title: what a game without it is said to lack; empty: the name.
    opening: whether it concerns the start of a game only; a position set up by hand is without it.
    sgf: the words for a switch that is off and one that is on, in the RU of a record; None: nothing
    and the name. A number is written as `name=value`.
    """

    title: str = ""
    opening: bool = False
    sgf: tuple[str, str] | None = None

    @property
    def is_switch(self) -> bool:
        return isinstance(self.type, Bool)

    def agreed(self, value: object) -> RuleValue:
        """Returns the value of a text or a typed value. Raises ValueError that names the rule."""
        try:
            return self.read(value)  # type: ignore[no-any-return]
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None

    def to_sgf(self, value: RuleValue) -> str:
        """The word for a value in a record; empty if it is the default."""
        return self._switch_words[value] if self.is_switch else f"{self.name}={value}"

    def from_sgf(self, words: Collection[str]) -> RuleValue:
        """The value that a record's words tell, the default if they do not.

        Raises ValueError for a number out of range.
        """
        if not self.is_switch:
            told = [word.partition("=")[2] for word in words if word.startswith(f"{self.name}=")]
            return self.agreed(told[0]) if told else self.default
        off, on = self._switch_words
        return True if on in words else False if off in words else self.default

    @property
    def _switch_words(self) -> tuple[str, str]:
        return self.sgf or ("", self.name)


PIE = RuleOption(
    "pie",
    BOOL,
    True,
    "whether the second player may swap",
    title="pie rule",
    opening=True,
    sgf=("no swap", "swap"),
)
NO_PIE = replace(PIE, default=False)  # unless players agree on it


@dataclass(frozen=True)
class Game:
    """All that the program outside the core knows about a game.

    name: as typed by users and as the core knows it. title: as shown to people.
    size: columns and rows unless others are asked for. smallest, largest: the sizes there are.
    options: the rules that players can agree on; the core's header of the game reads them by name.
    handicap: whether black stones in advance can be agreed.
    sides: whether each player owns two opposite sides of the board.
    first: who moves first.
    places_stones: whether a turn puts a stone on the board, rather than move one that is there.
    expected_turns: the mean length of games of the engine against itself, in turns per point of the
    board (pinchtp/player/README.md); the clock estimates from it how many turns are still to come.
    boards: those it is measured on, if not only the usual one.
    cells: what can be on a point, as in Position.cells().
    goal: how the game is won, for people; win_text: how it has been won, with {winner} or {loser}
    in it. Both are for games without sides to own.
    refusal: why a stone may not be put on an empty point, if that can be.
    sgf_number: the game's GM in SGF, None where it has none.
    searches: those that can play it, the strongest first, which plays unless another is asked for.
    guides_solver: whether the solver is faster with the game's network than without, as measured
    (tools/learn/README.md).
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
    searches: tuple[str, ...] = (MCTS, UCT)
    guides_solver: bool = False

    @property
    def id(self) -> str:
        """The title as one word, as GoGui wants it."""
        return self.title.title().replace(" ", "")

    @property
    def sizes(self) -> str:
        """Which boards there are, for people."""
        if self.smallest == self.largest:
            return f"{self.largest}x{self.largest} only"
        return f"{self.smallest} to {self.largest} columns and rows"

    def rules_of(self, position: Position) -> dict[str, RuleValue]:
        """The values of the rule options that hold in a position of this game."""
        values = position.options
        return {
            option.name: bool(values[option.name]) if option.is_switch else values[option.name]
            for option in self.options
        }

    @property
    def swaps(self) -> bool:
        """Whether players can agree on a swap."""
        return any(option.name == PIE.name for option in self.options)

    def rules(self, given: Mapping[str, object] = NOTHING_AGREED) -> dict[str, RuleValue]:
        """The values of all rule options, as usual where nothing is given.

        given: values or their texts. An option that only other games have may be there if it is
        off. Raises ValueError for an option that the game does not have, and for what is no value.
        """
        values = {option.name: option.default for option in self.options}
        for name, value in given.items():
            if name not in RULE_OPTIONS:
                raise ValueError(f"{self.title} has no option {name!r}")
            option = RULE_OPTIONS[name]
            agreed = option.agreed(value)
            if name in values:
                values[name] = agreed
            elif agreed:
                raise ValueError(f"{self.title} has no {option.title or name}")
        return values

    def start(self, width: int, height: int, **options: object) -> Position:
        """The starting position; options: see rules().

        Raises ValueError for a size out of range and for an option that the game does not have.
        """
        return _core.new_position(
            self.name, width, height, instruction_set=None, **self.rules(options)
        )

    def set_up(  # noqa: PLR0913  (what makes a position)
        self,
        width: int,
        height: int,
        cells: bytes,
        to_move: Color,
        *,
        swapped: bool = False,
        options: Mapping[str, object] = NOTHING_AGREED,
    ) -> Position:
        """A position set up by hand; cells as in Position.cells(), options as in rules().

        Nothing that concerns the opening only holds in it, such as a swap. Raises ValueError for
        what makes no position.
        """
        rules = self.rules(options)
        lasting = {each.name: rules[each.name] for each in self.options if not each.opening}
        return _core.set_up(
            self.name, width, height, cells, to_move, swapped=swapped, options=lasting
        )


GAMES: dict[str, Game] = {
    game.name: game
    for game in (
        Game(
            name="pinch",
            title="Pinch",
            size=(11, 11),
            options=(PIE,),
            sides=True,
            expected_turns=0.45,
            boards=((9, 9), (11, 11), (13, 13), (19, 19)),
            guides_solver=True,
        ),
        Game(
            name="pinch-remove",
            title="Pinch with removal",
            size=(9, 9),
            options=(PIE,),
            sides=True,
            expected_turns=1.0,
            boards=((13, 13),),
            cells=bytes([0, 1, 2, 5]),
            refusal="a stone was captured there",
        ),
        Game(
            name="pinch-relocate",
            title="Pinch with relocation",
            size=(13, 13),
            options=(PIE,),
            sides=True,
            expected_turns=0.45,
            notation=PointNotation(multi_part=True),
            cells=bytes([0, 1, 2, 5]),
            refusal="it changed in this turn, or a stone there would capture one on such a point",
        ),
        Game(
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
                    "whether First Capture Go begins with two crossed pairs of stones in the "
                    "centre",
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
        Game(
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

# The rule options of all games, by name. Games that share one differ in its default only.
RULE_OPTIONS: dict[str, RuleOption] = {
    option.name: option for game in GAMES.values() for option in game.options
}


def sizes_of_games() -> str:
    """Which boards each game has, in one line; games of the same sizes stand together."""
    names: dict[str, list[str]] = {}
    for game in GAMES.values():
        names.setdefault(game.sizes, []).append(game.name)
    return "; ".join(f"{', '.join(games)}: {sizes}" for sizes, games in names.items())


def default_rule(name: str) -> RuleValue | None:
    """The default of a rule option; None where it depends on the game."""
    defaults = {
        option.default for game in GAMES.values() for option in game.options if option.name == name
    }
    return defaults.pop() if len(defaults) == 1 else None
