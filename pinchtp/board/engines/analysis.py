"""What engines say of a position, read for the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pinchtp.board.messages import Analysis, Candidate, VariationMove
from pinchtp.board.table.view import COLOR_NAMES, variation_move
from pinchtp.client.analysis import Info, read_infos, read_ownership
from pinchtp.games import Color
from pinchtp.games.notation import NotationError, format_move, point
from pinchtp.games.session import IllegalMove, Session

MOST_CANDIDATES = 20
MOST_PLIES = 12  # of a principal variation that are shown
MOST_KNOWN = 1000  # variations of a position that are kept


@dataclass(frozen=True)
class Report:
    """A line of analysis. ownership: rows from the top, for Black; empty if it was not told."""

    infos: tuple[Info, ...]
    ownership: tuple[float, ...] = ()

    @property
    def visits(self) -> int:
        return sum(info.visits for info in self.infos)

    @property
    def best(self) -> Info:
        return self.infos[0]


def read_line(line: str, scale: float) -> Report | None:
    """A line of analysis; None for what is none. scale: what winrates are out of."""
    infos = [_bounded(info) for info in read_infos(line, scale) if info.pv]
    if not infos:
        return None
    infos.sort(key=lambda info: info.order)
    return Report(tuple(infos[:MOST_CANDIDATES]), read_ownership(line))


def _bounded(info: Info) -> Info:
    """A candidate within the bounds of what the page shows."""
    return replace(
        info,
        winrate=_chance(info.winrate),
        prior=None if info.prior is None else _chance(info.prior),
        lcb=None if info.lcb is None else _chance(info.lcb),
        pv=info.pv[:MOST_PLIES],
    )


def _chance(value: float) -> float:
    return min(1.0, max(0.0, value))


@dataclass
class Reader:
    """Turns what an engine says of one position into what the page draws.

    Variations hardly change from one line to the next, so what was read once is kept.
    """

    session: Session
    node: int
    engine: int
    _known: dict[tuple[str, ...], tuple[VariationMove, ...]] = field(default_factory=dict)

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


def black_chance(winrate: float, mover: Color) -> float:
    """Black's chance, from the mover's; and the other way round."""
    return winrate if mover == Color.BLACK else 1 - winrate


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
