"""The state of the table: players, clocks, result and available requests."""

from __future__ import annotations

from typing import Literal

import msgspec

from pinchtp.board.protocol.base import ColorName, Message, Part
from pinchtp.board.protocol.board import BoardView, Legal, VariationMove
from pinchtp.board.protocol.players import Players, TimeSetting


class RuleNote(Part, frozen=True):
    """A note on a rule that applies. rule: its name. points: the points that illustrate it."""

    rule: str
    points: list[int]
    text: str


class Result(Part, frozen=True):
    """The result of a game."""

    winner: Literal["black", "white", "draw"]
    sentence: str


class ClockView(Part, frozen=True):
    """A clock at the time of the message.

    left: seconds. periods: the byo-yomi periods left; 0 in main time.
    """

    left: float
    periods: int
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

    best: the best move. reply: the principal variation after the move played. sentence: the warning
    in words.
    """

    best: VariationMove
    reply: list[VariationMove]
    sentence: str


class Rating(Part, frozen=True):
    """The visitor's rating in the current game, from finished games against engines.

    rating: the Elo rating. level: the level with the nearest rating. deviation: the standard error
    of the rating. adaptive: the level of the adaptive opponent; 0 below the first level.
    """

    rating: int
    level: int
    deviation: int
    games: int
    wins: int
    draws: int
    adaptive: int


class State(Message, frozen=True):
    """The table after a change.

    serial: identifies the game.
    node: the displayed node. number: the number of its move.
    chosen: the points of an incomplete move. before: the cells before it, or empty.
    standing: a sentence about the state of the game.
    ended: whether the game has ended, even if an earlier position or a variation is displayed.
    proposed: the players proposed for a new game.
    time: its proposed clocks; those of the current game, unless that is a puzzle.
    live: whether engines move on their turn and clocks run; false after `pause` and while earlier
    moves are displayed.
    can: the available requests, for buttons: undo, resign, rematch, hint, think, resume, pause,
    swap, pass, go (also for delete), review, solve, analyze, opening (overlays of the first move).
    tasks: the running requests, for `stop`: analyze, review, solve, hint, overlay, console.
    analysis_paused: whether live analysis is paused (see set_visible).
    unrated: the reason why the result does not count for the rating, or empty.
    rating_change: a sentence about the new rating after a rated game, or empty.
    move_text: the last move. announcement: the last move for screen readers, with captures.
    pace: see set_options.
    saved: whether the table is saved on disk.
    seat: the color of this page in a game with an invited friend, `watch` for a watcher, or empty.
    guest: whether this page belongs to an invited person.
    undo_asked: the color whose player asks to take back, or None.
    away: the colors without a page in a game with an invited friend; their clocks are paused.
    puzzle: the id of the puzzle on the board, or empty.
    loaded: whether the options are those of a loaded record rather than the visitor's choice.
    solved: the nodes of Review.own for which the visitor has found better moves.
    rule_notes: notes on rules that the last turn illustrates, the most urgent first; empty if only
    engines play.
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
    proposed: Players
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
    analysis_paused: bool = False
    saved: bool = True
    seat: Literal["black", "white", "watch", ""] = ""
    guest: bool = False
    undo_asked: ColorName | None = None
    away: list[ColorName] = msgspec.field(default_factory=list)
    puzzle: str = ""
    loaded: bool = False
    solved: list[int] = msgspec.field(default_factory=list)
    before: list[int] = msgspec.field(default_factory=list)
    rule_notes: list[RuleNote] = msgspec.field(default_factory=list)
