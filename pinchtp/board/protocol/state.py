"""The state of the table: players, clocks, result and available requests."""

from __future__ import annotations

from typing import Literal

import msgspec

from pinchtp.board.protocol.base import Chance, ColorName, Message, Part
from pinchtp.board.protocol.board import BoardView, Legal, VariationMove
from pinchtp.board.protocol.players import Players, TimeSetting


class RuleNote(Part, frozen=True):
    """A note on a rule that has come up. rule: its name; points: what shows it on the board."""

    rule: str
    points: list[int]
    text: str


class Result(Part, frozen=True):
    """The result of a game."""

    winner: Literal["black", "white", "draw"]
    sentence: str


class ClockView(Part, frozen=True):
    """A clock at the time of the message. stones: byo-yomi periods left, 0 in main time."""

    left: float
    stones: int
    running: bool


class Clocks(Part, frozen=True):
    """Both clocks."""

    black: ClockView
    white: ClockView


class Thinking(Part, frozen=True):
    """An engine that is about to move."""

    engine: int
    color: ColorName


class Teaching(Part, frozen=True):
    """A mistake in the visitor's last move; the opponent waits for `answer-teaching`.

    before, after: the visitor's winrate with the best move and with the move made. best: the best
    move. reply: principal variation after the move made. sentence: all of it in words.
    """

    node: int
    before: Chance
    after: Chance
    best: VariationMove
    reply: list[VariationMove]
    sentence: str


class Rating(Part, frozen=True):
    """The visitor's rating in the current game, from finished games against engines.

    rating: Elo; deviation: its standard error; change: by the latest game. adaptive: level of the
    adaptive opponent, 0 below the first. level: the level of about this rating.
    """

    rating: int
    level: int
    deviation: int
    games: int
    wins: int
    draws: int
    change: int
    adaptive: int


class State(Message, frozen=True):
    """The table after a change.

    serial: of the game; another game has another one. node: the displayed node. number: of the last
    move. chosen: points of an incomplete move. standing: a sentence on the state of the game.
    ended: whether the game is over, although an earlier position or a variation may be displayed.
    live: whether engines move on their turn (not after `pause` or while earlier moves are
    displayed). can: available requests, for buttons: undo, resign, rematch, hint, think, resume,
    pause, swap, pass, review, solve, analyze, undelete. tasks: running requests, for `stop`:
    analyze, review, solve, hint, overlay, console. rests: whether live analysis is paused (see
    set_visible). unrated: why the result does not count, or empty. rating_change: a sentence about
    the new rating, once the game is rated. move_text: the last move; announcement: the same for
    screen readers, with captures. pace: see set_options. saved: whether all of it is on disk.
    seat: color of this page in a game with an invited friend, watch for a watcher, else empty.
    guest: whether this page belongs to an invited person. undo_asked: color that asks the other to
    take back. away: colors without a page in a game with an invited friend; their clocks stand.
    puzzle: the id of that on the board, or empty. solved: nodes of Review.own for which the visitor
    has found better moves. rule_notes: on what the last turn brings up, the most urgent first; none
    if only engines play.
    """

    game: str
    options: dict[str, bool | int]
    handicap: int
    board: BoardView
    serial: int
    node: int
    number: int
    to_move: ColorName
    legal: Legal
    chosen: list[int]
    standing: str
    result: Result | None
    ended: bool
    players: Players
    clocks: Clocks | None
    time: TimeSetting | None
    live: bool
    thinking: Thinking | None
    teaching: Teaching | None
    teach: bool
    unrated: str
    rating: Rating
    rating_change: str
    can: list[str]
    tasks: list[str]
    move_text: str
    announcement: str
    pace: float = 0.0
    rests: bool = False
    saved: bool = True
    seat: Literal["black", "white", "watch", ""] = ""
    guest: bool = False
    undo_asked: ColorName | None = None
    away: list[ColorName] = msgspec.field(default_factory=list)
    puzzle: str = ""
    solved: list[int] = msgspec.field(default_factory=list)
    rule_notes: list[RuleNote] = msgspec.field(default_factory=list)
