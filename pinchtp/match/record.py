"""Scheduled games, and records of played games: moves, result and termination.

These are plain values, which can be sent to other processes and machines, and are stored unchanged.
Unknown fields are rejected, because in a damaged store one may replace a known field.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Annotated

from msgspec import Meta, Struct, field

from pinchtp.games import Color


class Opening(Struct, frozen=True, forbid_unknown_fields=True):
    """An opening. moves: as texts, starting with the first player's; then the engines take over."""

    name: str = ""
    moves: tuple[str, ...] = ()


Key = tuple[str, str, int]  # a pairing, and the number of a game, or of a pair of games, in it


class EngineIdentity(Struct, frozen=True, forbid_unknown_fields=True):
    """The identity of an engine that played: its name and version, and a hash of its files."""

    name: str
    version: str
    command: str
    binary: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.version}, hash {self.binary or 'unknown'}"


class ScheduledGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A game to be played, identified by its pairing and number.

    pairing: names of engines, in the order of the match. number: of the game within its pairing,
    from 0; colors are reversed after each game, and two games are a pair. attempt: number of
    earlier void attempts. display_number: the number for users, from 1, in starting order.
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
        """The key of the two games with one opening and colors reversed."""
        return (*self.pairing, self.number // 2)

    @property
    def black(self) -> str:
        return self.pairing[self.number % 2]

    @property
    def white(self) -> str:
        return self.pairing[1 - self.number % 2]

    @property
    def label(self) -> str:
        """The number for users, with the attempt unless it is the first."""
        return f"{self.display_number}" + (f".{self.attempt + 1}" if self.attempt else "")

    def player(self, color: Color) -> str:
        return self.black if color == Color.BLACK else self.white


class Termination(StrEnum):
    """Why a game ended.

    RULES: decided on the board, or drawn by the rules. RESIGNATION: genmove returned `resign`.
    AGREED: adjudicated, because the engines' evaluations agreed for several moves. CAP: drawn at
    the move limit. PROVEN: adjudicated by our solver. SCORED: without a referee, by the engines'
    final_score. TIME, ILLEGAL, DIED, HUNG, UNEXPECTED_OUTPUT, PROTOCOL, MEMORY: the engine of one
    side failed in this way. DISAGREED: the engines (or engine and referee) disagree about the
    result. SCORE does not end a game: a final_score contradicts the board, or takes too long.
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
    UNEXPECTED_OUTPUT = "unexpected-output"
    PROTOCOL = "protocol"
    MEMORY = "memory"
    DISAGREED = "disagreed"
    SCORE = "score"


class Draw(Enum):
    """The result of a draw."""

    DRAW = "draw"

    def __str__(self) -> str:
        return self.value


DRAW = Draw.DRAW
Winner = Color | Draw  # as text `black`, `white` or `draw`


def describe_winner(winner: Winner) -> str:
    """Returns the result of a game as a clause."""
    return "the game is drawn" if winner == DRAW else f"{winner} has won"


class MoveRecord(Struct, frozen=True, array_like=True, gc=False):
    """A move: its color, its text, and its seconds by the referee's clock.

    The steps of a turn are one move, except in records by earlier versions. winrate: the engine's
    own evaluation, in [0, 1], or None; of its last step. book: whether it is part of the opening.
    """

    color: Color
    text: str
    seconds: Annotated[float, Meta(ge=0)] = 0.0
    winrate: Annotated[float, Meta(ge=0, le=1)] | None = None
    book: bool = False


class GameResult(Struct, frozen=True):
    """The end of a game, with the fields of a GameRecord."""

    winner: Winner | None
    termination: Termination
    detail: str = ""
    failed: Color | None = None


class Violation(Struct, frozen=True, array_like=True):
    """An engine's error that did not change the result."""

    color: Color
    termination: Termination


Time = Annotated[float, Meta(ge=0, lt=1e11)]  # seconds; those since 1970 end in the year 5138


class GameRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A played game.

    winner: None for a void game, which is replayed. termination: the reason for its end; detail:
    the same in words. failed: the color of the engine that failed, if any. faults: further errors.
    stderr: the last output of the failed engine on standard error. transcript: commands and
    responses, stored after any failure. sgf: the game, empty without a referee. overhead: the
    runner's own time per move, in seconds. late: seconds of the response at which the flag of the
    failed engine fell, which made no move; 0 without one.
    """

    game: ScheduledGame
    winner: Winner | None
    termination: Termination = field(name="cause")  # its name in the store
    detail: str = ""
    failed: Color | None = None
    moves: tuple[MoveRecord, ...] = ()
    identities: Mapping[Color, EngineIdentity] = {}
    started: Time = 0.0  # since 1970
    seconds: Time = 0.0
    overhead: float = 0.0
    late: Time = 0.0
    machine: str = ""
    stderr: str = ""
    transcript: str = ""
    sgf: str = ""
    faults: tuple[Violation, ...] = ()

    @property
    def is_void(self) -> bool:
        return self.winner is None
