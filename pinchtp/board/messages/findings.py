"""What engines find: analysis, hints, overlays, proofs, reviews; and texts."""

from __future__ import annotations

from typing import Literal

from pinchtp.board.messages.base import (
    Chance,
    ColorName,
    Message,
    Part,
)
from pinchtp.board.messages.table import (
    Rating,
    VariationMove,
)


class Candidate(Part, frozen=True):
    """A move that an engine considers. winrate, lcb: for the side to move; pv: it and what follows.

    points: where to draw it, empty for a swap or a pass.
    """

    move: str
    points: list[int]
    visits: int
    winrate: Chance
    order: int
    pv: list[VariationMove]
    prior: Chance | None = None
    lcb: Chance | None = None


class Analysis(Message, frozen=True):
    """What is known of a position so far, best move first.

    black: Black's chance to win. ownership: by point, from -1 (White's) to 1 (Black's); None if the
    engine does not tell.
    """

    node: int
    engine: int
    color: ColorName
    visits: int
    black: Chance
    candidates: list[Candidate]
    ownership: list[float] | None = None


class Hint(Message, frozen=True):
    """The move an engine would make. winrate: for the side to move, None if it does not say."""

    node: int
    move: VariationMove
    winrate: Chance | None
    sentence: str


class OverlayPoint(Part, frozen=True):
    """A point of an overlay. color: `#rrggbb`, or empty; label: a few characters, or empty."""

    at: int
    color: str
    label: str


class Overlay(Message, frozen=True):
    """What an engine draws on the board; text: what it says besides."""

    node: int
    command: str
    title: str
    points: list[OverlayPoint]
    text: str


class WorstMove(Part, frozen=True):
    """A move of the review's list. best: what the engine would have played."""

    node: int
    number: int
    color: ColorName
    move: str
    loss: Chance
    best: list[VariationMove]
    mark: str


class Review(Message, frozen=True):
    """How far a review of the line has come, and the worst moves so far. running: it goes on."""

    done: int
    total: int
    running: bool
    worst: list[WorstMove]


class Solution(Message, frozen=True):
    """What a solver found. value: win, loss or draw for `color`; unknown: not within the budget.

    running: it is still at it (then value is unknown). line: best play.
    """

    node: int
    color: ColorName
    value: Literal["win", "loss", "draw", "unknown"]
    nodes: int
    line: list[VariationMove]
    seconds: float
    running: bool
    sentence: str


class RatingChanged(Message, frozen=True):
    """A game against an engine was rated."""

    rating: Rating
    sentence: str


class ConsoleLine(Part, frozen=True):
    """A line of GTP. kind: `>` sent, `<` received, `!` what was done to the engine."""

    engine: int
    kind: str
    text: str


class Console(Message, frozen=True):
    """Lines of traffic: all of it while watched, else answers to commands of the console.

    request: the id of the command that these lines answer, 0 for traffic.
    """

    lines: list[ConsoleLine]
    request: int = 0


class Exported(Message, frozen=True):
    """The game or the board as a text. name: for the file."""

    request: int
    kind: str
    name: str
    text: str
