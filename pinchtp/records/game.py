"""The results of all readers: unread games of a text, recorded games, and games with variations."""

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
from pinchtp.records.errors import OtherGame, RecordError

GIVE_GAME = f"give it with --game, or in Python with game=: {', '.join(GAMES)}"


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

    game: the game of a text that does not name it; None: every text has to name its game.
    options: rule options of that game, or of any game if it is None; a missing option has the
    game's default.
    start: the start of moves alone; None: a new game.
    is_required: whether records of other games are rejected.
    """

    game: GameType | None = None
    options: Mapping[str, RuleValue] = field(default_factory=dict)
    start: Position | None = None
    is_required: bool = False

    def game_of(self, named: GameType | None) -> GameType:
        """Returns the game of a text.

        named: the game that the text names; None without one. Raises RecordError if the game is
        unknown, and OtherGame if another one is required.
        """
        game = named or self.game
        if game is None:
            raise RecordError(f"the file does not name its game (in RU or GN); {GIVE_GAME}")
        if self.is_required and self.game is not None and game != self.game:
            raise OtherGame(game, self.game)
        return game

    def options_of(self, game: GameType) -> Mapping[str, RuleValue]:
        """Returns the default options for a game."""
        return self.options if self.game in (None, game) else {}


class RecordedGame(NamedTuple):
    """A game from its start to its end, checked by the rules.

    history: as in Session. doubt: a reason to assume that the record is of a different game, or
    empty.
    """

    game: GameType
    start: Position
    history: tuple[PlayedMove, ...] = ()
    info: GameHeader = NOTHING_KNOWN
    doubt: str = ""

    @classmethod
    def of(cls, session: Session) -> Self:
        """Returns the game of a session."""
        return cls(session.game, session.start, tuple(session.history), session.info)

    def session(self) -> Session:
        """Returns a session at the end of the game."""
        session = Session.at(self.game, self.start, self.history)
        session.info = self.info
        return session

    def load_into(self, session: Session, before: int | None = None) -> None:
        """Loads the game into a session.

        before: the number of the move before which to stop, from 1; 0 means 1; None: load all
        moves. Moves are counted as undo() counts them.
        """
        moves = undo_points(self.history)
        number = len(moves) + 1 if before is None else max(before, 1)
        if number > len(moves):
            session.load(self.start, self.history, self.info)
            return
        session.load(self.start, self.history[: moves[number - 1]], self.info.without_result())


@dataclass(eq=False, slots=True)
class RecordNode:
    """A node of a game with variations: its start, or a move.

    entries: the move, as in a session's history; empty for the start. children: the nodes that
    continue it. refused: the reasons why variations after it could not be read; the extras have
    their texts. texts: return the text of the node and those after it, one for each variation that
    begins with the same move.
    """

    entries: tuple[PlayedMove, ...] = ()
    children: list[RecordNode] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    texts: list[Callable[[], str]] = field(default_factory=list)


@dataclass(frozen=True)
class RecordedTree:
    """A game with its variations, checked by the rules.

    main: the nodes of its main line, the start first. The other fields are those of RecordedGame.
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
        for begin, end in pairwise([*undo_points(record.history), len(record.history)]):
            main.append(RecordNode(record.history[begin:end]))
            main[-2].children.append(main[-1])
        return cls(record.game, record.start, main, record.info, record.doubt)

    def main_line(self) -> RecordedGame:
        history = tuple(entry for node in self.main for entry in node.entries)
        return RecordedGame(self.game, self.start, history, self.info, self.doubt)


class UnreadGame(ABC):
    """A game in a text, not yet checked by the rules."""

    format: RecordFormat

    @abstractmethod
    def read(self) -> RecordedGame:
        """Returns the main line of the game. Raises RecordError."""

    def read_tree(self) -> RecordedTree:
        """Returns the game with its variations. Variations that break the rules remain texts.

        Raises RecordError for an invalid main line.
        """
        return RecordedTree.of(self.read())


@dataclass(frozen=True)
class OneLine(UnreadGame):
    """A game without variations. load: returns its session, or raises RecordError."""

    format: RecordFormat
    load: Callable[[], Session]
    usual: Usual

    def read(self) -> RecordedGame:
        session = self.load()
        self.usual.game_of(session.game)
        return RecordedGame.of(session)
