"""A game in progress, for the Python interface."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from reprlib import repr as shorten
from typing import TYPE_CHECKING, Any, Self

from pinchtp._core import SWAP, Position
from pinchtp.api.arguments import check_type, is_whole, whole, wrong
from pinchtp.api.sessions import DEFAULT, board_size, parse_sgf
from pinchtp.base.option_types import Int
from pinchtp.games import GAMES, Color, find_game
from pinchtp.games.game import RuleValue
from pinchtp.games.history import PlayedMove, Turn
from pinchtp.games.notation import (
    RESIGN_PREFIX,
    AmbiguousMove,
    NoSuchMove,
    NotationError,
    cell_of,
    format_move,
    is_point,
    whole_turns,
)
from pinchtp.games.session import (
    MOST_MOVES,
    RESIGNATIONS,
    GameHeader,
    IllegalMove,
    IncompleteTurn,
    Session,
)
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

LISTED = 5  # legal moves in an error message

UNDOABLE = Int(0, MOST_MOVES)


@dataclass(frozen=True)
class Outcome:
    """The end of a game.

    winner: None for a draw.
    resigned: whether the game ended by resignation.
    text: the outcome as text, such as `White wins: Black has resigned`.
    """

    winner: Color | None
    resigned: bool
    text: str

    def __str__(self) -> str:
        return self.text


class Game:
    """A game in progress: a position, its history and its rules.

    Moves are texts in upper or lower case: `E5`, `swap`, `pass`, and `E5,C3,H8` for a move of
    several steps. A call that raises an error does not change the game.

    Two games are equal if they have the same game, size, position, result and swap option,
    whatever their moves were. The hash changes with the position, so put a copy() into a set.
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

        game: one of game_names().
        size: (columns, rows), or one number for both; default: the size of the game.
        moves: moves to play, as a list or as one text with spaces.
        rules: rule options of the game, such as pie=False.

        Raises IllegalMove or NotationError, which are ValueErrors, for an invalid move, and
        ValueError for another invalid argument.
        """
        named = find_game(game)
        self._session = Session(named, *board_size(named, size), **rules)
        check_type("moves", moves, Iterable, "moves, such as 'c3 swap' or ['c3', 'swap']")
        for number, move in enumerate(moves.split() if isinstance(moves, str) else moves, 1):
            try:
                self.play(move)
            except ValueError as error:
                raise type(error)(f"move {number}, {shorten(move)}: {error}") from None

    @classmethod
    def of_session(cls, session: Session) -> Self:
        """Returns a game that uses a session, without copying it."""
        game = cls.__new__(cls)
        game._session = session
        return game

    # --- text

    @classmethod
    def from_text(cls, text: str, game: str = DEFAULT, **rules: RuleValue) -> Self:
        """Returns the game of a position string, such as `.../.X./... w` (protocol.md).

        text: the position string; its rows determine the size.
        game: one of game_names().
        rules: rule options of the game; options of the opening, such as pie, do not apply to a
        set-up position.

        Raises RecordError, which is a ValueError, for an invalid position string, and ValueError
        for another invalid argument.
        """
        check_type("text", text, str, "a position string")
        named = find_game(game)
        session = Session(named, *named.size, **rules)
        return cls.of_session(read_position(text, session).session())

    def to_text(self) -> str:
        """Returns the position string, which does not contain the whole history (protocol.md)."""
        return position_line(self._session)

    @classmethod
    def from_sgf(cls, text: str | bytes, game: str = "", **rules: RuleValue) -> Self:
        """Returns the first game of an SGF text, without its variations.

        game: the game of a record that does not name it.
        rules: rule options that the record does not state.

        Raises RecordError, which is a ValueError, for a text that is not a record of one of our
        games, and ValueError for another invalid argument.
        """
        return cls.of_session(parse_sgf(text, game, rules))

    def to_sgf(self) -> str:
        """Returns the game as an SGF record."""
        return to_sgf(self._session)

    def to_abstract_play(self) -> str:
        """Returns the finished game as a record of Abstract Play, in JSON.

        Raises RecordError, which is a ValueError, for a game that the site cannot have.
        """
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
        """Plays a move of the side to move: a complete move, the rest of one, or its next step.

        move: the move as text; `resign` resigns, `resign-b` and `resign-w` for a color.

        Raises IllegalMove for an illegal move and after the end of the game, NotationError for a
        text that is not a move or is ambiguous, and ValueError for another type; the first two are
        ValueErrors.
        """
        check_type("move", move, str, "a text, such as 'd4'; play_action() takes numbers")
        session = self._session
        if self.is_over:
            ending = status_text(session)
            raise IllegalMove(f"the game is over: {ending}; undo() takes moves back")
        try:
            if move.lower() in RESIGNATIONS:
                self.resign(RESIGNATIONS[move.lower()])
            else:
                session.play(session.to_move, *session.parse(move))
        except (AmbiguousMove, IncompleteTurn):  # their messages say how to go on
            raise
        except NoSuchMove as error:  # so does this one
            raise IllegalMove(str(error)) from None
        except (IllegalMove, NotationError) as error:
            raise type(error)(f"{error}; {self._advice()}") from None

    def undo(self, count: int = 1) -> None:
        """Takes back moves, including swaps, passes and resignations.

        The steps of a move played by one call count as one move. Steps played by several calls
        count one by one.

        count: the number of moves.

        Raises CannotUndo, which is a ValueError, if fewer moves were played, and ValueError for an
        invalid count.
        """
        self._session.undo(whole("count", count, UNDOABLE))

    def resign(self, color: Color | str | None = None) -> None:
        """Resigns the game.

        color: the player who resigns, as a Color or its name; default: the side to move.

        Raises IllegalMove, which is a ValueError, if the game is over, and ValueError for an
        invalid color.
        """
        self._session.resign(self.to_move if color is None else read_color(color))

    def _advice(self) -> str:
        first = list(islice(self.legal_moves, LISTED + 1))
        more = ", ..." if len(first) > LISTED else ""
        return f"legal: {', '.join(first[:LISTED])}{more}"

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves; after the first steps of a move, the ways to complete it."""
        return LegalMoves(self._session)

    @property
    def legal_steps(self) -> tuple[str, ...]:
        """The legal next steps; in a game without multi-step moves, the legal moves."""
        return () if self.is_over else tuple(map(format_move, self.position.legal_moves()))

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves played, including a resignation, in the form that play() accepts."""
        turns = (turn for turn in self._session.turns() if not turn.after_end)
        return tuple(text for turn in turns for text in self._texts(turn))

    def _texts(self, turn: Turn) -> list[str]:
        """Returns the texts of a turn of the history for play()."""
        if not turn.moves and turn.color != turn.before.to_move:
            return [f"{RESIGN_PREFIX}{turn.color.letter}"]
        return self._session.texts(turn)

    @property
    def captured(self) -> tuple[str, ...]:
        """The points where the last move flipped or removed a stone."""
        return tuple(map(format_move, self._session.captured_points()))

    # --- state

    @property
    def session(self) -> Session:
        """The session, an argument for the rest of the package; not stable."""
        return self._session

    @property
    def position(self) -> Position:
        """The position, which is immutable; not stable."""
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
        """The rule options of the game and their values, by name.

        A game that starts from a set-up position has no swap: its `pie` is False.
        """
        session = self._session
        return session.game.rules_of(session.start)

    @property
    def header(self) -> GameHeader:
        """The player names, date and other data of a record.

        Setting it to a value of another type raises ValueError.
        """
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
        """Whether the game has ended, by its rules or by resignation."""
        return self._session.is_over

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game; None before the end."""
        session = self._session
        if not session.is_over:
            return None
        return Outcome(session.winner, session.resigned is not None, status_text(session))

    @property
    def winner(self) -> Color | None:
        """The winner; None for a draw and before the end."""
        return self._session.winner

    @property
    def winning_chain(self) -> tuple[str, ...]:
        """The points of the winner that decided the game; empty before the end."""
        return tuple(map(format_move, self.position.winning_chain))

    @property
    def swapped(self) -> bool:
        """Whether a swap was played."""
        return self.position.swapped

    @property
    def swap_open(self) -> bool:
        """Whether the side to move may swap."""
        return self.position.swap_open and not self.is_over

    @property
    def mid_turn(self) -> bool:
        """Whether the side to move has played the first steps of a move but not completed it."""
        return self.position.mid_turn and not self.is_over

    @property
    def board(self) -> npt.NDArray[np.int8]:
        """The board as int8 [height, width], row 0 at the bottom.

        0: empty. 1: a black stone. 2: a white stone. 3: a black king. 4: a white king. 5: empty,
        but banned for this move. -1: not a point of the board.
        """
        return self.position.board

    # --- actions, for learning

    @property
    def num_actions(self) -> int:
        """The number of actions: one per point, a pass and a swap; see Batch."""
        width, height = self.size
        return width * height + 2

    @property
    def legal_actions(self) -> tuple[int, ...]:
        """The actions of the legal next steps, in the order of legal_steps."""
        return tuple(self._actions())

    def action_mask(self) -> npt.NDArray[np.int8]:
        """Returns whether each action is legal, int8 [actions]: 1 legal, 0 illegal."""
        import numpy as np  # noqa: PLC0415

        mask = np.zeros(self.num_actions, np.int8)
        mask[list(self.legal_actions)] = 1
        return mask

    def play_action(self, action: int) -> None:
        """Plays an action: a move, or the next step of one.

        action: its number.

        Raises IllegalMove, which is a ValueError, unless it is one of legal_actions, and ValueError
        for another type.
        """
        moves = self._actions()
        if not is_whole(action):
            raise wrong("action", action, "an integer")
        if action not in moves:
            raise IllegalMove(f"action {action} is not legal; legal_actions has those that are")
        self._session.play(self.to_move, moves[action])

    def _actions(self) -> dict[int, int]:
        """Returns the legal next steps by action."""
        width, height = self.size
        moves = () if self.is_over else self.position.legal_moves()
        return {
            cell_of(move, width) if is_point(move) else width * height + (move == SWAP): move
            for move in moves
        }

    # --- values

    def copy(self) -> Self:
        """Returns an independent copy, with the history and the header."""
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
        """Returns the values that games are compared by.

        The hash of the position includes whether a swap is possible, now or later. Other options of
        the opening affect only the start position.
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
                entry.color,
                entry.move,
                entry.winrate,
                entry.comment,
                entry.same_turn,
                entry.left,
                entry.extras,
            )
            for entry in session.history
        ]
        played = entries, session.info
        return _unpickle, (self.name, self.size, session.options, start, played)


class LegalMoves:
    """The legal moves of a position, computed on demand.

    Iteration yields their texts; `in` accepts upper and lower case. Multi-step moves have many
    variants, so there is no len() and no index: count() counts the moves, list() computes all. In
    Pinch with relocation, there can be too many for both.
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
            for number, step in enumerate(self._notation.parse(move, position)):
                if number and not position.mid_turn:
                    return False  # the beginning of the next move
                position = position.play(step)
        except ValueError:
            return False
        return not position.mid_turn

    def __bool__(self) -> bool:
        return not self._is_over

    def count(self) -> int:
        """Returns the number of legal moves."""
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
