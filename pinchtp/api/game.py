"""A game in progress, for Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from reprlib import repr as shorten
from typing import TYPE_CHECKING, Any, Self

from pinchtp._core import SWAP, Position
from pinchtp.api.arguments import check_type, is_whole, whole
from pinchtp.api.sessions import DEFAULT, board_size, definition, parse_sgf
from pinchtp.base.option_types import Int
from pinchtp.games import GAMES, Color
from pinchtp.games.game import RuleValue
from pinchtp.games.history import PlayedMove
from pinchtp.games.notation import (
    RESIGN,
    AmbiguousMove,
    NoSuchMove,
    NotationError,
    cell_of,
    format_move,
    is_point,
    whole_turns,
)
from pinchtp.games.session import MOST_MOVES, GameHeader, IllegalMove, Session
from pinchtp.games.winrate import read_color
from pinchtp.records.abstract_play import encode, to_record
from pinchtp.records.position_line import position_line
from pinchtp.records.reader import read_position
from pinchtp.records.sgf import to_sgf
from pinchtp.render.svg import board_svg
from pinchtp.render.text import board_text, status_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

LISTED = 5  # legal moves that an error message names
UNDOABLE = Int(0, MOST_MOVES)


@dataclass(frozen=True)
class Outcome:
    """The end of a game. winner: None for a draw. resigned: the loser gave up. text: a sentence."""

    winner: Color | None
    resigned: bool
    text: str

    def __str__(self) -> str:
        return self.text


class Game:
    """A game in progress: a position, its history and the rules.

    Moves are texts: `E5`, `swap`, `pass`, and for the steps of one move `E5,C3,H8`; either case is
    read. A failed call changes nothing. Games are equal if they stand alike and can go on alike,
    whatever led to that; the hash changes with the position, so put a copy() into a set.
    """

    def __init__(
        self,
        game: str = DEFAULT,
        size: int | tuple[int, int] | None = None,
        *,
        moves: str | Iterable[str] = (),
        **rules: RuleValue,
    ) -> None:
        """Starts a game.

        game: one of game_names(). size: columns and rows, or both at once; default: the game's own.
        moves: to play, also as one text with spaces. rules: such as pie=False. Raises ValueError.
        """
        named = definition(game)
        self._session = Session(named, *board_size(named, size), **rules)
        check_type("moves", moves, Iterable, "moves, such as 'c3 swap' or ['c3', 'swap']")
        for number, move in enumerate(moves.split() if isinstance(moves, str) else moves, 1):
            try:
                self.play(move)
            except ValueError as error:
                raise type(error)(f"move {number}, {shorten(move)}: {error}") from None

    @classmethod
    def of_session(cls, session: Session) -> Self:
        """Returns a game around a session, which is not copied."""
        game = cls.__new__(cls)
        game._session = session
        return game

    # --- text

    @classmethod
    def from_text(cls, text: str, game: str = DEFAULT, **rules: RuleValue) -> Self:
        """Returns a game at a position string, such as `.../.X./... w` (protocol.md).

        rules: of a string that is the start of a game; set-up positions have no swap. Raises
        RecordError.
        """
        check_type("text", text, str, "a position string")
        named = definition(game)
        session = Session(named, *named.size, **rules)
        return cls.of_session(read_position(text, session).session())

    def to_text(self) -> str:
        """Returns the position string, without most of the history."""
        return position_line(self._session)

    @classmethod
    def from_sgf(cls, text: str | bytes, game: str = "", **rules: RuleValue) -> Self:
        """Returns the game of an SGF record, its first game and main line.

        game: if the record does not name it. rules: that the record does not state. Raises
        RecordError.
        """
        return cls.of_session(parse_sgf(text, game, rules))

    def to_sgf(self) -> str:
        """Returns the record of the game as SGF."""
        return to_sgf(self._session)

    def to_abstract_play(self) -> str:
        """Returns the finished game as a record of Abstract Play. Raises RecordError."""
        return encode([to_record(self._session)]).decode()

    def __str__(self) -> str:
        return board_text(self._session)

    def __repr__(self) -> str:
        session = self._session
        if session.start != session.new_start():
            return f"Game.from_text({self.to_text()!r}, game={self.name!r})"
        width, height = self.size
        call = [f"Game({self.name!r}", f"size={width if width == height else self.size}"]
        if self.moves:
            call.append(f"moves={' '.join(self.moves)!r}")
        rules = self.rules
        for option in session.game.options:
            if rules[option.name] != option.default:
                call.append(f"{option.name}={rules[option.name]!r}")
        return ", ".join(call) + ")"

    def _repr_svg_(self) -> str:
        return board_svg(self._session)

    # --- moves

    def play(self, move: str) -> None:
        """Makes a move of the side to move: a complete one, or the next step of one.

        `resign` gives up. Raises IllegalMove, or NotationError for a text that is not a move.
        """
        check_type("move", move, str, "a text, such as 'd4'; play_action() takes numbers")
        session = self._session
        if self.is_over:
            ending = status_text(session)
            raise IllegalMove(f"the game is over: {ending}; undo() takes moves back")
        try:
            if move.lower() == RESIGN:
                session.resign(session.to_move)
            else:
                session.play(session.to_move, *session.parse(move))
        except AmbiguousMove:  # it lists the moves
            raise
        except NoSuchMove as error:  # it lists moves too
            raise IllegalMove(str(error)) from None
        except (IllegalMove, NotationError) as error:
            raise type(error)(f"{error}; {self._advice()}") from None

    def undo(self, count: int = 1) -> None:
        """Takes back moves, as they were played. Raises CannotUndo."""
        self._session.undo(whole("count", count, UNDOABLE))

    def resign(self, color: Color | str | None = None) -> None:
        """Ends the game as lost for a color, by default the side to move. Raises IllegalMove."""
        self._session.resign(self.to_move if color is None else read_color(color))

    def _advice(self) -> str:
        first = list(islice(self.legal_moves, LISTED + 1))
        more = ", ..." if len(first) > LISTED else ""
        return f"legal: {', '.join(first[:LISTED])}{more}"

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves, or in the middle of one the ways to complete it."""
        return LegalMoves(self._session)

    @property
    def legal_steps(self) -> tuple[str, ...]:
        """The legal next steps: the moves themselves where moves have one step."""
        return () if self.is_over else tuple(map(format_move, self.position.legal_moves()))

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves made, as play() takes them."""
        session = self._session
        turns = (turn for turn in session.turns() if not turn.after_end)
        return tuple(text for turn in turns for text in session.texts(turn))

    @property
    def captured(self) -> tuple[str, ...]:
        """The points whose stone the last move flipped or removed."""
        return tuple(map(format_move, self._session.captured_points()))

    # --- state

    @property
    def session(self) -> Session:
        """The session, which the rest of the package understands."""
        return self._session

    @property
    def position(self) -> Position:
        """The position, which is immutable."""
        return self._session.position

    @property
    def name(self) -> str:
        """The name of the game, one of game_names()."""
        return self._session.game.name

    @property
    def title(self) -> str:
        """The name of the game for display."""
        return self._session.game.title

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.position.width, self.position.height

    @property
    def rules(self) -> dict[str, RuleValue]:
        """The values of the rule options, by name: those of the start, which may be set up."""
        session = self._session
        return session.game.rules_of(session.start)

    @property
    def header(self) -> GameHeader:
        """Names of the players, date and the like, as in a record; may be set."""
        return self._session.info

    @header.setter
    def header(self, header: GameHeader) -> None:
        expected = "a GameHeader, such as dataclasses.replace(game.header, black='Ann')"
        check_type("header", header, GameHeader, expected)
        self._session.info = header

    @property
    def to_move(self) -> Color:
        """The side to move."""
        return self._session.to_move

    @property
    def is_over(self) -> bool:
        return self._session.is_over

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game; None until then."""
        session = self._session
        if not session.is_over:
            return None
        return Outcome(session.winner, session.resigned is not None, status_text(session))

    @property
    def winner(self) -> Color | None:
        """The winner; None for a draw or until the end."""
        return self._session.winner

    @property
    def winning_chain(self) -> tuple[str, ...]:
        """The points of the winner that decide the game; empty until it is over."""
        return tuple(map(format_move, self.position.winning_chain))

    @property
    def swapped(self) -> bool:
        """Whether the colors were exchanged by a swap."""
        return self.position.swapped

    @property
    def swap_open(self) -> bool:
        """Whether the side to move may swap."""
        return self.position.swap_open and not self.is_over

    @property
    def mid_turn(self) -> bool:
        """Whether the side to move has made the first steps of a move."""
        return self.position.mid_turn and not self.is_over

    @property
    def board(self) -> npt.NDArray[np.int8]:
        """The points as int8 [height, width], row 0 at the bottom.

        0 empty, 1 black, 2 white, 3 and 4 their kings, 5 empty but banned for this move, -1 not a
        point of the board.
        """
        return self.position.board

    # --- actions, for learning

    @property
    def num_actions(self) -> int:
        """The number of actions: one per point, then a pass and a swap (see Batch)."""
        width, height = self.size
        return width * height + 2

    @property
    def legal_actions(self) -> tuple[int, ...]:
        """The actions of the legal next steps, in order of legal_steps."""
        return tuple(self._actions())

    def action_mask(self) -> npt.NDArray[np.int8]:
        """Returns int8 [actions], 1 for the legal ones."""
        import numpy as np  # noqa: PLC0415

        mask = np.zeros(self.num_actions, np.int8)
        mask[list(self.legal_actions)] = 1
        return mask

    def play_action(self, action: int) -> None:
        """Makes the step of an action. Raises IllegalMove."""
        moves = self._actions()
        if not is_whole(action) or action not in moves:
            raise IllegalMove(f"action {action} is not legal; legal_actions has those that are")
        self._session.play(self.to_move, moves[action])

    def _actions(self) -> dict[int, int]:
        """Returns the legal moves by their actions."""
        width, height = self.size
        moves = () if self.is_over else self.position.legal_moves()
        return {
            cell_of(move, width) if is_point(move) else width * height + (move == SWAP): move
            for move in moves
        }

    # --- values

    def copy(self) -> Self:
        """Returns a copy that can be played on."""
        session = self._session.copy()
        session.info = self._session.info
        return self.of_session(session)

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._state() == other._state()

    def __hash__(self) -> int:
        return hash(self._state())

    def _state(self) -> tuple[object, ...]:
        """Returns what decides how the game can go on, and its end.

        The key of the position has whether a swap is possible, now or later; apart from that the
        rules of an opening do not matter any more.
        """
        position = self.position
        return self.name, self.size, position.hash128, position.result, self._session.resigned

    def __reduce__(self) -> tuple[Any, ...]:
        session = self._session
        start = None
        if session.start != session.new_start():
            start = position_line(Session.at(session.game, session.start))
        entries = [
            (
                each.color,
                each.move,
                each.winrate,
                each.comment,
                each.same_turn,
                each.left,
                each.extras,
            )
            for each in session.history
        ]
        played = entries, session.info
        return _unpickle, (self.name, self.size, session.options, start, played)


class LegalMoves:
    """The legal moves of a position, computed on demand.

    Iterating gives their texts; `in` reads either case. A move of many steps has many variants, so
    there is no len() and no index: count() counts, and list() makes all.
    """

    def __init__(self, session: Session) -> None:
        self._notation = session.game.notation
        self._position = session.position
        self._is_over = session.is_over

    def __iter__(self) -> Iterator[str]:
        if not self._is_over:
            for moves, _ in whole_turns(self._position):
                yield self._notation.format(self._position, moves)

    def __contains__(self, move: object) -> bool:
        if self._is_over or not isinstance(move, str):
            return False
        position = self._position
        try:
            for step in self._notation.parse(move, position):
                position = position.play(step)
        except ValueError:
            return False
        return not position.mid_turn

    def __bool__(self) -> bool:
        return not self._is_over

    def count(self) -> int:
        """Returns their number."""
        return 0 if self._is_over else sum(1 for _ in whole_turns(self._position))

    def __repr__(self) -> str:
        first = list(islice(self, LISTED + 1))
        return f"<LegalMoves {' '.join(first[:LISTED])}{' ...' if len(first) > LISTED else ''}>"


def _unpickle(
    name: str,
    size: tuple[int, int],
    rules: dict[str, RuleValue],
    start: str | None,
    played: tuple[list[tuple[Any, ...]], GameHeader],
) -> Game:
    session = Session(GAMES[name], *size, **rules)
    if start is not None:
        session.start = read_position(start, session).start
    position = session.start
    resigned = None
    entries, session.info = played
    for color, move, winrate, comment, same_turn, left, extras in entries:
        if move is None:
            resigned = color
        elif resigned is None and position.result is None:
            position = position.play(move)
        session.history.append(
            PlayedMove(color, move, position, winrate, comment, same_turn, resigned, left, extras)
        )
    return Game.of_session(session)
