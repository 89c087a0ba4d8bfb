"""Messages about the work of engines on a position: analyses, hints, overlays and proofs."""

from __future__ import annotations

from pinchtp.board.protocol.base import Chance, ColorName, Message, Part
from pinchtp.board.protocol.board import VariationMove


class CandidateInfo(Part, frozen=True):
    """A candidate move.

    points: where to draw the move; empty for a swap or a pass. winrate: for the side to move. pv:
    the principal variation.
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

    black: Black's winrate. ownership: of each point, from 1 (black) to -1 (white); None if the
    engine does not report it.
    """

    node: int
    color: ColorName
    visits: int
    black: Chance
    candidates: list[CandidateInfo]
    ownership: list[float] | None = None


class Hint(Message, frozen=True):
    """An engine's move suggestion. sentence: with its winrate, if the engine reports one."""

    node: int
    move: VariationMove
    sentence: str


class OverlayPoint(Part, frozen=True):
    """A point of an overlay. color: `#rrggbb` or empty. label: a few characters or empty."""

    at: int
    color: str
    label: str


class Overlay(Message, frozen=True):
    """An engine's drawing on the board. text: the text of its output."""

    node: int
    command: str
    title: str
    points: list[OverlayPoint]
    text: str


class SolverResult(Message, frozen=True, tag="solution"):
    """The result of the solver. line: best play; empty if not solved."""

    node: int
    line: list[VariationMove]
    sentence: str
