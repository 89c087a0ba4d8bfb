"""Messages for the output of engines: analyses, proofs, variations and GoGui graphics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self

from pinchtp.base.text import printable, to_unicode
from pinchtp.board.protocol.analysis import (
    AnalysisUpdate,
    CandidateInfo,
    OverlayPoint,
    SolverResult,
)
from pinchtp.board.protocol.board import VariationMove
from pinchtp.board.table import Table
from pinchtp.board.view import COLOR_NAMES
from pinchtp.engine.analysis import Analysis, Candidate, Solved, legal_turns
from pinchtp.games.history import Turn
from pinchtp.games.notation import cells_of, format_move, point
from pinchtp.games.session import Session

MOST_KNOWN = 1000  # cached variations per position


@dataclass
class AnalysisReader:
    """A converter of engine output about one position into messages.

    Parsed variations are cached, because consecutive reports repeat most of them.
    """

    session: Session
    node: int
    _known: dict[tuple[str, ...], tuple[VariationMove, ...]] = field(default_factory=dict)

    @classmethod
    def at(cls, table: Table) -> Self:
        """Returns a reader for a table's displayed position, with a copy of the game."""
        return cls(table.session.copy(), table.node.id)

    def message(self, analysis: Analysis) -> AnalysisUpdate:
        """Returns the message for an analysis."""
        moves = [self._candidate(move, order) for order, move in enumerate(analysis.candidates)]
        owners = analysis.owners
        return AnalysisUpdate(
            node=self.node,
            color=COLOR_NAMES[analysis.to_move],
            visits=analysis.visits,
            black=analysis.winrate.black(),
            candidates=[move for move in moves if move is not None],
            ownership=None if owners is None else [owner for row in owners for owner in row],
        )

    def variation(self, texts: Sequence[str]) -> list[VariationMove]:
        """Returns the moves of a variation up to the first illegal one."""
        key = tuple(texts)
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = tuple(read_variation(self.session, key))
        return list(self._known[key])

    def _candidate(self, candidate: Candidate, order: int) -> CandidateInfo | None:
        line = self.variation(candidate.pv)
        if not line:
            return None
        return CandidateInfo(
            move=line[0].text,
            points=line[0].points,
            visits=candidate.visits,
            winrate=float(candidate.winrate),
            order=order,
            pv=line,
            prior=candidate.prior,
        )


def read_variation(session: Session, texts: Iterable[str]) -> list[VariationMove]:
    """Returns the moves of a variation from a session's position; see legal_turns()."""
    return [_describe_turn(session, turn) for turn in legal_turns(session, texts)]


def _describe_turn(session: Session, turn: Turn) -> VariationMove:
    cells = enumerate(zip(turn.before.cells(), turn.after.cells(), strict=True))
    return VariationMove(
        color=COLOR_NAMES[turn.color],
        text=session.game.notation.format(turn.before, turn.moves),
        points=cells_of(turn.moves, turn.before.width),
        changes=[(at, new) for at, (old, new) in cells if old != new],
    )


def map_points(session: Session) -> dict[str, int]:
    """Returns the points of a board by GTP vertex."""
    position = session.position
    return {
        format_move(point(x, y)): y * position.width + x
        for y in range(position.height)
        for x in range(position.width)
    }


_COLOR = re.compile(r"COLOR (#[0-9a-fA-F]{6}) (.+)")
_LABEL = re.compile(r"LABEL (\S+) (\S.{0,7})")
_TEXT = re.compile(r"TEXT (.*)")


def read_graphics(text: str, points: dict[str, int]) -> tuple[list[OverlayPoint], str]:
    """Returns the drawing, by point, and the text of GoGui graphics."""
    colors: dict[int, str] = {}
    labels: dict[int, str] = {}
    texts = []
    for line in text.split("\n"):
        if command := _COLOR.fullmatch(line.strip()):
            colors |= {points[name]: command[1] for name in command[2].split() if name in points}
        elif (command := _LABEL.fullmatch(line.strip())) and command[1] in points:
            labels[points[command[1]]] = printable(command[2])
        elif command := _TEXT.fullmatch(line.strip()):
            texts.append(command[1])
        elif not colors and not labels:
            texts.append(line)
    drawn = [
        OverlayPoint(at, colors.get(at, ""), labels.get(at, ""))
        for at in sorted(colors.keys() | labels.keys())
    ]
    return drawn, printable(to_unicode("\n".join(texts)))[:2000]


def describe_solution(
    reader: AnalysisReader, solved: Solved, seconds: float, *, is_stopped: bool
) -> SolverResult:
    """Returns the message for a solver's result.

    seconds: its time. is_stopped: whether it was stopped before its end.
    """
    color = reader.session.to_move
    outcome = {
        "win": f"{color.title} wins",
        "loss": f"{color.title} loses",
        "draw": "Draw",
    }.get(solved.value)
    budget = f"in {seconds:.1f} s ({solved.nodes:,} positions)"
    sentence = f"{outcome}. Proved {budget}." if outcome else f"Not solved {budget}."
    if is_stopped:  # the engine has not reported its positions
        sentence = f"Stopped after {seconds:.1f} s."
    return SolverResult(reader.node, reader.variation(solved.line), sentence)
