"""The results of every reader: games of a text, and each as it was played."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
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
                "the file does not name its game (in RU or GN); give it with --game, or in Python "
                f"with game=: {names}"
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


@dataclass(eq=False, slots=True)
class RecordNode:
    """The start of a game with variations, or a move and what continues it.

    entries: the move as in a session's history; none at the start. refused: why variations that
    follow could not be read; the extras have their texts. texts: of the node and those after it,
    several where the same move begins several variations.
    """

    entries: tuple[PlayedMove, ...] = ()
    children: list[RecordNode] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    texts: list[Callable[[], str]] = field(default_factory=list)


@dataclass(frozen=True)
class RecordedTree:
    """A game with its variations, checked by the rules. main: the nodes of its main line, the start
    first. The other values are those of RecordedGame.
    """

    game: GameType
    start: Position
    main: Sequence[RecordNode]
    info: GameHeader = NOTHING_KNOWN
    doubt: str = ""

    @classmethod
    def of(cls, record: RecordedGame) -> Self:
        """Returns a game without variations."""
        main = [RecordNode()]
        for begin, end in pairwise([*undo_points(record.turns), len(record.turns)]):
            main.append(RecordNode(record.turns[begin:end]))
            main[-2].children.append(main[-1])
        return cls(record.game, record.start, main, record.info, record.doubt)

    def main_line(self) -> RecordedGame:
        turns = tuple(entry for node in self.main for entry in node.entries)
        return RecordedGame(self.game, self.start, turns, self.info, self.doubt)


class UnreadGame(ABC):
    """A game in a text, not yet checked by the rules."""

    format: RecordFormat

    @abstractmethod
    def read(self) -> RecordedGame:
        """Returns the game, of several variations the main line. Raises RecordError."""

    def read_tree(self) -> RecordedTree:
        """Returns the game with its variations. Those that break the rules remain texts.

        Raises RecordError for the main line.
        """
        return RecordedTree.of(self.read())


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
