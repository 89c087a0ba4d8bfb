"""Findings of engines about a position: analyses, hints, overlays and proofs."""

from __future__ import annotations

from pinchtp.board.protocol.base import Chance, ColorName, Message, Part
from pinchtp.board.protocol.board import VariationMove
from pinchtp.engine.analysis import SolvedValue


class CandidateInfo(Part, frozen=True):
    """A candidate move. winrate: for the side to move; pv: principal variation.

    points: where to draw the move, empty for a swap or a pass.
    """

    move: str
    points: list[int]
    visits: int
    winrate: Chance
    order: int
    pv: list[VariationMove]
    prior: Chance | None = None


class AnalysisUpdate(Message, frozen=True, tag="analysis"):
    """The latest analysis of a position, best move first.

    black: Black's winrate. ownership: by point, from -1 (White's) to 1 (Black's), or None if the
    engine does not report it.
    """

    node: int
    engine: int
    color: ColorName
    visits: int
    black: Chance
    candidates: list[CandidateInfo]
    ownership: list[float] | None = None


class Hint(Message, frozen=True):
    """An engine's move suggestion. winrate: for the side to move, or None."""

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
    """An engine's drawing on the board; text: its text output."""

    node: int
    command: str
    title: str
    points: list[OverlayPoint]
    text: str


class SolverResult(Message, frozen=True, tag="solution"):
    """A solver result. value: win, loss or draw for `color`; unknown: not solved.

    running: the solver is running (value is unknown). line: best play.
    """

    node: int
    color: ColorName
    value: SolvedValue
    nodes: int
    line: list[VariationMove]
    seconds: float
    running: bool
    sentence: str
