"""The table after a change, its game tree, and what else there is to tell."""

from __future__ import annotations

from typing import Literal

from pinchtp.board.messages.base import (
    Chance,
    ColorName,
    Message,
    Part,
)
from pinchtp.board.messages.players import (
    Players,
    TimeSetting,
)


class Captured(Part, frozen=True):
    """A point whose stone was flipped or taken. was: the cell before; step: the step of the
    cascade that did it, from 1.
    """

    at: int
    was: int
    step: int


class Note(Part, frozen=True):
    """Stones that the game tells about: `atari`: groups with one liberty."""

    name: str
    color: ColorName
    points: list[int]


class Board(Part, frozen=True):
    """A board to be drawn.

    cells: from the lower left, row by row: 0 empty, 1 black, 2 white, 3 and 4 their kings, 5 empty
    but banned for this move, -1 no point. columns, rows: the names beside the board, from the left
    and from the bottom. edges: who joins top and bottom, and who left and right; None without
    sides. chain: the winning chain. last: the points of the last turn. captured: what it captured,
    in the order of the steps. lifted: colors of stones still to be put down in this turn.
    """

    width: int
    height: int
    cells: list[int]
    columns: list[str]
    rows: list[str]
    edges: tuple[ColorName, ColorName] | None
    chain: list[int]
    last: list[int]
    captured: list[Captured]
    notes: list[Note]
    lifted: list[ColorName]


class Turn(Part, frozen=True):
    """A whole legal turn, or the rest of one: its parts in order, and what it takes."""

    text: str
    parts: list[int]
    captured: list[int]


class Legal(Part, frozen=True):
    """What the side to move may do next.

    points: where it may click now, in every game: a stone's point, or the next part of a turn.
    turns: in games that move stones, all whole turns (paths from, to, and what has to be named of
    the victims), those that go on from `State.chosen`; empty in other games. swap, pass: whether
    these are possible. todo: what is left to do, in words; empty when it goes without saying.
    refusals: sentences by point, why a click there would be refused, where that is not plain.
    """

    points: list[int]
    turns: list[Turn]
    swap: bool
    can_pass: bool
    todo: str
    refusals: dict[int, str]


class Result(Part, frozen=True):
    """How the game ended. cause: board, resignation, time."""

    winner: Literal["black", "white", "draw"]
    cause: str
    sentence: str


class Clock(Part, frozen=True):
    """A clock when the message was sent. stones: byo-yomi periods left, 0 in main time."""

    left: float
    stones: int
    running: bool


class Clocks(Part, frozen=True):
    """Both clocks."""

    black: Clock
    white: Clock


class Thinking(Part, frozen=True):
    """An engine that is about to move."""

    engine: int
    color: ColorName


class Teaching(Part, frozen=True):
    """The visitor's last move throws something away; the opponent waits for `answer-teaching`.

    before, after: the visitor's chance to win with the best move and after the one made. best: what
    was better, as text and points; reply: what can follow the move made. sentence: says it all.
    """

    node: int
    before: Chance
    after: Chance
    best: VariationMove
    reply: list[VariationMove]
    sentence: str


class VariationMove(Part, frozen=True):
    """A turn of a variation. points: those of its parts; empty for a swap or a pass."""

    color: ColorName
    text: str
    points: list[int]


class Rating(Part, frozen=True):
    """The visitor's rating from finished games against engines, for the game played now.

    rating: Elo; deviation: its standard error; change: by the latest game. adaptive: level of the
    opponent that adjusts.
    """

    rating: int
    deviation: int
    games: int
    wins: int
    draws: int
    change: int
    adaptive: int


class State(Message, frozen=True):
    """The table after a change.

    node: the node of the tree that is shown. number: of the move that led here. chosen: points of a
    turn that was begun and lacks parts. swap: the sentence that explains the swap, None if there is
    none now. standing: how the game stands, a sentence. live: whether engines move by themselves
    (not while the visitor looks at earlier moves, or after `pause`). can: requests that make sense
    now, for buttons: undo, resign, rematch, hint, think, resume, pause, swap, pass, review, solve,
    analyze. tasks: what runs now: analyze, review, solve, hint, overlay. rests: whether live
    analysis rests, as nobody looks (see Attend). rated: whether the result will count (nothing was
    taken back, and no help was asked for). move_text: of the move that led here; announcement: the
    same for screen readers, with what it captured. pace: see SetOptions.
    """

    game: str
    options: dict[str, bool | int]
    handicap: int
    board: Board
    node: int
    number: int
    to_move: ColorName
    legal: Legal
    chosen: list[int]
    swap: str | None
    standing: str
    result: Result | None
    players: Players
    clocks: Clocks | None
    time: TimeSetting | None
    live: bool
    thinking: Thinking | None
    teaching: Teaching | None
    teach: bool
    rated: bool
    rating: Rating
    can: list[str]
    tasks: list[str]
    move_text: str
    announcement: str
    pace: float = 0.0
    rests: bool = False


class Node(Part, frozen=True):
    """A node of the game tree. parent: None for the root. move: its text, empty for the root.

    black: Black's chance to win after the move, None if unknown. loss: what its mover's chance lost
    by it, None if unknown; mark: "", "inaccuracy", "mistake" or "blunder". points: of the move.
    """

    id: int
    parent: int | None
    color: ColorName | None
    move: str
    points: list[int]
    comment: str
    black: Chance | None = None
    loss: Chance | None = None
    mark: str = ""


class Tree(Message, frozen=True):
    """All nodes; each stands behind its parent, and the first child of a node is its main line.

    line: the ids of the line that is shown, from the root to its end; `state.node` is one of them.
    """

    nodes: list[Node]
    line: list[int]


class Notice(Message, frozen=True):
    """Something to tell, in a sentence. level: info, warning or error. engine: whom it is about."""

    level: Literal["info", "warning", "error"]
    text: str
    engine: int | None = None


class Accepted(Message, frozen=True):
    """A request was done, or will be, where it takes time; what it changed at once was told before.

    request: its id.
    """

    request: int


class Refused(Message, frozen=True):
    """A request that could not be done, and why. request: its id."""

    request: int
    text: str
