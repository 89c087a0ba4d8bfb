"""A game in progress: positions, history, undo, result and clocks. Independent of protocols."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace

from pinchtp._core import PASS, SWAP
from pinchtp.base.clock import Clock, TimeControl
from pinchtp.games import LIFTED, PIE, Color, GameType, Position, markers
from pinchtp.games.game import BANNED, PIECES, count_cells, own_cells
from pinchtp.games.history import PlayedMove, RecordExtras, Turn
from pinchtp.games.notation import (
    RESIGN,
    RESIGN_PREFIX,
    cell_of,
    coordinates,
    format_move,
    is_point,
    point_of,
    split_turns,
)

NO_LIMIT = TimeControl.none()

# Maximum number of moves, counting the parts of turns and passes after the end: seven times as many
# as in playouts on the largest board. A position takes up to 1.7 KB, so a game takes at most 17 MB.
MOST_MOVES = 10_000
TOO_LONG = f"a game has at most {MOST_MOVES} moves"

# Words for a resignation in lists of moves, with the color that resigns; None: the side to move.
RESIGNATIONS = {RESIGN: None} | {f"{RESIGN_PREFIX}{color.letter}": color for color in Color}


class IllegalMove(ValueError):
    """The move is illegal; the message has the reason."""


class IncompleteTurn(IllegalMove):
    """The turn is incomplete; the message names its last part."""


class CannotUndo(ValueError):
    """The game has fewer moves than should be undone."""


@dataclass(frozen=True, slots=True)
class GameHeader:
    """The data of a game record other than moves; empty texts where unknown.

    black, white: the names of the players.
    date: the date of the game, as in SGF.
    name, comment: the name of the game, and a comment on it.
    control: the time system of the game, which may differ from that of the session's clocks.
    result: the result in a record, as in SGF, if the moves do not show it; the next move or undo
    clears it.
    extras: the rest of a record; None for a game that started in this program.
    """

    black: str = ""
    white: str = ""
    date: str = ""
    name: str = ""
    comment: str = ""
    control: TimeControl = NO_LIMIT
    result: str = ""
    extras: RecordExtras | None = None

    def without_result(self) -> GameHeader:
        """Returns the same data, for a game whose moves have changed."""
        return replace(self, result="") if self.result else self


NOTHING_KNOWN = GameHeader()

Saved = tuple[Position, list[PlayedMove], GameHeader, bool, TimeControl, dict[Color, Clock]]


class Session:
    """A game in progress: its start, history, header and clocks.

    A call that raises an error does not change the session.
    """

    def __init__(self, game: GameType, width: int, height: int, /, **options: object) -> None:
        """Starts a new game. options: see GameType.rules().

        Raises ValueError for a size out of range or an invalid option.
        """
        self.game = game
        self.options = game.rules(options)
        self.start = self.new_start(width, height)
        self.history: list[PlayedMove] = []
        self.info = NOTHING_KNOWN
        self.is_changed = False  # by a move since it was started, set up or loaded
        self.control = NO_LIMIT
        self._clocks = _fresh_clocks(NO_LIMIT)

    @classmethod
    def at(cls, game: GameType, start: Position, history: Sequence[PlayedMove] = ()) -> Session:
        """Returns a session with a start and history."""
        session = cls(game, start.width, start.height, **game.rules_of(start))
        session.load(start, history)
        return session

    def copy(self) -> Session:
        """Returns a copy of the game for looking ahead, without a time limit and header."""
        session = copy(self)
        session.info = NOTHING_KNOWN
        session.history = list(self.history)
        session.set_time(NO_LIMIT)
        return session

    def save(self) -> Saved:
        """Returns the game and its clocks, for restore()."""
        return (
            self.start,
            list(self.history),
            self.info,
            self.is_changed,
            self.control,
            dict(self._clocks),
        )

    def restore(self, saved: Saved) -> None:
        """Restores the result of save(); allocates no memory."""
        self.start, self.history, self.info, self.is_changed, self.control, self._clocks = saved

    # --- the game

    def new_start(self, width: int | None = None, height: int | None = None) -> Position:
        """Returns the start of a new game, by default on this board.

        Raises ValueError for a size out of range.
        """
        width = self.start.width if width is None else width
        height = self.start.height if height is None else height
        return self.game.start(width, height, **self.options)

    def restart(self, width: int | None = None, height: int | None = None) -> None:
        """Starts a new game, by default on this board.

        Raises ValueError for a size out of range.
        """
        self.load(self.new_start(width, height))

    def load(
        self, start: Position, history: Sequence[PlayedMove] = (), info: GameHeader = NOTHING_KNOWN
    ) -> None:
        """Loads a game and resets both clocks.

        history: each position must follow from the previous one.
        """
        clocks = _fresh_clocks(self.control)
        self._replace(start, history, info)
        self._clocks = clocks

    def position_of(self, cells: bytes, to_move: Color, *, swapped: bool = False) -> Position:
        """Returns a set-up position with the size and rules of this game; see GameType.set_up().

        Raises ValueError for an invalid position.
        """
        width, height = self.start.width, self.start.height
        return self.game.set_up(
            width, height, cells, to_move, swapped=swapped, options=self.options
        )

    def set_up(self, position: Position, history: Sequence[PlayedMove] = ()) -> None:
        """Starts the game from a set-up position of this game, without resetting the clocks.

        history: moves played from there.
        """
        self._replace(position, history, NOTHING_KNOWN)

    def _replace(self, start: Position, history: Sequence[PlayedMove], info: GameHeader) -> None:
        """Replaces the game; the history is copied first, so that an error changes nothing."""
        moves = list(history)
        self.start = start
        self.history = moves
        self.info = info
        self.is_changed = False

    @property
    def is_new(self) -> bool:
        """Whether no move was played and the stones are those at the start of a new game."""
        return not self.history and self.start.cells() == self.new_start().cells()

    @property
    def position(self) -> Position:
        return self.history[-1].position if self.history else self.start

    @property
    def to_move(self) -> Color:
        return Color(self.position.to_move)

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves from the start to the position, without a resignation and later passes."""
        moves = []
        is_over = self.start.result is not None
        for entry in self.history:
            if is_over or entry.move is None:
                break
            moves.append(entry.move)
            is_over = entry.position.result is not None
        return tuple(moves)

    @property
    def last_move(self) -> int | None:
        """The last move, or the last part of a turn; None before the first."""
        return self.moves[-1] if self.moves else None

    def turns(self) -> list[Turn]:
        """Returns the history by turns.

        The last turn may be incomplete, and so may a turn before a resignation.
        """
        turns: list[Turn] = []
        before = self.start
        parts: list[PlayedMove] = []
        is_over = before.result is not None
        for entry in self.history:
            if parts and entry.move is None:  # a resignation in mid-turn
                turns.append(_turn(before, parts, is_over))
                before = parts[-1].position
                parts = []
            parts.append(entry)
            is_over_now = is_over or entry.move is None or entry.position.result is not None
            if not entry.position.mid_turn or is_over_now or entry is self.history[-1]:
                turns.append(_turn(before, parts, is_over))
                before = entry.position
                parts = []
            is_over = is_over_now
        return turns

    def played_turns(self) -> list[Turn]:
        """Returns the history by turns, without a resignation and passes after the end."""
        return [turn for turn in self.turns() if turn.moves and not turn.after_end]

    @property
    def last_turn(self) -> Turn | None:
        """The last turn, complete or not; None before the first.

        A resignation and passes after the end of the game do not count.
        """
        end = len(self.history)
        while end and self._is_after_end(end - 1):
            end -= 1
        if end == 0:
            return None
        begin = end - 1
        while begin and self.history[begin - 1].position.mid_turn:
            begin -= 1
        return _turn(self._position_before(begin), self.history[begin:end], False)

    def _position_before(self, at: int) -> Position:
        """Returns the position before an entry of the history."""
        return self.history[at - 1].position if at > 0 else self.start

    def _is_after_end(self, at: int) -> bool:
        """Returns whether an entry of the history is a resignation, or a pass after the end."""
        resigned = self.history[at].resigned
        return resigned is not None or self._position_before(at).result is not None

    def last_points(self) -> list[int]:
        """Returns the points of the last turn that now have a stone, in the order of the parts."""
        turn = self.last_turn
        if turn is None:
            return []
        cells = turn.after.cells()
        width = turn.after.width
        points = (move for move in turn.moves if is_point(move))
        return [move for move in dict.fromkeys(points) if cells[cell_of(move, width)] in PIECES]

    def captured_points(self) -> list[int]:
        """Returns the points where the last turn flipped or removed a stone; none for a swap."""
        turn = self.last_turn
        if turn is None or SWAP in turn.moves:
            return []
        cells = zip(turn.before.cells(), turn.after.cells(), strict=True)
        moved = b"" if self.game.places_stones else own_cells(turn.color)
        return [
            point_of(at, turn.after.width)
            for at, (old, new) in enumerate(cells)
            if old != new and old in PIECES and old not in moved
        ]

    def prisoners(self) -> tuple[int, int]:
        """Returns the numbers of stones that Black and White have lost; flips do not count."""
        prisoners = [0, 0]
        placed = int(self.game.places_stones)
        for turn in self.turns():
            if turn.after_end or not turn.moves or turn.moves[0] in (PASS, SWAP):
                continue
            old = turn.before.cells()
            new = turn.after.cells()
            if count_cells(new, PIECES) == count_cells(old, PIECES) + placed:
                continue
            lifted = [marker.color for marker in markers(turn.after) if marker.name == LIFTED]
            for color in Color:
                own = own_cells(color)
                stones = count_cells(old, own) + placed * (color == turn.color)
                prisoners[color] += stones - count_cells(new, own) - lifted.count(color)
        return prisoners[0], prisoners[1]

    @property
    def resigned(self) -> Color | None:
        return self.history[-1].resigned if self.history else None

    @property
    def is_over(self) -> bool:
        return self.position.result is not None or self.resigned is not None

    @property
    def is_full(self) -> bool:
        """Whether the game has reached the maximum number of moves.

        An incomplete turn can still be completed.
        """
        return len(self.history) >= MOST_MOVES and (self.is_over or not self.position.mid_turn)

    @property
    def winner(self) -> Color | None:
        """The winner, by the rules or by resignation; None for a draw and before the end."""
        if self.position.result in (0, 1):
            return Color(self.position.result)
        return None if self.resigned is None else self.resigned.opponent

    def parse(self, text: str) -> tuple[int, ...]:
        """Returns the moves of a text in the position, legal or not; see Notation.parse().

        Raises NotationError for a text that is not a move.
        """
        if self.is_over and text.lower() == "pass":
            return (PASS,)  # a swap may still be possible in the position of a resigned game
        return self.game.notation.parse(text, self.position)

    def format(self, moves: Sequence[int]) -> str:
        """Returns the text of a turn in the position, or of its first parts."""
        return self.game.notation.format(self.position, moves)

    def texts(self, turn: Turn) -> list[str]:
        """Returns the texts of a turn of the history: one for a complete turn, or one per part."""
        if not turn.moves:
            return [RESIGN]
        if turn.after_end or turn.after.mid_turn or turn.before.mid_turn:
            return [format_move(move) for move in turn.moves]
        return [self.game.notation.format(turn.before, turn.moves)]

    def line_texts(self, line: Iterable[int], *, parts: bool = False) -> list[tuple[Color, str]]:
        """Returns the colors and texts of the turns of a line of play from the position.

        parts: whether to return the parts of each turn instead. An incomplete last turn is dropped.
        If it is also the first turn, which a client may play, it is completed with the first legal
        parts.
        """
        notation = self.game.notation
        if not notation.multi_part:
            color = self.to_move
            return [(Color(color ^ at & 1), format_move(move)) for at, move in enumerate(line)]
        texts = []
        turns = list(split_turns(self.position, line))
        for number, (before, moves) in enumerate(turns, 1):
            color = Color(before.to_move)
            if parts or before.mid_turn:
                texts += [(color, format_move(move)) for move in moves]
            else:
                rest = _rest_of_turn(before, moves) if number == len(turns) else ()
                if not rest or not texts:
                    texts.append((color, notation.format(before, moves + rest)))
        return texts

    def play(
        self, color: Color, *moves: int, winrate: float | None = None, comment: str = ""
    ) -> None:
        """Plays a move, a complete turn or the rest of one.

        After the end of the game, either color may only pass. winrate, comment: see PlayedMove.
        Raises IllegalMove, and its subclass IncompleteTurn if several moves do not complete the
        turn.
        """
        self._check_length()
        entries: list[PlayedMove] = []
        for move in moves:
            position = entries[-1].position if entries else self.position
            if entries and not position.mid_turn:
                raise IllegalMove(f"the turn is over before {format_move(move)}")
            after = self._after(position, color, move)
            entries.append(
                PlayedMove(color, move, after, same_turn=bool(entries), resigned=self.resigned)
            )
        if len(entries) > 1 and entries[-1].position.mid_turn:
            raise IncompleteTurn(f"the turn continues after {format_move(moves[-1])}")
        entries[-1] = replace(entries[-1], winrate=winrate, comment=comment)
        self._append(entries)

    def resign(
        self,
        color: Color,
        *,
        winrate: float | None = None,
        comment: str = "",
        same_turn: bool = False,
    ) -> None:
        """Resigns the game for a color.

        same_turn: whether undo() takes back the move before it too. Raises IllegalMove if the game
        is over.
        """
        if self.is_over:
            raise IllegalMove("the game is over")
        self._check_length()
        self._append([PlayedMove(color, None, self.position, winrate, comment, same_turn, color)])

    def withdraw_resignation(self) -> None:
        """Takes back a resignation by our engine, if it is the last entry."""
        if self.history and self.history[-1].move is None and self.history[-1].same_turn:
            del self.history[-1]

    def _append(self, entries: Sequence[PlayedMove]) -> None:
        info = self.info.without_result()
        self.history += entries
        self.is_changed = True
        self.info = info

    def _check_length(self) -> None:
        if self.is_full:
            raise IllegalMove(TOO_LONG)

    def undo(self, count: int = 1) -> None:
        """Takes back moves, including swaps, passes and resignations.

        count: the number of moves; moves played together count as one. Raises CannotUndo if the
        game has fewer.
        """
        at = len(self.history)
        for taken in range(count):
            if at == 0:
                raise CannotUndo(_too_many(taken, count))
            at -= 1
            while at and self.history[at].same_turn:
                at -= 1
        info = self.info.without_result() if at < len(self.history) else self.info
        del self.history[at:]
        self.info = info

    def _after(self, position: Position, color: Color, move: int) -> Position:
        """Returns the position after a move. Raises IllegalMove."""
        if position.result is not None or self.resigned is not None:
            if move == PASS:
                return position
            raise IllegalMove("the game is over")
        if color != position.to_move:
            raise IllegalMove(f"it is {Color(position.to_move)}'s turn")
        if not position.is_legal(move):
            raise IllegalMove(_why_illegal(self.game, position, move))
        return position.play(move)

    def why_illegal(self, move: int) -> str:
        """Returns the reason why a move is illegal in the position, for display."""
        return "the game is over" if self.is_over else _why_illegal(self.game, self.position, move)

    # --- the clocks

    def set_time(self, control: TimeControl) -> None:
        """Gives both players a new clock with this control."""
        self._clocks = _fresh_clocks(control)
        self.control = control

    def clock(self, color: Color) -> Clock:
        return self._clocks[color]

    def set_clock(self, color: Color, clock: Clock) -> None:
        self._clocks[color] = clock

    def moves_left(self) -> float:
        """Estimates the remaining moves of each color, at least 1.

        The game is expected to end after `GameType.expected_turns`, but at least a tenth of the
        board's points remain, so that time is left for a long game.
        """
        points = self.start.width * self.start.height
        made = sum(turn.moves != (SWAP,) for turn in self.turns())
        return max((self.game.expected_turns * points - made) / 2, points / 20, 1)


def _turn(before: Position, parts: Sequence[PlayedMove], after_end: bool) -> Turn:
    last = parts[-1]
    moves = tuple(part.move for part in parts if part.move is not None)
    return Turn(
        last.color,
        moves,
        before,
        last.position,
        last.winrate,
        last.comment,
        after_end,
        last.left,
        last.extras,
    )


def _too_many(made: int, count: int) -> str:
    if made == 0:
        return "no move was played"
    known = "1 move was" if made == 1 else f"{made} moves were"
    return f"only {known} played, so {count} cannot be undone"


def _why_illegal(game: GameType, position: Position, move: int) -> str:
    """Returns the reason why a move is illegal in a position before the end of the game."""
    if move == SWAP:
        has_pie = position.options.get(PIE.name)
        return (
            "a swap is possible only as the second move"
            if has_pie
            else "this game is played without the pie rule"
        )
    if move == PASS:
        return "passing is not allowed here"
    x, y = coordinates(move)
    if not (0 <= x < position.width and 0 <= y < position.height):
        return f"no such point on the {position.width}x{position.height} board"
    cell = position.cells()[cell_of(move, position.width)]
    text = format_move(move)
    if cell in PIECES:
        return f"{text} is occupied" if game.places_stones else f"{text} cannot be chosen here"
    if cell == BANNED:
        return f"{text} is banned for this move: {game.refusal}"
    why = f": {game.refusal}" if cell == 0 and game.refusal else " cannot be moved to"
    return f"{text}{why}"


def _rest_of_turn(position: Position, moves: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the first legal parts that complete a turn; empty if it is complete."""
    for move in moves:
        position = position.play(move)
    rest = []
    while position.mid_turn:
        rest.append(position.legal_moves()[0])
        position = position.play(rest[-1])
    return tuple(rest)


def _fresh_clocks(control: TimeControl) -> dict[Color, Clock]:
    return {color: Clock.start(control) for color in Color}
