"""The results of every reader: games of a text, and each as it was played."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Self

from pinchtp.games import GAMES, GameType, Position, RuleValue
from pinchtp.games.history import PlayedMove, undo_points
from pinchtp.games.session import NOTHING_KNOWN, GameHeader, Session
from pinchtp.records.errors import RecordError


class RecordFormat(StrEnum):
    """The formats that we read."""

    SGF = "sgf"
    ABSTRACT_PLAY = "abstract-play"
    LINK = "link"
    POSITION = "position"
    MOVES = "moves"


@dataclass(frozen=True)
class Usual:
    """The defaults for a text that does not state them.

    game: of a text that names none; None: every text has to name its own. options: rules of that
    game; of any, if it is None. start: where moves alone begin; None: a new game. is_required:
    whether other games are refused.
    """

    game: GameType | None = None
    options: Mapping[str, RuleValue] = field(default_factory=dict)
    start: Position | None = None
    is_required: bool = False

    def game_of(self, named: GameType | None) -> GameType:
        """Returns the game of a text. named: by the text, if it does. Raises RecordError."""
        game = named or self.game
        if game is None:
            names = ", ".join(GAMES)
            raise RecordError(
                f"neither RU nor GN names its game; name it by --game, or game=: {names}"
            )
        if self.is_required and self.game not in (None, game):
            raise RecordError(f"a record of {game.name}, not of {self.game.name}")
        return game

    def options_of(self, game: GameType) -> Mapping[str, RuleValue]:
        """Returns the options that hold in a game."""
        return self.options if self.game in (None, game) else {}


class RecordedGame(NamedTuple):
    """A game from its start to its end, checked by the rules.

    doubt: a sign that it is a record of another game, or empty.
    """

    game: GameType
    start: Position
    turns: tuple[PlayedMove, ...] = ()
    info: GameHeader = NOTHING_KNOWN
    doubt: str = ""

    @classmethod
    def of(cls, session: Session) -> Self:
        """Returns the game of a session."""
        return cls(session.game, session.start, tuple(session.history), session.info)

    def session(self) -> Session:
        """Returns a session at the end of the game."""
        session = Session.at(self.game, self.start, self.turns)
        session.info = self.info
        return session

    def load_into(self, session: Session, before: int | None = None) -> None:
        """Makes this the session's game, up to the position before that move (None: to the end).

        Moves are counted from 1 as undo takes them back; before 0 is before 1.
        """
        made = undo_points(self.turns)
        number = len(made) + 1 if before is None else max(before, 1)
        end = made[number - 1] if number <= len(made) else None
        session.load(self.start, self.turns[:end], self.info)


class UnreadGame(ABC):
    """A game in a text, not yet checked by the rules."""

    format: RecordFormat

    @abstractmethod
    def read(self) -> RecordedGame:
        """Returns the game, of several variations the main line. Raises RecordError."""

    def lines(self) -> Iterator[RecordedGame]:
        """Yields every line of the game, the main line first.

        Variations that break the rules are left out. Raises RecordError for the main line.
        """
        yield self.read()

    def count_lines(self) -> int:
        """Returns the number of lines, with those that lines() leaves out."""
        return 1


@dataclass(frozen=True)
class OneLine(UnreadGame):
    """A game without variations. load: returns it, or raises RecordError."""

    format: RecordFormat
    load: Callable[[], Session]
    usual: Usual

    def read(self) -> RecordedGame:
        session = self.load()
        self.usual.game_of(session.game)
        return RecordedGame.of(session)
