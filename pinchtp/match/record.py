"""A game that is to be played, and its record: moves, result, and why it ended.

Plain values, so that both can be sent to another process or machine, and so that the store, the
statistics and the page speak of the same things. Colors are `black` and `white`; times are seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Annotated, NamedTuple

from msgspec import Meta

from pinchtp.client.identity import EngineIdentity
from pinchtp.games import Color


@dataclass(frozen=True)
class Opening:
    """Moves made before the engines take over, as text, black's (or the first player's) first."""

    name: str = ""
    moves: tuple[str, ...] = ()


Key = tuple[str, str, int]  # a pairing, and a number of a game, or of a pair of games, within it


@dataclass(frozen=True)
class ScheduledGame:
    """A game to be played, which its pairing and number identify.

    pairing: names of engines, in the order of the match. number: of the game within its pairing,
    from 0; the two engines exchange colors after each, and two games are a pair. attempt: from 0,
    more for a void game that is replayed. display_number: the number by which people know it, from
    1, in the order in which games were begun.
    """

    pairing: tuple[str, str]
    number: int
    opening: Opening = Opening()
    attempt: int = 0
    display_number: int = 0

    @property
    def key(self) -> Key:
        return (*self.pairing, self.number)

    @property
    def pair(self) -> Key:
        """What identifies the two games with one opening and colors exchanged."""
        return (*self.pairing, self.number // 2)

    @property
    def black(self) -> str:
        return self.pairing[self.number % 2]

    @property
    def white(self) -> str:
        return self.pairing[1 - self.number % 2]

    @property
    def label(self) -> str:
        """The number for people, with the attempt if it is not the first."""
        return f"{self.display_number}" + (f".{self.attempt + 1}" if self.attempt else "")

    def player(self, color: Color) -> str:
        return self.black if color == Color.BLACK else self.white


class Termination(StrEnum):
    """Why a game ended.

    RULES: decided on the board, or drawn by the rules. RESIGNATION: by genmove's own word.
    AGREED: adjudicated, as the engines' evaluations agreed over several moves. CAP: drawn at the
    move cap. PROVEN: adjudicated by our solver. SCORED: no referee, the engines' final_score.
    TIME, ILLEGAL, DIED, HUNG, BABBLED, PROTOCOL, MEMORY: one side's engine failed in this way.
    DISAGREED: the engines (or engine and referee) do not agree on the result. SCORE is no end but a
    fault: a final_score that the board contradicts, or that takes too long.
    """

    RULES = "rules"
    RESIGNATION = "resignation"
    AGREED = "agreed"
    CAP = "cap"
    PROVEN = "proven"
    SCORED = "scored"
    TIME = "time"
    ILLEGAL = "illegal"
    DIED = "died"
    HUNG = "hung"
    BABBLED = "babbled"
    PROTOCOL = "protocol"
    MEMORY = "memory"
    DISAGREED = "disagreed"
    SCORE = "score"


class Draw(Enum):
    """What nobody wins."""

    DRAW = "draw"

    def __str__(self) -> str:
        return self.value


DRAW = Draw.DRAW
Winner = Color | Draw  # as text `black`, `white` or `draw`


class MoveRecord(NamedTuple):
    """One move: who made it, its text, and the seconds it took by the referee's clock.

    winrate: the mover's own evaluation, in [0, 1], where the engine reports one. book: part of the
    opening.
    """

    color: Color
    text: str
    seconds: Annotated[float, Meta(ge=0)] = 0.0
    winrate: Annotated[float, Meta(ge=0, le=1)] | None = None
    book: bool = False


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended; the fields are those of a GameRecord."""

    winner: Winner | None
    cause: Termination
    detail: str = ""
    failed: Color | None = None


class Violation(NamedTuple):
    """Something that an engine did wrong and that did not change the result."""

    color: Color
    cause: Termination


Time = Annotated[float, Meta(ge=0, lt=1e11)]  # seconds; those since 1970 end in the year 5138


@dataclass(frozen=True)
class GameRecord:
    """What came of a game.

    winner: None for a void game, which is played again. cause: why it ended; detail: the same in
    words. failed: the color whose engine failed, if one did. faults: what else went wrong. stderr:
    the tail of what the failed engine wrote there. transcript: the commands and answers, kept if
    anything went wrong. sgf: the game, empty if no referee knows it. overhead: seconds a move that
    the runner itself took, on the average.
    """

    game: ScheduledGame
    winner: Winner | None
    cause: Termination
    detail: str = ""
    failed: Color | None = None
    moves: tuple[MoveRecord, ...] = ()
    identities: Mapping[Color, EngineIdentity] = field(default_factory=dict)
    started: Time = 0.0  # since 1970
    seconds: Time = 0.0
    overhead: float = 0.0
    machine: str = ""
    stderr: str = ""
    transcript: str = ""
    sgf: str = ""
    faults: tuple[Violation, ...] = ()

    @property
    def is_void(self) -> bool:
        return self.winner is None
