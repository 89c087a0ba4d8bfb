"""Reports of engines, turned into what the page draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from pinchtp.board.engines.report import Report, black_chance
from pinchtp.board.messages import Analysis, Candidate, VariationMove
from pinchtp.board.table.table import Table
from pinchtp.board.table.view import COLOR_NAMES, variation_move
from pinchtp.client.analysis import Info
from pinchtp.games.notation import NotationError, format_move, point
from pinchtp.games.session import IllegalMove, Session

MOST_KNOWN = 1000  # variations of a position that are kept


@dataclass
class Reader:
    """Turns what an engine says of one position into what the page draws.

    Variations hardly change from one line to the next, so what was read once is kept.
    """

    session: Session
    node: int
    engine: int
    _known: dict[tuple[str, ...], tuple[VariationMove, ...]] = field(default_factory=dict)

    @classmethod
    def at(cls, table: Table, engine: int) -> Self:
        """A reader for the position that a table shows, with a copy of the game."""
        return cls(table.session.copy(), table.node.id, engine)

    def message(self, report: Report) -> Analysis:
        """The message for the page."""
        mover = self.session.to_move
        candidates = [self._candidate(info) for info in report.infos]
        return Analysis(
            node=self.node,
            engine=self.engine,
            color=COLOR_NAMES[mover],
            visits=report.visits,
            black=black_chance(report.best.winrate, mover),
            candidates=[each for each in candidates if each is not None],
            ownership=self._ownership(report.ownership),
        )

    def variation(self, texts: Sequence[str]) -> list[VariationMove]:
        """The turns that these texts mean, as far as they are legal."""
        key = tuple(texts)
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = tuple(read_variation(self.session, key))
        return list(self._known[key])

    def _candidate(self, info: Info) -> Candidate | None:
        line = self.variation(info.pv)
        if not line:
            return None
        return Candidate(
            move=line[0].text,
            points=line[0].points,
            visits=info.visits,
            winrate=info.winrate,
            order=info.order,
            pv=line,
            prior=info.prior,
            lcb=info.lcb,
        )

    def _ownership(self, values: Sequence[float]) -> list[float] | None:
        """By point, from rows that begin at the top."""
        width, height = self.session.start.width, self.session.start.height
        if len(values) != width * height:
            return None
        rows = [values[at : at + width] for at in range(0, len(values), width)]
        return [value for row in reversed(rows) for value in row]


def read_variation(session: Session, texts: Sequence[str]) -> list[VariationMove]:
    """The turns that texts mean from a session's position, until one is not legal."""
    ahead = session.copy()
    line = []
    for text in texts:
        mover = ahead.to_move
        try:
            moves = ahead.parse(text)
            shown = variation_move(ahead, moves, mover)
            ahead.play(mover, *moves)
        except (NotationError, IllegalMove):
            break
        line.append(shown)
        if ahead.is_over:
            break
    return line


def board_points(session: Session) -> dict[str, int]:
    """The points of a board by their vertices of GTP."""
    position = session.position
    return {
        format_move(point(x, y)): y * position.width + x
        for y in range(position.height)
        for x in range(position.width)
    }
