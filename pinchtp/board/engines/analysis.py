"""What engines say of a position, in the formats of KataGo and Leela Zero, read for the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pinchtp.board.messages import Analysis, Candidate, VariationMove
from pinchtp.board.table.view import COLOR_NAMES, variation_move
from pinchtp.games import Color
from pinchtp.games.notation import NotationError, format_move, point
from pinchtp.games.session import IllegalMove, Session

MOST_CANDIDATES = 20
MOST_PLIES = 12  # of a principal variation that are shown
MOST_KNOWN = 1000  # variations of a position that are kept

# Commands that stream analysis, the best first, and what their winrates are out of.
ANALYZE = {"kata-analyze": 1.0, "lz-analyze": 10_000.0, "analyze": 1.0}
GENMOVE_ANALYZE = {
    "kata-genmove_analyze": 1.0,
    "lz-genmove_analyze": 10_000.0,
    "genmove_analyze": 1.0,
}

_NUMBER = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,12})?(?:e-?[0-9]{1,2})?")
_KEYS = {"move", "visits", "winrate", "prior", "lcb", "order"}


@dataclass(frozen=True)
class Info:
    """A candidate as the engine tells it; chances in [0, 1] for the side to move."""

    move: str
    visits: int
    winrate: float
    order: int
    prior: float | None
    lcb: float | None
    pv: tuple[str, ...]


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
    head, _, rest = line.partition("ownership ")
    infos = [_info(part, scale) for part in head.split("info ")[1:] if " pv " in f" {part} "]
    found = sorted((info for info in infos if info), key=lambda info: info.order)
    if not found:
        return None
    values = []
    for word in rest.split():
        if not _NUMBER.fullmatch(word):
            break
        values.append(max(-1.0, min(1.0, float(word))))
    return Report(tuple(found[:MOST_CANDIDATES]), tuple(values))


def _info(text: str, scale: float) -> Info | None:
    words, _, line = f" {text} ".partition(" pv ")
    given = words.split()
    values = dict(zip(given[::2], given[1::2], strict=False))
    pv = line.partition(" rootInfo ")[0].split()[:MOST_PLIES]
    numbers = {key: values.get(key, "") for key in _KEYS - {"move"}}
    if "move" not in values or not pv or not _NUMBER.fullmatch(numbers["winrate"]):
        return None

    def share(key: str) -> float | None:
        text = numbers[key]
        return min(1.0, max(0.0, float(text) / scale)) if _NUMBER.fullmatch(text) else None

    def count(key: str) -> int:
        return int(float(numbers[key])) if _NUMBER.fullmatch(numbers[key]) else 0

    return Info(
        values["move"],
        count("visits"),
        share("winrate") or 0.0,
        count("order"),
        share("prior"),
        share("lcb"),
        tuple(pv),
    )


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
